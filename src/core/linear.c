/* Calls LAPACK, at most as many calls at a time as OpenBLAS has buffers; all else is plain
 * loops. */
#include "core/linear.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/product.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* OpenBLAS's own functions: each of its calls works in such a buffer, and keeps it for later
 * calls. */
extern void *blas_memory_alloc(int position);
extern void blas_memory_free(void *buffer);

enum { MIB = 1 << 20, MOST_BUFFERS = 64 };

/* Address space of one buffer, and a little for what the system rounds up. */
static const size_t buffer_bytes = (size_t)129 * MIB;

/* Counts the idle buffers. It starts at one, and psb_linear_setup adds more. */
static sem_t idle;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool ready;

static void start_counting(void) {
    sem_init(&idle, 0, 1);
}

static void take_buffer(void) {
    pthread_once(&once, start_counting);
    while (sem_wait(&idle) != 0) { /* only a signal makes it fail: try again */
    }
}

static void give_buffer(void) {
    sem_post(&idle);
}

static bool fits(size_t bytes) {
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED && munmap(room, bytes) == 0;
}

/* Makes OpenBLAS use one thread; returns how many mapped buffers that leaves idle. Built with
 * OpenMP it has one for each thread, and keeps one. */
static int buffers_there(void) {
    int threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
    return openblas_get_parallel() == OPENBLAS_OPENMP ? threads - 1 : 0;
}

/*
 * Makes OpenBLAS map its buffers now: one for each processor, as long as as much address space
 * stays free as they take. If a later call found no room for a buffer, OpenBLAS would try for ever.
 */
static int map_buffers(void) {
    void *buffer[MOST_BUFFERS];
    int there = buffers_there(), wanted = omp_get_num_procs(), count = 0;
    wanted = openblas_get_parallel() == OPENBLAS_SEQUENTIAL ? 1 : wanted;
    while (count < wanted && count < MOST_BUFFERS) {
        if (count >= there && !fits((size_t)(count + 1) * buffer_bytes)) {
            break;
        }
        buffer[count++] = blas_memory_alloc(0);
    }
    for (int b = 0; b < count; b++) {
        blas_memory_free(buffer[b]);
    }
    return count;
}

static psb_status fail_limit(psb_error *error) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_AS, &limit);
    if (limit.rlim_cur == RLIM_INFINITY) {
        return psb_fail_memory(error, "matrix products", buffer_bytes);
    }
    return psb_fail(error, PSB_ERROR_MEMORY,
                    "out of memory: matrix products need %zu MiB more of address space, which is "
                    "limited to %zu MiB",
                    buffer_bytes / MIB, (size_t)limit.rlim_cur / MIB);
}

psb_status psb_linear_setup(psb_error *error) {
    psb_status status = PSB_OK;
    if (atomic_load(&ready)) {
        return PSB_OK;
    }
#pragma omp critical(psb_linear_setup)
    if (!atomic_load(&ready)) {
        int buffers = map_buffers();
        pthread_once(&once, start_counting);
        for (int b = 1; b < buffers; b++) {
            give_buffer();
        }
        status = buffers > 0 ? PSB_OK : fail_limit(error);
        atomic_store(&ready, buffers > 0);
    }
    return status;
}

/* Clients call from several threads: how many calls are at work, and OpenBLAS's threads before
 * them. */
static int entered, found;

psb_status psb_linear_enter(psb_error *error) {
#pragma omp critical(psb_linear_enter)
    {
        found = entered++ == 0 ? openblas_get_num_threads() : found;
        openblas_set_num_threads(1);
    }
    psb_status status = psb_linear_setup(error);
    if (status != PSB_OK) {
        psb_linear_leave();
    }
    return status;
}

void psb_linear_leave(void) {
#pragma omp critical(psb_linear_enter)
    if (--entered == 0) {
        openblas_set_num_threads(found);
    }
}

void psb_matrix_product(int m, int n, int k, const double *a, int lda, const double *b, int ldb,
                        bool transpose_b, double *c, int ldc) {
    psb_product product = {m, n, k, a, b, lda, ldb, transpose_b, false, false, false};
    psb_product_compute(psb_cpu_choose(psb_product_kernels), &product, c, ldc);
}

/* Turns the axes 1 and 2 so that a[0][2] becomes 0, and returns the turned axes in `vectors`. */
static void make_tridiagonal(double a[3][3], double diagonal[3], double beside[2],
                             double vectors[9]) {
    double x = a[0][1], y = a[0][2], length = sqrt(x * x + y * y);
    /* Numbers whose squares are 0 are below 1e-154 of the largest: they count as 0. */
    double c = length > 0 ? x / length : 1, s = length > 0 ? y / length : 0;
    double product = 2 * c * s * a[1][2];
    diagonal[0] = a[0][0];
    diagonal[1] = c * c * a[1][1] + product + s * s * a[2][2];
    diagonal[2] = s * s * a[1][1] - product + c * c * a[2][2];
    beside[0] = length;
    beside[1] = c * s * (a[2][2] - a[1][1]) + (c * c - s * s) * a[1][2];
    const double turned[9] = {1, 0, 0, 0, c, s, 0, -s, c};
    memcpy(vectors, turned, sizeof turned);
}

bool psb_eigen_3x3(double matrix[9], double values[3]) {
    double a[3][3], vectors[9], diagonal[3], beside[2], work[4], largest = 0.0;
    int exponent;
    for (int i = 0; i < 9; i++) {
        if (!isfinite(matrix[i])) {
            return false;
        }
        largest = fmax(largest, fabs(matrix[i]));
    }
    frexp(largest, &exponent); /* scales by a power of two, which rounds nothing */
    for (int i = 0; i < 9; i++) {
        a[i / 3][i % 3] = ldexp(matrix[i], -exponent);
    }
    make_tridiagonal(a, diagonal, beside, vectors);
    /* Its eigenvectors are columns, which are our rows. */
    if (LAPACKE_dsteqr_work(LAPACK_COL_MAJOR, 'V', 3, diagonal, beside, vectors, 3, work) != 0) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        values[i] = ldexp(diagonal[i], exponent);
    }
    memcpy(matrix, vectors, sizeof vectors);
    return true;
}

psb_status psb_eigen_largest(int n, double *a, int count, double *values, double *vectors,
                             psb_error *error) {
    psb_status status = PSB_OK;
    lapack_int there = 0, info = 0;
    double *all = psb_new(&status, (size_t)n, sizeof *all, "eigenvalues", error);
    lapack_int *support = psb_new(&status, 2 * (size_t)n, sizeof *support, "eigenvectors", error);
    if (status == PSB_OK) {
        take_buffer();
        /* The rows of the upper half are, column by column, the lower half. */
        info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'L', n, a, n, 0, 0, n - count + 1, n, 0,
                              &there, all, vectors, n, support);
        give_buffer();
    }
    if (status == PSB_OK && (info != 0 || there != count)) {
        status = info == LAPACK_WORK_MEMORY_ERROR
                     ? psb_fail_memory(error, "eigenvectors", (size_t)n * sizeof *all)
                     : psb_fail(error, PSB_ERROR_INTERNAL, "dsyevr failed: %d", (int)info);
    }
    for (int k = 0; k < count && status == PSB_OK; k++) {
        values[k] = all[k];
    }
    free(all);
    free(support);
    return status;
}

void psb_orient(double *direction, size_t length) {
    size_t largest = 0;
    for (size_t k = 1; k < length; k++) {
        largest = fabs(direction[k]) > fabs(direction[largest]) ? k : largest;
    }
    for (size_t k = 0, turn = direction[largest] < 0; k < length && turn; k++) {
        direction[k] = -direction[k];
    }
}
