/*
 * Tables of normalized DCG alone, a column for each way to look at the same matrices, measured
 * beside published: Tables 5 and 6 of the paper.
 */
#pragma once

#include "report/published.h"
#include "report/table.h"

typedef struct psb_dcg_column {
    const char *name;    /* name of the published column; programs read it */
    const char *heading; /* people read it */
    size_t queries;      /* number of queries averaged */
} psb_dcg_column;

typedef struct psb_dcg_table {
    const char *title;
    const char *note; /* end of the caption: how DCG was measured; may be NULL */
    const psb_published *published;
    const psb_dcg_column *columns;
    size_t ncolumns;
    const char *const *labels; /* one for each row; rows of the paper get its figures beside them */
    size_t nrows;
    const double *dcg; /* nrows x ncolumns, average DCG as fractions */
} psb_dcg_table;

/*
 * Appends the table. Normalized DCG is taken over the rows that the paper has, so that other rows
 * do not change it, or over all rows if it has none of them. If some of the paper's rows are
 * missing, the published figures are taken over the same rows (they are DCG up to a factor, so that
 * this is exact up to their rounding), and the caption says so.
 */
psb_status psb_dcg_table_render(const psb_dcg_table *table, const psb_table_format *format,
                                psb_text *out, psb_error *error);
/* Makes the table for a client, in the forms for people and for programs; psb_table_free it. */
psb_status psb_dcg_table_make(const psb_dcg_table *table, psb_table **made, psb_error *error);
