/* Each stage first checks the ledger, and takes from the stage before only what it needs. */
#include "run/stages.h"

#include "core/clock.h"
#include "core/element.h"
#include "core/file.h"
#include "proof/matrix_input.h"
#include "proof/output.h"
#include "report/query_scores.h"
#include "run/record.h"

#include <xxhash.h>

/* One method at work. */
typedef struct work {
    const psb_run_method_stages *stages;
    const psb_run_method *method;
    size_t which;
    uint64_t rows_key, matrix_key, scores_key;
    psb_row_view rows; /* data is NULL until needed */
    psb_matrix matrix; /* data is NULL until needed */
} work;

/* Makes the output "FOLDER/STEM.suffix" of the method. */
static psb_status make(const work *w, const char *folder, const char *suffix, psb_output_of *o,
                       psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *name =
        psb_new_format(&status, error, "%s/%s.%s", folder, w->method->label.stem, suffix);
    o->name = name;
    return PSB_THEN(status, psb_output_make(w->stages->ledger, w->stages->observer, o, error));
}

/* Returns the path RUN/FOLDER/STEM.suffix, allocated as by psb_new; free() it. */
static char *path_of(const work *w, const char *folder, const char *suffix, psb_status *status,
                     psb_error *error) {
    return psb_new_format(status, error, "%s/%s/%s.%s", w->stages->ledger->run, folder,
                          w->method->label.stem, suffix);
}

/* ---- features -------------------------------------------------------------------------- */

static psb_status need_rows(work *w, psb_error *error) {
    return w->rows.data != NULL
               ? PSB_OK
               : psb_features_load(w->stages->features, w->which, w->stages->cla->models,
                                   w->stages->threads, &w->rows, error);
}

static psb_status load_features(psb_output_of *o, const char *path PSB_UNUSED, psb_error *error) {
    return need_rows(o->context, error);
}

static psb_status write_features(psb_output_of *o, const char *path, psb_error *error) {
    const work *w = o->context;
    return psb_features_write(w->stages->features, w->which, &w->rows, path, error);
}

static psb_status make_features(work *w, psb_error *error) {
    psb_output_of o = {.key = w->rows_key,
                       .rows = w->stages->cla,
                       .make = load_features,
                       .write = write_features,
                       .context = w};
    return make(w, "features", "npy", &o, error);
}

/* ---- distances ------------------------------------------------------------------------- */

/* Copies the rows of one side's models, in the side's order; free(data). */
static psb_row_view rows_of(const work *w, const psb_side *side, psb_status *status,
                            psb_error *error) {
    size_t bytes = w->rows.length * psb_element_bytes(w->rows.element);
    char *copy = psb_new(status, side->cla.nmodels, bytes, "features of a side", error);
    for (size_t i = 0; i < side->cla.nmodels && *status == PSB_OK; i++) {
        memcpy(copy + i * bytes, (const char *)w->rows.data + side->model[i] * bytes, bytes);
    }
    return (psb_row_view){copy, side->cla.nmodels, w->rows.length, w->rows.element};
}

/* Computes distances from the parts' matrices, which are in the folder. */
static psb_status compute_of_parts(const work *w, const char *path, float *out, psb_error *error) {
    const psb_run_method *m = w->method;
    const psb_results results = {.ledger = *w->stages->ledger};
    size_t n = w->stages->cla->nmodels;
    psb_matrix parts[PSB_MEMBERS_MOST] = {{0}};
    psb_status status = PSB_OK;
    for (size_t p = 0; p < m->nparts && status == PSB_OK && !m->kind->of_rows; p++) {
        status = psb_run_method_matrix(&results, n, m->part[p].text, &parts[p], error);
    }
    const psb_run_method_inputs inputs = {parts, &results, w->stages->cla, w->stages->reference,
                                          w->stages->threads};
    PSB_THEN(status, m->kind->distances(m, &inputs, out, error));
    for (size_t p = 0; p < m->nparts; p++) {
        psb_matrix_close(&parts[p]);
    }
    /* A sum may overflow, and then is no distance. */
    return PSB_THEN(status, psb_matrix_check(path, out, n, error));
}

/* Computes distances between all models, or from queries to targets if the run has two sides. */
static psb_status compute_distances(const work *w, psb_stage *stage, float *out, psb_error *error) {
    const psb_run_method_stages *st = w->stages;
    const psb_metric *metric = psb_spec_metric(w->method->spec);
    if (st->sides == NULL) {
        return psb_distance_matrix(metric, &w->rows, st->threads, out, psb_stage_progress, stage,
                                   error);
    }
    psb_status status = PSB_OK;
    psb_row_view queries = rows_of(w, &st->sides[PSB_QUERIES], &status, error);
    psb_row_view targets = rows_of(w, &st->sides[PSB_TARGETS], &status, error);
    PSB_THEN(status, psb_distance_between(metric, &queries, &targets, st->threads, out,
                                          psb_stage_progress, stage, error));
    free((void *)(uintptr_t)queries.data);
    free((void *)(uintptr_t)targets.data);
    return status;
}

static psb_status compute_matrix(psb_output_of *o, const char *path, psb_error *error) {
    work *w = o->context;
    size_t n = o->rows->nmodels, columns = o->columns != NULL ? o->columns->nmodels : 0;
    bool described = w->method->spec != NULL;
    psb_status status = described ? need_rows(w, error) : PSB_OK;
    PSB_FREED char *name = psb_new_format(&status, error, "distances %s", w->method->label.text);
    w->matrix.owned = psb_new(&status, n, (columns > 0 ? columns : n) * sizeof(float),
                              "a distance matrix", error);
    if (status == PSB_OK) {
        psb_stage stage = {.observer = w->stages->observer, .name = name};
        double wall = psb_clock_wall(), cpu = psb_clock_process();
        status = described ? compute_distances(w, &stage, w->matrix.owned, error)
                           : compute_of_parts(w, path, w->matrix.owned, error);
        o->wall_seconds = psb_clock_wall() - wall;
        o->cpu_seconds = psb_clock_process() - cpu;
        w->matrix.n = n;
        w->matrix.columns = columns;
        w->matrix.data = w->matrix.owned;
    }
    return status;
}

static psb_status write_matrix(psb_output_of *o, const char *path, psb_error *error) {
    const work *w = o->context;
    return psb_matrix_write_file(path, &w->matrix, error);
}

psb_status psb_run_method_stages_matrix(const psb_run_method_stages *st, const char *path,
                                        psb_matrix *matrix, psb_error *error) {
    return st->sides != NULL ? psb_matrix_open(path, st->sides[PSB_QUERIES].cla.nmodels,
                                               st->sides[PSB_TARGETS].cla.nmodels, NULL,
                                               st->threads, matrix, error)
                             : psb_matrix_read(path, st->cla->nmodels, matrix, error);
}

static psb_status read_matrix(work *w, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *path =
        path_of(w, "matrices", w->stages->sides != NULL ? "npy" : "matrix", &status, error);
    return PSB_THEN(status, psb_run_method_stages_matrix(w->stages, path, &w->matrix, error));
}

/* Makes the matrix, or reads it if its file is there already; it stays in memory. */
static psb_status make_matrix(work *w, psb_run_method_costs *costs, psb_error *error) {
    const psb_side *sides = w->stages->sides;
    const psb_run_method *m = w->method;
    char *parts[PSB_MEMBERS_MOST] = {NULL};
    psb_status status = PSB_OK;
    for (size_t p = 0; p < m->nparts; p++) {
        parts[p] = psb_run_method_file(&status, m->kind->of_rows, m->part[p].text, error);
    }
    psb_output_of o = {.key = w->matrix_key,
                       .parts = (const char *const *)parts,
                       .nparts = m->nparts,
                       .rows = sides != NULL ? &sides[PSB_QUERIES].cla : w->stages->cla,
                       .columns = sides != NULL ? &sides[PSB_TARGETS].cla : NULL,
                       .make = compute_matrix,
                       .write = write_matrix,
                       .context = w};
    PSB_THEN(status, make(w, "matrices", sides != NULL ? "npy" : "matrix", &o, error));
    for (size_t p = 0; p < m->nparts; p++) {
        free(parts[p]);
    }
    costs->matrix_wall_seconds = o.wall_seconds;
    costs->matrix_cpu_seconds = o.cpu_seconds;
    return status == PSB_OK && !o.made ? read_matrix(w, error) : status;
}

/* ---- values without distances ---------------------------------------------------------- */

/* Upper estimate of what a run keeps of a model: names, paths, stamps, costs. */
enum { MODEL_BYTES = 2048 };

/* Raised by hand when a measure's values change for the same distances. */
enum { VALUES = 1 };

/* One method's values in the evaluation, while they are computed from its features. */
typedef struct counting {
    const psb_run_method_stages *stages;
    const psb_feature_set *set;
    size_t which;
} counting;

static psb_buffer values_of(const counting *c) {
    const psb_evaluation *e = c->stages->evaluation;
    return (psb_buffer){psb_evaluation_values(e, c->which),
                        c->stages->cla->nmodels * e->nmeasures * sizeof(double)};
}

static psb_status count_values(psb_output_of *o, const char *path PSB_UNUSED, psb_error *error) {
    const counting *c = o->context;
    const psb_run_method_stages *st = c->stages;
    psb_memory_plan plan;
    double wall = psb_clock_wall(), cpu = psb_clock_process();
    const psb_measuring of = {.cla = st->cla,
                              .set = c->set,
                              .measures = st->evaluation->measures,
                              .count = st->evaluation->nmeasures,
                              .threads = st->threads,
                              .memory = st->memory,
                              .observer = st->observer,
                              .held = st->cla->nmodels * MODEL_BYTES};
    psb_status status =
        psb_measure_range(&of, 0, st->cla->nmodels, values_of(c).data, &plan, error);
    o->wall_seconds = psb_clock_wall() - wall;
    o->cpu_seconds = psb_clock_process() - cpu;
    return status;
}

static psb_status write_values(psb_output_of *o, const char *path, psb_error *error) {
    psb_buffer values = values_of(o->context);
    return psb_write_file(path, values.data, values.bytes, error);
}

static psb_status read_values(const counting *c, const char *name, psb_error *error) {
    psb_buffer values = values_of(c);
    PSB_AT_END(psb_input_close) psb_input file = {0};
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_ledger_file(&status, c->stages->ledger, name, error);
    PSB_THEN(status, psb_input_open(path, &file, error));
    PSB_THEN_IF(status, file.size != values.bytes,
                psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "%zu bytes of values, not %zu",
                            file.size, values.bytes));
    if (status == PSB_OK) {
        memcpy(values.data, file.data, values.bytes);
    }
    return status;
}

psb_status psb_run_method_values(const psb_run_method_stages *stages, const char *stem,
                                 const psb_feature_set *set, size_t which,
                                 psb_run_method_costs *costs, psb_error *error) {
    const psb_evaluation *e = stages->evaluation;
    counting c = {stages, set, which};
    psb_status status = PSB_OK;
    PSB_FREED char *features = psb_new_format(&status, error, "features/%s.npy", stem);
    PSB_FREED char *name = psb_new_format(&status, error, "scores/%s.values", stem);
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_text_printf(&text, "%s %u %d", set->metric->name, set->metric->revision, VALUES);
    for (size_t m = 0; m < e->nmeasures; m++) {
        psb_text_printf(&text, " %s", e->measures[m].name);
    }
    PSB_THEN(status, psb_text_status(&text, error));
    const psb_ledger_entry *rows =
        status == PSB_OK ? psb_ledger_find(stages->ledger, features) : NULL;
    if (status == PSB_OK && rows == NULL) { /* else any file's values would be taken for these */
        status = psb_fail(error, PSB_ERROR_INTERNAL, "%s is not entered", features);
    }
    if (status == PSB_OK) {
        uint64_t key = XXH64(&rows->key, sizeof rows->key, stages->cla_hash);
        psb_output_of o = {.name = name,
                           .key = XXH64(text.data, text.length, key),
                           .make = count_values,
                           .write = write_values,
                           .context = &c};
        status = psb_output_make(stages->ledger, stages->observer, &o, error);
        costs->matrix_wall_seconds = o.wall_seconds;
        costs->matrix_cpu_seconds = o.cpu_seconds;
        PSB_THEN(status, o.made ? PSB_OK : read_values(&c, name, error));
    }
    return status;
}

/* Ranks by the mapped file of features; frees the rows in memory first. */
static psb_status rank_features(work *w, psb_run_method_costs *costs, psb_error *error) {
    const psb_run_method_stages *st = w->stages;
    PSB_AT_END(psb_feature_set_close) psb_feature_set set = {0};
    psb_status status = PSB_OK;
    PSB_FREED char *path = path_of(w, "features", "npy", &status, error);
    free((void *)(uintptr_t)w->rows.data);
    w->rows.data = NULL;
    PSB_THEN(status, psb_feature_set_open(path, st->cla->nmodels, psb_spec_metric(w->method->spec),
                                          &set, error));
    return PSB_THEN(status,
                    psb_run_method_values(st, w->method->label.stem, &set, w->which, costs, error));
}

/* ---- scores ---------------------------------------------------------------------------- */

typedef struct scores {
    const work *work;
    psb_status (*render)(const psb_evaluation *, size_t, psb_text *, psb_error *);
    psb_text text;
} scores;

static psb_status render_scores(psb_output_of *o, const char *path PSB_UNUSED, psb_error *error) {
    scores *s = o->context;
    psb_status status = s->render(s->work->stages->evaluation, s->work->which, &s->text, error);
    return PSB_THEN(status, psb_text_status(&s->text, error));
}

static psb_status write_text(psb_output_of *o, const char *path, psb_error *error) {
    const scores *s = o->context;
    return psb_write_file(path, s->text.data, s->text.length, error);
}

static psb_status write_scores(const work *w, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *matrix = psb_run_method_file(&status, false, w->method->label.text, error);
    for (int json = 0; json < 2 && status == PSB_OK; json++) {
        scores s = {.work = w, .render = json ? psb_averages_render : psb_query_scores_render};
        psb_output_of o = {.key = w->scores_key,
                           .parts = (const char *const *)&matrix,
                           .nparts = w->method->nparts > 0,
                           .make = render_scores,
                           .write = write_text,
                           .context = &s};
        status = make(w, "scores", json ? "json" : "tsv", &o, error);
        psb_text_free(&s.text);
    }
    return status;
}

/* With a matrix, every run computes the values again. */
static psb_status make_scores(work *w, psb_run_method_costs *costs, psb_error *error) {
    psb_status status = w->stages->matrices
                            ? psb_evaluation_rank(w->stages->evaluation, w->which, &w->matrix,
                                                  w->stages->threads, error)
                            : rank_features(w, costs, error);
    return PSB_THEN(status, write_scores(w, error));
}

/* Computes hashes of everything but the parts that the files depend on. */
static psb_status find_keys(work *w, psb_error *error) {
    const psb_run_method_stages *st = w->stages;
    const psb_run_method *m = w->method;
    psb_status status = PSB_OK;
    if (m->spec != NULL) {
        const psb_metric *metric = psb_spec_metric(m->spec);
        status = psb_features_key(st->features, w->which, st->cla->models, &w->rows_key, error);
        uint64_t revised = XXH64(&metric->revision, sizeof metric->revision, w->rows_key);
        w->matrix_key = XXH64(metric->name, strlen(metric->name), revised);
    } else {
        w->matrix_key = m->kind->key(m);
        if (m->kind->needs_reference) {
            status = psb_reference_key(st->reference, m->of, &w->matrix_key, error);
        }
    }
    if (st->sides != NULL) { /* the key must tell whose rows and columns these are */
        w->matrix_key = XXH64(&st->cla_hash, sizeof st->cla_hash, w->matrix_key);
    }
    w->scores_key = XXH64(&st->cla_hash, sizeof st->cla_hash, w->matrix_key);
    return status;
}

psb_status psb_run_method_make(const psb_run_method_stages *stages, const psb_run_method *method,
                               size_t which, psb_run_method_costs *costs, psb_error *error) {
    work w = {.stages = stages, .method = method, .which = which};
    *costs = (psb_run_method_costs){.matrix_wall_seconds = 0};
    psb_status status = find_keys(&w, error);
    bool gathered = psb_outputs_gather(true); /* the ledger marks the files as whole */
    PSB_THEN_IF(status, method->spec != NULL, make_features(&w, error));
    PSB_THEN_IF(status, stages->matrices, make_matrix(&w, costs, error));
    PSB_THEN_IF(status, stages->evaluation != NULL, make_scores(&w, costs, error));
    psb_outputs_gather(gathered);
    PSB_THEN(status, psb_ledger_write_in_time(stages->ledger, error));
    psb_matrix_close(&w.matrix);
    free((void *)(uintptr_t)w.rows.data);
    return status;
}

psb_status psb_run_method_scores(const psb_run_method_stages *stages, const psb_run_method *method,
                                 size_t which, psb_error *error) {
    work w = {.stages = stages, .method = method, .which = which};
    psb_status status = find_keys(&w, error);
    return PSB_THEN(status, write_scores(&w, error));
}
