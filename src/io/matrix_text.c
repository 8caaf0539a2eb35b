/* Reads distance matrices written as text, number after number. */
#include "core/memory.h"
#include "core/number.h"
#include "io/matrix.h"
#include "io/name.h"
#include "io/npy.h"

#include <float.h>

typedef struct reader {
    const char *path;
    const char *at, *end;
    unsigned long line;
    size_t n, columns;
    psb_matrix *matrix; /* receives the names */
    psb_text names;     /* each ends with NUL */
    psb_error *error;
} reader;

/* What else a table of numbers that are no distances may be. */
static const char *advice(const char *path) {
    return psb_npy_may_be(path) ? "; rows of features need a metric, as FILE:cosine" : "";
}

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

/* Moves to the first number of the next row; false at the end of the file. */
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
                           "negative%s",
                           row, column, (int)length, start, advice(r->path));
    }
    *out = (float)value;
    return PSB_OK;
}

/* ---- names ------------------------------------------------------------------------------ */

/* Reads a name, in quotes or not, and adds it to r->names. */
static void read_name(reader *r) {
    const char *begin = r->at;
    if (r->at < r->end && *r->at == '"') {
        const char *quote = memchr(begin + 1, '"', (size_t)(r->end - begin - 1));
        begin++;
        r->at = quote != NULL ? quote : r->end;
        psb_name_add(&r->names, begin, (size_t)(r->at - begin), true);
        r->at += quote != NULL;
    } else {
        while (!at_line_end(r) && !is_separator(*r->at)) {
            r->at++;
        }
        psb_name_add(&r->names, begin, (size_t)(r->at - begin), true);
    }
    psb_text_add_bytes(&r->names, "", 1);
}

/* Copies the last `count` of the names to `ids`; the reader forgets all of them. */
static psb_status take_names(reader *r, size_t have, size_t count, psb_ids *ids) {
    psb_status status = psb_text_status(&r->names, r->error);
    PSB_FREED const char **names =
        psb_new(&status, count, sizeof *names, "names of rows", r->error);
    const char *at = r->names.data;
    for (size_t i = 0; i < have && status == PSB_OK; i++) {
        if (i + count >= have) {
            names[i + count - have] = at;
        }
        at += strlen(at) + 1;
    }
    PSB_THEN(status, psb_ids_copy(names, count, NULL, ids, r->error));
    psb_text_free(&r->names);
    return status;
}

/* Reads the first row if it holds names: it begins with a separator, since pandas leaves the corner
 * empty, or with a word that is no number. The corner may hold a name, too. */
static psb_status read_head(reader *r) {
    const char *begin = r->at;
    double number;
    if (!find_row(r)) {
        r->at = begin;
        return PSB_OK;
    }
    const char *line = r->at; /* start of its first word */
    bool corner = line > begin && strchr(",;\t", line[-1]) != NULL;
    bool head = corner || !psb_scan_double(&r->at, r->end, &number) ||
                !(at_line_end(r) || is_separator(*r->at));
    r->at = line;
    if (!head) {
        return PSB_OK;
    }
    size_t count = 0;
    for (; !at_line_end(r); skip_separators(r)) {
        read_name(r);
        count++;
    }
    if (count != r->columns && (corner || count != r->columns + 1)) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "neither ranked lists nor a matrix of these models: %zu names in the "
                           "first row, expected %zu%s",
                           count, r->columns, advice(r->path));
    }
    return take_names(r, count, r->columns, &r->matrix->column_ids);
}

/* Counts the words on this line. */
static size_t count_words(const reader *r) {
    reader copy = *r;
    size_t count = 0;
    copy.names = (psb_text){0};
    for (; !at_line_end(&copy); skip_separators(&copy)) {
        read_name(&copy);
        psb_text_free(&copy.names);
        count++;
    }
    return count;
}

/* True if rows begin with names, so that they have one word more than there are columns. A number
 * counts as a name only if the columns have names, too. */
static bool has_row_names(const reader *r) {
    reader copy = *r, first = *r;
    double number;
    return find_row(&copy) && count_words(&copy) == r->columns + 1 &&
           (r->matrix->column_ids.count > 0 ||
            (find_row(&first) && !psb_scan_double(&first.at, first.end, &number)));
}

/* ---- numbers ---------------------------------------------------------------------------- */

static psb_status read_row(reader *r, size_t row, float *out) {
    size_t column = 0;
    for (; !at_line_end(r); skip_separators(r)) {
        if (column == r->columns) {
            return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                               "row %zu has more than the %zu numbers expected%s", row, r->columns,
                               advice(r->path));
        }
        psb_status status = read_number(r, row, column, &out[column]);
        if (status != PSB_OK) {
            return status;
        }
        column++;
    }
    if (column < r->columns) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "row %zu has %zu numbers, expected %zu distances%s", row, column,
                           r->columns, advice(r->path));
    }
    return PSB_OK;
}

/*
 * Reads the distances of one set if the file holds a lower triangle or condensed distances: the
 * lengths of all rows tell which. *taken is false if it holds neither. `data` has room for n x n
 * and receives the numbers at its end first.
 */
static psb_status read_triangle(reader *r, float *data, bool *taken) {
    size_t n = r->n, count = 0, rows = 0, most = n * (n + 1) / 2;
    psb_status status = PSB_OK;
    reader copy = *r;
    bool steps = true; /* row i has i + 1 numbers so far */
    bool one_each = true;
    *taken = false;
    if (n != r->columns || n < 3 || !find_row(&copy)) {
        return PSB_OK;
    }
    size_t first = count_words(&copy);
    if (first != 1 && first != n * (n - 1) / 2) {
        return PSB_OK;
    }
    if (first == n) { /* three models: condensed only if no row follows */
        copy.at = memchr(copy.at, '\n', (size_t)(copy.end - copy.at));
        if (copy.at != NULL && find_row(&copy)) {
            return PSB_OK;
        }
    }
    *taken = true;
    for (; status == PSB_OK && find_row(r); rows++) {
        size_t before = count;
        for (; status == PSB_OK && !at_line_end(r); skip_separators(r)) {
            if (count == most) {
                return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                                   "more numbers than the %zu of a triangle of %zu models", most,
                                   n);
            }
            status = read_number(r, rows, count - before, &data[n * n - most + count]);
            count += status == PSB_OK;
        }
        steps = steps && count - before == rows + 1;
        one_each = one_each && count - before == 1;
    }
    bool diagonal = steps && rows == n;
    bool lower = diagonal || (steps && rows == n - 1);
    bool condensed = count == n * (n - 1) / 2 && (rows == 1 || one_each);
    PSB_THEN_IF(status, !lower && !condensed,
                psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, 0,
                            "%zu numbers in %zu rows are neither the distances of %zu models nor "
                            "a triangle of them",
                            count, rows, n));
    PSB_FREED float *all = psb_new(&status, count, sizeof *all, "distances", r->error);
    if (status == PSB_OK) {
        memcpy(all, data + n * n - most, count * sizeof *all);
        memset(data, 0, n * n * sizeof *data);
    }
    const float *at = all;
    for (size_t i = diagonal ? 0 : 1; i < n && status == PSB_OK && lower; i++) {
        for (size_t j = 0; j < i + diagonal; j++) {
            data[i * n + j] = data[j * n + i] = *at++;
        }
    }
    if (status == PSB_OK && !lower) {
        psb_matrix_expand(all, n, data);
    }
    return status;
}

static psb_status read_rows(reader *r, float *data) {
    bool taken = false;
    psb_status head = read_head(r);
    PSB_THEN_IF(head, r->matrix->column_ids.count == 0, read_triangle(r, data, &taken));
    if (head != PSB_OK || taken) {
        return head;
    }
    bool named = has_row_names(r);
    for (size_t row = 0; row < r->n; row++) {
        if (!find_row(r)) {
            return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                               "%zu rows, expected %zu", row, r->n);
        }
        if (named) {
            read_name(r);
            skip_separators(r);
        }
        psb_status status = read_row(r, row, data + row * r->columns);
        if (status != PSB_OK) {
            return status;
        }
    }
    if (find_row(r)) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                           "more than the %zu rows expected", r->n);
    }
    return named ? take_names(r, r->n, r->n, &r->matrix->ids) : PSB_OK;
}

psb_status psb_matrix_parse_text(const char *path, const char *data, size_t size, size_t n,
                                 size_t columns, psb_matrix *matrix, psb_error *error) {
    *matrix = (psb_matrix){.n = n, .columns = columns};
    /* A number and a separator are two bytes: allocates only what the text can hold. For one set,
     * half of the distances are enough. */
    if (n > 0 && (size / (n == columns ? 1 : 2) + n) / n < columns) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu bytes of text cannot hold %zu x %zu distances%s", size, n, columns,
                           advice(path));
    }
    psb_status status = PSB_OK;
    matrix->owned = psb_new(&status, n * columns, sizeof(float), "a distance matrix", error);
    if (status == PSB_OK) {
        reader r = {.path = path,
                    .at = data + psb_text_mark(data, size),
                    .end = data + size,
                    .line = 1,
                    .n = n,
                    .columns = columns,
                    .matrix = matrix,
                    .error = error};
        status = read_rows(&r, matrix->owned);
        matrix->data = matrix->owned;
        psb_text_free(&r.names);
    }
    if (status != PSB_OK) {
        psb_matrix_close(matrix);
    }
    return status;
}

psb_status psb_matrix_read_text(const char *path, size_t n, size_t columns, psb_matrix *matrix,
                                psb_error *error) {
    *matrix = (psb_matrix){0};
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &input, error);
    return PSB_THEN(status,
                    psb_matrix_parse_text(path, input.data, input.size, n, columns, matrix, error));
}
