/* psbench table4: the main job, Table 4 of the paper from raw models. */
#include "cli/commands.h"
#include "cli/report_command.h"
#include "cli/run_command.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "pipeline/ledger.h"
#include "pipeline/run_folder.h"
#include "synth/synth.h"

#include <stdlib.h>

static const char test_set[] = "classification/v1/base/test.cla";

/* Runs on a folder that holds db/ and classification/, as the benchmark's archive has them. */
static int run_on(const char *root, psb_run_job *options) {
    psb_error error;
    psb_run_outcome result = {0};
    char *cla = NULL, *models = NULL;
    psb_status status = psb_path_join(&cla, root, test_set, &error);
    PSB_THEN(status, psb_path_join(&models, root, "db", &error));
    int code;
    if (status != PSB_OK) {
        code = cli_report(&error);
    } else {
        options->data.cla = cla;
        options->data.models = models;
        code = cli_run(options, &result);
    }
    if (result.report != NULL) {
        int pages = cli_write_report(&(cli_report_request){.run = options->folder,
                                                           .thumbnails = PSB_THUMBNAILS_RENDERED,
                                                           .threads = options->threads,
                                                           .command_line = options->command_line,
                                                           .report = result.report});
        code = pages != CLI_DONE ? pages : code;
    }
    psb_run_result_free(&result);
    free(cla);
    free(models);
    return code;
}

/* Of a run over files that are not the folder's own: asked before those are written. */
static bool holds_other_results(const char *folder) {
    psb_ledger ledger;
    char *models = NULL;
    bool holds = psb_ledger_open(folder, false, &ledger, NULL) == PSB_OK && ledger.list.count > 0;
    if (!holds && psb_path_join(&models, folder, "models.cla", NULL) == PSB_OK) {
        holds = psb_is_file(models);
    }
    free(models);
    psb_ledger_free(&ledger);
    return holds;
}

/* Writes the built-in benchmark below the run's folder, once that is known to be a run's. */
static psb_status write_built_in(const char *run, const char *root, psb_error *error) {
    psb_lock lock;
    psb_status status = psb_run_folder_open(run, NULL, &lock, error);
    PSB_THEN(status, psb_synth_write(root, PSB_SYNTH_SEED, error));
    psb_lock_release(&lock);
    return status;
}

static int run_built_in(psb_run_job *options) {
    psb_error error;
    char *root;
    if (psb_path_join(&root, options->folder, "benchmark", &error) != PSB_OK) {
        return cli_report(&error);
    }
    int code;
    if (!options->replace && !psb_is_folder(root) && holds_other_results(options->folder)) {
        cli_error("%s: holds results of other models than the built-in benchmark's; give another "
                  "folder with -o, or --replace to remove those results",
                  options->folder);
        code = CLI_IO;
    } else if (write_built_in(options->folder, root, &error) != PSB_OK) {
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
    psb_run_job options;
    int code = cli_run_options(values, "table4", &options);
    if (code != CLI_DONE) {
        return code;
    }
    options.pages = !cli_flag(values, "no-report");
    const char *psb = cli_value(values, "psb");
    if (psb != NULL) {
        options.published = true;
        options.title = "Princeton Shape Benchmark, test set, base classification";
        code = run_on(psb, &options);
    } else {
        code = run_built_in(&options);
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
        "(built-in: table.*), run.json, and the pages of RUN/report. A folder of other things is "
        "refused.",
    .options = options_table,
    .run = run,
};
