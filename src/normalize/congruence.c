/* Removes repeated triangles, scales meshes to one size, and searches the motion between them. */
#include "normalize/congruence.h"

#include "core/error.h"
#include "core/linear.h"
#include "core/memory.h"
#include "core/vector.h"

#include <stdlib.h>
#include <string.h>

typedef struct psb_facet {
    double corner[3][3]; /* sorted by coordinates */
    double centre[3];
    double side[3]; /* lengths, ascending */
    double area;    /* the areas of all facets sum to 1 */
    double along;   /* the center's coordinate along `skew`, which sorts the facets */
} facet;

/* No plane of a usual model is normal to this direction. */
static const double skew[3] = {0.36, 0.48, 0.8};

/* Most motions that are tried: on a sphere all corners look alike. */
enum { MOST_TRIES = 100000 };

static int compare_doubles(const double *a, const double *b, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_points(const void *a, const void *b) {
    return compare_doubles(a, b, 3);
}

static int compare_corners(const void *a, const void *b) {
    return compare_doubles(((const facet *)a)->corner[0], ((const facet *)b)->corner[0], 9);
}

static int compare_along(const void *a, const void *b) {
    return compare_doubles(&((const facet *)a)->along, &((const facet *)b)->along, 1);
}

static int compare_sides(const void *a, const void *b) {
    return compare_doubles(a, b, 1);
}

/* Sorts, and keeps one of equal neighbors; returns how many are left. */
static size_t drop_equal(void *items, size_t n, size_t size,
                         int (*compare)(const void *, const void *)) {
    char *at = items;
    qsort(items, n, size, compare);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || compare(at + (kept - 1) * size, at + i * size) != 0) {
            memmove(at + kept++ * size, at + i * size, size);
        }
    }
    return kept;
}

/* Computes center, sides and area of a facet from its corners. */
static void measure(facet *f) {
    double side[3], normal[3];
    for (int k = 0; k < 3; k++) {
        psb_subtract(f->corner[(k + 1) % 3], f->corner[k], side);
        f->side[k] = psb_norm(side);
        f->centre[k] = (f->corner[0][k] + f->corner[1][k] + f->corner[2][k]) / 3;
    }
    psb_normal(f->corner[0], f->corner[1], f->corner[2], normal);
    f->area = psb_norm(normal) / 2;
    qsort(f->side, 3, sizeof f->side[0], compare_sides);
}

static void take_triangles(const psb_mesh *mesh, psb_facets *out) {
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        facet *f = &out->facets[out->count];
        for (size_t k = 0; k < 3; k++) {
            const double *vertex = mesh->vertices + (size_t)3 * mesh->triangles[3 * t + k];
            for (int axis = 0; axis < 3; axis++) {
                f->corner[k][axis] = vertex[axis] + 0.0; /* makes -0 equal to 0 */
            }
        }
        qsort(f->corner, 3, sizeof f->corner[0], compare_points);
        measure(f);
        out->count += f->area > 0;
    }
    out->count = drop_equal(out->facets, out->count, sizeof *out->facets, compare_corners);
}

/* Moves the center to the origin and scales size and area to 1. Returns false if the size is 0. */
static bool normalize(psb_facets *all) {
    double area = 0, centre[3] = {0, 0, 0}, square = 0;
    for (size_t i = 0; i < all->count; i++) {
        const facet *f = &all->facets[i];
        area += f->area;
        for (int k = 0; k < 3; k++) {
            centre[k] += f->area * f->centre[k];
        }
    }
    psb_divide(centre, area);
    for (size_t i = 0; i < all->count; i++) {
        facet *f = &all->facets[i];
        for (int k = 0; k < 3; k++) {
            psb_subtract(f->corner[k], centre, f->corner[k]);
            square += f->area * psb_dot(f->corner[k], f->corner[k]) / 3;
        }
    }
    all->size = sqrt(square / area);
    all->area = area;
    if (!(all->size > 0) || !isfinite(all->size) || !isfinite(area)) {
        return false;
    }
    for (size_t i = 0; i < all->count; i++) {
        facet *f = &all->facets[i];
        for (int k = 0; k < 3; k++) {
            psb_divide(f->corner[k], all->size);
        }
        double share = f->area / area;
        measure(f);
        f->area = share;
        f->along = psb_dot(f->centre, skew);
    }
    return true;
}

static void take_points(psb_facets *all) {
    for (size_t i = 0; i < all->count; i++) {
        memcpy(all->points[3 * i], all->facets[i].corner, sizeof all->facets[i].corner);
    }
    all->npoints = drop_equal(all->points, 3 * all->count, sizeof *all->points, compare_points);
}

/* Computes the print: distance of the farthest corner, and means by area. */
static void take_print(psb_facets *all) {
    double *value = all->print.value;
    for (size_t i = 0; i < all->npoints; i++) {
        value[0] = psb_max(value[0], psb_norm(all->points[i]));
    }
    for (size_t i = 0; i < all->count; i++) {
        const facet *f = &all->facets[i];
        value[1] += f->area * psb_norm(f->centre);
        for (int k = 0; k < 3; k++) {
            value[2 + k] += f->area * f->side[k];
        }
    }
}

/* Computes the surface print. The exact integral of p p' over a triangle with corners c_i is area /
 * 12 (sum c_i c_i' + s s'), where s is their sum. */
static void take_surface_print(psb_facets *all) {
    double moments[9] = {0}, values[3];
    for (size_t i = 0; i < all->count; i++) {
        const facet *f = &all->facets[i];
        for (int k = 0; k < 9; k++) {
            double sum = 9 * f->centre[k / 3] * f->centre[k % 3];
            for (int c = 0; c < 3; c++) {
                sum += f->corner[c][k / 3] * f->corner[c][k % 3];
            }
            moments[k] += f->area * sum / 12;
        }
    }
    double trace = moments[0] + moments[4] + moments[8];
    if (psb_eigen_3x3(moments, values) && trace > 0) {
        all->surface[0] = all->area / (all->size * all->size * trace);
        all->surface[1] = values[2] / trace;
        all->surface[2] = values[1] / trace;
    }
}

psb_status psb_facets_make(const psb_mesh *mesh, psb_facets *facets, psb_error *error) {
    *facets = (psb_facets){0};
    psb_status status = PSB_OK;
    size_t n = mesh->ntriangles;
    facets->facets = psb_new(&status, n, sizeof *facets->facets, "triangles", error);
    facets->points = psb_new(&status, n, 3 * sizeof *facets->points, "corners", error);
    if (status != PSB_OK) {
        return status;
    }
    take_triangles(mesh, facets);
    if (facets->count == 0 || !normalize(facets)) {
        return psb_fail(error, PSB_ERROR_INPUT, "the mesh has no area, or one beyond all numbers");
    }
    qsort(facets->facets, facets->count, sizeof *facets->facets, compare_along);
    take_points(facets);
    take_print(facets);
    take_surface_print(facets);
    return PSB_OK;
}

void psb_facets_free(psb_facets *facets) {
    free(facets->facets);
    free(facets->points);
    *facets = (psb_facets){0};
}

static bool near(double a, double b) {
    return fabs(a - b) <= PSB_CONGRUENCE_DISTANCE;
}

bool psb_congruence_prints_agree(const psb_congruence_print *a, const psb_congruence_print *b) {
    bool agree = true;
    for (int k = 0; k < PSB_CONGRUENCE_PRINTS; k++) {
        agree = agree && near(a->value[k], b->value[k]);
    }
    return agree;
}

bool psb_surface_prints_agree(const double *a, const double *b) {
    bool agree = fabs(a[0] - b[0]) <= 0.1 * psb_max(a[0], b[0]);
    for (int k = 1; k < PSB_SURFACE_PRINTS; k++) {
        agree = agree && fabs(a[k] - b[k]) <= 0.03;
    }
    return agree;
}

/* ---- the motion ------------------------------------------------------------------------ */

/* Makes orthonormal rows: along p, towards q, and perpendicular to both (the opposite way if
 * mirrored). */
static void make_frame(const double p[3], const double q[3], bool mirrored, double frame[3][3]) {
    memcpy(frame[0], p, sizeof frame[0]);
    psb_normalize(frame[0]);
    double part = psb_dot(q, frame[0]);
    for (int k = 0; k < 3; k++) {
        frame[1][k] = q[k] - part * frame[0][k];
    }
    psb_normalize(frame[1]);
    psb_cross(frame[mirrored ? 1 : 0], frame[mirrored ? 0 : 1], frame[2]);
}

/* Moves p: `out` has the coordinates in the frame `to` that p has in `from`. */
static void move(const double from[3][3], const double to[3][3], const double p[3], double out[3]) {
    double at[3] = {psb_dot(from[0], p), psb_dot(from[1], p), psb_dot(from[2], p)};
    for (int k = 0; k < 3; k++) {
        out[k] = at[0] * to[0][k] + at[1] * to[1][k] + at[2] * to[2][k];
    }
}

/* Returns the first facet whose `along` is at least this. */
static size_t find_along(const psb_facets *all, double along) {
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->facets[middle].along < along) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Returns the deviation of the facet most like f moved to this center; above the limit if none is
 * alike. */
static double nearest_like(const psb_facets *all, const facet *f, const double centre[3]) {
    double best = INFINITY, along = psb_dot(centre, skew);
    for (size_t i = find_along(all, along - PSB_CONGRUENCE_DISTANCE);
         i < all->count && all->facets[i].along <= along + PSB_CONGRUENCE_DISTANCE; i++) {
        double apart[3];
        psb_subtract(all->facets[i].centre, centre, apart);
        double deviation = psb_norm(apart);
        for (int k = 0; k < 3; k++) {
            deviation = psb_max(deviation, fabs(all->facets[i].side[k] - f->side[k]));
        }
        best = psb_min(best, deviation);
    }
    return best;
}

/* True if nearly all of a's area has counterparts in b. */
static bool covers(const psb_facets *a, const double from[3][3], const psb_facets *b,
                   const double to[3][3], double *deviation) {
    double without = 0;
    for (size_t i = 0; i < a->count && without <= PSB_CONGRUENCE_AREA; i++) {
        double centre[3];
        move(from, to, a->facets[i].centre, centre);
        double apart = nearest_like(b, &a->facets[i], centre);
        if (apart <= PSB_CONGRUENCE_DISTANCE) {
            *deviation = psb_max(*deviation, apart);
        } else {
            without += a->facets[i].area;
        }
    }
    return without <= PSB_CONGRUENCE_AREA;
}

/* True if the motion that maps the frame `from` to the frame of p and q maps a to b. */
static bool is_motion(const psb_facets *a, const double from[3][3], const psb_facets *b,
                      const double p[3], const double q[3], psb_congruence *out) {
    double to[3][3];
    make_frame(p, q, out->mirrored, to);
    out->deviation = 0;
    return covers(a, from, b, to, &out->deviation) && covers(b, to, a, from, &out->deviation);
}

/* Finds p, the corner farthest from the center, and q, which spans the largest triangle with it. */
static void choose_points(const psb_facets *a, const double **p, const double **q) {
    double most = 0, cross[3];
    *p = *q = a->points[0];
    for (size_t i = 0; i < a->npoints; i++) {
        *p = psb_norm(a->points[i]) > psb_norm(*p) ? a->points[i] : *p;
    }
    for (size_t i = 0; i < a->npoints; i++) {
        psb_cross(*p, a->points[i], cross);
        if (psb_norm(cross) > most) {
            most = psb_norm(cross);
            *q = a->points[i];
        }
    }
}

/* Tries all pairs of b's corners that have the distances of p and q. */
static bool search(const psb_facets *a, const psb_facets *b, psb_congruence *out) {
    const double *p, *q;
    double from[3][3], apart[3], between[3];
    choose_points(a, &p, &q);
    make_frame(p, q, false, from);
    psb_subtract(p, q, apart);
    size_t tries = 0;
    for (size_t i = 0; i < b->npoints; i++) {
        if (!near(psb_norm(b->points[i]), psb_norm(p))) {
            continue;
        }
        for (size_t j = 0; j < b->npoints && tries < MOST_TRIES; j++) {
            psb_subtract(b->points[i], b->points[j], between);
            bool alike = near(psb_norm(b->points[j]), psb_norm(q)) &&
                         near(psb_norm(between), psb_norm(apart));
            tries += alike;
            if (alike && is_motion(a, from, b, b->points[i], b->points[j], out)) {
                return true;
            }
        }
    }
    return false;
}

/* Tries reflections last: a model with a plane of symmetry is no mirror image. */
bool psb_congruent(const psb_facets *a, const psb_facets *b, psb_congruence *congruence) {
    *congruence = (psb_congruence){.scale = b->size / a->size};
    if (search(a, b, congruence)) {
        return true;
    }
    congruence->mirrored = true;
    return search(a, b, congruence);
}
