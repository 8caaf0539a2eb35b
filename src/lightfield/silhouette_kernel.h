/*
 * The stages that all versions of the rasteriser share and that the compiler vectorizes. All
 * versions set the same pixels.
 *
 * Triangles are processed in batches. Most triangles of a dense mesh lie between pixel centers, and
 * most others where all pixels are set already. Which ones is nearly random, so a branch on it is
 * mispredicted every other time. So each stage computes its answer for the whole batch and makes
 * lists without branches.
 *
 * An edge crosses the center line of a row at a rational position, and a span begins at the first
 * pixel center at or right of it. For an edge of height h (in 1/256 pixel) this position is a
 * multiple of 1/(256 h) pixel. Moved left by half of that, it keeps this distance from all pixel
 * centers, while the rounding error of double precision is below 2^-20 of it. So the results are
 * exact.
 */
#pragma once

#include "core/cpu.h"
#include "lightfield/silhouette.h"

#include <math.h>
#include <string.h>

/* Rows of a column of words lie side by side; a kernel may read and rewrite some beyond the top. */
typedef struct psb_canvas {
    uint64_t column[PSB_WORDS][PSB_SIDE + 8];
} psb_canvas;

typedef struct psb_silhouette_kernel {
    psb_variant variant;
    void (*draw)(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                 psb_canvas canvas[PSB_PAIR]);
} psb_silhouette_kernel;

extern const psb_silhouette_kernel psb_silhouette_avx512;
extern const psb_silhouette_kernel psb_silhouette_avx2;
extern const psb_silhouette_kernel psb_silhouette_plain;

/* The psb_silhouette_kernel of this build, fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_silhouette_kernels[];

/* psb_silhouette_draw with a kernel of choice. */
void psb_silhouette_draw_with(const psb_silhouette_kernel *kernel, const psb_drawing *drawing,
                              const psb_camera view[PSB_PAIR], psb_bitmap image[PSB_PAIR]);

enum {
    PSB_BATCH = 64,
    PSB_SMALL_ROWS = 4, /* a triangle with no more is small: one step of the AVX2 version */
};

typedef struct psb_batch {
    size_t n; /* triangles: whole groups */
    psb_snapped a[PSB_BATCH], b[PSB_BATCH], c[PSB_BATCH];
    psb_snapped low[PSB_BATCH], middle[PSB_BATCH], high[PSB_BATCH]; /* the same by height */
    uint32_t left[PSB_BATCH], right[PSB_BATCH]; /* columns of the box: left ... right - 1 */
    uint32_t rows[PSB_BATCH];                   /* of the box; 0 where it has no pixel center */
    uint16_t small[PSB_BATCH], tall[PSB_BATCH]; /* those of up to PSB_SMALL_ROWS rows, and others */
    size_t nsmall, ntall;
} psb_batch;

/* The functions below are inlined into each kernel, to be compiled for its instruction set. */

PSB_INLINE psb_snapped psb_project_point(const psb_camera *view, double x, double y, double z) {
    const double middle = PSB_SIDE / 2, *right = view->right, *up = view->up;
    return psb_snap(right[0] * x + right[1] * y + right[2] * z + middle,
                    up[0] * x + up[1] * y + up[2] * z + middle);
}

PSB_INLINE void psb_project_points(const psb_points *points, const psb_camera view[PSB_PAIR],
                                   psb_snapped_pair *restrict snapped) {
    const double *x = points->x, *y = points->y, *z = points->z;
    const psb_camera first = view[0], second = view[1];
    for (size_t i = 0; i < points->n; i++) {
        snapped[i] = (psb_snapped_pair)psb_project_point(&second, x[i], y[i], z[i]) << 32 |
                     psb_project_point(&first, x[i], y[i], z[i]);
    }
}

PSB_INLINE uint32_t psb_least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

PSB_INLINE uint32_t psb_most(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* The first row whose center is at or above p. */
PSB_INLINE uint32_t psb_row_of(psb_snapped p) {
    return p >> 24;
}

/* The pixels left ... right - 1, low ... high - 1 that each group of a block can cover, none where
 * left >= right; the last ones are those that all groups together can cover. */
typedef struct psb_rectangles {
    int32_t left[PSB_DRAW_GROUP + 1], right[PSB_DRAW_GROUP + 1], low[PSB_DRAW_GROUP + 1],
        high[PSB_DRAW_GROUP + 1];
} psb_rectangles;

/* The ranges along one axis of the image. */
PSB_INLINE void psb_bound_axis(const psb_draw_block *block, const double axis[3],
                               int32_t begin[PSB_DRAW_GROUP + 1], int32_t end[PSB_DRAW_GROUP + 1]) {
    const float middle = PSB_SIDE / 2 + (PSB_SNAP_OFFSET + 0.5F) / PSB_SUBPIXELS;
    const float rounding = 1.0F / 64.0F; /* more than that of snapping and of the sums below */
    const float a[3] = {(float)axis[0], (float)axis[1], (float)axis[2]};
    const float b[3] = {fabsf(a[0]), fabsf(a[1]), fabsf(a[2])};
    int32_t least = PSB_SIDE - 1, most = 0;
    for (int k = 0; k < PSB_DRAW_GROUP; k++) {
        float at = a[0] * block->middle[0][k] + a[1] * block->middle[1][k] +
                   a[2] * block->middle[2][k] + middle;
        float reach = b[0] * block->half[0][k] + b[1] * block->half[1][k] +
                      b[2] * block->half[2][k] + rounding;
        int32_t low = (int32_t)(at - reach), high = (int32_t)(at + reach);
        begin[k] = low > 0 ? low : 0;
        end[k] = high < PSB_SIDE ? high : PSB_SIDE - 1;
        least = begin[k] < least ? begin[k] : least;
        most = end[k] > most ? end[k] : most;
    }
    begin[PSB_DRAW_GROUP] = least;
    end[PSB_DRAW_GROUP] = most;
}

PSB_INLINE void psb_bound_block(const psb_draw_block *block, const psb_camera *view,
                                psb_rectangles *in) {
    psb_bound_axis(block, view->right, in->left, in->right);
    psb_bound_axis(block, view->up, in->low, in->high);
}

/* The mask of the columns of a word that lie within left ... right - 1. */
PSB_INLINE uint64_t psb_columns_in(uint32_t word, uint32_t left, uint32_t right) {
    uint32_t from = psb_most(left, 64 * word) - 64 * word;
    uint32_t to = psb_least(right, 64 * word + 64) - 64 * word;
    return ~UINT64_C(0) >> (64 - (to - from)) << from;
}

/* Whether a rectangle has a pixel that is not set. */
PSB_INLINE bool psb_is_open(const psb_canvas *canvas, const psb_rectangles *in, int k) {
    const uint32_t left = (uint32_t)in->left[k], right = (uint32_t)in->right[k];
    for (uint32_t word = left / 64; left < right && word <= (right - 1) / 64; word++) {
        const uint64_t mask = psb_columns_in(word, left, right);
        for (int32_t row = in->low[k]; row < in->high[k]; row++) {
            if ((~canvas->column[word][row] & mask) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* Adds a group of triangles in one of the views. */
PSB_INLINE void psb_batch_add(psb_batch *batch, const psb_snapped_pair *snapped, int view,
                              const uint32_t corner[3][PSB_DRAW_GROUP]) {
    for (size_t t = 0; t < PSB_DRAW_GROUP; t++) {
        batch->a[batch->n + t] = psb_snapped_in(snapped[corner[0][t]], view);
        batch->b[batch->n + t] = psb_snapped_in(snapped[corner[1][t]], view);
        batch->c[batch->n + t] = psb_snapped_in(snapped[corner[2][t]], view);
    }
    batch->n += PSB_DRAW_GROUP;
}

/* Finds corners by height and boxes. */
PSB_INLINE void psb_batch_sort(psb_batch *batch) {
    for (size_t t = 0; t < PSB_BATCH; t++) {
        psb_snapped a = batch->a[t], b = batch->b[t], c = batch->c[t];
        psb_snapped low = psb_least(psb_least(a, b), c), high = psb_most(psb_most(a, b), c);
        uint32_t xa = a & 0xffff, xb = b & 0xffff, xc = c & 0xffff;
        uint32_t left = psb_least(psb_least(xa, xb), xc) >> 8;
        uint32_t right = psb_most(psb_most(xa, xb), xc) >> 8;
        batch->low[t] = low;
        batch->middle[t] = a ^ b ^ c ^ low ^ high;
        batch->high[t] = high;
        batch->left[t] = left;
        batch->right[t] = right;
        batch->rows[t] = left < right ? psb_row_of(high) - psb_row_of(low) : 0;
    }
}

/* Draws by batches of the groups that may change a pixel; draw_batch empties a batch. */
PSB_INLINE void psb_draw_batches(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                                 psb_canvas canvas[PSB_PAIR],
                                 void (*draw_batch)(psb_canvas *canvas, psb_batch *batch)) {
    psb_batch batch[PSB_PAIR];
    memset(batch, 0, sizeof batch);
    psb_project_points(&drawing->points, view, drawing->snapped);
    for (size_t k = 0; k < drawing->nblocks; k++) {
        for (int v = 0; v < PSB_PAIR; v++) {
            psb_rectangles in;
            psb_bound_block(&drawing->block[k], &view[v], &in);
            const int groups = psb_is_open(&canvas[v], &in, PSB_DRAW_GROUP) ? PSB_DRAW_GROUP : 0;
            for (int group = 0; group < groups; group++) {
                if (psb_is_open(&canvas[v], &in, group)) {
                    psb_batch_add(&batch[v], drawing->snapped, v, drawing->block[k].corner[group]);
                    if (batch[v].n == PSB_BATCH) {
                        draw_batch(&canvas[v], &batch[v]);
                    }
                }
            }
        }
    }
    draw_batch(&canvas[0], &batch[0]);
    draw_batch(&canvas[1], &batch[1]);
}

/* The bits of the box's columns in the word of its first column; `wide`: the box goes on in the
 * next word. */
PSB_INLINE uint64_t psb_box_mask(uint32_t left, uint32_t right, bool *wide) {
    uint32_t last = right - 1;
    *wide = left / 64 != last / 64;
    return ~UINT64_C(0) >> (63 - (last - left) % 64) << left % 64;
}
