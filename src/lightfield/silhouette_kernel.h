/*
 * The stages that all versions of the rasteriser share and that the compiler vectorises. All
 * versions set the same pixels.
 *
 * Triangles are processed in batches. Most triangles of a dense mesh lie between pixel centres, and
 * most others where all pixels are set already. Which ones is nearly random, so a branch on it is
 * mispredicted every other time. So each stage computes its answer for the whole batch and makes
 * lists without branches.
 *
 * An edge crosses the centre line of a row at a rational position, and a span begins at the first
 * pixel centre at or right of it. For an edge of height h (in 1/256 pixel) this position is a
 * multiple of 1/(256 h) pixel. Moved left by half of that, it keeps this distance from all pixel
 * centres, while the rounding error of double precision is below 2^-20 of it. So the results are
 * exact.
 */
#ifndef PSB_LIGHTFIELD_SILHOUETTE_KERNEL_H
#define PSB_LIGHTFIELD_SILHOUETTE_KERNEL_H

#include "core/cpu.h"
#include "lightfield/silhouette.h"

/* Rows of a column of words lie side by side; a kernel may read and rewrite some beyond the top. */
typedef struct psb_canvas {
    uint64_t column[PSB_WORDS][PSB_SIDE + 8];
} psb_canvas;

typedef struct psb_silhouette_kernel {
    psb_variant variant;
    void (*project)(const psb_points *points, const psb_camera view[PSB_PAIR],
                    psb_snapped_pair *snapped);
    void (*draw)(const psb_snapped_pair *snapped, const uint32_t *triangles, size_t n,
                 psb_canvas canvas[PSB_PAIR]);
} psb_silhouette_kernel;

extern const psb_silhouette_kernel psb_silhouette_avx512;
extern const psb_silhouette_kernel psb_silhouette_avx2;
extern const psb_silhouette_kernel psb_silhouette_plain;

/* The psb_silhouette_kernel of this build, fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_silhouette_kernels[];

/* psb_silhouette_draw with a kernel of choice. */
void psb_silhouette_draw_with(const psb_silhouette_kernel *kernel, const psb_snapped_pair *snapped,
                              const uint32_t *triangles, size_t n, psb_bitmap image[PSB_PAIR]);

enum {
    PSB_BATCH = 64,
    PSB_SMALL_ROWS = 4, /* a triangle with no more is small: one step of the AVX2 version */
};

typedef struct psb_batch {
    psb_snapped a[PSB_BATCH], b[PSB_BATCH], c[PSB_BATCH];
    psb_snapped low[PSB_BATCH], middle[PSB_BATCH], high[PSB_BATCH]; /* the same by height */
    uint32_t left[PSB_BATCH], right[PSB_BATCH]; /* columns of the box: left ... right - 1 */
    uint32_t rows[PSB_BATCH];                   /* of the box; 0 where it has no pixel centre */
    uint16_t small[PSB_BATCH], tall[PSB_BATCH]; /* those of up to PSB_SMALL_ROWS rows, and others */
    size_t nsmall, ntall;
} psb_batch;

/* These are inlined into each kernel, to be compiled for its instruction set. */
#define PSB_INLINE static inline __attribute__((always_inline))

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

/* The first row whose centre is at or above p. */
PSB_INLINE uint32_t psb_row_of(psb_snapped p) {
    return p >> 24;
}

/* Up to PSB_BATCH triangles in one of the views: their corners by height and their boxes. */
PSB_INLINE void psb_batch_load(psb_batch *batch, const psb_snapped_pair *snapped, int view,
                               const uint32_t *triangles, size_t n) {
    for (size_t t = 0; t < n; t++) {
        batch->a[t] = psb_snapped_in(snapped[triangles[3 * t]], view);
        batch->b[t] = psb_snapped_in(snapped[triangles[3 * t + 1]], view);
        batch->c[t] = psb_snapped_in(snapped[triangles[3 * t + 2]], view);
    }
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

/* The bits of the box's columns in the word of its first column; `wide`: the box goes on in the
 * next word. */
PSB_INLINE uint64_t psb_box_mask(uint32_t left, uint32_t right, bool *wide) {
    uint32_t last = right - 1;
    *wide = left / 64 != last / 64;
    return ~UINT64_C(0) >> (63 - (last - left) % 64) << left % 64;
}

#endif
