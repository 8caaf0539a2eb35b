/* Integrals over single triangles, for surface integrals. */
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

enum { PSB_TRIANGLES = 32 }; /* most triangles in one call */

typedef double psb_corners[3][3]; /* [corner][x, y, z] */

/* Integrates |p| over n triangles: by a seven-point rule of degree 5 (relative error below 1e-7) if
 * the triangle is small relative to its distance from the origin, else in closed form. */
void psb_triangle_distance_integrals(const psb_corners *triangles, size_t n, double *integrals);

typedef struct psb_antiderivative_kernel {
    psb_variant variant;
    /* Evaluates n edges, n a multiple of 8: h is the plane's distance, d the edge's, t the place on
     * it. */
    void (*find)(size_t n, const double *h, const double *d, const double *t, double *out);
} psb_antiderivative_kernel;

/* The kernels of this build, fastest first, the plain one last, then NULL. */
extern const psb_variant *const psb_antiderivative_kernels[];

/* Returns the area of the part of triangle abc with p[axis] > 0; xa, xb, xc are the corners'
 * coordinates on that axis. */
double psb_triangle_positive_area(double area, double xa, double xb, double xc);

#endif
