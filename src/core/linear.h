/*
 * The dense linear algebra that the parallel loops call, safe in any number of threads.
 *
 * OpenBLAS comes in three builds. The threaded ones guard their working memory; the serial one does
 * not, and two threads that call it at the same moment may be given the same buffer: of matrix
 * products started together, some per cent are wrong. There, calls take turns.
 */
#ifndef PSB_CORE_LINEAR_H
#define PSB_CORE_LINEAR_H

#include <stdbool.h>

/* Models and tiles are the parallel loops: keeps OpenBLAS from starting threads within them. */
void psb_linear_setup(void);

/*
 * c = a b, row after row: a is m x k, b is k x n, or n x k where it is to be transposed, c is
 * m x n. The ld are the lengths of their rows in memory.
 */
void psb_matrix_product(int m, int n, int k, const double *a, int lda, const double *b, int ldb,
                        bool transpose_b, double *c, int ldc);

/* c = a a' above and on the diagonal: a is n x k, c is n x n; what is below stays as it is. */
void psb_matrix_square(int n, int k, const double *a, int lda, double *c, int ldc);

/*
 * Eigenvalues, ascending, of the symmetric 3 x 3 matrix a; with `vectors`, a becomes the unit
 * eigenvectors, one after the other, in the same order. Allocates nothing. Returns LAPACK's info,
 * 0 for success.
 */
int psb_eigen3(double a[9], double values[3], bool vectors);

#endif
