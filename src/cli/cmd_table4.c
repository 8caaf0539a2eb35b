/* psbench table4: the main job, Table 4 of the paper from raw models. */
#include "cli/commands.h"
#include "cli/report_command.h"
#include "cli/run_command.h"
#include "core/file.h"
#include "core/text.h"
#include "synth/synth.h"

#include <stdlib.h>

static const char test_set[] = "classification/v1/base/test.cla";

/* Runs on a folder that holds db/ and classification/, as the benchmark's archive has them. */
static int run_on(const char *root, psb_run_options *options) {
    psb_error error;
    char *cla = NULL, *models = NULL;
    psb_status status = psb_path_join(&cla, root, test_set, &error);
    if (status == PSB_OK) {
        status = psb_path_join(&models, root, "db", &error);
    }
    int code;
    if (status != PSB_OK) {
        code = cli_report(&error);
    } else {
        options->classification = cla;
        options->models = models;
        code = cli_run(options);
    }
    free(cla);
    free(models);
    return code;
}

/* Writes the built-in benchmark below the run's folder and runs on it. */
static int run_built_in(psb_run_options *options) {
    psb_error error;
    char *root;
    if (psb_path_join(&root, options->folder, "benchmark", &error) != PSB_OK) {
        return cli_report(&error);
    }
    int code;
    if (psb_synth_write(root, PSB_SYNTH_SEED, &error) != PSB_OK) {
        code = cli_report(&error);
    } else {
        options->title = "Built-in benchmark: generated objects, NOT the models of the Princeton "
                         "Shape Benchmark (give --psb DIR for those)";
        code = run_on(root, options);
    }
    free(root);
    return code;
}

static int run(const cli_values *values) {
    psb_run_options options;
    int code = cli_run_options(values, "table4", &options);
    if (code != CLI_DONE) {
        return code;
    }
    const char *psb = cli_value(values, "psb");
    if (psb != NULL) {
        options.published = true;
        options.title = "Princeton Shape Benchmark, test set, base classification";
        code = run_on(psb, &options);
    } else {
        code = run_built_in(&options);
    }
    if ((code == CLI_DONE || code == CLI_PARTIAL) && !cli_flag(values, "no-report")) {
        int report =
            cli_write_report(options.folder, NULL, NULL, PSB_THUMBNAILS_RENDERED, options.threads);
        code = report != CLI_DONE ? report : code;
    }
    cli_run_options_free(&options);
    return code;
}

static const cli_option options_table[] = {
    {0, "psb", "DIR", "the benchmark's folder, with db/ and classification/ (else: built-in)",
     NULL},
    {'o', "output", "RUN", "folder for the results", "psb-run"},
    CLI_RUN_OPTIONS("all"),
    {0, "no-report", NULL, "no pages in RUN/report", NULL},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_table4 = {
    .name = "table4",
    .summary = "Regenerate Table 4 of the paper: every descriptor, measured beside published.",
    .usage = "[--psb DIR] [-o RUN]",
    .details =
        "Without --psb the program generates a small benchmark of its own (see 'psbench help "
        "synth'), whose figures have nothing published to stand beside.\n\n"
        "Leaves RUN/models.cla, features/*.npy, matrices/*.matrix, scores/*, table4.* "
        "(built-in: table.*), run.json, and the pages of RUN/report.",
    .options = options_table,
    .run = run,
};
