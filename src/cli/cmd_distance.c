/* psbench distance: the matrix of all pairs of rows of a feature file. */
#include "cli/commands.h"
#include "cli/run_command.h"
#include "core/memory.h"
#include "distance/metric.h"
#include "io/matrix.h"
#include "io/npy.h"

#include <stdlib.h>

static int show_progress(size_t done, size_t total, void *context) {
    cli_progress_update(context, done, total, 0);
    return cli_interrupted();
}

static psb_status compare(const char *path, const psb_metric *metric, int threads,
                          const char *output, psb_error *error) {
    psb_npy features;
    psb_status status = psb_npy_read(path, &features, error);
    if (status != PSB_OK) {
        return status;
    }
    void *matrix;
    status = psb_alloc(&matrix, features.rows * features.rows, sizeof(float), "a distance matrix",
                       error);
    if (status == PSB_OK) {
        cli_progress progress;
        cli_progress_start(&progress, "distances", 0);
        psb_rows rows = {features.data, features.rows, features.columns, features.element};
        status =
            psb_distance_matrix(metric, &rows, threads, matrix, show_progress, &progress, error);
    }
    if (status == PSB_OK) {
        status = psb_matrix_write(output, matrix, features.rows, error);
    }
    free(matrix);
    psb_npy_close(&features);
    return status;
}

static int run(const cli_values *values) {
    const char *output = cli_value(values, "output");
    const char *name = cli_value(values, "metric");
    const psb_metric *metric = psb_metric_find(name);
    int threads;
    if (cli_argument_count(values) != 1 || output == NULL) {
        return cli_usage("distance", "needs one FEATURES.npy and -o FILE.matrix");
    }
    if (metric == NULL) {
        return cli_usage("distance", "unknown metric '%s'; 'psbench list' names them", name);
    }
    if (!cli_threads(values, &threads)) {
        return CLI_USAGE;
    }
    psb_error error;
    psb_status status = compare(cli_argument(values, 0), metric, threads, output, &error);
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
    .options = options_table,
    .run = run,
};
