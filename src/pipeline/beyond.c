/* Three runs, one after the other, each with the same rows. */
#include "pipeline/beyond.h"

#include "core/error.h"
#include "core/file.h"
#include "pipeline/derived.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char base[] = "classification/v1/base/";
static const uint64_t turn = 1;
static const struct {
    const char *file, *title;
    const uint64_t *turn;
} sets[PSB_BEYOND_SETS] = {
    {"train.cla", "Princeton Shape Benchmark, training set", NULL},
    {"test.cla", "Princeton Shape Benchmark, test set", NULL},
    {"test.cla", "Princeton Shape Benchmark, test set, each model turned at random", &turn},
};

static psb_status folder_of(const char *run, size_t set, char **folder, psb_error *error) {
    return psb_path_join(folder, run, psb_beyond_sets[set], error);
}

/* ---- the rows -------------------------------------------------------------------------- */

/* Descriptors of the table's rows, and members of recipes: each once. */
static psb_status parse_specs(psb_spec **specs, size_t most, size_t *count, psb_error *error) {
    const char *members[PSB_MEMBERS_MOST];
    psb_status status = PSB_OK;
    for (size_t r = 0; psb_recipe_at(r) != NULL; r++) {
        size_t n = psb_recipe_members(psb_recipe_at(r), members);
        for (size_t m = 0; m <= n && status == PSB_OK && *count < most; m++) {
            size_t same = 0;
            status = psb_spec_parse(NULL, m < n ? members[m] : "LFD", &specs[*count], error);
            while (status == PSB_OK && strcmp(specs[same]->label, specs[*count]->label) != 0) {
                same++;
            }
            if (status == PSB_OK && same < *count) {
                psb_spec_free(specs[*count]);
            } else {
                *count += status == PSB_OK;
            }
        }
    }
    return status;
}

static psb_status derive(const psb_run_job *job, psb_error *error) {
    psb_derived d;
    psb_run_record record = {0};
    psb_text table = {0};
    const psb_rerank_options preset = PSB_RERANK_PRESET;
    psb_rerank_options options = preset;
    options.threads = job->threads;
    psb_status status = psb_derived_open(&d, job->folder, job->command_line, job->threads, error);
    for (size_t r = 0; psb_recipe_at(r) != NULL && status == PSB_OK; r++) {
        status = psb_derived_recipe(&d, psb_recipe_at(r), error);
        PSB_THEN(status, psb_derived_rerank(&d, psb_recipe_at(r)->label, &options, error));
    }
    PSB_THEN(status, psb_derived_finish(&d, &record, &table, error));
    psb_run_record_free(&record);
    psb_text_free(&table);
    psb_derived_close(&d);
    return status;
}

static psb_status run_set(psb_run_job job, const char *psb, size_t set, psb_run_outcome *outcome,
                          psb_error *error) {
    char *folder = NULL, *models = NULL;
    psb_text cla = {0};
    psb_text_printf(&cla, "%s/%s%s", psb, base, sets[set].file);
    psb_status status = psb_text_status(&cla, error);
    PSB_THEN(status, folder_of(job.folder, set, &folder, error));
    PSB_THEN(status, psb_path_join(&models, psb, "db", error));
    job.data.cla = cla.data;
    job.data.models = models;
    job.folder = folder;
    job.title = sets[set].title;
    job.turn = sets[set].turn;
    size_t failed = outcome->models_failed;
    psb_run_outcome_free(outcome);
    PSB_THEN(status, psb_run_stages(&job, outcome, error));
    outcome->models_failed += failed;
    PSB_THEN(status, derive(&job, error));
    free(folder);
    free(models);
    psb_text_free(&cla);
    return status;
}

psb_status psb_beyond_run(const psb_run_job *job, const char *psb, psb_run_outcome *last,
                          psb_error *error) {
    psb_spec *specs[4 * PSB_MEMBERS_MOST] = {NULL};
    psb_run_job each = *job;
    psb_status status = parse_specs(specs, sizeof specs / sizeof specs[0], &each.nspecs, error);
    each.specs = specs;
    for (size_t set = 0; set < PSB_BEYOND_SETS && status == PSB_OK; set++) {
        status = run_set(each, psb, set, last, error);
    }
    for (size_t s = 0; s < each.nspecs; s++) {
        psb_spec_free(specs[s]);
    }
    return status;
}

/* ---- the numbers ----------------------------------------------------------------------- */

static psb_status read_row(const psb_run_record *record, const char *run, size_t r, size_t set,
                           psb_beyond *beyond, psb_error *error) {
    size_t m = 0, count = record->facts.ndescriptors;
    while (m < count && strcmp(record->labels[m], psb_beyond_rows[r].label) != 0) {
        m++;
    }
    if (m == count) {
        return psb_fail_at(error, PSB_ERROR_INPUT, run, 0, "has no row %s",
                           psb_beyond_rows[r].label);
    }
    psb_group all = {PSB_MICRO, 0};
    beyond->average[r][set] = psb_evaluation_average(&record->evaluation, m, all);
    beyond->dcg_error[r][set] = psb_evaluation_mean(&record->evaluation, m, PSB_DCG, all).error;
    if (set == PSB_BEYOND_TEST) {
        beyond->pair_seconds[r] = record->facts.descriptors[m].compare_seconds;
        beyond->model_bytes[r] = record->facts.descriptors[m].storage_bytes;
    }
    return PSB_OK;
}

static void leave_out(void *context, const char *name, psb_output_state state) {
    (void)context;
    (void)name;
    (void)state;
}

static psb_status read_set(const char *run, size_t set, uint64_t list, int threads,
                           psb_beyond *beyond, psb_error *error) {
    char *folder = NULL;
    psb_results results = {0};
    psb_run_record record = {0};
    psb_run_reader reader = {.threads = threads, .left_out = leave_out};
    psb_status status = folder_of(run, set, &folder, error);
    PSB_THEN(status, psb_results_open(folder, false, &results, error));
    if (status == PSB_OK && set == PSB_BEYOND_TEST && list != 0 &&
        results.ledger.list.hash != list) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, folder, 0,
                             "is about another list of models than %s", run);
    }
    PSB_THEN(status, psb_run_record_read(&results, &reader, &record, error));
    for (size_t r = 0; r < PSB_BEYOND_ROWS && status == PSB_OK; r++) {
        status = read_row(&record, folder, r, set, beyond, error);
    }
    psb_run_record_free(&record);
    psb_results_free(&results);
    free(folder);
    return status;
}

psb_status psb_beyond_read(const char *run, uint64_t list, int threads, psb_beyond *beyond,
                           psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t set = 0; set < PSB_BEYOND_SETS && status == PSB_OK; set++) {
        status = read_set(run, set, list, threads, beyond, error);
    }
    return status;
}

bool psb_beyond_is_there(const char *run) {
    bool there = true;
    for (size_t set = 0; set < PSB_BEYOND_SETS && there; set++) {
        psb_text path = {0};
        psb_text_printf(&path, "%s/%s/provenance.tsv", run, psb_beyond_sets[set]);
        there = !path.failed && psb_is_file(path.data);
        psb_text_free(&path);
    }
    return there;
}
