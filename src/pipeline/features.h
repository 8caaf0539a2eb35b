/* The feature stage: every descriptor of every model, each model read and normalised once. */
#ifndef PSB_PIPELINE_FEATURES_H
#define PSB_PIPELINE_FEATURES_H

#include "descriptors/descriptor.h"
#include "distance/metric.h"
#include "pipeline/dataset.h"
#include "pipeline/observer.h"

typedef struct psb_failure {
    char *id;
    psb_error error;
} psb_failure;

typedef struct psb_features {
    size_t nspecs;
    psb_rows *rows;      /* one table per spec: a row for each model that could be used */
    double *seconds;     /* processor seconds per spec, summed over models */
    uint64_t checksum;   /* of the files of all models in use, in the data set's order (XXH64) */
    double read_seconds; /* reading, parsing and moments */
    size_t nfailures;
    psb_failure *failures; /* models that could not be used, in the data set's order */
} psb_features;

/*
 * Computes all specs for all models; models are shared among OpenMP threads one at a time, and the
 * rows do not depend on their number. Fields that descriptors share count towards the first that
 * asks. A model that cannot be used is reported, left out of every table and of the data set.
 */
psb_status psb_features_compute(psb_dataset *dataset, psb_spec *const *specs, size_t nspecs,
                                int threads, const psb_observer *observer, psb_features *features,
                                psb_error *error);

void psb_features_free(psb_features *features);

#endif
