/*
 * Tables as data, written by one renderer per format.
 *
 * Text, Markdown and LaTeX are for people: headings, and numbers with as many decimals as the
 * column says. TSV and JSON are for programs: columns go by their names, JSON has every digit.
 */
#ifndef PSB_REPORT_TABLE_H
#define PSB_REPORT_TABLE_H

#include "core/text.h"
#include "psbench.h"

typedef enum psb_align { PSB_LEFT, PSB_RIGHT } psb_align;

/* A column's numbers: PSB_SIGNED ones are differences, and positive ones get a "+"; of PSB_RATED
   ones the largest is the best. */
typedef enum psb_numbers { PSB_PLAIN, PSB_SIGNED, PSB_RATED } psb_numbers;

typedef struct psb_column {
    const char *name;    /* for programs: "first_tier" */
    const char *heading; /* for people: "first tier" */
    const char *group;   /* a heading over this column and its neighbours of that group, or NULL */
    psb_align align;
    int decimals; /* of numbers; below 0: so many digits in all */
    psb_numbers numbers;
} psb_column;

typedef enum psb_cell_kind { PSB_CELL_EMPTY, PSB_CELL_NUMBER, PSB_CELL_TEXT } psb_cell_kind;

typedef struct psb_cell {
    psb_cell_kind kind;
    double number;
    const char *text; /* the caller's; must outlive the table */
    char *own;        /* or the table's */
    bool best;        /* of a rated column, where the format marks it */
} psb_cell;

struct psb_table {
    const char *title;   /* the caller's, as are the next two; titles may be NULL */
    const char *caption; /* one paragraph, or NULL */
    int width;           /* of the format, set by psb_table_finish, as is the next */
    bool marks;
    const psb_column *columns;
    size_t ncolumns;
    size_t stride;      /* cells from one row to the next: ncolumns, or more */
    size_t nrows, room; /* rows, and those that there is memory for */
    psb_cell *cells;    /* nrows x stride, owned */
    bool failed;        /* a cell has not what it was to get: no memory */
    /* Of a table that is kept, which owns all of the above as well: */
    psb_table *programs; /* the form for programs, where that is another; or NULL */
    psb_table *next;     /* for people: a second table behind it; or NULL */
    size_t tsv_columns;  /* of the form for programs: TSV has the first so many; 0: all */
    bool gaps;           /* see psb_table_whole */
};

/* A table of empty cells; without rows where that fails. End it with psb_table_finish, or keep it.
 */
psb_status psb_table_new(psb_table *table, const psb_column *columns, size_t ncolumns, size_t nrows,
                         psb_error *error);
/* One more row of empty cells, as a step of PSB_THEN's kind. */
psb_status psb_table_add_row(psb_table *table, psb_error *error);
/* Frees what the table owns; psb_table_free also frees the table, which was kept. */
void psb_table_close(psb_table *table);
psb_cell *psb_table_cell(const psb_table *table, size_t row, size_t column);
/* NAN leaves the cell empty. */
void psb_table_set_number(psb_table *table, size_t row, size_t column, double number);
/* A NULL text leaves the cell empty; the second keeps a copy. */
void psb_table_set_text(psb_table *table, size_t row, size_t column, const char *text);
void psb_table_copy_text(psb_table *table, size_t row, size_t column, const char *text);

/* A class by its full name; for people with " / " between levels. */
void psb_table_set_class(psb_table *table, size_t row, size_t column, const char *full_name,
                         bool for_programs);
/* "furniture / seat" of "furniture___seat", as psb_name_show has it; free() it. NULL without
 * memory.
 */
char *psb_class_levels(const char *full_name);

/* Appends a cell as it is written for people and in TSV; nothing for an empty one. */
void psb_table_add_cell(psb_text *out, const psb_table *table, size_t row, size_t column);

typedef struct psb_table_format {
    const char *name;  /* in options and as file name extension */
    const char *help;  /* a few words */
    int width;         /* that all lines keep to; 0: captions are wrapped, tables are not */
    bool for_programs; /* column names instead of headings; neither title nor caption in TSV */
    bool marks;        /* bold for the best number of a rated column, as terminals show it */
    void (*render)(const psb_table *table, psb_text *out); /* failure is left in `out` */
} psb_table_format;

/*
 * The end of a table whose cells are set: renders it, with the caption, where `status` is PSB_OK,
 * and frees both.
 */
psb_status psb_table_finish(psb_status status, psb_table *table, psb_text *caption,
                            const psb_table_format *format, psb_text *out, psb_error *error);

/*
 * The other end of a table whose cells are set: *kept becomes it, with copies of what was the
 * caller's; where *kept is a table already, this is its form for programs, or the table behind it.
 * Where that fails, or `status` is a failure, *kept is freed and NULL.
 */
psb_status psb_table_keep(psb_status status, psb_table *table, psb_text *caption, psb_table **kept,
                          psb_error *error);
psb_status psb_table_keep_next(psb_status status, psb_table *table, psb_text *caption,
                               psb_table **kept, psb_error *error);
/* Appends a kept table as psb_table_show shows it, and frees it. */
psb_status psb_table_end(psb_status status, psb_table *kept, const psb_table_format *format,
                         psb_text *out, psb_error *error);

/* Shows a kept table in every format, and has each saved as a file: "NAME.txt" and so on. */
psb_status psb_table_save(const psb_table *table, const char *name,
                          psb_status (*save)(void *context, const char *file, const psb_text *text,
                                             psb_error *error),
                          void *context, psb_error *error);

/* Columns with headings over them: whether there are any, and the first behind a group. */
bool psb_table_is_grouped(const psb_table *table);
size_t psb_table_group_end(const psb_table *table, size_t first);

size_t psb_table_format_count(void);
const psb_table_format *psb_table_format_at(size_t index);
/* NULL where there is none of that name. */
const psb_table_format *psb_table_format_find(const char *name);
/*
 * The same for names as "txt:80": lines of at most 80 columns, for which a wide table is turned
 * (its columns become rows) or else divided; "txt:80:best" marks, too. False where there is none.
 */
bool psb_table_format_read(const char *name, psb_table_format *format);
/* That; NULL is "txt", and PSB_ERROR_USAGE, which names all, where there is none. */
psb_status psb_format_named(const char *name, psb_table_format *format, psb_error *error);

/* The table; a new format is a line here beside its file. */
#define PSB_TABLE_FORMATS(ENTRY)                                                                   \
    ENTRY(psb_format_text)                                                                         \
    ENTRY(psb_format_tsv)                                                                          \
    ENTRY(psb_format_json)                                                                         \
    ENTRY(psb_format_markdown)                                                                     \
    ENTRY(psb_format_latex)

#define PSB_TABLE_FORMAT_DECLARED(name) extern const psb_table_format name;
PSB_TABLE_FORMATS(PSB_TABLE_FORMAT_DECLARED)

#endif
