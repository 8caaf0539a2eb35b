/*
 * Measures of ranked lists that end after some neighbors. One that looks no further down than the
 * list goes, or whose relevant models are all in it, has the value that the whole ranking gives;
 * any other has none.
 */
#ifndef PSB_EVAL_NEIGHBOR_MEASURES_H
#define PSB_EVAL_NEIGHBOR_MEASURES_H

#include "eval/evaluation.h"

/*
 * values[i * count + m] as psb_measure_queries, from a file of lists (io/neighbors.h); NaN where
 * the list of model i is too short for measure m. covered[i] becomes false where model i has none.
 */
psb_status psb_measure_neighbors(const char *path, const psb_classification *cla,
                                 const psb_chosen_measure *measures, size_t count, double *values,
                                 bool *covered, psb_error *error);

/*
 * PSB_ERROR_INPUT where a value of a query in the means is missing: names the measure, the query,
 * how far the measure looks and which of the chosen ones all lists permit. `path`: of the lists.
 */
psb_status psb_evaluation_need(const psb_evaluation *e, size_t method, const char *path,
                               psb_error *error);

#endif
