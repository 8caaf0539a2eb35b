/* Makes tables of comparisons of methods: whether they differ, and on which classes. */
#pragma once

#include "eval/significance.h"
#include "report/table.h"

typedef struct psb_comparison_table {
    const psb_evaluation *evaluation; /* methods to compare, 2 or more, by the first measure */
    psb_grouping grouping;            /* PSB_MICRO or PSB_MACRO, as for psb_evaluation_compare */
    const psb_test *test;
    size_t classes; /* how many of the classes that gain and lose most are shown */
} psb_comparison_table;

/*
 * Appends a row for each pair of methods: mean of both, difference with its interval, p, p
 * corrected for all pairs. For people, tables follow of each other method against the first: the
 * classes that gain and lose most.
 */
psb_status psb_comparison_render(const psb_comparison_table *input, const psb_table_format *format,
                                 psb_text *out, psb_error *error);
