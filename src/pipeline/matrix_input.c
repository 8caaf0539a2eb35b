/* Tells the forms of distance matrices apart and opens them. */
#include "pipeline/matrix_input.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/npy.h"

#include <string.h>

typedef enum form { FORM_MATRIX, FORM_NPY, FORM_TEXT } form;

static bool is_text(const psb_input *input) {
    for (size_t i = 0; i < input->size; i++) {
        unsigned char c = (unsigned char)input->data[i];
        if ((c < ' ' || c > '~') && c != '\n' && c != '\r' && c != '\t') {
            return false;
        }
    }
    return input->size > 0;
}

static bool has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length >= end && strcmp(path + length - end, suffix) == 0;
}

static psb_status find_form(const char *path, form *out, psb_error *error) {
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    bool npy = input.size >= 6 && memcmp(input.data, "\x93NUMPY", 6) == 0;
    bool text = !npy && !has_suffix(path, ".matrix") && is_text(&input);
    *out = npy ? FORM_NPY : text ? FORM_TEXT : FORM_MATRIX;
    psb_input_close(&input);
    return status;
}

/* The matrix takes over the array's memory, mapped or converted. */
static psb_status take_distances(const char *path, psb_npy *npy, size_t n, psb_matrix *matrix,
                                 psb_error *error) {
    if (npy->rows != n || npy->columns != n) {
        return psb_matrix_fail_shape(path, npy->rows, npy->columns, n, error);
    }
    if (npy->element != PSB_FLOAT32) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "distances as uint8, expected float32 or float64");
    }
    psb_status status = psb_matrix_check(path, npy->data, n, error);
    if (status == PSB_OK) {
        *matrix =
            (psb_matrix){.n = n, .data = npy->data, .input = npy->input, .owned = npy->converted};
        *npy = (psb_npy){0};
    }
    return status;
}

static psb_status compute_distances(const char *path, const psb_npy *npy, size_t n,
                                    const psb_metric *metric, int threads, psb_matrix *matrix,
                                    psb_error *error) {
    if (npy->rows != n) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "features of %zu models, but the classification has %zu", npy->rows, n);
    }
    psb_row_view rows = {npy->data, npy->rows, npy->columns, npy->element};
    psb_status status = PSB_OK;
    matrix->owned = psb_new(&status, n * n, sizeof(float), "a distance matrix", error);
    if (status == PSB_OK) {
        status = psb_distance_matrix(metric, &rows, threads, matrix->owned, NULL, NULL, error);
        psb_within(path, status, error);
    }
    matrix->n = n;
    matrix->data = matrix->owned;
    return status == PSB_OK ? psb_matrix_check(path, matrix->data, n, error) : status;
}

psb_status psb_matrix_open(const char *path, size_t n, const psb_metric *metric, int threads,
                           psb_matrix *matrix, psb_error *error) {
    *matrix = (psb_matrix){0};
    form found;
    psb_status status = find_form(path, &found, error);
    if (status != PSB_OK) {
        return status;
    }
    if (metric != NULL && found != FORM_NPY) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "metric %s needs features as .npy",
                           metric->name);
    }
    if (found == FORM_MATRIX) {
        return psb_matrix_read(path, n, matrix, error);
    }
    if (found == FORM_TEXT) {
        return psb_matrix_read_text(path, n, matrix, error);
    }
    psb_npy npy;
    status = psb_npy_read(path, &npy, error);
    if (status == PSB_OK) {
        status = metric != NULL ? compute_distances(path, &npy, n, metric, threads, matrix, error)
                                : take_distances(path, &npy, n, matrix, error);
        psb_npy_close(&npy);
    }
    if (status != PSB_OK) {
        psb_matrix_close(matrix);
    }
    return status;
}
