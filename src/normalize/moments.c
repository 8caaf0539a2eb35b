/*
 * Sums surface integrals triangle by triangle.
 *
 * Two passes: area and center first, then the integrals relative to the center, so that a small
 * model far from the origin keeps its digits. Both use coordinates shifted by the first used vertex
 * and divided by a power of two near the extent, so that neither 1e8 nor 1e-8 loses range.
 */
#include "normalize/moments.h"

#include "core/error.h"
#include "core/vector.h"
#include "normalize/triangle_integrals.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* An exact change of units for the sums: p -> (p - origin) * factor. */
typedef struct frame {
    double origin[3];
    double factor;
} frame;

static psb_status choose_frame(const psb_mesh *mesh, frame *f, psb_error *error) {
    const double *first = mesh->vertices + 3 * (size_t)mesh->triangles[0];
    memcpy(f->origin, first, sizeof f->origin);
    /* By corner and axis, because independent maxima do not wait for each other. */
    double farthest[3][3] = {{0.0}};
    for (size_t i = 0; i < 3 * mesh->ntriangles; i += 3) {
        for (int v = 0; v < 3; v++) {
            const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[i + (size_t)v];
            for (int k = 0; k < 3; k++) {
                farthest[v][k] = psb_max(farthest[v][k], fabs(p[k] - f->origin[k]));
            }
        }
    }
    double extent = 0.0;
    for (int i = 0; i < 9; i++) {
        extent = psb_max(extent, farthest[i / 3][i % 3]);
    }
    if (extent == 0.0) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "the surface has no area: all %zu triangles are one point",
                        mesh->ntriangles);
    }
    if (!(extent < 1e150) || extent < 1e-150) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "the model's extent %g is outside 1e-150 ... 1e150 and has no moments in "
                        "double precision",
                        extent);
    }
    int exponent;
    frexp(extent, &exponent);
    f->factor = ldexp(1.0, -exponent);
    return PSB_OK;
}

typedef double lane[PSB_TRIANGLES];

/* Triangles side by side, and each one's share of the sums. */
typedef struct batch {
    psb_corners corners;
    lane area;
    lane first[3];  /* 3 times the integral of p */
    lane second[6]; /* the integral of p p': xx, xy, xz, yy, yz, zz */
} batch;

static const int second_of[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

/* Moves corners into the frame, relative to a center in the frame, and sets the shares. A second
 * moment is A/12 (aa' + bb' + cc' + ss'). */
PSB_INLINE void measure(const frame *f, const double centre[3], batch *b) {
    for (int v = 0; v < 3; v++) {
        for (int k = 0; k < 3; k++) {
            for (size_t i = 0; i < PSB_TRIANGLES; i++) {
                double *x = &b->corners[v][k][i];
                *x = (*x - f->origin[k]) * f->factor - centre[k];
            }
        }
    }
    for (size_t i = 0; i < PSB_TRIANGLES; i++) {
        double p[3][3], sum[3];
        psb_take_corners(b->corners, i, p);
        double area = psb_triangle_area(p[0], p[1], p[2]);
        b->area[i] = area;
        for (int k = 0; k < 3; k++) {
            sum[k] = p[0][k] + p[1][k] + p[2][k];
            b->first[k][i] = area * sum[k];
        }
        for (int at = 0; at < 6; at++) {
            int j = second_of[at][0], k = second_of[at][1];
            double products =
                p[0][j] * p[0][k] + p[1][j] * p[1][k] + p[2][j] * p[2][k] + sum[j] * sum[k];
            b->second[at][i] = area / 12.0 * products;
        }
    }
}

PSB_KERNEL(psb_moment, (const frame *f, const double centre[3], batch *b))

PSB_VARIANTS(psb_moment, measure, (const frame *f, const double centre[3], batch *b),
             (f, centre, b))

static double sum_centre(const psb_mesh *mesh, const frame *f, batch *b, double centre[3]) {
    const psb_moment_kernel *kernel = psb_cpu_choose(psb_moment_kernels);
    const double none[3] = {0.0, 0.0, 0.0};
    double area = 0.0;
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t t = 0, n; t < mesh->ntriangles; t += n) {
        n = psb_fill_corners(mesh, mesh->vertices, t, b->corners);
        kernel->run(f, none, b);
        for (size_t i = 0; i < n; i++) {
            area += b->area[i];
            for (int k = 0; k < 3; k++) {
                sum[k] += b->first[k][i];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        centre[k] = area > 0.0 ? sum[k] / (3.0 * area) : 0.0;
    }
    return area;
}

static psb_status compute(const psb_mesh *mesh, bool with_distance, psb_moments *moments,
                          psb_error *error) {
    memset(moments, 0, sizeof *moments);
    if (mesh->ntriangles == 0) {
        return psb_fail(error, PSB_ERROR_INPUT, "the mesh has no triangles");
    }
    frame f;
    psb_status status = choose_frame(mesh, &f, error);
    if (status != PSB_OK) {
        return status;
    }
    const psb_moment_kernel *kernel = psb_cpu_choose(psb_moment_kernels);
    batch b;
    memset(&b, 0, sizeof b);
    double centre[3];
    double area = sum_centre(mesh, &f, &b, centre);
    /* In these units the extent is about 1: a smaller area is only rounding. */
    if (!(area > 1e-30)) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "the surface has no area: all %zu triangles are degenerate",
                        mesh->ntriangles);
    }
    double second[6] = {0.0};
    double distance = 0.0;
    for (size_t t = 0, n; t < mesh->ntriangles; t += n) {
        n = psb_fill_corners(mesh, mesh->vertices, t, b.corners);
        kernel->run(&f, centre, &b);
        for (size_t i = 0; i < n; i++) {
            for (int k = 0; k < 6; k++) {
                second[k] += b.second[k][i];
            }
        }
        if (with_distance) {
            double integrals[PSB_TRIANGLES];
            psb_triangle_distance_integrals(b.corners, n, integrals);
            for (size_t i = 0; i < n; i++) {
                distance += integrals[i];
            }
        }
    }
    double unit = 1.0 / f.factor;
    moments->area = area * unit * unit;
    moments->mean_distance = distance / area * unit;
    double trace = 0.0;
    for (int i = 0, at = 0; i < 3; i++) {
        moments->centre[i] = centre[i] * unit + f.origin[i];
        for (int j = i; j < 3; j++) {
            double value = second[at++] / area * unit * unit;
            moments->covariance[i][j] = moments->covariance[j][i] = value;
        }
        trace += moments->covariance[i][i];
    }
    moments->rms_distance = sqrt(trace);
    return PSB_OK;
}

psb_status psb_moments_compute(const psb_mesh *mesh, psb_moments *moments, psb_error *error) {
    return compute(mesh, true, moments, error);
}

psb_status psb_moments_without_distance(const psb_mesh *mesh, psb_moments *moments,
                                        psb_error *error) {
    return compute(mesh, false, moments, error);
}
