/* The one engine of methods. Makes the files of a method in a run's folder, in this order:
 * features, distances, scores. Skips files that the ledger already has for the same inputs. */
#pragma once

#include "proof/ledger.h"
#include "run/features.h"
#include "run/reference.h"
#include "stream/feature_ranks.h"

typedef struct psb_run_method_stages {
    const psb_features *features;   /* those of the described methods; or NULL */
    const psb_classification *cla;  /* the models in use */
    const psb_side *sides;          /* queries and targets if these are two sets, else NULL */
    uint64_t cla_hash;              /* hash of RUN/models.cla and of the sides' classifications */
    psb_evaluation *evaluation;     /* the five figures; NULL: no scores are made */
    psb_ledger *ledger;             /* ledger of the run's folder */
    const psb_reference *reference; /* for methods that need one; or NULL */
    bool matrices; /* else distances are streamed into the figures, and no N x N array exists */
    size_t memory; /* bytes for streaming, see psb_measure_range */
    int threads;
    const psb_observer *observer;
} psb_run_method_stages;

typedef struct psb_run_method_costs {
    /* Seconds for the distances, without those of the parts. If no matrix is made, they include the
     * ranking. */
    double matrix_wall_seconds;
    double matrix_cpu_seconds;
} psb_run_method_costs;

/* Opens a matrix of the run by its path: of all models, or of queries and targets. */
psb_status psb_run_method_stages_matrix(const psb_run_method_stages *stages, const char *path,
                                        psb_matrix *matrix, psb_error *error);

/*
 * Makes the files of a method. For a described method, number `which` of the features' specs:
 * features/STEM.npy and, if wanted, matrices/STEM.matrix (for two sets STEM.npy). For a method made
 * from parts: the matrix, from the parts' matrices in the folder. Then, if there is an evaluation,
 * psb_run_method_scores.
 */
psb_status psb_run_method_make(const psb_run_method_stages *stages, const psb_run_method *method,
                               size_t which, psb_run_method_costs *costs, psb_error *error);

/*
 * If no matrix is kept: computes the values of method `which` of the evaluation from
 * features/STEM.npy, which is in the ledger and is `set`. Writes them to scores/STEM.values:
 * doubles, little-endian, for each model a row of the evaluation's measures. Later runs read them
 * there as long as rows, classes, metric, and measures are the same.
 */
psb_status psb_run_method_values(const psb_run_method_stages *stages, const char *stem,
                                 const psb_feature_set *set, size_t which,
                                 psb_run_method_costs *costs, psb_error *error);

/* Writes scores/STEM.tsv and .json of method `which` of the evaluation, which has its figures. The
 * bytes are the same with and without a matrix. */
psb_status psb_run_method_scores(const psb_run_method_stages *stages, const psb_run_method *method,
                                 size_t which, psb_error *error);
