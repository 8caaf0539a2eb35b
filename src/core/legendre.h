/*
 * Numbers the coefficients of spherical harmonics, and evaluates the recurrence of their Legendre
 * part up to degree 31. Rows hold degrees up to 15. The functions are orthonormal and have the
 * Condon-Shortley sign.
 */
#pragma once

#include <stddef.h>

enum {
    PSB_DEGREES = 16, /* degrees 0 ... 15: the paper's "order 16" */
    PSB_COEFFICIENTS = PSB_DEGREES * (PSB_DEGREES + 1) / 2, /* pairs (l, m) with 0 <= m <= l */
    PSB_FULL = PSB_DEGREES * PSB_DEGREES, /* real numbers that describe a real function */
    PSB_BANDWIDTH = 32,                   /* degrees that a 64 x 64 grid resolves */
};

/* Position of (l, m) among the coefficients of a function. */
static inline size_t psb_lm(int l, int m) {
    return (size_t)(l * (l + 1) / 2 + m);
}

/* The factors of Y_lm = q_lm(z) (x + iy)^m: q_lm = a_lm (z q_{l-1,m} - b_lm q_{l-2,m}), and q_mm,
 * which is constant. */
typedef struct psb_legendre {
    double a[PSB_BANDWIDTH * (PSB_BANDWIDTH + 1) / 2], b[PSB_BANDWIDTH * (PSB_BANDWIDTH + 1) / 2];
    double diagonal[PSB_BANDWIDTH];
} psb_legendre;

void psb_legendre_fill(psb_legendre *legendre);

/* Writes q_lm(z) for one m and l = m ... degrees - 1 into q[l - m]; degrees <= PSB_BANDWIDTH. */
void psb_legendre_column(const psb_legendre *legendre, int degrees, int m, double z, double *q);
