/* The nearest rows of a database for each query, from features that are streamed. */
#ifndef PSB_PIPELINE_SEARCH_H
#define PSB_PIPELINE_SEARCH_H

#include "io/cla.h"
#include "pipeline/memory_plan.h"
#include "pipeline/observer.h"

typedef struct psb_search_job {
    const char *queries, *database; /* .npy; the same file: rows leave themselves out */
    /* Ids of their rows; NULL: lists have row numbers. Both or none. */
    const char *query_classification, *database_classification;
    bool self; /* row i of the queries is row i of the database and is left out */
    const psb_metric *metric;
    size_t k;
    size_t memory;
    int threads;
    psb_observer observer; /* only .progress */
} psb_search_job;

/*
 * Writes lists (io/neighbors.h) of the k nearest, or of all where there are fewer. Where ids are
 * known, a row of the query's id is left out too. The bytes do not depend on `threads` and
 * `memory`. Errors as of psb_npy_read, psb_cla_read, psb_stream_run, psb_memory_plan_make;
 * PSB_ERROR_INPUT where rows and ids differ in number.
 */
psb_status psb_search_lists(const psb_search_job *options, const char *output,
                            psb_memory_plan *plan, psb_error *error);

#endif
