/* psbench table4 does the main job: it makes Table 4 of the paper from raw models. */
#include "cli/commands.h"
#include "cli/scale.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct request {
    cli_run_request job;
    const char *psb;
    bool no_report;
} request;

/* Runs on a folder that holds db/ and classification/, as the benchmark's archive has them. */
static int run_on(const char *root, cli_run_request *job) {
    char cla[PATH_MAX], models[PATH_MAX];
    snprintf(cla, sizeof cla, "%s/classification/v1/base/test.cla", root);
    snprintf(models, sizeof models, "%s/db", root);
    job->options.data.cla = cla;
    job->options.data.models = models;
    return cli_run(job);
}

static int run(const cli_values *values, void *given) {
    request *r = given;
    const char *psb = r->psb;
    char *root = NULL;
    psb_run_options *options = &r->job.options;
    if (options->folder == NULL) {
        options->folder = psb != NULL ? "run-psb" : "run-built-in";
    }
    options->published = psb != NULL;
    options->title = psb != NULL ? "Princeton Shape Benchmark, test set, base classification"
                                 : "Built-in benchmark: generated objects, NOT the Princeton Shape "
                                   "Benchmark (give --psb DIR for that)";
    if (psb == NULL && r->job.part != NULL) {
        return cli_usage("table4", "--part needs --psb DIR, models that all processes see");
    }
    int code = cli_run_open(values, &r->job);
    options->pages = !r->no_report && options->parts == 0;
    if (code == CLI_DONE && psb == NULL) {
        code = cli_built_in(options->folder, options->replace, &root);
    }
    if (code == CLI_DONE) {
        code = run_on(psb != NULL ? psb : root, &r->job);
    }
    free(root);
    return code;
}

static const cli_option options[] = {
    CLI_PATH(0, "psb", psb, NULL, "DIR",
             "the benchmark's folder, with db/ and classification/ (else: the built-in benchmark)"),
    CLI_PATH('o', "output", job.options.folder, NULL, "RUN",
             "folder for the results (else: run-psb, or run-built-in without --psb)"),
    CLI_RUN_OPTIONS("all"),
    CLI_PART_OPTIONS,
    CLI_FLAG(0, "no-report", no_report, "do not write pages to RUN/report"),
    CLI_END,
};

const cli_command cmd_table4 = {
    .name = "table4",
    .summary = "Regenerate Table 4 of the paper, measured and published.",
    .usage = "[--psb DIR] [-o RUN]",
    .details = "Without --psb, uses the small built-in benchmark ('psbench help synth'). Published "
               "figures are shown only for the paper's own list of models. 'all' is the paper's "
               "twelve descriptors.\n\nWrites models.cla, features/*.npy, matrices/*.matrix, "
               "scores/*, table4.*, run.json and the pages of report/ to RUN. RUN must be new, "
               "empty, or an earlier run.\n\nTo divide the models among N processes, give each "
               "--part I/N; then repeat the command without --part (docs/cluster.md).\n\n"
               "Examples:\n"
               "  psbench table4 -d SHD,GEDT -o quick          # of the built-in benchmark\n"
               "  psbench table4 --psb psb_v1 --skip-missing   # the paper's, into run-psb\n"
               "  psbench table4 --psb psb_v1 --skip-missing --part 0/2",
    .apart = CLI_PART_APART,
    .alone = true,
    CLI_REQUEST,
};
