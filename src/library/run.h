/* What a run's result keeps until it is freed. */
#ifndef PSB_LIBRARY_RUN_H
#define PSB_LIBRARY_RUN_H

#include "run/run.h"

typedef struct psb_run_kept {
    psb_plan plan;
    psb_run_job job; /* which the outcome's report refers to */
    psb_run_outcome outcome;
} psb_run_kept;

#endif
