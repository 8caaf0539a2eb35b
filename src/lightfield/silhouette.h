/*
 * Silhouettes of a mesh in parallel projection.
 *
 * A pixel is set if any triangle covers its center: no culling, no depth, no anti-aliasing.
 * Vertices are snapped to 1/256 pixel; from there on the result is that of exact arithmetic. Left
 * edges and the horizontal edge at the bottom of a triangle are inclusive, right and top edges
 * exclusive, so triangles that share an edge leave no gap. Triangles without area draw nothing.
 */
#pragma once

#include "lightfield/bitmap.h"
#include "lightfield/cameras.h"

/*
 * A vertex in the image: y in the upper half, x in the lower, in 1/256 pixel from the lower left
 * corner, each plus 127. The offset makes "first pixel center at or after" a shift by 8, and y on
 * top lets one comparison order vertices by height.
 */
typedef uint32_t psb_snapped;

enum { PSB_SUBPIXELS = 256, PSB_SNAP_OFFSET = 127 };

/* Rounds to the nearest 1/256 pixel; x and y are within 0 ... 255 pixels. */
static inline psb_snapped psb_snap(double x, double y) {
    uint32_t column = (uint32_t)(int32_t)(x * PSB_SUBPIXELS + (PSB_SNAP_OFFSET + 0.5));
    uint32_t row = (uint32_t)(int32_t)(y * PSB_SUBPIXELS + (PSB_SNAP_OFFSET + 0.5));
    return row << 16 | column;
}

/* Points in three arrays of `n`, in pixels, the image's middle being the origin. */
typedef struct psb_points {
    size_t n;
    const double *x, *y, *z;
} psb_points;

/*
 * A vertex in two views, the second in the upper half: fetching vertices from all over memory is a
 * good part of the work, so both views share a fetch.
 */
typedef uint64_t psb_snapped_pair;
enum { PSB_PAIR = 2 };

static inline psb_snapped psb_snapped_in(psb_snapped_pair both, int view) {
    return (psb_snapped)(both >> 32 * view);
}

/*
 * Triangles are drawn in groups that follow each other: a group whose box lies where all pixels are
 * set is left out, and so is a block of groups. In a dense mesh this is most of them.
 */
enum { PSB_DRAW_GROUP = 16, PSB_DRAW_BLOCK = PSB_DRAW_GROUP * PSB_DRAW_GROUP };

typedef struct psb_draw_block {
    uint32_t corner[PSB_DRAW_GROUP][3][PSB_DRAW_GROUP]; /* indices into points; by group, corner */
    float middle[3][PSB_DRAW_GROUP], half[3][PSB_DRAW_GROUP]; /* of the groups' boxes, by axis */
} psb_draw_block;

/* A mesh to be drawn. Every point must be at most 127 pixels from the origin. */
typedef struct psb_drawing {
    psb_points points;
    psb_snapped_pair *snapped; /* scratch memory: the points in the last pair of views */
    psb_draw_block *block;
    size_t nblocks;
} psb_drawing;

static inline size_t psb_draw_blocks(size_t ntriangles) {
    return (ntriangles + PSB_DRAW_BLOCK - 1) / PSB_DRAW_BLOCK;
}

/* Makes triangle number t of three indices. */
static inline void psb_drawing_put(psb_drawing *drawing, size_t t, const uint32_t corner[3]) {
    for (size_t k = 0; k < 3; k++) {
        drawing->block[t / PSB_DRAW_BLOCK]
            .corner[t / PSB_DRAW_GROUP % PSB_DRAW_GROUP][k][t % PSB_DRAW_GROUP] = corner[k];
    }
}

/* Completes a drawing of which n triangles have been put: finds the boxes of their groups. */
void psb_drawing_close(psb_drawing *drawing, size_t n);

/* Draws for two cameras; overwrites the images. */
void psb_silhouette_draw(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                         psb_bitmap image[PSB_PAIR]);
