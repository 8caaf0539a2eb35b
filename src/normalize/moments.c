/*
 * Sums surface integrals triangle by triangle.
 *
 * Two passes: area and centre first, then the integrals relative to the centre, so that a small
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
    double extent = 0.0;
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) {
        const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[i];
        for (int k = 0; k < 3; k++) {
            extent = psb_max(extent, fabs(p[k] - f->origin[k]));
        }
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

static void corners(const psb_mesh *mesh, size_t t, const frame *f, double corner[3][3]) {
    for (int v = 0; v < 3; v++) {
        const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + (size_t)v];
        for (int k = 0; k < 3; k++) {
            corner[v][k] = (p[k] - f->origin[k]) * f->factor;
        }
    }
}

static double sum_centre(const psb_mesh *mesh, const frame *f, double centre[3]) {
    double area = 0.0;
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double p[3][3];
        corners(mesh, t, f, p);
        double a = psb_triangle_area(p[0], p[1], p[2]);
        area += a;
        for (int k = 0; k < 3; k++) {
            sum[k] += a * (p[0][k] + p[1][k] + p[2][k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        centre[k] = area > 0.0 ? sum[k] / (3.0 * area) : 0.0;
    }
    return area;
}

/* Adds the triangle's integral of p p' (upper triangle): A/12 (aa' + bb' + cc' + ss'). */
static void add_second_moment(double p[3][3], double area, double sum[3][3]) {
    for (int i = 0; i < 3; i++) {
        double si = p[0][i] + p[1][i] + p[2][i];
        for (int j = i; j < 3; j++) {
            double sj = p[0][j] + p[1][j] + p[2][j];
            double products = p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j] + si * sj;
            sum[i][j] += area / 12.0 * products;
        }
    }
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
    double centre[3];
    double area = sum_centre(mesh, &f, centre);
    /* In these units the extent is about 1: a smaller area is only rounding. */
    if (!(area > 1e-30)) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "the surface has no area: all %zu triangles are degenerate",
                        mesh->ntriangles);
    }
    double second[3][3] = {{0.0}};
    double distance = 0.0;
    for (size_t t = 0, n; t < mesh->ntriangles; t += n) {
        psb_corners some[PSB_TRIANGLES];
        n = mesh->ntriangles - t < PSB_TRIANGLES ? mesh->ntriangles - t : PSB_TRIANGLES;
        for (size_t i = 0; i < n; i++) {
            double(*p)[3] = some[i];
            corners(mesh, t + i, &f, p);
            for (int v = 0; v < 3; v++) {
                psb_subtract(p[v], centre, p[v]);
            }
            add_second_moment(p, psb_triangle_area(p[0], p[1], p[2]), second);
        }
        if (with_distance) {
            double integrals[PSB_TRIANGLES];
            psb_triangle_distance_integrals((const psb_corners *)some, n, integrals);
            for (size_t i = 0; i < n; i++) {
                distance += integrals[i];
            }
        }
    }
    double unit = 1.0 / f.factor;
    moments->area = area * unit * unit;
    moments->mean_distance = distance / area * unit;
    double trace = 0.0;
    for (int i = 0; i < 3; i++) {
        moments->centre[i] = centre[i] * unit + f.origin[i];
        for (int j = i; j < 3; j++) {
            double value = second[i][j] / area * unit * unit;
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
