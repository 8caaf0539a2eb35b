/*
 * The kernels of psb_matrix_product (core/linear.h) and of the distances. Their bits depend on the
 * numbers alone, not on the processor. (BLAS chooses a kernel by processor; its kernels fuse, split
 * and order sums differently.)
 *
 * Each sum is taken in the order of k, and each operation is rounded by itself.
 */
#ifndef PSB_CORE_PRODUCT_H
#define PSB_CORE_PRODUCT_H

#include "core/cpu.h"

typedef struct psb_product {
    int m, n, k;
    const double *a, *b; /* a is m x k, b is k x n (n x k if transpose_b) */
    int lda, ldb;        /* lengths of rows in memory */
    bool transpose_b;
    bool exact; /* products of two numbers are exact (they were float32), so multiply-add may be
                   fused */
    bool upper; /* only c[i][j] with j >= i is needed; the others are undefined */
    bool more;  /* add to c, as if the sums continued */
} psb_product;

/* The kernels, fastest first, the plain one last, then NULL. */
extern const psb_variant *const psb_product_kernels[];

/* Computes c = a b (m x n, row-major) with one of the kernels; all of them give the same bits. */
void psb_product_compute(const psb_variant *kernel, const psb_product *product, double *c, int ldc);

/* Scalar products of the rows x[j] and y[j], k float32 each, with the bits of
 * psb_product_compute. */
enum { PSB_PAIRS = 8 };
void psb_product_pairs(const psb_variant *kernel, const float *const *x, const float *const *y,
                       int k, double product[PSB_PAIRS]);

#endif
