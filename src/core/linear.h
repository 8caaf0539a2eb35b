/*
 * The dense linear algebra that the parallel loops call, safe in any number of threads.
 *
 * Each call of OpenBLAS works in a buffer of 128 MiB of address space. Where no further one can be
 * mapped (a limit of address space), OpenBLAS tries for ever; and in its serial build two calls at
 * the same moment may be given the same one, so that some per cent of the products are wrong. So
 * no more calls go on at once than there are buffers; the others wait, and the bytes are the same.
 */
#ifndef PSB_CORE_LINEAR_H
#define PSB_CORE_LINEAR_H

#include "psbench.h"

#include <stdbool.h>

/*
 * Once before the first call below, by one thread while no others take memory: keeps OpenBLAS from
 * starting threads of its own (models and tiles are the parallel loops) and makes its buffers, one
 * for each processor or as many as leave as much address space free as they take. Where there is
 * no room for the first: PSB_ERROR_MEMORY with the limit.
 */
psb_status psb_linear_setup(psb_error *error);

/*
 * Around what the library does for a client: within, OpenBLAS works with one thread, and behind the
 * last of several at once with as many as before the first.
 */
psb_status psb_linear_enter(psb_error *error);
void psb_linear_leave(void);

/*
 * c = a b, row after row: a is m x k, b is k x n, or n x k where it is to be transposed, c is
 * m x n. The ld are the lengths of their rows in memory.
 */
void psb_matrix_product(int m, int n, int k, const double *a, int lda, const double *b, int ldb,
                        bool transpose_b, double *c, int ldc);

/*
 * Eigenvalues, ascending, of a symmetric 3 x 3 matrix, which becomes the unit eigenvectors, one
 * after the other, in the same order. By Jacobi's rotations in plain arithmetic: the same bits on
 * every processor, which LAPACK's routines do not have. False, and nothing changed, where the
 * matrix holds a number that is not finite.
 */
bool psb_eigen3(double matrix[9], double values[3]);

/*
 * The largest `count` eigenvalues, ascending, of the symmetric n x n matrix a, of which the upper
 * half is given and all is lost, and their unit eigenvectors, one behind the other.
 */
psb_status psb_eigen_largest(int n, double *a, int count, double *values, double *vectors,
                             psb_error *error);

#endif
