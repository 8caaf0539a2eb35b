/* Comparisons of methods as tables: are they different, and on which classes. */
#ifndef PSB_REPORT_COMPARISON_H
#define PSB_REPORT_COMPARISON_H

#include "eval/significance.h"
#include "report/evaluation.h"

typedef struct psb_comparison_options {
    size_t rounds; /* of the test and of the bootstrap */
    uint64_t seed;
    size_t classes; /* how many classes that gain and lose most, 0: none */
    int threads;
} psb_comparison_options;

/*
 * Compares every pair of the evaluation's methods (2 or more) by its first measure, over queries
 * or, with PSB_MACRO, over class means: mean of both, difference with its interval, p, p corrected
 * for all pairs. Behind it, for people, each other method against the first: the classes that
 * gain and lose most. The bytes do not depend on threads.
 */
psb_status psb_comparison_render(const psb_evaluation *evaluation,
                                 const psb_comparison_options *options,
                                 const psb_table_format *format, psb_text *out, psb_error *error);

#endif
