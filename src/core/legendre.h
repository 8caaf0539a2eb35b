/*
 * Spherical harmonics without samples: the numbering of their coefficients, and the recurrence of
 * their Legendre part up to degree 31. Rows hold degrees up to 15. Orthonormal, Condon-Shortley
 * sign.
 */
#ifndef PSB_CORE_LEGENDRE_H
#define PSB_CORE_LEGENDRE_H

#include <stddef.h>

enum {
    PSB_DEGREES = 16, /* degrees 0 ... 15: the paper's "order 16" */
    PSB_COEFFICIENTS = PSB_DEGREES * (PSB_DEGREES + 1) / 2, /* pairs l, 0 <= m <= l */
    PSB_FULL = PSB_DEGREES * PSB_DEGREES,                   /* reals that store a real function */
    PSB_BANDWIDTH = 32,                                     /* degrees that the 64 x 64 grid has */
};

/* Position of (l, m) among the coefficients of a function. */
static inline size_t psb_lm(int l, int m) {
    return (size_t)(l * (l + 1) / 2 + m);
}

/* Y_lm = q_lm(z) (x + iy)^m: q_lm = a_lm (z q_{l-1,m} - b_lm q_{l-2,m}), q_mm constant. */
typedef struct psb_legendre {
    double a[PSB_BANDWIDTH * (PSB_BANDWIDTH + 1) / 2], b[PSB_BANDWIDTH * (PSB_BANDWIDTH + 1) / 2];
    double diagonal[PSB_BANDWIDTH];
} psb_legendre;

void psb_legendre_fill(psb_legendre *legendre);

/* q_lm(z) for one m and l = m ... degrees - 1, into q[l - m]; degrees at most PSB_BANDWIDTH. */
void psb_legendre_column(const psb_legendre *legendre, int degrees, int m, double z, double *q);

#endif
