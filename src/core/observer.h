/* How a long run tells its caller where it is, and asks whether to go on. */
#ifndef PSB_CORE_OBSERVER_H
#define PSB_CORE_OBSERVER_H

#include "core/error.h"
#include "core/parallel.h"

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

/* Tells why a result is not whole, also to those who only want to hear of errors. */
void psb_observer_fail(const psb_observer *observer, const char *format, ...) PSB_PRINTF(2, 3);

/* Tells that FOLDER/NAME cannot be used, and why. */
void psb_observer_left_out(const psb_observer *observer, const char *folder, const char *name,
                           const char *why);

#endif
