/*
 * Tiles for lists of the nearest, where nearly all pairs are farther than anybody asks: scalar
 * products in float32, which say of a pair that it is too far, and of the others nothing. These
 * get the same bits as in the metric's own tiles.
 *
 * With u = 2^-24, and m roundings on the way of any number of a row of `length` to its sum, the
 * product p of rows a and b in float32 is off by no more than g |a| |b|, g = m u / (1 - m u)
 * (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). So where the exact product is at
 * least
 *
 *     t = |a| |b| - (what a distance of `limit` takes off),
 *
 * p is at least t - g |a| |b|. All of |a|, |b| and t are rounded a few times more; m counts 16
 * instead of these. Rows so small or large that a float32 would not hold such numbers, or that are
 * not finite, are not screened.
 */
#ifndef PSB_DISTANCE_SCREEN_H
#define PSB_DISTANCE_SCREEN_H

#include "core/cpu.h"
#include "distance/metric.h"

/* What a row asks for: p * scale_a * scale_b >= half_a + half_b - max(reach_a, reach_b). */
typedef struct psb_screen_row {
    float scale, half, reach;
} psb_screen_row;

typedef struct psb_screen {
    psb_metric form;          /* PSB_SCREENED, the metric's `limited`; first */
    const psb_metric *metric; /* whose distances are made of psb_products */
    /* `slack` is 2 g; half and reach may grow and shrink by so much of themselves. */
    psb_screen_row (*row)(double square, double limit, double slack);
    /* The metric's distance from the product of two rows and their sums of squares. */
    float (*distance)(double product, double xx, double yy, const float *x, const float *y,
                      size_t length);
} psb_screen;

extern const psb_screen psb_screen_l2, psb_screen_cosine;

/* What the rows of a block ask for, side by side for SIMD. */
typedef struct psb_screen_side {
    float scale[PSB_TILE], half[PSB_TILE], reach[PSB_TILE];
} psb_screen_side;

typedef struct psb_screen_kernel {
    psb_variant variant;
    /* out[i * stride + j]: about the product of row i of a and row j of b. */
    void (*dots)(const psb_row_view *a, const psb_row_view *b, float *out, size_t stride);
    /*
     * Makes of n of these products, of row i of a, -1 where the pair is asked for, and else what is
     * beyond all limits. Returns how many are asked for.
     */
    size_t (*mark)(const psb_screen_side *a, size_t i, const psb_screen_side *b, size_t n,
                   float *products);
    void (*squares)(const psb_row_view *rows, double *out);
} psb_screen_kernel;

/* Fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_screen_kernels[];

enum { PSB_SCREEN_SHORTEST = 16 }; /* numbers of a row, at least */

size_t psb_screen_bytes(size_t rows, size_t length);
void psb_screen_prepare(const psb_row_view *rows, void *prepared);
size_t psb_screen_scratch(size_t rows, size_t length);
void psb_screen_tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                     size_t stride);
/* The same by this kernel; `screen` is what the blocks are ready for. */
void psb_screen_compute(const psb_screen_kernel *kernel, const psb_screen *screen,
                        const psb_block *a, const psb_block *b, bool upper, void *scratch,
                        float *out, size_t stride);

#define PSB_SCREENED(label, reference)                                                             \
    {                                                                                              \
        .name = (label), .element = PSB_FLOAT32, .most_rows = PSB_TILE, .pair = (reference),       \
        .prepare = psb_screen_prepare, .prepared_bytes = psb_screen_bytes,                         \
        .tile = psb_screen_tile, .tile_scratch = psb_screen_scratch                                \
    }

/* What rounding may take from a product of rows of that length: 2 g above. */
double psb_screen_slack(size_t length);

#endif
