/* Each stage looks in the ledger first, and takes from the stage before only what it needs. */
#include "pipeline/spec_stages.h"

#include "core/clock.h"
#include "core/element.h"
#include "core/file.h"
#include "io/ids.h"
#include "io/npy.h"
#include "pipeline/feature_ranks.h"
#include "pipeline/matrix_input.h"
#include "report/query_scores.h"

#include <string.h>
#include <xxhash.h>

/* One descriptor in work. */
typedef struct work {
    const psb_spec_stages *stages;
    size_t spec;
    char stem[256];
    uint64_t rows_key, matrix_key, scores_key;
    psb_row_view rows; /* data NULL until they are needed */
    psb_matrix matrix; /* data NULL until it is needed */
} work;

/* A file that the descriptor leaves. */
typedef struct output {
    char *name, *path; /* "matrices/SHD.matrix"; below the run's folder */
    uint64_t key;
    const psb_ledger_entry *there; /* NULL where it is to be made */
} output;

/* The ledger's entry where the file need not be made; says why a file that is there must. */
static const psb_ledger_entry *look(const work *w, const char *name, uint64_t key) {
    bool altered;
    const psb_ledger_entry *there = psb_ledger_current(w->stages->ledger, name, key, &altered);
    if (altered) {
        psb_observer_say(w->stages->observer, PSB_NOTE, "%s changed since: written again", name);
    }
    return there;
}

static psb_status find_output(const work *w, const char *folder, const char *suffix, uint64_t key,
                              output *o, psb_error *error) {
    psb_status status = PSB_OK;
    *o = (output){.key = key};
    o->name = psb_new_format(&status, error, "%s/%s.%s", folder, w->stem, suffix);
    o->path = psb_ledger_file(&status, w->stages->ledger, o->name, error);
    o->there = status == PSB_OK ? look(w, o->name, key) : NULL;
    return status;
}

static void free_output(output *o) {
    free(o->name);
    free(o->path);
}

/* Before a file of rows is written anew: its rows never bear the names of others. */
static psb_status forget_names(const char *path, psb_error *error) {
    return psb_ids_write(path, NULL, 0, error);
}

/* The ids of the models beside a file of rows that is there; `more` for those of its columns. */
static psb_status name_rows(const work *w, const output *o, const char *more,
                            const psb_classification *cla, psb_error *error) {
    psb_status status = PSB_OK;
    char *ids = psb_new_format(&status, error, "%s%s.ids", o->name, more);
    char *path = psb_new_format(&status, error, "%s%s", o->path, more);
    if (status == PSB_OK && look(w, ids, o->key) == NULL) {
        status = psb_ids_write(path, cla->models, cla->nmodels, error);
        PSB_THEN(status, psb_ledger_enter(w->stages->ledger, ids, o->key, 0, 0, error));
    }
    free(ids);
    free(path);
    return status;
}

/* ---- features -------------------------------------------------------------------------- */

static psb_status need_rows(work *w, psb_error *error) {
    return w->rows.data != NULL ? PSB_OK
                                : psb_features_load(w->stages->features, w->spec,
                                                    w->stages->cla->models, &w->rows, error);
}

static psb_status make_features(work *w, psb_error *error) {
    output o;
    psb_status status = find_output(w, "features", "npy", w->rows_key, &o, error);
    if (status == PSB_OK && o.there == NULL) {
        status = need_rows(w, error);
        PSB_THEN(status, forget_names(o.path, error));
        PSB_THEN(status, psb_npy_write(o.path, w->rows.data, w->rows.n, w->rows.length,
                                       w->rows.element, error));
        PSB_THEN(status, psb_ledger_enter(w->stages->ledger, o.name, o.key, 0, 0, error));
    }
    PSB_THEN(status, name_rows(w, &o, "", w->stages->cla, error));
    free_output(&o);
    return status;
}

/* ---- distances ------------------------------------------------------------------------- */

/* A copy of the rows of one side's models, in its order; free(data). */
static psb_row_view rows_of(const work *w, const psb_side *side, psb_status *status,
                            psb_error *error) {
    size_t bytes = w->rows.length * psb_element_bytes(w->rows.element);
    char *copy = psb_new(status, side->cla.nmodels, bytes, "features of a side", error);
    for (size_t i = 0; i < side->cla.nmodels && *status == PSB_OK; i++) {
        memcpy(copy + i * bytes, (const char *)w->rows.data + side->model[i] * bytes, bytes);
    }
    return (psb_row_view){copy, side->cla.nmodels, w->rows.length, w->rows.element};
}

/* Of all to all or, where there are sides, of each query to each target. */
static psb_status compute_distances(const work *w, psb_stage *stage, float *out, psb_error *error) {
    const psb_spec_stages *st = w->stages;
    const psb_metric *metric = psb_spec_metric(st->features->store.specs[w->spec]);
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

static psb_status compute_matrix(work *w, psb_spec_result *result, psb_error *error) {
    const psb_side *sides = w->stages->sides;
    size_t n = sides != NULL ? sides[PSB_QUERIES].cla.nmodels : w->rows.n;
    size_t columns = sides != NULL ? sides[PSB_TARGETS].cla.nmodels : n;
    psb_status status = PSB_OK;
    char *name = psb_new_format(&status, error, "distances %s",
                                w->stages->features->store.specs[w->spec]->label);
    w->matrix.owned = psb_new(&status, n, columns * sizeof(float), "a distance matrix", error);
    if (status == PSB_OK) {
        psb_stage stage = {.observer = w->stages->observer, .name = name};
        double wall = psb_clock_wall(), cpu = psb_clock_process();
        status = compute_distances(w, &stage, w->matrix.owned, error);
        result->matrix_wall_seconds = psb_clock_wall() - wall;
        result->matrix_cpu_seconds = psb_clock_process() - cpu;
        w->matrix.n = n;
        w->matrix.columns = sides != NULL ? columns : 0;
        w->matrix.data = w->matrix.owned;
    }
    free(name);
    return status;
}

static psb_status read_matrix(work *w, const char *path, psb_error *error) {
    const psb_spec_stages *st = w->stages;
    return st->sides != NULL ? psb_matrix_open(path, st->sides[PSB_QUERIES].cla.nmodels,
                                               st->sides[PSB_TARGETS].cla.nmodels, NULL,
                                               st->threads, &w->matrix, error)
                             : psb_matrix_read(path, st->cla->nmodels, &w->matrix, error);
}

/* Before a matrix is written anew, and behind it. */
static psb_status forget_sides(const work *w, const output *o, psb_error *error) {
    psb_status status = forget_names(o->path, error);
    char *columns = psb_new_format(&status, error, "%s.columns", o->path);
    if (status == PSB_OK && w->stages->sides != NULL) {
        status = forget_names(columns, error);
    }
    free(columns);
    return status;
}

static psb_status name_sides(const work *w, const output *o, psb_error *error) {
    const psb_side *sides = w->stages->sides;
    if (sides == NULL) {
        return name_rows(w, o, "", w->stages->cla, error);
    }
    psb_status status = name_rows(w, o, "", &sides[PSB_QUERIES].cla, error);
    return PSB_THEN(status, name_rows(w, o, ".columns", &sides[PSB_TARGETS].cla, error));
}

/* Leaves the matrix in memory as well: the one that was just made, or the file that was there. */
static psb_status make_matrix(work *w, psb_spec_result *result, psb_error *error) {
    output o;
    psb_status status = find_output(w, "matrices", w->stages->sides != NULL ? "npy" : "matrix",
                                    w->matrix_key, &o, error);
    if (status == PSB_OK && o.there == NULL) {
        status = need_rows(w, error);
        PSB_THEN(status, compute_matrix(w, result, error));
        PSB_THEN(status, forget_sides(w, &o, error));
        PSB_THEN(status, psb_matrix_write_file(o.path, &w->matrix, error));
        PSB_THEN(status,
                 psb_ledger_enter(w->stages->ledger, o.name, o.key, result->matrix_wall_seconds,
                                  result->matrix_cpu_seconds, error));
    } else if (status == PSB_OK) {
        result->matrix_wall_seconds = o.there->wall_seconds;
        result->matrix_cpu_seconds = o.there->cpu_seconds;
        status = read_matrix(w, o.path, error);
    }
    PSB_THEN(status, name_sides(w, &o, error));
    free_output(&o);
    return status;
}

/* ---- scores ---------------------------------------------------------------------------- */

static psb_status write_scores(const work *w, const char *suffix,
                               psb_status (*render)(const psb_evaluation *, size_t, psb_text *,
                                                    psb_error *),
                               psb_error *error) {
    output o;
    psb_text text = {0};
    psb_status status = find_output(w, "scores", suffix, w->scores_key, &o, error);
    if (status == PSB_OK && o.there == NULL) {
        status = render(w->stages->evaluation, w->spec, &text, error);
        PSB_THEN(status, psb_ledger_save(w->stages->ledger, o.name, o.key, &text, error));
    }
    psb_text_free(&text);
    free_output(&o);
    return status;
}

/* The file of features, mapped, takes the place of the rows, which are let go before. */
static psb_status rank_features(work *w, psb_spec_result *result, psb_error *error) {
    const psb_spec_stages *st = w->stages;
    const psb_metric *metric = psb_spec_metric(st->features->store.specs[w->spec]);
    psb_feature_set set = {0};
    psb_memory_plan plan;
    output o;
    psb_status status = find_output(w, "features", "npy", w->rows_key, &o, error);
    free((void *)(uintptr_t)w->rows.data);
    w->rows.data = NULL;
    PSB_THEN(status, psb_feature_set_open(o.path, st->cla->nmodels, metric, &set, error));
    double wall = psb_clock_wall(), cpu = psb_clock_process();
    PSB_THEN(status,
             psb_measure_features(st->cla, &set, st->evaluation->measures,
                                  st->evaluation->nmeasures, st->threads, st->memory, st->observer,
                                  psb_evaluation_values(st->evaluation, w->spec), &plan, error));
    result->matrix_wall_seconds = psb_clock_wall() - wall;
    result->matrix_cpu_seconds = psb_clock_process() - cpu;
    psb_feature_set_close(&set);
    free_output(&o);
    return status;
}

/* Counted from distances in every run: a table believes no file of scores. */
static psb_status make_scores(work *w, psb_spec_result *result, psb_error *error) {
    psb_status status = w->stages->matrices
                            ? psb_evaluation_rank(w->stages->evaluation, w->spec, &w->matrix,
                                                  w->stages->threads, error)
                            : rank_features(w, result, error);
    PSB_THEN(status, write_scores(w, "tsv", psb_query_scores_render, error));
    PSB_THEN(status, write_scores(w, "json", psb_averages_render, error));
    return status;
}

psb_status psb_spec_stages_run(const psb_spec_stages *stages, size_t spec, psb_spec_result *result,
                               psb_error *error) {
    work w = {.stages = stages, .spec = spec};
    *result = (psb_spec_result){.matrix_wall_seconds = 0};
    psb_spec_stem(stages->features->store.specs[spec], w.stem);
    psb_status status =
        psb_features_key(stages->features, spec, stages->cla->models, &w.rows_key, error);
    const psb_metric *metric = psb_spec_metric(stages->features->store.specs[spec]);
    uint64_t revised = XXH64(&metric->revision, sizeof metric->revision, w.rows_key);
    w.matrix_key = XXH64(metric->name, strlen(metric->name), revised);
    if (stages->sides != NULL) { /* whose rows and columns these are */
        w.matrix_key = XXH64(&stages->cla_hash, sizeof stages->cla_hash, w.matrix_key);
    }
    w.scores_key = XXH64(&stages->cla_hash, sizeof stages->cla_hash, w.matrix_key);
    psb_outputs_gather(true); /* the ledger, written last, marks them as whole */
    PSB_THEN(status, make_features(&w, error));
    if (stages->matrices) {
        PSB_THEN(status, make_matrix(&w, result, error));
    }
    if (stages->evaluation != NULL) {
        PSB_THEN(status, make_scores(&w, result, error));
    }
    psb_outputs_gather(false);
    if (stages->ledger->changed) {
        PSB_THEN(status, psb_force_to_disk(stages->ledger->run, error));
    }
    PSB_THEN(status, psb_ledger_write(stages->ledger, error));
    psb_matrix_close(&w.matrix);
    free((void *)(uintptr_t)w.rows.data);
    return status;
}
