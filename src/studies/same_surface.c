/* Computes distances of sample points to triangles, and stops at the first that is too large. */
#include "studies/same_surface.h"

#include "core/memory.h"
#include "core/vector.h"
#include "normalize/surface_points.h"
#include "normalize/surface_tree.h"
#include "studies/alignment.h"

#include <math.h>

enum { POINTS = 1000 };

static const double *corner(const psb_mesh *mesh, size_t t, int k) {
    return mesh->vertices + (size_t)3 * mesh->triangles[3 * t + (size_t)k];
}

/* Finds the largest distance of sample points of `from` to `to`; stops once it exceeds the
 * limit. */
static psb_status farthest(const psb_mesh *from, const psb_mesh *to, double limit, double *most,
                           psb_error *error) {
    psb_status status = PSB_OK;
    psb_random random = psb_content_random(from, 1, 0, "same surface");
    psb_surface_tree *tree = NULL;
    PSB_FREED double *points = psb_new(&status, 3 * POINTS, sizeof *points, "sample points", error);
    PSB_FREED double *sums = psb_new(&status, from->ntriangles, sizeof *sums, "areas", error);
    PSB_THEN(status, psb_surface_tree_new(to, to->vertices, &tree, error));
    if (status == PSB_OK) {
        size_t guess = 0, nearest;
        psb_surface_points(from, from->vertices, sums, &random, POINTS, points);
        for (int i = 0; i < POINTS && *most <= limit; i++) {
            double p[3] = {points[i], points[POINTS + i], points[2 * POINTS + i]};
            *most = fmax(*most, psb_surface_tree_distance(tree, p, &guess, &nearest));
        }
    }
    psb_surface_tree_free(tree);
    return status;
}

/* Returns the diagonal of the box around the triangles' corners. */
static double diagonal_of(const psb_mesh *mesh) {
    double low[3], high[3], across[3];
    memcpy(low, corner(mesh, 0, 0), sizeof low);
    memcpy(high, low, sizeof high);
    for (size_t i = 0; i < 9 * mesh->ntriangles; i++) {
        double x = corner(mesh, i / 9, (int)(i / 3 % 3))[i % 3];
        low[i % 3] = fmin(low[i % 3], x);
        high[i % 3] = fmax(high[i % 3], x);
    }
    psb_subtract(high, low, across);
    return psb_norm(across);
}

/* Compares a, aligned, with b; `moved` has room for a's vertices. */
static psb_status compare(const psb_mesh *a, const psb_alignment *alignment, const psb_mesh *b,
                          double *moved, bool *same, psb_congruence *how, psb_error *error) {
    psb_mesh on = *a;
    double diagonal = diagonal_of(b), limit = PSB_SAME_SURFACE * diagonal, most = 0;
    on.vertices = memcpy(moved, a->vertices, 3 * a->nvertices * sizeof *moved);
    psb_alignment_apply(alignment, &on);
    psb_status status = farthest(&on, b, limit, &most, error);
    PSB_THEN_IF(status, most <= limit, farthest(b, &on, limit, &most, error));
    *same = status == PSB_OK && most <= limit;
    *how = (psb_congruence){
        .scale = alignment->scale, .deviation = most / diagonal, .mirrored = alignment->mirrored};
    return status;
}

psb_status psb_same_surface(const psb_mesh *a, const char *name_a, const psb_mesh *b,
                            const char *name_b, bool *same, psb_congruence *how, psb_error *error) {
    psb_status status = PSB_OK;
    psb_alignment alignment;
    *same = false;
    PSB_FREED double *moved = psb_new(&status, a->nvertices, 3 * sizeof *moved, "vertices", error);
    for (int mirror = 0; mirror < 2 && status == PSB_OK && !*same; mirror++) {
        status = psb_alignment_find(a, name_a, b, name_b, mirror > 0, &alignment, error);
        PSB_THEN_IF(status, mirror == 0 || alignment.mirrored,
                    compare(a, &alignment, b, moved, same, how, error));
    }
    return status;
}
