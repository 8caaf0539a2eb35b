/*
 * Area elements onto shells and nodes, then one transform of all shells.
 *
 * Between the middles of two neighbouring shells both shares are linear in the radius. So with the
 * radius taken as linear over an element, what each shell gets of it is a sum of exact integrals
 * over its slices between the middles. The direction's part, the footprint, is interpolated
 * linearly over the element from three points where this is exact to second order. Elements may
 * therefore be several shells high, and cutting them further changes next to nothing.
 */
#include "descriptors/area_field.h"

#include "core/vector.h"
#include "descriptors/area_elements.h"
#include "descriptors/direction_grid.h"

#include <string.h>

/*
 * Size of elements, and the part of it below which a single direction will do. With these, cutting
 * every triangle in four changes SECSHEL by less than 0.001.
 */
static const double element_size = 0.07;
static const double single_direction = 0.33;

/* Elements of less than this part of the surface's area are fine enough as they are. */
static const double unnoticed = 1e-8;

/*
 * Surfaces of more area than this, in units of the pose, consist of many layers: their elements
 * grow in proportion, so that the work stays bounded. A sphere has the area pi; one model in fifty
 * of the benchmark exceeds this.
 */
static const double many_layers = 16.0;

typedef struct splat {
    double *samples; /* [polar j][shell][azimuth i] */
    double beyond[PSB_NODES];
} splat;

/* Part of an element: integrals of its barycentric coordinates, and of those times the radial. */
typedef struct part {
    double corner[3];
    double radial[3];
} part;

/* An element over which the radial coordinate 32 r - 0.5 is linear, corners in ascending order. */
typedef struct sloped {
    double radial[3];
    part whole;
    psb_footprint footprint[3];
    int directions; /* footprints: 1 for the element, or 3 towards its corners */
} sloped;

static void subtract(const part *a, const part *b, part *rest) {
    psb_subtract(a->corner, b->corner, rest->corner);
    psb_subtract(a->radial, b->radial, rest->radial);
}

/* The triangle that a level of the radial coordinate cuts off at the lowest or highest corner. */
static void cut_off(const sloped *t, int end, double level, part *cut) {
    int other = 2 - end;
    double first = t->radial[end];
    double along = (level - first) / (t->radial[other] - first); /* where it meets the edges */
    double across = (level - first) / (t->radial[1] - first);
    double area = 3.0 * t->whole.corner[0] * along * across;
    double sum = first + 2.0 * level; /* of its corners' radial coordinates */
    cut->corner[end] = area / 3.0 * (3.0 - along - across);
    cut->corner[1] = area / 3.0 * across;
    cut->corner[other] = area / 3.0 * along;
    /* Product of two linear functions: area / 12 (sum of products + product of sums). */
    cut->radial[end] =
        area / 12.0 * (first + (2.0 - along - across) * level + (3.0 - along - across) * sum);
    cut->radial[1] = area / 12.0 * across * (level + sum);
    cut->radial[other] = area / 12.0 * along * (level + sum);
}

/* What lies below a level between the lowest and the highest corner. */
static void part_below(const sloped *t, double level, part *below) {
    if (level <= t->radial[1]) {
        cut_off(t, 0, level, below);
    } else {
        part above;
        cut_off(t, 2, level, &above);
        subtract(&t->whole, &above, below);
    }
}

static void add_footprint(double *nodes, size_t stride, const psb_footprint *f, double area) {
    for (int k = 0; k < 4; k++) {
        nodes[f->node[k] / PSB_GRID * stride + f->node[k] % PSB_GRID] += f->weight[k] * area;
    }
}

/* Gives a shell (PSB_SHELLS: beyond) the integrals of barycentric coordinates that it gets. */
static void add_shell(splat *s, const sloped *t, int shell, const double corner[3]) {
    double *nodes = shell < PSB_SHELLS ? s->samples + shell * PSB_GRID : s->beyond;
    size_t stride = shell < PSB_SHELLS ? PSB_SHELLS * PSB_GRID : PSB_GRID;
    double area = corner[0] + corner[1] + corner[2];
    if (t->directions == 1) {
        add_footprint(nodes, stride, &t->footprint[0], area);
        return;
    }
    for (int v = 0; v < 3; v++) { /* the footprints are those of points half way to the corners */
        add_footprint(nodes, stride, &t->footprint[v], 2.0 * corner[v] - area / 3.0);
    }
}

/* Slab between the middles of shells s and s + 1; -1 below all middles, PSB_SHELLS beyond all. */
static int slab_of(double radial) {
    return radial < 0.0 ? -1 : radial < PSB_SHELLS ? (int)radial : PSB_SHELLS;
}

static void add_slices(splat *s, const sloped *t) {
    int first = slab_of(t->radial[0]), last = slab_of(t->radial[2]);
    part below = {{0.0}, {0.0}};
    double lower[3] = {0.0, 0.0, 0.0}; /* what shell `slab` has got from the slab below */
    for (int slab = first; slab <= last; slab++) {
        part to_top = t->whole, slice;
        if (slab < last) {
            part_below(t, slab + 1, &to_top);
        }
        subtract(&to_top, &below, &slice);
        below = to_top;
        double upper[3]; /* share of shell slab + 1 */
        for (int v = 0; v < 3; v++) {
            upper[v] = slab < 0            ? slice.corner[v]
                       : slab < PSB_SHELLS ? slice.radial[v] - slab * slice.corner[v]
                                           : 0.0;
            lower[v] += slice.corner[v] - upper[v];
        }
        if (slab >= 0) {
            add_shell(s, t, slab, lower);
        }
        memcpy(lower, upper, sizeof lower);
    }
    if (last < PSB_SHELLS) {
        add_shell(s, t, last + 1, lower);
    }
}

static double radial_coordinate(const double p[3]) {
    return PSB_SHELLS * psb_norm(p) - 0.5;
}

/* Sorts the corners by their distance from the centre. */
static void sort_corners(double radial[3], const double *corner[3]) {
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int s = 0; s < 3; s++) {
        int a = pairs[s][0], b = pairs[s][1];
        if (radial[a] > radial[b]) {
            double r = radial[a];
            const double *p = corner[a];
            radial[a] = radial[b];
            corner[a] = corner[b];
            radial[b] = r;
            corner[b] = p;
        }
    }
}

static void add_element(void *context, const psb_area_element *element) {
    sloped t;
    const double *corner[3];
    for (int v = 0; v < 3; v++) {
        corner[v] = element->corner[v];
        t.radial[v] = radial_coordinate(corner[v]);
    }
    sort_corners(t.radial, corner);
    /* The true mean, to third order; it is that of the linear function as well. */
    double linear = (t.radial[0] + t.radial[1] + t.radial[2]) / 3.0;
    double mean = 0.75 * radial_coordinate(element->centroid) + 0.25 * linear;
    for (int v = 0; v < 3; v++) {
        t.radial[v] += mean - linear;
        t.whole.corner[v] = element->area / 3.0;
        t.whole.radial[v] = element->area / 12.0 * (t.radial[v] + 3.0 * mean);
    }
    if (element->size < single_direction) {
        t.directions = 1;
        psb_direction_footprint(element->centroid, &t.footprint[0]);
    } else {
        t.directions = 3;
        for (int v = 0; v < 3; v++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = 0.5 * (corner[v][k] + element->centroid[k]);
            }
            psb_direction_footprint(p, &t.footprint[v]);
        }
    }
    add_slices(context, &t);
}

/* From area at the nodes to area per solid angle, the samples of a function. */
static void divide_by_solid_angle(const psb_harmonics *harmonics, size_t functions,
                                  double *samples) {
    size_t row = functions * PSB_GRID;
    for (int j = 0; j < PSB_GRID; j++) {
        double factor = 1.0 / psb_harmonics_solid_angle(harmonics, j);
        for (size_t i = 0; i < row; i++) {
            samples[(size_t)j * row + i] *= factor;
        }
    }
}

void psb_area_field_fill(const psb_harmonics *harmonics, const psb_mesh *mesh, const double *points,
                         double area, double *samples, double *scratch, psb_area_field *field) {
    splat s = {.samples = samples};
    memset(samples, 0, PSB_SPHERE_SAMPLES * sizeof *samples);
    psb_element_limits limits = {element_size * psb_max(1.0, sqrt(area / many_layers)),
                                 unnoticed * area};
    psb_area_elements(mesh, points, &limits, add_element, &s);
    divide_by_solid_angle(harmonics, PSB_SHELLS, samples);
    psb_harmonics_forward(harmonics, PSB_SHELLS, samples, scratch, field->shell);
    memcpy(samples, s.beyond, sizeof s.beyond);
    divide_by_solid_angle(harmonics, 1, samples);
    psb_harmonics_forward(harmonics, 1, samples, scratch, &field->beyond);
}
