/*
 * The transform in two steps: FFTW along the azimuth, then for each order m one matrix product
 * (GEMM) of the weighted Legendre functions with the m-th Fourier coefficients.
 *
 * FFTW transforms the rows of all functions on one ring at a time. Its output is ordered by
 * frequency, so that an order is a matrix for GEMM; over all rings at once such strides would miss
 * the caches and take three times as long. Of a row's 33 frequencies 16 are kept.
 */
#include "descriptors/harmonics.h"

#include "core/linear.h"
#include "core/memory.h"

#include <fftw3.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FREQUENCIES = PSB_GRID / 2 + 1 };

struct psb_harmonics {
    fftw_plan single; /* a ring of one function */
    fftw_plan shells; /* a ring of each of the 32 functions */
    /* [psb_lm order by m, then l][j]: quadrature weight times the normalised Legendre function. */
    double legendre[PSB_COEFFICIENTS][PSB_GRID];
    /* Y_lm = q_lm(z) (x + iy)^m: q_lm = a_lm (z q_{l-1,m} - b_lm q_{l-2,m}), q_mm constant. */
    double a[PSB_COEFFICIENTS], b[PSB_COEFFICIENTS];
    double diagonal[PSB_DEGREES];
    double solid_angle[PSB_GRID]; /* of a node, by ring */
};

const char *const psb_form_names[] = {"full", "magnitude", "sum", NULL};

/* Row of `legendre` where order m begins; rows of one order are consecutive for GEMM. */
static size_t order_start(int m) {
    return (size_t)(m * PSB_DEGREES - m * (m - 1) / 2);
}

static void fill_recurrence(psb_harmonics *h) {
    h->diagonal[0] = sqrt(1.0 / (4.0 * M_PI));
    for (int m = 0; m < PSB_DEGREES; m++) {
        if (m > 0) { /* Condon-Shortley sign */
            h->diagonal[m] = -h->diagonal[m - 1] * sqrt((2.0 * m + 1.0) / (2.0 * m));
        }
        for (int l = m + 1; l < PSB_DEGREES; l++) {
            double ll = (double)l * l, mm = (double)m * m, kk = (l - 1.0) * (l - 1.0);
            h->a[psb_lm(l, m)] = sqrt((4.0 * ll - 1.0) / (ll - mm));
            h->b[psb_lm(l, m)] = sqrt((kk - mm) / (4.0 * kk - 1.0));
        }
    }
}

/* q_lm(z) for one m and l = m ... 15, into q[0 ... 15 - m]. */
static void legendre_column(const psb_harmonics *h, int m, double z, double *q) {
    double before = 0.0, last = h->diagonal[m];
    q[0] = last;
    for (int l = m + 1; l < PSB_DEGREES; l++) {
        size_t lm = psb_lm(l, m);
        double next = h->a[lm] * (z * last - h->b[lm] * before);
        before = last;
        last = next;
        q[l - m] = next;
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
            legendre_column(h, m, cos(polar), q);
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
    void *samples = NULL, *scratch = NULL;
    psb_status status = psb_alloc(&samples, (size_t)PSB_SHELLS * PSB_GRID * PSB_GRID,
                                  sizeof(double), "sphere samples", error);
    if (status == PSB_OK) {
        status = psb_alloc(&scratch, psb_harmonics_scratch(PSB_SHELLS), sizeof(double),
                           "a transform", error);
    }
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
    void *memory;
    psb_status status = psb_alloc_zero(&memory, 1, sizeof **harmonics, "harmonics", error);
    *harmonics = memory;
    if (status == PSB_OK) {
        fill_recurrence(*harmonics);
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

void psb_harmonics_evaluate(const psb_harmonics *harmonics, const double u[3],
                            psb_coefficients value) {
    double re = 1.0, im = 0.0; /* (x + iy)^m */
    for (int m = 0; m < PSB_DEGREES; m++) {
        double q[PSB_DEGREES];
        legendre_column(harmonics, m, u[2], q);
        for (int l = m; l < PSB_DEGREES; l++) {
            value[psb_lm(l, m)][0] = q[l - m] * re;
            value[psb_lm(l, m)][1] = q[l - m] * im;
        }
        double next = re * u[0] - im * u[1];
        im = re * u[1] + im * u[0];
        re = next;
    }
}

double psb_harmonics_solid_angle(const psb_harmonics *harmonics, int j) {
    return harmonics->solid_angle[j];
}

/* Adds sum_i q_i a_i and sum_i q_i b_i in lanes, so that the order of additions is fixed. */
static void add_products(const double *q, const double *a, const double *b, double sum[2]) {
    enum { LANES = 8 };
    double p[LANES] = {0.0}, r[LANES] = {0.0};
    for (int i = 0; i < PSB_BATCH; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            p[k] += q[i + k] * a[i + k];
            r[k] += q[i + k] * b[i + k];
        }
    }
    sum[0] += ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
    sum[1] += ((r[0] + r[4]) + (r[2] + r[6])) + ((r[1] + r[5]) + (r[3] + r[7]));
}

/* Weights of one measure in even and odd degrees, times conj((x + iy)^m). */
typedef struct turned_weights {
    double part[2][2][PSB_BATCH]; /* [parity][real, imaginary] */
} turned_weights;

static void turn_weights(const psb_direction_weights *measure, const double power[2][PSB_BATCH],
                         turned_weights *out) {
    const double *weights[2] = {measure->even, measure->odd};
    for (int parity = 0; parity < 2; parity++) {
        const double *w = weights[parity];
        for (int i = 0; w != NULL && i < PSB_BATCH; i++) {
            out->part[parity][0][i] = w[i] * power[0][i];
            out->part[parity][1][i] = -w[i] * power[1][i];
        }
    }
}

/* Order m of all measures: q_lm by its recurrence for the whole batch, degree after degree. */
static void add_order(const psb_harmonics *h, int m, const double *z,
                      const psb_direction_weights *measures, const turned_weights *turned,
                      size_t nmeasures) {
    double rows[2][PSB_BATCH];
    double *last = rows[0], *before = rows[1];
    for (int i = 0; i < PSB_BATCH; i++) {
        last[i] = h->diagonal[m];
        before[i] = 0.0;
    }
    for (int l = m; l < PSB_DEGREES; l++) {
        size_t lm = psb_lm(l, m);
        if (l > m) {
            double a = h->a[lm], ab = a * h->b[lm];
            for (int i = 0; i < PSB_BATCH; i++) {
                before[i] = a * z[i] * last[i] - ab * before[i];
            }
            double *next = before;
            before = last;
            last = next;
        }
        for (size_t f = 0; f < nmeasures; f++) {
            if ((l % 2 == 0 ? measures[f].even : measures[f].odd) != NULL) {
                const double(*part)[PSB_BATCH] = turned[f].part[l % 2];
                add_products(last, part[0], part[1], (*measures[f].sum)[lm]);
            }
        }
    }
}

void psb_harmonics_add(const psb_harmonics *harmonics, const psb_directions *directions,
                       const psb_direction_weights *measures, size_t nmeasures) {
    const double *x = directions->at[0], *y = directions->at[1];
    double power[2][PSB_BATCH]; /* (x + iy)^m */
    turned_weights turned[PSB_MEASURES];
    for (int i = 0; i < PSB_BATCH; i++) {
        power[0][i] = 1.0;
        power[1][i] = 0.0;
    }
    for (int m = 0; m < PSB_DEGREES; m++) {
        for (size_t f = 0; f < nmeasures; f++) {
            turn_weights(&measures[f], power, &turned[f]);
        }
        add_order(harmonics, m, directions->at[2], measures, turned, nmeasures);
        for (int i = 0; i < PSB_BATCH; i++) {
            double next = power[0][i] * x[i] - power[1][i] * y[i];
            power[1][i] = power[1][i] * x[i] + power[0][i] * y[i];
            power[0][i] = next;
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
