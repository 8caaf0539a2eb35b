/* L1: sum of absolute differences of float32 rows, summed in double. */
#include "distance/metric.h"

#include <math.h>

static double pair(const void *a, const void *b, size_t length) {
    const float *x = a, *y = b;
    double sum = 0.0;
    for (size_t i = 0; i < length; i++) {
        sum += fabs((double)x[i] - (double)y[i]);
    }
    return sum;
}

static void tile(const psb_rows *a, const psb_rows *b, void *scratch, float *out, size_t stride) {
    (void)scratch;
    psb_tile_by_pairs(pair, a, b, out, stride);
}

static size_t tile_scratch(size_t length) {
    (void)length;
    return 0;
}

const psb_metric psb_l1 = {
    .name = "l1",
    .help = "sum of absolute differences",
    .element = PSB_FLOAT32,
    .tile_rows = PSB_TILE,
    .pair = pair,
    .tile = tile,
    .tile_scratch = tile_scratch,
};
