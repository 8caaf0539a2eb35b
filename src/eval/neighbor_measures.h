/*
 * Measures of ranked lists that may end before all targets are in them. Of the front of a longer
 * list, a measure that looks no further down than it goes, or whose relevant models are all in it,
 * has the value that the whole ranking gives; any other has none.
 */
#ifndef PSB_EVAL_NEIGHBOR_MEASURES_H
#define PSB_EVAL_NEIGHBOR_MEASURES_H

#include "eval/evaluation.h"
#include "io/lists.h"

/* What was found of a method's lists. */
typedef struct psb_coverage {
    bool *covered;   /* becomes false where query i has no list */
    size_t shorter;  /* queries whose list lacks targets, */
    size_t shortest; /* and the fewest that one has */
} psb_coverage;

/*
 * A method's values from a file or folder of lists (io/lists.h). The evaluation says what is
 * relevant. Of lists that psbench search wrote
 * values are NaN where a list is too short for a measure: it is the front of a longer one. Lists of
 * others are all there is: what is not in them was not found.
 */
psb_status psb_evaluation_lists(psb_evaluation *e, size_t method, const char *path,
                                psb_list_form form, psb_coverage *coverage, psb_error *error);

/*
 * PSB_ERROR_INPUT where a value of a query in the means is missing: names the measure, the query,
 * how far the measure looks and which of the chosen ones all lists permit. `path`: of the lists.
 */
psb_status psb_evaluation_need(const psb_evaluation *e, size_t method, const char *path,
                               psb_error *error);

#endif
