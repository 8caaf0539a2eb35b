/* The stages of a run, one after the other, each leaving its files. */
#include "pipeline/run.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "eval/scores.h"
#include "io/npy.h"
#include "pipeline/features.h"
#include "pipeline/manifest.h"
#include "report/query_scores.h"
#include "report/table4.h"

#include <stdlib.h>
#include <string.h>

typedef struct run {
    const psb_run_options *options;
    psb_dataset dataset;
    psb_features features;
    psb_table4_row *rows;
    double *matrix_wall_seconds;
    double features_wall_seconds;
    float *matrix;            /* of the descriptor in work */
    psb_query_scores *scores; /* of the descriptor in work */
} run;

/* RUN/folder/name.suffix; `folder` may be NULL. Makes the folder. */
static psb_status output_path(const run *r, const char *folder, const char *name,
                              const char *suffix, psb_text *path, psb_error *error) {
    psb_text_printf(path, "%s", r->options->folder);
    if (folder != NULL) {
        psb_text_printf(path, "/%s", folder);
    }
    psb_status status = psb_text_status(path, error);
    if (status == PSB_OK) {
        status = psb_make_folder(path->data, error);
    }
    if (status == PSB_OK) {
        psb_text_printf(path, "/%s.%s", name, suffix);
        status = psb_text_status(path, error);
    }
    return status;
}

static psb_status write_text(const run *r, const char *folder, const char *name, const char *suffix,
                             const psb_text *content, psb_error *error) {
    psb_text path = {0};
    psb_status status = psb_text_status(content, error);
    if (status == PSB_OK) {
        status = output_path(r, folder, name, suffix, &path, error);
    }
    if (status == PSB_OK) {
        status = psb_write_file(path.data, content->data, content->length, error);
    }
    psb_text_free(&path);
    return status;
}

static psb_status write_models(const run *r, psb_error *error) {
    psb_text path = {0};
    psb_status status = output_path(r, NULL, "models", "cla", &path, error);
    if (status == PSB_OK) {
        status = psb_cla_write(path.data, &r->dataset.cla, error);
    }
    psb_text_free(&path);
    return status;
}

/* A folder that cannot be written to is found now, not after the features of a whole night. */
static psb_status try_output(const run *r, psb_error *error) {
    psb_text path = {0};
    psb_output output;
    psb_status status = output_path(r, NULL, "run", "json", &path, error);
    if (status == PSB_OK) {
        status = psb_output_open(path.data, &output, error);
    }
    if (status == PSB_OK) {
        psb_output_discard(&output);
    }
    psb_text_free(&path);
    return status;
}

static psb_status compute_features(run *r, psb_error *error) {
    const psb_run_options *o = r->options;
    double start = psb_clock_wall();
    psb_status status = psb_features_compute(&r->dataset, o->specs, o->nspecs, o->threads,
                                             &o->observer, &r->features, error);
    r->features_wall_seconds = psb_clock_wall() - start;
    for (size_t s = 0; s < o->nspecs && status == PSB_OK; s++) {
        const psb_rows *rows = &r->features.rows[s];
        char stem[256];
        psb_spec_stem(o->specs[s], stem);
        psb_text path = {0};
        status = output_path(r, "features", stem, "npy", &path, error);
        if (status == PSB_OK) {
            status =
                psb_npy_write(path.data, rows->data, rows->n, rows->length, rows->element, error);
        }
        psb_text_free(&path);
    }
    return status;
}

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

static psb_status compute_matrix(run *r, size_t s, const char *stem, psb_error *error) {
    const psb_run_options *o = r->options;
    const psb_rows *rows = &r->features.rows[s];
    psb_text stage = {0}, path = {0};
    psb_text_printf(&stage, "distances %s", o->specs[s]->label);
    psb_status status = psb_text_status(&stage, error);
    if (status == PSB_OK) {
        matrix_progress context = {&o->observer, stage.data};
        const psb_metric *metric = psb_metric_find(o->specs[s]->descriptor->metric);
        double wall = psb_clock_wall(), cpu = psb_clock_process();
        status = psb_distance_matrix(metric, rows, o->threads, r->matrix, forward_progress,
                                     &context, error);
        r->matrix_wall_seconds[s] = psb_clock_wall() - wall;
        double pairs = 0.5 * (double)rows->n * ((double)rows->n - 1.0);
        r->rows[s].compare_seconds = pairs > 0 ? (psb_clock_process() - cpu) / pairs : 0.0;
    }
    if (status == PSB_OK) {
        status = output_path(r, "matrices", stem, "matrix", &path, error);
    }
    if (status == PSB_OK) {
        status = psb_matrix_write(path.data, r->matrix, rows->n, error);
    }
    psb_text_free(&stage);
    psb_text_free(&path);
    return status;
}

static psb_status score_matrix(run *r, size_t s, const char *stem, psb_error *error) {
    const psb_classification *cla = &r->dataset.cla;
    psb_matrix matrix = {.n = cla->nmodels, .data = r->matrix};
    psb_status status = psb_score_queries(cla, &matrix, r->options->threads, r->scores, error);
    if (status != PSB_OK) {
        return status;
    }
    r->rows[s].average = psb_average_micro(cla, r->scores);
    psb_text queries = {0}, averages = {0};
    status = psb_query_scores_render(cla, r->scores, &queries, error);
    if (status == PSB_OK) {
        status = write_text(r, "scores", stem, "tsv", &queries, error);
    }
    if (status == PSB_OK) {
        status = psb_averages_render(cla, r->scores, &averages, error);
    }
    if (status == PSB_OK) {
        status = write_text(r, "scores", stem, "json", &averages, error);
    }
    psb_text_free(&queries);
    psb_text_free(&averages);
    return status;
}

static void describe_row(run *r, size_t s) {
    const psb_spec *spec = r->options->specs[s];
    psb_table4_row *row = &r->rows[s];
    double models = (double)r->dataset.cla.nmodels;
    row->label = spec->label;
    /* A variant is not the paper's descriptor, even where it has its name. */
    bool preset = strcmp(spec->label, spec->descriptor->name) == 0;
    row->published_name = r->options->published && preset ? spec->descriptor->name : NULL;
    /* The paper's files of floats begin with 8 bytes of header, the light field's 4700 do not. */
    row->storage_bytes = psb_spec_row_bytes(spec) + (psb_spec_element(spec) == PSB_FLOAT32 ? 8 : 0);
    row->generate_seconds = r->options->times ? r->features.seconds[s] / models : 0.0;
    row->compare_seconds = r->options->times ? row->compare_seconds : 0.0;
}

static psb_status compare_and_score(run *r, psb_error *error) {
    size_t n = r->dataset.cla.nmodels;
    void *memory;
    psb_status status = psb_alloc(&memory, n * n, sizeof *r->matrix, "a distance matrix", error);
    r->matrix = memory;
    if (status == PSB_OK) {
        status = psb_alloc(&memory, n, sizeof *r->scores, "scores", error);
        r->scores = memory;
    }
    for (size_t s = 0; s < r->options->nspecs && status == PSB_OK; s++) {
        char stem[256];
        psb_spec_stem(r->options->specs[s], stem);
        status = compute_matrix(r, s, stem, error);
        if (status == PSB_OK) {
            status = score_matrix(r, s, stem, error);
        }
        describe_row(r, s);
    }
    return status;
}

static psb_status write_table(const run *r, psb_run_result *result, psb_error *error) {
    psb_table4 table = {r->options->title, r->rows, r->options->nspecs, r->dataset.cla.nmodels,
                        r->dataset.listed};
    const char *name = r->options->published ? "table4" : "table";
    psb_status status = PSB_OK;
    for (size_t f = 0; f < psb_table_format_count() && status == PSB_OK; f++) {
        const psb_table_format *format = psb_table_format_at(f);
        psb_text text = {0};
        status = psb_table4_render(&table, format, &text, error);
        if (status == PSB_OK) {
            status = write_text(r, NULL, name, format->name, &text, error);
        }
        if (status == PSB_OK && format == &psb_format_text) {
            result->table = text;
        } else {
            psb_text_free(&text);
        }
    }
    return status;
}

static psb_status run_stages(run *r, psb_run_result *result, psb_error *error) {
    const psb_run_options *o = r->options;
    double wall = psb_clock_wall();
    psb_status status =
        psb_dataset_open(o->classification, o->models, o->skip_missing, &r->dataset, error);
    if (status == PSB_OK) {
        status = try_output(r, error);
    }
    if (status == PSB_OK) {
        status = compute_features(r, error);
    }
    if (status == PSB_OK) {
        status = write_models(r, error);
    }
    if (status == PSB_OK) {
        status = compare_and_score(r, error);
    }
    if (status == PSB_OK) {
        status = write_table(r, result, error);
    }
    if (status == PSB_OK) {
        psb_run_costs costs = {psb_clock_wall() - wall, psb_clock_process(),
                               r->features_wall_seconds, r->matrix_wall_seconds};
        psb_text path = {0};
        status = output_path(r, NULL, "run", "json", &path, error);
        if (status == PSB_OK) {
            status = psb_manifest_write(path.data, o, &r->dataset, &r->features, &costs, error);
        }
        psb_text_free(&path);
    }
    return status;
}

psb_status psb_run(const psb_run_options *options, psb_run_result *result, psb_error *error) {
    memset(result, 0, sizeof *result);
    run r = {.options = options};
    void *memory;
    psb_status status =
        psb_alloc_zero(&memory, options->nspecs, sizeof *r.rows, "a run's table", error);
    r.rows = memory;
    if (status == PSB_OK) {
        status = psb_alloc_zero(&memory, options->nspecs, sizeof(double), "times", error);
        r.matrix_wall_seconds = memory;
    }
    if (status == PSB_OK) {
        status = run_stages(&r, result, error);
    }
    result->models_listed = r.dataset.listed;
    result->models_used = r.dataset.cla.nmodels;
    result->models_missing = r.dataset.nmissing;
    result->models_failed = r.features.nfailures;
    if (status != PSB_OK) {
        psb_run_result_free(result);
    }
    free(r.scores);
    free(r.matrix);
    free(r.matrix_wall_seconds);
    free(r.rows);
    psb_features_free(&r.features);
    psb_dataset_free(&r.dataset);
    return status;
}

void psb_run_result_free(psb_run_result *result) {
    psb_text_free(&result->table);
}
