/* Each stage looks in the ledger first, and takes from the stage before only what it needs. */
#include "pipeline/spec_stages.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/sources.h"
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
    psb_rows rows;     /* data NULL until they are needed */
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
    if (status == PSB_OK) {
        status = psb_ledger_enter(w->stages->ledger, name.data, key, wall, cpu, error);
    }
    psb_text_free(&name);
    return status;
}

static psb_status path_of(const work *w, const char *folder, const char *suffix, psb_text *path,
                          psb_error *error) {
    return psb_run_folder_path(w->stages->run, folder, w->stem, suffix, path, error);
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
        return status;
    }
    status = need_rows(w, error);
    if (status == PSB_OK) {
        status = path_of(w, "features", "npy", &path, error);
    }
    if (status == PSB_OK) {
        status = psb_npy_write(path.data, w->rows.data, w->rows.n, w->rows.length, w->rows.element,
                               error);
    }
    if (status == PSB_OK) {
        status = enter(w, "features", "npy", w->rows_key, 0, 0, error);
    }
    psb_text_free(&path);
    return status;
}

/* ---- distances ------------------------------------------------------------------------- */

/* The observer of the matrix stage: adds the stage's name. */
typedef struct matrix_progress {
    const psb_observer *observer;
    const char *stage;
} matrix_progress;

static int forward_progress(size_t done, size_t total, void *context) {
    const matrix_progress *p = context;
    return p->observer->progress != NULL
               ? p->observer->progress(p->observer->context, p->stage, done, total, 0)
               : 0;
}

static psb_status compute_matrix(work *w, psb_spec_result *result, psb_error *error) {
    const psb_spec *spec = w->stages->features->store.specs[w->spec];
    size_t n = w->rows.n;
    psb_text stage = {0};
    psb_text_printf(&stage, "distances %s", spec->label);
    psb_status status = psb_text_status(&stage, error);
    if (status == PSB_OK) {
        status = psb_alloc(&w->matrix.owned, n * n, sizeof(float), "a distance matrix", error);
    }
    if (status == PSB_OK) {
        matrix_progress context = {w->stages->observer, stage.data};
        const psb_metric *metric = psb_metric_find(spec->descriptor->metric);
        double wall = psb_clock_wall(), cpu = psb_clock_process();
        status = psb_distance_matrix(metric, &w->rows, w->stages->threads, w->matrix.owned,
                                     forward_progress, &context, error);
        result->matrix_wall_seconds = psb_clock_wall() - wall;
        result->matrix_cpu_seconds = psb_clock_process() - cpu;
        w->matrix.n = n;
        w->matrix.data = w->matrix.owned;
    }
    psb_text_free(&stage);
    return status;
}

static psb_status make_matrix(work *w, psb_spec_result *result, psb_error *error) {
    const psb_ledger_entry *there;
    psb_text path = {0};
    psb_status status = look(w, "matrices", "matrix", w->matrix_key, &there, error);
    if (status == PSB_OK && there != NULL) {
        result->matrix_wall_seconds = there->wall_seconds;
        result->matrix_cpu_seconds = there->cpu_seconds;
        return PSB_OK;
    }
    if (status == PSB_OK) {
        status = need_rows(w, error);
    }
    if (status == PSB_OK) {
        status = compute_matrix(w, result, error);
    }
    if (status == PSB_OK) {
        status = path_of(w, "matrices", "matrix", &path, error);
    }
    if (status == PSB_OK) {
        status = psb_matrix_write(path.data, w->matrix.data, w->matrix.n, error);
    }
    if (status == PSB_OK) {
        status = enter(w, "matrices", "matrix", w->matrix_key, result->matrix_wall_seconds,
                       result->matrix_cpu_seconds, error);
    }
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
    if (status == PSB_OK) {
        status = psb_matrix_read(path.data, w->stages->cla->nmodels, &w->matrix, error);
    }
    psb_text_free(&path);
    return status;
}

/* ---- scores ---------------------------------------------------------------------------- */

/* *found where both files are there. */
static psb_status look_for_scores(const work *w, bool *found, psb_error *error) {
    const psb_ledger_entry *queries, *averages = NULL;
    psb_status status = look(w, "scores", "tsv", w->scores_key, &queries, error);
    if (status == PSB_OK) {
        status = look(w, "scores", "json", w->scores_key, &averages, error);
    }
    *found = status == PSB_OK && queries != NULL && averages != NULL;
    return status;
}

static psb_status write_scores(const work *w, const char *suffix, const psb_query_scores *scores,
                               psb_status (*render)(const psb_classification *,
                                                    const psb_query_scores *, psb_text *,
                                                    psb_error *),
                               psb_error *error) {
    psb_text text = {0};
    psb_status status = render(w->stages->cla, scores, &text, error);
    if (status == PSB_OK) {
        status = psb_run_folder_write(w->stages->run, "scores", w->stem, suffix, &text, error);
    }
    if (status == PSB_OK) {
        status = enter(w, "scores", suffix, w->scores_key, 0, 0, error);
    }
    psb_text_free(&text);
    return status;
}

static psb_status make_scores(work *w, psb_error *error) {
    bool found;
    void *memory = NULL;
    psb_status status = look_for_scores(w, &found, error);
    if (status != PSB_OK || found) {
        return status;
    }
    status = psb_alloc(&memory, w->stages->cla->nmodels, sizeof(psb_query_scores), "scores", error);
    psb_query_scores *scores = memory;
    if (status == PSB_OK) {
        status = need_matrix(w, error);
    }
    if (status == PSB_OK) {
        status = psb_score_queries(w->stages->cla, &w->matrix, w->stages->threads, scores, error);
    }
    if (status == PSB_OK) {
        status = write_scores(w, "tsv", scores, psb_query_scores_render, error);
    }
    if (status == PSB_OK) {
        status = write_scores(w, "json", scores, psb_averages_render, error);
    }
    free(scores);
    return status;
}

/* Always from the file, so that a table has the same digits whichever run made the scores. */
static psb_status read_average(const work *w, psb_average *average, psb_error *error) {
    psb_text path = {0};
    psb_status status = path_of(w, "scores", "json", &path, error);
    if (status == PSB_OK) {
        status = psb_averages_read(path.data, average, error);
    }
    psb_text_free(&path);
    return status;
}

psb_status psb_spec_stages_run(const psb_spec_stages *stages, size_t spec, psb_spec_result *result,
                               psb_error *error) {
    work w = {.stages = stages, .spec = spec};
    *result = (psb_spec_result){.matrix_wall_seconds = 0};
    psb_spec_stem(stages->features->store.specs[spec], w.stem);
    psb_status status =
        psb_features_key(stages->features, spec, stages->cla->models, &w.rows_key, error);
    w.matrix_key = XXH64(psb_score_sources, strlen(psb_score_sources), w.rows_key);
    w.scores_key = XXH64(&stages->cla_hash, sizeof stages->cla_hash, w.matrix_key);
    if (status == PSB_OK) {
        status = make_features(&w, error);
    }
    if (status == PSB_OK) {
        status = make_matrix(&w, result, error);
    }
    if (status == PSB_OK) {
        status = make_scores(&w, error);
    }
    if (status == PSB_OK) {
        status = read_average(&w, &result->average, error);
    }
    if (status == PSB_OK) {
        status = psb_ledger_write(stages->ledger, error);
    }
    psb_matrix_close(&w.matrix);
    free((void *)(uintptr_t)w.rows.data);
    return status;
}
