/* psbench duplicates finds models of a set that are the same, or nearly. */
#include "cli/commands.h"
#include "cli/matrices.h"

typedef struct request {
    psb_duplicates_options o;
    const char *format;
    int threads;
} request;

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_table *table;
    psb_error error;
    r->o.of = cli_argument(values, 0);
    psb_status status = psb_duplicates(cli_psb(values), &r->o, &table, &error);
    return cli_print_table(values, status, table, r->format, &error);
}

static const cli_option options[] = {
    CLI_METHODS("descriptor", o.descriptor, NULL, "SPEC",
                "descriptor to compare (else: LFD, or one of RUN)"),
    CLI_METRIC_OPTION(o.metric, NULL, "metric (else: its own)"),
    CLI_REAL(0, "quantile", o.quantile, 0, 1, "0.03", "N",
             "threshold of near rows, as a quantile of nearest-neighbor distances (0: do not "
             "compare rows)"),
    CLI_PATH(0, "models", o.models, NULL, "DIR", "folder of the models (else: that of the run)"),
    CLI_PATH(0, "add", o.add, NULL, "MORE", "folder of models to compare with those of RUN"),
    CLI_FLAG(0, "rows-only", o.rows_only, "compare rows only, not the model files"),
    CLI_FORMAT_OPTION("txt", "table format"),
    CLI_WHOLE(0, "max-faces", o.max_faces, 1, 1000000000, "10000000", "N",
              "face limit: larger models are skipped"),
    CLI_WHOLE_OPTION(o.verify),
    CLI_MEMORY_OPTION(o.memory),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_duplicates = {
    .name = "duplicates",
    .summary = "Find identical and nearly identical models of a set.",
    .usage = "RUN | FEATURES.npy [--models DIR]",
    .details =
        "Prints groups of models with their evidence, the strongest first:\n\nsame bytes: "
        "identical files.\nsame triangles: all but 0.01 % of the area coincides after translation, "
        "rotation and scaling, within 0.1 % of the model's size (the deviation); 'mirrored' and "
        "'scaled' describe the copy.\nremeshed: another triangulation of the same surface: points "
        "of each are at most 1 % of the diagonal away from the other. Checked for the four nearest "
        "models by rows.\nnear rows: the distance of the rows is within the --quantile. These are "
        "only candidates: inspect them.\n\nWith --add only models below MORE whose names are new "
        "are queried, against all models. Unusable models are named; the exit code is then 1.\n\n"
        "Examples:\n"
        "  psbench duplicates run-psb\n"
        "  psbench duplicates run-psb -d SHD --quantile 0.05 -f tsv\n"
        "  psbench duplicates run-psb --add my_models\n"
        "  psbench duplicates features.npy --metric l2 --models psb_v1/db",
    CLI_ARGUMENTS(1, 1, "the folder of a run, or a file of features"),
    CLI_REQUEST,
};
