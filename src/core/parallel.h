/* A loop over items that threads share, with errors, interruption and progress. */
#pragma once

#include "psbench.h"

/* Receives how many items are done; a nonzero result stops the loop. One thread at a time calls
 * it; while items take long (core/watch.h), it gets the same number again. */
typedef int psb_progress(size_t done, size_t total, void *context);

typedef struct psb_loop {
    size_t count;
    int threads;
    size_t chunk; /* consecutive items that a thread takes at a time; 0: one */

    /*
     * The state of each thread, made before its first item: `bytes` bytes of memory, called `name`
     * in errors. `begin` and `end` (either may be NULL) initialize and end it, or make and free it
     * if `bytes` is 0.
     */
    size_t bytes;
    const char *name;
    psb_status (*begin)(void *job, void **own, psb_error *error);
    void (*end)(void *job, void *own);

    psb_status (*item)(void *job, void *own, size_t i, psb_error *error);
    void *job;

    /* Called for a failed item, by one thread at a time; if it returns PSB_OK, the failure is
     * ignored. */
    psb_status (*failed)(void *job, void *own, size_t i, psb_error *error);

    psb_progress *progress; /* called after each item; may be NULL */
    void *context;
} psb_loop;

/*
 * Runs the items 0 ... count - 1, started in this order. After an error no later item is started;
 * the error of the lowest failed item is returned, whatever the number of threads.
 * PSB_ERROR_INTERRUPTED if `progress` asked to stop; PSB_ERROR_USAGE for several threads in a
 * process that was forked from one that had several.
 */
psb_status psb_parallel(const psb_loop *loop, psb_error *error);
