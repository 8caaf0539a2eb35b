/* Studies of whole runs for clients: the paper's Tables 5 and 6, sweeps, the second table. */
#include "core/beneath.h"
#include "core/file.h"
#include "library/call.h"
#include "library/methods.h"
#include "library/run.h"
#include "proof/folder.h"
#include "run/record.h"
#include "studies/beyond.h"
#include "studies/paper_tables.h"
#include "studies/sweep.h"

#include <time.h>

/* Frees the table if a later step failed, so that the client gets none. */
static psb_status table_or_none(psb_status status, psb_table **table) {
    if (status != PSB_OK) {
        psb_table_free(*table);
        *table = NULL;
    }
    return status;
}

/* ---- Tables 5 and 6 ---------------------------------------------------------------------- */

enum { MOST = 16, NAME_BYTES = 64 }; /* most lists; bytes of a file name */

/* Enters the files of the lists into the run's ledger. */
static psb_status enter_lists(const psb_paper_options *o, psb_error *error) {
    char files[MOST][NAME_BYTES];
    const char *names[MOST];
    size_t n = 0;
    for (size_t j = PSB_TABLE5_FIRST_TYPE; j < PSB_TABLE5_COLUMNS && n < MOST; j++, n++) {
        snprintf(files[n], NAME_BYTES, "lists/%s.txt", psb_table5_names[j]);
        names[n] = files[n];
    }
    return psb_results_enter(o->run, names, NULL, n, o->command_line, error);
}

/* Writes the lists to files, for use as in psbench eval --query-list RUN/lists/animal.txt. */
static psb_status write_lists(const psb_classification *cla, const char *folder, const bool *listed,
                              psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *lists = psb_new_format(&status, error, "%s/lists", folder);
    PSB_THEN(status, psb_make_folder(lists, error));
    for (size_t j = PSB_TABLE5_FIRST_TYPE; j < PSB_TABLE5_COLUMNS && status == PSB_OK; j++) {
        psb_text ids = {.data = NULL};
        PSB_FREED char *path =
            psb_new_format(&status, error, "%s/%s.txt", lists, psb_table5_names[j]);
        for (size_t i = 0; i < cla->nmodels; i++) {
            if (listed[j * cla->nmodels + i]) {
                psb_text_printf(&ids, "%s\n", cla->models[i]);
            }
        }
        status = psb_write_text(status, path, &ids, error);
    }
    return status;
}

static psb_status find_lists(psb_context *psb, const psb_matrices *in, const psb_paper_options *o,
                             bool *listed, psb_error *error) {
    PSB_FREED char *cla_path = NULL;
    size_t n = in->cla->nmodels;
    psb_stage stage = {.observer = &psb->observer, .name = "annotations"};
    psb_status status = PSB_OK;
    PSB_FREED psb_list_values *values = psb_new(&status, n, sizeof *values, "annotations", error);
    PSB_THEN(status, psb_path_join(&cla_path, o->run, "models.cla", error));
    PSB_THEN(status, psb_list_values_compute(cla_path, n, o->benchmark, in->threads,
                                             psb_stage_progress, &stage, values, error));
    return PSB_THEN(status, psb_table5_lists(in->cla, o->benchmark, values, listed, error));
}

static psb_status measure5(psb_context *psb, const psb_matrices *in, const psb_paper_options *o,
                           psb_paper_table *out, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED bool *listed =
        psb_new(&status, in->cla->nmodels, sizeof(bool[PSB_TABLE5_COLUMNS]), "query lists", error);
    PSB_THEN(status, find_lists(psb, in, o, listed, error));
    PSB_THEN(status, psb_table5_measure(in, o->benchmark, listed, out, error));
    /* Last, so that a table that cannot be made leaves no lists behind. */
    PSB_THEN(status, write_lists(in->cla, o->run, listed, error));
    return PSB_THEN(status, enter_lists(o, error));
}

static psb_status measure6(psb_context *psb PSB_UNUSED, const psb_matrices *in,
                           const psb_paper_options *o, psb_paper_table *out, psb_error *error) {
    psb_text known = {0};
    for (size_t h = 0; h < PSB_TABLE6_HANDLINGS; h++) {
        const char *name = psb_table6_handlings[h].name;
        if (o->miscellaneous == NULL ? h == PSB_TABLE6_DEFAULT
                                     : strcmp(name, o->miscellaneous) == 0) {
            psb_text_free(&known);
            return psb_table6_measure(in, o->benchmark, &psb_table6_handlings[h], out, error);
        }
        psb_text_list(&known, name);
    }
    return psb_fail_unknown(error, "way with miscellaneous models", o->miscellaneous, &known);
}

psb_status psb_make_paper_table(psb_context *psb, const psb_methods *all,
                                const psb_paper_options *options, psb_table **table,
                                psb_error *error) {
    *table = NULL;
    if (options == NULL || options->run == NULL || options->benchmark == NULL ||
        (options->number != 5 && options->number != 6)) {
        return psb_misuse(error, "Table 5 or 6 needs the folders of a run and of the benchmark");
    }
    for (size_t k = 0; k < all->count; k++) {
        if (all->matrices[k].data == NULL) {
            return psb_misuse(error, "the table is of matrices, not of features or lists");
        }
    }
    bool five = options->number == 5;
    const psb_matrices in = {&all->cla, all->matrices, all->labels, all->count, all->threads};
    psb_paper_table filled = {.dcg = NULL};
    int held = 0;
    psb_status status = psb_hold_folder(options->run, &held, error);
    PSB_THEN(status, (five ? measure5 : measure6)(psb, &in, options, &filled, error));
    PSB_THEN(status, psb_dcg_table_make(&filled.table, table, error));
    PSB_THEN(status, psb_run_save_table(options->run, five ? "table5" : "table6", *table,
                                        options->command_line, error));
    psb_paper_table_free(&filled);
    psb_let_go(held);
    return table_or_none(status, table);
}

/* ---- sweeps ------------------------------------------------------------------------------ */

/* Checks, before hours of work, that the two lists have no model in common. */
static psb_status check_lists(const char *training, const char *test, psb_error *error) {
    PSB_AT_END(psb_cla_free) psb_classification one = {0}, other = {0};
    psb_status status = psb_results_read_cla(training, &one, error);
    PSB_THEN(status, psb_results_read_cla(test, &other, error));
    return PSB_THEN(status, psb_check_apart(&other, test, &one, error));
}

/* Measures the chosen variant on the test list, in a run of its own below the sweep's. */
static psb_status score(psb_run_job job, const char *test, const psb_spec *chosen,
                        psb_average *average, psb_error *error) {
    PSB_FREED char *folder = NULL;
    PSB_AT_END(psb_plan_free) psb_plan plan = {.nspecs = 0};
    psb_run_outcome outcome = {0};
    int held = 0;
    psb_status status = psb_hold_folder(job.options.folder, &held, error);
    PSB_THEN(status, psb_path_join(&folder, job.options.folder, "test", error));
    PSB_THEN(status, psb_sweep_check_test(folder, chosen, error));
    job.options.data.cla = job.options.title = test;
    PSB_THEN(status, psb_plan_make(NULL, chosen->label.text, &plan, error));
    job.plan = &plan;
    job.options.folder = folder;
    PSB_THEN(status, psb_run_stages(&job, &outcome, error));
    if (status == PSB_OK) {
        *average = psb_evaluation_average(outcome.report->evaluation, 0, (psb_group){PSB_MICRO, 0});
    }
    psb_run_outcome_free(&outcome);
    psb_let_go(held);
    return status;
}

static void add_now(psb_text *out) {
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    psb_text_add(out, text);
}

/* Reads which variant an earlier sweep in the folder chose, and when; empty if there was none. */
static void recall(const char *run, psb_text *chosen, psb_text *when) {
    PSB_AT_END(psb_results_free) psb_results results = {0};
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    psb_text_add(chosen, "");
    if (psb_results_open(run, false, &results, NULL) == PSB_OK &&
        psb_run_read_facts(&results, &facts, NULL) == PSB_OK && facts.chosen != NULL &&
        facts.chosen_at != NULL) {
        psb_text_add_plain(chosen, facts.chosen);
        psb_text_add_plain(when, facts.chosen_at);
    }
}

static psb_status sweep(const char *test, const psb_run_job *job, psb_run_result *result,
                        psb_table **table, psb_error *error) {
    psb_text chosen = {0}, when = {0};
    psb_average average;
    PSB_AT_END(psb_run_outcome_free) psb_run_outcome outcome = {0};
    psb_status status = test != NULL ? check_lists(job->options.data.cla, test, error) : PSB_OK;
    recall(job->options.folder, &chosen, &when);
    PSB_THEN(status, psb_text_status(&chosen, error));
    PSB_THEN(status, psb_run_stages(job, &outcome, error));
    *result = psb_run_result_of(&outcome, NULL);
    if (status == PSB_OK) {
        size_t best = psb_sweep_best(outcome.report->evaluation, job->plan->nspecs);
        if (strcmp(job->plan->specs[best]->label.text, chosen.data) != 0) {
            psb_text_free(&when);
            add_now(&when);
        }
        psb_sweep s = {.run = job->options.folder,
                       .e = outcome.report->evaluation,
                       .specs = job->plan->specs,
                       .nspecs = job->plan->nspecs,
                       .command_line = job->options.command_line,
                       .when = when.data};
        /* Writes the choice down before the test list is read. */
        status = psb_sweep_note(&s, error);
        if (status == PSB_OK && test != NULL) {
            status = score(*job, test, job->plan->specs[best], &average, error);
            s.test = &average;
        }
        PSB_THEN(status, psb_sweep_write(&s, table, error));
    }
    psb_text_free(&chosen);
    psb_text_free(&when);
    return status;
}

psb_status psb_make_sweep(psb_context *psb, const psb_run_options *options, const char *test,
                          psb_run_result *result, psb_table **table, psb_error *error) {
    *result = (psb_run_result){.kept = NULL};
    *table = NULL;
    if (options == NULL || options->descriptors == NULL || options->folder == NULL ||
        options->data.cla == NULL || options->data.models == NULL) {
        return psb_misuse(error, "a sweep needs variants of descriptors, a training list, a "
                                 "folder of models and one for its results");
    }
    PSB_AT_END(psb_plan_free) psb_plan plan = {.nspecs = 0};
    psb_status status = psb_plan_make(&psb->added, options->descriptors, &plan, error);
    PSB_THEN_IF(status, plan.nspecs < plan.nmethods,
                psb_fail(error, PSB_ERROR_USAGE,
                         "%s is no descriptor's variant, as GEDT:width=3 is",
                         plan.methods[plan.nspecs]->label.text));
    psb_run_job job = psb_run_job_of(psb, options, &plan);
    job.options.title = options->data.cla;
    job.options.pages = true; /* pages need the evaluation after the run */
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    PSB_THEN(status, sweep(test, &job, result, table, error));
    return table_or_none(status, table);
}

/* ---- the second table --------------------------------------------------------------------- */

/* Writes the table in all formats, and enters the files into the ledger if the folder is a run. */
static psb_status write_beyond(const psb_run_job *job, psb_table **table, psb_error *error) {
    psb_beyond beyond;
    psb_status status = psb_beyond_read(job->options.folder, 0, job->threads, &beyond, error);
    PSB_THEN(status, psb_beyond_make(&beyond, table, error));
    return PSB_THEN(status, psb_run_save_table(job->options.folder, "beyond", *table,
                                               job->options.command_line, error));
}

/* Refuses a folder of other contents before anything is made in it. */
static psb_status claim(const char *run, psb_error *error) {
    PSB_AT_END(psb_lock_release) psb_lock lock = PSB_LOCK_NONE;
    return psb_run_folder_open(run, NULL, &lock, error);
}

psb_status psb_make_beyond(psb_context *psb, const psb_run_options *options, const char *benchmark,
                           psb_run_result *result, psb_table **table, psb_error *error) {
    *result = (psb_run_result){.kept = NULL};
    *table = NULL;
    if (options == NULL || options->folder == NULL || benchmark == NULL) {
        return psb_misuse(error, "the table needs the benchmark's folder and one for its results");
    }
    psb_run_outcome outcome = {0};
    psb_run_job job = psb_run_job_of(psb, options, NULL);
    int held = 0;
    psb_status status = claim(options->folder, error);
    PSB_THEN(status, psb_hold_folder(options->folder, &held, error));
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    PSB_THEN(status, psb_beyond_run(&job, benchmark, &outcome, error));
    PSB_THEN(status, write_beyond(&job, table, error));
    *result = psb_run_result_of(&outcome, NULL);
    psb_run_outcome_free(&outcome);
    psb_let_go(held);
    return table_or_none(status, table);
}
