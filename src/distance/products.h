/*
 * Scalar products of many pairs of rows (core/product.h), from which the Euclidean and the cosine
 * distance are computed.
 */
#ifndef PSB_DISTANCE_PRODUCTS_H
#define PSB_DISTANCE_PRODUCTS_H

#include "distance/metric.h"

/* Returns a row's sum of squares in double, with the same bits as in prepared blocks. */
static inline __attribute__((always_inline)) double psb_row_square(const float *row,
                                                                   size_t length) {
    enum { SUMS = 8 }; /* computed side by side, for SIMD */
    double sums[SUMS] = {0}, sum = 0.0;
    size_t k = 0;
    for (; k + SUMS <= length; k += SUMS) {
        for (size_t l = 0; l < SUMS; l++) {
            sums[l] += (double)row[k + l] * (double)row[k + l];
        }
    }
    for (; k < length; k++) {
        sum += (double)row[k] * (double)row[k];
    }
    for (size_t l = 0; l < SUMS; l++) {
        sum += sums[l];
    }
    return sum;
}

/*
 * Sets product[i * stride + j] to the scalar product of row i of a and row j of b; with `upper`,
 * for which a and b are the same block, only for j >= i. `product` has psb_products_scratch bytes;
 * its other entries may become any finite number. Returns the stride.
 */
size_t psb_products(const psb_block *a, const psb_block *b, bool upper, double *product);
size_t psb_products_scratch(size_t rows, size_t length);

#endif
