/* The stages of a run, one after the other, each leaving its files. */
#include "pipeline/run.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "pipeline/manifest.h"
#include "pipeline/memory_bound.h"
#include "pipeline/model_reports.h"
#include "pipeline/run_folder.h"
#include "pipeline/spec_stages.h"
#include "report/table4.h"

#include <stdlib.h>
#include <string.h>

typedef struct run {
    const psb_run_options *options;
    psb_lock lock;
    psb_ledger ledger;
    psb_dataset dataset;
    psb_features features;
    psb_table4_row *rows;
    double *matrix_wall_seconds;
    double features_wall_seconds;
} run;

/* A folder that cannot be written to is found now, not after the features of a whole night. */
static psb_status try_output(const run *r, psb_error *error) {
    psb_text path = {0};
    psb_output output;
    psb_status status = psb_run_folder_path(r->options->folder, NULL, "run", "json", &path, error);
    if (status == PSB_OK) {
        status = psb_output_open(path.data, &output, error);
    }
    if (status == PSB_OK) {
        psb_output_discard(&output);
    }
    psb_text_free(&path);
    return status;
}

static void announce_memory(const run *r) {
    const psb_run_options *o = r->options;
    psb_memory_bound bound = psb_memory_bound_of(&r->dataset, o->specs, o->nspecs, o->max_faces);
    double mib = 1 << 20, threads = o->threads;
    double all = threads * (double)bound.per_thread + (double)bound.shared;
    psb_observer_say(&o->observer, PSB_DETAIL,
                     "memory: at most %.0f MiB a thread (the largest model has %.1f MiB), %.0f MiB "
                     "for features and matrices",
                     (double)bound.per_thread / mib, (double)bound.largest_file / mib,
                     (double)bound.shared / mib);
    if (bound.physical > 0 && all > (double)bound.physical) {
        psb_observer_say(&o->observer, PSB_WARNING,
                         "%.0f MiB of memory may be needed with %d threads, this machine has %.0f",
                         all / mib, o->threads, (double)bound.physical / mib);
    }
}

static psb_status compute_features(run *r, psb_error *error) {
    const psb_run_options *o = r->options;
    psb_features_options options = {o->threads, o->verify, o->max_faces, o->max_seconds,
                                    &o->observer};
    char *folder = NULL;
    double start = psb_clock_wall();
    psb_status status = psb_path_join(&folder, o->folder, "work", error);
    if (status == PSB_OK) {
        status = psb_features_compute(folder, &r->dataset, o->specs, o->nspecs, &options,
                                      &r->features, error);
        /* What failed is listed also where the stage did not come to its end. */
        psb_status listed =
            psb_failures_write(o->folder, &r->features, status == PSB_OK ? error : NULL);
        status = status == PSB_OK ? listed : status;
    }
    r->features_wall_seconds = psb_clock_wall() - start;
    free(folder);
    return status;
}

/* Writes models.cla and takes its hash, on which scores depend. */
static psb_status write_models(const run *r, uint64_t *hash, psb_error *error) {
    psb_text path = {0};
    psb_stamp stamp;
    psb_status status =
        psb_run_folder_path(r->options->folder, NULL, "models", "cla", &path, error);
    if (status == PSB_OK) {
        status = psb_cla_write(path.data, &r->dataset.cla, error);
    }
    if (status == PSB_OK) {
        status = psb_stamp_read(path.data, &stamp, error);
    }
    if (status == PSB_OK) {
        *hash = stamp.hash;
    }
    psb_text_free(&path);
    return status;
}

static void describe_row(run *r, size_t s, const psb_spec_result *result) {
    const psb_spec *spec = r->options->specs[s];
    psb_table4_row *row = &r->rows[s];
    double models = (double)r->dataset.cla.nmodels, pairs = 0.5 * models * (models - 1.0);
    row->label = spec->label;
    /* A variant is not the paper's descriptor, even where it has its name. */
    bool preset = strcmp(spec->label, spec->descriptor->name) == 0;
    row->published_name = r->options->published && preset ? spec->descriptor->name : NULL;
    /* The paper's files of floats begin with 8 bytes of header, the light field's 4700 do not. */
    row->storage_bytes = psb_spec_row_bytes(spec) + (psb_spec_element(spec) == PSB_FLOAT32 ? 8 : 0);
    row->average = result->average;
    if (r->options->times) {
        row->generate_seconds = psb_features_seconds(&r->features, s) / models;
        row->compare_seconds = pairs > 0 ? result->matrix_cpu_seconds / pairs : 0.0;
    }
}

static void warn_without_queries(const run *r) {
    const psb_classification *cla = &r->dataset.cla;
    for (size_t c = 0; c < cla->nclasses; c++) {
        if (cla->classes[c].count > 2 && !cla->classes[c].miscellaneous) {
            return;
        }
    }
    psb_observer_say(&r->options->observer, PSB_WARNING,
                     "%s: no class takes part in averages, which are over classes of more than 2 "
                     "models that are not miscellaneous: the table has no figures",
                     r->options->classification);
}

static psb_status compare_and_score(run *r, psb_error *error) {
    const psb_run_options *o = r->options;
    psb_spec_stages stages = {.run = o->folder,
                              .features = &r->features,
                              .cla = &r->dataset.cla,
                              .ledger = &r->ledger,
                              .threads = o->threads,
                              .observer = &o->observer};
    warn_without_queries(r);
    psb_status status = write_models(r, &stages.cla_hash, error);
    for (size_t s = 0; s < o->nspecs && status == PSB_OK; s++) {
        psb_spec_result result;
        status = psb_spec_stages_run(&stages, s, &result, error);
        if (status == PSB_OK) {
            r->matrix_wall_seconds[s] = result.matrix_wall_seconds;
            describe_row(r, s, &result);
        }
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
            status =
                psb_run_folder_write(r->options->folder, NULL, name, format->name, &text, error);
        }
        if (status == PSB_OK && format == &psb_format_text) {
            result->table = text;
        } else {
            psb_text_free(&text);
        }
    }
    return status;
}

static psb_status write_costs(const run *r, double started, psb_error *error) {
    const psb_run_options *o = r->options;
    char *const *ids = r->dataset.cla.models;
    psb_status status = o->times ? psb_times_write(o->folder, &r->features, ids, error) : PSB_OK;
    psb_report_slowest(&r->features, ids, &o->observer);
    psb_run_costs costs = {psb_clock_wall() - started, psb_clock_process(),
                           r->features_wall_seconds, r->matrix_wall_seconds};
    psb_text path = {0};
    if (status == PSB_OK) {
        status = psb_run_folder_path(o->folder, NULL, "run", "json", &path, error);
    }
    if (status == PSB_OK) {
        status = psb_manifest_write(path.data, o, &r->dataset, &r->features, &costs, error);
    }
    psb_text_free(&path);
    return status;
}

static psb_status run_stages(run *r, psb_run_result *result, psb_error *error) {
    const psb_run_options *o = r->options;
    double started = psb_clock_wall();
    psb_status status =
        psb_dataset_open(o->classification, o->models, o->skip_missing, &r->dataset, error);
    if (status == PSB_OK) {
        status = psb_run_folder_open(o->folder, &o->observer, &r->lock, error);
    }
    if (status == PSB_OK) {
        status = try_output(r, error);
    }
    if (status == PSB_OK) {
        status = psb_ledger_open(o->folder, o->verify, &r->ledger, error);
    }
    if (status == PSB_OK && r->ledger.damaged > 0) {
        psb_observer_say(&o->observer, PSB_WARNING,
                         "%s: %zu damaged line%s: outputs of which nothing is known are made again",
                         r->ledger.path, r->ledger.damaged, r->ledger.damaged == 1 ? "" : "s");
    }
    if (status == PSB_OK) {
        result->begun = true;
        announce_memory(r);
        status = compute_features(r, error);
    }
    if (status == PSB_OK) {
        status = compare_and_score(r, error);
    }
    if (status == PSB_OK) {
        status = write_table(r, result, error);
    }
    return status == PSB_OK ? write_costs(r, started, error) : status;
}

psb_status psb_run(const psb_run_options *options, psb_run_result *result, psb_error *error) {
    memset(result, 0, sizeof *result);
    run r = {.options = options, .lock = PSB_LOCK_NONE};
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
    free(r.matrix_wall_seconds);
    free(r.rows);
    psb_features_free(&r.features);
    psb_dataset_free(&r.dataset);
    psb_ledger_free(&r.ledger);
    psb_lock_release(&r.lock);
    return status;
}

void psb_run_result_free(psb_run_result *result) {
    psb_text_free(&result->table);
}
