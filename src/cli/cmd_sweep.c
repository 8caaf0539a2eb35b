/* psbench sweep chooses a variant of descriptors on one list and scores it on another. */
#include "cli/commands.h"
#include "cli/run_command.h"

typedef struct request {
    cli_run_request job;
    const char *test;
} request;

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_run_options *o = &r->job.options;
    psb_run_result result;
    psb_table *table;
    psb_error error;
    o->command_line = cli_command_line(values);
    psb_status status = psb_make_sweep(cli_psb(values), o, r->test, &result, &table, &error);
    return cli_runs_end(values, status, o, &result, table, &error);
}

static const cli_option options[] = {
    CLI_METHODS(
        "descriptors", job.options.descriptors, NULL, "LIST",
        "descriptors with the values to try in braces: GEDT:width={1,2,4},form={full,magnitude}"),
    CLI_PATH(0, "cla", job.options.data.cla, NULL, "FILE", "training list, for choosing a variant"),
    CLI_PATH(0, "test", test, NULL, "FILE", "test list, for scoring the chosen variant only"),
    CLI_PATH(0, "models", job.options.data.models, NULL, "DIR",
             "folder of the models of both lists"),
    CLI_PATH('o', "output", job.options.folder, "sweep", "RUN", "folder for the results"),
    CLI_RUNS_OPTIONS,
    CLI_END,
};

const cli_command cmd_sweep = {
    .name = "sweep",
    .summary = "Choose parameters on a training list, score on a test list.",
    .usage = "-d LIST --cla TRAIN --models DIR [--test TEST] [-o RUN]",
    .details = "All combinations of values are one run: each model is read once, and an "
               "interrupted command continues when repeated. Writes the table RUN/sweep.*, sorted "
               "by mean DCG, with standard errors clustered by class, and a plot for each "
               "parameter, RUN/sweep-NAME-PARAMETER.svg.\n\nThe variant with the best DCG is "
               "chosen and recorded in run.json. With --test only this variant is scored on the "
               "test list, in RUN/test. The two lists must be disjoint.\n\n"
               "Examples:\n"
               "  psbench sweep -d 'GEDT:width={1,2,4,8}' --cla train.cla \\\n"
               "      --models psb_v1/db -o widths\n"
               "  psbench sweep -d 'SHD:scale={mean,rms},EGI:smooth={0,0.01,0.1}' \\\n"
               "      --cla train.cla --test test.cla --models psb_v1/db",
    .needs = "descriptors cla models",
    CLI_REQUEST,
};
