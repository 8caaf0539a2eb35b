/* What follows the features, for one descriptor after the other: .npy, distances, scores. */
#ifndef PSB_PIPELINE_SPEC_STAGES_H
#define PSB_PIPELINE_SPEC_STAGES_H

#include "eval/evaluation.h"
#include "pipeline/features.h"
#include "pipeline/ledger.h"

typedef struct psb_spec_stages {
    const psb_features *features;
    const psb_classification *cla; /* the models in use */
    const psb_side *sides;         /* queries and targets, where these are two sets; else NULL */
    uint64_t cla_hash;             /* of RUN/models.cla, and of those of the sides */
    psb_evaluation *evaluation;    /* of the five figures; the specs are its methods; NULL: none is
                                      made, nor distances */
    psb_ledger *ledger;            /* of the run's folder */
    bool matrices; /* else figures are counted while distances stream by; nothing N x N exists */
    size_t memory; /* bytes for that, see psb_measure_features */
    int threads;
    const psb_observer *observer;
} psb_spec_stages;

typedef struct psb_spec_result {
    /* Of the distances when they were computed; without a matrix, of the ranks as well. */
    double matrix_wall_seconds;
    double matrix_cpu_seconds;
} psb_spec_result;

/*
 * Leaves features/SPEC.npy, scores/SPEC.tsv and .json of spec `spec` and, where they are wanted,
 * matrices/SPEC.matrix, of two sets SPEC.npy; the scores have the same bytes without it. Files
 * that the ledger knows to be there for the same inputs stay as they are. The evaluation is filled
 * in for this spec.
 */
psb_status psb_spec_stages_run(const psb_spec_stages *stages, size_t spec, psb_spec_result *result,
                               psb_error *error);

#endif
