/*
 * Dense linear algebra by BLAS and LAPACK, safe with any number of threads. No other file calls
 * either.
 *
 * The same bytes on every processor: a BLAS chooses kernels by processor, which order and fuse sums
 * differently, so it gets whole numbers alone. A line of numbers x is scaled by a power of two s so
 * that |x| s < 1.375 2^26 (Euclidean norm), and rounded to whole numbers X. Rounding adds at most
 * sqrt(k) / 2 to the norm of k numbers, so |X| < 2^26.5 for any k below 2^40. By Cauchy and Schwarz
 * every sum of some of the products of two such lines is below |X| |Y| < 2^53, so it is a whole
 * number that double holds: no order of sums, fused or not, ever rounds. What depends on rounding
 * alone, the eigenvectors of large matrices (psb_eigen_largest), may differ in the last bits.
 *
 * Each call of OpenBLAS works in a buffer of 128 MiB of address space. OpenBLAS has two faults
 * here. If it cannot map another buffer (under a limit of address space), it tries for ever. And
 * its serial build may give one buffer to two simultaneous calls, which makes some per cent of the
 * products wrong. So no more calls run at once than there are buffers; the others wait. The bytes
 * are the same.
 */
#pragma once

#include "psbench.h"

#include <math.h>
#include <string.h>

/*
 * Call once before the first call below, from one thread while no other thread allocates memory.
 * Keeps OpenBLAS from starting threads of its own (the parallel loops already use all of them) and
 * makes its buffers: one for each processor, or fewer, so that at least as much address space stays
 * free. PSB_ERROR_MEMORY, with the limit, if there is no room for the first buffer.
 *
 * Then compares products of known value exactly, since some builds multiply wrongly on processors
 * that are newer than they are. PSB_ERROR_INTERNAL, with the library, its version, its kernel and
 * what to do, if one number differs; so it is for a BLAS that computes doubles from pieces of lower
 * precision, or by Strassen's scheme.
 */
psb_status psb_linear_setup(psb_error *error);

/*
 * Enclose the library's work for a client: between the two calls OpenBLAS uses one thread. When the
 * last of several simultaneous calls leaves, OpenBLAS gets back the number of threads that it had
 * before the first one entered.
 */
psb_status psb_linear_enter(psb_error *error);
void psb_linear_leave(void);

/* Returns the power of two s for a line of numbers with this sum of squares: see above. Lines of
 * norms below 2^-480, zeros among them, get the same s as those of 2^-480. */
static inline double psb_whole_scale(double square) {
    double norm = sqrt(square + 0x1p-960) / 1.375, scale;
    uint64_t bits; /* norm < 2^(b - 1022), b its biased exponent, and s = 2^(26 - (b - 1022)) */
    memcpy(&bits, &norm, sizeof bits);
    bits = (UINT64_C(2071) - (bits >> 52)) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

/* Rounds a number below 2^51 to a whole one. */
static inline double psb_whole(double x) {
    const double one = 0x1.8p52; /* a number whose last bit is 1 */
    return (x + one) - one;
}

/*
 * Products to the precision of double split each scaled number x in two: a whole number `high` and
 * the rest, rounded to whole multiples of 1 / psb_whole_low(k), k the length of the lines. Then a
 * product is high high + (high low + low high) / psb_whole_low(k) but for a relative 2^-45 or less
 * of the norms (Ozaki, Ogita, Oishi, Rump, Error-free transformations of matrix multiplication,
 * 2012). The low parts are at most psb_whole_low(k) / 2 each, their norms at most 2^25.5, so both
 * products in the parenthesis have a sum below 2 * 2^26.5 * 2^25.5 = 2^53, which is exact as well.
 */
static inline double psb_whole_low(size_t k) {
    int bits = 0; /* k <= 2^bits */
    while ((size_t)1 << bits < k) {
        bits++;
    }
    return (double)((uint64_t)1 << (53 - bits) / 2);
}

static inline void psb_whole_split(double x, double low, double *high, double *rest) {
    double whole = psb_whole(x);
    *high = whole;
    *rest = psb_whole((x - whole) * low);
}

/* A product c = a b in row-major order: a is m x k, b is k x n (n x k if transpose_b), c is m x n.
 * lda, ldb, ldc are the lengths of their rows in memory. */
typedef struct psb_product {
    int m, n, k;
    const double *a, *b;
    int lda, ldb;
    bool transpose_b;
    bool more; /* add to c */
    double *c;
    int ldc;
} psb_product;

/* Computes a product of whole numbers as they are described above: exactly. */
void psb_whole_product(const psb_product *product);
/* Does the same for b = a, transposed, on and above the diagonal; below it c becomes anything. */
void psb_whole_square(const psb_product *product);

/* Computes c = a b, a is m x k, b is k x n (n x k if transpose_b), as fast as can be. A number is
 * off by at most (k + 1) 2^-24 times the product of the norms of its lines, and may differ between
 * processors. */
void psb_rough_product(int m, int n, int k, const float *a, const float *b, bool transpose_b,
                       float *c, int ldc);

/*
 * Computes a product to the precision of double: each number but for 2^-36 of the product of the
 * norms of its lines where they have 2^30 numbers, and 2^-50 where they have 32. The bits depend on
 * the two lines alone, not on the matrices around them. Norms of lines are between 1e-140 and
 * 1e140, or 0. PSB_ERROR_MEMORY if there is no room for some MiB.
 */
psb_status psb_matrix_product(const psb_product *product, psb_error *error);
/* The same for matrices whose rows follow each other: a is m x k, b is k x n (n x k if
 * transpose_b), c is m x n. */
psb_status psb_packed_product(size_t m, size_t n, size_t k, const double *a, const double *b,
                              bool transpose_b, double *c, psb_error *error);

/*
 * Computes the eigenvalues, ascending, of a symmetric 3 x 3 matrix, and replaces the matrix by the
 * unit eigenvectors, one per row in the same order. LAPACK's dsteqr computes them from a
 * tridiagonal matrix: of the BLAS it calls nothing but dswap, and systems compile LAPACK itself for
 * the least of their processors, so the bits do not depend on the processor. (Those of dsyev,
 * dsyevd and dsyevr do.) Returns false and changes nothing if an entry is not finite.
 */
bool psb_eigen_3x3(double matrix[9], double values[3]);

/* Computes the `count` largest eigenvalues, ascending, of the symmetric n x n matrix a, and their
 * unit eigenvectors, one per row. Reads the upper half of a; overwrites all of it. */
psb_status psb_eigen_largest(int n, double *a, int count, double *values, double *vectors,
                             psb_error *error);

/* An eigenvector is determined up to its sign: turns it so that its component of largest magnitude
 * is positive. */
void psb_orient(double *direction, size_t length);
