/*
 * Who looks at the distances of every query while they come by, from a matrix or in strips that are
 * not kept, and then at its ranks. Queries come in passes, of as many as there is memory for.
 */
#ifndef PSB_EVAL_WATCHER_H
#define PSB_EVAL_WATCHER_H

#include "eval/ranks.h"

typedef struct psb_watcher {
    /* What it takes for a query of a pass. */
    size_t (*bytes)(const void *context, size_t query);
    /* A pass begins, of the queries first ... end - 1; where it succeeded, `end` is called too. */
    psb_status (*begin)(void *context, size_t first, size_t end, psb_error *error);
    /*
     * Distances of a query to the models first ... first + n - 1. Several threads call, but for one
     * query one at a time; a query meets each model once, itself included, in no order.
     */
    void (*distances)(void *context, size_t query, size_t first, size_t n, const float *distances);
    /* Behind all distances, query by query in their order. */
    psb_status (*query)(void *context, size_t query, const psb_ranks *ranks, psb_error *error);
    void (*end)(void *context);
    void *context;
} psb_watcher;

#endif
