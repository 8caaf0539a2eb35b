/* Finds the nearest rows of a database for each query, from features that are streamed. */
#pragma once

#include "stream/query_parts.h"

typedef struct psb_search_side {
    const char *path; /* for messages */
    const psb_npy *npy;
    char *const *names; /* of its rows; NULL: lists have row numbers */
} psb_search_side;

/* Rows of the same models, which are compared first: only the nearest by them go on. */
typedef struct psb_search_step {
    psb_search_side queries, database; /* in the orders of the rows */
    const psb_metric *metric;
    size_t candidates; /* so many */
} psb_search_step;

enum { PSB_SEARCH_STEPS_MOST = 8 };

typedef struct psb_search_job {
    psb_search_side queries, database;
    bool same; /* the same rows, and in the steps before: each leaves itself out */
    bool self; /* row i of the queries is row i of the database and is left out */
    const psb_metric *metric;
    /* Before the metric, which is asked for the last one's candidates alone; none: for all rows. */
    psb_search_step before[PSB_SEARCH_STEPS_MOST];
    size_t nbefore;
    /* Rows of a cohort (eval/cohort.h), by which the metric's distances are normalized; or none. */
    psb_search_side reference;        /* npy NULL: none */
    bool same_queries, same_database; /* as the reference's */
    size_t k;
    psb_part part; /* lists of its queries only, behind the same head */
    size_t memory;
    int threads;
    psb_observer observer; /* only .progress */
} psb_search_job;

/*
 * Writes lists (io/neighbors.h) of the k nearest, or of all where there are fewer. Where names are
 * known, a row of the query's name is left out too. The bytes do not depend on `threads` and
 * `memory`. Errors as of psb_stream_run, psb_memory_plan_make; PSB_ERROR_INPUT where the rows of
 * both do not go together.
 */
psb_status psb_search_lists(const psb_search_job *options, const char *output,
                            psb_memory_plan *plan, psb_error *error);
