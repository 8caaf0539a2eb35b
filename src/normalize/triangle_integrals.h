/* Computes integrals over one triangle in closed form, for surface integrals. */
#ifndef PSB_NORMALIZE_TRIANGLE_INTEGRALS_H
#define PSB_NORMALIZE_TRIANGLE_INTEGRALS_H

#include "core/cpu.h"
#include "core/vector.h"

#include <stddef.h>

static inline double psb_triangle_area(const double a[3], const double b[3], const double c[3]) {
    double n[3];
    psb_normal(a, b, c, n);
    return 0.5 * psb_norm(n);
}

enum { PSB_TRIANGLES = 32 }; /* whose integrals are found together, at most */

typedef double psb_corners[3][3]; /* [corner][x, y, z] */

/*
 * Integrals of |p| over n triangles: by a seven-point rule of degree 5 (relative error below 1e-7)
 * over those that are small relative to their distance from the origin, else in closed form.
 */
void psb_triangle_distance_integrals(const psb_corners *triangles, size_t n, double *integrals);

typedef struct psb_antiderivative_kernel {
    psb_variant variant;
    /* For n edges, a multiple of 8: arrays of the plane's distance, the edge's, and places on it.
     */
    void (*find)(size_t n, const double *h, const double *d, const double *t, double *out);
} psb_antiderivative_kernel;

/* The psb_antiderivative_kernel of this build, fastest first; the last is plain, then NULL. */
extern const psb_variant *const psb_antiderivative_kernels[];

/*
 * Area of the part of abc with p[axis] > 0; xa, xb, xc are the corners' coordinates along that
 * axis.
 */
double psb_triangle_positive_area(double area, double xa, double xb, double xc);

#endif
