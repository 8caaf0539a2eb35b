/*
 * Scalar products of many pairs of rows (core/product.h): what the Euclidean and the cosine
 * distance are made of.
 *
 * Blocks are filled up with zeros to whole groups of rows: the sums of odd rows at the edge of a
 * product have more parts than others, and a pair's product must not depend on its place.
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
