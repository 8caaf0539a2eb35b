/* Checks distance matrices once, when they are opened; later code reads them in the mapped file. */
#include "io/matrix.h"

#include "core/element.h"
#include "io/npy.h"

#include <float.h>
#include <math.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the formats .matrix and .npy are read and written as they lie in memory: little-endian"
#endif

/* Returns the n whose matrix has this size; 0 if there is none. */
static size_t fitting_side(size_t size) {
    size_t n = (size_t)floor(sqrt((double)(size / sizeof(float))) + 0.5);
    return n * n * sizeof(float) == size ? n : 0;
}

static psb_status check_size(const char *path, size_t size, size_t n, psb_error *error) {
    if (n <= SIZE_MAX / sizeof(float) / (n > 0 ? n : 1) && size == n * n * sizeof(float)) {
        return PSB_OK;
    }
    size_t side = fitting_side(size);
    if (side > 0) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu bytes: a matrix of %zu x %zu models, expected %zu x %zu; give a "
                           "matrix of these models, or the classes of its own",
                           size, side, side, n, n);
    }
    return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                       "%zu bytes, not a square matrix of float32; expected %zu x %zu: write it as "
                       ".npy, or as little-endian float32, row after row",
                       size, n, n);
}

psb_status psb_matrix_fail_shape(const char *path, size_t rows, size_t columns, size_t n,
                                 size_t wanted, psb_error *error) {
    if (n == wanted) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "a matrix of %zu x %zu, but the classification has %zu models; give a "
                           "matrix of these models, or the classes of its own",
                           rows, columns, n);
    }
    return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                       "a matrix of %zu x %zu, but there are %zu queries and %zu targets: write a "
                       "row for each query, a column for each target",
                       rows, columns, n, wanted);
}

psb_status psb_matrix_check(const char *path, const float *data, size_t n, psb_error *error) {
    return psb_matrix_check_cells(path, data, n, n, error);
}

psb_status psb_matrix_check_cells(const char *path, const float *data, size_t n, size_t columns,
                                  psb_error *error) {
    size_t positive = 0;
    size_t tiny = 0;
    bool fine = psb_all_finite(data, n * columns, 0.0F);
    for (size_t i = 0; i < n * columns && !fine; i++) {
        if (!psb_all_finite(data + i, 1, 0.0F)) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                               "row %zu, column %zu is %g: a distance is finite and not negative%s",
                               i / columns, i % columns, (double)data[i],
                               data[i] < 0 ? "; write similarities as 1 - s" : "");
        }
    }
    for (size_t i = 0; i < n * columns; i++) {
        positive += data[i] > 0.0F;
        tiny += data[i] > 0.0F && data[i] < FLT_MIN;
    }
    if (tiny > positive / 2) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu of %zu distances lie between 0 and %g, as whole numbers do in the "
                           "other byte order; expected little-endian float32",
                           tiny, positive, (double)FLT_MIN);
    }
    return PSB_OK;
}

psb_status psb_matrix_parse(const char *path, const void *data, size_t size, size_t n,
                            psb_matrix *matrix, psb_error *error) {
    *matrix = (psb_matrix){0};
    psb_status status = check_size(path, size, n, error);
    PSB_THEN(status, psb_matrix_check(path, data, n, error));
    if (status == PSB_OK) {
        *matrix = (psb_matrix){.n = n, .data = data};
    }
    return status;
}

psb_status psb_matrix_read(const char *path, size_t n, psb_matrix *matrix, psb_error *error) {
    *matrix = (psb_matrix){0};
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    if (status != PSB_OK) {
        return status;
    }
    status = psb_matrix_parse(path, input.data, input.size, n, matrix, error);
    matrix->input = input;
    if (status != PSB_OK) {
        psb_matrix_close(matrix);
    }
    return status;
}

size_t psb_matrix_columns(const psb_matrix *matrix) {
    return matrix->columns > 0 ? matrix->columns : matrix->n;
}

void psb_matrix_close(psb_matrix *matrix) {
    if (matrix != NULL) {
        psb_input_close(&matrix->input);
        free(matrix->owned);
        psb_ids_free(&matrix->ids);
        psb_ids_free(&matrix->column_ids);
        *matrix = (psb_matrix){0};
    }
}

psb_status psb_matrix_name_rows(const char *path, psb_matrix *matrix, psb_error *error) {
    psb_ids *ids = &matrix->ids, *columns = &matrix->column_ids;
    psb_status status = ids->count == 0 ? psb_ids_read(path, ids, error) : PSB_OK;
    return PSB_THEN_IF(
        status, ids->count == 0 && columns->count > 0,
        psb_ids_copy((const char *const *)columns->names, columns->count, NULL, ids, error));
}

void psb_matrix_expand(const float *condensed, size_t n, float *data) {
    for (size_t i = 0; i < n; i++) {
        data[i * n + i] = 0;
        for (size_t j = i + 1; j < n; j++) {
            data[i * n + j] = data[j * n + i] = *condensed++;
        }
    }
}

psb_status psb_matrix_mirror(psb_matrix *matrix, psb_error *error) {
    size_t n = matrix->n;
    bool above = false, below = false; /* whether this triangle has a nonzero entry */
    if (psb_matrix_columns(matrix) != n) {
        return PSB_OK;
    }
    for (size_t i = 1; i < n && !(above && below); i++) {
        for (size_t j = 0; j < i && !(above && below); j++) {
            below = below || matrix->data[i * n + j] != 0;
            above = above || matrix->data[j * n + i] != 0;
        }
    }
    if (above == below) {
        return PSB_OK;
    }
    psb_status status = psb_matrix_reorder(matrix, NULL, NULL, error);
    float *data = matrix->owned;
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        for (size_t j = 0; j < i; j++) {
            data[i * n + j] = data[j * n + i] = above ? data[j * n + i] : data[i * n + j];
        }
    }
    return status;
}

psb_status psb_matrix_reorder(psb_matrix *matrix, const size_t *rows, const size_t *columns,
                              psb_error *error) {
    size_t n = matrix->n, width = psb_matrix_columns(matrix);
    psb_status status = PSB_OK;
    float *to = psb_new(&status, n * width, sizeof *to, "a matrix in another order", error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        const float *from = matrix->data + (rows != NULL ? rows[i] : i) * width;
        for (size_t j = 0; j < width; j++) {
            to[i * width + j] = from[columns != NULL ? columns[j] : j];
        }
    }
    psb_matrix_close(matrix);
    *matrix = (psb_matrix){.n = n, .data = to, .owned = to, .columns = width};
    return PSB_OK;
}

double psb_matrix_mean(const psb_matrix *matrix) {
    size_t n = matrix->n;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = 0; j < n; j++) {
            row += i != j ? (double)matrix->data[i * n + j] : 0;
        }
        sum += row;
    }
    return n > 1 ? sum / ((double)n * (double)(n - 1)) : 0;
}

psb_status psb_matrix_write_data(const char *path, const float *data, size_t n, psb_error *error) {
    return psb_write_file(path, data, n * n * sizeof *data, error);
}

psb_status psb_matrix_write_file(const char *path, const psb_matrix *m, psb_error *error) {
    return m->columns > 0 ? psb_npy_write(path, m->data, m->n, m->columns, PSB_FLOAT32, error)
                          : psb_matrix_write_data(path, m->data, m->n, error);
}
