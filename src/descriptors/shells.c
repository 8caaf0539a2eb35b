/*
 * SHELLS: shell histogram (Ankerst, Kastenmueller, Kriegel, Seidl 1999; paper, section 2).
 *
 * The row has surface area by distance from the center of mass, in 64 bins over [0, 2] in units in
 * which the mean distance is 0.5; area beyond 2 is dropped. The area of a triangle within a sphere
 * is that of its intersection with a disc in its plane, so the histogram is exact and has no
 * parameter. A centered sphere has its mean distance 0.5 on the edge of bins 15 and 16: its area
 * falls into the one or the other by rounding, and for a mesh by how its faces lie inside of it.
 */
#include "core/elementary_kernel.h"
#include "core/vector.h"
#include "core/watch.h"
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"
#include "normalize/triangle_integrals.h"

#include <string.h>

enum { BINS = 64 };
static const double bins_per_unit = BINS / 2.0;

enum {
    LANES = 8,
    FLUSHED = 64, /* `flush` runs as soon as so many cuts wait */
    CUTS = FLUSHED + BINS,
    TRIANGLES = 64,
};

/* Triangles side by side, and bounds of the distances of their points from the origin. */
typedef struct triangles {
    psb_corners corners;
    double area[PSB_TRIANGLES];
    double nearest[PSB_TRIANGLES], farthest[PSB_TRIANGLES];
} triangles;

typedef double lane[CUTS];

/* Triangles that wait for `flush`. A cut is a triangle and a sphere; `cut` finds the triangle's
 * area within the sphere, for several cuts side by side. */
typedef struct cuts {
    int n, ntriangles;
    lane corner[3][2]; /* in the triangle's plane, relative to the origin's projection */
    lane radius;       /* of the disc that the sphere cuts out of the plane */
    lane whole;        /* the triangle's area */
    lane area;         /* the triangle's area within the sphere */
    int bin[CUTS];     /* the bin that ends at the sphere */
    struct {
        double area;
        int end;  /* index behind its last cut; cuts are in the order of triangles */
        int last; /* bin of the area outside all its spheres; BINS: dropped */
    } triangle[TRIANGLES];
    double bins[BINS];
} cuts;

/* Sets `area`. */
PSB_KERNEL(psb_cut, (cuts * c))

PSB_KERNEL(psb_bound, (triangles * t))

PSB_INLINE void find_bounds(triangles *t) {
    for (size_t n = 0; n < PSB_TRIANGLES; n++) {
        double corner[3][3], near2 = INFINITY, far2 = 0.0, longest2 = 0.0;
        psb_take_corners(t->corners, n, corner);
        for (int i = 0; i < 3; i++) {
            double d2 = psb_dot(corner[i], corner[i]), side[3];
            near2 = psb_min(near2, d2);
            far2 = psb_max(far2, d2);
            psb_subtract(corner[i < 2 ? i + 1 : 0], corner[i], side);
            longest2 = psb_max(longest2, psb_dot(side, side));
        }
        t->area[n] = psb_triangle_area(corner[0], corner[1], corner[2]);
        /* No point is farther from its nearest corner than the longest edge / sqrt(3). */
        t->nearest[n] = sqrt(near2) - 0.5774 * sqrt(longest2);
        t->farthest[n] = sqrt(far2);
    }
}

PSB_VARIANTS(psb_bound, find_bounds, (triangles * t), (t))

/* Computes the corners of a triangle with area in its plane. Returns the origin's distance from
 * the plane. */
static double flatten(double at[3][3], double area, double corner[3][2]) {
    double u[3], normal[3], across[3];
    psb_subtract(at[1], at[0], u);
    psb_normal(at[0], at[1], at[2], normal);
    psb_normalize(u);
    psb_divide(normal, 2.0 * area);
    psb_cross(normal, u, across);
    for (int i = 0; i < 3; i++) {
        corner[i][0] = psb_dot(at[i], u);
        corner[i][1] = psb_dot(at[i], across);
    }
    return fabs(psb_dot(at[0], normal));
}

PSB_INLINE double angle_between(const double p[2], const double q[2]) {
    return psb_atan2_of(p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1]);
}

/* Returns the signed area of the triangle (0, p, q) within the disc of radius r about 0. */
PSB_INLINE double edge_area(const double p[2], const double q[2], double r) {
    const double d[2] = {q[0] - p[0], q[1] - p[1]};
    double dd = d[0] * d[0] + d[1] * d[1], pd = p[0] * d[0] + p[1] * d[1];
    double pp = p[0] * p[0] + p[1] * p[1], cross = p[0] * q[1] - p[1] * q[0];
    double discriminant = pd * pd - dd * (pp - r * r);
    bool meets = (discriminant > 0.0) & (dd > 0.0);
    double root = sqrt(meets ? discriminant : 0.0), divisor = meets ? dd : 1.0;
    double from = psb_max((-pd - root) / divisor, 0.0); /* in the disc: p + s d, from <= s <= to */
    double to = psb_min((-pd + root) / divisor, 1.0);
    bool outside = !meets | (from >= to);
    const double s[2] = {p[0] + from * d[0], p[1] + from * d[1]};
    const double t[2] = {p[0] + to * d[0], p[1] + to * d[1]};
    const double end[2] = {outside ? q[0] : s[0], outside ? q[1] : s[1]};
    double before = 0.5 * r * r * angle_between(p, end);
    double after = 0.5 * r * r * angle_between(t, q);
    double area = 0.5 * cross * (to - from);
    area = from > 0.0 ? area + before : area;
    area = to < 1.0 ? area + after : area;
    return outside ? before : area;
}

PSB_INLINE void cut(cuts *c) {
    for (int block = 0; block < c->n; block += LANES) {
        double sum[LANES] = {0.0};
        for (int e = 0; e < 3; e++) {
            const lane *first = c->corner[e], *second = c->corner[e < 2 ? e + 1 : 0];
            for (int k = 0; k < LANES; k++) {
                const double p[2] = {first[0][block + k], first[1][block + k]};
                const double q[2] = {second[0][block + k], second[1][block + k]};
                sum[k] += edge_area(p, q, c->radius[block + k]);
            }
        }
        for (int k = 0; k < LANES; k++) {
            c->area[block + k] = psb_min(psb_max(sum[k], 0.0), c->whole[block + k]);
        }
    }
}

PSB_GATHERING_VARIANTS(psb_cut, cut, (cuts * c), (c))

/* Adds the areas of all waiting triangles to the bins, one triangle after the other. */
static void flush(cuts *c) {
    PSB_RUN(psb_cut)(c);
    for (int t = 0, i = 0; t < c->ntriangles; t++) {
        double inside = 0.0, area = c->triangle[t].area;
        for (; i < c->triangle[t].end; i++) {
            if (c->area[i] > inside) {
                c->bins[c->bin[i]] += c->area[i] - inside;
                inside = c->area[i];
            }
        }
        if (c->triangle[t].last < BINS && area > inside) {
            c->bins[c->triangle[t].last] += area - inside;
        }
    }
    c->n = c->ntriangles = 0;
}

/* Returns the bin of distance `nearest`; BINS if it is beyond the last. */
static int first_bin(double nearest) {
    return (int)psb_min(psb_max(nearest * bins_per_unit, 0.0), BINS);
}

/* Adds the spheres that cut triangle n. Returns the bin of the area outside these spheres. */
static int add_cuts(cuts *c, triangles *t, size_t n) {
    double at[3][3], corner[3][2];
    psb_take_corners(t->corners, n, at);
    double height = flatten(at, t->area[n], corner);
    for (int b = first_bin(psb_max(t->nearest[n], height)); b < BINS; b++) {
        double radius = (b + 1) / bins_per_unit, r2 = radius * radius - height * height;
        if (radius >= t->farthest[n]) {
            return b;
        }
        if (r2 > 0.0) {
            int i = c->n++;
            for (int v = 0; v < 3; v++) {
                c->corner[v][0][i] = corner[v][0];
                c->corner[v][1][i] = corner[v][1];
            }
            c->radius[i] = sqrt(r2);
            c->whole[i] = t->area[n];
            c->bin[i] = b;
        }
    }
    return BINS;
}

static void add_triangle(cuts *c, triangles *t, size_t n) {
    int bin = first_bin(t->nearest[n]);
    if (t->area[n] == 0.0 || bin == BINS) {
        return;
    }
    if (t->farthest[n] > (bin + 1) / bins_per_unit) { /* rare in a fine mesh */
        bin = add_cuts(c, t, n);
    }
    c->triangle[c->ntriangles].area = t->area[n];
    c->triangle[c->ntriangles].end = c->n;
    c->triangle[c->ntriangles++].last = bin;
    if (c->n >= FLUSHED || c->ntriangles == TRIANGLES) {
        flush(c);
    }
}

static psb_status compute(psb_shape *shape, const psb_params *p PSB_UNUSED, void *row,
                          psb_error *error) {
    const psb_mesh *mesh = psb_shape_mesh(shape);
    const double *points;
    psb_status status = psb_shape_points(shape, PSB_POSE_CENTERED, PSB_SCALE_MEAN, &points, error);
    if (status != PSB_OK) {
        return status;
    }
    const psb_bound_kernel *kernel = psb_cpu_choose(psb_bound_kernels);
    cuts c;
    triangles batch;
    memset(&c, 0, sizeof c);
    memset(&batch, 0, sizeof batch);
    for (size_t t = 0, n; t < mesh->ntriangles && psb_goes_on(t); t += n) {
        n = psb_fill_corners(mesh, points, t, batch.corners);
        kernel->run(&batch);
        for (size_t i = 0; i < n; i++) {
            add_triangle(&c, &batch, i);
        }
    }
    flush(&c);
    return psb_store_unit(c.bins, BINS, row, error);
}

const psb_descriptor psb_shells = {
    .name = "SHELLS",
    .title = "Shell histogram",
    .source = "Ankerst, Kastenmueller, Kriegel, Seidl 1999",
    .bibtex = psb_ankerst_1999,
    .formula = "surface area by distance from the center of mass",
    .pose = PSB_POSE_CENTERED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 2,
    .row_kind = PSB_ROW_BINS,
    .size = BINS,
    .compute = compute,
};
