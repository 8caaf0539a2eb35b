/*
 * Scalar products of many pairs of rows by BLAS: what the Euclidean and the cosine distance are
 * made of.
 *
 * BLAS has other kernels for the odd rows at a product's edges and for small products, and they
 * round differently. So that a pair's product depends on its two rows alone, and not on their place
 * in a block or on what stands beside them, blocks are filled up with zeros to whole groups of rows
 * and to products that are not small.
 */
#ifndef PSB_DISTANCE_PRODUCTS_H
#define PSB_DISTANCE_PRODUCTS_H

#include "distance/metric.h"

/* A block made ready: its float32 rows in double, and their sums of squares. */
size_t psb_products_bytes(size_t rows, size_t length);
void psb_products_prepare(const psb_row_view *rows, void *prepared);
const double *psb_products_squares(const psb_block *block);

/*
 * product[i * stride + j] for row i of a and row j of b; with `upper`, where a and b are the same
 * block, only for j >= i. `product` has psb_products_scratch bytes; its other entries may become
 * anything finite. Returns the stride.
 */
size_t psb_products(const psb_block *a, const psb_block *b, bool upper, double *product);
size_t psb_products_scratch(size_t rows, size_t length);

#endif
