/* Computes distances of sample points to triangles, and stops at the first that is too large. */
#include "studies/same_surface.h"

#include "core/memory.h"
#include "core/vector.h"
#include "normalize/surface_points.h"
#include "studies/alignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 1000 };

/* A ball around a triangle: if the ball is too far, so is the triangle. */
typedef struct ball {
    double centre[3], radius;
} ball;

static const double *corner(const psb_mesh *mesh, size_t t, int k) {
    return mesh->vertices + (size_t)3 * mesh->triangles[3 * t + (size_t)k];
}

static double square_to_side(const double p[3], const double a[3], const double b[3]) {
    double along[3], from[3];
    psb_subtract(b, a, along);
    psb_subtract(p, a, from);
    double square = psb_dot(along, along);
    double share = square > 0 ? psb_dot(from, along) / square : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int k = 0; k < 3; k++) {
        from[k] -= share * along[k];
    }
    return psb_dot(from, from);
}

/* Returns the squared distance to the plane if the point is above the triangle, else to the nearest
 * side. */
static double square_to_triangle(const double p[3], const psb_mesh *mesh, size_t t) {
    double least = INFINITY, normal[3], side[3], from[3], across[3];
    bool above = true;
    psb_normal(corner(mesh, t, 0), corner(mesh, t, 1), corner(mesh, t, 2), normal);
    double square = psb_dot(normal, normal);
    for (int k = 0; k < 3; k++) {
        const double *a = corner(mesh, t, k), *b = corner(mesh, t, (k + 1) % 3);
        least = fmin(least, square_to_side(p, a, b));
        psb_subtract(b, a, side);
        psb_subtract(p, a, from);
        psb_cross(side, from, across);
        above = above && psb_dot(across, normal) >= 0;
    }
    double height = psb_dot(from, normal);
    return above && square > 0 ? height * height / square : least;
}

static void enclose(const psb_mesh *mesh, ball *balls) {
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        ball *b = &balls[t];
        *b = (ball){.radius = 0};
        for (int k = 0; k < 9; k++) {
            b->centre[k % 3] += corner(mesh, t, k / 3)[k % 3] / 3;
        }
        for (int k = 0; k < 3; k++) {
            double apart[3];
            psb_subtract(corner(mesh, t, k), b->centre, apart);
            b->radius = fmax(b->radius, psb_norm(apart));
        }
    }
}

/* Returns the distance of a point to the mesh. *nearest, the last point's triangle, is a good first
 * guess. */
static double distance_to(const double p[3], const psb_mesh *mesh, const ball *balls,
                          size_t *nearest) {
    double square = square_to_triangle(p, mesh, *nearest), least = sqrt(square);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double apart[3], reach = least + balls[t].radius;
        psb_subtract(p, balls[t].centre, apart);
        if (psb_dot(apart, apart) < reach * reach) {
            double found = square_to_triangle(p, mesh, t);
            if (found < square) {
                square = found;
                least = sqrt(square);
                *nearest = t;
            }
        }
    }
    return least;
}

/* Finds the largest distance of sample points of `from` to `to`; stops once it exceeds the
 * limit. */
static psb_status farthest(const psb_mesh *from, const psb_mesh *to, double limit, double *most,
                           psb_error *error) {
    psb_status status = PSB_OK;
    psb_random random = psb_random_seeded(1, "", "same surface");
    double *points = psb_new(&status, 3 * POINTS, sizeof *points, "sample points", error);
    double *sums = psb_new(&status, from->ntriangles, sizeof *sums, "areas", error);
    ball *balls = psb_new(&status, to->ntriangles, sizeof *balls, "triangles", error);
    if (status == PSB_OK) {
        size_t nearest = 0;
        psb_surface_points(from, from->vertices, sums, &random, POINTS, points);
        enclose(to, balls);
        for (int i = 0; i < POINTS && *most <= limit; i++) {
            double p[3] = {points[i], points[POINTS + i], points[2 * POINTS + i]};
            *most = fmax(*most, distance_to(p, to, balls, &nearest));
        }
    }
    free(points);
    free(sums);
    free(balls);
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
    if (status == PSB_OK && most <= limit) {
        status = farthest(b, &on, limit, &most, error);
    }
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
    double *moved = psb_new(&status, a->nvertices, 3 * sizeof *moved, "vertices", error);
    for (int mirror = 0; mirror < 2 && status == PSB_OK && !*same; mirror++) {
        status = psb_alignment_find(a, name_a, b, name_b, mirror > 0, &alignment, error);
        if (status == PSB_OK && (mirror == 0 || alignment.mirrored)) {
            status = compare(a, &alignment, b, moved, same, how, error);
        }
    }
    free(moved);
    return status;
}
