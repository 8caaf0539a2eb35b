/* psbench sweep: variants of descriptors, chosen on one list of models, scored once on another. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_job.h"
#include "core/beneath.h"
#include "core/error.h"
#include "core/file.h"
#include "core/linear.h"
#include "run/record.h"
#include "studies/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct request {
    psb_run_job job;
    const char *descriptors, *test;
} request;

/* Before hours of work: the two lists have nothing in common. */
static psb_status check_lists(const char *training, const char *test, psb_error *error) {
    psb_classification one = {0}, other = {0};
    psb_status status = psb_results_read_cla(training, &one, error);
    PSB_THEN(status, psb_results_read_cla(test, &other, error));
    PSB_THEN(status, psb_check_apart(&other, test, &one, error));
    psb_cla_free(&one);
    psb_cla_free(&other);
    return status;
}

/* The chosen variant on the test list, in a run of its own below the sweep's. */
static psb_status score(psb_run_job job, const char *test, const psb_spec *chosen,
                        psb_average *average, psb_error *error) {
    char *folder = NULL;
    psb_plan plan = {.nspecs = 0};
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
    psb_plan_free(&plan);
    free(folder);
    return status;
}

static void add_now(psb_text *out) {
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    psb_text_add(out, text);
}

/* When an earlier sweep in the folder chose this variant; stays empty where none did. */
static void recall(const char *run, psb_text *chosen, psb_text *when) {
    psb_results results;
    psb_run_facts facts = {0};
    psb_text_add(chosen, "");
    if (psb_results_open(run, false, &results, NULL) == PSB_OK &&
        psb_run_read_facts(&results, &facts, NULL) == PSB_OK && facts.chosen != NULL &&
        facts.chosen_at != NULL) {
        psb_text_add_plain(chosen, facts.chosen);
        psb_text_add_plain(when, facts.chosen_at);
    }
    psb_run_facts_free(&facts);
    psb_results_free(&results);
}

static psb_status sweep(const char *test, const psb_run_job *job, psb_text *shown,
                        psb_error *error) {
    psb_text chosen = {0}, when = {0};
    psb_average average;
    psb_run_outcome outcome = {0};
    psb_status status = test != NULL ? check_lists(job->options.data.cla, test, error) : PSB_OK;
    recall(job->options.folder, &chosen, &when);
    PSB_THEN(status, psb_text_status(&chosen, error));
    PSB_THEN(status, psb_run_stages(job, &outcome, error));
    if (status != PSB_OK) {
        cli_job_hints(job, &outcome);
    }
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
        /* Noted before the test list is looked at. */
        status = psb_sweep_note(&s, error);
        if (status == PSB_OK && test != NULL) {
            status = score(*job, test, job->plan->specs[best], &average, error);
            s.test = &average;
        }
        PSB_THEN(status, psb_sweep_write(&s, shown, error));
    }
    psb_run_outcome_free(&outcome);
    psb_text_free(&chosen);
    psb_text_free(&when);
    return status;
}

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_run_job *job = &r->job;
    cli_stages stages = {0};
    psb_text shown = {0};
    psb_plan plan = {.nspecs = 0};
    psb_error error;
    cli_job(values, &stages, job);
    job->options.title = job->options.data.cla;
    psb_status status = psb_plan_make(NULL, r->descriptors, &plan, &error);
    job->plan = &plan;
    if (status == PSB_OK && plan.nspecs < plan.nmethods) {
        status = psb_fail(&error, PSB_ERROR_USAGE, "%s is no variant of a descriptor",
                          plan.methods[plan.nspecs]->label.text);
    }
    PSB_THEN(status, psb_linear_enter(&error));
    if (status == PSB_OK) {
        status = sweep(r->test, job, &shown, &error);
        psb_linear_leave();
    }
    int code = cli_print(status, &shown, &error);
    psb_plan_free(&plan);
    return code;
}

static const cli_option options[] = {
    CLI_METHODS("descriptors", descriptors, NULL, "LIST",
                "variants: GEDT:width={1,2,4},form={full,magnitude}"),
    CLI_PATH(0, "cla", job.options.data.cla, NULL, "FILE",
             "the training list, by which one variant is chosen"),
    CLI_PATH(0, "test", test, NULL, "FILE", "the test list, scored for the chosen variant only"),
    CLI_PATH(0, "models", job.options.data.models, NULL, "DIR",
             "folder of the models of both, as of 'psbench run'"),
    CLI_PATH('o', "output", job.options.folder, "sweep", "RUN", "folder for the results"),
    CLI_JOB_OPTIONS,
    CLI_END,
};

const cli_command cmd_sweep = {
    .name = "sweep",
    .summary = "Compare variants of descriptors on a training list, score the best on a test list.",
    .usage = "-d LIST --cla TRAIN --models DIR [--test TEST] [-o RUN]",
    .details =
        "Braces stand for each of their values in turn. All variants are one run: each model is "
        "read and normalised once, fields are shared, and the same command goes on where it was "
        "interrupted. Leaves what 'psbench run' does, RUN/sweep.* with the variants sorted by "
        "their mean DCG, with standard errors that take classes for units, and a plot for each "
        "parameter that has several values, RUN/sweep-NAME-PARAMETER.svg.\n\n"
        "The variant with the best DCG is chosen; run.json says so, and when. With --test it, and "
        "no other, is scored on that list, in RUN/test. The two lists may have no model in "
        "common, and RUN/test never scores a second variant.\n\n"
        "Examples:\n"
        "  psbench sweep -d 'GEDT:width={1,2,4,8}' --cla train.cla \\\n"
        "      --models psb_v1/db -o widths\n"
        "  psbench sweep -d 'SHD:scale={mean,rms},EGI:smooth={0,0.01,0.1}' \\\n"
        "      --cla train.cla --test test.cla --models psb_v1/db",
    .options = options,
    .size = sizeof(struct request),
    .needs = "descriptors cla models",
    .run = run,
};
