/* BLAS and LAPACK behind a few functions, one at a time where the library cannot do more. */
#include "core/linear.h"

#include <cblas.h>
#include <lapacke.h>

void psb_linear_setup(void) {
    openblas_set_num_threads(1);
}

static void product(int m, int n, int k, const double *a, int lda, const double *b, int ldb,
                    bool transpose_b, double *c, int ldc) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1.0,
                a, lda, b, ldb, 0.0, c, ldc);
}

void psb_matrix_product(int m, int n, int k, const double *a, int lda, const double *b, int ldb,
                        bool transpose_b, double *c, int ldc) {
    if (openblas_get_parallel() != OPENBLAS_SEQUENTIAL) {
        product(m, n, k, a, lda, b, ldb, transpose_b, c, ldc);
        return;
    }
#pragma omp critical(psb_linear)
    product(m, n, k, a, lda, b, ldb, transpose_b, c, ldc);
}

static void square(int n, int k, const double *a, int lda, double *c, int ldc) {
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, n, k, 1.0, a, lda, 0.0, c, ldc);
}

void psb_matrix_square(int n, int k, const double *a, int lda, double *c, int ldc) {
    if (openblas_get_parallel() != OPENBLAS_SEQUENTIAL) {
        square(n, k, a, lda, c, ldc);
        return;
    }
#pragma omp critical(psb_linear)
    square(n, k, a, lda, c, ldc);
}

int psb_eigen3(double a[9], double values[3], bool vectors) {
    double work[8]; /* with room of its own LAPACKE allocates nothing */
    lapack_int info;
    /* LAPACK may stand on another BLAS than the one above, so this takes turns in any case. */
#pragma omp critical(psb_linear)
    info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, vectors ? 'V' : 'N', 'U', 3, a, 3, values, work, 8);
    return (int)info;
}
