/* Computes distances between rows: a matrix of all pairs, or a single one. */
#include "library/call.h"
#include "library/parts.h"
#include "proof/matrix_input.h"
#include "proof/results.h"

#include <math.h>

/* Allocates a matrix with names for its rows; *data is where the distances go. */
static psb_matrix *new_matrix(psb_status *status, size_t n, size_t columns,
                              const char *const *names, float **data, psb_error *error) {
    psb_matrix *m = psb_new_zero(status, 1, sizeof *m, "a matrix", error);
    *data = psb_new(status, n > 0 && columns > SIZE_MAX / n ? SIZE_MAX : n * columns, sizeof **data,
                    "a distance matrix", error);
    if (m != NULL) {
        *m = (psb_matrix){.n = n, .data = *data, .owned = *data};
    }
    PSB_THEN_IF(*status, names != NULL, psb_ids_copy(names, n, NULL, &m->ids, error));
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
    return psb_distances_between(psb, rows, rows, metric, matrix, error);
}

/* Sets sides[0 ... 1] to the rows of both as the metric takes them. Close them, also on failure. */
static psb_status fit_sides(const psb_rows *queries, const psb_rows *targets,
                            const psb_metric *metric, psb_npy sides[2], psb_error *error) {
    psb_status status = psb_rows_fit(queries, metric, &sides[0], error);
    PSB_THEN(status, queries != targets ? psb_rows_fit(targets, metric, &sides[1], error) : PSB_OK);
    PSB_THEN(status, psb_rows_check_alike(queries, targets, error));
    return PSB_THEN_IF(status, queries != targets,
                       psb_npy_check_alike(psb_rows_place(targets), &sides[1],
                                           psb_rows_place(queries), &sides[0], error));
}

psb_status psb_distances_between(psb_context *psb, const psb_rows *queries, const psb_rows *targets,
                                 const char *metric, psb_matrix **matrix, psb_error *error) {
    float *data;
    const psb_metric *by;
    psb_npy sides[2] = {{0}};
    psb_stage stage = {.observer = &psb->observer, .name = "distances"};
    psb_status status = psb_rows_metric(psb, queries, targets, metric, &by, error);
    PSB_THEN(status, fit_sides(queries, targets, by, sides, error));
    psb_row_view rows = psb_npy_rows(&sides[0]), others = psb_npy_rows(&sides[queries != targets]);
    psb_matrix *m = new_matrix(&status, rows.n, others.n, (const char *const *)queries->ids.names,
                               &data, error);
    PSB_THEN_IF(status, queries != targets && targets->ids.count > 0,
                psb_ids_copy((const char *const *)targets->ids.names, others.n, NULL,
                             &m->column_ids, error));
    if (status == PSB_OK) {
        m->columns = queries != targets ? others.n : 0;
    }
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    PSB_THEN(status, psb_distance_between(by, &rows, queries == targets ? &rows : &others,
                                          psb->threads, data, psb_stage_progress, &stage, error));
    psb_npy_close(&sides[0]);
    psb_npy_close(&sides[1]);
    return give(status, m, matrix);
}

psb_status psb_matrix_new(const float *data, size_t n, const char *const *names,
                          psb_matrix **matrix, psb_error *error) {
    float *copy;
    psb_status status =
        data != NULL && n > 0 ? PSB_OK : psb_misuse(error, "a matrix needs distances");
    PSB_THEN_IF(status, names != NULL, psb_check_names(names, n, error));
    psb_matrix *m = new_matrix(&status, n, n, names, &copy, error);
    if (status == PSB_OK) {
        memcpy(copy, data, n * n * sizeof *copy);
        status = psb_matrix_check("a matrix", copy, n, error);
    }
    return give(status, m, matrix);
}

/* Sorts the matrix into the collection's order and gives it the collection's names. */
static psb_status name_matrix(psb_matrix *m, const psb_collection *models, const char *path,
                              psb_error *error) {
    const psb_classification *cla = &models->set.cla;
    PSB_FREED size_t *order = NULL;
    size_t *columns = NULL;
    bool both = m->column_ids.count > 0;
    psb_status status = psb_matrix_name_rows(path, m, error);
    PSB_THEN(status, psb_ids_order(path, &m->ids, cla, &order, error));
    PSB_THEN_IF(status, both, psb_ids_order(path, &m->column_ids, cla, &columns, error));
    PSB_THEN_IF(status, order != NULL || columns != NULL,
                psb_matrix_reorder(m, order, both ? columns : order, error));
    psb_ids_free(&m->ids);
    psb_ids_free(&m->column_ids);
    free(columns);
    m->columns = 0; /* square again */
    return PSB_THEN(
        status, psb_ids_copy((const char *const *)cla->models, cla->nmodels, NULL, &m->ids, error));
}

psb_status psb_distances_read(psb_context *psb, const char *path, const psb_collection *models,
                              psb_matrix **matrix, psb_error *error) {
    size_t n = psb_collection_count(models);
    psb_status status = psb_results_check_file(path, false, error);
    psb_matrix *m = psb_new_zero(&status, 1, sizeof *m, "a matrix", error);
    PSB_THEN(status, psb_matrix_open(path, n, n, NULL, psb->threads, m, error));
    PSB_THEN(status, name_matrix(m, models, path, error));
    return give(status, m, matrix);
}

static psb_status write_data(const char *path, const void *what, psb_error *error) {
    return psb_matrix_write_file(path, what, error);
}

/* Writes the names of columns to PATH.columns.ids; PATH.columns itself does not exist. */
static psb_status write_columns(const char *path, const psb_ids *ids, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *columns = psb_new_format(&status, error, "%s.columns", path);
    return PSB_THEN(status, psb_ids_write(columns, ids->names, ids->count, error));
}

/* Like psb_write_named, and writes the names of columns; `columns` is NULL for one set. */
static psb_status write_distances(const char *path, const psb_ids *ids, const psb_ids *columns,
                                  psb_status (*write)(const char *path, const void *what,
                                                      psb_error *error),
                                  const void *what, psb_error *error) {
    bool beside = columns != NULL && !psb_is_written_in_place(path);
    psb_status status = beside ? write_columns(path, &(psb_ids){0}, error) : PSB_OK;
    PSB_THEN(status, psb_write_named(path, ids, write, what, error));
    return status == PSB_OK && beside ? write_columns(path, columns, error) : status;
}

psb_status psb_matrix_write(const psb_matrix *matrix, const char *path, psb_error *error) {
    return write_distances(path, &matrix->ids, matrix->columns > 0 ? &matrix->column_ids : NULL,
                           write_data, matrix, error);
}

/* ---- written as they are computed --------------------------------------------------------- */

/* Distances that are computed and written a few lines at a time. */
typedef struct writing {
    psb_row_view rows, others;
    const psb_metric *metric;
    psb_stage stage;
    int threads;
    size_t first, end; /* the current lines */
    float *lines;
} writing;

/* Reports progress in lines; some are computed at a time. */
static int show_lines(size_t done, size_t total, void *context) {
    writing *w = context;
    size_t lines = total > 0 ? (w->end - w->first) * done / total : 0;
    return psb_stage_progress(w->first + lines, w->rows.n, &w->stage);
}

static psb_status write_lines(writing *w, size_t most, FILE *stream, psb_error *error) {
    bool same = w->rows.data == w->others.data;
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, w->stage.observer, error);
    if (status != PSB_OK) {
        return status;
    }
    for (w->first = 0; w->first < w->rows.n && status == PSB_OK && !ferror(stream);
         w->first = w->end) {
        w->end = w->rows.n - w->first < most ? w->rows.n : w->first + most;
        status = psb_distance_lines(w->metric, &w->rows, same ? &w->rows : &w->others, w->first,
                                    w->end, w->threads, w->lines, show_lines, w, error);
        size_t count = (w->end - w->first) * w->others.n;
        fwrite(w->lines, sizeof *w->lines, status == PSB_OK ? count : 0, stream);
    }
    return status;
}

/* Returns how many lines fit in `most` bytes, as whole tiles, at least one. */
static size_t lines_in(size_t most, size_t line) {
    size_t lines = most / line / PSB_TILE * PSB_TILE;
    return lines > 0 ? lines : PSB_TILE;
}

/* Commits the lines that were written. `what` points to a pointer to the output. */
static psb_status name_lines(const char *path PSB_UNUSED, const void *what, psb_error *error) {
    psb_output *const *output = what;
    return psb_output_commit(*output, error);
}

psb_status psb_distances_write_in(psb_context *psb, const psb_rows *queries,
                                  const psb_rows *targets, const char *metric, size_t most,
                                  const char *path, psb_error *error) {
    writing w = {.stage = {.observer = &psb->observer, .name = "distances"},
                 .threads = psb->threads};
    psb_output output = {.stream = NULL}, *const written = &output;
    psb_npy sides[2] = {{0}};
    bool two = queries != targets;
    psb_status status = psb_rows_metric(psb, queries, targets, metric, &w.metric, error);
    PSB_THEN(status, fit_sides(queries, targets, w.metric, sides, error));
    w.rows = psb_npy_rows(&sides[0]);
    w.others = psb_npy_rows(&sides[two]);
    size_t lines = lines_in(most, w.others.n > 0 ? w.others.n * sizeof *w.lines : 1);
    lines = lines < w.rows.n ? lines : w.rows.n;
    w.lines = psb_new(&status, lines, w.others.n * sizeof *w.lines, "distances", error);
    PSB_THEN(status, psb_output_open(path, &output, error));
    if (status == PSB_OK && two) {
        psb_npy_write_head(&output, w.rows.n, w.others.n, PSB_FLOAT32);
    }
    PSB_THEN(status, write_lines(&w, lines, output.stream, error));
    free(w.lines);
    psb_npy_close(&sides[0]);
    psb_npy_close(&sides[1]);
    PSB_THEN(status, write_distances(path, &queries->ids, two ? &targets->ids : NULL, name_lines,
                                     &written, error));
    psb_output_discard(&output);
    return status;
}

psb_status psb_distances_write(psb_context *psb, const psb_rows *queries, const psb_rows *targets,
                               const char *metric, const char *path, psb_error *error) {
    static const size_t whole = (size_t)1 << 30, part = (size_t)256 << 20;
    size_t rows = psb_rows_count(queries), line = psb_rows_count(targets) * sizeof(float);
    bool fits = line == 0 || rows <= whole / line; /* then a set's pairs are computed once each */
    return psb_distances_write_in(psb, queries, targets, metric, fits ? whole : part, path, error);
}

void psb_matrix_free(psb_matrix *matrix) {
    psb_matrix_close(matrix);
    free(matrix);
}

size_t psb_matrix_count(const psb_matrix *matrix) {
    return matrix->n;
}

const float *psb_matrix_at(const psb_matrix *matrix, size_t row) {
    return row < matrix->n ? matrix->data + row * psb_matrix_columns(matrix) : NULL;
}

const char *psb_matrix_name(const psb_matrix *matrix, size_t row) {
    return row < matrix->ids.count ? matrix->ids.names[row] : NULL;
}

/* Computes a tile of 1 x 1, so that the bits are those of a matrix. */
static psb_status compute(const psb_metric *metric, psb_row_view rows[2], float *distance,
                          psb_error *error) {
    psb_status status = PSB_OK;
    size_t block = psb_block_bytes(metric, 1, rows[0].length);
    size_t scratch = psb_tile_scratch(metric, 1, rows[0].length);
    PSB_FREED char *memory = psb_new(&status, 1, 2 * block + scratch, "a pair", error);
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, NULL, error));
    if (status == PSB_OK) {
        psb_block a = psb_block_prepare(metric, &rows[0], memory);
        psb_block b = psb_block_prepare(metric, &rows[1], memory + block);
        metric->tile(&a, &b, false, memory + 2 * block, distance, 1);
    }
    return status;
}

psb_status psb_distance(const psb_spec *spec, const void *a, const void *b, size_t bytes,
                        float *distance, psb_error *error) {
    const psb_metric *metric = psb_spec_metric(spec);
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
