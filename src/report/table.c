/* Implements the table model, and holds the table of formats. */
#include "report/table.h"

#include "core/number.h"
#include "io/name.h"

#include <math.h>
#include <stdio.h>

#define POINTER(name) &name,
static const psb_table_format *const formats[] = {PSB_TABLE_FORMATS(POINTER)};

psb_status psb_table_new(psb_table *table, const psb_column *columns, size_t ncolumns, size_t nrows,
                         psb_error *error) {
    psb_status status = PSB_OK;
    *table = (psb_table){.columns = columns,
                         .ncolumns = ncolumns,
                         .stride = ncolumns,
                         .nrows = nrows,
                         .room = nrows};
    table->cells = psb_new_zero(&status, nrows, ncolumns * sizeof *table->cells, "a table", error);
    table->nrows = status == PSB_OK ? nrows : 0;
    return status;
}

psb_status psb_table_add_row(psb_table *table, psb_error *error) {
    psb_status status = PSB_OK;
    table->cells = psb_array_grown(&status, table->cells, table->nrows, &table->room,
                                   table->ncolumns * sizeof *table->cells, "a table", error);
    for (size_t j = 0; j < table->ncolumns && status == PSB_OK; j++) {
        *psb_table_cell(table, table->nrows, j) = (psb_cell){.kind = PSB_CELL_EMPTY};
    }
    table->nrows += status == PSB_OK;
    return status;
}

psb_status psb_table_finish(psb_status status, psb_table *table, psb_text *caption,
                            const psb_table_format *format, psb_text *out, psb_error *error) {
    PSB_THEN(status, psb_text_status(caption, error));
    PSB_THEN_IF(status, table->failed, psb_fail_memory(error, "a table", 0));
    if (status == PSB_OK) {
        table->caption = caption->length > 0 ? caption->data : NULL;
        table->width = format->width;
        table->marks = format->marks;
        table->for_programs = format->for_programs;
        format->render(table, out);
        status = psb_text_status(out, error);
    }
    psb_table_close(table);
    psb_text_free(caption);
    return status;
}

/* Copies a text to *at and moves *at behind it; NULL stays NULL. */
static const char *copy_text(const char *text, char **at) {
    char *copy = text != NULL ? *at : NULL;
    size_t bytes = text != NULL ? strlen(text) + 1 : 0;
    memcpy(*at, text != NULL ? text : "", bytes);
    *at += bytes;
    return copy;
}

static size_t bytes_of(const char *text) {
    return text != NULL ? strlen(text) + 1 : 0;
}

/* Copies a table with its columns and texts; the cells move to the copy. */
static psb_table *copy_table(psb_status *status, psb_table *table, const char *caption,
                             psb_error *error) {
    size_t bytes =
        table->ncolumns * sizeof *table->columns + bytes_of(table->title) + bytes_of(caption);
    for (size_t j = 0; j < table->ncolumns; j++) {
        const psb_column *of = &table->columns[j];
        bytes += bytes_of(of->name) + bytes_of(of->heading) + bytes_of(of->group);
    }
    for (size_t i = 0; i < table->nrows * table->ncolumns; i++) {
        bytes += table->cells[i].own == NULL ? bytes_of(table->cells[i].text) : 0;
    }
    psb_table *copy = psb_new_zero(status, 1, sizeof *copy, "a table", error);
    psb_column *columns = psb_new(status, bytes, 1, "a table", error);
    if (*status != PSB_OK) {
        free(copy);
        return NULL;
    }
    *copy = (psb_table){.columns = columns,
                        .ncolumns = table->ncolumns,
                        .stride = table->ncolumns,
                        .nrows = table->nrows,
                        .tsv_columns = table->tsv_columns,
                        .gaps = table->gaps};
    char *at = (char *)(columns + table->ncolumns);
    copy->title = copy_text(table->title, &at);
    copy->caption = copy_text(caption, &at);
    for (size_t j = 0; j < table->ncolumns; j++) {
        columns[j] = table->columns[j];
        columns[j].name = copy_text(columns[j].name, &at);
        columns[j].heading = copy_text(columns[j].heading, &at);
        columns[j].group = copy_text(columns[j].group, &at);
    }
    copy->cells = table->cells;
    table->cells = NULL;
    table->nrows = 0;
    for (size_t i = 0; i < copy->nrows * copy->ncolumns; i++) {
        psb_cell *cell = &copy->cells[i];
        cell->text = cell->own == NULL ? copy_text(cell->text, &at) : cell->own;
    }
    return copy;
}

/* Puts a copy of the table into *place, which is *kept or a member of it. */
static psb_status keep(psb_status status, psb_table *table, psb_text *caption, psb_table **kept,
                       psb_table **place, psb_error *error) {
    PSB_THEN(status, psb_text_status(caption, error));
    PSB_THEN_IF(status, table->failed, psb_fail_memory(error, "a table", 0));
    psb_table *copy =
        status == PSB_OK
            ? copy_table(&status, table, caption->length > 0 ? caption->data : NULL, error)
            : NULL;
    psb_table_close(table);
    psb_text_free(caption);
    if (status != PSB_OK) {
        psb_table_free(*kept);
        *kept = NULL;
    } else {
        *place = copy;
    }
    return status;
}

psb_status psb_table_keep(psb_status status, psb_table *table, psb_text *caption, psb_table **kept,
                          psb_error *error) {
    return keep(status, table, caption, kept, *kept != NULL ? &(*kept)->programs : kept, error);
}

psb_status psb_table_keep_next(psb_status status, psb_table *table, psb_text *caption,
                               psb_table **kept, psb_error *error) {
    return keep(status, table, caption, kept, *kept != NULL ? &(*kept)->next : kept, error);
}

void psb_table_free(psb_table *table) {
    if (table != NULL) {
        psb_table_free(table->programs);
        psb_table_free(table->next);
        free((void *)(uintptr_t)table->columns);
        psb_table_close(table);
        free(table);
    }
}

/* ---- for clients ------------------------------------------------------------------------ */

static const psb_table *for_programs(const psb_table *table) {
    return table->programs != NULL ? table->programs : table;
}

bool psb_table_whole(const psb_table *table) {
    return !table->gaps;
}

size_t psb_table_rows(const psb_table *table) {
    return for_programs(table)->nrows;
}

size_t psb_table_columns(const psb_table *table) {
    return for_programs(table)->ncolumns;
}

const char *psb_table_column(const psb_table *table, size_t column) {
    return column < psb_table_columns(table) ? for_programs(table)->columns[column].name : NULL;
}

/* The cell, or an empty one if there is none. */
static psb_cell cell_at(const psb_table *table, size_t row, size_t column) {
    const psb_table *of = for_programs(table);
    return row < of->nrows && column < of->ncolumns ? *psb_table_cell(of, row, column)
                                                    : (psb_cell){.kind = PSB_CELL_EMPTY};
}

double psb_table_number(const psb_table *table, size_t row, size_t column) {
    psb_cell cell = cell_at(table, row, column);
    return cell.kind == PSB_CELL_NUMBER ? cell.number : (double)NAN;
}

const char *psb_table_text(const psb_table *table, size_t row, size_t column) {
    return cell_at(table, row, column).text;
}

static void show(const psb_table *table, const psb_table_format *as, psb_text *out) {
    for (const psb_table *t = as->for_programs ? for_programs(table) : table; t != NULL;
         t = as->for_programs ? NULL : t->next) {
        psb_table form = *t;
        form.width = as->width;
        form.marks = as->marks;
        form.for_programs = as->for_programs;
        if (as->values && form.tsv_columns > 0) {
            form.ncolumns = form.tsv_columns;
        }
        psb_text_add(out, t == table->next ? "\n" : "");
        as->render(&form, out);
    }
}

psb_status psb_table_show(const psb_table *table, const char *format, char **text,
                          psb_error *error) {
    psb_table_format as;
    psb_text out = {0};
    psb_status status = psb_format_named(format, &as, error);
    if (status == PSB_OK) {
        show(table, &as, &out);
    }
    return psb_give_text(status, &out, text, error);
}

psb_status psb_table_end(psb_status status, psb_table *kept, const psb_table_format *format,
                         psb_text *out, psb_error *error) {
    if (status == PSB_OK) {
        show(kept, format, out);
        status = psb_text_status(out, error);
    }
    psb_table_free(kept);
    return status;
}

psb_status psb_table_save(const psb_table *table, const char *name,
                          psb_status (*save)(void *context, const char *file, const psb_text *text,
                                             psb_error *error),
                          void *context, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t f = 0; f < psb_table_format_count() && status == PSB_OK; f++) {
        if (formats[f]->printed) {
            continue;
        }
        PSB_AT_END(psb_text_free) psb_text text = {0};
        PSB_FREED char *file = psb_new_format(&status, error, "%s.%s", name, formats[f]->name);
        if (status == PSB_OK) {
            show(table, formats[f], &text);
            status = psb_text_status(&text, error);
        }
        PSB_THEN(status, save(context, file, &text, error));
    }
    return status;
}

bool psb_table_is_grouped(const psb_table *table) {
    bool grouped = false;
    for (size_t j = 0; j < table->ncolumns; j++) {
        grouped = grouped || table->columns[j].group != NULL;
    }
    return grouped;
}

size_t psb_table_group_end(const psb_table *table, size_t first) {
    const char *group = table->columns[first].group;
    size_t end = first + 1;
    while (end < table->ncolumns && group != NULL && table->columns[end].group != NULL &&
           strcmp(group, table->columns[end].group) == 0) {
        end++;
    }
    return end;
}

void psb_table_close(psb_table *table) {
    if (table != NULL) {
        for (size_t i = 0; i < table->nrows * table->stride; i++) {
            free(table->cells[i].own);
        }
        free(table->cells);
        *table = (psb_table){.cells = NULL};
    }
}

psb_cell *psb_table_cell(const psb_table *table, size_t row, size_t column) {
    return &table->cells[row * table->stride + column];
}

void psb_table_set_number(psb_table *table, size_t row, size_t column, double number) {
    psb_cell_kind kind = isnan(number) ? PSB_CELL_EMPTY : PSB_CELL_NUMBER;
    *psb_table_cell(table, row, column) = (psb_cell){.kind = kind, .number = number};
}

void psb_table_set_text(psb_table *table, size_t row, size_t column, const char *text) {
    psb_cell_kind kind = text != NULL ? PSB_CELL_TEXT : PSB_CELL_EMPTY;
    *psb_table_cell(table, row, column) = (psb_cell){.kind = kind, .text = text};
}

void psb_table_set_name(psb_table *table, size_t row, size_t column, const char *name) {
    psb_table_set_text(table, row, column, name);
    psb_table_cell(table, row, column)->name = name != NULL;
}

void psb_table_copy_text(psb_table *table, size_t row, size_t column, const char *text) {
    char *own = text != NULL ? strdup(text) : NULL;
    table->failed = table->failed || (own == NULL && text != NULL);
    psb_table_set_text(table, row, column, own);
    psb_table_cell(table, row, column)->own = own;
}

char *psb_class_levels(const char *full_name) {
    psb_text name = {0};
    psb_name_show(&name, full_name);
    for (char *at = name.data; at != NULL && (at = strstr(at, "___")) != NULL;) {
        memcpy(at, " / ", 3);
    }
    if (name.failed) {
        psb_text_free(&name);
    }
    return name.data;
}

void psb_table_set_class(psb_table *table, size_t row, size_t column, const char *full_name,
                         bool for_programs) {
    char *own = for_programs ? NULL : psb_class_levels(full_name);
    table->failed = table->failed || (own == NULL && !for_programs);
    psb_table_set_text(table, row, column, own != NULL ? own : full_name);
    psb_table_cell(table, row, column)->own = own;
}

void psb_table_add_cell(psb_text *out, const psb_table *table, size_t row, size_t column) {
    const psb_cell *cell = psb_table_cell(table, row, column);
    const psb_column *format = &table->columns[column];
    if (cell->name && !table->for_programs) {
        psb_name_show(out, cell->text);
    } else if (cell->kind == PSB_CELL_TEXT) {
        psb_text_add(out, cell->text);
    } else if (cell->kind == PSB_CELL_NUMBER && format->decimals < 0) {
        psb_text_printf(out, "%.*g", -format->decimals, cell->number);
    } else if (cell->kind == PSB_CELL_NUMBER) {
        /* Avoids "-0.0" and "+0.0". */
        bool zero = nearbyint(cell->number * pow(10, format->decimals)) == 0;
        psb_text_printf(out, format->numbers == PSB_SIGNED && !zero ? "%+.*f" : "%.*f",
                        format->decimals, zero ? 0 : cell->number);
    }
}

size_t psb_table_format_count(void) {
    return sizeof formats / sizeof formats[0];
}

const psb_table_format *psb_table_format_at(size_t index) {
    return formats[index];
}

const psb_table_format *psb_table_format_find(const char *name) {
    for (size_t i = 0; i < psb_table_format_count(); i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

bool psb_table_format_read(const char *name, psb_table_format *format) {
    char base[16];
    const char *colon = strchr(name, ':'), *at = colon != NULL ? colon + 1 : name;
    snprintf(base, sizeof base, "%.*s", (int)strcspn(name, ":"), name);
    const psb_table_format *found = psb_table_format_find(base);
    if (found == NULL || colon == NULL) {
        *format = found != NULL ? *found : psb_format_text;
        return found != NULL;
    }
    int64_t width;
    *format = *found;
    if (found != &psb_format_text || !psb_scan_int64(&at, at + strlen(at), &width) || width < 1 ||
        width > 10000) {
        return false;
    }
    format->width = (int)width;
    format->marks = strcmp(at, ":best") == 0;
    return format->marks || *at == '\0';
}

psb_status psb_format_named(const char *name, psb_table_format *format, psb_error *error) {
    if (psb_table_format_read(name != NULL ? name : "txt", format)) {
        return PSB_OK;
    }
    psb_text known = {.data = NULL};
    for (size_t f = 0; f < psb_table_format_count(); f++) {
        psb_text_list(&known, psb_table_format_at(f)->name);
    }
    return psb_fail_unknown(error, "format", name, &known);
}

psb_status psb_check_format(const char *name, psb_error *error) {
    psb_table_format format;
    return psb_format_named(name, &format, error);
}
