/* Distance matrices from others, in whichever of the known forms a file has them. */
#ifndef PSB_PROOF_MATRIX_INPUT_H
#define PSB_PROOF_MATRIX_INPUT_H

#include "distance/metric.h"
#include "io/ids.h"
#include "io/matrix.h"

/*
 * Opens the distances of `n` models to `columns`, which may be others. Which form it is, the
 * contents say: .npy (float32 or float64) begins with its magic word; a file of nothing but
 * printable characters that is not named .matrix is text; all else is the benchmark's .matrix,
 * which stays mapped. With a metric the file is an .npy of features, a row for each model, and the
 * distances are computed. A wrong size, NaN, infinite or negative distances are PSB_ERROR_INPUT
 * with row and column.
 */
psb_status psb_matrix_open(const char *path, size_t n, size_t columns, const psb_metric *metric,
                           int threads, psb_matrix *matrix, psb_error *error);

/* What distances between two sets are made from. */
typedef struct psb_matrix_sides {
    const psb_metric *metric;
    const psb_classification *queries, *targets;
    int threads;
    size_t memory; /* bytes that the distances may take */
    bool unnamed;  /* set where a file does not say which models its rows are */
} psb_matrix_sides;

/*
 * From "A.npy,B.npy", features of the queries and of the targets, in whatever order the names
 * beside them say. Errors as above; PSB_ERROR_USAGE where the distances do not fit.
 */
psb_status psb_matrix_between(const char *paths, psb_matrix_sides *sides, psb_matrix *matrix,
                              psb_error *error);

#endif
