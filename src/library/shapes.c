/* Compares two shapes by their light fields, by points of them, and by their surfaces. */
#include "annotate/annotate.h"
#include "core/vector.h"
#include "descriptors/points.h"
#include "distance/points.h"
#include "io/mesh.h"
#include "library/call.h"
#include "library/parts.h"
#include "normalize/surface_points.h"
#include "normalize/surface_tree.h"
#include "report/table.h"
#include "studies/alignment.h"

#include <math.h>

enum { DEFAULT_POINTS = 2048, MOST_POINTS = 1000000, FOR_EMD = 10000 };

/* Points of a shape. */
typedef struct draw {
    psb_cloud cloud;
    void *prepared; /* the points prepared, see distance/points.h */
    float *few;     /* the points for the earth mover's distance */
} draw;

/* A shape, and what is known of it alone; of a point cloud nothing that a surface has. */
typedef struct side {
    const char *path;
    psb_mesh_buffer file; /* its mesh's vertices are posed, once it is described */
    psb_surface_tree *tree;
    void *light_field;
    draw points;
    psb_closure closure;
    double area;
} side;

/* What is compared both ways, by points and, but for `emd`, from points to the other surface. */
enum { CD, CD_L1, HAUSDORFF, F_SCORE, EMD, CONSISTENCY, FIGURES };

typedef struct figure {
    double value, a, b; /* of both ways, from A to B, from B to A */
} figure;

typedef struct work {
    psb_compare_shapes_options options;
    psb_points_pose pose;
    psb_spec *light_field;
    double threshold; /* of the F-score, a distance */
    side sides[2];
    draw again; /* of B, for the floor */
    figure by_points[FIGURES], floor[FIGURES], to_surface[FIGURES];
} work;

static bool is_cloud(const side *s) {
    return s->file.mesh.ntriangles == 0;
}

static size_t few_of(const work *w) {
    return w->options.points < FOR_EMD ? w->options.points : FOR_EMD;
}

static void release_draw(draw *d) {
    psb_cloud_free(&d->cloud);
    free(d->prepared);
    free(d->few);
}

static void release(side *s) {
    psb_mesh_buffer_free(&s->file);
    psb_surface_tree_free(s->tree);
    free(s->light_field);
    release_draw(&s->points);
}

/* ---- points ---------------------------------------------------------------------------- */

/* Draws n points of a shape, of a cloud some of its own; those of the two shapes and of the second
 * draw of B are independent, whatever the shapes hold. */
static psb_status sample(const side *s, uint64_t which, size_t n, psb_cloud *out,
                         psb_error *error) {
    const psb_mesh *mesh = &s->file.mesh;
    psb_random random = psb_content_random(mesh, 1, which, "compare-shapes");
    psb_status status = psb_cloud_new(out, n, !is_cloud(s) || s->file.normals, error);
    PSB_FREED double *sums = psb_new(&status, mesh->ntriangles, sizeof *sums, "areas", error);
    if (status == PSB_OK && is_cloud(s)) {
        psb_cloud_take(mesh->vertices, s->file.normals ? s->file.directions.data : NULL,
                       mesh->nvertices, &random, out);
    } else if (status == PSB_OK) {
        psb_surface_cloud(mesh, mesh->vertices, sums, &random, out);
    }
    return status;
}

static psb_status take_points(const work *w, const side *s, uint64_t which, draw *d,
                              psb_error *error) {
    size_t n = w->options.points;
    PSB_AT_END(psb_cloud_free) psb_cloud few = {0};
    psb_status status = sample(s, which, n, &d->cloud, error);
    PSB_FREED float *row = psb_new(&status, n, 3 * sizeof *row, "points", error);
    d->few = psb_new(&status, few_of(w), 3 * sizeof *d->few, "points", error);
    d->prepared = psb_new(&status, 1, psb_points_bytes(n), "points", error);
    PSB_THEN(status, psb_cloud_row(&d->cloud, row, error));
    PSB_THEN(status, sample(s, which, few_of(w), &few, error));
    PSB_THEN(status, psb_cloud_row(&few, d->few, error));
    if (status == PSB_OK) {
        psb_points_prepare(row, n, d->prepared);
    }
    return status;
}

/* Moves the mesh's vertices into the frame of the comparison. */
static psb_status pose(const work *w, psb_shape *shape, psb_mesh *mesh, psb_error *error) {
    const double *vertices = NULL;
    psb_status status = psb_shape_posed_vertices(shape, w->pose, &vertices, error);
    if (status == PSB_OK) {
        memcpy(mesh->vertices, vertices, 3 * mesh->nvertices * sizeof *vertices);
    }
    return status;
}

static psb_status describe_surface(const work *w, psb_shape *shape, side *s, psb_error *error) {
    psb_moments moments;
    psb_status status = PSB_OK;
    s->light_field = psb_new(&status, 1, psb_spec_row_bytes(w->light_field), "a row", error);
    PSB_THEN(status, psb_shape_describe(shape, w->light_field, s->light_field, error));
    PSB_THEN(status, psb_moments_without_distance(&s->file.mesh, &moments, error));
    PSB_THEN(status, psb_closure_measure(&s->file.mesh, &s->closure, error));
    s->area = status == PSB_OK ? moments.area : NAN;
    return status;
}

/* Computes all that needs one shape only. */
static psb_status describe(const work *w, psb_shape *shape, uint64_t which, side *s,
                           psb_error *error) {
    psb_mesh *mesh = &s->file.mesh;
    psb_status status = psb_shape_load(shape, mesh, "shape", error);
    PSB_THEN(status, is_cloud(s) ? PSB_OK : describe_surface(w, shape, s, error));
    PSB_THEN(status, pose(w, shape, mesh, error));
    PSB_THEN(status, take_points(w, s, which, &s->points, error));
    return PSB_THEN_IF(status, !is_cloud(s),
                       psb_surface_tree_new(mesh, mesh->vertices, &s->tree, error));
}

/* Returns the longest side of the bounding box of some points. */
static double size_of(const psb_cloud *cloud) {
    double size = 0;
    for (size_t k = 0; k < 3; k++) {
        double low = cloud->at[k], high = low;
        for (size_t i = 0; i < cloud->n; i++) {
            low = psb_min(low, cloud->at[3 * i + k]);
            high = psb_max(high, cloud->at[3 * i + k]);
        }
        size = fmax(size, high - low);
    }
    return size;
}

/* ---- the comparison -------------------------------------------------------------------- */

/* From each point of one shape to what is nearest of the other; sums over the points. */
typedef struct way {
    size_t n, within; /* points, and those within the threshold */
    double square, distance, most, consistency;
} way;

static void add_point(way *sums, double square, const float *normal, const float *nearest,
                      double threshold) {
    double distance = sqrt(square), cosine = normal != NULL && nearest != NULL ? 0 : NAN;
    for (int k = 0; k < 3 && cosine <= 1; k++) {
        cosine += (double)normal[k] * (double)nearest[k];
    }
    sums->n++;
    sums->within += distance < threshold;
    sums->square += square;
    sums->distance += distance;
    sums->most = fmax(sums->most, distance);
    sums->consistency += fabs(cosine);
}

static const float *normal_of(const psb_cloud *cloud, size_t i) {
    return cloud->normals != NULL ? cloud->normals + 3 * i : NULL;
}

static psb_status go_to_points(const draw *from, const draw *to, double threshold, way *sums,
                               psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = from->cloud.n;
    PSB_FREED float *squares = psb_new(&status, n, sizeof *squares, "points", error);
    PSB_FREED uint32_t *nearest = psb_new(&status, n, sizeof *nearest, "points", error);
    if (status == PSB_OK) {
        psb_points_nearest(from->prepared, to->prepared, squares, nearest);
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        add_point(sums, (double)squares[i], normal_of(&from->cloud, i),
                  normal_of(&to->cloud, nearest[i]), threshold);
    }
    return status;
}

static void go_to_surface(const psb_cloud *from, const side *to, double threshold, way *sums) {
    size_t guess = 0, triangle;
    for (size_t i = 0; i < from->n && !is_cloud(to); i++) {
        float normal[3];
        double distance = psb_surface_tree_distance(to->tree, from->at + 3 * i, &guess, &triangle);
        psb_surface_normal(&to->file.mesh, to->file.mesh.vertices, triangle, normal);
        add_point(sums, distance * distance, normal_of(from, i), normal, threshold);
    }
}

static figure mean_of(double a, double b) {
    return (figure){(a + b) / 2, a, b};
}

static void make_figures(const way *there, const way *back, figure out[FIGURES]) {
    double n = there->n > 0 ? (double)there->n : NAN, m = back->n > 0 ? (double)back->n : NAN;
    double precision = (double)there->within / n, recall = (double)back->within / m;
    double f = precision + recall;
    out[CD] = (figure){there->square / n + back->square / m, there->square / n, back->square / m};
    out[CD_L1] = mean_of(there->distance / n, back->distance / m);
    out[HAUSDORFF] = (figure){isnan(n + m) ? NAN : fmax(there->most, back->most),
                              isnan(n) ? NAN : there->most, isnan(m) ? NAN : back->most};
    out[F_SCORE] = (figure){f > 0 ? 2 * precision * recall / f : f, precision, recall};
    out[EMD] = (figure){NAN, NAN, NAN};
    out[CONSISTENCY] = mean_of(there->consistency / n, back->consistency / m);
}

static psb_status compare_points(const work *w, const draw *a, const draw *b, figure out[FIGURES],
                                 psb_error *error) {
    way there = {0}, back = {0};
    psb_status status = go_to_points(a, b, w->threshold, &there, error);
    PSB_THEN(status, go_to_points(b, a, w->threshold, &back, error));
    PSB_THEN_IF(status, !isfinite(there.square + back.square),
                psb_fail_at(error, PSB_ERROR_INPUT, w->sides[0].path, 0,
                            "squared distances to %.200s are beyond the range of float32",
                            w->sides[1].path));
    if (status == PSB_OK) {
        make_figures(&there, &back, out);
        out[EMD].value = psb_emd.pair(a->few, b->few, 3 * few_of(w));
    }
    return status;
}

static psb_status compare_sides(work *w, psb_error *error) {
    enum { AGAIN = 3 }; /* the sides are 1 and 2 */
    const side *a = &w->sides[0], *b = &w->sides[1];
    w->threshold = w->options.threshold * size_of(&b->points.cloud);
    psb_status status = compare_points(w, &a->points, &b->points, w->by_points, error);
    for (int f = 0; f < FIGURES; f++) {
        w->floor[f].value = NAN;
    }
    if (status == PSB_OK && !is_cloud(b)) {
        status = take_points(w, b, AGAIN, &w->again, error);
        PSB_THEN(status, compare_points(w, &w->again, &b->points, w->floor, error));
    }
    if (status == PSB_OK) {
        way there = {0}, back = {0};
        go_to_surface(&a->points.cloud, b, w->threshold, &there);
        go_to_surface(&b->points.cloud, a, w->threshold, &back);
        make_figures(&there, &back, w->to_surface);
    }
    return status;
}

/* ---- the table ------------------------------------------------------------------------- */

enum { MEASURE, VALUE, A, B, FLOOR, COLUMNS };

static const char *const figure_names[2][FIGURES] = {
    {"cd", "cd-l1", "hausdorff", "F-score", "emd", "normal consistency"},
    {"cd to surface", "cd-l1 to surface", "hausdorff to surface", "F-score to surface", NULL,
     "normal consistency to surface"},
};

/* Adds a row, unless nothing is known. */
static psb_status add_row(psb_table *table, const char *measure, figure f, double floor,
                          psb_error *error) {
    bool known = !isnan(f.value) || !isnan(f.a) || !isnan(f.b) || !isnan(floor);
    psb_status status = known ? psb_table_add_row(table, error) : PSB_OK;
    if (known && status == PSB_OK) {
        size_t row = table->nrows - 1;
        psb_table_set_text(table, row, MEASURE, measure);
        psb_table_set_number(table, row, VALUE, f.value);
        psb_table_set_number(table, row, A, f.a);
        psb_table_set_number(table, row, B, f.b);
        psb_table_set_number(table, row, FLOOR, floor);
    }
    return status;
}

static psb_status add_figures(const work *w, psb_table *table, psb_error *error) {
    psb_status status = PSB_OK;
    for (int to_surface = 0; to_surface < 2; to_surface++) {
        for (int f = 0; f < FIGURES; f++) {
            PSB_THEN_IF(status, figure_names[to_surface][f] != NULL,
                        add_row(table, figure_names[to_surface][f],
                                to_surface ? w->to_surface[f] : w->by_points[f],
                                to_surface ? NAN : w->floor[f].value, error));
        }
    }
    return status;
}

static psb_status add_rows(const work *w, psb_table *table, psb_error *error) {
    const side *a = &w->sides[0], *b = &w->sides[1];
    const psb_spec *spec = w->light_field;
    double lfd =
        is_cloud(a) || is_cloud(b)
            ? NAN
            : psb_spec_metric(spec)->pair(a->light_field, b->light_field, psb_spec_length(spec));
    const struct {
        const char *name;
        double a, b;
    } rows[] = {
        {"area", a->area, b->area},
        {"volume", a->closure.volume, b->closure.volume},
        {"open edges", is_cloud(a) ? NAN : (double)a->closure.open_edges,
         is_cloud(b) ? NAN : (double)b->closure.open_edges},
    };
    psb_status status = add_row(table, "LFD", (figure){lfd, NAN, NAN}, NAN, error);
    PSB_THEN(status, add_figures(w, table, error));
    for (size_t r = 0; r < sizeof rows / sizeof rows[0] && status == PSB_OK; r++) {
        status = add_row(table, rows[r].name, (figure){NAN, rows[r].a, rows[r].b}, NAN, error);
    }
    if (status != PSB_OK || (is_cloud(a) && is_cloud(b))) {
        return status;
    }
    status = psb_table_add_row(table, error);
    for (int s = 0; s < 2 && status == PSB_OK; s++) {
        const side *of = &w->sides[s];
        psb_table_set_text(table, table->nrows - 1, MEASURE, "watertight");
        psb_table_set_text(table, table->nrows - 1, s == 0 ? A : B,
                           is_cloud(of)             ? "no surface"
                           : of->closure.watertight ? "yes"
                                                    : "no");
    }
    return status;
}

static psb_status make_table(const work *w, psb_table **out, psb_error *error) {
    const psb_compare_shapes_options *o = &w->options;
    psb_status status = PSB_OK;
    for (int form = 0; form < 2 && status == PSB_OK; form++) {
        int digits = form == 0 ? -6 : -9;
        const psb_column columns[] = {
            {"measure", "measure", NULL, PSB_LEFT, 0, PSB_PLAIN},
            {"value", "value", NULL, PSB_RIGHT, digits, PSB_PLAIN},
            {"a", "A", NULL, PSB_RIGHT, digits, PSB_PLAIN},
            {"b", "B", NULL, PSB_RIGHT, digits, PSB_PLAIN},
            {"floor", "floor", NULL, PSB_RIGHT, digits, PSB_PLAIN},
        };
        psb_text caption = {0};
        psb_table table;
        status = psb_table_new(&table, columns, COLUMNS, 0, error);
        PSB_THEN(status, add_rows(w, &table, error));
        psb_text_printf(&caption,
                        "%zu points of each shape, frame: %s%s; of distances A is the way from A "
                        "to B, B the way back. F-score: within %g of the longest side of B's box; "
                        "A: precision, B: recall. Floor: the same of two independent draws of B, "
                        "which a perfect copy reaches; distances to the surface need none.",
                        o->points, psb_points_poses[w->pose], o->align ? ", A on B" : "",
                        o->threshold);
        if (few_of(w) < o->points) {
            psb_text_printf(&caption, " emd: of %zu points.", few_of(w));
        }
        for (int s = 0; s < 2; s++) {
            if (is_cloud(&w->sides[s])) {
                psb_text_printf(&caption,
                                " %c is a point cloud: no LFD, area, volume, edges%s, and nothing "
                                "to its surface.",
                                "AB"[s], s == 1 ? ", floor" : "");
            }
        }
        status = psb_table_keep(status, &table, &caption, out, error);
    }
    return status;
}

/* ---- the verb -------------------------------------------------------------------------- */

static psb_status read_shape(work *w, side *s, psb_error *error) {
    s->file.clouds = true;
    s->area = s->closure.volume = NAN;
    psb_status status = psb_mesh_load(NULL, s->path, &s->file, error);
    size_t points = s->file.mesh.nvertices;
    if (status == PSB_OK && is_cloud(s)) {
        w->options.points = points < w->options.points ? points : w->options.points;
        status = w->options.align ? psb_fail_at(error, PSB_ERROR_INPUT, s->path, 0,
                                                "a point cloud, but --align needs surfaces: align "
                                                "the meshes first, or leave it out")
                                  : PSB_OK;
    }
    return status;
}

/* Reads both shapes, and moves A onto B if the user asked for that. */
static psb_status read_both(work *w, psb_error *error) {
    side *a = &w->sides[0], *b = &w->sides[1];
    psb_alignment found;
    psb_status status = read_shape(w, a, error);
    PSB_THEN(status, read_shape(w, b, error));
    if (status == PSB_OK && w->options.align) {
        status = psb_alignment_find(&a->file.mesh, a->path, &b->file.mesh, b->path, false, &found,
                                    error);
        if (status == PSB_OK) {
            psb_alignment_apply(&found, &a->file.mesh);
        }
    }
    return status;
}

static psb_status compare(psb_context *psb, work *w, psb_table **table, psb_error *error) {
    psb_shape *shape = NULL;
    psb_status status = psb_spec_open(psb, "LFD", &w->light_field, error);
    PSB_THEN(status, psb_shape_open(psb, &shape, error));
    PSB_THEN(status, read_both(w, error));
    for (int s = 0; s < 2 && status == PSB_OK; s++) {
        status = psb_within(w->sides[s].path,
                            describe(w, shape, 1 + (uint64_t)s, &w->sides[s], error), error);
    }
    PSB_THEN(status, compare_sides(w, error));
    PSB_THEN(status, make_table(w, table, error));
    psb_shape_free(shape);
    psb_spec_free(w->light_field);
    return status;
}

/* Returns the frame of that name; PSB_POINTS_ALIGNED + 1 if there is none. */
static psb_points_pose pose_named(const char *name) {
    psb_points_pose pose = PSB_POINTS_FILE;
    while (name != NULL && psb_points_poses[pose] != NULL &&
           strcmp(psb_points_poses[pose], name) != 0) {
        pose++;
    }
    return pose;
}

psb_status psb_compare_shapes(psb_context *psb, const psb_compare_shapes_options *options,
                              psb_table **table, psb_error *error) {
    const psb_compare_shapes_options *o = options;
    *table = NULL;
    if (o == NULL || o->a == NULL || o->b == NULL || o->points > MOST_POINTS ||
        pose_named(o->pose) > PSB_POINTS_ALIGNED || !(o->threshold >= 0 && o->threshold <= 1)) {
        return psb_misuse(error, "two files are compared by up to 1000000 points, in a frame that "
                                 "there is, with a threshold of 0 to 1");
    }
    work w = {
        .options = *o, .pose = pose_named(o->pose), .sides = {{.path = o->a}, {.path = o->b}}};
    w.options.points = o->points > 0 ? o->points : DEFAULT_POINTS;
    w.options.threshold = o->threshold > 0 ? o->threshold : 0.01;
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, &psb->observer, error);
    PSB_THEN(status, compare(psb, &w, table, error));
    release(&w.sides[0]);
    release(&w.sides[1]);
    release_draw(&w.again);
    return status;
}
