/*
 * Is one method better than another, or was it luck? Both are scored on the same queries, so the
 * scores are paired: under the hypothesis that the methods are alike, each difference could as
 * well have the other sign.
 */
#ifndef PSB_EVAL_SIGNIFICANCE_H
#define PSB_EVAL_SIGNIFICANCE_H

#include "psbench.h"

typedef struct psb_comparison {
    double difference; /* mean of a - b */
    double low, high;  /* 95 % bootstrap interval of that mean (percentiles) */
    double p;          /* two-sided, of the paired randomisation test; never 0 */
    double p_holm;     /* the same corrected for the number of comparisons, psb_correct_holm */
} psb_comparison;

/*
 * Compares `count` paired scores. The test flips the signs of all differences at random `rounds`
 * times and counts how often the mean is at least as far from 0, p = (1 + that) / (1 + rounds);
 * the bootstrap draws as many queries with replacement `rounds` times. The random numbers depend on
 * `seed` and the two names only. Leaves p_holm = p.
 */
psb_status psb_compare_paired(const double *a, const double *b, size_t count, size_t rounds,
                              uint64_t seed, const char *name_a, const char *name_b,
                              psb_comparison *comparison, psb_error *error);

/* Holm's step-down correction over all comparisons of a table (Holm 1979). */
psb_status psb_correct_holm(psb_comparison *comparisons, size_t count, psb_error *error);

#endif
