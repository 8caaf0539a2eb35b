/* How a long run tells its caller where it is, and asks whether to go on. */
#ifndef PSB_PIPELINE_OBSERVER_H
#define PSB_PIPELINE_OBSERVER_H

#include "core/error.h"
#include "core/parallel.h"

typedef enum psb_level {
    PSB_DETAIL,  /* for the log, and for who asks for more */
    PSB_NOTE,    /* worth a line: something is computed again, and why */
    PSB_WARNING, /* something is not as it should be */
} psb_level;

/* Every function may be NULL, and is called by one thread at a time. */
typedef struct psb_observer {
    /*
     * `done` of `total` steps of a stage ("features", "distances SHD"), `failures` of them without
     * result. Nonzero asks the run to stop.
     */
    int (*progress)(void *context, const char *stage, size_t done, size_t total, size_t failures);
    /* Once for each model that could not be used, as soon as that is known. */
    void (*failed)(void *context, const psb_error *error);
    /* A line of text. */
    void (*say)(void *context, psb_level level, const char *text);
    void *context;
} psb_observer;

/* One stage of a run, as the context of a loop whose progress is psb_stage_progress. */
typedef struct psb_stage {
    const psb_observer *observer; /* may be NULL */
    const char *name;
    size_t before, failures; /* steps that an earlier run did, steps without result */
    size_t done;             /* with those of before, as last seen */
} psb_stage;

psb_progress psb_stage_progress;

void psb_observer_say(const psb_observer *observer, psb_level level, const char *format, ...)
    PSB_PRINTF(3, 4);

#endif
