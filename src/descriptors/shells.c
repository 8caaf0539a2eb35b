/*
 * SHELLS: shell histogram (Ankerst, Kastenmueller, Kriegel, Seidl 1999; paper, section 2).
 *
 * Surface area by distance from the centre of mass, 64 bins over [0, 2] in units in which the mean
 * distance is 0.5; what lies beyond 2 is dropped. The area of a triangle within a sphere is that of
 * its intersection with a disc in its plane, so the histogram is exact and has no parameter.
 */
#include "core/elementary.h"
#include "core/vector.h"
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"
#include "normalize/triangle_integrals.h"

#include <string.h>

enum { BINS = 64 };
static const double bins_per_unit = BINS / 2.0;

static size_t length(const psb_params *p) {
    (void)p;
    return BINS;
}

/* An edge from p to q in the triangle's plane, relative to the foot of the origin. */
typedef struct edge {
    double p[2], q[2], d[2]; /* d = q - p */
    double dd, pd, pp, cross;
    double turn; /* angle from p to q; NAN until it is needed */
} edge;

/* A triangle with bounds of the distance of its points from the origin, and in its own plane. */
typedef struct triangle {
    const double *corner[3];
    double area;
    double nearest, farthest;
    double height; /* distance of the origin from the plane */
    edge edge[3];
} triangle;

static edge edge_between(const double p[2], const double q[2]) {
    edge e = {{p[0], p[1]}, {q[0], q[1]}, {q[0] - p[0], q[1] - p[1]}, 0.0, 0.0, 0.0, 0.0, NAN};
    e.dd = e.d[0] * e.d[0] + e.d[1] * e.d[1];
    e.pd = p[0] * e.d[0] + p[1] * e.d[1];
    e.pp = p[0] * p[0] + p[1] * p[1];
    e.cross = p[0] * q[1] - p[1] * q[0];
    return e;
}

static void find_bounds(triangle *t) {
    double near2 = INFINITY, far2 = 0.0, longest2 = 0.0;
    t->area = psb_triangle_area(t->corner[0], t->corner[1], t->corner[2]);
    for (int i = 0; i < 3; i++) {
        double d2 = psb_dot(t->corner[i], t->corner[i]), side[3];
        near2 = psb_min(near2, d2);
        far2 = psb_max(far2, d2);
        psb_subtract(t->corner[(i + 1) % 3], t->corner[i], side);
        longest2 = psb_max(longest2, psb_dot(side, side));
    }
    /* No point is farther from the nearest corner than the longest edge / sqrt(3). */
    t->nearest = sqrt(near2) - 0.5774 * sqrt(longest2);
    t->farthest = sqrt(far2);
}

/* The plane of a triangle that has an area. */
static void flatten(triangle *t) {
    double u[3], normal[3], across[3];
    psb_subtract(t->corner[1], t->corner[0], u);
    psb_normal(t->corner[0], t->corner[1], t->corner[2], normal);
    psb_normalize(u);
    psb_divide(normal, 2.0 * t->area);
    psb_cross(normal, u, across);
    double corner[3][2];
    for (int i = 0; i < 3; i++) {
        corner[i][0] = psb_dot(t->corner[i], u);
        corner[i][1] = psb_dot(t->corner[i], across);
    }
    for (int i = 0; i < 3; i++) {
        t->edge[i] = edge_between(corner[i], corner[(i + 1) % 3]);
    }
    t->height = fabs(psb_dot(t->corner[0], normal));
    t->nearest = psb_max(t->nearest, t->height);
}

static double angle_between(const double p[2], const double q[2]) {
    return psb_atan2(p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1]);
}

/* Signed area of the triangle (0, p, q) within the disc of radius r about 0. */
static double edge_area(edge *e, double r) {
    double discriminant = e->pd * e->pd - e->dd * (e->pp - r * r);
    double from = 1.0, to = 0.0; /* part of the edge within the disc */
    if (discriminant > 0.0 && e->dd > 0.0) {
        double root = sqrt(discriminant);
        from = psb_max((-e->pd - root) / e->dd, 0.0);
        to = psb_min((-e->pd + root) / e->dd, 1.0);
    }
    if (from >= to) { /* so it is for most radii that a large triangle is cut at */
        if (isnan(e->turn)) {
            e->turn = angle_between(e->p, e->q);
        }
        return 0.5 * r * r * e->turn;
    }
    double area = 0.5 * e->cross * (to - from);
    if (from > 0.0) {
        const double s[2] = {e->p[0] + from * e->d[0], e->p[1] + from * e->d[1]};
        area += 0.5 * r * r * angle_between(e->p, s);
    }
    if (to < 1.0) {
        const double t[2] = {e->p[0] + to * e->d[0], e->p[1] + to * e->d[1]};
        area += 0.5 * r * r * angle_between(t, e->q);
    }
    return area;
}

/* Area of the part of the triangle within the sphere of this radius about the origin. */
static double area_within(triangle *t, double radius) {
    double r2 = radius * radius - t->height * t->height;
    if (radius >= t->farthest) {
        return t->area;
    }
    if (r2 <= 0.0) {
        return 0.0;
    }
    double r = sqrt(r2), sum = 0.0;
    for (int e = 0; e < 3; e++) {
        sum += edge_area(&t->edge[e], r);
    }
    return psb_min(psb_max(sum, 0.0), t->area);
}

/* The bin of the nearest point; BINS for all beyond. */
static int first_bin(const triangle *t) {
    return (int)psb_min(psb_max(t->nearest * bins_per_unit, 0.0), BINS);
}

static void add_triangle(triangle *t, double bins[BINS]) {
    find_bounds(t);
    int first = first_bin(t);
    if (t->area == 0.0 || first == BINS) {
        return;
    }
    if (t->farthest <= (first + 1) / bins_per_unit) { /* as most triangles of a fine mesh are */
        bins[first] += t->area;
        return;
    }
    flatten(t);
    double inside = 0.0;
    for (int b = first_bin(t); b < BINS && inside < t->area; b++) {
        double next = area_within(t, (b + 1) / bins_per_unit);
        if (next > inside) {
            bins[b] += next - inside;
            inside = next;
        }
    }
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    (void)p;
    const psb_mesh *mesh = psb_shape_mesh(shape);
    const double *points;
    psb_status status = psb_shape_points(shape, PSB_POSE_CENTERED, PSB_SCALE_MEAN, &points, error);
    if (status != PSB_OK) {
        return status;
    }
    double bins[BINS];
    memset(bins, 0, sizeof bins);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        triangle at;
        for (int i = 0; i < 3; i++) {
            at.corner[i] = points + 3 * (size_t)v[i];
        }
        add_triangle(&at, bins);
    }
    return psb_store_unit(bins, BINS, row, error);
}

const psb_descriptor psb_shells = {
    .name = "SHELLS",
    .title = "Shell histogram",
    .source = "Ankerst, Kastenmueller, Kriegel, Seidl 1999",
    .bibtex = psb_ankerst_1999,
    .formula = "surface area by distance from the centre of mass",
    .pose = PSB_POSE_CENTERED,
    .element = PSB_FLOAT32,
    .metric = &psb_l2,
    .revision = 2,
    .length = length,
    .compute = compute,
};
