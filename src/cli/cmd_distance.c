/* psbench distance computes the distances of all pairs of rows of one feature file, or two. */
#include "cli/commands.h"
#include "cli/context.h"

#include <string.h>

typedef struct request {
    const char *metric, *output;
    int threads;
} request;

/* Compares the rows of one file with each other, or those of two. */
static psb_status compare(const cli_values *values, const request *r, psb_error *error) {
    psb_context *psb = cli_psb(values);
    psb_rows *rows = NULL, *others = NULL;
    bool two = cli_argument_count(values) == 2;
    psb_status status = psb_rows_read(psb, cli_argument(values, 0), NULL, &rows, error);
    if (status == PSB_OK && two) {
        status = psb_rows_read(psb, cli_argument(values, 1), NULL, &others, error);
    }
    if (status == PSB_OK) {
        status = psb_distances_write(psb, rows, two ? others : rows, r->metric, r->output, error);
    }
    psb_rows_free(rows);
    psb_rows_free(others);
    return status;
}

static int run(const cli_values *values, void *options) {
    const request *r = options;
    psb_error error;
    size_t length = strlen(r->output);
    if (cli_argument_count(values) == 1 && length > 4 &&
        strcmp(r->output + length - 4, ".npy") == 0) {
        return cli_usage("distance",
                         "of one file a bare matrix is written, which is no .npy: -o FILE.matrix");
    }
    return compare(values, r, &error) == PSB_OK ? CLI_DONE : cli_report(&error);
}

static const cli_option options[] = {
    CLI_METRIC_OPTION(metric, NULL, "metric (else: that of RUN/NAME)"),
    CLI_PATH('o', "output", output, NULL, "FILE.matrix",
             "file for the matrix, N x N float32; of two files .npy; -: standard output"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_distance = {
    .name = "distance",
    .summary = "Compute distances between rows of features.",
    .usage = "[--metric NAME] -o FILE.matrix FEATURES.npy | -o FILE.npy A.npy B.npy",
    .details =
        "FEATURES.npy may be RUN/NAME, a method of a run. Ids of the features (FEATURES.npy.ids) "
        "are copied to FILE.matrix.ids. For two files, the result has a row for each row of A.npy "
        "and a column for each row of B.npy; ids of B.npy go to FILE.columns.ids. Evaluate it with "
        "'psbench eval --queries A.cla --targets B.cla FILE.npy'.\n\n"
        "Examples:\n"
        "  psbench distance --metric l1 -o shd.matrix features.npy\n"
        "  psbench distance -o between.npy queries.npy targets.npy",
    CLI_ARGUMENTS(1, 2, "one FEATURES.npy, or two"),
    .needs = "output",
    .next = "psbench eval CLASSES @",
    CLI_REQUEST,
};
