/*
 * Turns harmonic rows, which have a_l0, sqrt2 Re a_lm, sqrt2 Im a_lm by degree and order, pole z.
 *
 * These are the coefficients in the real basis B = Y_l0, sqrt2 Re Y_lm, -sqrt2 Im Y_lm. The cycle C
 * of the axes turns a function with coefficients f into one with W f, where W is the integral of
 * B(u) B(C u)' over the sphere and mixes only numbers of one degree; the opposite cycle gives W' f.
 * Exchanging x and y only permutes numbers and changes signs, which gives the other three orders.
 */
#include "core/elementary.h"
#include "core/legendre.h"
#include "distance/pose.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* The integrand is a polynomial of degree 30: both rules are exact. */
enum { NODES = 16, AZIMUTHS = 32, MOST_ORDERS = 2 * PSB_DEGREES - 1 };

/* By degree; turn_cycle computes W f from [0], which is W', and W' f from [1], which is W. */
static double cycle[2][PSB_DEGREES][MOST_ORDERS][MOST_ORDERS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Computes node and weight k of the Gauss-Legendre rule: a zero of P_16, by Newton's method. */
static void gauss_legendre(int k, double *z, double *weight) {
    double x = psb_cos(M_PI * (k + 0.75) / (NODES + 0.5)), slope = 1.0;
    for (int step = 0; step < 8; step++) {
        double before = 1.0, p = x;
        for (int n = 2; n <= NODES; n++) {
            double next = ((2 * n - 1) * x * p - (n - 1) * before) / n;
            before = p;
            p = next;
        }
        slope = NODES * (before - x * p) / (1.0 - x * x);
        x -= p / slope;
    }
    *z = x;
    *weight = 2.0 / ((1.0 - x * x) * slope * slope);
}

/* Computes B(u). */
static void basis(const psb_legendre *legendre, const double u[3], double value[PSB_FULL]) {
    double re = 1.0, im = 0.0; /* (x + iy)^m */
    for (int m = 0; m < PSB_DEGREES; m++) {
        double q[PSB_DEGREES];
        psb_legendre_column(legendre, PSB_DEGREES, m, u[2], q);
        for (int l = m; l < PSB_DEGREES; l++) {
            double *at = value + l * l + (m > 0 ? 2 * m - 1 : 0);
            at[0] = (m > 0 ? M_SQRT2 : 1.0) * q[l - m] * re;
            if (m > 0) {
                at[1] = -M_SQRT2 * q[l - m] * im;
            }
        }
        double next = re * u[0] - im * u[1];
        im = re * u[1] + im * u[0];
        re = next;
    }
}

static void add_direction(const psb_legendre *legendre, const double u[3], double weight) {
    const double turned[3] = {u[1], u[2], u[0]};
    double here[PSB_FULL], there[PSB_FULL];
    basis(legendre, u, here);
    basis(legendre, turned, there);
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int i = 0; i <= 2 * l; i++) {
            for (int j = 0; j <= 2 * l; j++) {
                double share = weight * here[l * l + i] * there[l * l + j];
                cycle[0][l][j][i] += share;
                cycle[1][l][i][j] += share;
            }
        }
    }
}

static void fill_cycle(void) {
    psb_legendre legendre;
    psb_legendre_fill(&legendre);
    for (int k = 0; k < NODES; k++) {
        double z, weight;
        gauss_legendre(k, &z, &weight);
        for (int i = 0; i < AZIMUTHS; i++) {
            double azimuth = 2.0 * M_PI * i / AZIMUTHS, sine = sqrt(1.0 - z * z);
            const double u[3] = {sine * psb_cos(azimuth), sine * psb_sin(azimuth), z};
            add_direction(&legendre, u, weight * 2.0 * M_PI / AZIMUTHS);
        }
    }
}

/* Computes W f or W' f, line by line, which compilers vectorize. */
static void turn_cycle(double (*lines)[MOST_ORDERS][MOST_ORDERS], const double *restrict from,
                       double *restrict to) {
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int i = 0; i <= 2 * l; i++) {
            to[l * l + i] = 0.0;
        }
        for (int j = 0; j <= 2 * l; j++) {
            for (int i = 0; i <= 2 * l; i++) {
                to[l * l + i] += lines[l][j][i] * from[l * l + j];
            }
        }
    }
}

/* Exchanges x and y of some rows side by side: makes i^m (x - iy)^m of (x + iy)^m. */
static void exchange(size_t rows, double *f) {
    for (size_t l = 1; l < PSB_DEGREES; l++) {
        for (size_t m = 1; m <= l; m++) {
            double *at = f + (l * l + 2 * m - 1) * rows;
            double sign = m % 4 == 0 || m % 4 == 3 ? 1.0 : -1.0;
            for (size_t r = 0; r < rows; r++) {
                double re = at[r], im = at[rows + r];
                at[r] = sign * (m % 2 == 0 ? re : im);
                at[rows + r] = sign * (m % 2 == 0 ? -im : re);
            }
        }
    }
}

static void turn_panel(const psb_pose_kernel *kernel, double (*lines)[MOST_ORDERS][MOST_ORDERS],
                       const double *from, double *to) {
    for (size_t l = 0; l < PSB_DEGREES; l++) {
        kernel->multiply(lines[l][0], 2 * l + 1, MOST_ORDERS, from + l * l * PSB_POSE_PANEL,
                         to + l * l * PSB_POSE_PANEL);
    }
}

/* Turns a block into `order`; an odd order is the preceding one with x and y exchanged. */
static void turn(const psb_pose_kernel *kernel, int order, const double *from, double *to) {
    size_t rows = kernel != NULL ? PSB_POSE_PANEL : 1;
    bool begun = kernel != NULL && order % 2 == 1;
    pthread_once(&once, fill_cycle);
    if (!begun && order < 2) {
        memcpy(to, from, PSB_FULL * rows * sizeof *to);
    } else if (!begun && kernel != NULL) {
        turn_panel(kernel, cycle[order / 2 - 1], from, to);
    } else if (!begun) {
        turn_cycle(cycle[order / 2 - 1], from, to);
    }
    if (order % 2 == 1) {
        exchange(rows, to);
    }
}

/* Fills in the classes: Re a_lm is odd in x if m is, never in y, in z if l + m is; Im a_lm in x if
 * m + 1 is odd, always in y, in z if l + m is. */
static void parity(unsigned char *parity) {
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            int z = (l + m) % 2;
            *parity++ = (unsigned char)(m % 2 | z << 2);
            if (m > 0) {
                *parity++ = (unsigned char)((m + 1) % 2 | 1 << 1 | z << 2);
            }
        }
    }
}

const psb_pose_form psb_pose_harmonic = {
    .block = PSB_FULL,
    .most = PSB_POSE_LONGEST / PSB_FULL,
    .keeps_l1 = false,
    .parity = parity,
    .turn = turn,
};
