/* psbench beyond: the second table, from raw models. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/run_job.h"
#include "core/beneath.h"
#include "core/error.h"
#include "core/file.h"
#include "core/linear.h"
#include "proof/folder.h"
#include "proof/results.h"
#include "studies/beyond.h"

#include <stdio.h>

typedef struct request {
    psb_run_job job;
    const char *psb;
} request;

/* The table in all formats; where the folder is a run's own, its ledger knows them. */
static psb_status write_tables(const psb_run_job *job, psb_text *shown, psb_error *error) {
    psb_beyond beyond;
    psb_status status = psb_beyond_read(job->options.folder, 0, job->threads, &beyond, error);
    for (size_t f = 0; f < psb_table_format_count() && status == PSB_OK; f++) {
        const psb_table_format *format = psb_table_format_at(f);
        psb_text text = {0};
        char file[32];
        snprintf(file, sizeof file, "beyond.%s", format->name);
        status = psb_beyond_render(&beyond, format, &text, error);
        PSB_THEN(status, psb_results_save(job->options.folder, file, &text,
                                          job->options.command_line, error));
        if (status == PSB_OK && format == &psb_format_text) {
            psb_text_add_bytes(shown, text.data, text.length);
        }
        psb_text_free(&text);
    }
    return status;
}

/* A folder of other things is refused before anything is made in it. */
static psb_status claim(const char *run, psb_error *error) {
    psb_lock lock;
    psb_status status = psb_run_folder_open(run, NULL, &lock, error);
    psb_lock_release(&lock);
    return status;
}

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_run_job *job = &r->job;
    cli_stages stages = {0};
    psb_run_outcome outcome = {0};
    psb_text shown = {0};
    psb_error error;
    cli_job(values, &stages, job);
    job->options.pages = false;
    int held = 0;
    psb_status status = claim(job->options.folder, &error);
    PSB_THEN(status, psb_hold_folder(job->options.folder, &held, &error));
    PSB_THEN(status, psb_linear_enter(&error));
    if (status == PSB_OK) {
        status = psb_beyond_run(job, r->psb, &outcome, &error);
        psb_linear_leave();
    }
    if (status != PSB_OK) {
        cli_job_hints(job, &outcome);
    }
    PSB_THEN(status, write_tables(job, &shown, &error));
    int code = cli_print(status, &shown, &error);
    psb_run_outcome_free(&outcome);
    psb_let_go(held);
    return code == CLI_DONE && outcome.models_failed > 0 ? CLI_PARTIAL : code;
}

static const cli_option options[] = {
    CLI_PATH(0, "psb", psb, NULL, "DIR", "the benchmark's folder, with db/ and classification/"),
    CLI_PATH('o', "output", job.options.folder, "beyond", "RUN", "folder for the results"),
    CLI_JOB_OPTIONS,
    CLI_END,
};

const cli_command cmd_beyond = {
    .name = "beyond",
    .summary = "Make the second table: the same features compared fairly, summed, re-ranked.",
    .usage = "--psb DIR [--skip-missing] [-o RUN]",
    .details =
        "From raw models: single descriptors under a distance over poses, local features of views, "
        "their sums, the same normalised by a cohort, and re-ranked; on the training set, the test "
        "set, and the test set "
        "with "
        "each model turned at random. docs/beyond.md says what they are and how they were "
        "chosen.\n\n"
        "Leaves RUN/beyond.txt .tsv .json .md .tex and three runs, RUN/train, RUN/test and "
        "RUN/turned, which every command that takes a run's folder reads. The same command goes "
        "on where it was interrupted. Where RUN is a run of 'psbench table4', its report has the "
        "table below Table 4.\n\n"
        "Examples:\n"
        "  psbench beyond --psb psb_v1 --skip-missing -o beyond\n"
        "  psbench compare beyond/test LFD T3 T4n T4n+kr",
    .options = options,
    .size = sizeof(struct request),
    .needs = "psb",
    .run = run,
};
