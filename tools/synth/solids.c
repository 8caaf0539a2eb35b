/* Builds every solid from rows of vertices, with quadrilaterals between neighboring rows. */
#include "synth/solids.h"

#include "core/elementary.h"
#include "core/vector.h"

#include <math.h>

/* A row has vertices first ... first + count - 1; a single vertex is a tip or a pole. */
typedef struct row {
    uint32_t first;
    uint32_t count;
} row;

/* Adds faces between two rows; if the rows are closed, the last column meets the first. */
static void stitch(psb_builder *builder, row low, row high, bool closed) {
    uint32_t columns = low.count > high.count ? low.count : high.count;
    for (uint32_t i = 0; i + 1 < columns + closed; i++) {
        uint32_t next = (i + 1) % columns;
        if (low.count == 1 && high.count > 1) {
            psb_add_face(builder, 3, (uint32_t[]){low.first, high.first + next, high.first + i});
        } else if (high.count == 1 && low.count > 1) {
            psb_add_face(builder, 3, (uint32_t[]){low.first + i, low.first + next, high.first});
        } else if (low.count > 1) {
            psb_add_face(
                builder, 4,
                (uint32_t[]){low.first + i, low.first + next, high.first + next, high.first + i});
        }
    }
}

/* Adds one polygon over a row; it faces the side from which the row runs counterclockwise or, if
 * `reversed`, the other side. */
static void close_row(psb_builder *builder, row edge, bool reversed) {
    enum { MOST = 128 };
    uint32_t corners[MOST];
    if (edge.count < 3 || edge.count > MOST) {
        return;
    }
    for (uint32_t i = 0; i < edge.count; i++) {
        corners[i] = edge.first + (reversed ? edge.count - 1 - i : i);
    }
    psb_add_face(builder, edge.count, corners);
}

/* Stitches row `made` to row *below, if that has vertices, and makes `made` the row below. */
static void stack(psb_builder *builder, row *below, row made, bool closed) {
    if (below->count > 0) {
        stitch(builder, *below, made, closed);
    }
    *below = made;
}

/* Adds the row (1 - t) a + t b, where a and b have n points each. */
static row blended_row(psb_builder *builder, int n, const double a[][3], const double b[][3],
                       double t) {
    row made = {(uint32_t)builder->nvertices, (uint32_t)n};
    for (int i = 0; i < n; i++) {
        psb_add_vertex(builder, a[i][0] + t * (b[i][0] - a[i][0]),
                       a[i][1] + t * (b[i][1] - a[i][1]), a[i][2] + t * (b[i][2] - a[i][2]));
    }
    return made;
}

static row point_row(psb_builder *builder, int n, const double points[][3]) {
    return blended_row(builder, n, points, points, 0);
}

/* Adds a flat side, corner + [0, 1] u + [0, 1] v, that faces u x v. */
static void add_side(psb_builder *builder, const double corner[3], const double u[3],
                     const double v[3]) {
    int n = builder->grid;
    row below = {0, 0};
    for (int j = 0; j <= n; j++) {
        double t = (double)j / n;
        row made = {(uint32_t)builder->nvertices, (uint32_t)n + 1};
        for (int i = 0; i <= n; i++) {
            double s = (double)i / n;
            psb_add_vertex(builder, corner[0] + s * u[0] + t * v[0],
                           corner[1] + s * u[1] + t * v[1], corner[2] + s * u[2] + t * v[2]);
        }
        stack(builder, &below, made, false);
    }
}

void psb_add_box(psb_builder *builder, double x, double y, double z, double width, double depth,
                 double height) {
    const double low[3] = {x - width / 2, y - depth / 2, z};
    const double high[3] = {x + width / 2, y + depth / 2, z + height};
    const double size[3] = {width, depth, height};
    for (int axis = 0; axis < 3; axis++) {
        double u[3] = {0, 0, 0};
        double v[3] = {0, 0, 0};
        u[(axis + 1) % 3] = size[(axis + 1) % 3];
        v[(axis + 2) % 3] = size[(axis + 2) % 3];
        double far_corner[3] = {low[0], low[1], low[2]};
        far_corner[axis] = high[axis];
        add_side(builder, far_corner, u, v);
        add_side(builder, low, v, u);
    }
}

static row circle(psb_builder *builder, double radius, double z) {
    int n = radius > 0 ? builder->around : 1;
    row made = {(uint32_t)builder->nvertices, (uint32_t)n};
    for (int i = 0; i < n; i++) {
        double angle = 2 * M_PI * i / n;
        psb_add_vertex(builder, radius * psb_cos(angle), radius * psb_sin(angle), z);
    }
    return made;
}

void psb_add_lathe(psb_builder *builder, int n, const double profile[][2]) {
    row below = {0, 0};
    for (int i = 0; i < n; i++) {
        stack(builder, &below, circle(builder, profile[i][0], profile[i][1]), true);
    }
}

void psb_add_cone(psb_builder *builder, double z0, double radius0, double z1, double radius1) {
    const double profile[4][2] = {{0, z0}, {radius0, z0}, {radius1, z1}, {0, z1}};
    int first = radius0 > 0 ? 0 : 1;
    int last = radius1 > 0 ? 3 : 2;
    psb_add_lathe(builder, last - first + 1, profile + first);
}

/* Evaluates a Catmull-Rom curve from b (t = 0) to c (t = 1), whose neighbors are a and d. */
static double curve(double a, double b, double c, double d, double t) {
    return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

void psb_add_turned(psb_builder *builder, int n, const double points[][2]) {
    enum { MOST = 32, STEPS = 8 };
    double profile[MOST * STEPS][2];
    int steps = builder->smooth < STEPS ? builder->smooth : STEPS;
    int count = 0;
    for (int i = 0; i + 1 < n && i + 1 < MOST; i++) {
        const double *a = points[i > 0 ? i - 1 : 0];
        const double *b = points[i];
        const double *c = points[i + 1];
        const double *d = points[i + 2 < n ? i + 2 : n - 1];
        if (b[0] == c[0] && b[1] == c[1]) {
            continue;
        }
        for (int j = 0; j < steps; j++, count++) {
            double t = (double)j / steps;
            profile[count][0] = j == 0 ? b[0] : fmax(1e-3 * b[0], curve(a[0], b[0], c[0], d[0], t));
            profile[count][1] = curve(a[1], b[1], c[1], d[1], t);
        }
    }
    profile[count][0] = points[n - 1][0];
    profile[count][1] = points[n - 1][1];
    psb_add_lathe(builder, count + 1, profile);
}

void psb_add_ball(psb_builder *builder, double x, double y, double z, double radius_x,
                  double radius_y, double radius_z) {
    psb_frame home = builder->frame;
    psb_move(builder, x, y, z);
    psb_stretch(builder, radius_x, radius_y, radius_z);
    int n = builder->around / 2 + 1;
    row below = circle(builder, 0, -1);
    for (int i = 1; i <= n; i++) {
        double angle = M_PI * i / n;
        stack(builder, &below, circle(builder, i < n ? psb_sin(angle) : 0, -psb_cos(angle)), true);
    }
    builder->frame = home;
}

void psb_add_torus(psb_builder *builder, double radius, double tube_radius, double tube_height) {
    int n = 2 * builder->around / 3 + 3;
    row first = circle(builder, radius + tube_radius, 0);
    row below = first;
    for (int i = 1; i <= n; i++) {
        double angle = 2 * M_PI * i / n;
        row made = first;
        if (i < n) {
            made = circle(builder, radius + tube_radius * psb_cos(angle),
                          tube_height * psb_sin(angle));
        }
        stack(builder, &below, made, true);
    }
}

/* Computes the path's direction at point i, of length 1. */
static void direction(int n, const double path[][3], int i, double out[3]) {
    psb_subtract(path[i + 1 < n ? i + 1 : i], path[i > 0 ? i - 1 : i], out);
    psb_normalize(out);
}

/* Makes `side` perpendicular to `along`, and of length 1. */
static void straighten(const double along[3], double side[3]) {
    double overlap = psb_dot(along, side);
    for (int k = 0; k < 3; k++) {
        side[k] -= overlap * along[k];
    }
    psb_normalize(side);
}

void psb_add_tube(psb_builder *builder, int n, const double path[][3], const double *radii) {
    double side[3];
    double along[3];
    double across[3];
    row below = {0, 0};
    for (int i = 0; i < n; i++) {
        direction(n, path, i, along);
        if (i == 0) {
            bool steep = fabs(along[2]) > 0.9;
            side[0] = steep ? 1 : 0;
            side[1] = 0;
            side[2] = steep ? 0 : 1;
        }
        straighten(along, side);
        psb_cross(along, side, across);
        int columns = radii[i] > 0 ? builder->around : 1;
        row made = {(uint32_t)builder->nvertices, (uint32_t)columns};
        for (int j = 0; j < columns; j++) {
            double u = radii[i] * psb_cos(2 * M_PI * j / columns);
            double v = radii[i] * psb_sin(2 * M_PI * j / columns);
            psb_add_vertex(builder, path[i][0] + u * side[0] + v * across[0],
                           path[i][1] + u * side[1] + v * across[1],
                           path[i][2] + u * side[2] + v * across[2]);
        }
        if (i == 0) {
            close_row(builder, made, true);
        }
        stack(builder, &below, made, true);
    }
    close_row(builder, below, false);
}

void psb_add_stick(psb_builder *builder, const double from[3], const double to[3], double radius0,
                   double radius1) {
    enum { MOST = 16 };
    double path[MOST + 1][3];
    double radii[MOST + 1];
    int cells = builder->grid < MOST ? builder->grid : MOST;
    for (int i = 0; i <= cells; i++) {
        double t = (double)i / cells;
        for (int k = 0; k < 3; k++) {
            path[i][k] = from[k] + t * (to[k] - from[k]);
        }
        radii[i] = i < cells ? radius0 + t * (radius1 - radius0) : radius1;
    }
    psb_add_tube(builder, cells + 1, (const double(*)[3])path, radii);
}

void psb_add_loft(psb_builder *builder, int sections, int n, const double points[][3]) {
    row below = point_row(builder, n, points);
    close_row(builder, below, true);
    for (int s = 0; s + 1 < sections; s++) {
        const double(*low)[3] = points + s * n;
        for (int step = 1; step <= builder->grid; step++) {
            row made = blended_row(builder, n, low, low + n, (double)step / builder->grid);
            stack(builder, &below, made, true);
        }
    }
    close_row(builder, below, false);
}

static row outline_row(psb_builder *builder, int n, const double outline[][2], double z) {
    row made = {(uint32_t)builder->nvertices, (uint32_t)n};
    for (int i = 0; i < n; i++) {
        psb_add_vertex(builder, outline[i][0], outline[i][1], z);
    }
    return made;
}

void psb_add_prism(psb_builder *builder, int n, const double outline[][2], double z0, double z1) {
    row below = outline_row(builder, n, outline, z0);
    close_row(builder, below, true);
    for (int step = 1; step <= builder->grid; step++) {
        double z = z0 + (z1 - z0) * step / builder->grid;
        stack(builder, &below, outline_row(builder, n, outline, z), true);
    }
    close_row(builder, below, false);
}

void psb_add_band(psb_builder *builder, int n, const double inner[][2], const double outer[][2],
                  double z0, double z1) {
    row rows[4] = {outline_row(builder, n, inner, z0), outline_row(builder, n, outer, z0),
                   outline_row(builder, n, outer, z1), outline_row(builder, n, inner, z1)};
    for (int i = 0; i < 4; i++) {
        stitch(builder, rows[i], rows[(i + 1) % 4], true);
    }
}

void psb_add_sheet(psb_builder *builder, int rows, int columns, const double points[][3]) {
    row below = point_row(builder, columns, points);
    for (int i = 1; i < rows; i++) {
        stack(builder, &below, point_row(builder, columns, points + i * columns), false);
    }
}
