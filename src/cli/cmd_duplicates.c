/* psbench duplicates finds models of a set that are the same, or nearly. */
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/matrices.h"

typedef struct request {
    psb_duplicates_options o;
    const char *format;
    int threads;
} request;

static int run(const cli_values *values, void *given) {
    request *r = given;
    cli_stages stages = {0};
    psb_context *psb;
    psb_table *table;
    psb_error error;
    r->o.of = cli_argument(values, 0);
    int code = cli_context(r->threads, &stages, &psb);
    if (code == CLI_DONE) {
        psb_status status = psb_duplicates(psb, &r->o, &table, &error);
        code = cli_print_table(values, status, table, r->format, &error);
        psb_context_free(psb);
    }
    return code;
}

static const cli_option options[] = {
    CLI_METHODS("descriptor", o.descriptor, NULL, "SPEC",
                "whose rows are compared (else: LFD, or what RUN has)"),
    CLI_METRIC_OPTION(o.metric, NULL, "distance between two rows (else: the descriptor's own)"),
    CLI_REAL(0, "quantile", o.quantile, 0, 1, "0.03", "N",
             "rows are near up to the distance that this share of the models have to their "
             "nearest; 0: rows are not compared"),
    CLI_PATH(0, "models", o.models, NULL, "DIR",
             "folder of the models (else: the one that the run used)"),
    CLI_PATH(0, "add", o.add, NULL, "MORE",
             "folder of models to compare with those of RUN, whose rows are kept"),
    CLI_FLAG(0, "rows-only", o.rows_only, "compare rows, and not the models' files"),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_WHOLE(0, "max-faces", o.max_faces, 1, 1000000000, "10000000", "N",
              "largest model in faces; larger ones are passed over"),
    CLI_WHOLE_OPTION(o.verify),
    CLI_MEMORY_OPTION(o.memory),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_duplicates = {
    .name = "duplicates",
    .summary = "Find models of a set that are the same, or nearly, with the evidence.",
    .usage = "RUN | FEATURES.npy [--models DIR]",
    .details =
        "Prints groups, a line for each model: what it is like, by which evidence, and how far "
        "their rows are apart. Four kinds of evidence, the strongest first, join models to "
        "groups:\n"
        "\n"
        "same bytes: their files have the same.\n"
        "same triangles: all but a ten-thousandth of the area of each has its like in the other, "
        "once one of them is moved, turned and scaled; in whatever order, however often the same "
        "triangle occurs, and whichever side of it is the front. Deviation is how far two like "
        "triangles lie apart at most, relative to the model's size, of which a thousandth is "
        "allowed; scale is the size of the model over that of what it is like. 'mirrored' and "
        "'scaled' say so of the copy.\n"
        "remeshed: the surface is the same, its triangles are others: of a model and one of the "
        "four nearest to it by their rows, one of which was laid on the other, points of each lie "
        "within a hundredth of the diagonal of the other's surface. Not without near rows.\n"
        "near rows: the distance of two rows is at most the quantile, over all models, of a "
        "model's distance to its nearest. Such pairs are always found: look at them.\n"
        "\n"
        "With --add nobody asks what the models of RUN are like: those below MORE whose names RUN "
        "does not have are described, and compared with all; what they are like is listed. "
        "Files of RUN are only read where rows are near.\n"
        "\n"
        "Rows are named by the ids beside them (FEATURES.npy.ids), else by the run's models or by "
        "their numbers, from 0. A model whose file is missing or cannot be read is named (of many "
        "without a file the first), and the exit code is 1.\n"
        "\n"
        "Examples:\n"
        "  psbench duplicates run-psb\n"
        "  psbench duplicates run-psb -d SHD --quantile 0.05 -f tsv\n"
        "  psbench duplicates run-psb --add my_models\n"
        "  psbench duplicates features.npy --metric l2 --models psb_v1/db",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = 1,
    .arguments = "the folder of a run, or a file of features",
    .run = run,
};
