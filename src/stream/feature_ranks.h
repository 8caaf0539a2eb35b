/*
 * Retrieval measures straight from features: no matrix, in memory or on disk. Distances are
 * computed twice for pairs of one class and once for all others, as tiles that are counted and
 * forgotten; the values are those that the matrix would give, bit for bit.
 */
#pragma once

#include "distance/metric.h"
#include "eval/evaluation.h"
#include "eval/watcher.h"
#include "stream/memory_plan.h"

typedef struct psb_feature_set {
    const char *path; /* for messages */
    psb_npy npy;      /* a row for each model */
    const psb_metric *metric;
    /* Levels of the rows by a cohort (eval/cohort.h), which divide their distances; NULL: none.
       Freed with the set. */
    double *level;
} psb_feature_set;

/*
 * Opens features of `n` models. PSB_ERROR_INPUT where there are more or fewer rows,
 * PSB_ERROR_USAGE where the metric does not take them.
 */
psb_status psb_feature_set_open(const char *path, size_t n, const psb_metric *metric,
                                psb_feature_set *set, psb_error *error);
void psb_feature_set_close(psb_feature_set *set);

/* What is measured, and within which limits. */
typedef struct psb_measuring {
    const psb_classification *cla;
    const psb_feature_set *set;
    const psb_chosen_measure *measures;
    size_t count;
    int threads;
    size_t memory; /* bytes that the process may take */
    const psb_observer *observer;
    const psb_watcher *watcher; /* or NULL */
    size_t held;                /* bytes that the caller keeps meanwhile, for the sum of `memory` */
} psb_measuring;

/*
 * Measures the queries first ... end - 1: values[(q - first) * count + m] is what
 * psb_evaluation_rank makes of a matrix. The bytes depend neither on `threads` nor on `memory`: if
 * the ranks of all queries do not fit, the rows are passed over several times. PSB_ERROR_USAGE if
 * not even the ranks of one block of queries fit.
 */
psb_status psb_measure_range(const psb_measuring *measuring, size_t first, size_t end,
                             double *values, psb_memory_plan *plan, psb_error *error);
