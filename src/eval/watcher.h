/*
 * A watcher sees the distances of every query while they come by, from a matrix or in strips that
 * are not kept, and then its ranks. Queries come in passes, each of as many queries as memory
 * allows.
 */
#pragma once

#include "eval/ranks.h"

typedef struct psb_watcher {
    /* Bytes that the watcher needs for a query of a pass. */
    size_t (*bytes)(const void *context, size_t query);
    /* Begins a pass over the queries first ... end - 1; if it succeeds, `end` is called as well. */
    psb_status (*begin)(void *context, size_t first, size_t end, psb_error *error);
    /*
     * Receives distances of a query to the models first ... first + n - 1. Several threads call,
     * but only one at a time for one query. A query meets each model once, itself included, in any
     * order.
     */
    void (*distances)(void *context, size_t query, size_t first, size_t n, const float *distances);
    /* Called after all distances, query by query in their order. */
    psb_status (*query)(void *context, size_t query, const psb_ranks *ranks, psb_error *error);
    void (*end)(void *context);
    void *context;
} psb_watcher;
