/*
 * Table 4 of the paper: what descriptors cost and how well they retrieve, measured beside
 * published.
 */
#pragma once

#include "eval/evaluation.h"
#include "report/table.h"

/* One descriptor as measured. */
typedef struct psb_table4_row {
    const char *label;          /* first column: "SHD", "GEDT:width=2" */
    const char *published_name; /* the paper's row to set beside it, or NULL for none */
    /* what it uses: "pair", "reference", "context", "learned", "given"; NULL: a descriptor */
    const char *uses;
    size_t storage_bytes;    /* bytes of one model, as the paper counts; 0: not known */
    double generate_seconds; /* mean per model of the descriptor alone; 0: not known */
    double compare_seconds;  /* mean per pair; 0: not known */
    psb_average average;     /* micro, as in the paper */
} psb_table4_row;

typedef struct psb_table4 {
    const char *title; /* which models, which classification; or NULL */
    const psb_table4_row *rows;
    size_t nrows;
    size_t models_used;
    size_t models_listed;    /* in the classification, with those that could not be used */
    size_t sides[2];         /* queries and targets in use, where these are two sets; else 0 */
    double together_seconds; /* mean per model of all rows, which share work; 0: not known */
} psb_table4;

/* The numbers of a row. NAN: not known. */
typedef enum psb_table4_field {
    PSB_TABLE4_STORAGE,   /* bytes */
    PSB_TABLE4_GENERATE,  /* seconds */
    PSB_TABLE4_COMPARE,   /* seconds */
    PSB_TABLE4_RETRIEVAL, /* the five figures, percent as the next */
    PSB_TABLE4_NORMALIZED_DCG = PSB_TABLE4_RETRIEVAL + PSB_FIGURES,
    PSB_TABLE4_PAPERS_FIELDS, /* the paper has the fields above, in this order */
    PSB_TABLE4_NEAREST_NEIGHBOR_ERROR = PSB_TABLE4_PAPERS_FIELDS,
    PSB_TABLE4_QUERIES,
    PSB_TABLE4_MODELS_USED,
    PSB_TABLE4_MODELS_LISTED,
    PSB_TABLE4_FIELDS,
} psb_table4_field;

typedef enum psb_table4_kind {
    PSB_MEASURED,
    PSB_PUBLISHED,
    PSB_DIFFERENCE, /* measured less published */
    PSB_TABLE4_KINDS,
} psb_table4_kind;

typedef struct psb_table4_numbers {
    double value[PSB_TABLE4_KINDS][PSB_TABLE4_FIELDS];
    bool is_published; /* the paper has this row */
    bool in_set;       /* normalized DCG is taken over this row, too */
} psb_table4_numbers;

typedef struct psb_table4_comparison {
    const psb_table4 *input;
    psb_table4_numbers *rows;
    bool any_published;
    bool any_costs, any_times;
    bool as_in_paper; /* the set is the paper's own */
    bool every_error; /* for the caption: the caller shows every figure's standard error */
} psb_table4_comparison;

/*
 * Computes all numbers of the table, for whatever shows them; free them in either case.
 *
 * Normalized DCG is taken over the rows that the paper has, so that other rows do not change it, or
 * over all descriptors if it has none of them. Unless all of the paper's twelve are there, the
 * published figures are recomputed over the same rows from the published DCG, and the caption says
 * so.
 */
psb_status psb_table4_compare(const psb_table4 *table4, psb_table4_comparison *comparison,
                              psb_error *error);
void psb_table4_comparison_free(psb_table4_comparison *comparison);

/* Append the caption of the figures, and that of the costs. */
void psb_table4_add_caption(psb_text *out, const psb_table4_comparison *comparison);
void psb_table4_add_cost_caption(psb_text *out, const psb_table4_comparison *comparison);

/*
 * Makes the whole table; psb_table_free it. TSV has the ten columns of the paper, measured; JSON
 * has everything; other formats have two tables, retrieval and costs, with captions.
 * psb_table4_render appends it.
 */
psb_status psb_table4_make(const psb_table4 *table4, psb_table **made, psb_error *error);
psb_status psb_table4_render(const psb_table4 *table4, const psb_table_format *format,
                             psb_text *out, psb_error *error);
