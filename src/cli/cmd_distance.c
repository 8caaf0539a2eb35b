/* psbench distance: the matrix of all pairs of rows of a feature file. */
#include "cli/commands.h"
#include "cli/context.h"

static int run(const cli_values *values) {
    const char *output = cli_value(values, "output");
    int threads;
    if (cli_argument_count(values) != 1 || output == NULL) {
        return cli_usage("distance", "needs one FEATURES.npy and -o FILE.matrix");
    }
    psb_error error;
    psb_context *psb;
    psb_rows *rows = NULL;
    psb_matrix *matrix = NULL;
    cli_stages stages = {0};
    int code = cli_threads(values, &threads) ? cli_context(threads, &stages, &psb) : CLI_USAGE;
    if (code != CLI_DONE) {
        return code;
    }
    if (psb_check_metric(psb, cli_value(values, "metric"), &error) != PSB_OK) {
        code = cli_fail(values, &error);
    } else if (psb_rows_read(psb, cli_argument(values, 0), NULL, &rows, &error) != PSB_OK ||
               psb_distances(psb, rows, cli_value(values, "metric"), &matrix, &error) != PSB_OK ||
               psb_matrix_write(matrix, output, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    psb_matrix_free(matrix);
    psb_rows_free(rows);
    psb_context_free(psb);
    return code;
}

static const cli_option options_table[] = {
    {'m', "metric", "NAME", "distance between two rows", "l2"},
    {'o', "output", "FILE.matrix", "where the matrix goes: N x N float32, row after row", NULL},
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_distance = {
    .name = "distance",
    .summary = "Compare all pairs of rows of a feature file.",
    .usage = "[-m NAME] -o FILE.matrix FEATURES.npy",
    .details = "Where names stand beside the features, in FEATURES.npy.ids, the matrix gets them, "
               "too, in FILE.matrix.ids: 'psbench eval' and its like go by them. "
               "-o - is standard output.",
    .options = options_table,
    .run = run,
};
