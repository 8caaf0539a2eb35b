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

void psb_tile_by_pairs(double (*pair)(const void *a, const void *b, size_t length),
                       const psb_rows *a, const psb_rows *b, float *out, size_t stride) {
    const float *rows_a = a->data, *rows_b = b->data;
    for (size_t i = 0; i < a->n; i++) {
        for (size_t j = 0; j < b->n; j++) {
            out[i * stride + j] =
                (float)pair(rows_a + i * a->length, rows_b + j * b->length, a->length);
        }
    }
}
