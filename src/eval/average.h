/*
 * Any measures of every query of a matrix, and their averages over any list of queries.
 *
 * Who takes part in averages is psbTable's rule: models of the miscellaneous class are never
 * queries, and classes of 2 or fewer models are left out. A query list narrows this further; the
 * ranked lists always hold the whole set.
 */
#ifndef PSB_EVAL_AVERAGE_H
#define PSB_EVAL_AVERAGE_H

#include "eval/measure.h"

/*
 * values[i * count + m] is measure m of query i, 0 for what is no query; the bytes do not depend
 * on `threads`. The matrix has been checked when it was read. PSB_ERROR_INPUT where sizes differ.
 */
psb_status psb_measure_queries(const psb_classification *cla, const psb_matrix *matrix,
                               const psb_chosen_measure *measures, size_t count, int threads,
                               double *values, psb_error *error);

/* selected[i]: model i takes part in averages and, where `listed` is not NULL, listed[i]. */
size_t psb_select_queries(const psb_classification *cla, const bool *listed, bool *selected);

/* Which queries one average is taken over, and how. */
typedef enum psb_grouping {
    PSB_PER_MODEL, /* no average */
    PSB_PER_CLASS,
    PSB_MICRO, /* all queries alike */
    PSB_MACRO, /* all classes alike */
} psb_grouping;

/* Rows that psb_group_values fills: models, classes with selected models, or 1 (0 without any). */
size_t psb_group_count(const psb_classification *cla, const bool *selected, psb_grouping grouping);

/*
 * means[g * count + m] for each group; group_of[g], where not NULL, is the model or class it stands
 * for. errors, where not NULL, likewise: the standard error of the mean, i.e. the standard
 * deviation of what was averaged over the root of their number. Sums are taken in file order.
 */
void psb_group_values(const psb_classification *cla, const bool *selected, psb_grouping grouping,
                      const double *values, size_t count, double *means, double *errors,
                      size_t *group_of);

#endif
