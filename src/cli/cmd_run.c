/* psbench run takes any descriptors over any classification, from meshes to a table. */
#include "cli/commands.h"
#include "cli/scale.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
    cli_run_request job;
    const char *queries;
    uint64_t turn;
} request;

/* What names the classes: --cla, --labels, or the folder of models. */
static const char *source_of(const psb_collection_options *data) {
    return data->cla != NULL ? data->cla : data->labels != NULL ? data->labels : data->models;
}

/* Appends "-NAME" of FOLDER/NAME.cla. */
static void add_stem(const char *source, char folder[PATH_MAX]) {
    size_t end = strlen(source), length = strlen(folder);
    while (end > 1 && source[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && source[begin - 1] != '/') {
        begin--;
    }
    const char *dot = memrchr(source + begin, '.', end - begin);
    end = dot > source + begin ? (size_t)(dot - source) : end;
    snprintf(folder + length, PATH_MAX - length, "-%.*s", (int)(end - begin), source + begin);
}

/* Sets "run-NAME", of two sets "run-NAME-NAME": lists do not meet in one folder by accident. */
static void default_folder(const psb_collection_options *data, bool turned, char folder[PATH_MAX]) {
    snprintf(folder, PATH_MAX, "run");
    add_stem(source_of(data), folder);
    if (data->targets != NULL) {
        add_stem(data->targets, folder);
    }
    size_t length = strlen(folder);
    snprintf(folder + length, PATH_MAX - length, "%s", turned ? "-turned" : "");
}

enum { TITLE = 2 * PATH_MAX + 80 };

/* Makes the table's title, and takes --turn. */
static void make_title(const cli_values *values, request *r, char title[TITLE]) {
    psb_run_options *options = &r->job.options;
    const psb_collection_options *data = &options->data;
    int length =
        snprintf(title, TITLE, "%s%s%s", source_of(data), data->targets != NULL ? " against " : "",
                 data->targets != NULL ? data->targets : "");
    options->title = title;
    if (cli_given(values, "turn")) {
        options->turn = &r->turn;
        snprintf(title + length, TITLE - (size_t)length,
                 ", each model turned at random (seed %" PRIu64 ")", r->turn);
    }
}

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_run_options *options = &r->job.options;
    psb_collection_options *data = &options->data;
    char folder[PATH_MAX], title[TITLE];
    if (data->models == NULL) {
        return cli_usage("run",
                         "needs --models DIR, and --cla FILE where its folders are no classes");
    }
    if ((r->queries != NULL) + (data->cla != NULL) + (data->labels != NULL) > 1) {
        return cli_usage(
            "run",
            "--cla, --labels and --queries with --targets all say the classes: give one of them");
    }
    data->cla = r->queries != NULL ? r->queries : data->cla;
    make_title(values, r, title);
    default_folder(data, options->turn != NULL, folder);
    options->folder = options->folder != NULL ? options->folder : folder;
    int code = cli_run_open(values, &r->job);
    return code == CLI_DONE ? cli_run(&r->job) : code;
}

static const cli_option options[] = {
    CLI_PATH(0, "models", job.options.data.models, NULL, "DIR",
             "folder of models, also inside an archive"),
    CLI_PATH(0, "cla", job.options.data.cla, NULL, "FILE",
             "classification (else: folders are classes)"),
    CLI_PATH(0, "labels", job.options.data.labels, NULL, "FILE",
             "table of models and classes, instead of --cla"),
    CLI_SPLIT_OPTION(job.options.data),
    CLI_COLUMNS_OPTIONS(job.options.data),
    CLI_LEVEL_OPTION(job.options.data),
    CLI_PATH(0, "queries", queries, NULL, "A.cla", "two classifications, instead of --cla"),
    CLI_PATH(0, "targets", job.options.data.targets, NULL, "B.cla",
             "two classifications, instead of --cla"),
    CLI_PATH('o', "output", job.options.folder, NULL, "RUN",
             "folder for the results (else: run-NAME for NAME.cla)"),
    CLI_WHOLE(0, "turn", turn, 0, 1000000000, NULL, "N", "rotate each model randomly, with seed N"),
    CLI_TEXT(0, "reference", job.options.reference, NULL, "RUN2",
             "run whose models are the cohort of NAME+co"),
    CLI_RUN_OPTIONS("all"),
    CLI_MATRICES_OPTION,
    CLI_PART_OPTIONS,
    CLI_END,
};

const cli_command cmd_run = {
    .name = "run",
    .summary = "Compute descriptors, distances and scores for a set of models.",
    .usage = "-d LIST --models DIR [--cla FILE] [-o RUN]",
    .details =
        "With --cla, models are DIR/<id>.off, DIR/m<id>.off or DIR/<id div 100>/m<id>/m<id>.off, "
        "in any format; otherwise every mesh below DIR is a model, and its folders are its classes "
        "(--split: docs/sets.md). An interrupted command continues when repeated. --part and large "
        "sets: docs/cluster.md.\n\nMethods: descriptors ('all': the paper's twelve); sums such as "
        "T3 ('psbench help combine'); NAME+kr, NAME+mr, NAME+kr+mr ('psbench help rerank'); "
        "NAME+co: NAME, normalized by distances to the models of --reference (docs/beyond.md).\n\n"
        "Examples:\n"
        "  psbench run -d SHD --cla test.cla --models psb_v1/db\n"
        "  psbench run -d P2 --cla train.cla --models psb_v1/db -o reference\n"
        "  psbench run -d P2+co --cla test.cla --models psb_v1/db --reference reference\n"
        "  psbench run -d SHD,GEDT --models ModelNet10 --split test -o modelnet10\n"
        "  psbench run -d SHD --queries train.cla --targets test.cla --models psb_v1/db",
    .together = "queries targets",
    .apart = CLI_PART_APART,
    CLI_REQUEST,
};
