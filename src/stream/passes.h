/*
 * Passes over features: the one place where rows stream by in tiles, within a bound of memory.
 * Search, ranks, duplicates and generated sets say what they keep of a query and what they do with
 * a strip of distances; how many queries take part in a pass, how large tiles are, and whether
 * mapped rows are let go is decided here.
 */
#pragma once

#include "eval/nearest.h"
#include "stream/memory_plan.h"

typedef struct psb_passes {
    const psb_metric *metric;
    const psb_npy *queries, *rows; /* rows NULL: the queries, each pair of them computed once */
    const char *path;              /* of the queries, for messages */
    size_t first, end;    /* the queries asked for; all, where each pair is computed once */
    psb_memory_need need; /* beside tiles and features */
    int threads;
    size_t memory; /* bytes that the process may take */
    const psb_observer *observer;
    psb_memory_plan *plan; /* becomes what the bound came to */
    /* One pass: takes what it needs for these queries, lets rows stream by, gives it back. */
    psb_status (*pass)(void *context, size_t first, size_t end, psb_error *error);
    void *context;
} psb_passes;

/* Distances of the queries of a pass, by the callbacks of psb_stream with `context`. */
typedef struct psb_streaming {
    const char *name; /* of the stage, for progress */
    bool (*wanted)(const void *context, size_t first_query, size_t nqueries, size_t first_row,
                   size_t nrows); /* NULL: all; else tiles are small and rows not kept ready */
    void (*visit)(void *context, const psb_strip *strip);
    float (*limit)(const void *context, size_t query); /* or NULL */
} psb_streaming;

/* Plans, and makes the passes. Errors as of psb_memory_plan_make and of a pass. */
psb_status psb_passes_run(const psb_passes *passes, psb_error *error);

/* Within a pass: errors as of psb_stream_run. */
psb_status psb_passes_stream(const psb_passes *passes, const psb_streaming *streaming, size_t first,
                             size_t end, psb_error *error);

/*
 * Calls `take` with the distances of each query of a strip to `n` rows from `row` on. Where
 * `queries` and `rows` have the levels of a cohort, by query and by row, `take` gets
 * psb_cohort_divide's distances, a few rows at a time; both are NULL where there is no cohort.
 */
void psb_passes_take(const psb_strip *strip, const double *queries, const double *rows,
                     void (*take)(void *visitor, size_t query, size_t row, size_t n,
                                  const float *distances),
                     void *visitor);

/* Adds a strip to lists of the nearest, which leave a query itself out where the rows are the
   queries. */
void psb_passes_keep_nearest(const psb_passes *passes, const psb_strip *strip,
                             psb_nearest *nearest);
