/*
 * Is one method better than another, or was it luck? Both are scored on the same queries, so the
 * scores are paired: under the hypothesis that the methods are alike, each difference could as
 * well have the other sign. The one test of the program, with the one correction.
 *
 * Queries of a class are alike: the differences of a whole class change sign together, and the
 * bootstrap draws whole classes, unless the evaluation takes queries for its units (Cameron and
 * Miller 2015, sections II and VI; Field and Welsh 2007 on resampling clusters).
 */
#ifndef PSB_EVAL_SIGNIFICANCE_H
#define PSB_EVAL_SIGNIFICANCE_H

#include "core/parallel.h"
#include "eval/evaluation.h"

typedef struct psb_comparison {
    size_t a, b;       /* methods */
    size_t units;      /* that were flipped and drawn */
    double difference; /* mean of a - b */
    double low, high;  /* 95 % bootstrap interval of that mean (percentiles); NAN with one unit */
    double p;          /* two-sided, of the paired randomisation test; never 0 */
    double p_holm;     /* the same corrected for the number of comparisons, psb_correct_holm */
} psb_comparison;

typedef struct psb_test {
    size_t rounds; /* of the test and of the bootstrap */
    uint64_t seed;
    int threads;
    psb_progress *progress; /* may be NULL */
    void *context;
} psb_test;

/* What the program takes where nobody says otherwise. */
enum { PSB_TEST_ROUNDS = 10000, PSB_TEST_SEED = 1 };

/* Below this corrected p one method is called better. */
#define PSB_TEST_LEVEL 0.05

/*
 * Compares every pair of the evaluation's methods, (0,1) (0,2) ... (1,2) ..., by one measure: over
 * queries (PSB_MICRO) or class means (PSB_MACRO). pairs[] has methods (methods - 1) / 2 entries;
 * the bytes do not depend on threads, the random numbers on nothing but the seed and two labels.
 *
 * The test flips the signs of all units at random `rounds` times and counts how often the mean is
 * at least as far from 0, p = (1 + that) / (1 + rounds); the bootstrap draws as many units with
 * replacement `rounds` times and divides the sum of their differences by the number of their
 * queries. p_holm is corrected for all the pairs.
 */
psb_status psb_evaluation_compare(const psb_evaluation *e, size_t measure, psb_grouping grouping,
                                  const psb_test *test, psb_comparison *pairs, psb_error *error);

/* Sorts what a bootstrap gave: the 2.5 and 97.5 percentiles, linear between values. */
void psb_interval(double *values, size_t count, double *low, double *high);

/* Holm's step-down correction over all comparisons of a table (Holm 1979). */
psb_status psb_correct_holm(psb_comparison *comparisons, size_t count, psb_error *error);

#endif
