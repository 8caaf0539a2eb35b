/*
 * Retrieval statistics of a distance matrix under a classification (paper, section 7; psbTable).
 *
 * Row i of the matrix is query i; the query itself is never in its list; of equal distances the
 * model with the lower index comes first. See eval/measure.h for the figures' definitions.
 */
#ifndef PSB_EVAL_SCORES_H
#define PSB_EVAL_SCORES_H

#include "io/cla.h"
#include "io/matrix.h"

/* The five figures of the paper's Table 4, as fractions. */
typedef enum psb_figure {
    PSB_NEAREST_NEIGHBOR,
    PSB_FIRST_TIER,
    PSB_SECOND_TIER,
    PSB_E_MEASURE,
    PSB_DCG,
    PSB_FIGURES,
} psb_figure;

/* One query's statistics. Queries of the miscellaneous class are not scored (scored = false). */
typedef struct psb_query_scores {
    double figure[PSB_FIGURES];
    bool scored;
} psb_query_scores;

/*
 * Scores every query into scores[n]; the bytes do not depend on `threads`. PSB_ERROR_INPUT where
 * sizes differ or a distance is NaN, infinite or negative.
 */
psb_status psb_score_queries(const psb_classification *cla, const psb_matrix *matrix, int threads,
                             psb_query_scores *scores, psb_error *error);

typedef struct psb_average {
    double figure[PSB_FIGURES];
    /*
     * Standard error of the nearest-neighbor rate: the standard deviation of what was averaged
     * (queries; in the macro average, classes) over the root of their number.
     */
    double nearest_neighbor_error;
    size_t queries; /* that took part */
    size_t classes;
} psb_average;

/* Classes of 2 or fewer models and the miscellaneous class are left out of both. */
psb_average psb_average_micro(const psb_classification *cla, const psb_query_scores *scores);
psb_average psb_average_macro(const psb_classification *cla, const psb_query_scores *scores);
/* Average of one class; queries = 0 where the class takes no part. */
psb_average psb_average_class(const psb_classification *cla, const psb_query_scores *scores,
                              size_t which);

/*
 * DCG / mean DCG of a set of methods - 1 (paper, section 7): says little unless the set is named.
 * 0 where the mean is 0.
 */
double psb_normalized_dcg(double dcg, double mean_dcg);

#endif
