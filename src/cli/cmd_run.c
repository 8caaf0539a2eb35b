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
static void preset_folder(const psb_collection_options *data, bool turned, char folder[PATH_MAX]) {
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
        return cli_usage("run", "needs --models DIR, and --cla FILE where its folders are no "
                                "classes");
    }
    if ((r->queries != NULL) + (data->cla != NULL) + (data->labels != NULL) > 1) {
        return cli_usage("run", "--cla, --labels and --queries with --targets all say the "
                                "classes: give one of them");
    }
    data->cla = r->queries != NULL ? r->queries : data->cla;
    make_title(values, r, title);
    preset_folder(data, options->turn != NULL, folder);
    options->folder = options->folder != NULL ? options->folder : folder;
    int code = cli_run_open(values, &r->job);
    code = code == CLI_DONE ? cli_run(&r->job) : code;
    cli_run_free(&r->job);
    return code;
}

static const cli_option options_table[] = {
    CLI_PATH(0, "models", job.options.data.models, NULL, "DIR",
             "folder or archive of models: DIR/<id div 100>/m<id>/m<id>.off, DIR/m<id>.off or "
             "DIR/<id>.off; else with another ending of meshes"),
    CLI_PATH(0, "cla", job.options.data.cla, NULL, "FILE",
             "classification: which models, in which classes; a table (.csv, .tsv) is one, too; "
             "without it, or --labels, DIR's folders are the classes"),
    CLI_PATH(0, "labels", job.options.data.labels, NULL, "FILE",
             "table of models and classes (.csv, .tsv), in the place of --cla"),
    CLI_SPLIT_OPTION(job.options.data),
    CLI_COLUMNS_OPTIONS(job.options.data),
    CLI_LEVEL_OPTION(job.options.data),
    CLI_PATH(0, "queries", queries, NULL, "A.cla",
             "the queries, where they are not the targets; no --cla then"),
    CLI_PATH(0, "targets", job.options.data.targets, NULL, "B.cla",
             "what is searched, of the same folder of models"),
    CLI_PATH('o', "output", job.options.folder, NULL, "RUN",
             "folder for the results (else: run-NAME for NAME.cla, run-A-B of two)"),
    CLI_WHOLE(0, "turn", turn, 0, 1000000000, NULL, "N",
              "turn each model at random, by a rotation that this seed and its name decide"),
    CLI_TEXT(0, "reference", job.options.reference, NULL, "RUN2",
             "a run over other models, for methods as T3+co, which has the features of T3's "
             "members"),
    CLI_RUN_OPTIONS("all"),
    CLI_MATRICES_OPTION,
    CLI_PART_OPTIONS,
    CLI_END,
};

const cli_command cmd_run = {
    .name = "run",
    .summary = "Run descriptors over a classification: features, distances, scores, a table.",
    .usage = "-d LIST --models DIR [--cla FILE | --labels FILE | --queries A.cla --targets B.cla] "
             "[-o RUN]",
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
        "DIR may be a tar (also packed with gzip, xz or zstd) or a zip, and a folder in it: "
        "models.tar/db. docs/cluster.md says what suits many models.\n\n"
        "With --queries and --targets every query of A.cla is searched among the models of "
        "B.cla: relevant are the targets of the class of the same full name, and a query that is "
        "a target is left out of its own list. A model of both is described once. "
        "RUN/queries.cla and RUN/targets.cla have the models in use, RUN/matrices/*.npy a row for "
        "each query and a column for each target; RUN/features has the models of both. There are "
        "no pages of such a run.\n\n"
        "Several processes, on any number of machines, share the models: each with --part "
        "I/N, then the same command without it finishes. docs/cluster.md has more.\n\n"
        "A sum, T3, T4 or T4n (see 'psbench help combine'), and a re-ranked method, NAME+kr, "
        "NAME+kr-K1-K2-LAMBDA, NAME+mr or NAME+kr+mr (see 'psbench help rerank'), are methods as "
        "descriptors are. What "
        "they are made of need not be named: it is made, too, and stays a method of the run, in "
        "the table before them. All files have the bytes that 'psbench combine' and 'rerank' "
        "leave. Such methods need matrices, of one set of models.\n\n"
        "NAME+co, of a descriptor or a sum, is normalised by a cohort: each distance is divided by "
        "how far its two models lie from the nearest of fixed other models, those of --reference, "
        "whose labels are not used. That is a finished run with the features that NAME is made of, "
        "of a training list say (2 MB of features for P2 and the benchmark's). Where it is RUN "
        "itself, a model's cohort is all others, and NAME+co says no more of a pair alone.\n\n"
        "--turn makes another set of the same names: what a descriptor owes to files that "
        "have their models upright shows beside the run without it.\n\n"
        "Examples:\n"
        "  psbench run -d SHD --cla test.cla --models psb_v1/db\n"
        "  psbench run -d LFD,T3,T3+kr --cla test.cla --models psb_v1/db -o sums\n"
        "  psbench run -d P2 --cla train.cla --models psb_v1/db -o reference\n"
        "  psbench run -d P2+co --cla test.cla --models psb_v1/db --reference reference\n"
        "  psbench run -d SHD,GEDT --models ModelNet10 --split test -o modelnet10\n"
        "  psbench run -d SHD --models ShapeNetCore.v2 --level 1 -o shapenet\n"
        "  psbench run -d SHD --models glbs --labels annotations.csv -o objaverse\n"
        "  psbench run -d SHD --queries train.cla --targets test.cla --models psb_v1/db\n"
        "  psbench run -d SHD --cla test.cla --models psb.tar/db -o run --part 0/2\n"
        "  psbench run -d SHD --cla test.cla --models psb.tar/db -o run",
    .options = options_table,
    .size = sizeof(struct request),
    .together = "queries targets",
    .apart = CLI_PART_APART,
    .run = run,
};
