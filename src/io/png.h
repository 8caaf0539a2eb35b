/* PNG pictures out. */
#ifndef PSB_IO_PNG_H
#define PSB_IO_PNG_H

#include "psbench.h"

/* Bytes of a pixel are its channels. */
typedef enum psb_pixel {
    PSB_GRAY = 1,
    PSB_GRAY_ALPHA = 2, /* alpha not multiplied in */
    PSB_RGB = 3,
} psb_pixel;

/* Rows from the top, without padding; the file appears whole or not at all. */
psb_status psb_png_write(const char *path, size_t width, size_t height, psb_pixel pixel,
                         const uint8_t *pixels, psb_error *error);

/* The same in fresh memory; free() it. */
psb_status psb_png_make(size_t width, size_t height, psb_pixel pixel, const uint8_t *pixels,
                        uint8_t **png, size_t *size, psb_error *error);

#endif
