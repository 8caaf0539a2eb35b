/* psbench run: any descriptors over any classification. */
#include "cli/commands.h"
#include "cli/scale.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* "run-NAME" for FOLDER/NAME.cla: lists do not meet in one folder by accident. */
static void preset_folder(const char *cla, bool turned, char folder[PATH_MAX]) {
    const char *slash = strrchr(cla, '/');
    const char *name = slash != NULL ? slash + 1 : cla;
    const char *dot = strrchr(name, '.');
    snprintf(folder, PATH_MAX, "run-%.*s%s",
             (int)(dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name)), name,
             turned ? "-turned" : "");
}

enum { TITLE = PATH_MAX + 80 };

/* --turn, and what the table then is headed by. False after the error was printed. */
static bool read_turn(const cli_values *values, uint64_t *seed, psb_run_options *options,
                      char title[TITLE]) {
    long number;
    if (cli_value(values, "turn") == NULL) {
        return true;
    }
    if (!cli_integer(values, "turn", 0, 1000000000, &number)) {
        return false;
    }
    *seed = (uint64_t)number;
    options->turn = seed;
    snprintf(title, TITLE, "%s, each model turned at random (seed %ld)", options->data.cla, number);
    options->title = title;
    return true;
}

static int run(const cli_values *values) {
    cli_run_request request;
    char folder[PATH_MAX], title[TITLE];
    uint64_t seed;
    int code = cli_run_read(values, "run", &request);
    psb_run_options *options = &request.options;
    code = code == CLI_DONE ? cli_matrices_option(values, "run", options) : code;
    code = code == CLI_DONE ? cli_part_options(values, "run", options) : code;
    options->data.cla = cli_value(values, "cla");
    options->data.models = cli_value(values, "models");
    if (code == CLI_DONE && (options->data.cla == NULL || options->data.models == NULL)) {
        code = cli_usage("run", "needs --cla FILE and --models DIR");
    }
    if (code == CLI_DONE && !read_turn(values, &seed, options, title)) {
        code = CLI_USAGE;
    }
    if (code == CLI_DONE) {
        preset_folder(options->data.cla, options->turn != NULL, folder);
        options->folder = options->folder != NULL ? options->folder : folder;
        code = cli_run(&request);
    }
    cli_run_free(&request);
    return code;
}

static const cli_option options_table[] = {
    {0, "cla", "FILE", "classification: which models, in which classes", NULL},
    {0, "models", "DIR",
     "folder of models: DIR/<id div 100>/m<id>/m<id>.off, DIR/m<id>.off or DIR/<id>.off; else "
     "with another ending of meshes",
     NULL},
    {'o', "output", "RUN", "folder for the results (else: run-NAME for NAME.cla)", NULL},
    {0, "turn", "N", "turn each model at random, by a rotation that this seed and its name decide",
     NULL},
    CLI_RUN_OPTIONS("all"),
    CLI_MATRICES_OPTION,
    CLI_PART_OPTIONS,
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
               "Several processes, on any number of machines, share the models: each with --part "
               "I/N, then the same command without it finishes. docs/cluster.md has more.\n\n"
               "--turn makes another set of the same names: what a descriptor owes to files that "
               "have their models upright shows beside the run without it.\n\n"
               "  psbench run --cla test.cla --models db -o run --part 0/8\n"
               "  psbench run --cla test.cla --models db -o run --complete",
    .options = options_table,
    .run = run,
};
