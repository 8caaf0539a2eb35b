/* Computes eigenvectors, then makes them unique by rules for signs and ties. */
#include "normalize/axes.h"

#include "core/error.h"
#include "core/linear.h"
#include "core/vector.h"
#include "normalize/triangle_integrals.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Computes the axes from a symmetric matrix that was divided by its trace; overwrites it. */
static psb_status eigen(double a[9], double trace, psb_axes *axes, psb_error *error) {
    double values[3];
    if (!psb_eigen_3x3(a, values)) {
        return psb_fail(error, PSB_ERROR_INTERNAL, "principal axes: the moments are not finite");
    }
    for (int i = 0; i < 3; i++) { /* psb_eigen_3x3 sorts ascending, axes descending */
        axes->values[i] = values[2 - i] * trace;
        for (int k = 0; k < 3; k++) {
            axes->axis[i][k] = a[3 * (2 - i) + k];
        }
    }
    return PSB_OK;
}

/* Divides the covariance by its trace: eigenvectors stay the same, and no number overflows. Returns
 * the trace. */
static double scaled_covariance(const psb_moments *moments, double a[9]) {
    double trace = moments->rms_distance * moments->rms_distance;
    for (int i = 0; i < 9; i++) {
        a[i] = moments->covariance[i / 3][i % 3] / trace;
    }
    return trace;
}

/* Computes the mean of n n' over the surface. */
static double scaled_normals(const psb_mesh *mesh, const psb_moments *moments, double a[9]) {
    double unit = 1.0 / moments->rms_distance, total = 0.0;
    memset(a, 0, 9 * sizeof *a);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        double u[3], v[3], normal[3];
        for (int k = 0; k < 3; k++) {
            double p = mesh->vertices[3 * (size_t)corner[0] + (size_t)k];
            u[k] = (mesh->vertices[3 * (size_t)corner[1] + (size_t)k] - p) * unit;
            v[k] = (mesh->vertices[3 * (size_t)corner[2] + (size_t)k] - p) * unit;
        }
        psb_cross(u, v, normal);
        double twice = psb_norm(normal);
        for (int i = 0; i < 9 && twice > 0.0; i++) {
            a[i] += normal[i / 3] / twice * normal[i % 3];
        }
        total += twice;
    }
    for (int i = 0; i < 9 && total > 0.0; i++) {
        a[i] /= total;
    }
    return 1.0;
}

/*
 * Replaces the axes first ... last, which share an eigenvalue, by axes that follow the file's
 * coordinate axes. Each new axis is the longest projection of a coordinate axis (the first of
 * equals) onto what remains of the eigenspace.
 */
static void follow_coordinates(psb_axes *axes, int first, int last) {
    double basis[3][3];
    int dimension = last - first + 1;
    memcpy(basis, axes->axis[first], (size_t)dimension * sizeof basis[0]);
    for (int done = 0; done < dimension; done++) {
        double best[3] = {0.0, 0.0, 0.0};
        double best_length = -1.0;
        for (int k = 0; k < 3; k++) {
            double projection[3] = {0.0, 0.0, 0.0};
            for (int b = 0; b < dimension; b++) {
                for (int i = 0; i < 3; i++) {
                    projection[i] += basis[b][k] * basis[b][i];
                }
            }
            for (int d = 0; d < done; d++) {
                double along = psb_dot(projection, axes->axis[first + d]);
                for (int i = 0; i < 3; i++) {
                    projection[i] -= along * axes->axis[first + d][i];
                }
            }
            double length = psb_norm(projection);
            if (length > best_length + 1e-9) {
                best_length = length;
                memcpy(best, projection, sizeof best);
            }
        }
        for (int i = 0; i < 3; i++) {
            axes->axis[first + done][i] = best[i] / best_length;
        }
    }
}

static void settle_equal_values(psb_axes *axes) {
    double tolerance = 1e-9 * axes->values[0];
    bool upper = axes->values[0] - axes->values[1] <= tolerance;
    bool lower = axes->values[1] - axes->values[2] <= tolerance;
    if (upper || lower) {
        follow_coordinates(axes, upper ? 0 : 1, lower ? 2 : 1);
    }
}

/* Triangles side by side. */
typedef struct batch {
    psb_corners corners;
    double area[PSB_TRIANGLES];
    /* By axis: 1 for a triangle on the positive side, -1 on the negative one, 0 if on neither. */
    double side[3][PSB_TRIANGLES];
} batch;

/* Replaces corners by their coordinates on the axes, in units of the root mean square distance. */
PSB_INLINE void measure(const psb_moments *moments, const psb_axes *axes, batch *b) {
    const double unit = 1.0 / moments->rms_distance;
    for (size_t i = 0; i < PSB_TRIANGLES; i++) {
        double p[3][3];
        psb_take_corners(b->corners, i, p);
        for (int v = 0; v < 3; v++) {
            for (int k = 0; k < 3; k++) {
                p[v][k] = (p[v][k] - moments->centre[k]) * unit;
            }
        }
        b->area[i] = psb_triangle_area(p[0], p[1], p[2]);
        for (int k = 0; k < 3; k++) {
            const double x[3] = {psb_dot(axes->axis[k], p[0]), psb_dot(axes->axis[k], p[1]),
                                 psb_dot(axes->axis[k], p[2])};
            double least = psb_min(x[0], psb_min(x[1], x[2]));
            double most = psb_max(x[0], psb_max(x[1], x[2]));
            b->side[k][i] = (least > 0.0 ? 1.0 : 0.0) - (most < 0.0 ? 1.0 : 0.0);
            for (int v = 0; v < 3; v++) {
                b->corners[v][k][i] = x[v];
            }
        }
    }
}

PSB_KERNEL(psb_side, (const psb_moments *moments, const psb_axes *axes, batch *b))

PSB_VARIANTS(psb_side, measure, (const psb_moments *moments, const psb_axes *axes, batch *b),
             (moments, axes, b))

/* Returns the area of triangle i on the positive side of an axis minus that on the negative side.
 */
static double surplus_of(const batch *b, int axis, size_t i) {
    double area = b->area[i], side = b->side[axis][i];
    if (side != 0.0) {
        return side * area;
    }
    double x = b->corners[0][axis][i], y = b->corners[1][axis][i], z = b->corners[2][axis][i];
    return psb_triangle_positive_area(area, x, y, z) - psb_triangle_positive_area(area, -x, -y, -z);
}

/* Turns each axis towards the larger part of the surface. */
static void settle_signs(const psb_mesh *mesh, const psb_moments *moments, psb_axes *axes) {
    const psb_side_kernel *kernel = psb_cpu_choose(psb_side_kernels);
    double surplus[3] = {0.0, 0.0, 0.0};
    double total = 0.0;
    batch b;
    memset(&b, 0, sizeof b);
    for (size_t t = 0, n; t < mesh->ntriangles; t += n) {
        n = psb_fill_corners(mesh, mesh->vertices, t, b.corners);
        kernel->run(moments, axes, &b);
        for (size_t i = 0; i < n; i++) {
            total += b.area[i];
            for (int k = 0; k < 3; k++) {
                surplus[k] += surplus_of(&b, k, i);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        double *axis = axes->axis[i];
        bool turn = surplus[i] < 0.0;
        if (fabs(surplus[i]) <= 1e-12 * total) {
            int largest = 0;
            for (int k = 1; k < 3; k++) {
                largest = fabs(axis[k]) > fabs(axis[largest]) + 1e-9 ? k : largest;
            }
            turn = axis[largest] < 0.0;
        }
        for (int k = 0; turn && k < 3; k++) {
            axis[k] = -axis[k];
        }
    }
}

psb_status psb_axes_compute(const psb_mesh *mesh, const psb_moments *moments, psb_frame_kind frame,
                            psb_axes *axes, psb_error *error) {
    double a[9];
    double trace = frame == PSB_FRAME_NORMALS ? scaled_normals(mesh, moments, a)
                                              : scaled_covariance(moments, a);
    psb_status status = eigen(a, trace, axes, error);
    if (status == PSB_OK) {
        settle_equal_values(axes);
        settle_signs(mesh, moments, axes);
    }
    return status;
}
