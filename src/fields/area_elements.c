/* Longest-edge bisection; each half has half the area, so areas need no second look. */
#include "fields/area_elements.h"

#include "core/vector.h"
#include "core/watch.h"
#include "normalize/triangle_integrals.h"

typedef struct cutter {
    double edge4, tiny4; /* fourth powers of the limits' factors */
    double area;
    bool near; /* no part of the triangle at hand reaches farther than 2, whatever rounding does */
    psb_elements_visit *visit;
    void *context;
    psb_element_batch fine, tiny;
} cutter;

static double distance2(const double a[3], const double b[3]) {
    double d[3];
    psb_subtract(a, b, d);
    return psb_dot(d, d);
}

static void flush(cutter *c, psb_element_batch *batch) {
    if (batch->n > 0) {
        c->visit(c->context, batch);
        batch->n = 0;
    }
}

static double farthest2(const double *a, const double *b, const double *d) {
    return psb_max(psb_max(psb_dot(a, a), psb_dot(b, b)), psb_dot(d, d));
}

/* What shrinks a triangle that reaches farther than 2 to that distance. */
static double far_scale(const double *a, const double *b, const double *d) {
    double far2 = farthest2(a, b, d);
    return far2 > 4.0 ? 2.0 / sqrt(far2) : 1.0;
}

static void add(cutter *c, psb_element_batch *batch, const double *a, const double *b,
                const double *d, double area) {
    double scale = c->near ? 1.0 : far_scale(a, b, d);
    size_t i = batch->n++;
    for (int k = 0; k < 3; k++) {
        batch->corner[0][k][i] = (float)(scale * a[k]);
        batch->corner[1][k][i] = (float)(scale * b[k]);
        batch->corner[2][k][i] = (float)(scale * d[k]);
    }
    batch->area[i] = area;
    if (batch->n == PSB_ELEMENTS) {
        flush(c, batch);
    }
}

/*
 * A triangle and the squared lengths of its edges, each named after the corner that it is opposite
 * to. They are passed one by one to stay in registers. The depth of the recursion is logarithmic:
 * every second halving halves the longest edge.
 */
static void cut(cutter *c, const double *a, const double *b, const double *d, double a2, double b2,
                double d2, double area) {
    if (b2 > a2 || d2 > a2) { /* the longest edge becomes that of a */
        if (d2 > b2) {
            const double *first = a;
            double length2 = a2;
            a = d, d = b, b = first;
            a2 = d2, d2 = b2, b2 = length2;
        } else {
            const double *first = a;
            double length2 = a2;
            a = b, b = d, d = first;
            a2 = b2, b2 = d2, d2 = length2;
        }
    }
    double r2 = 0.0, middle[3];
    for (int k = 0; k < 3; k++) {
        double centroid = (a[k] + b[k] + d[k]) * (1.0 / 3.0);
        r2 += centroid * centroid;
    }
    double far4 = r2 * psb_max(1.0, r2);
    if (a2 * a2 <= c->edge4 * far4 || area <= c->area) {
        add(c, a2 * a2 <= c->tiny4 * far4 ? &c->tiny : &c->fine, a, b, d, area);
        return;
    }
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (b[k] + d[k]);
    }
    double median2 = distance2(a, middle);
    cut(c, a, b, middle, 0.25 * a2, median2, d2, 0.5 * area);
    cut(c, a, middle, d, 0.25 * a2, b2, median2, 0.5 * area);
}

void psb_area_elements(const psb_mesh *mesh, const double *points, const psb_element_limits *limits,
                       psb_elements_visit *visit, void *context) {
    double edge2 = limits->edge * limits->edge, tiny2 = limits->tiny * limits->tiny;
    cutter c = {.edge4 = edge2 * edge2,
                .tiny4 = edge2 * edge2 * tiny2 * tiny2,
                .area = limits->area,
                .visit = visit,
                .context = context,
                .tiny.tiny = true};
    for (size_t i = 0; i < mesh->ntriangles && psb_goes_on(i); i++) {
        const uint32_t *corner = mesh->triangles + 3 * i;
        const double *p = points + 3 * (size_t)corner[0], *q = points + 3 * (size_t)corner[1];
        const double *r = points + 3 * (size_t)corner[2];
        double area = psb_triangle_area(p, q, r);
        if (area > 0.0) {
            c.near = farthest2(p, q, r) < 3.9;
            cut(&c, p, q, r, distance2(q, r), distance2(r, p), distance2(p, q), area);
        }
    }
    flush(&c, &c.fine);
    flush(&c, &c.tiny);
}
