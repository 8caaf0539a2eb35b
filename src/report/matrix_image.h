/* Draws distance and tier images (paper, section 7 and Figure 1), with class lines and labels. */
#pragma once

#include "io/cla.h"
#include "io/matrix.h"
#include "report/picture.h"

typedef enum psb_image_kind {
    PSB_DISTANCE_IMAGE, /* lightness proportional to distance, white the largest of the matrix */
    PSB_TIER_IMAGE, /* row = query: itself and its nearest neighbor black, first tier red, second
                       tier blue; rows of the miscellaneous class have only the black */
} psb_image_kind;

typedef struct psb_matrix_image {
    psb_image_kind kind;
    const char *title; /* "": no legend either */
    const psb_classification *cla;
    const psb_matrix *matrix;
    size_t first_class, last_class; /* rows and columns shown; ranked lists hold the whole set */
    int cell; /* pixels of a distance; 0: as many as suit the number of rows */
} psb_matrix_image;

psb_status psb_matrix_image_write(const psb_matrix_image *image, const psb_picture_style *style,
                                  const char *format, const char *path, psb_error *error);

/*
 * Makes the colors alone: rows x rows of 0xRRGGBB for the models of the classes shown, which are
 * models first ... first + rows - 1 of the classification. free() the pixels.
 */
psb_status psb_matrix_image_pixels(const psb_matrix_image *image, uint32_t **pixels, size_t *first,
                                   size_t *rows, psb_error *error);

/* Sets the colors of n distances; `largest` is white. */
void psb_distance_colors(const float *distances, size_t n, float largest, uint32_t *colors);
/*
 * Sets the colors of row `query` of the whole image. `list` is the front of its ranked list, with
 * at least the models of its two tiers.
 */
void psb_tier_colors(const psb_classification *cla, size_t query, const uint32_t *list,
                     size_t listed, uint32_t *colors);
