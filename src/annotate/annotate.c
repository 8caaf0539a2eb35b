/* Computes all annotations of one mesh. */
#include "annotate/annotate.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void psb_bounding_box(const psb_mesh *mesh, double lowest[3], double highest[3]) {
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) {
        const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[i];
        for (int k = 0; k < 3; k++) {
            lowest[k] = i == 0 ? p[k] : fmin(lowest[k], p[k]);
            highest[k] = i == 0 ? p[k] : fmax(highest[k], p[k]);
        }
    }
    if (mesh->ntriangles == 0) {
        memset(lowest, 0, 3 * sizeof *lowest);
        memset(highest, 0, 3 * sizeof *highest);
    }
}

/* A surface is watertight if each edge is used by exactly two triangles, one on each side. */
static psb_status is_watertight(const psb_edges *edges, bool *watertight, psb_error *error) {
    psb_status status = PSB_OK;
    unsigned char *uses = psb_new_zero(&status, edges->count, sizeof *uses, "edges", error);
    for (size_t i = 0; i < 3 * edges->ntriangles && status == PSB_OK; i++) {
        unsigned char *of = &uses[edges->of_corner[i]];
        *of = *of < 3 ? (unsigned char)(*of + 1) : *of;
    }
    *watertight = edges->count > 0;
    for (size_t e = 0; e < edges->count && status == PSB_OK; e++) {
        const size_t *faces = edges->faces[e];
        *watertight =
            *watertight && uses[e] == 2 && faces[0] != PSB_NO_FACE && faces[1] != PSB_NO_FACE;
    }
    free(uses);
    return status;
}

/* The volume: the sum of signed tetrahedra from a point near the triangles, made positive. */
static double volume_of(const psb_mesh *mesh, const double centre[3]) {
    double sum = 0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double corner[3][3], normal[3];
        const double origin[3] = {0, 0, 0};
        for (int i = 0; i < 9; i++) {
            corner[i / 3][i % 3] =
                mesh->vertices[3 * (size_t)mesh->triangles[3 * t + (size_t)(i / 3)] +
                               (size_t)(i % 3)] -
                centre[i % 3];
        }
        psb_normal(origin, corner[0], corner[1], normal);
        sum += psb_dot(normal, corner[2]);
    }
    return fabs(sum) / 6;
}

psb_status psb_annotate(const psb_mesh *mesh, psb_annotations *annotations, psb_error *error) {
    psb_annotations *a = annotations;
    psb_moments moments;
    psb_edges edges = {0};
    psb_status status = psb_moments_compute(mesh, &moments, error);
    if (status == PSB_OK) {
        a->polygons = mesh->npolygons;
        a->vertices = mesh->nvertices;
        a->triangles = mesh->ntriangles;
        a->area = moments.area;
        memcpy(a->centre, moments.centre, sizeof a->centre);
        a->scale = 2.0 * moments.mean_distance;
        psb_bounding_box(mesh, a->lowest, a->highest);
        status = psb_axes_compute(mesh, &moments, PSB_FRAME_SURFACE, &a->axes, error);
    }
    PSB_THEN(status, psb_edges_make(mesh, &edges, error));
    PSB_THEN(status, psb_count_components(&edges, &a->connected_components, error));
    PSB_THEN(status, is_watertight(&edges, &a->watertight, error));
    if (status == PSB_OK) {
        a->volume = a->watertight ? volume_of(mesh, a->centre) : (double)NAN;
    }
    PSB_THEN(status, psb_average_dihedral_angle(mesh, &edges, &a->average_dihedral_angle, error));
    PSB_THEN(status, psb_average_depth(mesh, &a->average_depth, error));
    psb_edges_free(&edges);
    return status;
}
