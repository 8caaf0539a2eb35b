/* Each stage looks in the ledger first, and takes from the stage before only what it needs. */
#include "pipeline/spec_stages.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "io/ids.h"
#include "io/npy.h"
#include "pipeline/run_folder.h"
#include "report/query_scores.h"

#include <stdlib.h>
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

/* "matrices/SHD.matrix" */
static psb_status name_of(const work *w, const char *folder, const char *suffix, psb_text *name,
                          psb_error *error) {
    name->length = 0;
    psb_text_printf(name, "%s/%s.%s", folder, w->stem, suffix);
    return psb_text_status(name, error);
}

/* The ledger's entry where the file need not be made; says why a file that is there must. */
static psb_status look(const work *w, const char *folder, const char *suffix, uint64_t key,
                       const psb_ledger_entry **entry, psb_error *error) {
    psb_text name = {0};
    bool altered = false;
    *entry = NULL;
    psb_status status = name_of(w, folder, suffix, &name, error);
    if (status == PSB_OK) {
        *entry = psb_ledger_current(w->stages->ledger, name.data, key, &altered);
    }
    if (altered) {
        psb_observer_say(w->stages->observer, PSB_NOTE, "%s changed since: written again",
                         name.data);
    }
    psb_text_free(&name);
    return status;
}

static psb_status enter(const work *w, const char *folder, const char *suffix, uint64_t key,
                        double wall, double cpu, psb_error *error) {
    psb_text name = {0};
    psb_status status = name_of(w, folder, suffix, &name, error);
    PSB_THEN(status, psb_ledger_enter(w->stages->ledger, name.data, key, wall, cpu, error));
    psb_text_free(&name);
    return status;
}

static psb_status path_of(const work *w, const char *folder, const char *suffix, psb_text *path,
                          psb_error *error) {
    return psb_run_folder_path(w->stages->run, folder, w->stem, suffix, path, error);
}

/* Before a file of rows is written anew: its rows never bear the names of others. */
static psb_status forget_names(const char *path, psb_error *error) {
    return psb_ids_write(path, NULL, 0, error);
}

/* The ids of the models beside a file of rows that is there. */
static psb_status name_rows(const work *w, const char *folder, const char *suffix, uint64_t key,
                            psb_error *error) {
    const psb_classification *cla = w->stages->cla;
    const psb_ledger_entry *there;
    psb_text path = {0};
    char names[32];
    snprintf(names, sizeof names, "%s.ids", suffix);
    psb_status status = look(w, folder, names, key, &there, error);
    if (status != PSB_OK || there != NULL) {
        return status;
    }
    status = path_of(w, folder, suffix, &path, error);
    PSB_THEN(status, psb_ids_write(path.data, cla->models, cla->nmodels, error));
    PSB_THEN(status, enter(w, folder, names, key, 0, 0, error));
    psb_text_free(&path);
    return status;
}

/* ---- features -------------------------------------------------------------------------- */

static psb_status need_rows(work *w, psb_error *error) {
    return w->rows.data != NULL ? PSB_OK
                                : psb_features_load(w->stages->features, w->spec,
                                                    w->stages->cla->models, &w->rows, error);
}

static psb_status make_features(work *w, psb_error *error) {
    const psb_ledger_entry *there;
    psb_text path = {0};
    psb_status status = look(w, "features", "npy", w->rows_key, &there, error);
    if (status != PSB_OK || there != NULL) {
        return status == PSB_OK ? name_rows(w, "features", "npy", w->rows_key, error) : status;
    }
    status = need_rows(w, error);
    PSB_THEN(status, path_of(w, "features", "npy", &path, error));
    PSB_THEN(status, forget_names(path.data, error));
    PSB_THEN(status, psb_npy_write(path.data, w->rows.data, w->rows.n, w->rows.length,
                                   w->rows.element, error));
    PSB_THEN(status, enter(w, "features", "npy", w->rows_key, 0, 0, error));
    PSB_THEN(status, name_rows(w, "features", "npy", w->rows_key, error));
    psb_text_free(&path);
    return status;
}

/* ---- distances ------------------------------------------------------------------------- */

static psb_status compute_matrix(work *w, psb_spec_result *result, psb_error *error) {
    const psb_spec *spec = w->stages->features->store.specs[w->spec];
    size_t n = w->rows.n;
    psb_text name = {0};
    psb_text_printf(&name, "distances %s", spec->label);
    psb_status status = psb_text_status(&name, error);
    w->matrix.owned = psb_new(&status, n * n, sizeof(float), "a distance matrix", error);
    if (status == PSB_OK) {
        psb_stage stage = {.observer = w->stages->observer, .name = name.data};
        const psb_metric *metric = spec->descriptor->metric;
        double wall = psb_clock_wall(), cpu = psb_clock_process();
        status = psb_distance_matrix(metric, &w->rows, w->stages->threads, w->matrix.owned,
                                     psb_stage_progress, &stage, error);
        result->matrix_wall_seconds = psb_clock_wall() - wall;
        result->matrix_cpu_seconds = psb_clock_process() - cpu;
        w->matrix.n = n;
        w->matrix.data = w->matrix.owned;
    }
    psb_text_free(&name);
    return status;
}

static psb_status make_matrix(work *w, psb_spec_result *result, psb_error *error) {
    const psb_ledger_entry *there;
    psb_text path = {0};
    psb_status status = look(w, "matrices", "matrix", w->matrix_key, &there, error);
    if (status == PSB_OK && there != NULL) {
        result->matrix_wall_seconds = there->wall_seconds;
        result->matrix_cpu_seconds = there->cpu_seconds;
        return name_rows(w, "matrices", "matrix", w->matrix_key, error);
    }
    PSB_THEN(status, need_rows(w, error));
    PSB_THEN(status, compute_matrix(w, result, error));
    PSB_THEN(status, path_of(w, "matrices", "matrix", &path, error));
    PSB_THEN(status, forget_names(path.data, error));
    PSB_THEN(status, psb_matrix_write(path.data, w->matrix.data, w->matrix.n, error));
    PSB_THEN(status, enter(w, "matrices", "matrix", w->matrix_key, result->matrix_wall_seconds,
                           result->matrix_cpu_seconds, error));
    PSB_THEN(status, name_rows(w, "matrices", "matrix", w->matrix_key, error));
    psb_text_free(&path);
    return status;
}

/* The matrix that was just made, or the file that was there. */
static psb_status need_matrix(work *w, psb_error *error) {
    psb_text path = {0};
    if (w->matrix.data != NULL) {
        return PSB_OK;
    }
    psb_status status = path_of(w, "matrices", "matrix", &path, error);
    PSB_THEN(status, psb_matrix_read(path.data, w->stages->cla->nmodels, &w->matrix, error));
    psb_text_free(&path);
    return status;
}

/* ---- scores ---------------------------------------------------------------------------- */

/* *found where both files are there. */
static psb_status look_for_scores(const work *w, bool *found, psb_error *error) {
    const psb_ledger_entry *queries, *averages = NULL;
    psb_status status = look(w, "scores", "tsv", w->scores_key, &queries, error);
    PSB_THEN(status, look(w, "scores", "json", w->scores_key, &averages, error));
    *found = status == PSB_OK && queries != NULL && averages != NULL;
    return status;
}

static psb_status write_scores(const work *w, const char *suffix,
                               psb_status (*render)(const psb_evaluation *, size_t, psb_text *,
                                                    psb_error *),
                               psb_error *error) {
    psb_text text = {0};
    psb_status status = render(w->stages->evaluation, w->spec, &text, error);
    PSB_THEN(status, psb_run_folder_write(w->stages->run, "scores", w->stem, suffix, &text, error));
    PSB_THEN(status, enter(w, "scores", suffix, w->scores_key, 0, 0, error));
    psb_text_free(&text);
    return status;
}

/* Counted from the matrix in every run: a table believes no file of scores. */
static psb_status make_scores(work *w, psb_error *error) {
    bool found = false;
    psb_status status = need_matrix(w, error);
    PSB_THEN(status, psb_evaluation_rank(w->stages->evaluation, w->spec, &w->matrix,
                                         w->stages->threads, error));
    PSB_THEN(status, look_for_scores(w, &found, error));
    if (status == PSB_OK && !found) {
        status = write_scores(w, "tsv", psb_query_scores_render, error);
        PSB_THEN(status, write_scores(w, "json", psb_averages_render, error));
    }
    return status;
}

psb_status psb_spec_stages_run(const psb_spec_stages *stages, size_t spec, psb_spec_result *result,
                               psb_error *error) {
    work w = {.stages = stages, .spec = spec};
    *result = (psb_spec_result){.matrix_wall_seconds = 0};
    psb_spec_stem(stages->features->store.specs[spec], w.stem);
    psb_status status =
        psb_features_key(stages->features, spec, stages->cla->models, &w.rows_key, error);
    const psb_metric *metric = stages->features->store.specs[spec]->descriptor->metric;
    uint64_t revised = XXH64(&metric->revision, sizeof metric->revision, w.rows_key);
    w.matrix_key = XXH64(metric->name, strlen(metric->name), revised);
    w.scores_key = XXH64(&stages->cla_hash, sizeof stages->cla_hash, w.matrix_key);
    PSB_THEN(status, make_features(&w, error));
    if (stages->evaluation != NULL) {
        PSB_THEN(status, make_matrix(&w, result, error));
        PSB_THEN(status, make_scores(&w, error));
    }
    PSB_THEN(status, psb_ledger_write(stages->ledger, error));
    psb_matrix_close(&w.matrix);
    free((void *)(uintptr_t)w.rows.data);
    return status;
}
