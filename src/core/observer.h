/* Lets long work report its progress to the caller, and ask whether to go on. */
#pragma once

#include "core/error.h"
#include "core/parallel.h"

/* One stage of a run; pass it as the context of a loop with psb_stage_progress. */
typedef struct psb_stage {
    const psb_observer *observer; /* may be NULL */
    const char *name;
    size_t before, failures; /* steps done by an earlier run; steps without a result */
    size_t done;             /* steps done, including `before`, at the last call */
} psb_stage;

psb_progress psb_stage_progress;

void psb_observer_say(const psb_observer *observer, psb_level level, const char *format, ...)
    PSB_PRINTF(3, 4);

/* Items of a loop that fail, mostly for one reason: the first, by its number, stands for all. */
typedef struct psb_alike {
    size_t count, first;
    psb_error error; /* of the first */
} psb_alike;

void psb_alike_add(psb_alike *alike, size_t item, const psb_error *error);
/* After the loop: says why the first failed, and how many more of `what` did. */
void psb_alike_say(const psb_alike *alike, const psb_observer *observer, const char *what);

/* Says why a result is incomplete, also to observers that want errors only. */
void psb_observer_fail(const psb_observer *observer, const char *format, ...) PSB_PRINTF(2, 3);

/* Says that FOLDER/NAME cannot be used, and why. */
void psb_observer_left_out(const psb_observer *observer, const char *folder, const char *name,
                           const char *why);
