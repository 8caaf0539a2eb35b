/* Three runs, one after the other, each with the same rows. */
#include "studies/beyond.h"

#include "core/error.h"
#include "core/file.h"
#include "report/published.h"
#include "run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char base[] = "classification/v1/base/";
static const uint64_t turn = 1;
static const struct {
    const char *file, *title;
    uint64_t list;
    const uint64_t *turn;
} sets[PSB_BEYOND_SETS] = {
    {"train.cla", "Princeton Shape Benchmark, training set", PSB_TRAIN_LIST, NULL},
    {"test.cla", "Princeton Shape Benchmark, test set", PSB_TEST_LIST, NULL},
    {"test.cla", "Princeton Shape Benchmark, test set, each model turned at random", PSB_TEST_LIST,
     &turn},
};

static psb_status folder_of(const char *run, size_t set, char **folder, psb_error *error) {
    return psb_path_join(folder, run, psb_beyond_sets[set], error);
}

/* ---- the runs -------------------------------------------------------------------------- */

static psb_status run_set(psb_run_job job, const char *psb, size_t set, psb_run_outcome *outcome,
                          psb_error *error) {
    char *folder = NULL, *models = NULL, *reference = NULL;
    psb_text cla = {0};
    psb_text_printf(&cla, "%s/%s%s", psb, base, sets[set].file);
    psb_status status = psb_text_status(&cla, error);
    PSB_THEN(status, folder_of(job.folder, set, &folder, error));
    PSB_THEN(status, folder_of(job.folder, PSB_BEYOND_TRAIN, &reference, error));
    PSB_THEN(status, psb_path_join(&models, psb, "db", error));
    job.data.cla = cla.data;
    job.data.models = models;
    job.folder = folder;
    job.reference = reference;
    job.title = sets[set].title;
    job.titled = sets[set].list;
    job.turn = sets[set].turn;
    size_t failed = outcome->models_failed;
    psb_run_outcome_free(outcome);
    PSB_THEN(status, psb_run_stages(&job, outcome, error));
    outcome->models_failed += failed;
    free(folder);
    free(reference);
    free(models);
    psb_text_free(&cla);
    return status;
}

psb_status psb_beyond_run(const psb_run_job *job, const char *psb, psb_run_outcome *last,
                          psb_error *error) {
    psb_text list = {0};
    psb_plan plan = {.nspecs = 0};
    psb_run_job each = *job;
    for (size_t r = 0; r < PSB_BEYOND_ROWS; r++) {
        psb_text_printf(&list, "%s%s", r > 0 ? "," : "", psb_beyond_rows[r].label);
    }
    psb_status status = psb_text_status(&list, error);
    PSB_THEN(status, psb_plan_make(NULL, list.data, &plan, error));
    each.plan = &plan;
    for (size_t set = 0; set < PSB_BEYOND_SETS && status == PSB_OK; set++) {
        status = run_set(each, psb, set, last, error);
    }
    psb_plan_free(&plan);
    psb_text_free(&list);
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

static void leave_out(void *context, const char *name, const char *why) {
    (void)context;
    (void)name;
    (void)why;
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

psb_status psb_beyond_is_there(const char *run, bool *there, psb_error *error) {
    psb_status status = PSB_OK;
    *there = true;
    for (size_t set = 0; set < PSB_BEYOND_SETS && *there; set++) {
        char *path =
            psb_new_format(&status, error, "%s/%s/provenance.tsv", run, psb_beyond_sets[set]);
        *there = false;
        PSB_THEN(status, psb_file_is_there(path, there, error));
        free(path);
    }
    return status;
}
