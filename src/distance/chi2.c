/* Chi-square distance of histograms: float32 rows without negative numbers, summed in double. */
#include "distance/metric.h"

static double pair(const void *a, const void *b, size_t length) {
    const float *x = a, *y = b;
    double sum = 0;
    for (size_t i = 0; i < length; i++) {
        double difference = (double)x[i] - (double)y[i];
        double total = (double)x[i] + (double)y[i];
        sum += total > 0 ? difference * difference / total : 0;
    }
    return sum / 2;
}

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch PSB_UNUSED,
                 float *out, size_t stride) {
    psb_tile_by_pairs(pair, a, b, upper, out, stride);
}

const psb_metric psb_chi2 = {
    .name = "chi2",
    .help = "half the sum of (a - b)^2 / (a + b) over histograms, 0 where both are empty",
    .revision = 1,
    .element = PSB_FLOAT32,
    .most_rows = PSB_TILE,
    .no_negatives = true,
    .pair = pair,
    .tile = tile,
};
