/* Distances between rows: all pairs as a matrix, or one. */
#include "core/error.h"
#include "core/linear.h"
#include "core/memory.h"
#include "library/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A matrix of its own, with the names of its rows; *data for the distances. */
static psb_matrix *new_matrix(psb_status *status, size_t n, const char *const *names, float **data,
                              psb_error *error) {
    psb_matrix *m = psb_new_zero(status, 1, sizeof *m, "a matrix", error);
    *data = psb_new(status, n > 0 && n > SIZE_MAX / n ? SIZE_MAX : n * n, sizeof **data,
                    "a distance matrix", error);
    if (m != NULL) {
        *m = (psb_matrix){.n = n, .data = *data, .owned = *data};
    }
    if (*status == PSB_OK && names != NULL) {
        *status = psb_ids_copy(names, n, NULL, &m->ids, error);
    }
    return m;
}

static psb_status give(psb_status status, psb_matrix *m, psb_matrix **matrix) {
    if (status != PSB_OK) {
        psb_matrix_free(m);
        m = NULL;
    }
    *matrix = m;
    return status;
}

psb_status psb_distances(psb_context *psb, const psb_rows *rows, const char *metric,
                         psb_matrix **matrix, psb_error *error) {
    float *data;
    const psb_metric *by;
    psb_stage stage = {.observer = &psb->observer, .name = "distances"};
    psb_row_view view = psb_rows_view(rows);
    psb_status status = psb_metric_named(psb, metric, rows->metric, &by, error);
    psb_matrix *m = new_matrix(&status, view.n, (const char *const *)rows->ids.names, &data, error);
    PSB_THEN(status, psb_linear_enter(error));
    if (status == PSB_OK) {
        status =
            psb_distance_matrix(by, &view, psb->threads, data, psb_stage_progress, &stage, error);
        psb_linear_leave();
    }
    return give(status, m, matrix);
}

psb_status psb_matrix_new(const float *data, size_t n, const char *const *names,
                          psb_matrix **matrix, psb_error *error) {
    float *copy;
    psb_status status =
        data != NULL && n > 0 ? PSB_OK : psb_misuse(error, "a matrix needs distances");
    psb_matrix *m = new_matrix(&status, n, names, &copy, error);
    if (status == PSB_OK) {
        memcpy(copy, data, n * n * sizeof *copy);
        status = psb_matrix_check("a matrix", copy, n, error);
    }
    return give(status, m, matrix);
}

static psb_status write_data(const char *path, const void *what, psb_error *error) {
    const psb_matrix *matrix = what;
    return psb_matrix_write_data(path, matrix->data, matrix->n, error);
}

psb_status psb_matrix_write(const psb_matrix *matrix, const char *path, psb_error *error) {
    return psb_write_named(path, &matrix->ids, write_data, matrix, error);
}

void psb_matrix_free(psb_matrix *matrix) {
    psb_matrix_close(matrix);
    free(matrix);
}

size_t psb_matrix_count(const psb_matrix *matrix) {
    return matrix->n;
}

const float *psb_matrix_at(const psb_matrix *matrix, size_t row) {
    return row < matrix->n ? matrix->data + row * matrix->n : NULL;
}

const char *psb_matrix_name(const psb_matrix *matrix, size_t row) {
    return row < matrix->ids.count ? matrix->ids.names[row] : NULL;
}

/* As a tile of one row by one, so that the bits are those of a matrix. */
static psb_status compute(const psb_metric *metric, psb_row_view rows[2], float *distance,
                          psb_error *error) {
    psb_status status = PSB_OK;
    size_t block = psb_block_bytes(metric, 1, rows[0].length);
    size_t scratch = psb_tile_scratch(metric, 1, rows[0].length);
    char *memory = psb_new(&status, 1, 2 * block + scratch, "a pair", error);
    PSB_THEN(status, psb_linear_enter(error));
    if (status == PSB_OK) {
        psb_block a = psb_block_prepare(metric, &rows[0], memory);
        psb_block b = psb_block_prepare(metric, &rows[1], memory + block);
        metric->tile(&a, &b, false, memory + 2 * block, distance, 1);
        psb_linear_leave();
    }
    free(memory);
    return status;
}

psb_status psb_distance(const psb_spec *spec, const void *a, const void *b, size_t bytes,
                        float *distance, psb_error *error) {
    const psb_metric *metric = spec->descriptor->metric;
    size_t length = psb_spec_length(spec);
    psb_row_view rows[2] = {{a, 1, length, metric->element}, {b, 1, length, metric->element}};
    if (bytes != psb_spec_row_bytes(spec)) {
        return psb_fail(error, PSB_ERROR_USAGE, "rows of %zu bytes, but those of %s have %zu",
                        bytes, psb_spec_label(spec), psb_spec_row_bytes(spec));
    }
    psb_status status = psb_metric_check(metric, &rows[0], error);
    PSB_THEN(status, psb_metric_check(metric, &rows[1], error));
    PSB_THEN(status, compute(metric, rows, distance, error));
    return status != PSB_OK || isfinite(*distance)
               ? status
               : psb_fail(error, PSB_ERROR_INPUT, "the distance is not finite");
}
