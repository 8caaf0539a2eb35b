/* Chooses a triangle by its share of the area, then a point in it (Osada et al. 2002, 3.2). */
#include "normalize/surface_points.h"

#include "normalize/triangle_integrals.h"

#include <math.h>
#include <xxhash.h>

static double area_of(const psb_mesh *mesh, const double *points, size_t t) {
    const uint32_t *v = mesh->triangles + 3 * t;
    return psb_triangle_area(points + 3 * (size_t)v[0], points + 3 * (size_t)v[1],
                             points + 3 * (size_t)v[2]);
}

void psb_surface_sums(const psb_mesh *mesh, const double *points, double *sums) {
    double total = 0.0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        total += area_of(mesh, points, t);
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

double psb_surface_area(const psb_mesh *mesh, const double *points) {
    double total = 0.0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        total += area_of(mesh, points, t);
    }
    return total;
}

void psb_surface_normal(const psb_mesh *mesh, const double *points, size_t triangle, float out[3]) {
    const uint32_t *v = mesh->triangles + 3 * triangle;
    double normal[3];
    psb_normal(points + 3 * (size_t)v[0], points + 3 * (size_t)v[1], points + 3 * (size_t)v[2],
               normal);
    psb_normalize(normal);
    for (int k = 0; k < 3; k++) {
        out[k] = (float)normal[k];
    }
}

void psb_surface_cloud(const psb_mesh *mesh, const double *points, double *sums, psb_random *random,
                       psb_cloud *cloud) {
    if (mesh->ntriangles == 0) {
        psb_cloud_take(points, NULL, mesh->nvertices, random, cloud);
        return;
    }
    psb_surface_sums(mesh, points, sums);
    for (size_t i = 0; i < cloud->n; i++) {
        double share = ((double)i + psb_random_unit(random)) / (double)cloud->n;
        size_t t = psb_surface_point(mesh, points, sums, share, random, cloud->at + 3 * i);
        if (cloud->normals != NULL) {
            psb_surface_normal(mesh, points, t, cloud->normals + 3 * i);
        }
    }
}

psb_random psb_content_random(const psb_mesh *mesh, uint64_t seed, uint64_t side,
                              const char *purpose) {
    const uint64_t head[] = {side, mesh->nvertices, mesh->ntriangles};
    uint64_t hash = XXH64(head, sizeof head, seed);
    hash = XXH64(mesh->vertices, 3 * mesh->nvertices * sizeof *mesh->vertices, hash);
    if (mesh->ntriangles > 0) {
        hash = XXH64(mesh->triangles, 3 * mesh->ntriangles * sizeof *mesh->triangles, hash);
    }
    return psb_random_hashed(hash, purpose);
}
