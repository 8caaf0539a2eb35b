/* How a long run tells its caller where it is, and asks whether to go on. */
#ifndef PSB_PIPELINE_OBSERVER_H
#define PSB_PIPELINE_OBSERVER_H

#include "psbench.h"

typedef struct psb_observer {
    /*
     * `done` of `total` steps of a stage ("features", "SHD distances"), `failures` of them without
     * result. Called by one thread at a time; nonzero asks the run to stop.
     */
    int (*progress)(void *context, const char *stage, size_t done, size_t total, size_t failures);
    /* Once for each model that could not be used, in the order of the data set. */
    void (*failed)(void *context, const psb_error *error);
    void *context;
} psb_observer;

#endif
