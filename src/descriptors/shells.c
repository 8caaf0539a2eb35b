/*
 * SHELLS: shell histogram (Ankerst, Kastenmueller, Kriegel, Seidl 1999; paper, section 2).
 *
 * Surface area by distance from the centre of mass, 64 bins over [0, 2] in units in which the mean
 * distance is 0.5; what lies beyond 2 is dropped. The area of a triangle within a sphere is that of
 * its intersection with a disc in its plane, so the histogram is exact and has no parameter.
 */
#include "core/vector.h"
#include "descriptors/descriptor.h"
#include "normalize/triangle_integrals.h"

#include <string.h>

enum { BINS = 64 };
static const double bins_per_unit = BINS / 2.0;

static size_t length(const psb_params *p) {
    (void)p;
    return BINS;
}

/* A triangle in its own plane: corners relative to the foot of the origin. */
typedef struct planar {
    double corner[3][2];
    double height; /* distance of the origin from the plane */
    double area;
    double nearest, farthest; /* bounds of the distance of its points from the origin */
} planar;

static planar flatten(const double *a, const double *b, const double *c) {
    planar flat;
    double u[3], v[3], w[3], normal[3], across[3];
    psb_subtract(b, a, u);
    psb_subtract(c, a, v);
    psb_subtract(c, b, w);
    psb_cross(u, v, normal);
    double twice = psb_norm(normal), edge = psb_norm(u);
    flat.area = 0.5 * twice;
    if (twice == 0.0) {
        return flat;
    }
    for (int k = 0; k < 3; k++) {
        normal[k] /= twice;
        u[k] /= edge;
    }
    psb_cross(normal, u, across);
    const double *corners[3] = {a, b, c};
    double near2 = INFINITY, far2 = 0.0;
    for (int i = 0; i < 3; i++) {
        flat.corner[i][0] = psb_dot(corners[i], u);
        flat.corner[i][1] = psb_dot(corners[i], across);
        near2 = fmin(near2, psb_dot(corners[i], corners[i]));
        far2 = fmax(far2, psb_dot(corners[i], corners[i]));
    }
    flat.height = fabs(psb_dot(a, normal));
    /* No point is farther from the nearest corner than the longest edge / sqrt(3). */
    double longest = fmax(edge, fmax(psb_norm(v), psb_norm(w)));
    flat.nearest = fmax(flat.height, sqrt(near2) - 0.5774 * longest);
    flat.farthest = sqrt(far2);
    return flat;
}

/* Signed area of the triangle (0, p, q) within the disc of radius r about 0. */
static double edge_area(const double p[2], const double q[2], double r) {
    double d[2] = {q[0] - p[0], q[1] - p[1]};
    double dd = d[0] * d[0] + d[1] * d[1];
    double pd = p[0] * d[0] + p[1] * d[1];
    double cross = p[0] * q[1] - p[1] * q[0];
    double discriminant = pd * pd - dd * (p[0] * p[0] + p[1] * p[1] - r * r);
    double from = 1.0, to = 0.0; /* part of the edge within the disc */
    if (discriminant > 0.0 && dd > 0.0) {
        from = fmax((-pd - sqrt(discriminant)) / dd, 0.0);
        to = fmin((-pd + sqrt(discriminant)) / dd, 1.0);
    }
    if (from >= to) {
        return 0.5 * r * r * atan2(cross, p[0] * q[0] + p[1] * q[1]);
    }
    double area = 0.5 * cross * (to - from);
    double s[2] = {p[0] + from * d[0], p[1] + from * d[1]};
    double t[2] = {p[0] + to * d[0], p[1] + to * d[1]};
    if (from > 0.0) {
        area += 0.5 * r * r * atan2(p[0] * s[1] - p[1] * s[0], p[0] * s[0] + p[1] * s[1]);
    }
    if (to < 1.0) {
        area += 0.5 * r * r * atan2(t[0] * q[1] - t[1] * q[0], t[0] * q[0] + t[1] * q[1]);
    }
    return area;
}

/* Area of the part of the triangle within the sphere of this radius about the origin. */
static double area_within(const planar *flat, double radius) {
    double r2 = radius * radius - flat->height * flat->height;
    if (radius >= flat->farthest) {
        return flat->area;
    }
    if (r2 <= 0.0) {
        return 0.0;
    }
    double r = sqrt(r2), sum = 0.0;
    for (int e = 0; e < 3; e++) {
        sum += edge_area(flat->corner[e], flat->corner[(e + 1) % 3], r);
    }
    return fmin(fmax(sum, 0.0), flat->area);
}

static void add_triangle(const planar *flat, double bins[BINS]) {
    if (flat->area == 0.0 || flat->nearest * bins_per_unit >= BINS) {
        return;
    }
    int first = flat->nearest > 0.0 ? (int)(flat->nearest * bins_per_unit) : 0;
    double inside = 0.0;
    for (int b = first; b < BINS && inside < flat->area; b++) {
        double next = area_within(flat, (b + 1) / bins_per_unit);
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
        planar flat = flatten(points + 3 * (size_t)v[0], points + 3 * (size_t)v[1],
                              points + 3 * (size_t)v[2]);
        add_triangle(&flat, bins);
    }
    return psb_store_unit(bins, BINS, row, error);
}

const psb_descriptor psb_shells = {
    .name = "SHELLS",
    .title = "Shell histogram",
    .source = "Ankerst, Kastenmueller, Kriegel, Seidl 1999",
    .formula = "surface area by distance from the centre of mass",
    .pose = PSB_POSE_CENTERED,
    .element = PSB_FLOAT32,
    .metric = "l2",
    .params = NULL,
    .nparams = 0,
    .length = length,
    .compute = compute,
};
