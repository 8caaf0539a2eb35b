/* psbench beyond makes the second table from raw models. */
#include "cli/commands.h"
#include "cli/run_command.h"

typedef struct request {
    cli_run_request job;
    const char *psb;
} request;

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_run_options *o = &r->job.options;
    psb_run_result result;
    psb_table *table;
    psb_error error;
    o->command_line = cli_command_line(values);
    psb_status status = psb_make_beyond(cli_psb(values), o, r->psb, &result, &table, &error);
    int code = cli_runs_end(values, status, o, &result, table, &error);
    return code == CLI_DONE && result.models_failed > 0 ? CLI_PARTIAL : code;
}

static const cli_option options[] = {
    CLI_PATH(0, "psb", psb, NULL, "DIR", "the benchmark's folder, with db/ and classification/"),
    CLI_PATH('o', "output", job.options.folder, "beyond", "RUN", "folder for the results"),
    CLI_RUNS_OPTIONS,
    CLI_END,
};

const cli_command cmd_beyond = {
    .name = "beyond",
    .summary = "Make a table of better methods: poses, sums, re-ranking.",
    .usage = "--psb DIR [--skip-missing] [-o RUN]",
    .details =
        "Evaluates descriptors with distances minimized over poses, local features of views, "
        "weighted sums, cohort normalization and re-ranking: on the training set, the test set, "
        "and the test set with each model randomly rotated. docs/beyond.md describes the methods "
        "and how they were chosen.\n\nWrites beyond.txt .tsv .json .md .tex and the runs train, "
        "test and turned to RUN. An interrupted command continues when repeated. If RUN is the "
        "folder of a 'psbench table4', its report then shows this table, too.\n\n"
        "Examples:\n"
        "  psbench beyond --psb psb_v1 --skip-missing -o beyond\n"
        "  psbench compare beyond/test LFD T3 T4n T4n+kr",
    .needs = "psb",
    CLI_REQUEST,
};
