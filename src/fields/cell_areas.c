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
#include "core/watch.h"
#include "fields/cell_slices.h"
#include "fields/cell_sweep.h"
#include "fields/direction_grid.h"

#include <stdbool.h>
#include <string.h>

enum {
    TURN = 2 * PSB_GRID, /* half columns */
    ON_AXIS = -1,
    LINE = 8, /* numbers in a line of a cache */
};

/* Two coordinates in which a triangle's parts are compared, and area by that. */
typedef struct plane {
    int flat[2];
    double scale;
} plane;

/* What a triangle has in one column counts `share` times its area. */
typedef struct strip {
    plane plane;
    const psb_cell_vertex *corner[PSB_SWEEP_CORNERS];
    int corners, column;
    double share;
} strip;

/* What one triangle adds at most: three times around half a circle, with two cuts each and one. */
enum {
    WAITING = 64,
    MOST_STRIPS = 3 * (PSB_GRID / 2 + 2),
    STRIPS = WAITING + MOST_STRIPS,
    CUTS = 2 * STRIPS + WAITING,
};

typedef struct cutter {
    psb_cell_areas *cells;
    double least_area;
    double widen;                      /* mean distance from the axis over u, in any column */
    double middle[TURN][2];            /* u from x and y, by azimuth */
    double meridian[PSB_GRID][2];      /* of x and y: 0 on it, greater beyond */
    double border[PSB_GRID][2];        /* of z and u: 0 at the end of row j, greater beyond */
    double distance[PSB_CELL_ROWS][2]; /* from z and u, in slices of the ball */
    double level[PSB_LEVELS];          /* of psb_slice_levels */
    plane plane;                       /* of the triangle at hand */
    /* Strips wait so that the rows of their corners, on which all depends, are not waited for. */
    strip strips[STRIPS];
    psb_cell_vertex cuts[CUTS];
    int nstrips, ncuts;
    const psb_slice_kernel *kernel;
    psb_cell_pieces pieces; /* that wait for it */
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
    size_t words = words_of(cells);
    for (size_t cell = 0; cell < PSB_CELLS && words > 0; cell++, area += cells->step) {
        for (size_t w = 0; w < words; w++, occupied++) {
            for (uint64_t bits = *occupied; bits != 0; bits &= bits - 1) {
                area[PSB_SLICE_WORD * w + (size_t)__builtin_ctzll(bits)] = 0.0;
            }
            *occupied = 0;
        }
    }
}

psb_status psb_cell_areas_clear(psb_cell_areas *cells, size_t slices, psb_error *error) {
    empty(cells);
    size_t words = (slices + PSB_SLICE_WORD - 1) / PSB_SLICE_WORD;
    size_t before = cells->area.bytes, step = words * PSB_SLICE_WORD + LINE;
    cells->slices = 0;
    psb_status status =
        psb_buffer_reserve(&cells->area, PSB_CELLS * step, sizeof(double), "cell areas", error);
    if (status == PSB_OK && cells->area.bytes > before) {
        memset(cells->area.data, 0, cells->area.bytes);
    }
    if (status == PSB_OK) {
        before = cells->occupied.bytes;
        status = psb_buffer_reserve(&cells->occupied, PSB_CELLS * words, sizeof(uint64_t),
                                    "cell areas", error);
    }
    if (status == PSB_OK) {
        if (cells->occupied.bytes > before) {
            memset(cells->occupied.data, 0, cells->occupied.bytes);
        }
        cells->slices = words * PSB_SLICE_WORD;
        cells->step = step;
    }
    return status;
}

void psb_cell_areas_free(psb_cell_areas *cells) {
    psb_buffer_free(&cells->area);
    psb_buffer_free(&cells->occupied);
    psb_buffer_free(&cells->vertices);
}

static double area_of(const plane *of, const psb_cell_vertex *p, const psb_cell_vertex *q,
                      const psb_cell_vertex *r) {
    int a = of->flat[0], b = of->flat[1];
    double across = (q->at[a] - p->at[a]) * (r->at[b] - p->at[b]) -
                    (q->at[b] - p->at[b]) * (r->at[a] - p->at[a]);
    return of->scale * fabs(across);
}

static double strip_area(const strip *s) {
    double sum = 0.0;
    for (int v = 2; v < s->corners; v++) {
        sum += area_of(&s->plane, s->corner[0], s->corner[v - 1], s->corner[v]);
    }
    return sum;
}

static void flush_pieces(cutter *c) {
    c->kernel->run(c->level, &c->pieces, c->cells);
    c->pieces.n = c->pieces.nfurther = 0;
}

/* The part of a strip that lies within one cell. */
static void add_piece(cutter *c, const strip *whole, psb_polygon p, int row) {
    psb_pieces_add(&c->pieces, p, c->distance[row], whole->plane.flat,
                   whole->share * whole->plane.scale, (uint32_t)(row * PSB_GRID + whole->column));
    if (!psb_pieces_have_room(&c->pieces)) {
        flush_pieces(c);
    }
}

static int row_at(double angle) {
    double row = angle * (PSB_GRID / M_PI) + 0.5;
    return row > 0.0 ? (int)row : 0;
}

/* Sets the rows of n vertices. */
static void find_rows(const cutter *c, psb_cell_vertex *vertices, size_t n) {
    double z[PSB_ANGLES] = {0.0}, u[PSB_ANGLES] = {0.0}, angle[PSB_ANGLES];
    for (size_t i = 0, count; i < n; i += count) {
        count = n - i < PSB_ANGLES ? n - i : PSB_ANGLES;
        for (size_t k = 0; k < count; k++) {
            z[k] = vertices[i + k].at[PSB_Z];
            u[k] = c->widen * vertices[i + k].at[PSB_U];
        }
        psb_direction_angles(z, u, angle);
        for (size_t k = 0; k < count; k++) {
            vertices[i + k].row = row_at(angle[k]);
        }
    }
}

static int middle_row(const cutter *c, const strip *s) {
    double z = 0.0, u = 0.0;
    for (int v = 0; v < s->corners; v++) {
        z += s->corner[v]->at[PSB_Z];
        u += s->corner[v]->at[PSB_U];
    }
    return row_at(psb_direction_angle(z, c->widen * u));
}

static void cut_strip(cutter *c, const strip *whole) {
    int row[PSB_SWEEP_CORNERS] = {0};
    int first = PSB_GRID, last = 0;
    for (int v = 0; v < whole->corners; v++) {
        row[v] = whole->corner[v]->row;
        first = row[v] < first ? row[v] : first;
        last = row[v] > last ? row[v] : last;
    }
    psb_polygon p = {whole->corner, whole->corners};
    if (first == last) {
        add_piece(c, whole, p, first);
    } else if (strip_area(whole) <= c->least_area) {
        add_piece(c, whole, p, middle_row(c, whole));
    } else {
        psb_sweep s;
        psb_cell_vertex cut[2][2];
        psb_sweep_begin(&s, p, row);
        for (int j = first; j < last; j++) {
            add_piece(c, whole, psb_sweep_next(&s, j, c->border[j], PSB_Z, cut[j % 2]), j);
        }
        add_piece(c, whole, psb_sweep_rest(&s), last);
    }
}

static void flush_strips(cutter *c) {
    find_rows(c, c->cuts, (size_t)c->ncuts);
    for (int i = 0; i < c->nstrips; i++) {
        cut_strip(c, &c->strips[i]);
    }
    c->nstrips = c->ncuts = 0;
}

static void add_strip(cutter *c, psb_polygon p, int column, double share) {
    strip *s = &c->strips[c->nstrips++];
    s->plane = c->plane;
    s->corners = p.corners;
    for (int v = 0; v < PSB_SWEEP_CORNERS && v < p.corners; v++) { /* no call of memcpy */
        s->corner[v] = p.corner[v];
    }
    s->column = column & (PSB_GRID - 1);
    s->share = share;
}

/* New vertices, whose rows are found with those of others. */
static psb_cell_vertex *take_cuts(cutter *c, int n) {
    c->ncuts += n;
    return c->cuts + c->ncuts - n;
}

/* Sets u, which follows from x, y and the azimuth. */
static void place(const cutter *c, psb_cell_vertex *v) {
    const double *middle = c->middle[v->azimuth & (TURN - 1)];
    v->at[PSB_U] = psb_max(0.0, middle[0] * v->at[PSB_X] + middle[1] * v->at[PSB_Y]);
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
static void add_on_meridian(cutter *c, psb_polygon whole, const int *azimuth, int meridian) {
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
        psb_cell_vertex *cuts = take_cuts(c, 2);
        psb_polygon here = psb_sweep_next(&s, 0, c->middle[meridian & (TURN - 1)], PSB_X, cuts);
        cuts[0].at[PSB_U] = cuts[1].at[PSB_U] = 0.0;
        add_strip(c, here, column - 1, 0.5);
        add_strip(c, here, column, 0.5);
        column += PSB_GRID / 2;
    }
    psb_polygon rest = psb_sweep_rest(&s);
    add_strip(c, rest, column - 1, 0.5);
    add_strip(c, rest, column, 0.5);
}

/* A triangle that does not enclose the pole, with the azimuths of its corners. */
static void add_turned(cutter *c, psb_polygon whole, const int *azimuth) {
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
        psb_cell_vertex *cuts = take_cuts(c, 2);
        psb_polygon part =
            psb_sweep_next(&s, meridian, c->meridian[(column + 1) % PSB_GRID], PSB_X, cuts);
        for (int v = 0; v < 2; v++) {
            cuts[v].azimuth = meridian;
            place(c, &cuts[v]);
        }
        add_strip(c, part, column, 1.0);
    }
    add_strip(c, psb_sweep_rest(&s), column, 1.0);
}

/* The axis pierces the triangle. Each edge and the point where it does make a smaller triangle. */
static void add_around_axis(cutter *c, const psb_cell_vertex *const q[3]) {
    double weight[3], sum = 0.0, z = 0.0;
    for (int v = 0; v < 3; v++) {
        const double *a = q[(v + 1) % 3]->at, *b = q[(v + 2) % 3]->at;
        weight[v] = fabs(a[PSB_X] * b[PSB_Y] - a[PSB_Y] * b[PSB_X]);
        sum += weight[v];
        z += weight[v] * q[v]->at[PSB_Z];
    }
    psb_cell_vertex *axis = take_cuts(c, 1);
    *axis = (psb_cell_vertex){{0.0, 0.0, sum > 0.0 ? z / sum : q[0]->at[PSB_Z], 0.0}, 0, 0};
    for (int v = 0; v < 3; v++) {
        const psb_cell_vertex *a = q[v], *b = q[(v + 1) % 3];
        int azimuth = a->azimuth + TURN;
        add_turned(c, (psb_polygon){(const psb_cell_vertex *const[3]){a, b, axis}, 3},
                   (const int[3]){azimuth, azimuth + turn_between(a, b), azimuth});
    }
}

static void add_cut(cutter *c, const psb_cell_vertex *const q[3]) {
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
    c->plane.flat[0] = axis == PSB_X ? PSB_Y : PSB_X;
    c->plane.flat[1] = axis == PSB_Z ? PSB_Y : PSB_Z;
    c->plane.scale = largest > 0.0 ? 0.5 * length / largest : 0.0;
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
        add_strip(c, (psb_polygon){q, 3}, azimuth / 2, 1.0);
    } else {
        add_cut(c, q);
    }
    if (c->nstrips >= WAITING) {
        flush_strips(c);
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
    psb_slice_levels(c->cells->slices, c->level);
}

/* Vertices within rounding of a meridian are on it, so that triangles in its plane are noticed. */
static int azimuth_at(double x, double y, double angle) {
    static const double on_meridian = 1e-6, on_axis = 1e-9;
    if (fabs(x) < on_axis && fabs(y) < on_axis) {
        return ON_AXIS;
    }
    double column = angle * (PSB_GRID / (2.0 * M_PI));
    column = column > 0.0 ? column + PSB_GRID : PSB_GRID; /* no angle: an unused vertex, too far */
    int left = (int)(column - on_meridian), right = (int)(column + on_meridian);
    return (left == right ? 2 * left + 1 : 2 * right) & (TURN - 1);
}

static void place_vertices(const cutter *c, const double *points, size_t n, int pole) {
    psb_cell_vertex *vertices = c->cells->vertices.data;
    double x[PSB_ANGLES] = {0.0}, y[PSB_ANGLES] = {0.0}, angle[PSB_ANGLES];
    for (size_t i = 0, count; i < n; i += count) {
        count = n - i < PSB_ANGLES ? n - i : PSB_ANGLES;
        for (size_t k = 0; k < count; k++) {
            const double *point = points + 3 * (i + k);
            x[k] = point[(pole + 1) % 3];
            y[k] = point[(pole + 2) % 3];
            vertices[i + k] = (psb_cell_vertex){{x[k], y[k], point[pole], 0.0}, 0, 0};
        }
        psb_direction_angles(x, y, angle);
        for (size_t k = 0; k < count; k++) {
            vertices[i + k].azimuth = azimuth_at(x[k], y[k], angle[k]);
            place(c, &vertices[i + k]);
        }
    }
    find_rows(c, vertices, n);
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
        cutter c = {
            .cells = cells, .least_area = least_area, .kernel = psb_cpu_choose(psb_slice_kernels)};
        set_tables(&c);
        place_vertices(&c, points, mesh->nvertices, pole);
        for (size_t i = 0; i < mesh->ntriangles && psb_goes_on(i); i++) {
            add_triangle(&c, mesh->triangles + 3 * i);
        }
        flush_strips(&c);
        flush_pieces(&c);
    }
    return status;
}
