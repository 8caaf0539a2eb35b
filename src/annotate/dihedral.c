/* Average dihedral angle: the mean over edges of the angle by which the surface bends there. */
#include "annotate/annotate.h"
#include "core/elementary.h"
#include "core/memory.h"
#include "core/vector.h"

#include <math.h>

/* Rounding decides the normal of a face that is thinner than this part of its longest side. */
#define THIN 1e-14

/* Sets the normal, of unit length; zero for a face without area. */
static void face_normal(const psb_mesh *mesh, size_t face, double normal[3]) {
    const uint32_t *t = mesh->triangles + 3 * face;
    double sides[2][3], longest = 0.0;
    for (int i = 0; i < 2; i++) {
        const double *from = mesh->vertices + 3 * (size_t)t[i];
        psb_subtract(mesh->vertices + 3 * (size_t)t[i + 1], from, sides[i]);
        for (int k = 0; k < 3; k++) {
            longest = fmax(longest, fabs(sides[i][k]));
        }
    }
    /* Products of small or large coordinates must not leave the range. */
    for (int i = 0; i < 2 && longest > 0.0; i++) {
        psb_divide(sides[i], longest);
    }
    psb_cross(sides[0], sides[1], normal);
    if (psb_norm(normal) > THIN) {
        psb_normalize(normal);
    } else {
        memset(normal, 0, 3 * sizeof *normal);
    }
}

static bool is_zero(const double *normal) {
    return psb_dot(normal, normal) == 0.0;
}

static double mean_angle(const psb_edges *edges, const double *normals) {
    double sum = 0.0;
    size_t counted = 0;
    for (size_t e = 0; e < edges->count; e++) {
        const size_t *f = edges->faces[e];
        if (f[0] == PSB_NO_FACE || f[1] == PSB_NO_FACE) {
            continue;
        }
        const double *a = normals + 3 * f[0], *b = normals + 3 * f[1];
        if (is_zero(a) || is_zero(b)) {
            continue;
        }
        double cross[3];
        psb_cross(a, b, cross);
        double angle = psb_atan2(psb_norm(cross), psb_dot(a, b));
        if (angle > PSB_FLAT_ANGLE) {
            sum += angle;
            counted++;
        }
    }
    return counted > 0 ? sum / (double)counted : NAN;
}

psb_status psb_average_dihedral_angle(const psb_mesh *mesh, const psb_edges *edges, double *angle,
                                      psb_error *error) {
    psb_status status = PSB_OK;
    double *normals =
        psb_new(&status, mesh->ntriangles, 3 * sizeof *normals, "face normals", error);
    if (status == PSB_OK) {
        for (size_t t = 0; t < mesh->ntriangles; t++) {
            face_normal(mesh, t, normals + 3 * t);
        }
        *angle = mean_angle(edges, normals);
        free(normals);
    }
    return status;
}
