/* psbench distance: the matrix of all pairs of rows of a feature file, or of two. */
#include "cli/commands.h"
#include "cli/run_command.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
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

/* ---- two files -------------------------------------------------------------------------- */

typedef struct side {
    psb_npy npy;
    psb_ids ids;
    psb_row_view rows;
} side;

static psb_status open_side(const char *path, side *s, psb_error *error) {
    psb_status status = psb_results_check_file(path, false, error);
    PSB_THEN(status, psb_npy_read(path, &s->npy, error));
    PSB_THEN(status, psb_ids_read(path, &s->ids, error));
    s->rows = (psb_row_view){s->npy.data, s->npy.rows, s->npy.columns, s->npy.element};
    return PSB_THEN(status, psb_ids_check(path, &s->ids, s->npy.rows, error));
}

/* An .npy, and beside it the names of its rows and of its columns. */
static psb_status write_rectangle(const char *output, const float *distances, const side *a,
                                  const side *b, psb_error *error) {
    psb_text columns = {0};
    bool file = !psb_is_written_in_place(output);
    psb_text_printf(&columns, "%s.columns", output);
    psb_status status = psb_text_status(&columns, error);
    if (file) {
        PSB_THEN(status, psb_ids_write(output, NULL, 0, error));
        PSB_THEN(status, psb_ids_write(columns.data, NULL, 0, error));
    }
    PSB_THEN(status, psb_npy_write(output, distances, a->rows.n, b->rows.n, PSB_FLOAT32, error));
    if (file) {
        PSB_THEN(status, psb_ids_write(output, a->ids.names, a->ids.count, error));
        PSB_THEN(status, psb_ids_write(columns.data, b->ids.names, b->ids.count, error));
    }
    psb_text_free(&columns);
    return status;
}

static psb_status compare_two(const char *first, const char *second, const psb_metric *metric,
                              int threads, const char *output, psb_error *error) {
    side a = {0}, b = {0};
    psb_status status = open_side(first, &a, error);
    PSB_THEN(status, open_side(second, &b, error));
    if (status == PSB_OK && (a.rows.length != b.rows.length || a.rows.element != b.rows.element)) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, second, 0,
                             "rows of %zu numbers, but those of %.200s have %zu or another type",
                             b.rows.length, first, a.rows.length);
    }
    float *distances = psb_new(&status, b.rows.n > 0 ? a.rows.n : 0, b.rows.n * sizeof *distances,
                               "a distance matrix", error);
    if (status == PSB_OK) {
        cli_progress progress;
        cli_progress_start(&progress, "distances", 0);
        status = psb_distance_between(metric, &a.rows, &b.rows, threads, distances, show_progress,
                                      &progress, error);
    }
    PSB_THEN(status, write_rectangle(output, distances, &a, &b, error));
    free(distances);
    psb_ids_free(&a.ids);
    psb_ids_free(&b.ids);
    psb_npy_close(&a.npy);
    psb_npy_close(&b.npy);
    return status;
}

static int run(const cli_values *values) {
    const char *output = cli_value(values, "output");
    const psb_metric *metric;
    int threads;
    int count = cli_argument_count(values);
    if (count < 1 || count > 2 || output == NULL) {
        return cli_usage("distance", "needs one FEATURES.npy, or two, and -o FILE");
    }
    if (!cli_metric(values, "distance", &metric) || !cli_threads(values, &threads)) {
        return CLI_USAGE;
    }
    psb_error error;
    const char *first = cli_argument(values, 0);
    psb_status status = psb_results_check_file(first, false, &error);
    if (count == 2) {
        PSB_THEN(status,
                 compare_two(first, cli_argument(values, 1), metric, threads, output, &error));
    } else {
        PSB_THEN(status, compare(first, metric, threads, output, &error));
    }
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
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
        "Where names stand beside the features, in FEATURES.npy.ids, the matrix gets them, "
        "too, in FILE.matrix.ids: 'psbench eval' and its like go by them. "
        "Of two files the distances of all rows of the first to all of the second are written "
        "as .npy, a row for each of the first; the names of the second then stand in "
        "FILE.columns.ids. 'psbench eval --queries A.cla --targets B.cla FILE.npy' judges "
        "them. "
        "-o - is standard output.",
    .options = options_table,
    .run = run,
};
