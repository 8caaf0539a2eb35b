/* Writes pictures as PNG. */
#pragma once

#include "core/file.h"
#include "psbench.h"

/* The value is the number of channels, one byte each. */
typedef enum psb_pixel {
    PSB_GRAY = 1,
    PSB_GRAY_ALPHA = 2, /* alpha is not premultiplied */
    PSB_RGB = 3,
} psb_pixel;

/* A small gray picture, rows from the top without padding, and its caption. */
enum { PSB_SMALL_SIDE = 128 };
typedef struct psb_small_picture {
    size_t width, height; /* at most PSB_SMALL_SIDE; 0: no picture */
    const char *caption;
    uint8_t gray[PSB_SMALL_SIDE * PSB_SMALL_SIDE];
} psb_small_picture;

/* Number of colors that psb_png_write_small uses. */
enum { PSB_PNG_COLORS = 30 };

/* Writes rows from the top, without padding; the file appears complete or not at all. */
psb_status psb_png_write(const char *path, size_t width, size_t height, psb_pixel pixel,
                         const uint8_t *pixels, psb_error *error);

/*
 * Writes PSB_GRAY_ALPHA in PSB_PNG_COLORS colors, in a quarter of the bytes: most of the colors
 * are opaque grays between the darkest and the lightest, a few are half transparent. Flushes the
 * stream; the caller commits the output.
 */
psb_status psb_png_write_small(psb_output *output, size_t width, size_t height,
                               const uint8_t *pixels, psb_error *error);

/* Like psb_png_write, into new memory; free() it. */
psb_status psb_png_make(size_t width, size_t height, psb_pixel pixel, const uint8_t *pixels,
                        uint8_t **png, size_t *size, psb_error *error);
