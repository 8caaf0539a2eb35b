/*
 * The kernels below psb_matrix_product (core/linear.h) and the distances, whose bits depend on
 * the numbers alone: not on the processor, as those of BLAS do, which has kernels for each, and
 * sums that it fuses, splits and orders by what is fast there.
 *
 * A sum goes in the order of k, and each operation is rounded by itself.
 */
#ifndef PSB_CORE_PRODUCT_H
#define PSB_CORE_PRODUCT_H

#include "core/cpu.h"

typedef struct psb_product {
    int m, n, k;
    const double *a, *b; /* m x k, and k x n, or n x k where it is to be transposed */
    int lda, ldb;        /* lengths of rows in memory */
    bool transpose_b;
    bool exact; /* no product of two numbers is rounded, as of float32: adding may be fused */
    bool upper; /* only c[i][j] with j >= i are wanted; what is below may become anything */
    bool more;  /* added to what c has, as if k went on */
} psb_product;

/* Fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_product_kernels[];

/* c = a b, m x n, row after row, by one of the kernels; all give the same bits. */
void psb_product_compute(const psb_variant *kernel, const psb_product *product, double *c, int ldc);

/* Rows x[j] and y[j] of k float32's: the bits that psb_product_compute gives. */
enum { PSB_PAIRS = 8 };
void psb_product_pairs(const float *const *x, const float *const *y, int k,
                       double product[PSB_PAIRS]);

#endif
