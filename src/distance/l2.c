/*
 * L2: Euclidean distance of float32 rows.
 *
 * |a - b|^2 = |a|^2 + |b|^2 - 2 ab, from products of rows rounded to whole numbers
 * (distance/products.h). Between rows that are close the differences are summed directly, so equal
 * rows have distance exactly 0.
 */
#include "distance/products.h"
#include "distance/screen.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sums the differences themselves, in eight sums side by side, for SIMD. */
static double apart(const float *x, const float *y, size_t length) {
    enum { SUMS = 8 };
    double sums[SUMS] = {0}, sum = 0.0;
    for (size_t i = 0; i < length / SUMS * SUMS; i += SUMS) {
        for (size_t l = 0; l < SUMS; l++) {
            double d = (double)x[i + l] - (double)y[i + l];
            sums[l] += d * d;
        }
    }
    for (size_t i = length / SUMS * SUMS; i < length; i++) {
        double d = (double)x[i] - (double)y[i];
        sum += d * d;
    }
    for (int l = 0; l < SUMS; l++) {
        sum += sums[l];
    }
    return sqrt(sum);
}

static double distance(double product, double xx, double yy, const float *x, const float *y,
                       size_t length) {
    double norms = xx + yy, square = norms - 2.0 * product;
    /* NaN stays NaN. */
    return square < PSB_PRODUCTS_CLOSE * norms ? apart(x, y, length) : sqrt(square);
}

static double pair(const void *a, const void *b, size_t length) {
    psb_product_row x = psb_product_row_of(a, length), y = psb_product_row_of(b, length);
    double product = psb_products_pair(a, x.unit, b, y.unit, length);
    return distance(product, x.square, y.square, a, b, length);
}

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    double *product = scratch;
    size_t line = psb_products(a, b, upper, product), length = a->rows.length, n = b->rows.n;
    const psb_product_row *x = a->prepared, *y = b->prepared;
    const float *rows_a = a->rows.data, *rows_b = b->rows.data;
    for (size_t i = 0; i < a->rows.n; i++, product += line, out += stride) {
        size_t first = upper ? i + 1 : 0;
        bool close = false;
        for (size_t j = first; j < n; j++) { /* all, for SIMD */
            double norms = x[i].square + y[j].square, square = norms - 2.0 * product[j];
            close |= square < PSB_PRODUCTS_CLOSE * norms;
            out[j] = (float)sqrt(square);
        }
        for (size_t j = first; j < n && close; j++) {
            double norms = x[i].square + y[j].square, square = norms - 2.0 * product[j];
            if (square < PSB_PRODUCTS_CLOSE * norms) {
                out[j] = (float)apart(rows_a + i * length, rows_b + j * length, length);
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
    .revision = 2,
    .element = PSB_FLOAT32,
    .most_rows = 4 * PSB_TILE,
    .pair = pair,
    .prepare = psb_products_prepare,
    .prepared_bytes = psb_products_bytes,
    .tile = tile,
    .tile_scratch = psb_products_scratch,
    .limited = &psb_screen_l2.form,
};
