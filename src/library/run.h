/* Keeps what a run's result refers to until the result is freed. */
#ifndef PSB_LIBRARY_RUN_H
#define PSB_LIBRARY_RUN_H

#include "run/run.h"

typedef struct psb_run_kept {
    psb_plan plan;
    psb_run_job job; /* which the outcome's report refers to */
    psb_run_outcome outcome;
} psb_run_kept;

/* What the options become in this context. */
psb_run_job psb_run_job_of(const psb_context *psb, const psb_run_options *options,
                           const psb_plan *plan);
/* What a result says of an outcome. */
psb_run_result psb_run_result_of(const psb_run_outcome *outcome, psb_run_kept *kept);

#endif
