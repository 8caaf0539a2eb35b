/* The one loop over items that threads share: first error, stop, progress. */
#ifndef PSB_CORE_PARALLEL_H
#define PSB_CORE_PARALLEL_H

#include "psbench.h"

/* How far a loop is; nonzero asks it to stop. Called by one thread at a time. */
typedef int psb_progress(size_t done, size_t total, void *context);

typedef struct psb_loop {
    size_t count;
    int threads;
    size_t chunk; /* neighbouring items that a thread takes at a time; 0: one */

    /*
     * What each thread needs for itself, made before its first item: so many bytes of memory, whose
     * `name` errors give, and what `begin` and `end` (either may be NULL) do with it, or without
     * it.
     */
    size_t bytes;
    const char *name;
    psb_status (*begin)(void *job, void **own, psb_error *error);
    void (*end)(void *job, void *own);

    psb_status (*item)(void *job, void *own, size_t i, psb_error *error);
    void *job;

    /* Asked of an item that failed, by one thread at a time: PSB_OK to go on all the same. */
    psb_status (*failed)(void *job, void *own, size_t i, psb_error *error);

    psb_progress *progress; /* after each item; may be NULL */
    void *context;
} psb_loop;

/*
 * Runs the items 0 ... count - 1, begun in this order. After an error no later item is begun, and
 * of several errors that of the lowest item is returned: the same for any number of threads.
 * PSB_ERROR_INTERRUPTED where `progress` asked to stop.
 */
psb_status psb_parallel(const psb_loop *loop, psb_error *error);

#endif
