/*
 * The closed outer contour of a silhouette, walked as the original light field descriptor does. A
 * silhouette of several parts is joined first.
 */
#pragma once

#include "lightfield/bitmap.h"

/*
 * A walk that reaches a pixel in the same of four directions a second time would never end, so no
 * walk that ends is longer than this.
 */
enum { PSB_CONTOUR_MAX = 4 * PSB_SIDE * PSB_SIDE };

/* Where a walk goes next: by how many bits of `around` below, and in which direction; by 0 from an
 * isolated pixel. */
typedef struct psb_contour_step {
    int16_t move;
    uint16_t direction;
} psb_contour_step;

/* Working memory for one contour at a time, and the result. */
typedef struct psb_contour {
    size_t length;                   /* of `pixel`; 0 where there is no contour */
    uint16_t pixel[PSB_CONTOUR_MAX]; /* 256 y + x; the start stands at both ends */
    psb_bitmap edge, outside, joined, dilated;
    psb_contour_step step[4][512];    /* by direction and the 3 x 3 pixels around one */
    uint64_t around[PSB_SIDE + 2][8]; /* the image amid background, in little-endian words */
} psb_contour;

/* Prepares the memory for any number of walks. */
void psb_contour_begin(psb_contour *contour);

/*
 * Walks around the part of the image that contains the first pixel in raster order. Returns false,
 * with length 0, for an image without pixels, an isolated first pixel, and a walk that would not
 * end.
 */
bool psb_contour_walk(const psb_bitmap *image, psb_contour *contour);

/*
 * Traces the contour of the whole image of `all` pixels within `box`. If a walk encloses at most 95
 * % of the image, the image has several parts and is joined: dilated by one pixel, then by two
 * more, at last replaced by its bounding box, until one contour encloses it; then it is thinned
 * back towards the image and walked.
 */
bool psb_contour_trace(const psb_bitmap *image, const psb_pixel_box *box, size_t all,
                       psb_contour *contour);
