/* psbench distance: the matrix of all pairs of rows of a feature file, or of two. */
#include "cli/commands.h"
#include "cli/context.h"

/* Of one file, or of two. */
static psb_status compare(psb_context *psb, const cli_values *values, psb_matrix **matrix,
                          psb_error *error) {
    const char *metric = cli_value(values, "metric");
    psb_rows *rows = NULL, *others = NULL;
    psb_status status = psb_rows_read(psb, cli_argument(values, 0), NULL, &rows, error);
    if (status == PSB_OK && cli_argument_count(values) == 1) {
        status = psb_distances(psb, rows, metric, matrix, error);
    } else if (status == PSB_OK) {
        status = psb_rows_read(psb, cli_argument(values, 1), NULL, &others, error);
        status = status == PSB_OK ? psb_distances_between(psb, rows, others, metric, matrix, error)
                                  : status;
    }
    psb_rows_free(rows);
    psb_rows_free(others);
    return status;
}

static int run(const cli_values *values) {
    const char *output = cli_value(values, "output");
    int threads;
    int count = cli_argument_count(values);
    if (count < 1 || count > 2 || output == NULL) {
        return cli_usage("distance", "needs one FEATURES.npy, or two, and -o FILE");
    }
    psb_error error;
    psb_context *psb;
    psb_matrix *matrix = NULL;
    cli_stages stages = {0};
    int code = cli_threads(values, &threads) ? cli_context(threads, &stages, &psb) : CLI_USAGE;
    if (code != CLI_DONE) {
        return code;
    }
    if (psb_check_metric(psb, cli_value(values, "metric"), &error) != PSB_OK) {
        code = cli_fail(values, &error);
    } else if (compare(psb, values, &matrix, &error) != PSB_OK ||
               psb_matrix_write(matrix, output, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    psb_matrix_free(matrix);
    psb_context_free(psb);
    return code;
}

static const cli_option options_table[] = {
    {'m', "metric", "NAME", "distance between two rows", "l2"},
    {'o', "output", "FILE.matrix",
     "where the matrix goes: N x N float32, row after row; of two files an .npy", NULL},
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_distance = {
    .name = "distance",
    .summary = "Compare all pairs of rows of a feature file, or the rows of two.",
    .usage = "[-m NAME] -o FILE.matrix FEATURES.npy | -o FILE.npy A.npy B.npy",
    .details =
        "FEATURES.npy may be RUN/NAME: the rows of a run's method. Where names stand beside the "
        "features, in FEATURES.npy.ids, the matrix gets them, "
        "too, in FILE.matrix.ids: 'psbench eval' and its like go by them. "
        "Of two files the distances of all rows of the first to all of the second are written "
        "as .npy, a row for each of the first; the names of the second then stand in "
        "FILE.columns.ids. 'psbench eval --queries A.cla --targets B.cla FILE.npy' judges "
        "them. "
        "-o - is standard output.\n\n"
        "Examples:\n"
        "  psbench distance -m l1 -o shd.matrix features.npy\n"
        "  psbench distance -o between.npy queries.npy targets.npy",
    .options = options_table,
    .run = run,
};
