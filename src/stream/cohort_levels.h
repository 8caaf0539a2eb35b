/* Computes levels of rows by a cohort (eval/cohort.h), from distances to the reference. */
#pragma once

#include "distance/recipe.h"

/* Rows of one kind: of the models, and of the reference. */
typedef struct psb_cohort_member {
    const psb_metric *metric;
    psb_row_view rows, reference;
} psb_cohort_member;

typedef struct psb_cohort {
    const char *path;      /* of the reference, for messages */
    const psb_recipe *sum; /* what is compared, of members in this order; NULL: of the only one */
    const psb_cohort_member *members;
    size_t count;
    char *const *names, *const *reference_names; /* of the rows; NULL: not known */
    bool same; /* both are the same rows: a model's cohort is all others */
    int threads;
} psb_cohort;

/*
 * level[i]: psb_cohort_level of row i by its distances to all rows of the reference but the one of
 * its own name. PSB_ERROR_INPUT where there are none, or a level is not above 0.
 */
psb_status psb_cohort_levels(const psb_cohort *cohort, double *level, psb_error *error);
