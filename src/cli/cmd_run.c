/* psbench run: any descriptors over any classification. */
#include "cli/commands.h"
#include "cli/run_command.h"
#include "core/text.h"

#include <string.h>

/* "run-NAME" for FOLDER/NAME.cla: lists do not meet in one folder by accident. */
static void preset_folder(const char *source, psb_text *folder) {
    size_t end = strlen(source);
    while (end > 1 && source[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && source[begin - 1] != '/') {
        begin--;
    }
    const char *dot = memrchr(source + begin, '.', end - begin);
    psb_text_add(folder, "run-");
    psb_text_add_bytes(folder, source + begin,
                       (dot > source + begin ? (size_t)(dot - source) : end) - begin);
}

static int run(const cli_values *values) {
    psb_run_job options;
    psb_run_outcome result = {0};
    int code = cli_run_options(values, "run", &options);
    if (code != CLI_DONE) {
        return code;
    }
    psb_text folder = {0};
    psb_error error;
    if (!cli_dataset(values, "run", &options.data)) {
        code = CLI_USAGE;
    } else if (options.data.models == NULL) {
        code = cli_usage("run", "needs --models DIR, and --cla FILE where its folders are no "
                                "classes");
    } else {
        options.title = psb_dataset_source(&options.data);
        preset_folder(options.title, &folder);
        options.folder = options.folder != NULL ? options.folder : folder.data;
        code = psb_text_status(&folder, &error) == PSB_OK ? cli_run(&options, &result)
                                                          : cli_report(&error);
    }
    psb_text_free(&folder);
    psb_run_result_free(&result);
    cli_run_options_free(&options);
    return code;
}

static const cli_option options_table[] = {
    {0, "models", "DIR",
     "folder of models: DIR/<id div 100>/m<id>/m<id>.off, DIR/m<id>.off or DIR/<id>.off; else "
     "with another ending of meshes",
     NULL},
    {0, "cla", "FILE",
     "classification: which models, in which classes; without it, or --labels, DIR's folders are "
     "the classes",
     NULL},
    CLI_DATASET_OPTIONS,
    {'o', "output", "RUN", "folder for the results (else: run-NAME for NAME.cla)", NULL},
    CLI_RUN_OPTIONS("all"),
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_run = {
    .name = "run",
    .summary = "Run descriptors over a classification: features, distances, scores, a table.",
    .usage = "-d LIST --models DIR [--cla FILE | --labels FILE] [-o RUN]",
    .details =
        "Leaves RUN/models.cla, features/*.npy, matrices/*.matrix, scores/*, table.*, "
        "failures.tsv, times.tsv and run.json, in RUN/provenance.tsv what proves them (see "
        "'psbench help verify'), and in RUN/work what the same command goes on from when it "
        "was interrupted. A folder is for one list of models: another one is refused "
        "without --replace, and a folder of other things in any case. SIGUSR1 prints how "
        "far it is.\n\n"
        "Without --cla and --labels each file below DIR that a mesh is read from is a model, "
        "named by its path (chair/chair_0001), and its folders are its classes, the deeper "
        "within the upper ones. Where all folders in one are train, test, val, valid, "
        "validation or dev, they are parts instead, of which --split takes one: "
        "DIR/chair/test/chair_0890.off, DIR/test/chair/chair_0890.off. RUN/models.cla has "
        "the classes that were made.\n\n"
        "Examples:\n"
        "  psbench run -d SHD --cla test.cla --models psb_v1/db\n"
        "  psbench run -d SHD,GEDT --models ModelNet10 --split test -o modelnet10\n"
        "  psbench run -d SHD --models ShapeNetCore.v2 --level 1 -o shapenet\n"
        "  psbench run -d SHD --models glbs --labels annotations.csv -o objaverse",
    .options = options_table,
    .run = run,
};
