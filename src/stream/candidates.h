/* Rows that something cheap found for each query, put in order by a metric's own distances. */
#pragma once

#include "stream/passes.h"

typedef struct psb_candidates {
    const psb_metric *metric;
    psb_row_view queries, rows;
    const char *path;        /* of the queries, for messages */
    psb_nearest *nearest;    /* the candidates of each query; then in the metric's order */
    size_t most;             /* so many of a query, its first */
    const double *levels[2]; /* of a cohort (eval/cohort.h), of queries and rows; or both NULL */
    int threads;
    const psb_observer *observer;
} psb_candidates;

/* Bytes for each thread. */
size_t psb_candidates_bytes(const psb_metric *metric, size_t length, size_t most);

/* For the queries first ... end - 1. PSB_ERROR_INPUT where a distance is not finite. */
psb_status psb_candidates_order(const psb_candidates *candidates, size_t first, size_t end,
                                psb_error *error);

/*
 * Seeds: a slow metric with outlines is first asked for the rows whose outlines are nearest. The
 * k-th of their distances limits the query from its first tile on. Metrics without outlines, and
 * sets that are small for k, have none.
 */
typedef struct psb_seeds {
    const psb_metric *metric; /* not its limited form: seeds have no limits */
    size_t count;             /* of a query; 0: none */
    psb_npy outlines[2];      /* of queries and rows */
} psb_seeds;

/* For the k nearest of so many rows; no outlines yet. */
psb_seeds psb_seeds_plan(const psb_metric *metric, size_t k, size_t rows);

/* Bytes of the outlines of so many rows and of the threads' work, and of one query of a pass. */
size_t psb_seeds_bytes(const psb_seeds *seeds, const psb_metric *metric, size_t length, size_t rows,
                       int threads);
size_t psb_seeds_query_bytes(const psb_seeds *seeds, size_t k);

/* Makes the outlines of the rows of these passes. */
psb_status psb_seeds_make(psb_seeds *seeds, const psb_passes *passes, psb_error *error);
void psb_seeds_free(psb_seeds *seeds);

/*
 * Begins the lists of a pass, of the k nearest, at what its seeds permit. A query leaves out row
 * skip[query]; NULL: itself where the rows are the queries.
 */
psb_status psb_seeds_begin(const psb_seeds *seeds, const psb_passes *passes, const size_t *skip,
                           size_t k, size_t first, size_t end, psb_nearest **out, psb_error *error);
