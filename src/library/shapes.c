/* Compares two shapes by their light fields and by points on their surfaces. */
#include "annotate/annotate.h"
#include "core/error.h"
#include "core/linear.h"
#include "core/memory.h"
#include "core/vector.h"
#include "descriptors/points.h"
#include "distance/points.h"
#include "library/parts.h"
#include "report/table.h"
#include "studies/alignment.h"

#include <math.h>
#include <string.h>

enum { PRESET_POINTS = 2048, MOST_POINTS = 1000000, FOR_EMD = 10000 };

/* A shape, and the distances from its points to the other shape. */
typedef struct side {
    const char *path;
    psb_mesh mesh;
    void *light_field;
    float *at, *normals; /* places and normals of the points */
    float *few;          /* points for the earth mover's distance */
    void *prepared;      /* the points prepared, see distance/points.h */
    float *squares;      /* squared distance of each point to the other shape's nearest point */
    uint32_t *nearest;   /* index of that nearest point */
    psb_closure closure;
    double area;
    double within; /* share of the points within the threshold */
    double square, distance, most, consistency;
} side;

typedef struct work {
    psb_compare_shapes_options options;
    psb_points_pose pose;
    psb_spec *light_field;
    side sides[2];
} work;

static psb_status allocate(const work *w, side *s, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = w->options.points;
    s->light_field = psb_new(&status, 1, psb_spec_row_bytes(w->light_field), "a row", error);
    s->at = psb_new(&status, n, 3 * sizeof *s->at, "points", error);
    s->normals = psb_new(&status, n, 3 * sizeof *s->normals, "points", error);
    s->few = psb_new(&status, FOR_EMD, 3 * sizeof *s->few, "points", error);
    s->prepared = psb_new(&status, 1, psb_points_bytes(n), "points", error);
    s->squares = psb_new(&status, n, sizeof *s->squares, "points", error);
    s->nearest = psb_new(&status, n, sizeof *s->nearest, "points", error);
    return status;
}

static void release(side *s) {
    psb_mesh_free(&s->mesh);
    free(s->light_field);
    free(s->at);
    free(s->normals);
    free(s->few);
    free(s->prepared);
    free(s->squares);
    free(s->nearest);
}

static size_t few_of(const work *w) {
    return w->options.points < FOR_EMD ? w->options.points : FOR_EMD;
}

/* Computes all that needs one shape only. Both have the same id, so that a copy gets the same
 * points. */
static psb_status describe(const work *w, psb_shape *shape, side *s, psb_error *error) {
    const psb_compare_shapes_options *o = &w->options;
    psb_moments moments;
    psb_status status = psb_shape_load(shape, &s->mesh, "shape", error);
    PSB_THEN(status, psb_shape_describe(shape, w->light_field, s->light_field, error));
    PSB_THEN(status,
             psb_shape_surface_points(shape, w->pose, 1, o->points, s->at, s->normals, error));
    PSB_THEN(status, psb_shape_surface_points(shape, w->pose, 1, few_of(w), s->few, NULL, error));
    PSB_THEN(status, psb_moments_without_distance(&s->mesh, &moments, error));
    PSB_THEN(status, psb_closure_measure(&s->mesh, &s->closure, error));
    if (status == PSB_OK) {
        s->area = moments.area;
        psb_points_prepare(s->at, o->points, s->prepared);
    }
    return status;
}

/* Returns the longest side of the bounding box of a shape's points. */
static double size_of(const float *at, size_t n) {
    double size = 0;
    for (size_t k = 0; k < 3; k++) {
        double low = (double)at[k], high = low;
        for (size_t i = 0; i < n; i++) {
            low = psb_min(low, (double)at[3 * i + k]);
            high = psb_max(high, (double)at[3 * i + k]);
        }
        size = fmax(size, high - low);
    }
    return size;
}

static void measure_way(side *from, const side *to, size_t n, double threshold) {
    psb_points_nearest(from->prepared, to->prepared, from->squares, from->nearest);
    for (size_t i = 0; i < n; i++) {
        double square = (double)from->squares[i], cosine = 0;
        for (size_t k = 0; k < 3; k++) {
            cosine += (double)from->normals[3 * i + k] *
                      (double)to->normals[3 * (size_t)from->nearest[i] + k];
        }
        from->square += square / (double)n;
        from->distance += sqrt(square) / (double)n;
        from->most = fmax(from->most, sqrt(square));
        from->within += (sqrt(square) < threshold) / (double)n;
        from->consistency += fabs(cosine) / (double)n;
    }
}

/* ---- the table ------------------------------------------------------------------------- */

enum { MEASURE, VALUE, A, B, COLUMNS };

/* Adds a row; people get six digits, programs nine decimals or all. */
static psb_status add_row(psb_table *table, bool for_programs, const char *measure, double value,
                          double a, double b, psb_error *error) {
    const double values[] = {value, a, b};
    psb_status status = psb_table_add_row(table, error);
    for (size_t c = 0; c < 3 && status == PSB_OK; c++) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", values[c]);
        if (for_programs) {
            psb_table_set_number(table, table->nrows - 1, VALUE + c, values[c]);
        } else if (!isnan(values[c])) {
            psb_table_copy_text(table, table->nrows - 1, VALUE + c, text);
        }
    }
    if (status == PSB_OK) {
        psb_table_set_text(table, table->nrows - 1, MEASURE, measure);
    }
    return status;
}

static psb_status add_rows(const work *w, psb_table *table, bool for_programs, psb_error *error) {
    const side *a = &w->sides[0], *b = &w->sides[1];
    const psb_spec *spec = w->light_field;
    double f = a->within + b->within;
    double lfd = psb_spec_metric(spec)->pair(a->light_field, b->light_field, psb_spec_length(spec));
    const struct {
        const char *name;
        double value, a, b;
    } rows[] = {
        {"LFD", lfd, NAN, NAN},
        {"cd", a->square + b->square, a->square, b->square},
        {"cd-l1", (a->distance + b->distance) / 2, a->distance, b->distance},
        {"hausdorff", fmax(a->most, b->most), a->most, b->most},
        {"F-score", f > 0 ? 2 * a->within * b->within / f : 0, a->within, b->within},
        {"emd", psb_emd.pair(a->few, b->few, 3 * few_of(w)), NAN, NAN},
        {"normal consistency", (a->consistency + b->consistency) / 2, a->consistency,
         b->consistency},
        {"area", NAN, a->area, b->area},
        {"volume", NAN, a->closure.open_edges == 0 ? a->closure.volume : NAN,
         b->closure.open_edges == 0 ? b->closure.volume : NAN},
        {"open edges", NAN, (double)a->closure.open_edges, (double)b->closure.open_edges},
        {"watertight", NAN, NAN, NAN},
    };
    psb_status status = PSB_OK;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0] && status == PSB_OK; r++) {
        status =
            add_row(table, for_programs, rows[r].name, rows[r].value, rows[r].a, rows[r].b, error);
    }
    if (status == PSB_OK) {
        psb_table_set_text(table, table->nrows - 1, A, a->closure.open_edges == 0 ? "yes" : "no");
        psb_table_set_text(table, table->nrows - 1, B, b->closure.open_edges == 0 ? "yes" : "no");
    }
    return status;
}

static psb_status make_table(const work *w, psb_table **out, psb_error *error) {
    static const psb_column columns[] = {
        {"measure", "measure", NULL, PSB_LEFT, 9, PSB_PLAIN},
        {"value", "value", NULL, PSB_RIGHT, 9, PSB_PLAIN},
        {"a", "A", NULL, PSB_RIGHT, 9, PSB_PLAIN},
        {"b", "B", NULL, PSB_RIGHT, 9, PSB_PLAIN},
    };
    const psb_compare_shapes_options *o = &w->options;
    psb_status status = PSB_OK;
    for (int form = 0; form < 2 && status == PSB_OK; form++) {
        psb_text caption = {0};
        psb_table table;
        status = psb_table_new(&table, columns, COLUMNS, 0, error);
        PSB_THEN(status, add_rows(w, &table, form == 1, error));
        psb_text_printf(&caption,
                        "%zu points on each surface, frame: %s%s; of distances A is the way from A "
                        "to B, B the way back. F-score: within %g of the longest side of B's box; "
                        "A: precision, B: recall.",
                        o->points, psb_points_poses[w->pose], o->align ? ", A on B" : "",
                        o->threshold);
        if (few_of(w) < o->points) {
            psb_text_printf(&caption, " emd: of %zu points.", few_of(w));
        }
        status = psb_table_keep(status, &table, &caption, out, error);
    }
    return status;
}

/* ---- the verb -------------------------------------------------------------------------- */

/* Reads both meshes, and moves A onto B if the user asked for that. */
static psb_status read_both(work *w, psb_error *error) {
    side *a = &w->sides[0], *b = &w->sides[1];
    psb_alignment found;
    psb_status status = psb_mesh_read(a->path, &a->mesh, error);
    PSB_THEN(status, psb_mesh_read(b->path, &b->mesh, error));
    if (status == PSB_OK && w->options.align) {
        status = psb_alignment_find(&a->mesh, a->path, &b->mesh, b->path, false, &found, error);
        if (status == PSB_OK) {
            psb_alignment_apply(&found, &a->mesh);
        }
    }
    return status;
}

static psb_status compare(psb_context *psb, work *w, psb_table **table, psb_error *error) {
    const psb_compare_shapes_options *o = &w->options;
    psb_shape *shape = NULL;
    psb_status status = psb_spec_open(psb, "LFD", &w->light_field, error);
    PSB_THEN(status, psb_shape_open(psb, &shape, error));
    PSB_THEN(status, read_both(w, error));
    for (int s = 0; s < 2 && status == PSB_OK; s++) {
        status = allocate(w, &w->sides[s], error);
        PSB_THEN(status,
                 psb_within(w->sides[s].path, describe(w, shape, &w->sides[s], error), error));
    }
    if (status == PSB_OK) {
        double threshold = o->threshold * size_of(w->sides[1].at, o->points);
        measure_way(&w->sides[0], &w->sides[1], o->points, threshold);
        measure_way(&w->sides[1], &w->sides[0], o->points, threshold);
        status = isfinite(w->sides[0].square + w->sides[1].square)
                     ? make_table(w, table, error)
                     : psb_fail_at(error, PSB_ERROR_INPUT, w->sides[0].path, 0,
                                   "squared distances to %.200s are beyond the range of float32",
                                   w->sides[1].path);
    }
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
    w.options.points = o->points > 0 ? o->points : PRESET_POINTS;
    w.options.threshold = o->threshold > 0 ? o->threshold : 0.01;
    psb_status status = psb_linear_enter(error);
    if (status == PSB_OK) {
        status = compare(psb, &w, table, error);
        psb_linear_leave();
    }
    release(&w.sides[0]);
    release(&w.sides[1]);
    return status;
}
