/*
 * Transforms in two steps: along the azimuth, then for each order m one matrix product of the
 * weighted Legendre functions with the m-th Fourier coefficients. Coefficients of degrees
 * 16 to 31 are only squared and added up.
 */
#include "fields/harmonics.h"

#include "core/elementary.h"
#include "core/linear.h"
#include "core/memory.h"
#include "fields/azimuth.h"

#include <math.h>
#include <string.h>

enum { HALF = PSB_DEGREES / 2 };

enum {
    HIGHER = PSB_BANDWIDTH - PSB_DEGREES, /* degrees of the tail */
    TAIL = PSB_BANDWIDTH * (PSB_BANDWIDTH + 1) / 2 - PSB_COEFFICIENTS,
};

struct psb_harmonics {
    psb_azimuth_waves waves;
    /* [psb_lm order by m, then l][j]: quadrature weight times the normalized Legendre function. */
    double legendre[PSB_COEFFICIENTS][PSB_GRID];
    /* The same for degrees 16 to 31: [tail_start order by m, then l][j]. */
    double tail[TAIL][PSB_GRID];
    psb_legendre recurrence;
    /* Factors of T_k in q_lm, T_k Chebyshev polynomials, k <= l - m of equal parity: [lm][k / 2] */
    double chebyshev[PSB_COEFFICIENTS][HALF];
    double solid_angle[PSB_GRID]; /* of each node of a ring */
};

const char *const psb_form_names[] = {"full", "magnitude", "sum", NULL};

/* Returns the row of `legendre` where order m begins; an order's rows are consecutive for GEMM. */
static size_t order_start(int m) {
    return (size_t)(m * PSB_DEGREES - m * (m - 1) / 2);
}

/* Return the lowest degree of order m in the tail, and the row of `tail` where the order begins. */
static int tail_degree(int m) {
    return m < PSB_DEGREES ? PSB_DEGREES : m;
}

static size_t tail_start(int m) {
    int beyond = m < PSB_DEGREES ? 0 : m - PSB_DEGREES; /* orders that no kept degree has */
    return (size_t)((m - beyond) * HIGHER + beyond * HIGHER - beyond * (beyond - 1) / 2);
}

/* Applies the recurrence of q_lm to polynomials: z T_0 = T_1, z T_k = (T_k-1 + T_k+1) / 2. */
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

/* Returns the quadrature weight of a ring of the grid; the 64 weights sum to 2 (Driscoll and Healy
 * 1994). */
static double ring_weight(int j) {
    const int bandwidth = PSB_GRID / 2;
    double polar = M_PI * (2 * j + 1) / (2.0 * PSB_GRID);
    double sum = 0.0;
    for (int k = 0; k < bandwidth; k++) {
        sum += psb_sin((2 * k + 1) * polar) / (2 * k + 1);
    }
    return 2.0 / bandwidth * psb_sin(polar) * sum;
}

static void fill_legendre(psb_harmonics *h) {
    for (int j = 0; j < PSB_GRID; j++) {
        double polar = M_PI * (2 * j + 1) / (2.0 * PSB_GRID);
        double weight = 2.0 * M_PI / PSB_GRID * ring_weight(j);
        h->solid_angle[j] = weight;
        double sine_power = 1.0;
        for (int m = 0; m < PSB_BANDWIDTH; m++) {
            double q[PSB_BANDWIDTH];
            psb_legendre_column(&h->recurrence, PSB_BANDWIDTH, m, psb_cos(polar), q);
            for (int l = m; l < PSB_DEGREES; l++) {
                h->legendre[order_start(m) + (size_t)(l - m)][j] = weight * sine_power * q[l - m];
            }
            for (int first = tail_degree(m), l = first; l < PSB_BANDWIDTH; l++) {
                h->tail[tail_start(m) + (size_t)(l - first)][j] = weight * sine_power * q[l - m];
            }
            sine_power *= psb_sin(polar);
        }
    }
}

psb_status psb_harmonics_new(psb_harmonics **harmonics, psb_error *error) {
    psb_status status = PSB_OK;
    *harmonics = psb_new_zero(&status, 1, sizeof **harmonics, "harmonics", error);
    if (status == PSB_OK) {
        psb_legendre_fill(&(*harmonics)->recurrence);
        fill_chebyshev_factors(*harmonics);
        fill_legendre(*harmonics);
        psb_azimuth_fill(&(*harmonics)->waves);
    }
    return status;
}

void psb_harmonics_free(psb_harmonics *harmonics) {
    free(harmonics);
}

/* Returns how many doubles the Fourier coefficients [order][ring][function] take. */
static size_t spectrum_length(size_t n) {
    return 2 * (size_t)PSB_BANDWIDTH * PSB_GRID * n;
}

size_t psb_harmonics_scratch(size_t n) {
    return spectrum_length(n) + 2 * PSB_DEGREES * n; /* and one order's result */
}

/* Puts the Fourier coefficients of all rings, for the first `orders` orders, into `scratch`. */
static void transform_rings(const psb_harmonics *h, size_t n, const double *samples, int orders,
                            double *scratch) {
    size_t length = 2 * n; /* real and imaginary part of each function */
    for (size_t j = 0; j < PSB_GRID; j++) {
        psb_azimuth_transform(&h->waves, orders, n, samples + j * n * PSB_GRID, PSB_GRID * length,
                              scratch + j * length);
    }
}

/* Returns coefficients of order m for `degrees` degrees, [degree][function][real, imaginary]. */
static double *multiply(const double *legendre, int degrees, int m, size_t n, double *scratch) {
    double *product = scratch + spectrum_length(n);
    int columns = 2 * (int)n;
    psb_matrix_product(degrees, columns, PSB_GRID, legendre, PSB_GRID,
                       scratch + (size_t)m * PSB_GRID * (size_t)columns, columns, false, product,
                       columns);
    return product;
}

static void take_degrees(const psb_harmonics *h, size_t n, double *scratch, psb_coefficients *out) {
    for (int m = 0; m < PSB_DEGREES; m++) {
        const double *product =
            multiply(h->legendre[order_start(m)], PSB_DEGREES - m, m, n, scratch);
        for (int l = m; l < PSB_DEGREES; l++) {
            const double *row = product + (size_t)(l - m) * 2 * n;
            for (size_t f = 0; f < n; f++) {
                memcpy(out[f][psb_lm(l, m)], row + 2 * f, 2 * sizeof(double));
            }
        }
    }
}

static void add_tails(const psb_harmonics *h, size_t n, double *scratch, psb_tail *tails) {
    memset(tails, 0, n * sizeof *tails);
    for (int m = 0; m < PSB_BANDWIDTH; m++) {
        int degrees = PSB_BANDWIDTH - tail_degree(m);
        const double *c = multiply(h->tail[tail_start(m)], degrees, m, n, scratch);
        for (int l = 0; l < degrees; l++) {
            for (size_t f = 0; f < n; f++, c += 2) {
                double *sum = m == 0 ? &tails[f].zonal : &tails[f].other;
                *sum += c[0] * c[0] + c[1] * c[1];
            }
        }
    }
}

void psb_harmonics_forward(const psb_harmonics *harmonics, size_t n, const double *samples,
                           double *scratch, psb_coefficients *out) {
    transform_rings(harmonics, n, samples, PSB_DEGREES, scratch);
    take_degrees(harmonics, n, scratch, out);
}

void psb_harmonics_forward_tails(const psb_harmonics *harmonics, size_t n, const double *samples,
                                 double *scratch, psb_coefficients *out, psb_tail *tails) {
    transform_rings(harmonics, n, samples, PSB_BANDWIDTH, scratch);
    take_degrees(harmonics, n, scratch, out);
    add_tails(harmonics, n, scratch, tails);
}

double psb_harmonics_solid_angle(const psb_harmonics *harmonics, int j) {
    return harmonics->solid_angle[j];
}

/*
 * The sums over a batch of directions of weight times T_k(z) (x - iy)^m for all k and m, from which
 * any Y_lm follows. They stand by parity of k and of m, since even and odd degrees need only those
 * with k + m even or odd.
 */
typedef struct batch_sums {
    double chebyshev[2][PSB_BATCH][HALF]; /* T_k(z): [k % 2][direction][k / 2] */
    double turned[2][HALF][2][PSB_BATCH]; /* [m % 2][m / 2][real, imaginary] */
    double product[HALF][2][HALF];        /* [m / 2][real, imaginary][k / 2] */
} batch_sums;

PSB_INLINE void fill_chebyshev(const double *z, batch_sums *batch) {
    double t[PSB_DEGREES][PSB_BATCH];
    for (int i = 0; i < PSB_BATCH; i++) {
        t[0][i] = 1.0;
        t[1][i] = z[i];
    }
    for (int k = 2; k < PSB_DEGREES; k++) {
        for (int i = 0; i < PSB_BATCH; i++) {
            t[k][i] = 2.0 * z[i] * t[k - 1][i] - t[k - 2][i];
        }
    }
    for (int i = 0; i < PSB_BATCH; i++) {
        for (int k = 0; k < PSB_DEGREES; k++) {
            batch->chebyshev[k % 2][i][k / 2] = t[k][i];
        }
    }
}

/* Sets batch->turned to weight (x - iy)^m. */
PSB_INLINE void turn_weights(const psb_directions *directions, const double *weights,
                             batch_sums *batch) {
    const double *x = directions->at[0], *y = directions->at[1];
    memcpy(batch->turned[0][0][0], weights, sizeof batch->turned[0][0][0]);
    memset(batch->turned[0][0][1], 0, sizeof batch->turned[0][0][1]);
    for (int m = 1; m < PSB_DEGREES; m++) {
        const double(*last)[PSB_BATCH] = batch->turned[(m - 1) % 2][(m - 1) / 2];
        double(*next)[PSB_BATCH] = batch->turned[m % 2][m / 2];
        for (int i = 0; i < PSB_BATCH; i++) {
            next[0][i] = last[0][i] * x[i] + last[1][i] * y[i];
            next[1][i] = last[1][i] * x[i] - last[0][i] * y[i];
        }
    }
}

/* Adds to the coefficients of all degrees of one parity. */
PSB_INLINE void add_degrees(const psb_harmonics *h, const psb_directions *directions,
                            const double *weights, int parity, batch_sums *batch,
                            psb_coefficients sum) {
    turn_weights(directions, weights, batch);
    for (int odd = 0; odd < 2; odd++) { /* parity of m; T_k contributes if k + m + l is even */
        psb_matrix_product(2 * HALF, HALF, PSB_BATCH, batch->turned[odd][0][0], PSB_BATCH,
                           batch->chebyshev[parity ^ odd][0], HALF, false, batch->product[0][0],
                           HALF);
        for (int m = odd; m < PSB_DEGREES; m += 2) {
            for (int l = m + (parity ^ odd); l < PSB_DEGREES; l += 2) {
                const double *factor = h->chebyshev[psb_lm(l, m)];
                for (int k = 0; k <= (l - m) / 2; k++) {
                    sum[psb_lm(l, m)][0] += factor[k] * batch->product[m / 2][0][k];
                    sum[psb_lm(l, m)][1] += factor[k] * batch->product[m / 2][1][k];
                }
            }
        }
    }
}

PSB_INLINE void add(const psb_harmonics *harmonics, const psb_directions *directions,
                    const psb_direction_weights *measures, size_t nmeasures) {
    batch_sums batch;
    fill_chebyshev(directions->at[2], &batch);
    for (size_t f = 0; f < nmeasures; f++) {
        const double *weights[2] = {measures[f].even, measures[f].odd};
        for (int parity = 0; parity < 2; parity++) {
            if (weights[parity] != NULL) {
                add_degrees(harmonics, directions, weights[parity], parity, &batch,
                            *measures[f].sum);
            }
        }
    }
}

PSB_VARIANTS(psb_batch_kernels, psb_batch_kernel, add,
             (const psb_harmonics *harmonics, const psb_directions *directions,
              const psb_direction_weights *measures, size_t nmeasures),
             (harmonics, directions, measures, nmeasures))

void psb_harmonics_add(const psb_harmonics *harmonics, const psb_directions *directions,
                       const psb_direction_weights *measures, size_t nmeasures) {
    const psb_batch_kernel *kernel = psb_cpu_choose(psb_batch_kernels);
    kernel->add(harmonics, directions, measures, nmeasures);
}

static void scale_degree(psb_coefficients a, int l, double factor) {
    for (int m = 0; m <= l; m++) {
        a[psb_lm(l, m)][0] *= factor;
        a[psb_lm(l, m)][1] *= factor;
    }
}

void psb_harmonics_smooth(psb_coefficients a, double t) {
    for (int l = 0; l < PSB_DEGREES; l++) {
        scale_degree(a, l, psb_exp(-t * l * (l + 1)));
    }
}

void psb_harmonics_fejer(psb_coefficients a) {
    for (int l = 0; l < PSB_DEGREES; l++) {
        scale_degree(a, l, 1.0 - l / (PSB_DEGREES + 1.0));
    }
}

size_t psb_form_length(psb_form form) {
    return form == PSB_FORM_FULL ? PSB_FULL : PSB_COEFFICIENTS;
}

static size_t store_one(const double c[2], bool zonal, psb_form form, double *row) {
    double factor = zonal ? 1.0 : M_SQRT2; /* m > 0 stands for -m, too */
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
