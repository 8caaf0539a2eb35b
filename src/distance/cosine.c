/*
 * Cosine distance: 1 less the cosine of the angle between float32 rows, from products of rows
 * rounded to whole numbers (distance/products.h). Of rows that are close the numbers themselves are
 * multiplied and summed in double.
 */
#include "distance/products.h"
#include "distance/screen.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double from_product(double product, double xx, double yy) {
    /* A row of zeros has no direction: its cosine with any row counts as 0. */
    double cosine = xx > 0 && yy > 0 ? product / (sqrt(xx) * sqrt(yy)) : 0;
    return cosine < 1 ? 1 - cosine : 0;
}

/* Returns 0 for rows with the same bytes, which must not differ by rounding. */
static double apart(const float *x, const float *y, size_t length) {
    double product = 0, xx = 0, yy = 0;
    if (memcmp(x, y, length * sizeof *x) == 0) {
        return 0;
    }
    for (size_t i = 0; i < length; i++) {
        product += (double)x[i] * (double)y[i];
        xx += (double)x[i] * (double)x[i];
        yy += (double)y[i] * (double)y[i];
    }
    return from_product(product, xx, yy);
}

static double distance(double product, double xx, double yy, const float *x, const float *y,
                       size_t length) {
    double d = from_product(product, xx, yy);
    return d < PSB_PRODUCTS_CLOSE || (xx == 0 && yy == 0) ? apart(x, y, length) : d;
}

static double pair(const void *a, const void *b, size_t length) {
    psb_product_row x = psb_product_row_of(a, length), y = psb_product_row_of(b, length);
    double product = psb_products_pair(a, x.unit, b, y.unit, length);
    return distance(product, x.square, y.square, a, b, length);
}

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    double *product = scratch;
    size_t line = psb_products(a, b, upper, product), length = a->rows.length;
    const psb_product_row *x = a->prepared, *y = b->prepared;
    const float *rows_a = a->rows.data, *rows_b = b->rows.data;
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j++) {
            out[i * stride + j] = (float)distance(product[i * line + j], x[i].square, y[j].square,
                                                  rows_a + i * length, rows_b + j * length, length);
        }
    }
}

static psb_screen_row screen_row(double square, double limit, double slack) {
    double reach = limit * (1.0 + slack);
    return (psb_screen_row){(float)(1.0 / sqrt(square)), (float)((1.0 - slack) / 2.0),
                            (float)(reach < FLT_MAX ? reach : FLT_MAX)};
}

const psb_screen psb_screen_cosine = {PSB_SCREENED("cosine", pair), &psb_cosine, screen_row,
                                      distance};

const psb_metric psb_cosine = {
    .name = "cosine",
    .help = "1 - cosine of the angle between the rows; 1 where a row is all zeros",
    .revision = 2,
    .element = PSB_FLOAT32,
    .most_rows = 4 * PSB_TILE,
    .pair = pair,
    .prepare = psb_products_prepare,
    .prepared_bytes = psb_products_bytes,
    .tile = tile,
    .tile_scratch = psb_products_scratch,
    .limited = &psb_screen_cosine.form,
};
