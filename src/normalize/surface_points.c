/* Chooses a triangle by its share of the area, then a point in it (Osada et al. 2002, 3.2). */
#include "normalize/surface_points.h"

#include "normalize/triangle_integrals.h"

#include <math.h>

void psb_surface_sums(const psb_mesh *mesh, const double *points, double *sums) {
    double total = 0.0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        total += psb_triangle_area(points + 3 * (size_t)v[0], points + 3 * (size_t)v[1],
                                   points + 3 * (size_t)v[2]);
        sums[t] = total;
    }
}

/* Returns the first triangle whose running sum exceeds `area`, which is never a degenerate one. */
static size_t find_triangle(const double *sums, size_t n, double area) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > area) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

size_t psb_surface_point(const psb_mesh *mesh, const double *points, const double *sums,
                         double share, psb_random *random, double at[3]) {
    size_t t = find_triangle(sums, mesh->ntriangles, share * sums[mesh->ntriangles - 1]);
    const uint32_t *v = mesh->triangles + 3 * t;
    double root = sqrt(psb_random_unit(random));
    double along = psb_random_unit(random);
    for (size_t k = 0; k < 3; k++) {
        at[k] = (1.0 - root) * points[3 * (size_t)v[0] + k] +
                root * (1.0 - along) * points[3 * (size_t)v[1] + k] +
                root * along * points[3 * (size_t)v[2] + k];
    }
    return t;
}

void psb_surface_points(const psb_mesh *mesh, const double *points, double *sums,
                        psb_random *random, size_t n, double *at) {
    psb_surface_sums(mesh, points, sums);
    for (size_t i = 0; i < n; i++) {
        double p[3];
        psb_surface_point(mesh, points, sums, psb_random_unit(random), random, p);
        for (size_t k = 0; k < 3; k++) {
            at[k * n + i] = p[k];
        }
    }
}

void psb_surface_points_stratified(const psb_mesh *mesh, const double *points, double *sums,
                                   psb_random *random, size_t n, double *at, uint32_t *of) {
    psb_surface_sums(mesh, points, sums);
    for (size_t i = 0; i < n; i++) {
        double share = ((double)i + psb_random_unit(random)) / (double)n;
        size_t t = psb_surface_point(mesh, points, sums, share, random, at + 3 * i);
        if (of != NULL) {
            of[i] = (uint32_t)t;
        }
    }
}
