/*
 * The trace of (S S')^(1/2) is the sum of the singular values of F F'^T, where F^T F = S. F are the
 * centered rows or, if they are more than the numbers in a row, a square matrix made from the
 * eigenvectors of S. The singular values are the roots of the eigenvalues of a symmetric matrix.
 */
#include "eval/distributions.h"

#include "core/linear.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <float.h>
#include <limits.h>
#include <math.h>

static psb_status check(const psb_sample samples[2], psb_error *error) {
    for (int s = 0; s < 2; s++) {
        if (samples[s].n < 2 || samples[s].n > INT_MAX / 2 || samples[s].length > INT_MAX / 2) {
            return psb_fail(error, PSB_ERROR_INPUT,
                            "%zu rows of %zu numbers: a distribution needs 2 rows or more",
                            samples[s].n, samples[s].length);
        }
    }
    return PSB_OK;
}

/* ---- Frechet distance ------------------------------------------------------------------ */

/* F of one sample: count x length. */
typedef struct factor {
    int count, length;
    double *rows;
    double *mean;
    double trace; /* trace of the covariance S */
} factor;

static void find_mean(const psb_sample *sample, double *mean) {
    for (size_t k = 0; k < sample->length; k++) {
        mean[k] = 0;
    }
    for (size_t i = 0; i < sample->n * sample->length; i++) {
        mean[i % sample->length] += sample->rows[i] / (double)sample->n;
    }
}

/* The root of eigenvalue k of n, in ascending order; 0 if rounding alone may have made it. */
static double root_of(const double *values, int n, int k) {
    return values[k] > values[n - 1] * n * DBL_EPSILON ? sqrt(values[k]) : 0;
}

/* Makes the square F: row k is the k-th eigenvector times the root of its eigenvalue. */
static psb_status reduce(int length, double *covariance, double *rows, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED double *values =
        psb_new(&status, (size_t)length, sizeof *values, "eigenvalues", error);
    PSB_THEN(status, psb_eigen_largest(length, covariance, length, values, rows, error));
    for (int k = 0; k < length && status == PSB_OK; k++) {
        for (int i = 0; i < length; i++) {
            rows[(size_t)k * (size_t)length + (size_t)i] *= root_of(values, length, k);
        }
    }
    return status;
}

/* Makes F. `centered` is the rows less their mean, over sqrt(n - 1), transposed if `turned`. */
static psb_status make_factor(const psb_sample *sample, factor *f, psb_error *error) {
    size_t n = sample->n, d = sample->length;
    bool turned = n > d;
    double share = 1 / sqrt((double)n - 1), *square = NULL;
    psb_status status = PSB_OK;
    double *centred = psb_new(&status, n, d * sizeof *centred, "centered rows", error);
    f->mean = psb_new(&status, d, sizeof *f->mean, "a mean", error);
    f->count = (int)(turned ? d : n);
    f->length = (int)d;
    if (status == PSB_OK) {
        find_mean(sample, f->mean);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < d; k++) {
                double x = (sample->rows[i * d + k] - f->mean[k]) * share;
                centred[turned ? k * n + i : i * d + k] = x;
                f->trace += x * x;
            }
        }
    }
    if (!turned) {
        f->rows = centred;
        return status;
    }
    square = psb_new(&status, d, d * sizeof *square, "a covariance", error);
    f->rows = psb_new(&status, d, d * sizeof *f->rows, "eigenvectors", error);
    PSB_THEN(status, psb_packed_product(d, d, n, centred, centred, true, square, error));
    PSB_THEN(status, reduce((int)d, square, f->rows, error));
    free(square);
    free(centred);
    return status;
}

/* Sets *sum to the sum of the singular values of a b^T, from its square on the smaller side. */
static psb_status sum_singular(const factor *a, const factor *b, double *sum, psb_error *error) {
    const factor *less = a->count < b->count ? a : b, *more = a->count < b->count ? b : a;
    size_t n = (size_t)less->count, m = (size_t)more->count;
    psb_status status = PSB_OK;
    PSB_FREED double *product = psb_new(&status, n, m * sizeof *product, "products", error);
    PSB_FREED double *square = psb_new(&status, n, n * sizeof *square, "products", error);
    PSB_FREED double *vectors = psb_new(&status, n, n * sizeof *vectors, "eigenvectors", error);
    PSB_FREED double *values = psb_new(&status, n, sizeof *values, "eigenvalues", error);
    PSB_THEN(status, psb_packed_product(n, m, (size_t)less->length, less->rows, more->rows, true,
                                        product, error));
    PSB_THEN(status, psb_packed_product(n, n, m, product, product, true, square, error));
    PSB_THEN(status, psb_eigen_largest((int)n, square, (int)n, values, vectors, error));
    *sum = 0;
    for (size_t k = 0; k < n && status == PSB_OK; k++) {
        *sum += root_of(values, (int)n, (int)k);
    }
    return status;
}

psb_status psb_frechet_distance(const psb_sample samples[2], double *distance, psb_error *error) {
    factor f[2] = {{.rows = NULL}, {.rows = NULL}};
    double sum = 0;
    psb_status status = check(samples, error);
    PSB_THEN(status, make_factor(&samples[0], &f[0], error));
    PSB_THEN(status, make_factor(&samples[1], &f[1], error));
    PSB_THEN(status, sum_singular(&f[0], &f[1], &sum, error));
    if (status == PSB_OK) {
        *distance = f[0].trace + f[1].trace - 2 * sum;
        for (size_t k = 0; k < samples[0].length; k++) {
            double apart = f[0].mean[k] - f[1].mean[k];
            *distance += apart * apart;
        }
        *distance = *distance > 0 ? *distance : 0;
    }
    for (int s = 0; s < 2; s++) {
        free(f[s].rows);
        free(f[s].mean);
    }
    return status;
}

/* ---- kernel distance ------------------------------------------------------------------- */

enum { BLOCK = 128 };

/* Sets sums[i] to the kernel's sum between row i of `from` and all rows of `to` but itself. */
typedef struct kernel_sums {
    const psb_sample *from, *to;
    double *sums;
} kernel_sums;

static psb_status sum_block(void *context, void *own, size_t block, psb_error *error) {
    const kernel_sums *k = context;
    double *products = own;
    size_t first = block * BLOCK, d = k->from->length, m = k->to->n;
    size_t count = k->from->n - first < BLOCK ? k->from->n - first : BLOCK;
    psb_status status = psb_packed_product(count, m, d, k->from->rows + first * d, k->to->rows,
                                           true, products, error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        double sum = 0;
        for (size_t j = 0; j < m; j++) {
            double x = products[i * m + j] / (double)d + 1;
            sum += k->from != k->to || first + i != j ? x * x * x : 0;
        }
        k->sums[first + i] = sum;
    }
    return status;
}

static psb_status sum_kernel(const psb_sample *from, const psb_sample *to, int threads,
                             double *sums, psb_error *error) {
    kernel_sums k = {from, to, sums};
    psb_loop loop = {.count = (from->n + BLOCK - 1) / BLOCK,
                     .threads = threads,
                     .bytes = BLOCK * to->n * sizeof(double),
                     .name = "products",
                     .item = sum_block,
                     .job = &k};
    return psb_parallel(&loop, error);
}

static double sum_of(const double *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum;
}

/*
 * The variance of the estimates that leave out one of n rows each. own[i] and other[i] are row i's
 * kernel sums within its sample and to the m rows of the other; `rest` is the other sample's term,
 * `across` the sum of other[].
 */
static double jackknife(const double *own, const double *other, size_t n, size_t m, double rest,
                        double across) {
    double whole = sum_of(own, n), mean = 0, square = 0, k = (double)n;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < n; i++) {
            double estimate = (whole - 2 * own[i]) / ((k - 1) * (k - 2)) + rest -
                              2 * (across - other[i]) / ((k - 1) * (double)m);
            if (round == 0) {
                mean += estimate / k;
            } else {
                square += (estimate - mean) * (estimate - mean);
            }
        }
    }
    return square * (k - 1) / k;
}

psb_status psb_kernel_distance(const psb_sample samples[2], int threads, double *distance,
                               double *deviation, psb_error *error) {
    size_t n[2] = {samples[0].n, samples[1].n};
    double *own[2] = {NULL, NULL}, *other[2] = {NULL, NULL}, part[2];
    psb_status status = check(samples, error);
    for (int s = 0; s < 2; s++) {
        own[s] = psb_new(&status, n[s], sizeof(double), "sums", error);
        other[s] = psb_new(&status, n[s], sizeof(double), "sums", error);
        PSB_THEN(status, sum_kernel(&samples[s], &samples[s], threads, own[s], error));
        PSB_THEN(status, sum_kernel(&samples[s], &samples[1 - s], threads, other[s], error));
    }
    if (status == PSB_OK) {
        double across = sum_of(other[0], n[0]);
        for (int s = 0; s < 2; s++) {
            part[s] = sum_of(own[s], n[s]) / ((double)n[s] * ((double)n[s] - 1));
        }
        *distance = part[0] + part[1] - 2 * across / ((double)n[0] * (double)n[1]);
        *deviation = n[0] > 2 && n[1] > 2
                         ? sqrt(jackknife(own[0], other[0], n[0], n[1], part[1], across) +
                                jackknife(own[1], other[1], n[1], n[0], part[0], across))
                         : NAN;
    }
    for (int s = 0; s < 2; s++) {
        free(own[s]);
        free(other[s]);
    }
    return status;
}
