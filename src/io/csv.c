/* The plain kind of CSV: checked line by line, then split in place at commas and line ends. */
#include "io/csv.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* Fields of the line at `data`; 0 where a byte of it has no place in this format. */
static size_t count_fields(const char *data, size_t length) {
    size_t fields = 1;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)data[i] < ' ' || data[i] == '"') {
            return 0;
        }
        fields += data[i] == ',';
    }
    return fields;
}

/* Finds out the number of rows and columns; afterwards nothing can be wrong with the text. */
static psb_status check(const char *path, const char *data, size_t size, psb_csv *csv,
                        psb_error *error) {
    unsigned long line = 0;
    for (size_t start = 0; start < size || line == 0;) {
        line++;
        const char *end = size > start ? memchr(data + start, '\n', size - start) : NULL;
        if (end == NULL) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, line, "the line does not end");
        }
        size_t length = (size_t)(end - (data + start));
        size_t fields = count_fields(data + start, length);
        if (fields == 0) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, line,
                               "a quote or a control character");
        }
        if (line > 1 && fields != csv->ncolumns) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, line, "%zu fields, but line 1 has %zu",
                               fields, csv->ncolumns);
        }
        csv->ncolumns = fields;
        start += length + 1;
    }
    csv->nrows = line - 1;
    return PSB_OK;
}

static void split(psb_csv *csv) {
    char *at = csv->text;
    for (size_t i = 0; i < (csv->nrows + 1) * csv->ncolumns; i++) {
        csv->fields[i] = at;
        at += strcspn(at, ",\n");
        *at++ = '\0';
    }
}

psb_status psb_csv_parse(const char *path, const char *data, size_t size, psb_csv *csv,
                         psb_error *error) {
    *csv = (psb_csv){.nrows = 0};
    void *text = NULL;
    void *fields = NULL;
    psb_status status = check(path, data, size, csv, error);
    if (status == PSB_OK) {
        status = psb_alloc(&text, size + 1, 1, path, error);
    }
    if (status == PSB_OK) {
        status = psb_alloc(&fields, (csv->nrows + 1) * csv->ncolumns, sizeof(char *), path, error);
    }
    csv->text = text;
    csv->fields = fields;
    if (status != PSB_OK) {
        psb_csv_free(csv);
        return status;
    }
    memcpy(csv->text, data, size);
    csv->text[size] = '\0';
    split(csv);
    return PSB_OK;
}

void psb_csv_free(psb_csv *csv) {
    if (csv != NULL) {
        free(csv->fields);
        free(csv->text);
        *csv = (psb_csv){.nrows = 0};
    }
}

const char *psb_csv_field(const psb_csv *csv, size_t row, size_t column) {
    return csv->fields[(row + 1) * csv->ncolumns + column];
}

size_t psb_csv_column(const psb_csv *csv, const char *name) {
    size_t column = 0;
    while (column < csv->ncolumns && strcmp(csv->fields[column], name) != 0) {
        column++;
    }
    return column;
}

size_t psb_csv_row(const psb_csv *csv, const char *name) {
    size_t row = 0;
    while (row < csv->nrows && strcmp(psb_csv_field(csv, row, 0), name) != 0) {
        row++;
    }
    return row;
}
