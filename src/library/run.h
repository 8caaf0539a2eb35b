/* What a run's result points to, kept until the result is freed. */
#pragma once

#include "run/run.h"

typedef struct psb_run_kept {
    psb_plan plan;
    psb_run_job job; /* the outcome's report points into it */
    psb_run_outcome outcome;
} psb_run_kept;

/* Converts a client's options to a job in this context. */
psb_run_job psb_run_job_of(const psb_context *psb, const psb_run_options *options,
                           const psb_plan *plan);
/* Converts an outcome to a client's result. */
psb_run_result psb_run_result_of(const psb_run_outcome *outcome, psb_run_kept *kept);
