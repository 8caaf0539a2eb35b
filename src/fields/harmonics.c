/*
 * The transform in two steps: FFTW along the azimuth, then for each order m one matrix product
 * (GEMM) of the weighted Legendre functions with the m-th Fourier coefficients.
 *
 * FFTW transforms the rows of all functions on one ring at a time. Its output is ordered by
 * frequency, so that an order is a matrix for GEMM; over all rings at once such strides would miss
 * the caches and take three times as long. Of a row's 33 frequencies 16 are kept.
 */
#include "fields/harmonics.h"

#include "core/linear.h"
#include "core/memory.h"
#include "fields/direction_powers.h"

#include <fftw3.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FREQUENCIES = PSB_GRID / 2 + 1 };

struct psb_harmonics {
    fftw_plan single; /* a ring of one function */
    fftw_plan shells; /* a ring of each of the 32 functions */
    /* [psb_lm order by m, then l][j]: quadrature weight times the normalised Legendre function. */
    double legendre[PSB_COEFFICIENTS][PSB_GRID];
    psb_legendre recurrence;
    /* q_lm in Chebyshev polynomials T_k, k <= l - m of the same parity: [lm][k / 2] */
    double chebyshev[PSB_COEFFICIENTS][PSB_HALF_DEGREES];
    double solid_angle[PSB_GRID]; /* of a node, by ring */
};

const char *const psb_form_names[] = {"full", "magnitude", "sum", NULL};

/* Row of `legendre` where order m begins; rows of one order are consecutive for GEMM. */
static size_t order_start(int m) {
    return (size_t)(m * PSB_DEGREES - m * (m - 1) / 2);
}

/* The recurrence of q_lm on polynomials: z T_0 = T_1, z T_k = (T_k-1 + T_k+1) / 2. */
static void fill_chebyshev_factors(psb_harmonics *h) {
    for (int m = 0; m < PSB_DEGREES; m++) {
        double before[PSB_DEGREES + 1] = {0.0}, last[PSB_DEGREES + 1] = {h->recurrence.diagonal[m]};
        for (int l = m; l < PSB_DEGREES; l++) {
            size_t lm = psb_lm(l, m);
            if (l > m) {
                double next[PSB_DEGREES + 1] = {0.0};
                for (int k = 0; k < l - m; k++) {
                    double share = k == 0 ? 1.0 : 0.5;
                    next[k + 1] += share * last[k];
                    next[k == 0 ? 1 : k - 1] += (1.0 - share) * last[k];
                }
                for (int k = 0; k <= l - m; k++) {
                    next[k] = h->recurrence.a[lm] * (next[k] - h->recurrence.b[lm] * before[k]);
                }
                memcpy(before, last, sizeof before);
                memcpy(last, next, sizeof last);
            }
            for (int k = (l - m) % 2; k <= l - m; k += 2) {
                h->chebyshev[lm][k / 2] = last[k];
            }
        }
    }
}

/* Quadrature weight of a ring of the grid; the 64 sum to 2 (Driscoll and Healy 1994). */
static double ring_weight(int j) {
    const int bandwidth = PSB_GRID / 2;
    double polar = M_PI * (2 * j + 1) / (2.0 * PSB_GRID);
    double sum = 0.0;
    for (int k = 0; k < bandwidth; k++) {
        sum += sin((2 * k + 1) * polar) / (2 * k + 1);
    }
    return 2.0 / bandwidth * sin(polar) * sum;
}

static void fill_legendre(psb_harmonics *h) {
    for (int j = 0; j < PSB_GRID; j++) {
        double polar = M_PI * (2 * j + 1) / (2.0 * PSB_GRID);
        double weight = 2.0 * M_PI / PSB_GRID * ring_weight(j);
        h->solid_angle[j] = weight;
        double sine_power = 1.0;
        for (int m = 0; m < PSB_DEGREES; m++) {
            double q[PSB_DEGREES];
            psb_legendre_column(&h->recurrence, m, cos(polar), q);
            for (int l = m; l < PSB_DEGREES; l++) {
                h->legendre[order_start(m) + (size_t)(l - m)][j] = weight * sine_power * q[l - m];
            }
            sine_power *= sin(polar);
        }
    }
}

/* For n rows; output [frequency][row]. */
static fftw_plan make_plan(size_t n, double *samples, double *scratch) {
    int length = PSB_GRID;
    int rows = (int)n;
    return fftw_plan_many_dft_r2c(1, &length, rows, samples, NULL, 1, PSB_GRID,
                                  (fftw_complex *)scratch, NULL, rows, 1,
                                  FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
}

static psb_status make_plans(psb_harmonics *h, psb_error *error) {
    psb_status status = PSB_OK;
    double *samples = psb_new(&status, (size_t)PSB_SHELLS * PSB_GRID * PSB_GRID, sizeof *samples,
                              "sphere samples", error);
    double *scratch =
        psb_new(&status, psb_harmonics_scratch(PSB_SHELLS), sizeof *scratch, "a transform", error);
    if (status == PSB_OK) {
        h->single = make_plan(1, samples, scratch);
        h->shells = make_plan(PSB_SHELLS, samples, scratch);
        if (h->single == NULL || h->shells == NULL) {
            status = psb_fail(error, PSB_ERROR_INTERNAL, "FFTW made no plan");
        }
    }
    free(scratch);
    free(samples);
    return status;
}

psb_status psb_harmonics_new(psb_harmonics **harmonics, psb_error *error) {
    psb_status status = PSB_OK;
    *harmonics = psb_new_zero(&status, 1, sizeof **harmonics, "harmonics", error);
    if (status == PSB_OK) {
        psb_legendre_fill(&(*harmonics)->recurrence);
        fill_chebyshev_factors(*harmonics);
        fill_legendre(*harmonics);
        status = make_plans(*harmonics, error);
    }
    if (status != PSB_OK) {
        psb_harmonics_free(*harmonics);
        *harmonics = NULL;
    }
    return status;
}

void psb_harmonics_free(psb_harmonics *harmonics) {
    if (harmonics != NULL) {
        fftw_destroy_plan(harmonics->single);
        fftw_destroy_plan(harmonics->shells);
        free(harmonics);
    }
}

/* Fourier coefficients [order][ring][function]. */
static size_t spectrum_length(size_t n) {
    return 2 * (size_t)PSB_DEGREES * PSB_GRID * n;
}

/* Those of one ring, with the frequencies that are not kept. */
static size_t ring_length(size_t n) {
    return 2 * (size_t)FREQUENCIES * n;
}

size_t psb_harmonics_scratch(size_t n) {
    return spectrum_length(n) + ring_length(n) + 2 * PSB_DEGREES * n; /* and one order's result */
}

static void transform_rings(const psb_harmonics *h, size_t n, double *samples, double *ring,
                            double *spectrum) {
    size_t columns = 2 * n;
    for (size_t j = 0; j < PSB_GRID; j++) {
        fftw_execute_dft_r2c(n == 1 ? h->single : h->shells, samples + j * n * PSB_GRID,
                             (fftw_complex *)ring);
        for (size_t m = 0; m < PSB_DEGREES; m++) {
            memcpy(spectrum + (m * PSB_GRID + j) * columns, ring + m * columns,
                   columns * sizeof *ring);
        }
    }
}

void psb_harmonics_forward(const psb_harmonics *harmonics, size_t n, double *samples,
                           double *scratch, psb_coefficients *out) {
    double *ring = scratch + spectrum_length(n);
    double *product = ring + ring_length(n);
    transform_rings(harmonics, n, samples, ring, scratch);
    int columns = 2 * (int)n; /* real and imaginary part of each function */
    for (int m = 0; m < PSB_DEGREES; m++) {
        const double *order = scratch + (size_t)m * PSB_GRID * (size_t)columns;
        int degrees = PSB_DEGREES - m;
        psb_matrix_product(degrees, columns, PSB_GRID, harmonics->legendre[order_start(m)],
                           PSB_GRID, order, columns, false, product, columns);
        for (int l = m; l < PSB_DEGREES; l++) {
            const double *row = product + (size_t)(l - m) * (size_t)columns;
            for (size_t f = 0; f < n; f++) {
                memcpy(out[f][psb_lm(l, m)], row + 2 * f, 2 * sizeof(double));
            }
        }
    }
}

double psb_harmonics_solid_angle(const psb_harmonics *harmonics, int j) {
    return harmonics->solid_angle[j];
}

/* Adds to the coefficients of all degrees of one parity. */
static void add_degrees(const psb_harmonics *h, const psb_direction_powers *powers, int parity,
                        psb_coefficients sum) {
    double product[PSB_HALF_DEGREES][PSB_HALF_DEGREES][2]; /* [k / 2][m / 2][real, imaginary] */
    for (int odd = 0; odd < 2; odd++) { /* orders; T_k belongs to them where k + m + l is even */
        psb_matrix_product(PSB_HALF_DEGREES, 2 * PSB_HALF_DEGREES, PSB_BATCH,
                           powers->chebyshev[parity ^ odd][0], PSB_BATCH, powers->turned[odd][0][0],
                           PSB_BATCH, true, product[0][0], 2 * PSB_HALF_DEGREES);
        for (int m = odd; m < PSB_DEGREES; m += 2) {
            for (int l = m + (parity ^ odd); l < PSB_DEGREES; l += 2) {
                const double *factor = h->chebyshev[psb_lm(l, m)];
                for (int k = 0; k <= (l - m) / 2; k++) {
                    sum[psb_lm(l, m)][0] += factor[k] * product[k][m / 2][0];
                    sum[psb_lm(l, m)][1] += factor[k] * product[k][m / 2][1];
                }
            }
        }
    }
}

void psb_harmonics_add(const psb_harmonics *harmonics, const psb_directions *directions,
                       const psb_direction_weights *measures, size_t nmeasures) {
    const psb_powers_kernel *kernel = psb_cpu_choose(psb_powers_kernels);
    psb_direction_powers powers;
    for (size_t f = 0; f < nmeasures; f++) {
        const double *weights[2] = {measures[f].even, measures[f].odd};
        for (int parity = 0; parity < 2; parity++) {
            if (weights[parity] != NULL) {
                kernel->fill(directions, weights[parity], &powers);
                add_degrees(harmonics, &powers, parity, *measures[f].sum);
            }
        }
    }
}

void psb_harmonics_smooth(psb_coefficients a, double t) {
    for (int l = 0; l < PSB_DEGREES; l++) {
        double factor = exp(-t * l * (l + 1));
        for (int m = 0; m <= l; m++) {
            a[psb_lm(l, m)][0] *= factor;
            a[psb_lm(l, m)][1] *= factor;
        }
    }
}

size_t psb_form_length(psb_form form) {
    return form == PSB_FORM_FULL ? PSB_FULL : PSB_COEFFICIENTS;
}

static size_t store_one(const double c[2], bool zonal, psb_form form, double *row) {
    double factor = zonal ? 1.0 : M_SQRT2; /* an order m > 0 stands for -m as well */
    switch (form) {
    case PSB_FORM_MAGNITUDE:
        row[0] = factor * sqrt(c[0] * c[0] + c[1] * c[1]);
        return 1;
    case PSB_FORM_SUM:
        row[0] = fabs(c[0]) + fabs(c[1]);
        return 1;
    default:
        row[0] = factor * c[0];
        if (!zonal) {
            row[1] = factor * c[1];
        }
        return zonal ? 1 : 2;
    }
}

void psb_harmonics_store(psb_coefficients a, psb_form form, double *row) {
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            row += store_one(a[psb_lm(l, m)], m == 0, form, row);
        }
    }
}
