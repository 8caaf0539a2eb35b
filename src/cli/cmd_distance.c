/* psbench distance: the matrix of all pairs of rows of a feature file. */
#include "cli/commands.h"
#include "cli/run_command.h"
#include "core/error.h"
#include "core/memory.h"
#include "distance/metric.h"
#include "io/ids.h"
#include "io/matrix.h"
#include "io/npy.h"
#include "pipeline/results.h"

#include <stdlib.h>

static int show_progress(size_t done, size_t total, void *context) {
    cli_progress_update(context, done, total, 0);
    return cli_interrupted();
}

/* The matrix, and beside it the names that stand beside the features. */
static psb_status write(const char *output, const float *matrix, const psb_ids *ids, size_t n,
                        psb_error *error) {
    bool file = !psb_is_written_in_place(output);
    psb_status status = file ? psb_ids_write(output, NULL, 0, error) : PSB_OK;
    PSB_THEN(status, psb_matrix_write(output, matrix, n, error));
    return status == PSB_OK && file ? psb_ids_write(output, ids->names, ids->count, error) : status;
}

static psb_status compare(const char *path, const psb_metric *metric, int threads,
                          const char *output, psb_error *error) {
    psb_npy features;
    psb_status status = psb_npy_read(path, &features, error);
    if (status != PSB_OK) {
        return status;
    }
    void *matrix = NULL;
    psb_ids ids;
    status = psb_ids_read(path, &ids, error);
    PSB_THEN(status, psb_ids_check(path, &ids, features.rows, error));
    PSB_THEN(status, psb_alloc(&matrix, features.rows * features.rows, sizeof(float),
                               "a distance matrix", error));
    if (status == PSB_OK) {
        cli_progress progress;
        cli_progress_start(&progress, "distances", 0);
        psb_row_view rows = {features.data, features.rows, features.columns, features.element};
        status =
            psb_distance_matrix(metric, &rows, threads, matrix, show_progress, &progress, error);
    }
    PSB_THEN(status, write(output, matrix, &ids, features.rows, error));
    free(matrix);
    psb_ids_free(&ids);
    psb_npy_close(&features);
    return status;
}

static int run(const cli_values *values) {
    const char *output = cli_value(values, "output");
    const psb_metric *metric;
    int threads;
    if (cli_argument_count(values) != 1 || output == NULL) {
        return cli_usage("distance", "needs one FEATURES.npy and -o FILE.matrix");
    }
    if (!cli_metric(values, "distance", &metric) || !cli_threads(values, &threads)) {
        return CLI_USAGE;
    }
    psb_error error;
    psb_status status = psb_results_check_file(cli_argument(values, 0), false, &error);
    PSB_THEN(status, compare(cli_argument(values, 0), metric, threads, output, &error));
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
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
