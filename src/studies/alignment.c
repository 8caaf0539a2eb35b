/* Finds the best pose in two frames, then iterates closest points. */
#include "studies/alignment.h"

#include "core/linear.h"
#include "core/memory.h"
#include "core/vector.h"
#include "descriptors/descriptor.h"
#include "distance/pose.h"
#include "normalize/surface_points.h"
#include "normalize/surface_tree.h"

#include <xxhash.h>

enum { FRAMES = 2, LENGTH = 8 * PSB_FULL, POINTS = 2000, PAIRS = 2 * POINTS, MOST_STEPS = 100 };

/* The distance of rows, each of length 1, below which a shape may be a copy of the other. */
static const double LIKE = 0.05;
/* A mean squared distance below which nothing is nearer; and what a step has to leave of it. */
static const double ROUNDING = 1e-24, FALL = 0.999;

static const char *const specs[FRAMES] = {
    [PSB_FRAME_SURFACE] = "GEDT:shells=8",
    [PSB_FRAME_NORMALS] = "GEDT:shells=8,frame=normals",
};

/* p -> linear p + shift */
typedef struct affine {
    double linear[3][3], shift[3];
} affine;

static void map_point(const affine *map, const double p[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = psb_dot(map->linear[i], p) + map->shift[i];
    }
}

/* Returns the map that applies `inner`, then `outer`. */
static affine compose(const affine *outer, const affine *inner) {
    affine both = {.shift = {0}};
    for (int k = 0; k < 9; k++) {
        for (int j = 0; j < 3; j++) {
            both.linear[k / 3][k % 3] += outer->linear[k / 3][j] * inner->linear[j][k % 3];
        }
    }
    map_point(outer, inner->shift, both.shift);
    return both;
}

/* Returns the map of psb_pose_apply, or its inverse. */
static affine affine_of(const psb_pose *pose, bool inverse) {
    affine map = {.shift = {0}};
    for (int k = 0; k < 9; k++) {
        int i = k / 3, j = k % 3;
        map.linear[i][j] =
            inverse ? pose->rotation[j][i] / pose->scale : pose->rotation[i][j] * pose->scale;
    }
    for (int i = 0; i < 3; i++) {
        map.shift[i] = inverse ? pose->origin[i] : -psb_dot(map.linear[i], pose->origin);
    }
    return map;
}

static double determinant(const double m[3][3]) {
    double normal[3];
    psb_cross(m[0], m[1], normal);
    return psb_dot(normal, m[2]);
}

/* ---- the pose ---------------------------------------------------------------------------- */

/* One model's poses and rows in both frames. */
typedef struct side {
    psb_pose pose[FRAMES];
    float row[FRAMES][LENGTH];
} side;

static psb_status describe(psb_shape *shape, psb_spec *const spec[FRAMES], const psb_mesh *mesh,
                           const char *name, side *s, psb_error *error) {
    psb_moments moments;
    psb_status status = psb_shape_load(shape, mesh, name, error);
    PSB_THEN(status, psb_moments_compute(mesh, &moments, error));
    for (int f = 0; f < FRAMES && status == PSB_OK; f++) {
        const psb_axes *axes;
        status = psb_shape_describe(shape, spec[f], s->row[f], error);
        PSB_THEN(status, psb_shape_axes(shape, &axes, error));
        if (status == PSB_OK) {
            s->pose[f] = psb_pose_make(PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &moments, axes);
        }
    }
    return psb_within(name, status, error);
}

/* Returns the map from a to b by their poses, in the frame in which the rows are nearest. */
static affine best_pose(const side *a, const side *b, bool mirror, psb_alignment *out) {
    affine best = {.shift = {0}};
    out->distance = INFINITY;
    for (int f = 0; f < FRAMES; f++) {
        double frames = determinant(a->pose[f].rotation) * determinant(b->pose[f].rotation);
        psb_pose_match match = psb_pose_find(b->row[f], a->row[f], LENGTH, PSB_ORDERS,
                                             mirror ? 0 : (frames > 0 ? 1 : -1));
        if (match.distance < out->distance) {
            best = (affine){.shift = {0}};
            for (int i = 0; i < 3; i++) {
                best.linear[i][match.axis[i]] = match.sign[i];
            }
            out->distance = match.distance;
            out->frame = (psb_frame_kind)f;
            out->mirrored = determinant(best.linear) * frames < 0;
        }
    }
    return best;
}

/* Describes both models in both frames. */
static psb_status find_pose(const psb_mesh *a, const char *name_a, const psb_mesh *b,
                            const char *name_b, side sides[2], psb_error *error) {
    psb_spec *spec[FRAMES] = {NULL};
    psb_tables *tables = NULL;
    psb_shape *shape = NULL;
    psb_status status = psb_tables_new(&tables, error);
    PSB_THEN(status, psb_shape_new(tables, &shape, error));
    for (int f = 0; f < FRAMES; f++) {
        PSB_THEN(status, psb_spec_parse(NULL, specs[f], &spec[f], error));
    }
    PSB_THEN(status, describe(shape, spec, a, name_a, &sides[0], error));
    PSB_THEN(status, describe(shape, spec, b, name_b, &sides[1], error));
    for (int f = 0; f < FRAMES; f++) {
        psb_spec_free(spec[f]);
    }
    psb_shape_free(shape);
    psb_tables_free(tables);
    return status;
}

/* ---- closest points ---------------------------------------------------------------------- */

/* Both surfaces in their aligned poses, points of each, and the pairs that they make with the
 * nearest points of the other: those of a first. */
typedef struct clouds {
    double a[3 * POINTS], b[3 * POINTS]; /* coordinate k of point i is at [k * POINTS + i] */
    psb_surface_tree *tree_a, *tree_b;
    double of_a[PAIRS][3], of_b[PAIRS][3]; /* a's points are moved onto b */
} clouds;

/* Draws points by the mesh's triangles and by which of the two it is: a copy has points of its own,
 * and a turned model those that it had. */
static psb_status take_surface(const psb_mesh *mesh, const psb_pose *pose, uint64_t which,
                               double *at, psb_surface_tree **tree, psb_error *error) {
    psb_status status = PSB_OK;
    const size_t bytes = 3 * mesh->ntriangles * sizeof *mesh->triangles;
    psb_random random = psb_random_hashed(XXH64(mesh->triangles, bytes, which), "alignment");
    PSB_FREED double *points =
        psb_new(&status, mesh->nvertices, 3 * sizeof *points, "vertices", error);
    PSB_FREED double *sums = psb_new(&status, mesh->ntriangles, sizeof *sums, "areas", error);
    if (status == PSB_OK) {
        psb_pose_apply(pose, mesh->vertices, mesh->nvertices, points);
        psb_surface_points(mesh, points, sums, &random, POINTS, at);
        status = psb_surface_tree_new(mesh, points, tree, error);
    }
    return status;
}

static void take_point(const double *at, size_t i, double p[3]) {
    for (size_t k = 0; k < 3; k++) {
        p[k] = at[k * POINTS + i];
    }
}

/* Returns the inverse of a similarity. */
static affine inverse_of(const affine *map) {
    double square = psb_dot(map->linear[0], map->linear[0]);
    affine inverse = {.shift = {0}}, moved = inverse;
    for (int k = 0; k < 9; k++) {
        inverse.linear[k / 3][k % 3] = map->linear[k % 3][k / 3] / square;
    }
    map_point(&inverse, map->shift, moved.shift);
    psb_subtract(inverse.shift, moved.shift, inverse.shift);
    return inverse;
}

/* Finds all pairs, a's points moved; returns their mean squared distance. */
static double pair(clouds *c, const affine *map) {
    const affine back = inverse_of(map);
    size_t guess_a = 0, guess_b = 0;
    double p[3], q[3], sum = 0;
    for (size_t i = 0; i < POINTS; i++) {
        take_point(c->a, i, p);
        map_point(map, p, c->of_a[i]);
        psb_surface_tree_nearest(c->tree_b, c->of_a[i], &guess_b, c->of_b[i]);
        take_point(c->b, i, c->of_b[POINTS + i]);
        map_point(&back, c->of_b[POINTS + i], p);
        psb_surface_tree_nearest(c->tree_a, p, &guess_a, q);
        map_point(map, q, c->of_a[POINTS + i]);
    }
    for (int n = 0; n < PAIRS; n++) {
        psb_subtract(c->of_a[n], c->of_b[n], p);
        sum += psb_dot(p, p);
    }
    return sum / PAIRS;
}

/*
 * Computes the best rotation: with h = sum of y x', centered, and h' h = V S^2 V', it is U V' with
 * U = h V / S; the third direction is chosen so that it is proper. False if h determines no
 * rotation.
 */
static bool fit_rotation(const double h[3][3], double rotation[3][3], double *trace) {
    double square[9] = {0}, values[3], u[3][3], v[3][3];
    for (int k = 0; k < 9; k++) {
        for (int j = 0; j < 3; j++) {
            square[k] += h[j][k / 3] * h[j][k % 3];
        }
    }
    if (!psb_eigen_3x3(square, values) || !(values[1] > 1e-12 * values[2])) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        memcpy(v[i], square + 3 * (2 - i), sizeof v[i]);
        for (int k = 0; k < 3; k++) {
            u[i][k] = psb_dot(h[k], v[i]);
        }
    }
    psb_normalize(u[0]);
    double along = psb_dot(u[0], u[1]); /* not 0 because of rounding */
    for (int k = 0; k < 3; k++) {
        u[1][k] -= along * u[0][k];
    }
    psb_normalize(u[1]);
    psb_cross(u[0], u[1], u[2]);
    psb_cross(v[0], v[1], v[2]);
    *trace = 0;
    for (int k = 0; k < 9; k++) {
        double *r = &rotation[k / 3][k % 3];
        *r = 0;
        for (int i = 0; i < 3; i++) {
            *r += u[i][k / 3] * v[i][k % 3];
        }
        *trace += *r * h[k / 3][k % 3];
    }
    return true;
}

/* Finds the similarity that brings the pairs closest. */
static bool fit(const clouds *c, affine *step) {
    double x[3], y[3], mean_x[3] = {0}, mean_y[3] = {0}, h[3][3] = {{0}}, variance = 0, trace;
    for (int n = 0; n < PAIRS; n++) {
        for (int k = 0; k < 3; k++) {
            mean_x[k] += c->of_a[n][k] / PAIRS;
            mean_y[k] += c->of_b[n][k] / PAIRS;
        }
    }
    for (int n = 0; n < PAIRS; n++) {
        psb_subtract(c->of_a[n], mean_x, x);
        psb_subtract(c->of_b[n], mean_y, y);
        variance += psb_dot(x, x);
        for (int k = 0; k < 9; k++) {
            h[k / 3][k % 3] += y[k / 3] * x[k % 3];
        }
    }
    if (!fit_rotation(h, step->linear, &trace) || !(trace > 0)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            step->linear[i][k] *= trace / variance;
        }
        step->shift[i] = mean_y[i] - psb_dot(step->linear[i], mean_x);
    }
    return true;
}

/*
 * Replaces the pose of a symmetric shape by one of its like poses if the points are much nearer to
 * each other in that pose: a copy then lies in its own place.
 */
static void choose_like_pose(clouds *c, affine *map) {
    double least = pair(c, map), turns = determinant(map->linear);
    for (int k = 0; k < 6 * 8; k++) {
        int first = k / 8 % 3, second = (first + 1 + k / 24) % 3;
        const int axis[3] = {first, second, 3 - first - second};
        affine other = {.shift = {0}};
        for (int i = 0; i < 3; i++) {
            other.linear[i][axis[i]] = k >> i & 1 ? -1 : 1;
        }
        double square = determinant(other.linear) == turns ? pair(c, &other) : INFINITY;
        if (4 * square < least && least > ROUNDING) {
            least = square;
            *map = other;
        }
    }
}

static void refine(clouds *c, affine *map, psb_alignment *out) {
    if (out->distance < LIKE) {
        choose_like_pose(c, map);
    }
    double square = pair(c, map), last = INFINITY;
    affine step;
    out->before = 2 * sqrt(square); /* in the pose the mean distance from the center is 0.5 */
    while (out->steps < MOST_STEPS && square < FALL * last && square > ROUNDING && fit(c, &step)) {
        affine next = compose(&step, map);
        last = square;
        square = pair(c, &next);
        if (square < last) {
            *map = next;
            out->steps++;
        }
    }
    out->residual = 2 * sqrt(psb_min(square, last));
}

/* ---- both -------------------------------------------------------------------------------- */

static void finish(const affine *map, psb_alignment *out) {
    for (int i = 0; i < 3; i++) {
        memcpy(out->matrix[i], map->linear[i], sizeof map->linear[i]);
        out->matrix[i][3] = map->shift[i];
    }
    out->matrix[3][3] = 1;
    out->scale = psb_norm(map->linear[0]);
}

psb_status psb_alignment_find(const psb_mesh *a, const char *name_a, const psb_mesh *b,
                              const char *name_b, bool mirror, psb_alignment *alignment,
                              psb_error *error) {
    psb_status status = PSB_OK;
    *alignment = (psb_alignment){.steps = 0};
    PSB_FREED side *sides = psb_new(&status, 2, sizeof *sides, "two models", error);
    PSB_FREED clouds *c = psb_new_zero(&status, 1, sizeof *c, "sample points", error);
    PSB_THEN(status, find_pose(a, name_a, b, name_b, sides, error));
    if (status == PSB_OK) {
        affine map = best_pose(&sides[0], &sides[1], mirror, alignment);
        const psb_pose *from = &sides[0].pose[alignment->frame];
        const psb_pose *to = &sides[1].pose[alignment->frame];
        status = take_surface(a, from, 0, c->a, &c->tree_a, error);
        PSB_THEN(status, take_surface(b, to, 1, c->b, &c->tree_b, error));
        if (status == PSB_OK) {
            affine aligned = affine_of(from, false), back = affine_of(to, true);
            refine(c, &map, alignment);
            map = compose(&map, &aligned);
            map = compose(&back, &map);
            finish(&map, alignment);
        }
    }
    if (c != NULL) {
        psb_surface_tree_free(c->tree_a);
        psb_surface_tree_free(c->tree_b);
    }
    return status;
}

void psb_alignment_apply(const psb_alignment *alignment, psb_mesh *mesh) {
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double *p = mesh->vertices + 3 * v, moved[3];
        for (int i = 0; i < 3; i++) {
            moved[i] = psb_dot(alignment->matrix[i], p) + alignment->matrix[i][3];
        }
        memcpy(p, moved, sizeof moved);
    }
}
