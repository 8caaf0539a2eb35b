/*
 * Powers of a batch of directions, of which every spherical harmonic is a sum: T_k(z) (x - iy)^m,
 * the latter times a weight. By parity of k and of m, since even and odd degrees need each half.
 */
#ifndef PSB_FIELDS_DIRECTION_POWERS_H
#define PSB_FIELDS_DIRECTION_POWERS_H

#include "core/cpu.h"
#include "fields/harmonics.h"

enum { PSB_HALF_DEGREES = PSB_DEGREES / 2 };

typedef struct psb_direction_powers {
    double chebyshev[2][PSB_HALF_DEGREES][PSB_BATCH]; /* T_k(z): [k % 2][k / 2] */
    double turned[2][PSB_HALF_DEGREES][2][PSB_BATCH]; /* [m % 2][m / 2][real, imaginary] */
} psb_direction_powers;

typedef struct psb_powers_kernel {
    psb_variant variant;
    void (*fill)(const psb_directions *directions, const double *weights,
                 psb_direction_powers *out);
} psb_powers_kernel;

/* The psb_powers_kernel of this build, fastest first; the last is plain, then NULL. */
extern const psb_variant *const psb_powers_kernels[];

#endif
