/* Makes a table of any measures of any methods: averages, or a row for each class or model. */
#ifndef PSB_REPORT_MEASURE_TABLE_H
#define PSB_REPORT_MEASURE_TABLE_H

#include "eval/evaluation.h"
#include "report/table.h"

typedef struct psb_measure_table {
    const psb_evaluation *evaluation;
    psb_grouping grouping;
    bool errors; /* a standard error beside each average; not per model */
} psb_measure_table;

/*
 * Averages have a row for each method; classes and models have rows of their own and the methods
 * side by side. For people shares are percent; for programs all are fractions. PSB_ERROR_INPUT
 * where no query takes part.
 */
psb_status psb_measure_table_render(const psb_measure_table *table, const psb_table_format *format,
                                    psb_text *out, psb_error *error);
/* A sentence about queries without a list, behind another, where there are such. */
void psb_add_absent(const psb_evaluation *e, psb_text *caption);
/* The same as a table that is kept, for people and for programs. */
psb_status psb_measure_table_make(const psb_measure_table *table, psb_table **made,
                                  psb_error *error);

#endif
