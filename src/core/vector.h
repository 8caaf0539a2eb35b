/* Vectors of three doubles, and inline minimum and maximum of numbers other than NaN. */
#pragma once

#include "core/cpu.h"

#include <math.h>

/* For loops: GCC 12 for aarch64 stops with an internal error at fmin and fmax over numbers that are
 * apart in memory. */
PSB_INLINE double psb_min(double a, double b) {
    return a < b ? a : b;
}

PSB_INLINE double psb_max(double a, double b) {
    return a > b ? a : b;
}

static inline void psb_subtract(const double a[3], const double b[3], double out[3]) {
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
    out[2] = a[2] - b[2];
}

static inline void psb_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double psb_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double psb_norm(const double a[3]) {
    return sqrt(psb_dot(a, a));
}

static inline void psb_divide(double a[3], double by) {
    for (int k = 0; k < 3; k++) {
        a[k] /= by;
    }
}

/* Scales a nonzero vector to length 1. */
static inline void psb_normalize(double a[3]) {
    psb_divide(a, psb_norm(a));
}

/* Computes the normal of a counterclockwise triangle; its length is twice the area. */
static inline void psb_normal(const double a[3], const double b[3], const double c[3],
                              double out[3]) {
    double u[3], v[3];
    psb_subtract(b, a, u);
    psb_subtract(c, a, v);
    psb_cross(u, v, out);
}
