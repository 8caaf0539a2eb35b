/* Tells the forms of distance matrices apart and opens them. */
#include "proof/matrix_input.h"

#include "io/npy.h"
#include "io/npz.h"
#include "io/plain_text.h"
#include "proof/results.h"

typedef enum form { FORM_MATRIX, FORM_NPY, FORM_TEXT } form;

static bool is_text(const psb_input *input) {
    for (size_t i = 0; i < input->size; i++) {
        unsigned char c = (unsigned char)input->data[i];
        if ((c < ' ' || c == 0x7f) && c != '\n' && c != '\r' && c != '\t') {
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
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_npz_is(path) ? PSB_OK : psb_input_open(path, &input, error);
    PSB_THEN(status, psb_refuse_format(path, input.data, input.size, error));
    bool npy = psb_npz_is(path) || (input.size >= 6 && memcmp(input.data, "\x93NUMPY", 6) == 0);
    bool text = !npy && !has_suffix(path, ".matrix") && is_text(&input);
    *out = npy ? FORM_NPY : text ? FORM_TEXT : FORM_MATRIX;
    return status;
}

/* Fails for features in the place of distances; a run's features have a metric of their own. */
static psb_status fail_features(const char *path, const psb_npy *npy, psb_error *error) {
    PSB_AT_END(psb_results_free) psb_results results = {.whole = false};
    PSB_FREED char *name = NULL;
    if (psb_results_of_file(path, &results, &name, NULL) == PSB_OK && name != NULL) {
        const char *file = psb_last_part(name);
        psb_fail_at(
            error, PSB_ERROR_INPUT, path, 0,
            "%zu x %zu numbers are the features of a run, not distances: name them as %.*s%.*s",
            npy->rows, npy->columns, psb_results_before(path, name), path, (int)strlen(file) - 4,
            file); /* without ".npy" */
    } else {
        psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                    "%zu x %zu numbers are no distances; if they are the features of %zu models, "
                    "name a metric, as %s:cosine",
                    npy->rows, npy->columns, npy->rows, psb_path_shown(path));
    }
    return PSB_ERROR_INPUT;
}

/* Makes a matrix of an array of distances and takes over its memory, mapped or converted. */
static psb_status take_distances(const char *path, psb_npy *npy, size_t n, size_t columns,
                                 psb_matrix *matrix, psb_error *error) {
    bool condensed = npy->rows == 1 && n == columns && n > 2 && npy->columns == n * (n - 1) / 2;
    psb_status status = PSB_OK;
    if (!condensed && npy->rows == n && npy->columns != columns && n == columns) {
        return fail_features(path, npy, error);
    }
    if (!condensed && (npy->rows != n || npy->columns != columns)) {
        return psb_matrix_fail_shape(path, npy->rows, npy->columns, n, columns, error);
    }
    if (condensed || npy->element != PSB_FLOAT32) {
        size_t count = npy->rows * npy->columns;
        float *data = psb_new(&status, n * columns, sizeof *data, "distances", error);
        PSB_FREED float *floats = psb_new(&status, count, sizeof *floats, "distances", error);
        for (size_t i = 0; i < count && status == PSB_OK; i++) {
            floats[i] = npy->element == PSB_UINT8 ? ((const unsigned char *)npy->data)[i]
                                                  : ((const float *)npy->data)[i];
        }
        if (status == PSB_OK && condensed) {
            psb_matrix_expand(floats, n, data);
        } else if (status == PSB_OK) {
            memcpy(data, floats, count * sizeof *data);
        }
        psb_npy_close(npy);
        *npy = (psb_npy){n, columns, PSB_FLOAT32, data, {NULL, 0}, data, {0}};
    }
    PSB_THEN(status, psb_matrix_check_cells(path, npy->data, n, columns, error));
    if (status == PSB_OK) {
        *matrix = (psb_matrix){.n = n,
                               .data = npy->data,
                               .input = npy->input,
                               .owned = npy->converted,
                               .columns = columns};
        *npy = (psb_npy){0};
    }
    return status;
}

static psb_status compute_distances(const char *path, psb_npy *npy, size_t n,
                                    const psb_metric *metric, int threads, psb_matrix *matrix,
                                    psb_error *error) {
    psb_status status = psb_npy_check_models(path, npy, n, error);
    PSB_THEN(status, psb_within(path, psb_metric_fit(metric, npy, error), error));
    psb_row_view rows = psb_npy_rows(npy);
    matrix->owned = psb_new(&status, n * n, sizeof(float), "a distance matrix", error);
    if (status == PSB_OK) {
        status = psb_distance_matrix(metric, &rows, threads, matrix->owned, NULL, NULL, error);
        psb_within(path, status, error);
    }
    matrix->n = n;
    matrix->data = matrix->owned;
    PSB_THEN(status, psb_ids_of_rows(path, npy, &matrix->ids, error));
    return status == PSB_OK ? psb_matrix_check(path, matrix->data, n, error) : status;
}

psb_status psb_matrix_open(const char *path, size_t n, size_t columns, const psb_metric *metric,
                           int threads, psb_matrix *matrix, psb_error *error) {
    *matrix = (psb_matrix){0};
    form found;
    psb_status status = find_form(path, &found, error);
    if (status != PSB_OK) {
        return status;
    }
    if (metric != NULL && found == FORM_MATRIX) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "metric %s is for features: leave it out for a matrix of distances",
                           metric->name);
    }
    if (found == FORM_MATRIX && n != columns) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "neither .npy nor text, and only these hold distances of %zu queries to "
                           "%zu targets: write it as .npy",
                           n, columns);
    }
    psb_npy npy = {0};
    if (found == FORM_MATRIX) {
        status = psb_matrix_read(path, n, matrix, error);
    } else if (found == FORM_TEXT && metric == NULL) {
        status = psb_matrix_read_text(path, n, columns, matrix, error);
    } else {
        status = psb_npy_read(path, &npy, error);
    }
    PSB_THEN_IF(status, metric != NULL,
                compute_distances(path, &npy, n, metric, threads, matrix, error));
    PSB_THEN_IF(status, metric == NULL && found == FORM_NPY,
                take_distances(path, &npy, n, columns, matrix, error));
    psb_npy_close(&npy);
    PSB_THEN_IF(status, metric == NULL, psb_matrix_mirror(matrix, error));
    if (status != PSB_OK) {
        psb_matrix_close(matrix);
    }
    return status;
}

/* ---- two sets --------------------------------------------------------------------------- */

/* Reads the features of a set's models and puts the rows in the set's order. */
static psb_status open_side(const char *path, const psb_classification *cla, bool *unnamed,
                            psb_npy *npy, psb_error *error) {
    PSB_AT_END(psb_ids_free) psb_ids ids = {0};
    PSB_FREED size_t *order = NULL;
    psb_status status = psb_results_check_file(path, false, error);
    PSB_THEN(status, psb_npy_read(path, npy, error));
    PSB_THEN(status, psb_npy_check_models(path, npy, cla->nmodels, error));
    PSB_THEN(status, psb_ids_of_rows(path, npy, &ids, error));
    *unnamed = *unnamed || ids.count == 0;
    PSB_THEN(status, psb_ids_order(path, &ids, cla, &order, error));
    return PSB_THEN_IF(status, order != NULL, psb_npy_reorder(npy, order, error));
}

static psb_status compute_between(const char *paths, const psb_matrix_sides *sides, psb_npy *a,
                                  psb_npy *b, psb_matrix *matrix, psb_error *error) {
    psb_status status = psb_within(paths, psb_metric_fit(sides->metric, a, error), error);
    PSB_THEN(status, psb_within(paths, psb_metric_fit(sides->metric, b, error), error));
    PSB_THEN(status, psb_npy_check_alike(paths, a, "the targets", b, error));
    psb_row_view queries = psb_npy_rows(a);
    psb_row_view rows = psb_npy_rows(b);
    psb_error own;
    if (status != PSB_OK) {
        return status;
    }
    if (b->rows > 0 && a->rows > sides->memory / sizeof(float) / b->rows) {
        return psb_fail_at(error, PSB_ERROR_USAGE, paths, 0,
                           "distances of %zu to %zu models do not fit into %zu bytes; 'psbench "
                           "search' writes lists of the nearest without them",
                           a->rows, b->rows, sides->memory);
    }
    float *data = psb_new(&status, a->rows * b->rows, sizeof *data, "distances", error);
    *matrix = (psb_matrix){.n = a->rows, .data = data, .owned = data, .columns = b->rows};
    if (status == PSB_OK && psb_distance_between(sides->metric, &queries, &rows, sides->threads,
                                                 data, NULL, NULL, &own) != PSB_OK) {
        status = psb_fail_at(error, own.status, paths, 0, "%s", own.message);
    }
    return PSB_THEN(status, psb_matrix_check_cells(paths, data, a->rows, b->rows, error));
}

psb_status psb_matrix_between(const char *paths, psb_matrix_sides *sides, psb_matrix *matrix,
                              psb_error *error) {
    const char *comma = strchr(paths, ',');
    psb_npy a = {0}, b = {0};
    psb_status status = PSB_OK;
    *matrix = (psb_matrix){0};
    if (comma == NULL) {
        return psb_fail_at(error, PSB_ERROR_USAGE, paths, 0,
                           "want the features of queries and of targets: A.npy,B.npy");
    }
    PSB_FREED char *first = psb_new_text(&status, paths, (size_t)(comma - paths), "a path", error);
    PSB_THEN(status, open_side(first, sides->queries, &sides->unnamed, &a, error));
    PSB_THEN(status, open_side(comma + 1, sides->targets, &sides->unnamed, &b, error));
    PSB_THEN(status, compute_between(paths, sides, &a, &b, matrix, error));
    psb_npy_close(&a);
    psb_npy_close(&b);
    if (status != PSB_OK) {
        psb_matrix_close(matrix);
    }
    return status;
}
