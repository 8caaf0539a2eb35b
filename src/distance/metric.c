/* The table of metrics. */
#include "distance/metric.h"

#include <string.h>

static const psb_metric *const table[] = {
    &psb_l1, &psb_l2, &psb_lfd_metric, &psb_cosine, &psb_chi2,
};

size_t psb_metric_count(void) {
    return sizeof table / sizeof table[0];
}

const psb_metric *psb_metric_at(size_t index) {
    return index < psb_metric_count() ? table[index] : NULL;
}

const psb_metric *psb_metric_find(const char *name) {
    for (size_t i = 0; i < psb_metric_count(); i++) {
        if (strcmp(table[i]->name, name) == 0) {
            return table[i];
        }
    }
    return NULL;
}

static size_t whole_lines(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

size_t psb_block_bytes(const psb_metric *metric, size_t rows, size_t length) {
    return metric->prepare != NULL ? whole_lines(metric->prepared_bytes(rows, length)) : 0;
}

size_t psb_tile_scratch(const psb_metric *metric, size_t length) {
    return metric->tile_scratch != NULL ? whole_lines(metric->tile_scratch(length)) : 0;
}

psb_block psb_block_prepare(const psb_metric *metric, const psb_rows *rows, void *memory) {
    if (metric->prepare != NULL) {
        metric->prepare(rows, memory);
    }
    return (psb_block){*rows, memory};
}

void psb_tile_by_pairs(double (*pair)(const void *a, const void *b, size_t length),
                       const psb_block *a, const psb_block *b, bool upper, float *out,
                       size_t stride) {
    const float *rows_a = a->rows.data, *rows_b = b->rows.data;
    size_t length = a->rows.length;
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j++) {
            out[i * stride + j] = (float)pair(rows_a + i * length, rows_b + j * length, length);
        }
    }
}
