/* run.json: what a run was made of and what it cost, so that its figures can be traced. */
#ifndef PSB_PIPELINE_MANIFEST_H
#define PSB_PIPELINE_MANIFEST_H

#include "pipeline/dataset.h"
#include "pipeline/features.h"
#include "pipeline/run.h"

typedef struct psb_run_costs {
    double wall_seconds, cpu_seconds;
    double features_wall_seconds;      /* of the whole stage, over all threads */
    const double *matrix_wall_seconds; /* per spec */
} psb_run_costs;

psb_status psb_manifest_write(const char *path, const psb_run_options *options,
                              const psb_dataset *dataset, const psb_features *features,
                              const psb_run_costs *costs, psb_error *error);

#endif
