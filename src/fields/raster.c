/*
 * Triangles into voxels.
 *
 * The exact rule works on a row of voxels at a time. Every separating axis of a triangle and a cube
 * (three cube normals, the triangle's normal, nine cross products of edges) is a half-space for the
 * cube's center (Schwarz and Seidel 2010). Along a row each half-space bounds an interval of i;
 * their intersection is set with one mask. Degenerate triangles need no special case: the same
 * half-spaces are the separating axes of a segment or a point.
 */
#include "core/vector.h"
#include "core/watch.h"
#include "fields/raster_kernel.h"

#include <float.h>
#include <string.h>

/* Cubes that only touch the triangle are set whatever rounding says: margin in voxels. */
static const double margin = 1e-9;

/*
 * Eleven half-spaces n . center + d >= 0 side by side, and one that holds every center. In row
 * (j, k) a half-space begins, where `rising` is 0, or ends, where `falling` is 0, at
 * (n[1] j + n[2] k + d) scale; the other of the two is infinite, so that added to the place it
 * bounds nothing. Where the border runs along the row, scale is infinite, and so is the end.
 */
enum { SPACES = 11, ROOM = 12 };
typedef double lane[ROOM];
typedef struct half_spaces {
    lane n[3], d, scale, rising, falling;
} half_spaces;

/* Sets n . (center - corner) + reach >= 0, where reach is what the half cube adds at most. If n is
 * 0, every center is in the half-space. */
PSB_INLINE void set_half_spaces(lane n[3], const lane corner[3], half_spaces *spaces) {
    lane length;
    for (int s = 0; s < ROOM; s++) {
        double square = n[0][s] * n[0][s] + n[1][s] * n[1][s] + n[2][s] * n[2][s];
        length[s] = square == 0.0 ? 1.0 : square;
    }
    for (int s = 0; s < ROOM; s++) {
        length[s] = sqrt(length[s]);
    }
    for (int s = 0; s < ROOM; s++) {
        double x = n[0][s] / length[s], y = n[1][s] / length[s], z = n[2][s] / length[s];
        double reach = 0.5 * fabs(x) + 0.5 * fabs(y) + 0.5 * fabs(z);
        double offset = x * corner[0][s] + y * corner[1][s] + z * corner[2][s];
        spaces->n[0][s] = x;
        spaces->n[1][s] = y;
        spaces->n[2][s] = z;
        spaces->d[s] = reach - offset + margin;
        bool rising = x >= 1e-12;
        spaces->scale[s] = fabs(x) >= 1e-12 ? -1.0 / x : INFINITY;
        spaces->rising[s] = rising ? 0.0 : -INFINITY;
        spaces->falling[s] = rising ? INFINITY : 0.0;
    }
}

/* The triangle's plane from both sides, and each edge seen along each coordinate axis. */
PSB_INLINE void collect(double corner[3][3], half_spaces *spaces) {
    lane n[3] = {{0.0}}, at[3] = {{0.0}};
    double normal[3];
    psb_normal(corner[0], corner[1], corner[2], normal);
    for (int k = 0; k < 3; k++) {
        n[k][0] = normal[k];
        n[k][1] = -normal[k];
        at[k][0] = at[k][1] = corner[0][k];
    }
    for (int axis = 0; axis < 3; axis++) {
        int a = (axis + 1) % 3, b = (axis + 2) % 3;
        double turn = normal[axis] >= 0.0 ? 1.0 : -1.0;
        for (int e = 0; e < 3; e++) {
            const double *p = corner[e], *q = corner[(e + 1) % 3];
            int s = 2 + 3 * axis + e;
            n[a][s] = -turn * (q[b] - p[b]);
            n[b][s] = turn * (q[a] - p[a]);
            for (int k = 0; k < 3; k++) {
                at[k][s] = p[k];
            }
        }
    }
    set_half_spaces(n, at, spaces);
}

/* x rounded up and down; ceil and floor are calls on processors of the baseline. */
PSB_INLINE int round_up(double x) {
    int whole = (int)x;
    return whole + (x > whole);
}

PSB_INLINE int round_down(double x) {
    int whole = (int)x;
    return whole - (x < whole);
}

/* ROWS rows of voxels, their j and k. */
enum { ROWS = 16 };
typedef struct rows {
    double j[ROWS], k[ROWS];
} rows;

/* Sets the voxels of n rows that lie between lo and hi and that no half-space excludes. */
PSB_INLINE void fill_rows(const half_spaces *spaces, const rows *in, int n, int lo, int hi,
                          psb_raster *raster) {
    double begin[ROWS], last[ROWS];
    const int some = (n + 3) & -4; /* a multiple of what a vector of AVX2 holds */
    for (int r = 0; r < some; r++) {
        begin[r] = lo;
        last[r] = hi;
    }
    for (int s = 0; s < SPACES; s++) {
        for (int r = 0; r < some; r++) {
            double value = spaces->n[1][s] * in->j[r] + spaces->n[2][s] * in->k[r] + spaces->d[s];
            double end = value * spaces->scale[s];
            double from = end + spaces->rising[s], to = end + spaces->falling[s];
            begin[r] = from > begin[r] ? from : begin[r]; /* NaN bounds nothing */
            last[r] = to < last[r] ? to : last[r];
        }
    }
    for (int r = 0; r < n; r++) { /* limited to what an int can hold */
        int first = round_up(psb_min(begin[r], PSB_VOXELS));
        int end = round_down(psb_max(last[r], -1.0));
        uint64_t voxels = UINT64_MAX << (first & 63) & UINT64_MAX >> (~end & 63);
        raster->row[(int)in->k[r]][(int)in->j[r]] |= first <= end ? voxels : 0;
    }
}

/* Fills the box first ... last, ROWS rows at a time. */
PSB_INLINE void fill_box(const half_spaces *spaces, const int first[3], const int last[3],
                         psb_raster *raster) {
    rows some = {{0.0}, {0.0}};
    int n = 0;
    for (int k = first[2]; k <= last[2]; k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            some.j[n] = j;
            some.k[n] = k;
            if (++n == ROWS) {
                fill_rows(spaces, &some, n, first[0], last[0], raster);
                n = 0;
            }
        }
    }
    if (n > 0) {
        fill_rows(spaces, &some, n, first[0], last[0], raster);
    }
}

/* First and last voxel whose cubes reach into [low, high], within the grid; false where none. */
static bool voxel_range(double low, double high, int *first, int *last) {
    low = psb_max(low - 0.5 - margin, 0.0);
    high = psb_min(high + 0.5 + margin, PSB_VOXELS - 1);
    if (!(low <= PSB_VOXELS - 1 && high >= 0.0)) {
        return false;
    }
    *first = round_up(low);
    *last = round_down(high);
    return *first <= *last;
}

/* The order of coordinates: the arithmetic must not see the file's order of corners. */
static bool is_after(const double p[3], const double q[3]) {
    int k = 0;
    while (k < 2 && p[k] == q[k]) {
        k++;
    }
    return p[k] > q[k];
}

static const int sorting_steps[3][2] = {{0, 1}, {1, 2}, {0, 1}};

static void sort_corners(double corner[3][3]) {
    for (int s = 0; s < 3; s++) {
        double *p = corner[sorting_steps[s][0]], *q = corner[sorting_steps[s][1]];
        if (is_after(p, q)) {
            double t[3];
            memcpy(t, p, sizeof t);
            memcpy(p, q, sizeof t);
            memcpy(q, t, sizeof t);
        }
    }
}

PSB_INLINE void fill_triangle(double corner[3][3], psb_raster *raster) {
    int first[3], last[3];
    int wide = 0;
    for (int k = 0; k < 3; k++) {
        double low = psb_min(corner[0][k], psb_min(corner[1][k], corner[2][k]));
        double high = psb_max(corner[0][k], psb_max(corner[1][k], corner[2][k]));
        if (!voxel_range(low, high, &first[k], &last[k])) {
            return;
        }
        wide += first[k] < last[k];
    }
    if (psb_box_is_set(first, last, raster)) {
        return;
    }
    if (wide > 1) {
        half_spaces spaces;
        sort_corners(corner);
        collect(corner, &spaces);
        fill_box(&spaces, first, last, raster);
        return;
    }
    /* A box that is one voxel thick but for one axis is met in all its voxels. */
    uint64_t row = psb_row_mask(first[0], last[0]);
    for (int k = first[2]; k <= last[2]; k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            raster->row[k][j] |= row;
        }
    }
}

/* A corner of a part, with the voxel that it lies in: -1 or PSB_VOXELS for all that is outside. */
typedef struct place {
    double p[3];
    int voxel[3];
} place;

static inline void find_voxel(place *at) {
    for (int k = 0; k < 3; k++) {
        at->voxel[k] = (int)(psb_min(psb_max(at->p[k] + 0.5, -1.0), PSB_VOXELS) + 1.0) - 1;
    }
}

static void set_place(const place *at, psb_raster *raster) {
    for (int k = 0; k < 3; k++) {
        if (at->voxel[k] < 0 || at->voxel[k] >= PSB_VOXELS) {
            return;
        }
    }
    raster->row[at->voxel[2]][at->voxel[1]] |= UINT64_C(1) << at->voxel[0];
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

/* Whether parts of the triangle can set nothing: no corner of theirs leaves its box. */
static inline bool is_done(const place *a, const place *b, const place *c,
                           const psb_raster *raster) {
    int first[3], last[3];
    for (int k = 0; k < 3; k++) {
        first[k] = most(least(least(a->voxel[k], b->voxel[k]), c->voxel[k]), 0);
        last[k] = least(most(most(a->voxel[k], b->voxel[k]), c->voxel[k]), PSB_VOXELS - 1);
    }
    return psb_box_is_set(first, last, raster);
}

static double square_distance(const place *a, const place *b) {
    double d[3];
    psb_subtract(a->p, b->p, d);
    return psb_dot(d, d);
}

static void sample_parts(const place *a, const place *b, const place *c, double ab, double bc,
                         double ca, psb_raster *raster);

/* Halves the triangle at its edge ab. */
static void halve(const place *a, const place *b, const place *c, double ab, double bc, double ca,
                  psb_raster *raster) {
    place middle;
    for (int k = 0; k < 3; k++) {
        middle.p[k] = 0.5 * (a->p[k] + b->p[k]);
    }
    find_voxel(&middle);
    set_place(&middle, raster);
    double median = square_distance(&middle, c);
    sample_parts(a, &middle, c, 0.25 * ab, median, ca, raster);
    sample_parts(&middle, b, c, 0.25 * ab, bc, median, raster);
}

/*
 * Halves the triangle, whose corners are set, at its longest edge until that is at most
 * `psb_sampling_step`. ab, bc and ca are the squared lengths of the edges. Each corner of a part is
 * the middle of an edge of a larger one, and set when it is made. Surfaces are so much finer than
 * the voxels that most parts find their whole box set.
 */
static void sample_parts(const place *a, const place *b, const place *c, double ab, double bc,
                         double ca, psb_raster *raster) {
    if (psb_max(ab, psb_max(bc, ca)) <= psb_sampling_step * psb_sampling_step ||
        is_done(a, b, c, raster)) {
        return;
    }
    if (bc > ab && bc >= ca) {
        halve(b, c, a, bc, ca, ab, raster);
    } else if (ca > ab) {
        halve(c, a, b, ca, ab, bc, raster);
    } else {
        halve(a, b, c, ab, bc, ca, raster);
    }
}

/* A triangle whose corners are set. */
static void sample_triangle(const place corner[3], psb_raster *raster) {
    const place *at[3] = {&corner[0], &corner[1], &corner[2]};
    for (int s = 0; s < 3; s++) {
        const place **p = &at[sorting_steps[s][0]], **q = &at[sorting_steps[s][1]];
        if (is_after((*p)->p, (*q)->p)) {
            const place *t = *p;
            *p = *q;
            *q = t;
        }
    }
    double ab = square_distance(at[0], at[1]), bc = square_distance(at[1], at[2]);
    double ca = square_distance(at[2], at[0]);
    if (psb_max(ab, psb_max(bc, ca)) <= DBL_MAX) {
        sample_parts(at[0], at[1], at[2], ab, bc, ca, raster);
    }
}

PSB_INLINE void fill(const psb_mesh *mesh, const double *points, psb_raster *raster) {
    memset(raster, 0, sizeof *raster);
    for (size_t t = 0; t < mesh->ntriangles && psb_goes_on(t); t++) {
        double corner[3][3];
        for (size_t v = 0; v < 3; v++) {
            psb_to_grid(points + 3 * (size_t)mesh->triangles[3 * t + v], corner[v]);
        }
        fill_triangle(corner, raster);
    }
}

PSB_VARIANTS(psb_fill, fill, (const psb_mesh *mesh, const double *points, psb_raster *raster),
             (mesh, points, raster))

void psb_raster_fill(const psb_mesh *mesh, const double *points, psb_raster *raster) {
    PSB_RUN(psb_fill)(mesh, points, raster);
}

void psb_raster_sample(const psb_mesh *mesh, const double *points, psb_raster *raster) {
    memset(raster, 0, sizeof *raster);
    for (size_t t = 0; t < mesh->ntriangles && psb_goes_on(t); t++) {
        place corner[3];
        for (size_t v = 0; v < 3; v++) {
            psb_to_grid(points + 3 * (size_t)mesh->triangles[3 * t + v], corner[v].p);
            find_voxel(&corner[v]);
            set_place(&corner[v], raster);
        }
        if (!is_done(&corner[0], &corner[1], &corner[2], raster)) {
            sample_triangle(corner, raster);
        }
    }
}
