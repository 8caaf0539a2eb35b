/* Writes pictures as PNG. */
#ifndef PSB_IO_PNG_H
#define PSB_IO_PNG_H

#include "core/file.h"
#include "psbench.h"

/* Bytes of a pixel are its channels. */
typedef enum psb_pixel {
    PSB_GRAY = 1,
    PSB_GRAY_ALPHA = 2, /* alpha not multiplied in */
    PSB_RGB = 3,
} psb_pixel;

/* A small picture in grays, rows from the top without padding, and what it shows. */
enum { PSB_SMALL_SIDE = 128 };
typedef struct psb_small_picture {
    size_t width, height; /* at most PSB_SMALL_SIDE; 0: there is none */
    const char *caption;
    uint8_t gray[PSB_SMALL_SIDE * PSB_SMALL_SIDE];
} psb_small_picture;

/* Colours of a picture that is written small. */
enum { PSB_PNG_COLORS = 30 };

/* Rows from the top, without padding; the file appears whole or not at all. */
psb_status psb_png_write(const char *path, size_t width, size_t height, psb_pixel pixel,
                         const uint8_t *pixels, psb_error *error);

/*
 * The same of PSB_GRAY_ALPHA in PSB_PNG_COLORS colours, a quarter of the bytes: as many grays as
 * there are between the darkest and the lightest that is opaque, fewer of what is half transparent.
 * All of it is with the system then; the caller commits the output.
 */
psb_status psb_png_write_small(psb_output *output, size_t width, size_t height,
                               const uint8_t *pixels, psb_error *error);

/* The same as the first in fresh memory; free() it. */
psb_status psb_png_make(size_t width, size_t height, psb_pixel pixel, const uint8_t *pixels,
                        uint8_t **png, size_t *size, psb_error *error);

#endif
