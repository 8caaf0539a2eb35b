/*
 * Chamfer distances and the Hausdorff distance of two sets A and B of n points each. With
 * d(a, B) = least |a - b| over the b of B:
 *
 *   cd         mean of d(a, B)^2 over A + mean of d(b, A)^2 over B  (Fan, Su, Guibas 2017 with
 *              means in the place of sums; Yang et al. 2019)
 *   cd-l1      (mean of d(a, B) over A + mean of d(b, A) over B) / 2  (Mescheder et al. 2019)
 *   hausdorff  the largest of all d(a, B) and d(b, A)
 *
 * Squares are float32, sums double in the order of the points.
 */
#include "core/cpu.h"
#include "core/watch.h"
#include "distance/points.h"

#include <float.h>
#include <math.h>

/* Sums of bounds are rounded by less than this share. */
#define ROUNDING 1e-6

typedef enum kind { SQUARES, ROOTS, MOST } kind;

PSB_INLINE double add(kind of, double sum, float square) {
    double value = of == ROOTS ? sqrt((double)square) : (double)square;
    return of == MOST ? (value > sum ? value : sum) : sum + value;
}

PSB_INLINE double finish(kind of, double a, double b, size_t n) {
    switch (of) {
    case SQUARES:
        return (a + b) / (double)n;
    case ROOTS:
        return (a + b) / (2 * (double)n);
    default:
        return sqrt(a > b ? a : b);
    }
}

/* From each point of `from` by comparing it with every one of `to`. */
static double direction(kind of, const float *from, const float *to, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        float least = INFINITY;
        for (size_t j = 0; j < n; j++) {
            float d[3], square;
            for (size_t k = 0; k < 3; k++) {
                d[k] = from[3 * i + k] - to[3 * j + k];
            }
            square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            least = square < least ? square : least;
        }
        sum = add(of, sum, least);
    }
    return sum;
}

static double pair(kind of, const void *a, const void *b, size_t length) {
    size_t n = length / 3;
    return finish(of, direction(of, a, b, n), direction(of, b, a, n), n);
}

/* The same direction of prepared sets; or, faster, a lower bound of it, by blocks and boxes. */
static double prepared_direction(kind of, const void *from, const void *to, size_t n, bool bound,
                                 float *squares) {
    double sum = 0;
    if (!bound) {
        psb_points_nearest(from, to, squares, NULL);
        for (size_t i = 0; i < n; i++) {
            sum = add(of, sum, squares[i]);
        }
        return sum;
    }
    psb_points_gaps(from, to, squares);
    for (size_t i = 0; i < n; i += PSB_POINTS_BLOCK) {
        double points = (double)(n - i < PSB_POINTS_BLOCK ? n - i : PSB_POINTS_BLOCK);
        sum = of == MOST ? add(of, sum, *squares) : sum + points * add(of, 0, *squares);
        squares++;
    }
    return sum;
}

/* Bounds of both directions, then one direction and a bound of the other may say enough. */
static float distance(kind of, const void *a, const void *b, size_t n, float limit,
                      float *squares) {
    bool limited = limit < FLT_MAX && psb_points_in_range(a) && psb_points_in_range(b);
    double sum[2] = {0};
    for (int side = 0; limited && side < 2; side++) {
        sum[side] = prepared_direction(of, side == 0 ? a : b, side == 0 ? b : a, n, true, squares);
    }
    for (int side = 0;; side++) {
        float least = (float)(finish(of, sum[0], sum[1], n) * (side < 2 ? 1 - ROUNDING : 1));
        if (side == 2 || (limited && least > limit)) {
            return least;
        }
        sum[side] = prepared_direction(of, side == 0 ? a : b, side == 0 ? b : a, n, false, squares);
    }
}

static void tile(kind of, const psb_block *a, const psb_block *b, bool upper, float *squares,
                 float *out, size_t stride) {
    size_t n = a->rows.length / 3, bytes = psb_points_bytes(n);
    for (size_t i = 0; i < a->rows.n && psb_go_on(NULL) == PSB_OK; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j++) {
            out[i * stride + j] = distance(of, (const char *)a->prepared + i * bytes,
                                           (const char *)b->prepared + j * bytes, n,
                                           psb_block_limit(a, i, b, j), squares);
        }
    }
}

/* Squares of a direction. */
static size_t tile_scratch(size_t rows PSB_UNUSED, size_t length) {
    return length / 3 * sizeof(float);
}

/* A metric whose two functions are those above for its kind. */
#define METRIC(kind, metric, its_name, its_help)                                                   \
    static double pair_of_##metric(const void *a, const void *b, size_t length) {                  \
        return pair(kind, a, b, length);                                                           \
    }                                                                                              \
    static void tile_of_##metric(const psb_block *a, const psb_block *b, bool upper,               \
                                 void *scratch, float *out, size_t stride) {                       \
        tile(kind, a, b, upper, scratch, out, stride);                                             \
    }                                                                                              \
    const psb_metric metric = {                                                                    \
        .name = its_name,                                                                          \
        .help = its_help,                                                                          \
        .revision = 1,                                                                             \
        .element = PSB_FLOAT32,                                                                    \
        .most_rows = PSB_TILE,                                                                     \
        .pair = pair_of_##metric,                                                                  \
        .prepare = psb_points_prepare_rows,                                                        \
        .prepared_bytes = psb_points_prepared_bytes,                                               \
        .tile = tile_of_##metric,                                                                  \
        .tile_scratch = tile_scratch,                                                              \
        .accepts = psb_points_accept,                                                              \
        .outline = psb_points_outline,                                                             \
        .outline_length = PSB_POINTS_OUTLINE,                                                      \
    }

METRIC(SQUARES, psb_cd, "cd",
       "of points: mean squared distance to the nearest of the other set, both ways, added");
METRIC(ROOTS, psb_cd_l1, "cd-l1",
       "of points: mean distance to the nearest of the other set, over both ways");
METRIC(MOST, psb_hausdorff, "hausdorff",
       "of points: largest distance to the nearest of the other set, either way");
