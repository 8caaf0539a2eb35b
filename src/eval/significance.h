/*
 * The paired test between methods, with the correction for several pairs. Both methods are scored
 * on the same queries: under the hypothesis that the methods are alike, each difference could as
 * well have the other sign.
 *
 * Queries of a class are alike. So the differences of a whole class change sign together, and the
 * interval is clustered by class, unless the evaluation takes queries (Cameron and Miller
 * 2015, sections II and VI).
 */
#pragma once

#include "core/parallel.h"
#include "eval/evaluation.h"

typedef struct psb_test {
    size_t rounds; /* how often the test draws signs */
    uint64_t seed;
    int threads;
    psb_progress *progress; /* may be NULL */
    void *context;
} psb_test;

/* Defaults. */
enum { PSB_TEST_ROUNDS = 10000, PSB_TEST_ROUNDS_A_PAIR = 2000, PSB_TEST_SEED = 1 };
/*
 * PSB_TEST_ROUNDS, or more, so that a corrected p over all pairs of this many methods can fall
 * below 0.001.
 */
size_t psb_test_rounds(size_t methods);

/* One method is called better than another below this corrected p. */
#define PSB_TEST_LEVEL 0.05

/*
 * Compares every pair of the evaluation's methods, (0,1) (0,2) ... (1,2) ..., by one measure: over
 * queries (PSB_MICRO) or class means (PSB_MACRO). pairs[] has methods (methods - 1) / 2 entries.
 * The bytes do not depend on threads. The random signs depend only on the seed and the set: all
 * pairs share them, so (a, b), (b, a) and a copy of a under another name have one p.
 *
 * The test flips the signs of all units at random `rounds` times and counts how often the mean is
 * at least as far from 0: p = (1 + count) / (1 + rounds). The interval is Student's, with the
 * standard error and degrees of freedom of Bell and McCaffrey (2002), which hold for few units of
 * unequal size. p_holm is corrected for all the pairs.
 */
psb_status psb_evaluation_compare(const psb_evaluation *e, size_t measure, psb_grouping grouping,
                                  const psb_test *test, psb_comparison *pairs, psb_error *error);

/* Compares method `one` with each other: methods - 1 pairs; p_holm corrects for these alone. */
psb_status psb_evaluation_compare_with(const psb_evaluation *e, size_t one, size_t measure,
                                       psb_grouping grouping, const psb_test *test,
                                       psb_comparison *pairs, psb_error *error);

/*
 * Sorts the values of a bootstrap; returns their 2.5 and 97.5 percentiles, linear between values.
 */
void psb_interval(double *values, size_t count, double *low, double *high);

/* Holm's step-down correction over all comparisons of a table (Holm 1979). */
psb_status psb_correct_holm(psb_comparison *comparisons, size_t count, psb_error *error);
