/* Makes a table of any measures of any methods: averages, or a row for each class or model. */
#pragma once

#include "eval/evaluation.h"
#include "report/table.h"

typedef struct psb_measure_table {
    const psb_evaluation *evaluation;
    psb_grouping grouping;
    bool errors; /* a standard error beside each average; not per model */
} psb_measure_table;

/*
 * Makes the table, in the forms for people and for programs; psb_table_free it. Averages have a row
 * for each method; classes and models have rows of their own and the methods side by side. People
 * see shares as percent, programs as fractions. PSB_ERROR_INPUT if no query takes part.
 */
psb_status psb_measure_table_make(const psb_measure_table *table, psb_table **made,
                                  psb_error *error);
/* Appends a sentence on queries without a list to a caption, if there are any. */
void psb_add_absent(const psb_evaluation *e, psb_text *caption);
