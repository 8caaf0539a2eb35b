/*
 * Rows of a text table, field by field. Fields are separated by a tab, comma, semicolon or '|', the
 * first of these that the first row has, or by any number of blanks; Excel's first line "sep=;"
 * names the separator instead. A field may be quoted, and blanks around it are skipped. Lines that
 * begin with '#' are comments.
 */
#pragma once

#include "core/text.h"
#include "io/plain_text.h"

typedef struct psb_field_rows {
    const char *path;
    const char *at, *end;
    unsigned long line; /* the line on which the row begins */
    unsigned long next; /* the line after the row */
    char separator;     /* ' ': any number of blanks; NUL: a line is one field */
    bool said;          /* the separator is that of "sep=" */
    size_t nfields, capacity;
    psb_text *fields; /* fields of the row; their memory is reused */
    psb_plain_text text;
    psb_error *error;
} psb_field_rows;

/* Begins in front of the first row, where a line is one field unless "sep=" says otherwise. Close
 * the rows, also on failure; `data` must outlive them. */
psb_status psb_field_rows_open(const char *path, const char *data, size_t size,
                               psb_field_rows *rows, psb_error *error);
void psb_field_rows_close(psb_field_rows *rows);

/* Reads the next row that has text; nfields is 0 after the last row. */
psb_status psb_field_rows_next(psb_field_rows *rows);

/* Returns to the position of `before`; the memory of the fields stays. */
void psb_field_rows_rewind(psb_field_rows *rows, const psb_field_rows *before);

/* Sets the separator by the next row, which is not passed: that of "sep=", else a tab, comma,
 * semicolon or '|' in it, else NUL. */
psb_status psb_field_rows_separate(psb_field_rows *rows);

/* True if the field is one of the names, which end with NULL, in upper or lower case. */
bool psb_field_is_among(const psb_text *field, const char *const *names);
