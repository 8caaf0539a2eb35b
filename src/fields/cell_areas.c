/*
 * Triangles onto cells of direction and slices of distance.
 *
 * A triangle is cut along the meridians into strips, each strip along the rows into pieces; how
 * much of a piece lies in which slice has a closed form. All borders are planes, so corners of
 * pieces are interpolated between the triangle's. On which side of a border a corner lies is known
 * from whole numbers, found once for each vertex; where rounding has them contradict the geometry,
 * what is cut off is as small as the error.
 */
#include "fields/cell_areas.h"

#include "core/elementary.h"
#include "core/vector.h"
#include "fields/cell_sweep.h"
#include "fields/direction_grid.h"

#include <stdbool.h>
#include <string.h>

enum {
    TURN = 2 * PSB_GRID, /* half columns */
    ON_AXIS = -1,
};

typedef struct cutter {
    psb_cell_areas *cells;
    double least_area;
    double widen;                      /* mean distance from the axis over u, in any column */
    double middle[TURN][2];            /* u from x and y, by azimuth */
    double meridian[PSB_GRID][2];      /* of x and y: 0 on it, greater beyond */
    double border[PSB_GRID][2];        /* of z and u: 0 at the end of row j, greater beyond */
    double distance[PSB_CELL_ROWS][2]; /* from z and u, in slices of the ball */
    double level[PSB_MOST_SLICES + 1]; /* distance at which a slice begins */
    /* The triangle at hand: two coordinates in which its parts are compared, and area by that. */
    int flat[2];
    double scale;
} cutter;

double psb_slice_radius(size_t slice) {
    double t = (double)slice / PSB_BALL_SLICES;
    return slice <= PSB_BALL_SLICES ? t : psb_exp(t - 1.0);
}

static size_t words_of(const psb_cell_areas *cells) {
    return cells->slices / PSB_SLICE_WORD;
}

/* Only slices that hold something are set to 0: they are few. */
static void empty(psb_cell_areas *cells) {
    double *area = cells->area.data;
    uint64_t *occupied = cells->occupied.data;
    for (size_t w = 0; w < PSB_CELLS * words_of(cells); w++) {
        for (uint64_t bits = occupied[w]; bits != 0; bits &= bits - 1) {
            area[PSB_SLICE_WORD * w + (size_t)__builtin_ctzll(bits)] = 0.0;
        }
        occupied[w] = 0;
    }
}

psb_status psb_cell_areas_clear(psb_cell_areas *cells, size_t slices, psb_error *error) {
    empty(cells);
    size_t words = (slices + PSB_SLICE_WORD - 1) / PSB_SLICE_WORD;
    size_t n = PSB_CELLS * words;
    size_t before = cells->area.bytes;
    cells->slices = 0;
    psb_status status =
        psb_buffer_reserve(&cells->area, n * PSB_SLICE_WORD, sizeof(double), "cell areas", error);
    if (status == PSB_OK && cells->area.bytes > before) {
        memset(cells->area.data, 0, cells->area.bytes);
    }
    if (status == PSB_OK) {
        before = cells->occupied.bytes;
        status = psb_buffer_reserve(&cells->occupied, n, sizeof(uint64_t), "cell areas", error);
    }
    if (status == PSB_OK) {
        if (cells->occupied.bytes > before) {
            memset(cells->occupied.data, 0, cells->occupied.bytes);
        }
        cells->slices = words * PSB_SLICE_WORD;
    }
    return status;
}

void psb_cell_areas_free(psb_cell_areas *cells) {
    psb_buffer_free(&cells->area);
    psb_buffer_free(&cells->occupied);
    psb_buffer_free(&cells->vertices);
}

/* The slice of a distance in slices of the ball. */
static int slice_at(const cutter *c, double distance) {
    if (distance < PSB_BALL_SLICES) {
        return distance > 0.0 ? (int)distance : 0;
    }
    double slice = PSB_BALL_SLICES * (1.0 + psb_log(distance * (1.0 / PSB_BALL_SLICES)));
    double last = (double)(c->cells->slices - 1);
    return (int)psb_min(slice, last);
}

/* Slices of a cell that are about to hold something. */
static void occupy(const cutter *c, size_t cell, int first, int last) {
    uint64_t *occupied = c->cells->occupied.data;
    occupied += cell * words_of(c->cells);
    int first_word = first / PSB_SLICE_WORD, last_word = last / PSB_SLICE_WORD;
    uint64_t from = ~(uint64_t)0 << first % PSB_SLICE_WORD;
    uint64_t until = ~(uint64_t)0 >> (PSB_SLICE_WORD - 1 - last % PSB_SLICE_WORD);
    for (int w = first_word; w < last_word; w++) {
        occupied[w] |= from;
        from = ~(uint64_t)0;
    }
    occupied[last_word] |= from & until;
}

/*
 * A triangle within one cell, with the distances of its corners: what lies below a level of a
 * linear function grows with the square from the nearest corner, and ends with that to the
 * farthest.
 */
static void add_slices(const cutter *c, double *slices, const double x[3], double area) {
    double least = psb_min(x[0], x[1]), most = psb_max(x[0], x[1]);
    double middle = psb_max(least, psb_min(most, x[2]));
    least = psb_min(least, x[2]);
    most = psb_max(most, x[2]);
    int s = slice_at(c, least), last = slice_at(c, most);
    if (s == last) {
        slices[s] += area;
        return;
    }
    double begin = (middle - least) * (most - least), end = (most - middle) * (most - least);
    double rise = begin > 0.0 ? area / begin : 0.0, fall = end > 0.0 ? area / end : 0.0;
    const double *level = c->level + 1;
    double before = 0.0; /* maxima because of rounding */
    for (; s < last && level[s] <= middle; s++) {
        double up = psb_max(level[s] - least, 0.0);
        double below = psb_max(rise * (up * up), before);
        slices[s] += below - before;
        before = below;
    }
    for (; s < last; s++) {
        double down = psb_max(most - level[s], 0.0);
        double below = psb_max(area - fall * (down * down), before);
        slices[s] += below - before;
        before = below;
    }
    slices[s] += psb_max(area - before, 0.0);
}

static double area_of(const cutter *c, const psb_cell_vertex *p, const psb_cell_vertex *q,
                      const psb_cell_vertex *r) {
    int a = c->flat[0], b = c->flat[1];
    double across = (q->at[a] - p->at[a]) * (r->at[b] - p->at[b]) -
                    (q->at[b] - p->at[b]) * (r->at[a] - p->at[a]);
    return c->scale * fabs(across);
}

static double polygon_area(const cutter *c, psb_polygon p) {
    double sum = 0.0;
    for (int v = 2; v < p.corners; v++) {
        sum += area_of(c, p.corner[0], p.corner[v - 1], p.corner[v]);
    }
    return sum;
}

static double distance_of(const cutter *c, int row, const psb_cell_vertex *v) {
    return c->distance[row][0] * v->at[PSB_Z] + c->distance[row][1] * v->at[PSB_U];
}

/* A polygon within one cell counts `share` times its area. */
static void add_piece(const cutter *c, psb_polygon p, int row, int column, double share) {
    double distance[PSB_PART_CORNERS];
    double least = distance_of(c, row, p.corner[0]), most = least;
    distance[0] = least;
    for (int v = 1; v < p.corners; v++) {
        distance[v] = distance_of(c, row, p.corner[v]);
        least = psb_min(least, distance[v]);
        most = psb_max(most, distance[v]);
    }
    size_t cell = (size_t)(row * PSB_GRID + column);
    int first = slice_at(c, least), last = slice_at(c, most);
    double *slices = c->cells->area.data;
    slices += cell * c->cells->slices;
    occupy(c, cell, first, last);
    if (first == last) {
        slices[first] += share * polygon_area(c, p);
        return;
    }
    for (int v = 2; v < p.corners; v++) {
        double area = share * area_of(c, p.corner[0], p.corner[v - 1], p.corner[v]);
        add_slices(c, slices, (double[3]){distance[0], distance[v - 1], distance[v]}, area);
    }
}

static int row_of(const cutter *c, double z, double u) {
    double row = psb_direction_angle(z, c->widen * u) * (PSB_GRID / M_PI) + 0.5;
    return row > 0.0 ? (int)row : 0;
}

static int middle_row(const cutter *c, psb_polygon p) {
    double z = 0.0, u = 0.0;
    for (int v = 0; v < p.corners; v++) {
        z += p.corner[v]->at[PSB_Z];
        u += p.corner[v]->at[PSB_U];
    }
    return row_of(c, z, u);
}

/* What the triangle has in one column counts `share` times its area. */
static void add_strip(const cutter *c, psb_polygon strip, int column, double share) {
    int row[PSB_SWEEP_CORNERS] = {0};
    int first = PSB_GRID, last = 0;
    for (int v = 0; v < strip.corners; v++) {
        row[v] = strip.corner[v]->row;
        first = row[v] < first ? row[v] : first;
        last = row[v] > last ? row[v] : last;
    }
    column &= PSB_GRID - 1;
    if (first == last) {
        add_piece(c, strip, first, column, share);
    } else if (polygon_area(c, strip) <= c->least_area) {
        add_piece(c, strip, middle_row(c, strip), column, share);
    } else {
        psb_sweep s;
        psb_sweep_begin(&s, strip, row);
        for (int j = first; j < last; j++) {
            add_piece(c, psb_sweep_next(&s, j, c->border[j], PSB_Z), j, column, share);
        }
        add_piece(c, psb_sweep_rest(&s), last, column, share);
    }
}

/* Sets what follows from x, y, z and the azimuth. */
static void place(const cutter *c, psb_cell_vertex *v) {
    const double *middle = c->middle[v->azimuth & (TURN - 1)];
    v->at[PSB_U] = psb_max(0.0, middle[0] * v->at[PSB_X] + middle[1] * v->at[PSB_Y]);
    v->row = row_of(c, v->at[PSB_Z], v->at[PSB_U]);
}

/* In half columns, -64 ... 64; the turn is less than half a circle. */
static int turn_between(const psb_cell_vertex *a, const psb_cell_vertex *b) {
    int turn = (b->azimuth - a->azimuth) & (TURN - 1);
    double across = a->at[PSB_X] * b->at[PSB_Y] - a->at[PSB_Y] * b->at[PSB_X];
    /* The sign decides only between two ways that are about as long. */
    return turn > (across > 0.0 ? 3 * TURN / 4 : TURN / 4) ? turn - TURN : turn;
}

/*
 * A triangle in the plane of a meridian: each of the two columns beside it gets half. Beyond the
 * axis it continues on the opposite meridian.
 */
static void add_on_meridian(const cutter *c, psb_polygon whole, const int *azimuth, int meridian) {
    int side[3];
    bool across = false;
    for (int v = 0; v < 3; v++) {
        side[v] = azimuth[v] != meridian;
        across = across || side[v] == 1;
    }
    psb_sweep s;
    psb_sweep_begin(&s, whole, side);
    int column = meridian / 2 + PSB_GRID;
    if (across) {
        psb_polygon here = psb_sweep_next(&s, 0, c->middle[meridian & (TURN - 1)], PSB_X);
        for (int v = 0; v < 2; v++) {
            psb_cell_vertex *cut = &s.cut[s.turn][v];
            cut->at[PSB_U] = 0.0;
            cut->row = row_of(c, cut->at[PSB_Z], 0.0);
        }
        add_strip(c, here, column - 1, 0.5);
        add_strip(c, here, column, 0.5);
        column += PSB_GRID / 2;
    }
    psb_polygon rest = psb_sweep_rest(&s);
    add_strip(c, rest, column - 1, 0.5);
    add_strip(c, rest, column, 0.5);
}

/* A triangle that does not enclose the pole, with the azimuths of its corners. */
static void add_turned(const cutter *c, psb_polygon whole, const int *azimuth) {
    int low = azimuth[0], high = azimuth[0];
    for (int v = 1; v < 3; v++) {
        low = azimuth[v] < low ? azimuth[v] : low;
        high = azimuth[v] > high ? azimuth[v] : high;
    }
    int column = low / 2;
    psb_sweep s;
    psb_sweep_begin(&s, whole, azimuth);
    for (; 2 * (column + 1) < high; column++) {
        int meridian = 2 * (column + 1);
        psb_polygon strip =
            psb_sweep_next(&s, meridian, c->meridian[(column + 1) % PSB_GRID], PSB_X);
        for (int v = 0; v < 2; v++) {
            s.cut[s.turn][v].azimuth = meridian;
            place(c, &s.cut[s.turn][v]);
        }
        add_strip(c, strip, column, 1.0);
    }
    add_strip(c, psb_sweep_rest(&s), column, 1.0);
}

/* The axis pierces the triangle. Each edge and the point where it does make a smaller triangle. */
static void add_around_axis(const cutter *c, const psb_cell_vertex *const q[3]) {
    double weight[3], sum = 0.0, z = 0.0;
    for (int v = 0; v < 3; v++) {
        const double *a = q[(v + 1) % 3]->at, *b = q[(v + 2) % 3]->at;
        weight[v] = fabs(a[PSB_X] * b[PSB_Y] - a[PSB_Y] * b[PSB_X]);
        sum += weight[v];
        z += weight[v] * q[v]->at[PSB_Z];
    }
    psb_cell_vertex axis = {{0.0, 0.0, sum > 0.0 ? z / sum : q[0]->at[PSB_Z], 0.0}, 0, 0};
    axis.row = row_of(c, axis.at[PSB_Z], 0.0);
    for (int v = 0; v < 3; v++) {
        const psb_cell_vertex *a = q[v], *b = q[(v + 1) % 3];
        int azimuth = a->azimuth + TURN;
        add_turned(c, (psb_polygon){(const psb_cell_vertex *const[3]){a, b, &axis}, 3},
                   (const int[3]){azimuth, azimuth + turn_between(a, b), azimuth});
    }
}

static void add_cut(const cutter *c, const psb_cell_vertex *const q[3]) {
    /* Corners on the axis have the azimuth of another. */
    int base = q[0]->azimuth != ON_AXIS ? 0 : q[1]->azimuth != ON_AXIS ? 1 : 2;
    int azimuth[3], flat = 0, free = 0;
    for (int v = 0; v < 3; v++) {
        int turn = q[v]->azimuth != ON_AXIS ? turn_between(q[base], q[v]) : 0;
        azimuth[v] = q[base]->azimuth + TURN + turn;
        flat += turn % (TURN / 2) == 0;
        free += q[v]->azimuth != ON_AXIS;
    }
    psb_polygon whole = {q, 3};
    if (flat == 3 && azimuth[base] % 2 == 0) {
        add_on_meridian(c, whole, azimuth, azimuth[base]);
    } else if (free == 3 && turn_between(q[1], q[2]) != azimuth[2] - azimuth[1]) {
        add_around_axis(c, q);
    } else {
        add_turned(c, whole, azimuth);
    }
}

/* Chooses the coordinates in which the triangle is widest. Returns twice its area. */
static double set_plane(cutter *c, const psb_cell_vertex *const q[3]) {
    double normal[3];
    psb_normal(q[0]->at, q[1]->at, q[2]->at, normal);
    int axis = fabs(normal[PSB_Y]) > fabs(normal[PSB_X]) ? PSB_Y : PSB_X;
    axis = fabs(normal[PSB_Z]) > fabs(normal[axis]) ? PSB_Z : axis;
    double length = psb_norm(normal), largest = fabs(normal[axis]);
    c->flat[0] = axis == PSB_X ? PSB_Y : PSB_X;
    c->flat[1] = axis == PSB_Z ? PSB_Y : PSB_Z;
    c->scale = largest > 0.0 ? 0.5 * length / largest : 0.0;
    return length;
}

static void add_triangle(cutter *c, const uint32_t *triangle) {
    const psb_cell_vertex *vertices = c->cells->vertices.data;
    const psb_cell_vertex *const q[3] = {vertices + triangle[0], vertices + triangle[1],
                                         vertices + triangle[2]};
    if (!(set_plane(c, q) > 0.0)) {
        return;
    }
    int azimuth = q[0]->azimuth, row = q[0]->row;
    if (azimuth % 2 == 1 && q[1]->azimuth == azimuth && q[2]->azimuth == azimuth &&
        q[1]->row == row && q[2]->row == row) {
        add_piece(c, (psb_polygon){q, 3}, row, azimuth / 2, 1.0);
    } else {
        add_cut(c, q);
    }
}

static void set_tables(cutter *c) {
    const double half_column = M_PI / PSB_GRID, half_row = M_PI / (2 * PSB_GRID);
    c->widen = psb_asinh(psb_sin(half_column) / psb_cos(half_column)) / half_column;
    for (int i = 0; i < TURN; i++) {
        double azimuth = i * half_column, factor = i % 2 == 0 ? psb_cos(half_column) : 1.0;
        c->middle[i][0] = factor * psb_cos(azimuth);
        c->middle[i][1] = factor * psb_sin(azimuth);
        if (i % 2 == 0) {
            c->meridian[i / 2][0] = -psb_sin(azimuth);
            c->meridian[i / 2][1] = psb_cos(azimuth);
        }
    }
    for (int j = 0; j < PSB_CELL_ROWS; j++) {
        double begin = j == 0 ? 0.0 : (2 * j - 1) * half_row;
        double end = j == PSB_GRID ? M_PI : (2 * j + 1) * half_row;
        double polar = 0.5 * (begin + end), sine = psb_sin(polar);
        /* The mean of distance over distance along the middle, to second order. */
        double longer = 1.0 + (half_column * half_column * sine * sine + half_row * half_row) / 6.0;
        c->distance[j][0] = PSB_BALL_SLICES * longer * psb_cos(polar);
        c->distance[j][1] = PSB_BALL_SLICES * longer * sine;
        if (j < PSB_GRID) {
            c->border[j][0] = -psb_sin(end);
            c->border[j][1] = c->widen * psb_cos(end);
        }
    }
    for (size_t s = 0; s <= c->cells->slices; s++) {
        c->level[s] = PSB_BALL_SLICES * psb_slice_radius(s);
    }
}

/* Vertices within rounding of a meridian are on it, so that triangles in its plane are noticed. */
static int azimuth_of(const psb_cell_vertex *v) {
    static const double on_meridian = 1e-6, on_axis = 1e-9;
    if (fabs(v->at[PSB_X]) < on_axis && fabs(v->at[PSB_Y]) < on_axis) {
        return ON_AXIS;
    }
    double column = psb_direction_angle(v->at[PSB_X], v->at[PSB_Y]) * (PSB_GRID / (2.0 * M_PI));
    column = column > 0.0 ? column + PSB_GRID : PSB_GRID; /* no angle: an unused vertex, too far */
    int left = (int)(column - on_meridian), right = (int)(column + on_meridian);
    return (left == right ? 2 * left + 1 : 2 * right) & (TURN - 1);
}

static void place_vertices(const cutter *c, const double *points, size_t n, int pole) {
    psb_cell_vertex *v = c->cells->vertices.data;
    for (size_t i = 0; i < n; i++, v++, points += 3) {
        for (int k = 0; k < 3; k++) {
            v->at[k] = points[(pole + 1 + k) % 3];
        }
        v->azimuth = azimuth_of(v);
        place(c, v);
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
    if (farthest2 <= 1.0) {
        return PSB_BALL_SLICES;
    }
    double last = PSB_BALL_SLICES * (1.0 + 0.5 * psb_log(farthest2));
    return last < PSB_MOST_SLICES ? (size_t)last + 1 : PSB_MOST_SLICES;
}

psb_status psb_cell_areas_fill(const psb_mesh *mesh, const double *points, int pole,
                               double least_area, psb_cell_areas *cells, psb_error *error) {
    psb_status status = psb_cell_areas_clear(cells, slices_needed(mesh, points), error);
    PSB_THEN(status, psb_buffer_reserve(&cells->vertices, mesh->nvertices, sizeof(psb_cell_vertex),
                                        "vertices in cells", error));
    if (status == PSB_OK) {
        cutter c = {.cells = cells, .least_area = least_area};
        set_tables(&c);
        place_vertices(&c, points, mesh->nvertices, pole);
        for (size_t i = 0; i < mesh->ntriangles; i++) {
            add_triangle(&c, mesh->triangles + 3 * i);
        }
    }
    return status;
}
