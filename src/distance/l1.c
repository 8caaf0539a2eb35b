/* L1: sum of absolute differences of float32 rows, summed in double. */
#include "distance/panels.h"

#include <math.h>

static double pair(const void *a, const void *b, size_t length) {
    const float *x = a, *y = b;
    double sum = 0.0;
    for (size_t i = 0; i < length; i++) {
        sum += fabs((double)x[i] - (double)y[i]);
    }
    return sum;
}

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    double *sum = scratch;
    const psb_panel_kernel *kernel = psb_cpu_choose(psb_panel_kernels);
    psb_panels_sum(kernel->add, a, b, upper, sum);
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = 0; j < b->rows.n; j++) {
            out[i * stride + j] = (float)sum[i * PSB_TILE + j];
        }
    }
}

const psb_metric psb_l1 = {
    .name = "l1",
    .help = "sum of absolute differences",
    .revision = 1,
    .element = PSB_FLOAT32,
    .most_rows = PSB_TILE,
    .pair = pair,
    .prepared_bytes = psb_panels_bytes,
    .prepare = psb_panels_fill,
    .tile = tile,
    .tile_scratch = psb_panels_scratch,
};
