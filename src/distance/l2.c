/*
 * L2: Euclidean distance of float32 rows.
 *
 * Tiles are matrix products (core/product.h): |a - b|^2 = |a|^2 + |b|^2 - 2 ab. Between unit
 * vectors the square is exact to about 1e-16, so the distance of close rows is exact to 1e-8. If
 * the square is so small that cancellation would show in float32, the differences are summed
 * directly. So equal rows have distance exactly 0.
 */
#include "distance/products.h"
#include "distance/screen.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Squares below this share of |a|^2 + |b|^2 have lost digits that float32 can show. */
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

/*
 * Computes distances from products. Returns true if cancellation spoiled one of them, which then
 * has any value. Sign bits are collected in an integer, which compilers vectorize.
 */
static bool finish(const double *restrict product, double square_a, const double *restrict square_b,
                   size_t n, float *restrict out) {
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

static float distance(double product, double xx, double yy, const float *x, const float *y,
                      size_t length) {
    double norms = xx + yy, square = norms - 2.0 * product;
    /* NaN stays NaN. */
    return (float)(square < cancelled * norms ? pair(x, y, length) : sqrt(square));
}

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    double *product = scratch;
    size_t line = psb_products(a, b, upper, product);
    const double *square_a = a->prepared, *square_b = b->prepared;
    const float *rows_a = a->rows.data, *rows_b = b->rows.data;
    size_t length = a->rows.length, n = b->rows.n;
    for (size_t i = 0; i < a->rows.n; i++, product += line, out += stride) {
        size_t first = upper ? i + 1 : 0;
        if (first < n &&
            finish(product + first, square_a[i], square_b + first, n - first, out + first)) {
            for (size_t j = first; j < n; j++) {
                out[j] = distance(product[j], square_a[i], square_b[j], rows_a + i * length,
                                  rows_b + j * length, length);
            }
        }
    }
}

static psb_screen_row screen_row(double square, double limit, double slack) {
    double reach = limit * limit * (1.0 + slack) / 2.0;
    return (psb_screen_row){1.0F, (float)(square * (1.0 - slack) / 2.0),
                            (float)(reach < FLT_MAX ? reach : FLT_MAX)};
}

const psb_screen psb_screen_l2 = {PSB_SCREENED("l2", pair), &psb_l2, screen_row, distance};

const psb_metric psb_l2 = {
    .name = "l2",
    .help = "Euclidean distance",
    .revision = 1,
    .element = PSB_FLOAT32,
    .most_rows = 4 * PSB_TILE,
    .pair = pair,
    .prepare = psb_screen_prepare,
    .prepared_bytes = psb_screen_bytes,
    .tile = tile,
    .tile_scratch = psb_products_scratch,
    .limited = &psb_screen_l2.form,
};
