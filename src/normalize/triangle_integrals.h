/* Closed forms of integrals over one triangle, from which the surface integrals are summed. */
#ifndef PSB_NORMALIZE_TRIANGLE_INTEGRALS_H
#define PSB_NORMALIZE_TRIANGLE_INTEGRALS_H

#include "core/vector.h"

static inline double psb_triangle_area(const double a[3], const double b[3], const double c[3]) {
    double n[3];
    psb_normal(a, b, c, n);
    return 0.5 * psb_norm(n);
}

/*
 * Integral of |p| over the triangle abc: by a seven-point rule of degree 5 (relative error below
 * 1e-7) if the triangle is small relative to its distance from the origin, else in closed form.
 */
double psb_triangle_distance_integral(const double a[3], const double b[3], const double c[3]);

/*
 * Area of the part of abc with p[axis] > 0; xa, xb, xc are the corners' coordinates along that
 * axis.
 */
double psb_triangle_positive_area(double area, double xa, double xb, double xc);

#endif
