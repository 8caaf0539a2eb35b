/* The table model, and the table of formats. */
#include "report/table.h"

#include "core/number.h"
#include "io/name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

psb_status psb_table_new(psb_table *table, const psb_column *columns, size_t ncolumns, size_t nrows,
                         psb_error *error) {
    psb_status status = PSB_OK;
    *table = (psb_table){.columns = columns, .ncolumns = ncolumns, .nrows = nrows};
    table->cells = psb_new_zero(&status, nrows, ncolumns * sizeof *table->cells, "a table", error);
    table->nrows = status == PSB_OK ? nrows : 0;
    return status;
}

psb_status psb_table_finish(psb_status status, psb_table *table, psb_text *caption,
                            const psb_table_format *format, psb_text *out, psb_error *error) {
    PSB_THEN(status, psb_text_status(caption, error));
    if (status == PSB_OK && table->failed) {
        status = psb_fail_memory(error, "a table", 0);
    }
    if (status == PSB_OK) {
        table->caption = caption->length > 0 ? caption->data : NULL;
        table->width = format->width;
        table->marks = format->marks;
        format->render(table, out);
        status = psb_text_status(out, error);
    }
    psb_table_free(table);
    psb_text_free(caption);
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

void psb_table_free(psb_table *table) {
    if (table != NULL) {
        for (size_t i = 0; i < table->nrows * table->ncolumns; i++) {
            free(table->cells[i].own);
        }
        free(table->cells);
        *table = (psb_table){.cells = NULL};
    }
}

psb_cell *psb_table_cell(const psb_table *table, size_t row, size_t column) {
    return &table->cells[row * table->ncolumns + column];
}

void psb_table_set_number(psb_table *table, size_t row, size_t column, double number) {
    psb_cell_kind kind = isnan(number) ? PSB_CELL_EMPTY : PSB_CELL_NUMBER;
    *psb_table_cell(table, row, column) = (psb_cell){.kind = kind, .number = number};
}

void psb_table_set_text(psb_table *table, size_t row, size_t column, const char *text) {
    psb_cell_kind kind = text != NULL ? PSB_CELL_TEXT : PSB_CELL_EMPTY;
    *psb_table_cell(table, row, column) = (psb_cell){.kind = kind, .text = text};
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
    if (cell->kind == PSB_CELL_TEXT) {
        psb_text_add(out, cell->text);
    } else if (cell->kind == PSB_CELL_NUMBER) {
        /* "-0.0" and "+0.0" would be riddles. */
        bool zero = nearbyint(cell->number * pow(10, format->decimals)) == 0;
        psb_text_printf(out, format->numbers == PSB_SIGNED && !zero ? "%+.*f" : "%.*f",
                        format->decimals, zero ? 0 : cell->number);
    }
}

#define POINTER(name) &name,
static const psb_table_format *const formats[] = {PSB_TABLE_FORMATS(POINTER)};

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
