/* psbench run: any descriptors over any classification. */
#include "cli/commands.h"
#include "cli/run_command.h"
#include "core/text.h"

#include <string.h>

/* "run-NAME" for FOLDER/NAME.cla: lists do not meet in one folder by accident. */
static void preset_folder(const char *classification, bool turned, psb_text *folder) {
    const char *slash = strrchr(classification, '/');
    const char *name = slash != NULL ? slash + 1 : classification;
    const char *dot = strrchr(name, '.');
    psb_text_printf(folder, "run-%.*s%s",
                    (int)(dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name)), name,
                    turned ? "-turned" : "");
}

/* --turn, and what the table then is headed by. False after the error was printed. */
static bool read_turn(const cli_values *values, uint64_t *seed, psb_run_job *options,
                      psb_text *title) {
    long number;
    psb_text_add(title, options->classification);
    if (cli_value(values, "turn") == NULL) {
        return true;
    }
    if (!cli_integer(values, "turn", 0, 1000000000, &number)) {
        return false;
    }
    *seed = (uint64_t)number;
    options->turn = seed;
    psb_text_printf(title, ", each model turned at random (seed %ld)", number);
    return true;
}

static int run(const cli_values *values) {
    psb_run_job options;
    psb_run_outcome result = {0};
    int code = cli_run_options(values, "run", &options);
    if (code != CLI_DONE) {
        return code;
    }
    options.classification = cli_value(values, "cla");
    options.models = cli_value(values, "models");
    psb_text folder = {0}, title = {0};
    uint64_t seed;
    psb_error error;
    if (options.classification == NULL || options.models == NULL) {
        code = cli_usage("run", "needs --cla FILE and --models DIR");
    } else if (!read_turn(values, &seed, &options, &title)) {
        code = CLI_USAGE;
    } else {
        preset_folder(options.classification, options.turn != NULL, &folder);
        options.title = title.data;
        options.folder = options.folder != NULL ? options.folder : folder.data;
        psb_status status = psb_text_status(&folder, &error);
        PSB_THEN(status, psb_text_status(&title, &error));
        code = status == PSB_OK ? cli_run(&options, &result) : cli_report(&error);
    }
    psb_text_free(&folder);
    psb_text_free(&title);
    psb_run_result_free(&result);
    cli_run_options_free(&options);
    return code;
}

static const cli_option options_table[] = {
    {0, "cla", "FILE", "classification: which models, in which classes", NULL},
    {0, "models", "DIR",
     "folder of models: DIR/<id div 100>/m<id>/m<id>.off, DIR/m<id>.off or DIR/<id>.off; else "
     "with another ending of meshes",
     NULL},
    {'o', "output", "RUN", "folder for the results (else: run-NAME for NAME.cla)", NULL},
    {0, "turn", "SEED", "turn each model at random, by a rotation that SEED and its name decide",
     NULL},
    CLI_RUN_OPTIONS("all"),
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_run = {
    .name = "run",
    .summary = "Run descriptors over a classification: features, distances, scores, a table.",
    .usage = "-d LIST --cla FILE --models DIR [-o RUN]",
    .details = "Leaves RUN/models.cla, features/*.npy, matrices/*.matrix, scores/*, table.*, "
               "failures.tsv, times.tsv and run.json, in RUN/provenance.tsv what proves them (see "
               "'psbench help verify'), and in RUN/work what the same command goes on from when it "
               "was interrupted. A folder is for one list of models: another one is refused "
               "without --replace, and a folder of other things in any case. SIGUSR1 prints how "
               "far it is.\n\n"
               "--turn makes another set of the same names: what a descriptor owes to files that "
               "have their models upright shows beside the run without it.",
    .options = options_table,
    .run = run,
};
