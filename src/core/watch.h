/* Lets long work ask now and then whether to go on, without knowing whom. */
#pragma once

#include "psbench.h"

#include <stdatomic.h>

/* A piece of work of a thread, inside of another one. psb_parallel has one for its items. */
typedef struct psb_watch {
    struct psb_watch *outer;              /* or NULL */
    void (*ask)(struct psb_watch *watch); /* sets `stopped` if somebody wants to stop; or NULL */
    atomic_bool stopped;
} psb_watch;

/* Makes a watch, or NULL, the current one of the thread; returns the one before. */
psb_watch *psb_watch_begin(psb_watch *watch);
psb_watch *psb_watch_current(void);

/*
 * For work that takes some tenths of a second or more: asks the nearest watch that can be asked,
 * at most every 0.1 s. Returns PSB_ERROR_INTERRUPTED if it, or one farther out, is stopped; PSB_OK
 * where nobody watches.
 */
psb_status psb_go_on(psb_error *error);

/* The condition of a loop over many small things, such as triangles, that it goes on with number
 * `i`. Who called such a loop asks psb_go_on whether it is complete. */
static inline bool psb_goes_on(size_t i) {
    return i % 64 != 0 || psb_go_on(NULL) == PSB_OK;
}
