/* Computes all annotations of one mesh. */
#include "annotate/annotate.h"

#include "core/memory.h"
#include "core/vector.h"

#include <math.h>

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

psb_status psb_annotate_more(const psb_mesh *mesh, psb_annotations *annotations,
                             psb_closure *closure, psb_error *error) {
    psb_annotations *a = annotations;
    psb_moments moments;
    PSB_AT_END(psb_edges_free) psb_edges edges = {0};
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
    PSB_THEN(status, psb_closure_measure(mesh, closure, error));
    if (status == PSB_OK) {
        a->watertight = closure->watertight;
        a->volume = closure->volume;
    }
    PSB_THEN(status, psb_average_dihedral_angle(mesh, &edges, &a->average_dihedral_angle, error));
    return PSB_THEN(status, psb_average_depth(mesh, &a->average_depth, error));
}

psb_status psb_annotate(const psb_mesh *mesh, psb_annotations *annotations, psb_error *error) {
    psb_closure closure;
    return psb_annotate_more(mesh, annotations, &closure, error);
}
