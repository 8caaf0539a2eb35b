/*
 * L2: Euclidean distance of float32 rows.
 *
 * A tile is one double-precision matrix product: |a - b|^2 = |a|^2 + |b|^2 - 2 ab. Between unit
 * vectors that is exact to about 1e-16 in the square, so to 1e-8 in the distance of close rows;
 * where the square is so small that cancellation would show in float32, the difference is summed
 * directly. Equal rows therefore have distance exactly 0.
 *
 * BLAS has other kernels for the odd rows at a product's edges and for small products, and they
 * round differently. So that a distance depends on its two rows alone, and not on where they lie
 * in a tile, products are made of whole blocks of rows, filled up with zeros.
 */
#include "core/linear.h"
#include "distance/metric.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    BLOCK = 128, /* rows of a product, on either side: a multiple of it */
    LARGEST = 512,
    SUMS = 8, /* of a norm side by side, for SIMD */
};

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

static size_t whole_blocks(size_t n) {
    return (n + BLOCK - 1) / BLOCK * BLOCK;
}

/* A row as doubles; returns its squared norm. */
static double widen_row(const float *row, size_t length, double *wide) {
    double sums[SUMS] = {0};
    size_t k = 0;
    for (; k + SUMS <= length; k += SUMS) {
        for (size_t l = 0; l < SUMS; l++) {
            double x = row[k + l];
            wide[k + l] = x;
            sums[l] += x * x;
        }
    }
    double sum = 0.0;
    for (; k < length; k++) {
        wide[k] = row[k];
        sum += wide[k] * wide[k];
    }
    for (size_t l = 0; l < SUMS; l++) {
        sum += sums[l];
    }
    return sum;
}

/* Rows as doubles, zeros behind them up to whole blocks; their squared norms. */
static void widen(const psb_rows *rows, double *wide, double *squares) {
    size_t length = rows->length;
    for (size_t i = 0; i < rows->n; i++) {
        squares[i] = widen_row((const float *)rows->data + i * length, length, wide + i * length);
    }
    memset(wide + rows->n * length, 0, (whole_blocks(rows->n) - rows->n) * length * sizeof *wide);
}

/*
 * A row of distances from its products, meaningless where a square is too small; says whether one
 * is. The sign bits are collected as integers, which compilers know how to do with SIMD.
 */
static bool finish_row(double square_a, const double *restrict square_b,
                       const double *restrict product, size_t n, float *restrict out) {
    uint64_t bits, all = 0;
    for (size_t j = 0; j < n; j++) {
        double norms = square_a + square_b[j];
        double square = norms - 2.0 * product[j];
        double margin = square - cancelled * norms;
        memcpy(&bits, &margin, sizeof bits);
        all |= bits;
        out[j] = (float)sqrt(square);
    }
    return all >> 63 != 0;
}

static void tile(const psb_rows *a, const psb_rows *b, void *scratch, float *out, size_t stride) {
    size_t length = a->length, rows = whole_blocks(a->n), columns = whole_blocks(b->n);
    double *wide_a = scratch, *wide_b = wide_a + rows * length;
    double *product = wide_b + columns * length;
    double *square_a = product + rows * columns, *square_b = square_a + rows;
    widen(a, wide_a, square_a);
    widen(b, wide_b, square_b);
    int m = (int)rows, n = (int)columns, k = (int)length;
    psb_matrix_product(m, n, k, wide_a, k, wide_b, k, true, product, n);
    for (size_t i = 0; i < a->n; i++) {
        const double *products = product + i * columns;
        if (!finish_row(square_a[i], square_b, products, b->n, out + i * stride)) {
            continue;
        }
        for (size_t j = 0; j < b->n; j++) {
            double norms = square_a[i] + square_b[j];
            if (norms - 2.0 * products[j] < cancelled * norms) {
                out[i * stride + j] = (float)pair((const float *)a->data + i * length,
                                                  (const float *)b->data + j * length, length);
            }
        }
    }
}

static size_t tile_scratch(size_t length) {
    return sizeof(double) * (2 * LARGEST * length + LARGEST * LARGEST + 2 * LARGEST);
}

const psb_metric psb_l2 = {
    .name = "l2",
    .help = "Euclidean distance",
    .element = PSB_FLOAT32,
    .tile_rows = LARGEST,
    .pair = pair,
    .tile = tile,
    .tile_scratch = tile_scratch,
};
