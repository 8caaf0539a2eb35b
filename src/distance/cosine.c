/* Cosine distance: 1 less the cosine of the angle between float32 rows, summed in double. */
#include "distance/metric.h"

#include <math.h>
#include <string.h>

/* Rows of the same direction must not differ by rounding, so equal bytes are 0 at once. */
static double pair(const void *a, const void *b, size_t length) {
    const float *x = a, *y = b;
    if (memcmp(a, b, length * sizeof *x) == 0) {
        return 0;
    }
    double product = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < length; i++) {
        product += (double)x[i] * (double)y[i];
        xx += (double)x[i] * (double)x[i];
        yy += (double)y[i] * (double)y[i];
    }
    /* A row of zeros has no direction: nothing is like it. */
    double cosine = xx > 0 && yy > 0 ? product / (sqrt(xx) * sqrt(yy)) : 0;
    return cosine < 1 ? 1 - cosine : 0;
}

static void tile(const psb_rows *a, const psb_rows *b, void *scratch, float *out, size_t stride) {
    (void)scratch;
    psb_tile_by_pairs(pair, a, b, out, stride);
}

static size_t tile_scratch(size_t length) {
    (void)length;
    return 0;
}

const psb_metric psb_cosine = {
    .name = "cosine",
    .help = "1 - cosine of the angle between the rows; 1 where a row is all zeros",
    .element = PSB_FLOAT32,
    .tile_rows = PSB_TILE,
    .pair = pair,
    .tile = tile,
    .tile_scratch = tile_scratch,
};
