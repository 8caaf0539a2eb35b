/* psbench run: any descriptors over any classification. */
#include "cli/commands.h"
#include "cli/run_command.h"

static int run(const cli_values *values) {
    psb_run_options options;
    int code = cli_run_options(values, "run", &options);
    if (code != CLI_DONE) {
        return code;
    }
    options.classification = cli_value(values, "cla");
    options.models = cli_value(values, "models");
    if (options.classification == NULL || options.models == NULL) {
        code = cli_usage("run", "needs --cla FILE and --models DIR");
    } else {
        options.title = options.classification;
        code = cli_run(&options);
    }
    cli_run_options_free(&options);
    return code;
}

static const cli_option options_table[] = {
    {0, "cla", "FILE", "classification: which models, in which classes", NULL},
    {0, "models", "DIR",
     "folder of models: DIR/<id div 100>/m<id>/m<id>.off, DIR/m<id>.off or DIR/<id>.off", NULL},
    {'o', "output", "RUN", "folder for the results", "psb-run"},
    CLI_RUN_OPTIONS("all"),
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_run = {
    .name = "run",
    .summary = "Run descriptors over a classification: features, distances, scores, a table.",
    .usage = "-d LIST --cla FILE --models DIR [-o RUN]",
    .details =
        "Leaves RUN/models.cla, features/*.npy, matrices/*.matrix, scores/*, table.*, "
        "failures.tsv, times.tsv and run.json, and in RUN/work what the same command goes on "
        "from when it was interrupted. SIGUSR1 prints how far it is.",
    .options = options_table,
    .run = run,
};
