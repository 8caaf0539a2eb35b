/*
 * Stands between the program and the libraries that do its arithmetic, for tests/cli/libraries.sh.
 *
 *   LIBRARIES_COUNT=FILE   the calls of each are written there when the program ends
 *   LIBRARIES_WRONG=NAME   dgemm, dsyrk or sgemm: one number of each of its results is off by one
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long transforms, doubles, squares, singles, eigenvectors;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("LIBRARIES_COUNT");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "FFTW %ld\ndgemm %ld\ndsyrk %ld\nsgemm %ld\nLAPACKE %ld\n",
                atomic_load(&transforms), atomic_load(&doubles), atomic_load(&squares),
                atomic_load(&singles), atomic_load(&eigenvectors));
        fclose(file);
    }
}

static int is_wrong(const char *name) {
    const char *wrong = getenv("LIBRARIES_WRONG");
    return wrong != NULL && strcmp(wrong, name) == 0;
}

void fftw_execute_dft_r2c(const void *plan, double *in, double (*out)[2]);
void fftw_execute_dft_r2c(const void *plan, double *in, double (*out)[2]) {
    atomic_fetch_add(&transforms, 1);
    REAL(fftw_execute_dft_r2c)(plan, in, out);
}

void cblas_dgemm(int layout, int turn_a, int turn_b, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);
void cblas_dgemm(int layout, int turn_a, int turn_b, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc) {
    atomic_fetch_add(&doubles, 1);
    REAL(cblas_dgemm)(layout, turn_a, turn_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    c[(long)(m - 1) * ldc + n / 2] += is_wrong("dgemm");
}

void cblas_dsyrk(int layout, int half, int turn, int n, int k, double alpha, const double *a,
                 int lda, double beta, double *c, int ldc);
void cblas_dsyrk(int layout, int half, int turn, int n, int k, double alpha, const double *a,
                 int lda, double beta, double *c, int ldc) {
    atomic_fetch_add(&squares, 1);
    REAL(cblas_dsyrk)(layout, half, turn, n, k, alpha, a, lda, beta, c, ldc);
    c[n - 1] += is_wrong("dsyrk");
}

void cblas_sgemm(int layout, int turn_a, int turn_b, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
void cblas_sgemm(int layout, int turn_a, int turn_b, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc) {
    atomic_fetch_add(&singles, 1);
    REAL(cblas_sgemm)(layout, turn_a, turn_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    c[(long)(m - 1) * ldc + n / 2] += (float)is_wrong("sgemm");
}

int LAPACKE_dsteqr_work(int layout, char want, int n, double *diagonal, double *beside,
                        double *vectors, int line, double *work);
int LAPACKE_dsteqr_work(int layout, char want, int n, double *diagonal, double *beside,
                        double *vectors, int line, double *work) {
    atomic_fetch_add(&eigenvectors, 1);
    return REAL(LAPACKE_dsteqr_work)(layout, want, n, diagonal, beside, vectors, line, work);
}
