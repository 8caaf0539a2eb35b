/* Whole ranked lists, by sorting. */
#include "eval/order.h"

#include "eval/ranks.h"

#include <stdlib.h>

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void psb_rank_all(const psb_matrix *matrix, size_t query, uint64_t *scratch, uint32_t *order) {
    size_t listed = 0;
    for (size_t i = 0; i < matrix->n; i++) {
        if (i != query) {
            scratch[listed++] = psb_rank_key(matrix->data + query * matrix->n, i);
        }
    }
    qsort(scratch, listed, sizeof *scratch, compare_keys);
    for (size_t r = 0; r < listed; r++) {
        order[r] = (uint32_t)scratch[r];
    }
}
