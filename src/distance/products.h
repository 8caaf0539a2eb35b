/*
 * Scalar products of float32 rows, from which the Euclidean and the cosine distance are computed:
 * exact products of rows that were rounded to whole numbers (core/linear.h). Rounding moves a row
 * by about a 2^-27th of its norm in each number, which float32 distances show where rows are close:
 * there the metrics take the rows themselves.
 */
#pragma once

#include "distance/metric.h"

/* Of |a - b|^2 / (|a|^2 + |b|^2), and of 1 - cosine, the least that products may give: rounding
 * moves their distances by a relative 1e-7 at most but for one pair in some hundred. */
#define PSB_PRODUCTS_CLOSE (1.0 / 256)

/* A row's numbers are whole when divided by `unit`; `square` is the sum of squares of those whole
 * numbers, times unit^2. */
typedef struct psb_product_row {
    double square, unit;
} psb_product_row;

psb_product_row psb_product_row_of(const float *row, size_t length);

/* A block's prepared rows are its psb_product_row. */
void psb_products_prepare(const psb_row_view *rows, void *prepared);
size_t psb_products_bytes(size_t rows, size_t length);

/* Returns the scalar product of two rows, with the bits of psb_products. */
double psb_products_pair(const float *x, double unit_x, const float *y, double unit_y,
                         size_t length);

/*
 * Sets product[i * stride + j] to the scalar product of row i of a and row j of b; with `upper`,
 * for which a and b are the same block, only for j >= i. `product` has psb_products_scratch bytes;
 * its other entries may become any finite number. Returns the stride.
 */
size_t psb_products(const psb_block *a, const psb_block *b, bool upper, double *product);
size_t psb_products_scratch(size_t rows, size_t length);
