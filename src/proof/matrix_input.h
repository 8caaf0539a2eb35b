/* Opens distance matrices of other programs, in any of the known forms. */
#pragma once

#include "distance/metric.h"
#include "io/matrix.h"

/*
 * Opens the distances of `n` models to `columns` models. The contents decide the form: .npy
 * (float32 or float64) begins with its magic word; a file of printable characters only, unless
 * named .matrix, is text; anything else is the benchmark's .matrix, which stays mapped. With a
 * metric the file is an .npy of features, a row for each model, and the distances are computed.
 * PSB_ERROR_INPUT, with row and column, for a wrong size and for NaN, infinite or negative
 * distances.
 */
psb_status psb_matrix_open(const char *path, size_t n, size_t columns, const psb_metric *metric,
                           int threads, psb_matrix *matrix, psb_error *error);

/* How psb_matrix_between computes distances between two sets from features. */
typedef struct psb_matrix_sides {
    const psb_metric *metric;
    const psb_classification *queries, *targets;
    int threads;
    size_t memory; /* the distances may take so many bytes */
    bool unnamed;  /* set to true if a file does not name its rows' models */
} psb_matrix_sides;

/*
 * Computes the distances from "A.npy,B.npy", features of queries and targets, whose rows are
 * ordered by the names beside them. Errors as above; PSB_ERROR_USAGE if the distances do not fit in
 * memory.
 */
psb_status psb_matrix_between(const char *paths, psb_matrix_sides *sides, psb_matrix *matrix,
                              psb_error *error);
