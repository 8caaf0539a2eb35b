/*
 * Tables as data, written by one renderer per format.
 *
 * Text, Markdown and LaTeX are for people: headings, and numbers with as many decimals as the
 * column says. TSV and JSON are for programs: columns go by their names, JSON has every digit.
 */
#pragma once

#include "core/text.h"
#include "psbench.h"

typedef enum psb_align { PSB_LEFT, PSB_RIGHT } psb_align;

/*
 * A column's numbers: PSB_SIGNED ones are differences, and positive ones get a "+"; the largest of
 * PSB_RATED ones is the best.
 */
typedef enum psb_numbers { PSB_PLAIN, PSB_SIGNED, PSB_RATED } psb_numbers;

typedef struct psb_column {
    const char *name;    /* for programs: "first_tier" */
    const char *heading; /* for people: "first tier" */
    const char *group;   /* heading over this column and neighbors of the same group, or NULL */
    psb_align align;
    int decimals; /* digits behind the point; -N: N significant digits */
    psb_numbers numbers;
} psb_column;

typedef enum psb_cell_kind { PSB_CELL_EMPTY, PSB_CELL_NUMBER, PSB_CELL_TEXT } psb_cell_kind;

typedef struct psb_cell {
    psb_cell_kind kind;
    double number;
    const char *text; /* the caller's, which must outlive the table, or `own` */
    char *own;        /* belongs to the table, or NULL */
    bool name;        /* a name (io/name.h), which text shows decoded */
    bool best;        /* the best number of a rated column, if the format marks it */
} psb_cell;

struct psb_table {
    const char *title;   /* the caller's, as caption and columns; may be NULL */
    const char *caption; /* one paragraph, or NULL */
    int width;           /* of the format, set by psb_table_finish, as are these two */
    bool marks, for_programs;
    const psb_column *columns;
    size_t ncolumns;
    size_t stride;      /* cells from one row to the next: ncolumns, or more */
    size_t nrows, room; /* rows, and how many there is memory for */
    psb_cell *cells;    /* nrows x stride, owned */
    bool failed;        /* memory ran out for the text of a cell */
    /* Only of a kept table, which owns all of the above as well: */
    psb_table *programs; /* the form for programs, if it is another; or NULL */
    psb_table *next;     /* for people: a second table behind it; or NULL */
    size_t tsv_columns;  /* in a form for programs: TSV has so many columns; 0: all */
    bool gaps;           /* see psb_table_whole */
};

/* Makes a table of empty cells, on failure without rows. psb_table_finish or _keep ends it. */
psb_status psb_table_new(psb_table *table, const psb_column *columns, size_t ncolumns, size_t nrows,
                         psb_error *error);
/* Adds a row of empty cells. */
psb_status psb_table_add_row(psb_table *table, psb_error *error);
/* Frees what the table owns; psb_table_free frees a kept table itself, too. */
void psb_table_close(psb_table *table);
psb_cell *psb_table_cell(const psb_table *table, size_t row, size_t column);
/* Sets a cell to a number; NAN leaves it empty. */
void psb_table_set_number(psb_table *table, size_t row, size_t column, double number);
/* Sets a cell to a text; NULL leaves it empty. psb_table_copy_text keeps a copy. */
void psb_table_set_text(psb_table *table, size_t row, size_t column, const char *text);
void psb_table_copy_text(psb_table *table, size_t row, size_t column, const char *text);
/* Like psb_table_set_text, for the name of a model or class: for people "a%20b" is "a b". */
void psb_table_set_name(psb_table *table, size_t row, size_t column, const char *name);

/* Sets a cell to a class's full name; for people with " / " between levels. */
void psb_table_set_class(psb_table *table, size_t row, size_t column, const char *full_name,
                         bool for_programs);
/* "furniture / seat" of "furniture___seat", by psb_name_show; free() it. NULL: no memory. */
char *psb_class_levels(const char *full_name);

/* Appends a cell as it is written for people and in TSV; nothing for an empty one. */
void psb_table_add_cell(psb_text *out, const psb_table *table, size_t row, size_t column);

typedef struct psb_table_format {
    const char *name;  /* in options and as file name extension */
    const char *help;  /* a few words */
    int width;         /* most columns of a line; 0: captions are wrapped, tables are not */
    bool for_programs; /* column names instead of headings; neither title nor caption in TSV */
    bool values;       /* nothing but names and values */
    bool printed;      /* printed when asked for, and not among a run's files */
    bool marks;        /* bold for the best number of a rated column, as terminals show it */
    void (*render)(const psb_table *table, psb_text *out); /* failure is left in `out` */
} psb_table_format;

/*
 * Ends a table whose cells are set: renders it and the caption if `status` is PSB_OK, and frees
 * both.
 */
psb_status psb_table_finish(psb_status status, psb_table *table, psb_text *caption,
                            const psb_table_format *format, psb_text *out, psb_error *error);

/*
 * Ends a table whose cells are set, but keeps it: *kept becomes the table, with copies of what was
 * the caller's. If *kept is a table already, the new one becomes its form for programs
 * (psb_table_keep) or the table behind it (psb_table_keep_next). On failure, also of `status`,
 * *kept is freed and NULL.
 */
psb_status psb_table_keep(psb_status status, psb_table *table, psb_text *caption, psb_table **kept,
                          psb_error *error);
psb_status psb_table_keep_next(psb_status status, psb_table *table, psb_text *caption,
                               psb_table **kept, psb_error *error);
/* Appends a kept table as psb_table_show shows it, and frees it. */
psb_status psb_table_end(psb_status status, psb_table *kept, const psb_table_format *format,
                         psb_text *out, psb_error *error);

/* Shows a kept table in every format of files, and calls `save` for each file: "NAME.txt" and so
 * on. */
psb_status psb_table_save(const psb_table *table, const char *name,
                          psb_status (*save)(void *context, const char *file, const psb_text *text,
                                             psb_error *error),
                          void *context, psb_error *error);

/* Whether any column has a group; the first column behind the group of column `first`. */
bool psb_table_is_grouped(const psb_table *table);
size_t psb_table_group_end(const psb_table *table, size_t first);

size_t psb_table_format_count(void);
const psb_table_format *psb_table_format_at(size_t index);
/* Finds a format by its name, or NULL. */
const psb_table_format *psb_table_format_find(const char *name);
/*
 * Finds a format by a name like "txt:80": lines of at most 80 columns, for which a wide table is
 * turned (its columns become rows) or else divided; "txt:80:best" marks, too. False if there is
 * none.
 */
bool psb_table_format_read(const char *name, psb_table_format *format);
/* Reads a format's name; NULL is "txt". PSB_ERROR_USAGE, which names all formats, for others. */
psb_status psb_format_named(const char *name, psb_table_format *format, psb_error *error);

/* The list of formats; a new one needs a line here and its file. */
#define PSB_TABLE_FORMATS(ENTRY)                                                                   \
    ENTRY(psb_format_text)                                                                         \
    ENTRY(psb_format_tsv)                                                                          \
    ENTRY(psb_format_json)                                                                         \
    ENTRY(psb_format_markdown)                                                                     \
    ENTRY(psb_format_latex)                                                                        \
    ENTRY(psb_format_csv)

#define PSB_TABLE_FORMAT_DECLARED(name) extern const psb_table_format name;
PSB_TABLE_FORMATS(PSB_TABLE_FORMAT_DECLARED)
