/*
 * L2: Euclidean distance of float32 rows.
 *
 * A tile is one double-precision matrix product: |a - b|^2 = |a|^2 + |b|^2 - 2 ab. Between unit
 * vectors that is exact to about 1e-16 in the square, so to 1e-8 in the distance of close rows;
 * where the square is so small that cancellation would show in float32, the difference is summed
 * directly. Equal rows therefore have distance exactly 0.
 */
#include "core/linear.h"
#include "distance/metric.h"

#include <math.h>

/* Squares below this part of |a|^2 + |b|^2 have lost digits that float32 can show. */
static const double cancelled = 1e-7;

static double pair(const void *a, const void *b, size_t length) {
    const float *x = a, *y = b;
    double sum = 0.0;
    for (size_t i = 0; i < length; i++) {
        double d = (double)x[i] - (double)y[i];
        sum += d * d;
    }
    return sqrt(sum);
}

/* Rows as doubles, their squared norms behind them. */
static void widen(const psb_rows *rows, double *wide, double *squares) {
    const float *data = rows->data;
    for (size_t i = 0; i < rows->n; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < rows->length; k++) {
            double x = data[i * rows->length + k];
            wide[i * rows->length + k] = x;
            sum += x * x;
        }
        squares[i] = sum;
    }
}

static void tile(const psb_rows *a, const psb_rows *b, void *scratch, float *out, size_t stride) {
    size_t length = a->length;
    double *wide_a = scratch, *wide_b = wide_a + PSB_TILE * length;
    double *product = wide_b + PSB_TILE * length;
    double *square_a = product + PSB_TILE * PSB_TILE, *square_b = square_a + PSB_TILE;
    widen(a, wide_a, square_a);
    widen(b, wide_b, square_b);
    int m = (int)a->n, n = (int)b->n, k = (int)length;
    psb_matrix_product(m, n, k, wide_a, k, wide_b, k, true, product, PSB_TILE);
    for (size_t i = 0; i < a->n; i++) {
        for (size_t j = 0; j < b->n; j++) {
            double norms = square_a[i] + square_b[j];
            double square = norms - 2.0 * product[i * PSB_TILE + j];
            double d = square > cancelled * norms
                           ? sqrt(square)
                           : pair((const float *)a->data + i * length,
                                  (const float *)b->data + j * length, length);
            out[i * stride + j] = (float)d;
        }
    }
}

static size_t tile_scratch(size_t length) {
    return sizeof(double) * (2 * PSB_TILE * length + PSB_TILE * PSB_TILE + 2 * PSB_TILE);
}

const psb_metric psb_l2 = {
    .name = "l2",
    .help = "Euclidean distance",
    .element = PSB_FLOAT32,
    .pair = pair,
    .tile = tile,
    .tile_scratch = tile_scratch,
};
