/* Integrals over single triangles, for surface integrals. */
#pragma once

#include "core/cpu.h"
#include "core/vector.h"
#include "psbench.h"

#include <stddef.h>

static inline double psb_triangle_area(const double a[3], const double b[3], const double c[3]) {
    double n[3];
    psb_normal(a, b, c, n);
    return 0.5 * psb_norm(n);
}

enum { PSB_TRIANGLES = 32 }; /* side by side */

/* Entries beyond the triangles in use must be finite. */
typedef double psb_corners[3][3][PSB_TRIANGLES]; /* [corner][x, y, z][triangle] */

/* Copies the corners of up to PSB_TRIANGLES triangles from the mesh's triangle t on, whose vertices
 * are at `points`. Returns how many. */
static inline size_t psb_fill_corners(const psb_mesh *mesh, const double *points, size_t t,
                                      psb_corners out) {
    size_t n = mesh->ntriangles - t < PSB_TRIANGLES ? mesh->ntriangles - t : PSB_TRIANGLES;
    for (size_t i = 0; i < n; i++) {
        for (size_t v = 0; v < 3; v++) {
            const double *p = points + 3 * (size_t)mesh->triangles[3 * (t + i) + v];
            for (int k = 0; k < 3; k++) {
                out[v][k][i] = p[k];
            }
        }
    }
    return n;
}

PSB_INLINE void psb_take_corners(psb_corners corners, size_t i, double at[3][3]) {
    for (int v = 0; v < 3; v++) {
        for (int k = 0; k < 3; k++) {
            at[v][k] = corners[v][k][i];
        }
    }
}

/* Integrates |p| over the first n triangles: by a seven-point rule of degree 5 (relative error
 * below 1e-7) if the triangle is small relative to its distance from the origin, else in closed
 * form. */
void psb_triangle_distance_integrals(psb_corners corners, size_t n, double *integrals);

/* Sets twice the area, and the integral by the rule, less than 0 where it does not hold. */
PSB_KERNEL(psb_rule, (psb_corners corners, double *twice_area, double *integrals))

/* Evaluates n edges, n a multiple of 8: h is the plane's distance, d the edge's, t the place on
 * it. */
PSB_KERNEL(psb_antiderivative,
           (size_t n, const double *h, const double *d, const double *t, double *out))

/* Returns the area of the part of triangle abc with p[axis] > 0; xa, xb, xc are the corners'
 * coordinates on that axis. */
double psb_triangle_positive_area(double area, double xa, double xb, double xc);
