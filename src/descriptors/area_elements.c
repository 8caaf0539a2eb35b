/* Longest-edge bisection; each half has half the area, so areas need no second look. */
#include "descriptors/area_elements.h"

#include "core/vector.h"
#include "normalize/triangle_integrals.h"

#include <string.h>

typedef struct cutter {
    double edge2; /* square of the limit's factor */
    double area;
    psb_element_visit *visit;
    void *context;
} cutter;

typedef struct triangle {
    const double *corner[3];
    double edge2[3]; /* squared lengths, each of the edge opposite to the corner */
    double area;
} triangle;

static double distance2(const double a[3], const double b[3]) {
    double d[3];
    psb_subtract(a, b, d);
    return psb_dot(d, d);
}

static int longest_edge(const triangle *t) {
    int longest = t->edge2[1] > t->edge2[0] ? 1 : 0;
    return t->edge2[2] > t->edge2[longest] ? 2 : longest;
}

/* Square of the longest edge that an element at the squared distance r2 may have. */
static double limit2(const cutter *c, double r2) {
    return c->edge2 * (r2 < 1.0 ? sqrt(r2) : r2);
}

static void visit(const cutter *c, const triangle *t, const double centroid[3], double size) {
    psb_area_element element = {.area = t->area, .size = size};
    for (int v = 0; v < 3; v++) {
        memcpy(element.corner[v], t->corner[v], sizeof element.corner[v]);
    }
    memcpy(element.centroid, centroid, sizeof element.centroid);
    c->visit(c->context, &element);
}

/* The depth of the recursion is logarithmic: every second halving halves the longest edge. */
static void cut(const cutter *c, const triangle *t) {
    const double *const *corner = t->corner;
    double centroid[3], middle[3];
    for (int k = 0; k < 3; k++) {
        centroid[k] = (corner[0][k] + corner[1][k] + corner[2][k]) * (1.0 / 3.0);
    }
    int apex = longest_edge(t), left = (apex + 1) % 3, right = (apex + 2) % 3;
    double limit = limit2(c, psb_dot(centroid, centroid));
    if (t->edge2[apex] <= limit || t->area <= c->area) {
        visit(c, t, centroid, sqrt(t->edge2[apex] / limit));
        return;
    }
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (corner[left][k] + corner[right][k]);
    }
    triangle half = *t;
    half.area = 0.5 * t->area;
    half.edge2[apex] = 0.25 * t->edge2[apex];
    half.edge2[left] = distance2(corner[apex], middle); /* the median, opposite to `left` */
    half.corner[right] = middle;
    cut(c, &half);
    half.edge2[right] = half.edge2[left];
    half.edge2[left] = t->edge2[left];
    half.corner[right] = corner[right];
    half.corner[left] = middle;
    cut(c, &half);
}

void psb_area_elements(const psb_mesh *mesh, const double *points, const psb_element_limits *limits,
                       psb_element_visit *visit_element, void *context) {
    cutter c = {limits->edge * limits->edge, limits->area, visit_element, context};
    for (size_t i = 0; i < mesh->ntriangles; i++) {
        triangle t;
        for (size_t v = 0; v < 3; v++) {
            t.corner[v] = points + 3 * (size_t)mesh->triangles[3 * i + v];
        }
        t.area = psb_triangle_area(t.corner[0], t.corner[1], t.corner[2]);
        if (t.area > 0.0) {
            for (int e = 0; e < 3; e++) {
                t.edge2[e] = distance2(t.corner[(e + 1) % 3], t.corner[(e + 2) % 3]);
            }
            cut(&c, &t);
        }
    }
}
