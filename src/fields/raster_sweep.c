/*
 * The reference rule: a triangle as parallel segments, a segment as points at equal steps.
 *
 * How many segments a triangle has, and how many points a segment, grows with its size and not with
 * what of it lies within the grid; so both are first cut down to the range that can meet the grid.
 */
#include "core/vector.h"
#include "core/watch.h"
#include "fields/raster_kernel.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/*
 * Segments of one triangle within the grid at most. Where a needle has more of them, they lie less
 * than a quarter of a voxel apart, and every second, third ... is taken. A segment has fewer points
 * within the grid than that, unless it is so long that doubles do not tell them apart.
 */
static const double most_steps = 1024.0;

/* The grid with a margin: what lies outside sets no voxel, whatever rounding says. */
static const double lowest = -2.0, highest = PSB_VOXELS;

/* A corner of the rest of a triangle, and its parameter: 0 at v2, 1 at v1 and v3. */
typedef struct corner {
    double p[3], t;
} corner;

enum { CORNERS_MOST = 3 + 6 }; /* each side of the grid adds one */

/* The point's voxel; -1 or PSB_VOXELS along each axis on which the point is outside. */
static void find_voxel(const double p[3], int voxel[3]) {
    for (int k = 0; k < 3; k++) {
        voxel[k] = (int)psb_min(psb_max(p[k] + 0.5, -1.0), PSB_VOXELS); /* towards 0 */
    }
}

static void set_voxel(const int voxel[3], psb_raster *raster) {
    for (int k = 0; k < 3; k++) {
        if (voxel[k] < 0 || voxel[k] >= PSB_VOXELS) {
            return;
        }
    }
    raster->row[voxel[2]][voxel[1]] |= UINT64_C(1) << voxel[0];
}

static void set_point(const double p[3], psb_raster *raster) {
    int voxel[3];
    find_voxel(p, voxel);
    set_voxel(voxel, raster);
}

/* Whether a point lies in the grid with its margin, or a distance within that. */
static bool is_within(const double p[3], double distance) {
    for (int k = 0; k < 3; k++) {
        if (!(p[k] >= lowest + distance && p[k] <= highest - distance)) {
            return false;
        }
    }
    return true;
}

static bool is_within_margins(const double p[3]) {
    return is_within(p, 0.0);
}

static void between(const double p[3], const double q[3], double t, double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = p[k] + (q[k] - p[k]) * t;
    }
}

/* Numbers begin, begin + step ... of count segments or points; of the last one t is 1. Doubles,
 * because a triangle may have more of them than an integer type can count. */
typedef struct steps {
    double last, begin, step, count;
} steps;

/* The steps from t = low to t = high through a triangle of this height, or a segment of this
 * length. */
static steps steps_of(double length, double low, double high) {
    steps s;
    s.last = floor(1.5 * floor(length + 3.0)) - 1.0;
    s.begin = floor(low * s.last);
    double more = ceil(high * s.last) - s.begin;
    s.step = ceil((more + 1.0) / most_steps);
    s.count = floor(more / s.step) + 1.0;
    return s;
}

/* Cuts the range low ... high of t to where p + (q - p) t lies between the grid's margins. */
static void cut_range(const double p[3], const double q[3], double *low, double *high) {
    for (int k = 0; k < 3; k++) {
        double d = q[k] - p[k];
        if (d == 0.0) {
            continue; /* the points themselves are looked at anyway */
        }
        double to_lowest = (lowest - p[k]) / d, to_highest = (highest - p[k]) / d;
        *low = psb_max(*low, psb_min(to_lowest, to_highest));
        *high = psb_min(*high, psb_max(to_lowest, to_highest));
    }
}

/* steps_of(length, 0, 1).last for what lies within the margins, in integers. */
static int last_step(double length) {
    return (int)(1.5 * (int)(length + 3.0)) - 1;
}

/*
 * The segment from p to p + d, both within the margins, as most segments of most models. Rounding
 * keeps the order of points along each axis, so no point lies in a third voxel if those of both
 * ends are the same or share a side.
 */
static void sweep_within(const double p[3], const double d[3], psb_raster *raster) {
    int first[3], end[3], voxel[3], away = 0;
    for (int k = 0; k < 3; k++) {
        first[k] = (int)(p[k] + 0.5);
        end[k] = (int)(p[k] + d[k] + 0.5);
        away += abs(end[k] - first[k]);
    }
    set_voxel(first, raster);
    set_voxel(end, raster);
    if (away <= 1) {
        return;
    }
    int last = last_step(psb_norm(d));
    for (int i = 1; i < last; i++) {
        double t = (double)i / last;
        for (int k = 0; k < 3; k++) {
            voxel[k] = (int)(p[k] + d[k] * t + 0.5);
        }
        set_voxel(voxel, raster);
    }
}

static void sweep_segment(const double p[3], const double q[3], psb_raster *raster) {
    double d[3], low = 0.0, high = 1.0;
    psb_subtract(q, p, d);
    if (is_within_margins(p) && is_within_margins(q)) {
        sweep_within(p, d, raster);
        return;
    }
    double length = psb_norm(d);
    cut_range(p, q, &low, &high);
    if (!(low <= high && length <= DBL_MAX)) {
        return;
    }
    steps s = steps_of(length, low, high);
    for (double i = 0.0; i < s.count; i++) {
        double at[3];
        between(p, q, (s.begin + i * s.step) / s.last, at);
        set_point(at, raster);
    }
}

/* Cuts off what lies beyond `limit` along axis k: sign +1 cuts above the limit, -1 below. */
static int cut_polygon(const corner *from, int n, int k, double sign, double limit, corner *to) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        const corner *a = &from[i], *b = &from[(i + 1) % n];
        double above_a = sign * (a->p[k] - limit), above_b = sign * (b->p[k] - limit);
        if (above_a <= 0.0) {
            to[count++] = *a;
        }
        if ((above_a <= 0.0) != (above_b <= 0.0)) {
            double share = above_a / (above_a - above_b);
            between(a->p, b->p, share, to[count].p);
            to[count++].t = a->t + (b->t - a->t) * share;
        }
    }
    return count;
}

/* The range of t within which the triangle's segments can meet the grid; false where none can. */
static bool find_range(double v[3][3], double *low, double *high) {
    if (is_within_margins(v[0]) && is_within_margins(v[1]) && is_within_margins(v[2])) {
        *low = 0.0;
        *high = 1.0;
        return true;
    }
    corner polygon[2][CORNERS_MOST];
    int n = 3;
    for (int c = 0; c < 3; c++) {
        memcpy(polygon[0][c].p, v[c], sizeof v[c]);
        polygon[0][c].t = c == 1 ? 0.0 : 1.0;
    }
    for (int k = 0; k < 3; k++) {
        n = cut_polygon(polygon[0], n, k, 1.0, highest, polygon[1]);
        n = cut_polygon(polygon[1], n, k, -1.0, lowest, polygon[0]);
    }
    *low = 1.0;
    *high = 0.0;
    for (int i = 0; i < n; i++) {
        *low = psb_min(*low, polygon[0][i].t);
        *high = psb_max(*high, polygon[0][i].t);
    }
    return n > 0;
}

/* A triangle so far within the margins that rounding takes no point beyond them. */
static void sweep_inner(double v[3][3], double height, psb_raster *raster) {
    int last = last_step(height);
    for (int i = 0; i <= last; i++) {
        double t = (double)i / last, p[3], q[3], d[3];
        between(v[1], v[0], t, p);
        between(v[1], v[2], t, q);
        psb_subtract(q, p, d);
        sweep_within(p, d, raster);
    }
}

/* v1 differs from v2 and from v3. */
static void sweep_triangle(double v[3][3], psb_raster *raster) {
    double u[3], w[3], low, high;
    psb_subtract(v[1], v[0], u);
    psb_subtract(v[2], v[0], w);
    double along = psb_dot(w, u), square = psb_dot(w, w) - along * along / psb_dot(u, u);
    if (!(square >= 0.0 && square <= DBL_MAX)) {
        return;
    }
    if (is_within(v[0], 1.0) && is_within(v[1], 1.0) && is_within(v[2], 1.0)) {
        sweep_inner(v, sqrt(square), raster);
        return;
    }
    if (!find_range(v, &low, &high)) {
        return;
    }
    steps s = steps_of(sqrt(square), low, high);
    for (double i = 0.0; i < s.count; i++) {
        double t = (s.begin + i * s.step) / s.last, p[3], q[3];
        between(v[1], v[0], t, p);
        between(v[1], v[2], t, q);
        sweep_segment(p, q, raster);
    }
}

/* Whether the triangle's points can set nothing: none of them leaves the box of its corners. */
static bool is_done(double v[3][3], const psb_raster *raster) {
    int voxel[3][3], first[3], last[3];
    for (int c = 0; c < 3; c++) {
        find_voxel(v[c], voxel[c]);
    }
    for (int k = 0; k < 3; k++) {
        first[k] = PSB_VOXELS;
        last[k] = -1;
        for (int c = 0; c < 3; c++) {
            first[k] = voxel[c][k] < first[k] ? voxel[c][k] : first[k];
            last[k] = voxel[c][k] > last[k] ? voxel[c][k] : last[k];
        }
        first[k] = first[k] < 0 ? 0 : first[k];
        last[k] = last[k] >= PSB_VOXELS ? PSB_VOXELS - 1 : last[k];
    }
    return psb_box_is_set(first, last, raster);
}

static bool are_equal(const double p[3], const double q[3]) {
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

void psb_raster_sweep(const psb_mesh *mesh, const double *points, psb_raster *raster) {
    memset(raster, 0, sizeof *raster);
    for (size_t t = 0; t < mesh->ntriangles && psb_goes_on(t); t++) {
        double v[3][3];
        for (size_t c = 0; c < 3; c++) {
            psb_to_grid(points + 3 * (size_t)mesh->triangles[3 * t + c], v[c]);
        }
        if (is_done(v, raster)) {
            continue;
        }
        if (are_equal(v[0], v[1])) { /* a segment; or a point, which is a segment of length 0 */
            sweep_segment(v[0], v[2], raster);
        } else if (are_equal(v[0], v[2])) {
            sweep_segment(v[0], v[1], raster);
        } else {
            sweep_triangle(v, raster);
        }
    }
}
