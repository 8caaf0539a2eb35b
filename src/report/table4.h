/*
 * Table 4 of the paper: what descriptors cost and how well they retrieve, measured beside
 * published.
 */
#ifndef PSB_REPORT_TABLE4_H
#define PSB_REPORT_TABLE4_H

#include "eval/scores.h"
#include "report/table.h"

/* One descriptor as measured. */
typedef struct psb_table4_row {
    const char *label;          /* first column: "SHD", "GEDT:width=2" */
    const char *published_name; /* the paper's row to set beside it, or NULL for none */
    size_t storage_bytes;       /* of one model, as the paper counts; 0: not known */
    double generate_seconds;    /* mean per model; 0: not known */
    double compare_seconds;     /* mean per pair; 0: not known */
    psb_average average;        /* micro, as in the paper */
} psb_table4_row;

typedef struct psb_table4 {
    const char *title; /* which models, which classification; or NULL */
    const psb_table4_row *rows;
    size_t nrows;
    size_t models_used;
    size_t models_listed; /* in the classification, before what could not be used was left out */
} psb_table4;

/*
 * Appends the whole table, ready to be a file: in TSV the ten columns of the paper, measured; in
 * JSON all there is; else two tables, retrieval and costs, with captions.
 *
 * Normalized DCG is taken over the rows that the paper has, so that rows beside those do not
 * change it; over all rows where the paper has none of them. Unless these are the paper's twelve,
 * the published figures are recomputed over the same rows from the published DCG, and the caption
 * says so.
 */
psb_status psb_table4_render(const psb_table4 *table4, const psb_table_format *format,
                             psb_text *out, psb_error *error);

#endif
