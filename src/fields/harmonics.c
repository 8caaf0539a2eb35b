/*
 * Transforms in two steps: along the azimuth, then for each order m by matrix products of the
 * weighted Legendre functions with the m-th Fourier coefficients. A function of even l + m is the
 * same north and south of the equator, one of odd l + m the negative, so sums and differences of
 * two rings take the place of both. Coefficients of degrees 16 to 31 are only squared and added up.
 *
 * The products are exact sums of whole numbers (core/linear.h): both sides are split in two parts.
 */
#include "fields/harmonics.h"

#include "core/elementary.h"
#include "core/fourier.h"
#include "core/linear.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { HALF = PSB_DEGREES / 2 };

enum {
    RINGS = PSB_GRID / 2, /* north of the equator */
    ROWS = PSB_BANDWIDTH * (PSB_BANDWIDTH + 1) / 2,
    COLUMNS = 2 * PSB_SHELLS, /* most real and imaginary parts of an order */
};

struct psb_harmonics {
    psb_fourier *ring;
    /*
     * Quadrature weight times the normalized Legendre function, in units of `unit`: the high and
     * the low part by ring. Rows stand by order, by parity of l - m, then by degree.
     */
    double legendre[ROWS][2][RINGS];
    double unit[ROWS];
    psb_legendre recurrence;
    /* Factors of T_k in q_lm, T_k Chebyshev polynomials, k <= l - m of equal parity: [lm][k / 2] */
    double chebyshev[PSB_COEFFICIENTS][HALF];
    double solid_angle[PSB_GRID]; /* of each node of a ring */
};

const char *const psb_form_names[] = {"full", "magnitude", "sum", NULL};

/* Returns how many degrees of order m and this parity are below `end`. */
static int degrees_below(int end, int m, int parity) {
    return (end - m - parity + 1) / 2;
}

/* Returns the row of degree m + parity; those of the next degrees follow. */
static size_t first_row(int m, int parity) {
    int before = m * PSB_BANDWIDTH - m * (m - 1) / 2; /* rows of lower orders */
    return (size_t)(before + (parity == 1 ? degrees_below(PSB_BANDWIDTH, m, 0) : 0));
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
    double rows[RINGS][ROWS], low = psb_whole_low(RINGS);
    for (int j = 0; j < PSB_GRID; j++) {
        h->solid_angle[j] = 2.0 * M_PI / PSB_GRID * ring_weight(j);
    }
    for (int j = 0; j < RINGS; j++) {
        double polar = M_PI * (2 * j + 1) / (2.0 * PSB_GRID), power = h->solid_angle[j];
        for (int m = 0; m < PSB_BANDWIDTH; m++, power *= psb_sin(polar)) {
            double q[PSB_BANDWIDTH];
            psb_legendre_column(&h->recurrence, PSB_BANDWIDTH, m, psb_cos(polar), q);
            for (int l = m; l < PSB_BANDWIDTH; l++) {
                rows[j][first_row(m, (l - m) % 2) + (size_t)(l - m) / 2] = power * q[l - m];
            }
        }
    }
    for (size_t r = 0; r < ROWS; r++) {
        double square = 0;
        for (int j = 0; j < RINGS; j++) {
            square += rows[j][r] * rows[j][r];
        }
        double scale = psb_whole_scale(square);
        h->unit[r] = 1 / scale;
        for (int j = 0; j < RINGS; j++) {
            psb_whole_split(rows[j][r] * scale, low, &h->legendre[r][0][j], &h->legendre[r][1][j]);
        }
    }
}

psb_status psb_harmonics_new(psb_harmonics **harmonics, psb_error *error) {
    psb_status status = PSB_OK;
    *harmonics = psb_new_zero(&status, 1, sizeof **harmonics, "harmonics", error);
    PSB_THEN(status, psb_fourier_new(PSB_GRID, COLUMNS, &(*harmonics)->ring, error));
    if (status != PSB_OK) {
        free(*harmonics);
        *harmonics = NULL;
        return status;
    }
    psb_legendre_fill(&(*harmonics)->recurrence);
    fill_chebyshev_factors(*harmonics);
    fill_legendre(*harmonics);
    return status;
}

void psb_harmonics_free(psb_harmonics *harmonics) {
    if (harmonics != NULL) {
        psb_fourier_free(harmonics->ring);
        free(harmonics);
    }
}

/* Sums and differences of two rings: [2 order + parity][column]. With one line more, a line of all
 * rings is spread over the cache. */
typedef double ring_sums[2 * PSB_BANDWIDTH + 1][COLUMNS];

enum { SPECTRUM = RINGS * sizeof(ring_sums) / sizeof(double) };

size_t psb_harmonics_scratch(size_t n) {
    /* And both parts of one order's columns, and of its results. */
    return SPECTRUM + 2 * (size_t)RINGS * 2 * n + PSB_BANDWIDTH * 2 * n;
}

/* The Fourier coefficients of a ring: [order][function][real, imaginary]. */
typedef double ring_orders[PSB_GRID / 2 + 1][COLUMNS];

/* Transforms n functions on a ring. Most fields are 0 nearly everywhere, and the transform of zeros
 * is 0. */
static void transform_ring(const psb_harmonics *h, size_t n, const double *samples, int orders,
                           ring_orders out) {
    static const double zeros[PSB_GRID];
    for (size_t f = 0; f < n; f++, samples += PSB_GRID) {
        if (memcmp(samples, zeros, sizeof zeros) != 0) {
            psb_fourier_transform(h->ring, samples, out[0] + 2 * f);
            continue;
        }
        for (int m = 0; m < orders; m++) {
            out[m][2 * f] = out[m][2 * f + 1] = 0.0;
        }
    }
}

/* Puts sums and differences of rings, for the first `orders` orders, into `out`. */
PSB_INLINE void transform_rings(const psb_harmonics *h, size_t n, const double *samples, int orders,
                                ring_sums *out) {
    ring_orders north, south;
    for (size_t j = 0; j < RINGS; j++) {
        transform_ring(h, n, samples + j * n * PSB_GRID, orders, north);
        transform_ring(h, n, samples + (PSB_GRID - 1 - j) * n * PSB_GRID, orders, south);
        for (int m = 0; m < orders; m++) {
            for (size_t c = 0; c < 2 * n; c++) {
                out[j][2 * m][c] = north[m][c] + south[m][c];
                out[j][2 * m + 1][c] = north[m][c] - south[m][c];
            }
        }
    }
}

PSB_KERNEL(psb_rings,
           (const psb_harmonics *h, size_t n, const double *samples, int orders, ring_sums *out))

PSB_VARIANTS(psb_rings, transform_rings,
             (const psb_harmonics *h, size_t n, const double *samples, int orders, ring_sums *out),
             (h, n, samples, orders, out))

/* Splits columns of RINGS numbers, all high parts before all low ones. */
PSB_INLINE void split(const ring_sums *x, size_t at, size_t columns, double *unit, double *high) {
    const double low = psb_whole_low(RINGS);
    double square[COLUMNS] = {0}, scale[COLUMNS];
    for (size_t j = 0; j < RINGS; j++) {
        for (size_t c = 0; c < columns; c++) {
            square[c] += x[j][at][c] * x[j][at][c];
        }
    }
    for (size_t c = 0; c < columns; c++) {
        scale[c] = psb_whole_scale(square[c]);
        unit[c] = 1 / scale[c];
    }
    for (size_t j = 0; j < RINGS; j++) {
        double *restrict out = high + j * columns, *restrict rest = out + RINGS * columns;
        for (size_t c = 0; c < columns; c++) {
            psb_whole_split(x[j][at][c] * scale[c], low, &out[c], &rest[c]);
        }
    }
}

PSB_KERNEL(psb_split, (const ring_sums *x, size_t at, size_t columns, double *unit, double *high))

PSB_VARIANTS(psb_split, split,
             (const ring_sums *x, size_t at, size_t columns, double *unit, double *high),
             (x, at, columns, unit, high))

/* Returns the coefficients of order m for the degrees of one parity below `end`, [degree][function]
 * [real, imaginary]. */
static const double *multiply(const psb_harmonics *h, int end, int m, int parity, size_t n,
                              double *scratch) {
    int columns = 2 * (int)n, degrees = degrees_below(end, m, parity);
    size_t line = 2 * n, row = first_row(m, parity);
    double *high = scratch + SPECTRUM, *low = high + RINGS * line;
    double *product = low + RINGS * line, unit[COLUMNS], factor = 1 / psb_whole_low(RINGS);
    const ring_sums *rings = (const void *)scratch;
    PSB_RUN(psb_split)(rings, (size_t)(2 * m + parity), line, unit, high);
    /* Lines of the result: high high, and below it low high + high low. */
    psb_product x = {.m = 2 * degrees,
                     .n = columns,
                     .k = RINGS,
                     .a = h->legendre[row][0],
                     .lda = RINGS,
                     .b = high,
                     .ldb = columns,
                     .c = product,
                     .ldc = columns};
    psb_whole_product(&x);
    x.m = degrees;
    x.lda = 2 * RINGS;
    x.b = low;
    x.c = product + line;
    x.ldc = 2 * columns;
    x.more = true;
    psb_whole_product(&x);
    for (size_t l = 0; l < (size_t)degrees; l++) {
        const double *both = product + 2 * l * line;
        for (size_t c = 0; c < line; c++) {
            product[l * line + c] =
                (both[c] + both[line + c] * factor) * unit[c] * h->unit[row + l];
        }
    }
    return product;
}

/* Squares and adds the degrees of the tail. */
static void add_tail(const double *c, int count, bool zonal, size_t n, psb_tail *tails) {
    for (int l = 0; l < count; l++) {
        for (size_t f = 0; f < n; f++, c += 2) {
            double *sum = zonal ? &tails[f].zonal : &tails[f].other;
            *sum += c[0] * c[0] + c[1] * c[1];
        }
    }
}

/* Takes the coefficients of the kept degrees and, unless it is NULL, adds the others to `tails`. */
static void take_degrees(const psb_harmonics *h, size_t n, double *scratch, psb_coefficients *out,
                         psb_tail *tails) {
    int end = tails != NULL ? PSB_BANDWIDTH : PSB_DEGREES;
    for (int m = 0; m < end; m++) {
        for (int parity = 0; parity < 2 && m + parity < end; parity++) {
            const double *row = multiply(h, end, m, parity, n, scratch);
            int l = m + parity;
            for (; l < PSB_DEGREES; l += 2, row += 2 * n) {
                for (size_t f = 0; f < n; f++) {
                    memcpy(out[f][psb_lm(l, m)], row + 2 * f, 2 * sizeof(double));
                }
            }
            if (l < end) {
                add_tail(row, degrees_below(end, l, 0), m == 0, n, tails);
            }
        }
    }
}

void psb_harmonics_forward(const psb_harmonics *harmonics, size_t n, const double *samples,
                           double *scratch, psb_coefficients *out) {
    PSB_RUN(psb_rings)(harmonics, n, samples, PSB_DEGREES, (ring_sums *)(void *)scratch);
    take_degrees(harmonics, n, scratch, out, NULL);
}

void psb_harmonics_forward_tails(const psb_harmonics *harmonics, size_t n, const double *samples,
                                 double *scratch, psb_coefficients *out, psb_tail *tails) {
    PSB_RUN(psb_rings)(harmonics, n, samples, PSB_BANDWIDTH, (ring_sums *)(void *)scratch);
    memset(tails, 0, n * sizeof *tails);
    take_degrees(harmonics, n, scratch, out, tails);
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

/* Sums turned over the directions, times T_k, for one parity each: too small a product for a
 * library. Compilers vectorize the loop over k, so four rows of sums stay in registers. */
PSB_INLINE void multiply_batch(const double *restrict turned, const double *restrict chebyshev,
                               double *restrict product) {
    for (int row = 0; row < 2 * HALF; row += 4, product += 4 * HALF, turned += 4 * PSB_BATCH) {
        for (int k = 0; k < HALF; k++) {
            double sum[4] = {0.0};
            for (int i = 0; i < PSB_BATCH; i++) {
                double t = chebyshev[i * HALF + k];
                sum[0] += turned[i] * t;
                sum[1] += turned[PSB_BATCH + i] * t;
                sum[2] += turned[2 * PSB_BATCH + i] * t;
                sum[3] += turned[3 * PSB_BATCH + i] * t;
            }
            for (int r = 0; r < 4; r++) {
                product[r * HALF + k] = sum[r];
            }
        }
    }
}

/* Adds to the coefficients of all degrees of one parity. */
PSB_INLINE void add_degrees(const psb_harmonics *h, const psb_directions *directions,
                            const double *weights, int parity, batch_sums *batch,
                            psb_coefficients sum) {
    turn_weights(directions, weights, batch);
    for (int odd = 0; odd < 2; odd++) { /* parity of m; T_k contributes if k + m + l is even */
        multiply_batch(batch->turned[odd][0][0], batch->chebyshev[parity ^ odd][0],
                       batch->product[0][0]);
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

PSB_VARIANTS(psb_batch, add,
             (const psb_harmonics *harmonics, const psb_directions *directions,
              const psb_direction_weights *measures, size_t nmeasures),
             (harmonics, directions, measures, nmeasures))

void psb_harmonics_add(const psb_harmonics *harmonics, const psb_directions *directions,
                       const psb_direction_weights *measures, size_t nmeasures) {
    PSB_RUN(psb_batch)(harmonics, directions, measures, nmeasures);
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
