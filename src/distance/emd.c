/*
 * Earth mover's distance of two sets A and B of n points: the least, over all one-to-one maps f of
 * A to B, of the mean of |a - f(a)| (Rubner, Tomasi, Guibas 2000; Fan, Su, Guibas 2017, with the
 * mean in the place of the sum).
 *
 * An auction (Bertsekas 1988), whose raises shrink from round to round, finds a map and prices of
 * the points of B. Any prices give a lower bound (duality): the sum of what is least for each point
 * of A, its cost less the price, plus all prices. "emd-auction" ends where the map's distance is at
 * most 1 % above that bound. "emd" goes on from the prices to the best map of all, by shortest
 * augmenting paths (Jonker, Volgenant 1987): how the auction ends decides the time and not the map.
 * Costs are float32, as the points; prices of paths and sums double.
 *
 * An auction takes longest when it begins without prices, so every eighth point takes part in one
 * first. Its prices then spread to the other points: each gets the highest price with which no
 * point of A in the first auction would prefer it.
 */
#include "distance/emd.h"

#include "core/watch.h"
#include "distance/points.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double TOLERANCE = 0.01;
/* Squares of smaller distances vanish. */
static const double SMALLEST = 1e-15;

PSB_SET_KERNELS(psb_emd_kernels, psb_emd_kernel, psb_emd_of)

/* Whether all coordinates are in range; their box then says the size. */
static bool prepare(const float *a, const float *b, int n, psb_emd_work *w) {
    w->rows[0] = a;
    w->rows[1] = b;
    w->all = n;
    w->size = 0;
    for (int k = 0; k < 3; k++) {
        float low = a[k], high = a[k];
        for (int i = k; i < 3 * n; i += 3) {
            low = fminf(low, fminf(a[i], b[i]));
            high = fmaxf(high, fmaxf(a[i], b[i]));
        }
        w->size = fmaxf(w->size, high - low);
        if (!(low >= -PSB_POINTS_LARGEST && high <= PSB_POINTS_LARGEST)) {
            return false;
        }
    }
    return true;
}

/*
 * The same for either order of the two; INFINITY where a coordinate is out of range. Any number
 * above `most` where it is larger than that. `*bound`, unless NULL: no map has less.
 */
static double measure(const void *one, const void *other, size_t length, double tolerance,
                      double most, double *bound) {
    int order = memcmp(one, other, length * sizeof(float)), n = (int)(length / 3);
    psb_emd_work w;
    w.sum = w.bound = order == 0 ? 0 : INFINITY;
    if (order != 0 && prepare(order < 0 ? one : other, order < 0 ? other : one, n, &w)) {
        w.tolerance = tolerance;
        w.most = most * n;
        ((const psb_emd_kernel *)psb_cpu_choose(psb_emd_kernels))->assign(&w);
    }
    if (bound != NULL) {
        *bound = w.bound / n;
    }
    return w.sum == (double)FLT_MAX ? w.sum : w.sum / n;
}

static double pair(const void *a, const void *b, size_t length) {
    return measure(a, b, length, 0, INFINITY, NULL);
}

static double pair_by_auction(const void *a, const void *b, size_t length) {
    return measure(a, b, length, TOLERANCE, INFINITY, NULL);
}

double psb_emd_gap(const void *a, const void *b, size_t length) {
    double bound, value = measure(a, b, length, TOLERANCE, INFINITY, &bound);
    return value > bound ? value / bound - 1 : 0;
}

/* The mean distance to the nearest point of the other, from the side where that is larger. */
static double bound(const void *a, const void *b, size_t n, float *squares) {
    double sum[2] = {0};
    for (int side = 0; side < 2; side++) {
        psb_points_nearest(side == 0 ? a : b, side == 0 ? b : a, squares, NULL);
        for (size_t i = 0; i < n; i++) {
            sum[side] += sqrt((double)squares[i]);
        }
    }
    return (sum[0] > sum[1] ? sum[0] : sum[1]) / (double)n * (1 - PSB_EMD_ROUNDING);
}

/* A pair that is too far is found out by the points' nearest, or by prices. */
static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    size_t length = a->rows.length, bytes = psb_points_bytes(length / 3);
    const float *rows_a = a->rows.data, *rows_b = b->rows.data;
    double tolerance = a->metric == &psb_emd_auction ? TOLERANCE : 0;
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n && psb_go_on(NULL) == PSB_OK; j++) {
            const void *x = (const char *)a->prepared + i * bytes;
            const void *y = (const char *)b->prepared + j * bytes;
            double limit = (double)psb_block_limit(a, i, b, j);
            bool limited = limit >= SMALLEST && limit < (double)FLT_MAX && psb_points_in_range(x) &&
                           psb_points_in_range(y);
            if (limited && bound(x, y, length / 3, scratch) > limit) {
                out[i * stride + j] = FLT_MAX;
            } else {
                out[i * stride + j] =
                    (float)measure(rows_a + i * length, rows_b + j * length, length, tolerance,
                                   limited ? limit : INFINITY, NULL);
            }
        }
    }
}

static size_t tile_scratch(size_t rows PSB_UNUSED, size_t length) {
    return length / 3 * sizeof(float);
}

static int accepts(size_t length) {
    return psb_points_accept(length) && length <= (size_t)3 * PSB_EMD_MOST;
}

#define METRIC(other_name, meaning, one_pair)                                                      \
    {                                                                                              \
        .name = other_name, .help = meaning, .revision = 1, .element = PSB_FLOAT32,                \
        .most_rows = PSB_TILE, .pair = one_pair, .prepare = psb_points_prepare_rows,               \
        .prepared_bytes = psb_points_prepared_bytes, .tile = tile, .tile_scratch = tile_scratch,   \
        .accepts = accepts, .outline = psb_points_outline, .outline_length = PSB_POINTS_OUTLINE,   \
    }

const psb_metric psb_emd =
    METRIC("emd", "of up to 10,000 points: mean distance of the best one-to-one map", pair);
const psb_metric psb_emd_auction =
    METRIC("emd-auction", "the same of a map that is proven to be within 1 % of the best",
           pair_by_auction);
