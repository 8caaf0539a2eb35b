/* Makes one table of the attributes of models, and lists those that meet conditions. */
#include "annotate/annotate.h"
#include "core/file.h"
#include "core/number.h"
#include "io/mesh.h"
#include "library/call.h"
#include "library/parts.h"
#include "report/table.h"

#include <math.h>

/* The table's columns in order, whole numbers first. */
static const char *const names[] = {"polygons",
                                    "vertices",
                                    "triangles",
                                    "connected_components",
                                    "watertight",
                                    "oriented",
                                    "boundary_edges",
                                    "nonmanifold_edges",
                                    "degenerate_faces",
                                    "repeated_faces",
                                    "repeated_vertices",
                                    "faulty",
                                    "area",
                                    "volume",
                                    "signed_volume",
                                    "average_dihedral_angle",
                                    "avg_depth",
                                    "xmin",
                                    "ymin",
                                    "zmin",
                                    "xmax",
                                    "ymax",
                                    "zmax",
                                    "center_x",
                                    "center_y",
                                    "center_z",
                                    "scale",
                                    "principle_value_1",
                                    "principle_value_2",
                                    "principle_value_3",
                                    "stick",
                                    "axis_1_x",
                                    "axis_1_y",
                                    "axis_1_z",
                                    "axis_2_x",
                                    "axis_2_y",
                                    "axis_2_z",
                                    "axis_3_x",
                                    "axis_3_y",
                                    "axis_3_z"};
enum {
    ATTRIBUTES = sizeof names / sizeof names[0],
    WHOLE = 12,
    FAULTY = 11,
    DIGITS = 9,
    MOST_CONDITIONS = 64
};

static void set_values(const psb_annotations *a, const psb_closure *c, double values[ATTRIBUTES]) {
    const double *principal = a->axes.values;
    double *at = values;
    *at++ = (double)a->polygons;
    *at++ = (double)a->vertices;
    *at++ = (double)a->triangles;
    *at++ = (double)a->connected_components;
    *at++ = a->watertight;
    *at++ = c->turned_edges == 0;
    *at++ = (double)c->boundary_edges;
    *at++ = (double)c->nonmanifold_edges;
    *at++ = (double)c->degenerate_faces;
    *at++ = (double)c->repeated_faces;
    *at++ = (double)c->repeated_vertices;
    *at++ = !c->watertight || c->degenerate_faces + c->repeated_faces > 0;
    *at++ = a->area;
    *at++ = a->volume;
    *at++ = c->signed_volume;
    *at++ = a->average_dihedral_angle;
    *at++ = a->average_depth;
    memcpy(at, a->lowest, sizeof a->lowest);
    memcpy(at + 3, a->highest, sizeof a->highest);
    memcpy(at + 6, a->centre, sizeof a->centre);
    at += 9;
    *at++ = a->scale;
    memcpy(at, principal, sizeof a->axes.values);
    at += 3;
    *at++ = principal[1] > 0 ? principal[0] / principal[1] : HUGE_VAL;
    memcpy(at, a->axes.axis, sizeof a->axes.axis);
}

/* ---- conditions ------------------------------------------------------------------------- */

typedef enum comparison { BELOW, AT_MOST, EQUAL, OTHER, AT_LEAST, ABOVE } comparison;

typedef struct condition {
    size_t attribute;
    comparison how;
    double value;
} condition;

static bool holds(const condition *c, const double *values) {
    double x = values[c->attribute];
    switch (c->how) {
    case BELOW:
        return x < c->value;
    case AT_MOST:
        return x <= c->value;
    case EQUAL:
        return x == c->value;
    case OTHER:
        return x < c->value || x > c->value; /* false for NaN */
    case AT_LEAST:
        return x >= c->value;
    default:
        return x > c->value;
    }
}

static psb_status find_attribute(const char *text, size_t length, size_t *attribute,
                                 psb_error *error) {
    psb_text known = {.data = NULL};
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
            *attribute = i;
            psb_text_free(&known);
            return PSB_OK;
        }
        psb_text_list(&known, names[i]);
    }
    char name[40] = "";
    memcpy(name, text, length < sizeof name ? length : sizeof name - 1);
    return psb_fail_unknown(error, "attribute", name, &known);
}

/* Parses one condition, "polygons>=1000" or "polygons >= 1000", of `length` bytes. */
static psb_status read_condition(const char *text, size_t length, condition *c, psb_error *error) {
    static const struct {
        const char *sign;
        comparison how;
    } signs[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"!=", OTHER}, {"==", EQUAL},
                 {"<", BELOW},    {">", ABOVE},     {"=", EQUAL}};
    const char *end = text + length;
    text += strspn(text, " ");
    while (end > text && end[-1] == ' ') {
        end--;
    }
    size_t name = strcspn(text, " <>=!,");
    const char *sign = text + name + strspn(text + name, " ");
    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && sign < end; i++) {
        const char *at = sign + strlen(signs[i].sign);
        if (strncmp(sign, signs[i].sign, strlen(signs[i].sign)) != 0) {
            continue;
        }
        at += strspn(at, " ");
        if (psb_scan_double(&at, end, &c->value) && at == end) {
            c->how = signs[i].how;
            return find_attribute(text, name, &c->attribute, error);
        }
    }
    return psb_fail(error, PSB_ERROR_USAGE,
                    "condition %.*s: want ATTRIBUTE>=NUMBER, or >, <=, <, =, !=",
                    (int)(end - text < 80 ? end - text : 80), text);
}

static psb_status read_conditions(const char *text, condition conditions[MOST_CONDITIONS],
                                  size_t *count, psb_error *error) {
    psb_status status = PSB_OK;
    *count = 0;
    for (const char *at = text; at != NULL && status == PSB_OK;) {
        size_t length = strcspn(at, ",");
        status = *count < MOST_CONDITIONS
                     ? read_condition(at, length, &conditions[(*count)++], error)
                     : psb_fail(error, PSB_ERROR_USAGE, "more than %d conditions", MOST_CONDITIONS);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return status;
}

/* Parses "stick=200": the attribute and how many of the largest. */
static psb_status read_largest(const char *text, condition *largest, psb_error *error) {
    bool equal = strchr(text, '=') != NULL;
    psb_status status = equal ? read_condition(text, strlen(text), largest, error) : PSB_OK;
    return status == PSB_OK && (!equal || largest->how != EQUAL || !(largest->value >= 1) ||
                                largest->value != floor(largest->value))
               ? psb_fail(
                     error, PSB_ERROR_USAGE,
                     "largest %.80s: want ATTRIBUTE=N, as faces=20 for the 20 models of most faces",
                     text)
               : status;
}

/* ---- the models ------------------------------------------------------------------------- */

typedef struct work {
    const psb_dataset *set;
    const psb_observer *observer;
    size_t *model;  /* the model in each row */
    double *values; /* the attributes of each row */
    bool *kept;     /* true for rows that are shown */
    char **reasons; /* why a row's model cannot be used; NULL: it can */
    psb_stage stage;
} work;

static psb_status begin(void *job PSB_UNUSED, void **own, psb_error *error PSB_UNUSED) {
    memset(*own, 0, sizeof(psb_mesh_buffer));
    return PSB_OK;
}

static void end(void *job PSB_UNUSED, void *own) {
    psb_mesh_buffer_free(own);
}

static psb_status annotate(void *job, void *own, size_t i, psb_error *error) {
    work *w = job;
    psb_mesh_buffer *buffer = own;
    const char *path = w->set->paths[w->model[i]];
    psb_annotations a;
    psb_closure c;
    psb_status status = psb_mesh_load(w->set->archive, path, buffer, error);
    PSB_THEN(status, psb_within(path, psb_annotate_more(&buffer->mesh, &a, &c, error), error));
    if (status == PSB_OK) {
        set_values(&a, &c, w->values + i * ATTRIBUTES);
        w->kept[i] = true;
    }
    return status;
}

/* Reports a model that failed for its bytes, and goes on with the others. */
static psb_status judge(void *job, void *own PSB_UNUSED, size_t i, psb_error *error) {
    work *w = job;
    psb_status status = error->status;
    if (!psb_is_of_bytes(status)) {
        return status;
    }
    status = PSB_OK;
    w->reasons[i] = psb_new_copy(&status, error->message, "a reason", error);
    w->kept[i] = true;
    for (size_t a = 0; a < ATTRIBUTES; a++) {
        w->values[i * ATTRIBUTES + a] = a == FAULTY ? 1 : (double)NAN;
    }
    psb_observer_fail(w->observer, "%s", error->message);
    w->stage.failures++;
    return status;
}

typedef struct place {
    double value;
    size_t row;
} place;

/* Sorts the largest first, equal values by row. */
static int compare_places(const void *a, const void *b) {
    const place *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value) - (x->value > y->value)
                                : (x->row > y->row) - (x->row < y->row);
}

/* Keeps only the largest of the kept rows that have a value. */
static psb_status keep_largest(work *w, size_t n, const condition *largest, psb_error *error) {
    psb_status status = PSB_OK;
    size_t count = 0;
    PSB_FREED place *places = psb_new(&status, n, sizeof *places, "a list", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        double value = w->values[i * ATTRIBUTES + largest->attribute];
        if (w->kept[i] && !isnan(value)) {
            places[count++] = (place){value, i};
        }
        w->kept[i] = false;
    }
    psb_sort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count && (double)i < largest->value; i++) {
        w->kept[places[i].row] = true;
    }
    return status;
}

/* ---- the table ------------------------------------------------------------------------- */

static psb_status make_table(const work *w, size_t n, psb_table **out, psb_error *error) {
    psb_column columns[ATTRIBUTES + 2] = {{.name = "model", .heading = "model"}};
    columns[ATTRIBUTES + 1] = (psb_column){.name = "error", .heading = "error"};
    size_t rows = 0, row = 0;
    for (size_t a = 0; a < ATTRIBUTES; a++) {
        columns[a + 1] = (psb_column){.name = names[a],
                                      .heading = names[a],
                                      .align = PSB_RIGHT,
                                      .decimals = a < WHOLE ? 0 : -DIGITS};
    }
    for (size_t i = 0; i < n; i++) {
        rows += w->kept[i];
    }
    psb_table table;
    psb_status status = psb_table_new(&table, columns, ATTRIBUTES + 2, rows, error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        if (!w->kept[i]) {
            continue;
        }
        psb_table_set_name(&table, row, 0, w->set->cla.models[w->model[i]]);
        for (size_t a = 0; a < ATTRIBUTES; a++) {
            psb_table_set_number(&table, row, a + 1, w->values[i * ATTRIBUTES + a]);
        }
        psb_table_copy_text(&table, row, ATTRIBUTES + 1,
                            w->reasons[i] != NULL ? w->reasons[i] : "");
        row++;
    }
    table.gaps = w->stage.failures > 0;
    psb_text caption = {.data = NULL};
    psb_text_printf(&caption, "%zu of %zu models.", rows, n);
    return psb_table_keep(status, &table, &caption, out, error);
}

static psb_status write_list(const work *w, size_t n, const psb_attributes_options *o,
                             psb_error *error) {
    psb_text text = {.data = NULL};
    psb_text_printf(&text, "# psbench info:%s%s%s%s\n", o->where != NULL ? " " : "",
                    o->where != NULL ? o->where : "", o->largest != NULL ? " largest " : "",
                    o->largest != NULL ? o->largest : "");
    for (size_t i = 0; i < n; i++) {
        if (w->kept[i] && w->reasons[i] == NULL) {
            psb_text_printf(&text, "%s\n", w->set->cla.models[w->model[i]]);
        }
    }
    return psb_write_text(PSB_OK, o->list, &text, error);
}

static psb_status annotate_all(psb_context *psb, work *w, size_t n, psb_error *error) {
    const psb_loop loop = {.count = n,
                           .threads = psb->threads,
                           .bytes = sizeof(psb_mesh_buffer),
                           .name = "a worker",
                           .begin = begin,
                           .end = end,
                           .item = annotate,
                           .job = w,
                           .failed = judge,
                           .progress = psb_stage_progress,
                           .context = &w->stage};
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, w->stage.observer, error);
    return PSB_THEN(status, psb_parallel(&loop, error));
}

psb_status psb_attributes_table(psb_context *psb, const psb_collection *models,
                                const psb_attributes_options *options, psb_table **table,
                                psb_error *error) {
    static const psb_attributes_options defaults;
    const psb_attributes_options *o = options != NULL ? options : &defaults;
    condition conditions[MOST_CONDITIONS], largest;
    size_t count, n = psb_collection_count(models);
    *table = NULL;
    if (models->set.paths == NULL) {
        return psb_misuse(error, "the collection was opened without the models' files");
    }
    work w = {.set = &models->set,
              .observer = &psb->observer,
              .stage = {.observer = &psb->observer, .name = "annotations"}};
    psb_status status = read_conditions(o->where, conditions, &count, error);
    PSB_THEN_IF(status, o->largest != NULL, read_largest(o->largest, &largest, error));
    PSB_THEN(status, psb_cla_listed(&w.set->cla, &w.model, error));
    w.kept = psb_new_zero(&status, n, sizeof *w.kept, "models", error);
    w.reasons = psb_new_zero(&status, n, sizeof *w.reasons, "models", error);
    w.values = psb_new_zero(&status, n, ATTRIBUTES * sizeof *w.values, "attributes", error);
    PSB_THEN(status, annotate_all(psb, &w, n, error));
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        for (size_t c = 0; c < count; c++) {
            w.kept[i] = w.kept[i] && holds(&conditions[c], w.values + i * ATTRIBUTES);
        }
    }
    PSB_THEN_IF(status, o->largest != NULL, keep_largest(&w, n, &largest, error));
    PSB_THEN_IF(status, o->list != NULL, write_list(&w, n, o, error));
    PSB_THEN(status, make_table(&w, n, table, error));
    psb_free_texts(w.reasons, n);
    free(w.model);
    free(w.kept);
    free(w.values);
    return status;
}
