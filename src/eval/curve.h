/*
 * Curves: precision over recall, and gain over the length of the list.
 *
 * Precision and recall follow psbPlot: the k-th of a query's n relevant models, at rank r, is the
 * point (k/n, k/r). Averages are taken at recall j/20; see docs/evaluation.md.
 */
#pragma once

#include "eval/evaluation.h"

enum { PSB_RECALL_LEVELS = 20 };

/* Which models count as relevant in a precision-recall curve. */
typedef enum psb_pr_counting {
    PSB_PR_OTHERS,     /* the other models of the class, n = C - 1: psbPlot's README */
    PSB_PR_WITH_QUERY, /* the query too, at rank 1, n = C: surviving copies of psbPlot */
} psb_pr_counting;

/* Sets precision[k - 1] to the precision at recall k / n. */
void psb_pr_query(const psb_ranks *ranks, psb_pr_counting counting, double *precision);

/*
 * Writes the average precision at recall j/20 to curve[j - 1]; NaN at levels that no query reaches.
 * A query takes part in a level if n >= 2 and n >= 20/j; its precision is interpolated linearly.
 * The evaluation must have kept its ranks. Micro: over queries, including classes of 2. Macro: over
 * classes of more than 2 models.
 */
psb_status psb_pr_average(const psb_evaluation *e, size_t method, psb_grouping grouping,
                          psb_pr_counting counting, double curve[PSB_RECALL_LEVELS],
                          psb_error *error);

/* The same micro average without kept ranks: the caller adds all queries one after the other. */
typedef struct psb_pr_running psb_pr_running;
psb_status psb_pr_running_new(const psb_evaluation *e, psb_pr_counting counting,
                              psb_pr_running **out, psb_error *error);
void psb_pr_running_add(psb_pr_running *running, size_t query, const psb_ranks *ranks);
void psb_pr_running_curve(const psb_pr_running *running, double curve[PSB_RECALL_LEVELS]);
/* Forgets the queries so far. */
void psb_pr_running_restart(psb_pr_running *running);
void psb_pr_running_free(psb_pr_running *running);

/* The four kinds of cumulated gain: the measures cg, ncg, dcg_sum and psb_ndcg at every length. */
typedef enum psb_gain { PSB_CG, PSB_NCG, PSB_DCG_SUM, PSB_NDCG, PSB_GAINS } psb_gain;

/* Sets out[k - 1] to the gain of the first k models, k = 1 ... length. */
void psb_gain_query(const psb_ranks *ranks, psb_gain gain, size_t length, double *out);

/* Averages a method's gains over the evaluation's selected queries, or over their classes. */
psb_status psb_gain_average(const psb_evaluation *e, size_t method, psb_grouping grouping,
                            psb_gain gain, size_t length, double *curve, psb_error *error);
/* Averages the gains of ideal lists, with all relevant models in front: no method has more. */
psb_status psb_gain_ideal(const psb_evaluation *e, psb_grouping grouping, psb_gain gain,
                          size_t length, double *curve, psb_error *error);
