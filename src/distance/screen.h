/*
 * Tiles for lists of the nearest rows, in which nearly all pairs are farther than their limits: a
 * screen of float32 scalar products by BLAS rules out the pairs that are certainly too far. The
 * others get distances with the same bits as in the metric's own tiles.
 *
 * The error bound: with u = 2^-24 and m roundings on the way of any number of a row to its sum, the
 * float32 product p of rows a and b is off by at most g |a| |b|, g = m u / (1 - m u) (Higham,
 * Accuracy and Stability of Numerical Algorithms, 3.1), in whatever order the BLAS sums, fused or
 * not. A distance of at most L means
 *
 *   ab >= |a| |b| (1 - L)  by cosine,  and  ab >= (|a|^2 + |b|^2 - L^2) / 2  by L2,
 *
 * so p is at least this bound less g |a| |b|, where for L2 |a| |b| <= (|a|^2 + |b|^2) / 2. A pair
 * with a smaller p is too far. m counts 16 roundings more than there are additions, for the
 * rounding of the limits themselves. Rows that are not finite, or too small or large for float32
 * products, are not screened.
 */
#pragma once

#include "core/cpu.h"
#include "distance/products.h"

/*
 * A row's condition: a pair is wanted if p * scale_a * scale_b >= half_a + half_b - max(reach_a,
 * reach_b).
 */
typedef struct psb_screen_row {
    float scale, half, reach;
} psb_screen_row;

typedef struct psb_screen {
    psb_metric form;          /* PSB_SCREENED, the metric's `limited`; first */
    const psb_metric *metric; /* the metric that is screened; its distances follow from products */
    /* `slack` is 2 g: half of it for the product, half for all that is rounded here. */
    psb_screen_row (*row)(double square, double limit, double slack);
    /* Returns the metric's distance, given the product of two rows and their sums of squares. */
    double (*distance)(double product, double xx, double yy, const float *x, const float *y,
                       size_t length);
} psb_screen;

extern const psb_screen psb_screen_l2, psb_screen_cosine;

enum { PSB_SCREEN_ROWS = 4 * PSB_TILE }; /* most rows of a block */

/* The conditions of a block's rows, side by side for SIMD. */
typedef struct psb_screen_side {
    float scale[PSB_SCREEN_ROWS], half[PSB_SCREEN_ROWS], reach[PSB_SCREEN_ROWS];
} psb_screen_side;

/* Replaces the n products of row i of a by -1 if the pair is wanted, else by a number above all
 * limits. Sets *wanted to how many are. */
PSB_KERNEL(psb_screen, (const psb_screen_side *a, size_t i, const psb_screen_side *b, size_t n,
                        float *products, size_t *wanted))

enum { PSB_SCREEN_SHORTEST = 16 }; /* least length of a row */

size_t psb_screen_scratch(size_t rows, size_t length);
void psb_screen_tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                     size_t stride);
/* Computes a tile by this kernel; the blocks are prepared for `screen`. */
void psb_screen_compute(const psb_screen_kernel *kernel, const psb_screen *screen,
                        const psb_block *a, const psb_block *b, bool upper, void *scratch,
                        float *out, size_t stride);

#define PSB_SCREENED(label, reference)                                                             \
    {                                                                                              \
        .name = (label), .element = PSB_FLOAT32, .most_rows = PSB_SCREEN_ROWS,                     \
        .pair = (reference), .prepare = psb_products_prepare,                                      \
        .prepared_bytes = psb_products_bytes, .tile = psb_screen_tile,                             \
        .tile_scratch = psb_screen_scratch                                                         \
    }

/* Returns 2 g, see above, for rows of this length; NaN for too long ones. */
double psb_screen_slack(size_t length);
