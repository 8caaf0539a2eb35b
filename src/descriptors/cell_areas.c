/*
 * Triangles onto cells of direction and slices of distance.
 *
 * A surface element is so small that polar angle, azimuth and distance are linear over it, once
 * their means have been set right. It is cut along the rows, then along the columns of the cells
 * that it reaches into; how much of each piece lies in which slice has a closed form.
 */
#include "descriptors/cell_areas.h"

#include "core/vector.h"
#include "descriptors/direction_grid.h"
#include "normalize/triangle_integrals.h"

#include <stdbool.h>
#include <string.h>

/* With this, cutting each triangle in four changes REXT by less than 0.001. */
static const double element_edge = 0.06;

/* Coordinates of a corner in units of rows, columns and slices. */
enum { ROW, COLUMN, SLICE };

typedef struct corner {
    double p[3]; /* in the pose, turned so that the pole is z */
    double at[3];
} corner;

typedef struct cutter {
    double *area;
    size_t slices;
    double least_area;
    double edge8; /* eighth power of element_edge */
} cutter;

double psb_slice_radius(size_t slice) {
    double t = (double)slice / PSB_BALL_SLICES;
    return slice <= PSB_BALL_SLICES ? t : exp(t - 1.0);
}

static double slice_coordinate(double r) {
    return PSB_BALL_SLICES * (r <= 1.0 ? r : 1.0 + log(r));
}

static void sort_ascending(double x[3]) {
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int s = 0; s < 3; s++) {
        double a = x[pairs[s][0]], b = x[pairs[s][1]];
        x[pairs[s][0]] = a < b ? a : b;
        x[pairs[s][1]] = a < b ? b : a;
    }
}

/*
 * Part of a triangle that lies below a level of a linear function with the corners' values x, in
 * ascending order; x[0] < level <= x[2].
 */
static double part_below(const double x[3], double level) {
    if (level <= x[1]) {
        double up = level - x[0];
        return up * up / ((x[1] - x[0]) * (x[2] - x[0]));
    }
    double down = x[2] - level;
    return 1.0 - down * down / ((x[2] - x[1]) * (x[2] - x[0]));
}

static void add_to_cell(const cutter *c, int row, int column, const double slice[3], double area) {
    size_t cell = (size_t)(row * PSB_GRID + (column & (PSB_GRID - 1)));
    double *slices = c->area + cell * c->slices;
    int last = (int)c->slices - 1;
    int first = slice[0] < last ? (int)slice[0] : last;
    last = slice[2] < last ? (int)slice[2] : last;
    double below = 0.0;
    for (int s = first; s < last; s++) {
        double part = part_below(slice, s + 1);
        slices[s] += area * (part - below);
        below = part;
    }
    slices[last] += area * (1.0 - below);
}

/* A piece within one cell. Where it lies on a meridian between two, each gets half. */
static void add_piece(const cutter *c, const double *const at[3], double area) {
    static const double on_meridian = 1e-6;
    double slice[3] = {at[0][SLICE], at[1][SLICE], at[2][SLICE]};
    sort_ascending(slice);
    int row = (int)((at[0][ROW] + at[1][ROW] + at[2][ROW]) * (1.0 / 3.0));
    double column = (at[0][COLUMN] + at[1][COLUMN] + at[2][COLUMN]) * (1.0 / 3.0) + PSB_GRID;
    int left = (int)(column - on_meridian), right = (int)(column + on_meridian);
    if (left == right) {
        add_to_cell(c, row, left, slice, area);
    } else {
        add_to_cell(c, row, left, slice, 0.5 * area);
        add_to_cell(c, row, right, slice, 0.5 * area);
    }
}

/*
 * The middle one of the whole numbers within a triangle's range of values, if there is one.
 * Touching is not crossing: a new corner lies on a level but for rounding.
 */
static bool level_within(const double *const at[3], int k, double *level) {
    static const double touch = 1e-9;
    static const int positive = 2 * PSB_GRID;
    double a = at[0][k], b = at[1][k], c = at[2][k];
    double low = a < b ? a : b, high = a < b ? b : a;
    low = c < low ? c : low;
    high = c > high ? c : high;
    int first = (int)(low + (positive + touch)) + 1, last = (int)(high + (positive - touch));
    *level = (first + last) / 2 - positive;
    return first <= last;
}

static void between(const double *a, const double *b, double part, double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] + part * (b[k] - a[k]);
    }
}

/* Cuts a triangle along rows, and when it is within one row along columns, down to cells. */
static void split(const cutter *c, const double *const at[3], double area) {
    double level = 0.0;
    int k = ROW;
    while (k <= COLUMN && !level_within(at, k, &level)) {
        k++;
    }
    if (k > COLUMN || area <= c->least_area) {
        add_piece(c, at, area);
        return;
    }
    /* One corner is alone on its side; what lies on the other is a quadrilateral. */
    bool above[3] = {at[0][k] > level, at[1][k] > level, at[2][k] > level};
    int lone = above[1] == above[2] ? 0 : above[0] == above[2] ? 1 : 2;
    const double *alone = at[lone], *next = at[(lone + 1) % 3], *other = at[(lone + 2) % 3];
    double along = (level - alone[k]) / (next[k] - alone[k]);
    double across = (level - alone[k]) / (other[k] - alone[k]);
    double next_cut[3], other_cut[3];
    between(alone, next, along, next_cut);
    between(alone, other, across, other_cut);
    split(c, (const double *const[3]){alone, next_cut, other_cut}, area * along * across);
    split(c, (const double *const[3]){next_cut, next, other}, area * (1.0 - along));
    split(c, (const double *const[3]){next_cut, other, other_cut}, area * along * (1.0 - across));
}

static void place(corner *q) {
    psb_direction_place(q->p, &q->at[ROW], &q->at[COLUMN]);
    q->at[ROW] += 1.0; /* row 0 lies before node 0 */
    q->at[SLICE] = slice_coordinate(psb_norm(q->p));
}

/* Beside the pole the azimuth is not linear and matters little: a far corner counts as near. */
static double azimuth_near(double azimuth, double centre) {
    double turn = azimuth - centre;
    turn -= turn > PSB_GRID / 2 ? PSB_GRID : turn < -PSB_GRID / 2 ? -PSB_GRID : 0;
    return fabs(turn) > PSB_GRID / 4 ? centre : centre + turn;
}

/*
 * Moves the corners so that their mean is the mean over the triangle: 3/4 of the centre's value and
 * 1/4 of the corners' mean, to third order. Beside the origin that may overshoot.
 */
static void set_mean(double at[3][3], const double centre[3]) {
    for (int k = 0; k < 3; k++) {
        double shift = 0.75 * (centre[k] - (at[0][k] + at[1][k] + at[2][k]) / 3.0);
        for (int v = 0; v < 3; v++) {
            at[v][k] += shift;
        }
    }
    static const double last_row = PSB_CELL_ROWS - 1e-6;
    for (int v = 0; v < 3; v++) {
        at[v][ROW] = psb_min(psb_max(at[v][ROW], 0.0), last_row);
        at[v][SLICE] = psb_max(at[v][SLICE], 0.0);
    }
}

/* A triangle over which the coordinates are all but linear. */
static void add_element(const cutter *c, const corner *const q[3], corner *centre, double area) {
    place(centre);
    double at[3][3];
    for (int v = 0; v < 3; v++) {
        memcpy(at[v], q[v]->at, sizeof at[v]);
        at[v][COLUMN] = azimuth_near(at[v][COLUMN], centre->at[COLUMN]);
    }
    set_mean(at, centre->at);
    split(c, (const double *const[3]){at[0], at[1], at[2]}, area);
}

/*
 * Eighth power of the longest edge that an element may have; roots would cost much. The edge is
 * element_edge times the root of r within the unit ball, times r outside. The former spends fewer
 * elements than a constant angle would on the little area near the centre. Towards the poles, where
 * rows and columns are curved, the geometric mean of r and the distance from the axis stands for r.
 */
static double limit8(const cutter *c, const double centroid[3]) {
    static const double least_sine2 = 1e-4;
    double axis2 = centroid[0] * centroid[0] + centroid[1] * centroid[1];
    double r2 = axis2 + centroid[2] * centroid[2];
    return c->edge8 * r2 * psb_max(axis2, least_sine2 * r2) * psb_max(1.0, r2 * r2);
}

static double distance2(const double a[3], const double b[3]) {
    double d[3];
    psb_subtract(a, b, d);
    return psb_dot(d, d);
}

/*
 * Halves a triangle across its longest edge until it is an element. So elements follow the grid and
 * not the file's triangles, and slivers cost as many as they are long. edge2[v] is the square of
 * the edge opposite to corner v.
 */
static void refine(const cutter *c, const corner *const q[3], const double edge2[3], double area) {
    corner centre, middle;
    for (int k = 0; k < 3; k++) {
        centre.p[k] = (q[0]->p[k] + q[1]->p[k] + q[2]->p[k]) * (1.0 / 3.0);
    }
    int apex = edge2[1] > edge2[0] ? 1 : 0;
    apex = edge2[2] > edge2[apex] ? 2 : apex;
    double edge4 = edge2[apex] * edge2[apex];
    if (edge4 * edge4 <= limit8(c, centre.p) || area <= c->least_area / 8) {
        add_element(c, q, &centre, area);
        return;
    }
    int left = (apex + 1) % 3, right = (apex + 2) % 3;
    for (int k = 0; k < 3; k++) {
        middle.p[k] = 0.5 * (q[left]->p[k] + q[right]->p[k]);
    }
    place(&middle);
    double median2 = distance2(q[apex]->p, middle.p), half2 = 0.25 * edge2[apex];
    refine(c, (const corner *const[3]){q[apex], q[left], &middle},
           (const double[3]){half2, median2, edge2[right]}, 0.5 * area);
    refine(c, (const corner *const[3]){q[apex], &middle, q[right]},
           (const double[3]){half2, edge2[left], median2}, 0.5 * area);
}

static void add_triangle(const cutter *c, const double *points, const uint32_t *triangle,
                         int pole) {
    corner q[3];
    for (int v = 0; v < 3; v++) {
        for (int k = 0; k < 3; k++) {
            q[v].p[k] = points[3 * (size_t)triangle[v] + (size_t)((pole + 1 + k) % 3)];
        }
    }
    double area = psb_triangle_area(q[0].p, q[1].p, q[2].p);
    if (area > 0.0) {
        double edge2[3];
        for (int v = 0; v < 3; v++) {
            edge2[v] = distance2(q[(v + 1) % 3].p, q[(v + 2) % 3].p);
            place(&q[v]);
        }
        refine(c, (const corner *const[3]){&q[0], &q[1], &q[2]}, edge2, area);
    }
}

/* Slices up to the farthest corner of a triangle. */
static size_t slices_needed(const psb_mesh *mesh, const double *points) {
    double farthest2 = 0.0;
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) {
        const double *p = points + 3 * (size_t)mesh->triangles[i];
        double distance2 = psb_dot(p, p);
        farthest2 = distance2 > farthest2 ? distance2 : farthest2;
    }
    double last = slice_coordinate(sqrt(farthest2));
    return last < PSB_BALL_SLICES   ? PSB_BALL_SLICES
           : last < PSB_MOST_SLICES ? (size_t)last + 1
                                    : PSB_MOST_SLICES;
}

psb_status psb_cell_areas_fill(const psb_mesh *mesh, const double *points, int pole,
                               double least_area, psb_cell_areas *cells, psb_error *error) {
    cells->slices = slices_needed(mesh, points);
    size_t n = PSB_CELLS * cells->slices;
    psb_status status = psb_buffer_reserve(&cells->area, n, sizeof(double), "cell areas", error);
    if (status == PSB_OK) {
        memset(cells->area.data, 0, n * sizeof(double));
        cutter c = {cells->area.data, cells->slices, least_area, pow(element_edge, 8.0)};
        for (size_t i = 0; i < mesh->ntriangles; i++) {
            add_triangle(&c, points, mesh->triangles + 3 * i, pole);
        }
    }
    return status;
}
