/*
 * Measures of ranked lists that may end before all targets are in them. A list may be the front of
 * a longer ranking. Then a measure has the value of the whole ranking if it looks no further down
 * than the list goes, or if all relevant models are in the list; else its value is unknown.
 */
#pragma once

#include "eval/evaluation.h"
#include "io/lists.h"

/* How far a method's lists reach. */
typedef struct psb_coverage {
    bool *covered;   /* covered[i] is set to false if query i has no list */
    size_t shorter;  /* number of queries whose list is missing targets */
    size_t shortest; /* length of the shortest of these lists */
} psb_coverage;

/*
 * Sets a method's values from a file or folder of lists (io/lists.h); the evaluation says what is
 * relevant. A list of `psbench search` is the front of a longer one: values are NaN if it is too
 * short for a measure. A list of another program is complete: models that are not in it were not
 * found.
 */
psb_status psb_evaluation_lists(psb_evaluation *e, size_t method, const char *path,
                                psb_list_form form, psb_coverage *coverage, psb_error *error);

/*
 * PSB_ERROR_INPUT if a value of a query in the means is unknown. The message names `path`, that of
 * the lists, the measure, how far it looks, the query, and which of the measures all lists permit.
 */
psb_status psb_evaluation_need(const psb_evaluation *e, size_t method, const char *path,
                               psb_error *error);
