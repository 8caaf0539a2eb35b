/*
 * The kernels of psb_matrix_product (core/linear.h) and of the distances. Their bits depend on the
 * numbers alone, not on the processor. (BLAS has other kernels for each processor, which fuse,
 * split and order sums by what is fast there.)
 *
 * Each sum is taken in the order of k, and each operation is rounded by itself.
 */
#ifndef PSB_CORE_PRODUCT_H
#define PSB_CORE_PRODUCT_H

#include "core/cpu.h"

typedef struct psb_product {
    int m, n, k;
    const double *a, *b; /* m x k, and k x n (n x k to be transposed) */
    int lda, ldb;        /* lengths of rows in memory */
    bool transpose_b;
    bool exact; /* products of two numbers are exact, as of float32: multiply-add may be fused */
    bool upper; /* only c[i][j] with j >= i are defined afterwards */
    bool more;  /* adds to c, as if k went on */
} psb_product;

/* Fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_product_kernels[];

/* c = a b, m x n, row after row, by one of the kernels; all give the same bits. */
void psb_product_compute(const psb_variant *kernel, const psb_product *product, double *c, int ldc);

/* Scalar products of rows x[j] and y[j] of k float32, with the bits of psb_product_compute. */
enum { PSB_PAIRS = 8 };
void psb_product_pairs(const psb_variant *kernel, const float *const *x, const float *const *y,
                       int k, double product[PSB_PAIRS]);

#endif
