/*
 * Dense linear algebra for the parallel loops, safe with any number of threads.
 *
 * Each call of OpenBLAS works in a buffer of 128 MiB of address space. OpenBLAS has two faults
 * here. If it cannot map another buffer (under a limit of address space), it tries for ever. And
 * its serial build may give one buffer to two simultaneous calls, which makes some per cent of the
 * products wrong. So no more calls run at once than there are buffers; the others wait. The bytes
 * are the same.
 */
#ifndef PSB_CORE_LINEAR_H
#define PSB_CORE_LINEAR_H

#include "psbench.h"

#include <stdbool.h>

/*
 * Call once before the first call below, from one thread while no other thread allocates memory.
 * Keeps OpenBLAS from starting threads of its own (the parallel loops already use all of them) and
 * makes its buffers: one for each processor, or fewer, so that at least as much address space stays
 * free. PSB_ERROR_MEMORY, with the limit, if there is no room for the first buffer.
 */
psb_status psb_linear_setup(psb_error *error);

/*
 * Enclose the library's work for a client: between the two calls OpenBLAS uses one thread. When the
 * last of several simultaneous calls leaves, OpenBLAS gets back the number of threads that it had
 * before the first one entered.
 */
psb_status psb_linear_enter(psb_error *error);
void psb_linear_leave(void);

/* Computes c = a b in row-major order: a is m x k, b is k x n (n x k if transpose_b), c is m x n.
 * lda, ldb, ldc are the lengths of their rows in memory. */
void psb_matrix_product(int m, int n, int k, const double *a, int lda, const double *b, int ldb,
                        bool transpose_b, double *c, int ldc);

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

#endif
