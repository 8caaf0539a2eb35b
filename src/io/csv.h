/*
 * Comma-separated values, the plain kind: a line of column names, then rows of as many fields; no
 * quotes, no comments, no empty lines. The published figures come in it.
 */
#ifndef PSB_IO_CSV_H
#define PSB_IO_CSV_H

#include "psbench.h"

typedef struct psb_csv {
    size_t nrows; /* without the line of names */
    size_t ncolumns;
    char **fields; /* (nrows + 1) x ncolumns, names first; they point into `text` */
    char *text;
} psb_csv;

/* Parses what is in memory; `path` is for messages. On failure *csv is empty. */
psb_status psb_csv_parse(const char *path, const char *data, size_t size, psb_csv *csv,
                         psb_error *error);
void psb_csv_free(psb_csv *csv);

const char *psb_csv_field(const psb_csv *csv, size_t row, size_t column);
/* Index of the column of that name; ncolumns where there is none. */
size_t psb_csv_column(const psb_csv *csv, const char *name);
/* Index of the first row whose first field is `name`; nrows where there is none. */
size_t psb_csv_row(const psb_csv *csv, const char *name);

#endif
