/*
 * The one engine of methods: what a method leaves in a run's folder, made in this order as far as
 * the ledger does not have it for the same inputs: features, distances, scores.
 */
#ifndef PSB_RUN_STAGES_H
#define PSB_RUN_STAGES_H

#include "eval/evaluation.h"
#include "proof/ledger.h"
#include "run/features.h"
#include "run/plan.h"
#include "run/reference.h"
#include "stream/feature_ranks.h"

typedef struct psb_run_method_stages {
    const psb_features *features;   /* of the described methods; NULL where there are none */
    const psb_classification *cla;  /* the models in use */
    const psb_side *sides;          /* queries and targets, where these are two sets; else NULL */
    uint64_t cla_hash;              /* of RUN/models.cla, and of those of the sides */
    psb_evaluation *evaluation;     /* of the five figures; NULL: there are no scores */
    psb_ledger *ledger;             /* of the run's folder */
    const psb_reference *reference; /* for the methods that need one; NULL: there are none */
    bool matrices; /* else figures are counted while distances stream by; nothing N x N exists */
    size_t memory; /* bytes for that, see psb_measure_features */
    int threads;
    const psb_observer *observer;
} psb_run_method_stages;

typedef struct psb_run_method_costs {
    /* Seconds for the distances, without those for the parts. Where no matrix is made they include
       the ranks. */
    double matrix_wall_seconds;
    double matrix_cpu_seconds;
} psb_run_method_costs;

/* Opens a matrix of the run by its path: one of all models, or of queries and targets. */
psb_status psb_run_method_stages_matrix(const psb_run_method_stages *stages, const char *path,
                                        psb_matrix *matrix, psb_error *error);

/*
 * Makes what a method leaves. A described one, which is number `which` of the features' specs:
 * features/STEM.npy and, where they are wanted, matrices/STEM.matrix, of two sets STEM.npy. One
 * that is made of parts: the matrix, from those of the parts, which are in the folder. Then, unless
 * there is no evaluation, psb_run_method_scores.
 */
psb_status psb_run_method_make(const psb_run_method_stages *stages, const psb_run_method *method,
                               size_t which, psb_run_method_costs *costs, psb_error *error);

/*
 * Where no matrix is kept: the values of method `which` of the evaluation, from features/STEM.npy,
 * which is entered and is `set`. Counting leaves them in scores/STEM.values: doubles,
 * little-endian, a line of the evaluation's measures for each model. Later runs take them from
 * there as long as rows, classes, metric, and measures are the same.
 */
psb_status psb_run_method_values(const psb_run_method_stages *stages, const char *stem,
                                 const psb_feature_set *set, size_t which,
                                 psb_run_method_costs *costs, psb_error *error);

/*
 * Leaves scores/STEM.tsv and .json of method `which` of the evaluation, which has its figures. They
 * have the same bytes with and without a matrix.
 */
psb_status psb_run_method_scores(const psb_run_method_stages *stages, const psb_run_method *method,
                                 size_t which, psb_error *error);

#endif
