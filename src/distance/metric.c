/* Holds the table of metrics. */
#include "distance/metric.h"

#include "core/element.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/watch.h"
#include "distance/screen.h"

#include <float.h>
#include <string.h>

#define POINTER(name) &name,
static const psb_metric *const table[] = {PSB_METRICS(POINTER)};

size_t psb_metric_count(void) {
    return sizeof table / sizeof table[0];
}

const psb_metric *psb_metric_at(size_t index) {
    return index < psb_metric_count() ? table[index] : NULL;
}

/* What others call these metrics; in files, tables and keys they keep their own names. */
static const struct {
    const char *name;
    const psb_metric *metric;
} also[] = {{"euclidean", &psb_l2}, {"cityblock", &psb_l1}, {"manhattan", &psb_l1}};

const char *psb_metric_word(size_t index) {
    size_t count = psb_metric_count();
    return index < count                                  ? table[index]->name
           : index - count < sizeof also / sizeof also[0] ? also[index - count].name
                                                          : NULL;
}

const psb_metric *psb_metric_find(const char *name) {
    size_t i = 0, count = psb_metric_count();
    while (psb_metric_word(i) != NULL && strcmp(psb_metric_word(i), name) != 0) {
        i++;
    }
    return i < count ? table[i] : psb_metric_word(i) != NULL ? also[i - count].metric : NULL;
}

const psb_metric *psb_metric_limited(const psb_metric *metric, size_t length) {
    return metric->limited != NULL && length >= PSB_SCREEN_SHORTEST ? metric->limited : metric;
}

size_t psb_block_bytes(const psb_metric *metric, size_t rows, size_t length) {
    return metric->prepare != NULL ? psb_whole_lines(metric->prepared_bytes(rows, length)) : 0;
}

size_t psb_tile_scratch(const psb_metric *metric, size_t rows, size_t length) {
    return metric->tile_scratch != NULL ? psb_whole_lines(metric->tile_scratch(rows, length)) : 0;
}

psb_block psb_block_prepare(const psb_metric *metric, const psb_row_view *rows, void *memory) {
    if (metric->prepare != NULL) {
        metric->prepare(rows, memory);
    }
    return (psb_block){metric, *rows, memory, NULL};
}

float psb_block_limit(const psb_block *a, size_t i, const psb_block *b, size_t j) {
    float left = a->limit != NULL ? a->limit[i] : 0, right = b->limit != NULL ? b->limit[j] : 0;
    bool limited = a->limit != NULL || b->limit != NULL;
    return !limited ? FLT_MAX : left > right ? left : right;
}

const char *psb_element_name(psb_element element) {
    return element == PSB_UINT8 ? "uint8" : "float32";
}

psb_row_view psb_npy_rows(const psb_npy *npy) {
    return (psb_row_view){npy->data, npy->rows, npy->columns, npy->element};
}

psb_row_view psb_rows_part(const psb_row_view *rows, size_t first, size_t n) {
    size_t bytes = rows->length * psb_element_bytes(rows->element);
    size_t left = rows->n - first;
    return (psb_row_view){(const char *)rows->data + first * bytes, n < left ? n : left,
                          rows->length, rows->element};
}

static psb_status check_signs(const psb_metric *metric, const psb_row_view *rows,
                              psb_error *error) {
    const float *data = rows->data;
    for (size_t i = 0; i < rows->n * rows->length; i++) {
        if (data[i] < 0) {
            return psb_fail(error, PSB_ERROR_INPUT,
                            "row %zu, column %zu is %g: metric %s takes no negative numbers",
                            i / rows->length, i % rows->length, (double)data[i], metric->name);
        }
    }
    return PSB_OK;
}

psb_status psb_metric_check(const psb_metric *metric, const psb_row_view *rows, psb_error *error) {
    if (rows->element != metric->element) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "metric %s takes %s rows, these are %s: rows of another descriptor?",
                        metric->name, psb_element_name(metric->element),
                        psb_element_name(rows->element));
    }
    if (metric->accepts != NULL && !metric->accepts(rows->length)) {
        return psb_fail(error, PSB_ERROR_USAGE, "metric %s does not take rows of %zu numbers",
                        metric->name, rows->length);
    }
    return metric->no_negatives ? check_signs(metric, rows, error) : PSB_OK;
}

/* Distances have a form that no features have: a square with a diagonal of 0. */
static psb_status refuse_distances(const psb_npy *npy, psb_error *error) {
    const size_t n = npy->element == PSB_FLOAT32 && npy->columns == npy->rows ? npy->rows : 0;
    size_t i = 0;
    while (i < n && ((const float *)npy->data)[i * n + i] == 0) {
        i++;
    }
    return n > 2 && i == n
               ? psb_fail(error, PSB_ERROR_INPUT,
                          "%zu x %zu numbers with a diagonal of 0 are distances, which need no "
                          "metric: give one to the files of features alone, as FILE:l2",
                          n, n)
               : PSB_OK;
}

psb_status psb_metric_fit(const psb_metric *metric, psb_npy *npy, psb_error *error) {
    psb_status status = metric->element == PSB_FLOAT32 ? psb_npy_widen(npy, error) : PSB_OK;
    psb_row_view rows = psb_npy_rows(npy);
    PSB_THEN(status, refuse_distances(npy, error));
    return PSB_THEN(status, psb_metric_check(metric, &rows, error));
}

void psb_tile_by_pairs(double (*pair)(const void *a, const void *b, size_t length),
                       const psb_block *a, const psb_block *b, bool upper, float *out,
                       size_t stride) {
    const float *rows_a = a->rows.data, *rows_b = b->rows.data;
    size_t length = a->rows.length;
    for (size_t i = 0; i < a->rows.n && psb_go_on(NULL) == PSB_OK; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j++) {
            out[i * stride + j] = (float)pair(rows_a + i * length, rows_b + j * length, length);
        }
    }
}

void psb_tile_turn(const float *restrict from, size_t rows, size_t columns, size_t stride,
                   float *restrict to, size_t to_stride) {
    enum { SQUARE = 16 }; /* squares of `from` and `to` fit the first-level cache */
    for (size_t i0 = 0; i0 < rows; i0 += SQUARE) {
        size_t i1 = rows - i0 < SQUARE ? rows : i0 + SQUARE;
        for (size_t j0 = 0; j0 < columns; j0 += SQUARE) {
            size_t j1 = columns - j0 < SQUARE ? columns : j0 + SQUARE;
            for (size_t j = j0; j < j1; j++) {
                for (size_t i = i0; i < i1; i++) {
                    to[j * to_stride + i] = from[i * stride + j];
                }
            }
        }
    }
}

void psb_tile_mirror(float *tile, size_t n, size_t stride) {
    for (size_t i = 0; i < n; i++) {
        tile[i * stride + i] = 0.0F;
        for (size_t j = 0; j < i; j++) {
            tile[i * stride + j] = tile[j * stride + i];
        }
    }
}
