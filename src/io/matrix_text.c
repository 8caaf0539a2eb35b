/* Distance matrices written as text: one pass over the file, one number after the other. */
#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "io/matrix.h"

#include <float.h>
#include <string.h>

typedef struct reader {
    const char *path;
    const char *at, *end;
    unsigned long line;
    size_t n, columns;
    psb_error *error;
} reader;

static bool is_separator(char c) {
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

static void skip_separators(reader *r) {
    while (r->at < r->end && is_separator(*r->at)) {
        r->at++;
    }
}

static bool at_line_end(const reader *r) {
    return r->at == r->end || *r->at == '\n';
}

/* Goes to the first number of the next row; false at the end of the file. */
static bool find_row(reader *r) {
    while (r->at < r->end) {
        skip_separators(r);
        if (!at_line_end(r) && *r->at != '#' && *r->at != '%') {
            return true;
        }
        const char *feed = memchr(r->at, '\n', (size_t)(r->end - r->at));
        r->at = feed != NULL ? feed + 1 : r->end;
        r->line++;
    }
    return false;
}

static psb_status read_number(reader *r, size_t row, size_t column, float *out) {
    const char *start = r->at;
    double value;
    bool number =
        psb_scan_double(&r->at, r->end, &value) && (at_line_end(r) || is_separator(*r->at));
    if (!number || !(value >= 0 && value <= (double)FLT_MAX)) {
        size_t length = 0;
        while (start + length < r->end && length < 24 && !is_separator(start[length]) &&
               start[length] > ' ' && start[length] <= '~') {
            length++;
        }
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "row %zu, column %zu is '%.*s': a distance is a finite number, not "
                           "negative",
                           row, column, (int)length, start);
    }
    *out = (float)value;
    return PSB_OK;
}

static psb_status read_row(reader *r, size_t row, float *out) {
    size_t column = 0;
    for (; !at_line_end(r); skip_separators(r)) {
        if (column == r->columns) {
            return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                               "row %zu has more than the %zu numbers expected", row, r->columns);
        }
        psb_status status = read_number(r, row, column, &out[column]);
        if (status != PSB_OK) {
            return status;
        }
        column++;
    }
    if (column < r->columns) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "row %zu has %zu numbers, expected %zu", row, column, r->columns);
    }
    return PSB_OK;
}

static psb_status read_rows(reader *r, float *data) {
    for (size_t row = 0; row < r->n; row++) {
        if (!find_row(r)) {
            return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                               "%zu rows, expected %zu", row, r->n);
        }
        psb_status status = read_row(r, row, data + row * r->columns);
        if (status != PSB_OK) {
            return status;
        }
    }
    return find_row(r) ? psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                                     "more than the %zu rows expected", r->n)
                       : PSB_OK;
}

psb_status psb_matrix_parse_text(const char *path, const char *data, size_t size, size_t n,
                                 size_t columns, psb_matrix *matrix, psb_error *error) {
    *matrix = (psb_matrix){.n = n, .columns = columns};
    /* A number and a separator are two bytes: no memory for what cannot be there. */
    if (n > 0 && (size / 2 + 1) / n < columns) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu bytes of text cannot hold %zu x %zu distances", size, n, columns);
    }
    psb_status status = PSB_OK;
    matrix->owned = psb_new(&status, n * columns, sizeof(float), "a distance matrix", error);
    if (status == PSB_OK) {
        reader r = {path, data, data + size, 1, n, columns, error};
        status = read_rows(&r, matrix->owned);
        matrix->data = matrix->owned;
    }
    if (status != PSB_OK) {
        psb_matrix_close(matrix);
    }
    return status;
}

psb_status psb_matrix_read_text(const char *path, size_t n, size_t columns, psb_matrix *matrix,
                                psb_error *error) {
    *matrix = (psb_matrix){0};
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    if (status == PSB_OK) {
        status = psb_matrix_parse_text(path, input.data, input.size, n, columns, matrix, error);
        psb_input_close(&input);
    }
    return status;
}
