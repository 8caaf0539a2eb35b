/* Any measures of any matrices as a table: averages, or a row for each class or model. */
#ifndef PSB_REPORT_EVALUATION_H
#define PSB_REPORT_EVALUATION_H

#include "eval/average.h"
#include "report/table.h"

/* One matrix's values, psb_measure_queries. */
typedef struct psb_method {
    const char *label;
    const double *values; /* models x measures */
} psb_method;

typedef struct psb_evaluation {
    const psb_classification *cla;
    const bool *selected; /* queries that take part, psb_select_queries */
    psb_grouping grouping;
    const psb_chosen_measure *measures;
    size_t nmeasures;
    const psb_method *methods;
    size_t nmethods;
    bool errors; /* a standard error beside each average; not per model */
} psb_evaluation;

/*
 * Averages have a row for each method; classes and models have rows of their own and the methods
 * side by side. For people shares are percent; for programs all are fractions. PSB_ERROR_INPUT
 * where no query takes part.
 */
psb_status psb_evaluation_render(const psb_evaluation *evaluation, const psb_table_format *format,
                                 psb_text *out, psb_error *error);

#endif
