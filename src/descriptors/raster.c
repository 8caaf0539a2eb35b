/*
 * Triangles into voxels.
 *
 * The exact rule works on a row of voxels at a time. Every separating axis of a triangle and a cube
 * (three cube normals, the triangle's normal, nine cross products of edges) is a half-space for the
 * cube's centre (Schwarz and Seidel 2010). Along a row each half-space bounds an interval of i;
 * their intersection is set with one mask. Degenerate triangles need no special case: the same
 * half-spaces are the separating axes of a segment or a point.
 */
#include "descriptors/raster.h"

#include "core/vector.h"

#include <stdbool.h>
#include <string.h>

/* Cubes that only touch the triangle are set whatever rounding says: margin in voxels. */
static const double margin = 1e-9;

/* Longest edge, in voxels, of the parts into which the sampled rule cuts triangles. */
static const double sampling_step = 0.5;

/* n . centre + d >= 0 */
typedef struct half_space {
    double n[3];
    double d;
} half_space;

enum { MAX_HALF_SPACES = 11 };

typedef struct half_spaces {
    half_space at[MAX_HALF_SPACES];
    int count;
} half_spaces;

/* Adds n . (centre - corner) + reach >= 0, where reach is what the half cube adds at most. */
static void add(half_spaces *spaces, const double n[3], const double corner[3]) {
    double length = psb_norm(n);
    if (length == 0.0) {
        return;
    }
    half_space *space = &spaces->at[spaces->count++];
    double reach = 0.0, offset = 0.0;
    for (int k = 0; k < 3; k++) {
        space->n[k] = n[k] / length;
        reach += 0.5 * fabs(space->n[k]);
        offset += space->n[k] * corner[k];
    }
    space->d = reach - offset + margin;
}

/* The triangle's plane from both sides, and each edge seen along each coordinate axis. */
static void collect(double corner[3][3], half_spaces *spaces) {
    spaces->count = 0;
    double u[3], v[3], normal[3];
    psb_subtract(corner[1], corner[0], u);
    psb_subtract(corner[2], corner[0], v);
    psb_cross(u, v, normal);
    double opposite[3] = {-normal[0], -normal[1], -normal[2]};
    add(spaces, normal, corner[0]);
    add(spaces, opposite, corner[0]);
    for (int axis = 0; axis < 3; axis++) {
        int a = (axis + 1) % 3, b = (axis + 2) % 3;
        double turn = normal[axis] >= 0.0 ? 1.0 : -1.0;
        for (int e = 0; e < 3; e++) {
            const double *p = corner[e], *q = corner[(e + 1) % 3];
            double inward[3] = {0.0, 0.0, 0.0};
            inward[a] = -turn * (q[b] - p[b]);
            inward[b] = turn * (q[a] - p[a]);
            add(spaces, inward, p);
        }
    }
}

static uint64_t row_mask(int from, int to) {
    return UINT64_MAX << from & UINT64_MAX >> (PSB_VOXELS - 1 - to);
}

/* The voxels of row (j, k) between lo and hi that no half-space excludes. */
static void fill_row(const half_spaces *spaces, int k, int j, int lo, int hi, psb_raster *raster) {
    double from = lo, to = hi;
    for (int s = 0; s < spaces->count; s++) {
        const half_space *space = &spaces->at[s];
        double value = space->n[1] * j + space->n[2] * k + space->d;
        double slope = space->n[0];
        if (fabs(slope) < 1e-12) {
            if (value < 0.0) {
                return;
            }
        } else if (slope > 0.0) {
            from = psb_max(from, -value / slope);
        } else {
            to = psb_min(to, -value / slope);
        }
    }
    int first = (int)ceil(from);
    int last = (int)floor(to);
    if (first <= last) {
        raster->row[k][j] |= row_mask(first, last);
    }
}

/* First and last voxel whose cubes reach into [low, high], within the grid; false where none. */
static bool voxel_range(double low, double high, int *first, int *last) {
    low = psb_max(ceil(low - 0.5 - margin), 0.0);
    high = psb_min(floor(high + 0.5 + margin), PSB_VOXELS - 1);
    if (!(low <= high)) {
        return false;
    }
    *first = (int)low;
    *last = (int)high;
    return true;
}

/* Corners in the order of their coordinates: the arithmetic must not see the file's order. */
static void sort_corners(double corner[3][3]) {
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int s = 0; s < 3; s++) {
        double *p = corner[pairs[s][0]], *q = corner[pairs[s][1]];
        int k = 0;
        while (k < 2 && p[k] == q[k]) {
            k++;
        }
        if (p[k] > q[k]) {
            double t[3];
            memcpy(t, p, sizeof t);
            memcpy(p, q, sizeof t);
            memcpy(q, t, sizeof t);
        }
    }
}

static void fill_triangle(double corner[3][3], psb_raster *raster) {
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
    half_spaces spaces;
    spaces.count = 0;
    /* A box that is one voxel thick but for one axis is met in all its voxels. */
    if (wide > 1) {
        sort_corners(corner);
        collect(corner, &spaces);
    }
    for (int k = first[2]; k <= last[2]; k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            fill_row(&spaces, k, j, first[0], last[0], raster);
        }
    }
}

/* A corner of a part, with the voxel that it lies in: -1 or PSB_VOXELS for all that is outside. */
typedef struct place {
    double p[3];
    int voxel[3];
} place;

static place place_of(const double p[3]) {
    place at;
    for (int k = 0; k < 3; k++) {
        at.p[k] = p[k];
        at.voxel[k] = (int)(psb_min(psb_max(p[k] + 0.5, -1.0), PSB_VOXELS) + 1.0) - 1;
    }
    return at;
}

static void set_place(const place *at, psb_raster *raster) {
    for (int k = 0; k < 3; k++) {
        if (at->voxel[k] < 0 || at->voxel[k] >= PSB_VOXELS) {
            return;
        }
    }
    raster->row[at->voxel[2]][at->voxel[1]] |= UINT64_C(1) << at->voxel[0];
}

/* Whether all voxels of the box first ... last are set; so it is where the box is empty. */
static bool box_is_set(const int first[3], const int last[3], const psb_raster *raster) {
    if (first[0] > last[0]) {
        return true;
    }
    uint64_t mask = row_mask(first[0], last[0]);
    for (int k = first[2]; k <= last[2]; k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            if ((raster->row[k][j] & mask) != mask) {
                return false;
            }
        }
    }
    return true;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

/* Whether parts of the triangle can set nothing: no corner of theirs leaves its box. */
static bool is_done(const place *a, const place *b, const place *c, const psb_raster *raster) {
    int first[3], last[3];
    for (int k = 0; k < 3; k++) {
        first[k] = most(least(least(a->voxel[k], b->voxel[k]), c->voxel[k]), 0);
        last[k] = least(most(most(a->voxel[k], b->voxel[k]), c->voxel[k]), PSB_VOXELS - 1);
    }
    return box_is_set(first, last, raster);
}

static double square_distance(const place *a, const place *b) {
    double d[3];
    psb_subtract(a->p, b->p, d);
    return psb_dot(d, d);
}

/*
 * Halves the triangle, whose corners are set, at its longest edge until that is at most
 * `sampling_step`. ab, bc and ca are the squared lengths of the edges. Each corner of a part is the
 * middle of an edge of a larger one, and set when it is made. Surfaces are so much finer than the
 * voxels that most parts find their whole box set.
 */
static void sample_parts(const place *a, const place *b, const place *c, double ab, double bc,
                         double ca, psb_raster *raster) {
    if (bc > ab && bc >= ca) {
        sample_parts(b, c, a, bc, ca, ab, raster);
        return;
    }
    if (ca > ab) {
        sample_parts(c, a, b, ca, ab, bc, raster);
        return;
    }
    if (ab <= sampling_step * sampling_step || is_done(a, b, c, raster)) {
        return;
    }
    double halfway[3];
    for (int k = 0; k < 3; k++) {
        halfway[k] = 0.5 * (a->p[k] + b->p[k]);
    }
    place middle = place_of(halfway);
    set_place(&middle, raster);
    double median = square_distance(&middle, c);
    sample_parts(a, &middle, c, 0.25 * ab, median, ca, raster);
    sample_parts(&middle, b, c, 0.25 * ab, bc, median, raster);
}

/* The triangle's corners in grid coordinates. */
static void grid_corners(const psb_mesh *mesh, const double *points, size_t t,
                         double corner[3][3]) {
    const double half = PSB_VOXELS / 2;
    for (size_t v = 0; v < 3; v++) {
        const double *p = points + 3 * (size_t)mesh->triangles[3 * t + v];
        for (int k = 0; k < 3; k++) {
            corner[v][k] = half * p[k] + half;
        }
    }
}

void psb_raster_fill(const psb_mesh *mesh, const double *points, psb_raster *raster) {
    memset(raster, 0, sizeof *raster);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double corner[3][3];
        grid_corners(mesh, points, t, corner);
        fill_triangle(corner, raster);
    }
}

static void sample_triangle(double corner[3][3], psb_raster *raster) {
    place at[3];
    for (int v = 0; v < 3; v++) {
        at[v] = place_of(corner[v]);
        set_place(&at[v], raster);
    }
    if (is_done(&at[0], &at[1], &at[2], raster)) {
        return;
    }
    sort_corners(corner);
    for (int v = 0; v < 3; v++) {
        at[v] = place_of(corner[v]);
    }
    sample_parts(&at[0], &at[1], &at[2], square_distance(&at[0], &at[1]),
                 square_distance(&at[1], &at[2]), square_distance(&at[2], &at[0]), raster);
}

void psb_raster_sample(const psb_mesh *mesh, const double *points, psb_raster *raster) {
    memset(raster, 0, sizeof *raster);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double corner[3][3];
        grid_corners(mesh, points, t, corner);
        sample_triangle(corner, raster);
    }
}
