/* Calls BLAS and LAPACK, at most as many calls at a time as OpenBLAS has buffers. */
#include "core/linear.h"

#include "core/memory.h"

#include <cblas.h>
#include <dlfcn.h>
#include <lapacke.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>

/*
 * OpenBLAS's own functions, NULL in another BLAS. Each of its calls works in a buffer of
 * blas_memory_alloc, and keeps it for later calls.
 */
#define OPTIONAL __attribute__((weak))
extern OPTIONAL void *blas_memory_alloc(int position);
extern OPTIONAL void blas_memory_free(void *buffer);
extern OPTIONAL int openblas_get_num_threads(void);
extern OPTIONAL void openblas_set_num_threads(int threads);
extern OPTIONAL int openblas_get_parallel(void);
extern OPTIONAL char *openblas_get_config(void);
extern OPTIONAL char *openblas_get_corename(void);

/* What openblas_get_parallel returns. */
enum { BUILT_SERIAL = 0, BUILT_WITH_OPENMP = 2 };

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

static bool is_openblas(void) {
    return openblas_set_num_threads != NULL && openblas_get_num_threads != NULL &&
           openblas_get_parallel != NULL && blas_memory_alloc != NULL && blas_memory_free != NULL;
}

static int get_threads(void) {
    return openblas_get_num_threads != NULL ? openblas_get_num_threads() : 1;
}

static void set_threads(int threads) {
    if (openblas_set_num_threads != NULL) {
        openblas_set_num_threads(threads);
    }
}

/* Makes OpenBLAS use one thread; returns how many mapped buffers that leaves idle. Built with
 * OpenMP it has one for each thread, and keeps one. */
static int buffers_there(void) {
    int threads = get_threads();
    set_threads(1);
    return openblas_get_parallel() == BUILT_WITH_OPENMP ? threads - 1 : 0;
}

/*
 * Makes OpenBLAS map its buffers now: one for each processor, as long as as much address space
 * stays free as they take. If a later call found no room for a buffer, OpenBLAS would try for ever.
 */
static int map_buffers(void) {
    void *buffer[MOST_BUFFERS];
    if (!is_openblas()) { /* others are made to be called by many threads */
        return MOST_BUFFERS;
    }
    int there = buffers_there(), wanted = omp_get_num_procs(), count = 0;
    wanted = openblas_get_parallel() == BUILT_SERIAL ? 1 : wanted;
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

/* ---- products of known value -------------------------------------------------------------- */

enum { SIDE = 64, DEPTH = 544, ENTRIES = SIDE * DEPTH };

typedef struct proof {
    double a[ENTRIES], b[ENTRIES], turned[ENTRIES]; /* SIDE x DEPTH, DEPTH x SIDE, and b' */
    double expected[SIDE * SIDE], c[SIDE * SIDE];
    float single_a[ENTRIES], single_b[2][ENTRIES], single_c[SIDE * SIDE]; /* b, b' */
} proof;

/* Turns b and computes the expected product by three loops. */
static void expect_product(proof *p) {
    memset(p->expected, 0, sizeof p->expected);
    for (int k = 0; k < DEPTH; k++) {
        for (int i = 0; i < SIDE; i++) {
            p->turned[i * DEPTH + k] = p->b[k * SIDE + i];
            for (int j = 0; j < SIDE; j++) {
                p->expected[i * SIDE + j] += p->a[i * DEPTH + k] * p->b[k * SIDE + j];
            }
        }
    }
}

/*
 * Fills in a, and b = a': nearly parallel rows of norms just below 2^26.5, so that products take
 * all of the 53 bits, and sums of two rows would take more.
 */
static void fill_doubles(proof *p) {
    uint32_t bits = 1;
    for (int i = 0; i < ENTRIES; i++) {
        int row = i / DEPTH, k = i % DEPTH;
        bits = bits * 1664525 + 1013904223; /* Numerical Recipes's generator */
        double x = 4020000 + (double)(bits >> 22);
        p->a[i] = p->b[k * SIDE + row] = k * k % 7 < 3 ? -x : x;
    }
    expect_product(p);
}

/* Numbers of 13 bits times 1 or 2, either way round: their sums take up to 23 bits. */
static void fill_floats(proof *p) {
    for (int i = 0; i < ENTRIES; i++) {
        int row = i / DEPTH, k = i % DEPTH, long_number = 4097 + 2 * ((i * 31 + row) % 2047);
        int short_number = 1 + (i + k / 3) % 2, sign = (k * k + row) % 3 == 0 ? -1 : 1;
        p->a[i] = sign * (k % 2 == 0 ? long_number : short_number);
        p->b[k * SIDE + row] = k % 2 == 0 ? short_number : long_number;
    }
    expect_product(p);
    for (int i = 0; i < ENTRIES; i++) {
        p->single_a[i] = (float)p->a[i];
        p->single_b[false][i] = (float)p->b[i];
        p->single_b[true][i] = (float)p->turned[i];
    }
}

/* Says which library multiplies wrongly, and what to do. */
static psb_status fail_product(const char *function, double found, double expected,
                               psb_error *error) {
    Dl_info place = {.dli_fname = NULL};
    bool known = dladdr((void *)(size_t)cblas_dgemm, &place) != 0 && place.dli_fname != NULL;
    bool has_kernels = openblas_get_corename != NULL && openblas_get_config != NULL;
    return psb_fail(
        error, PSB_ERROR_INTERNAL,
        "%s multiplies wrongly on this processor: %s gives %.17g for %.17g (%s%s%s); %s",
        known ? psb_path_shown(place.dli_fname) : "the BLAS", function, found, expected,
        openblas_get_config != NULL ? openblas_get_config() : "not OpenBLAS",
        has_kernels ? ", kernel " : "", has_kernels ? openblas_get_corename() : "",
        has_kernels ? "set OPENBLAS_CORETYPE=Haswell, Nehalem or Prescott to have "
                      "another kernel, or install a newer OpenBLAS"
                    : "install OpenBLAS");
}

static psb_status compare(const proof *p, const char *function, bool upper, psb_error *error) {
    for (int i = 0; i < SIDE * SIDE; i++) {
        bool counts = !upper || i % SIDE >= i / SIDE;
        if (counts && p->c[i] != p->expected[i]) {
            return fail_product(function, p->c[i], p->expected[i], error);
        }
    }
    return PSB_OK;
}

static psb_status prove_products(psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED proof *p = psb_new_zero(&status, 1, sizeof *p, "products of known value", error);
    if (status != PSB_OK) {
        return status;
    }
    psb_product product = {.m = SIDE,
                           .n = SIDE,
                           .k = DEPTH,
                           .a = p->a,
                           .lda = DEPTH,
                           .b = p->b,
                           .ldb = SIDE,
                           .c = p->c,
                           .ldc = SIDE};
    fill_doubles(p);
    psb_whole_product(&product);
    status = compare(p, "dgemm", false, error);
    product.b = p->turned;
    product.ldb = DEPTH;
    product.transpose_b = true;
    psb_whole_product(&product);
    PSB_THEN(status, compare(p, "dgemm", false, error));
    psb_whole_square(&product);
    PSB_THEN(status, compare(p, "dsyrk", true, error));
    fill_floats(p);
    for (int turned = false; turned <= true; turned++) {
        psb_rough_product(SIDE, SIDE, DEPTH, p->single_a, p->single_b[turned], turned, p->single_c,
                          SIDE);
        for (int i = 0; i < SIDE * SIDE; i++) {
            p->c[i] = p->single_c[i];
        }
        PSB_THEN(status, compare(p, "sgemm", false, error));
    }
    return status;
}

psb_status psb_linear_setup(psb_error *error) {
    psb_status status = PSB_OK;
    if (atomic_load(&ready)) {
        return PSB_OK;
    }
#pragma omp critical(psb_linear_setup)
    if (!atomic_load(&ready)) {
        static int buffers;
        if (buffers == 0) {
            buffers = map_buffers();
            pthread_once(&once, start_counting);
            for (int b = 1; b < buffers; b++) {
                give_buffer();
            }
        }
        status = buffers > 0 ? prove_products(error) : fail_limit(error);
        atomic_store(&ready, status == PSB_OK);
    }
    return status;
}

/* Clients call from several threads: how many calls are at work, and OpenBLAS's threads before
 * them. */
static int entered, found;

psb_status psb_linear_enter(psb_error *error) {
#pragma omp critical(psb_linear_enter)
    {
        found = entered++ == 0 ? get_threads() : found;
        set_threads(1);
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
        set_threads(found);
    }
}

/* ---- products ---------------------------------------------------------------------------- */

void psb_whole_product(const psb_product *x) {
    take_buffer();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, x->transpose_b ? CblasTrans : CblasNoTrans, x->m, x->n,
                x->k, 1.0, x->a, x->lda, x->b, x->ldb, x->more ? 1.0 : 0.0, x->c, x->ldc);
    give_buffer();
}

void psb_whole_square(const psb_product *x) {
    take_buffer();
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, x->n, x->k, 1.0, x->a, x->lda,
                x->more ? 1.0 : 0.0, x->c, x->ldc);
    give_buffer();
}

void psb_rough_product(int m, int n, int k, const float *a, const float *b, bool transpose_b,
                       float *c, int ldc) {
    take_buffer();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1.0F,
                a, k, b, transpose_b ? k : n, 0.0F, c, ldc);
    give_buffer();
}

/* The part of a matrix that is worked on: its lines, at most BLOCK of STRETCH numbers. */
enum { BLOCK = 256, STRETCH = 512 };

/* One side of a product: `count` lines, the numbers of a line `step` apart. */
typedef struct side {
    const double *from;
    size_t count, line, step, length;
    double *scale;      /* of each line */
    double *high, *low; /* BLOCK x STRETCH */
} side;

static void find_scales(const side *s) {
    memset(s->scale, 0, s->count * sizeof *s->scale);
    bool by_line = s->step == 1;
    size_t outer = by_line ? s->count : s->length, inner = by_line ? s->length : s->count;
    for (size_t i = 0; i < outer; i++) { /* as the numbers stand in memory */
        for (size_t j = 0; j < inner; j++) {
            double x = s->from[i * (by_line ? s->line : s->step) + j];
            s->scale[by_line ? i : j] += x * x;
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        s->scale[i] = psb_whole_scale(s->scale[i]);
    }
}

/* Splits `depth` numbers of each of n lines. */
static void split(const side *s, size_t first, size_t n, size_t from, size_t depth) {
    double low = psb_whole_low(s->length);
    for (size_t i = 0; i < n; i++) {
        const double *x = s->from + (first + i) * s->line + from * s->step;
        double *high = s->high + i * STRETCH, *rest = s->low + i * STRETCH;
        for (size_t k = 0; k < depth; k++) {
            psb_whole_split(x[k * s->step] * s->scale[first + i], low, &high[k], &rest[k]);
        }
    }
}

static size_t part(size_t length, size_t from, size_t most) {
    return length - from < most ? length - from : most;
}

/* Computes a block of c. `sums` has the two sums of its numbers, BLOCK x BLOCK each. */
static void multiply_block(const side *a, size_t i, const side *b, size_t j, double *sums,
                           double *c, size_t ldc) {
    size_t m = part(a->count, i, BLOCK), n = part(b->count, j, BLOCK), depth;
    double *high = sums, *low = sums + BLOCK * BLOCK, factor = 1 / psb_whole_low(a->length);
    for (size_t from = 0; from < a->length; from += depth) {
        depth = part(a->length, from, STRETCH);
        split(a, i, m, from, depth);
        split(b, j, n, from, depth);
        psb_product x = {.m = (int)m,
                         .n = (int)n,
                         .k = (int)depth,
                         .a = a->high,
                         .lda = STRETCH,
                         .b = b->high,
                         .ldb = STRETCH,
                         .transpose_b = true,
                         .more = from > 0,
                         .c = high,
                         .ldc = BLOCK};
        psb_whole_product(&x);
        x.b = b->low;
        x.c = low;
        psb_whole_product(&x);
        x.a = a->low;
        x.b = b->high;
        x.more = true;
        psb_whole_product(&x);
    }
    for (size_t r = 0; r < m; r++) {
        for (size_t s = 0; s < n; s++) {
            double sum = high[r * BLOCK + s] + low[r * BLOCK + s] * factor;
            c[(i + r) * ldc + j + s] = sum / a->scale[i + r] / b->scale[j + s];
        }
    }
}

psb_status psb_matrix_product(const psb_product *x, psb_error *error) {
    size_t m = (size_t)x->m, n = (size_t)x->n, k = (size_t)x->k, ldb = (size_t)x->ldb;
    psb_status status = PSB_OK;
    size_t parts = 4 * (size_t)BLOCK * STRETCH, sums = 2 * (size_t)BLOCK * BLOCK;
    PSB_FREED double *memory =
        psb_new(&status, parts + sums + m + n, sizeof *memory, "products", error);
    if (status != PSB_OK) {
        return status;
    }
    double *scale = memory + parts + sums;
    side a = {x->a, m, (size_t)x->lda, 1, k, scale, memory, memory + parts / 4};
    side b = {x->b, n,         x->transpose_b ? ldb : 1, x->transpose_b ? 1 : ldb,
              k,    scale + m, memory + parts / 2,       memory + parts / 2 + parts / 4};
    find_scales(&a);
    find_scales(&b);
    for (size_t i = 0; i < m; i += BLOCK) {
        for (size_t j = 0; j < n; j += BLOCK) {
            multiply_block(&a, i, &b, j, memory + parts, x->c, (size_t)x->ldc);
        }
    }
    return PSB_OK;
}

psb_status psb_packed_product(size_t m, size_t n, size_t k, const double *a, const double *b,
                              bool transpose_b, double *c, psb_error *error) {
    const psb_product product = {.m = (int)m,
                                 .n = (int)n,
                                 .k = (int)k,
                                 .a = a,
                                 .lda = (int)k,
                                 .b = b,
                                 .ldb = (int)(transpose_b ? k : n),
                                 .transpose_b = transpose_b,
                                 .c = c,
                                 .ldc = (int)n};
    return psb_matrix_product(&product, error);
}

/* ---- eigenvectors ------------------------------------------------------------------------ */

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
    PSB_FREED double *all = psb_new(&status, (size_t)n, sizeof *all, "eigenvalues", error);
    PSB_FREED lapack_int *support =
        psb_new(&status, 2 * (size_t)n, sizeof *support, "eigenvectors", error);
    if (status == PSB_OK) {
        take_buffer();
        /* The rows of the upper half are, column by column, the lower half. */
        info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'L', n, a, n, 0, 0, n - count + 1, n, 0,
                              &there, all, vectors, n, support);
        give_buffer();
    }
    PSB_THEN_IF(status, (info != 0 || there != count),
                info == LAPACK_WORK_MEMORY_ERROR
                    ? psb_fail_memory(error, "eigenvectors", (size_t)n * sizeof *all)
                    : psb_fail(error, PSB_ERROR_INTERNAL, "dsyevr failed: %d", (int)info));
    for (int k = 0; k < count && status == PSB_OK; k++) {
        values[k] = all[k];
    }
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
