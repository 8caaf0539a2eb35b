/*
 * Ranks by counting: a measure never looks at the order of irrelevant models among themselves, so
 * only the R relevant ones are sorted; each irrelevant one is then dropped, by binary search, into
 * the gap between relevant models where it belongs. N log R steps a query instead of N log N.
 */
#include "eval/ranks.h"

#include <stdlib.h>
#include <string.h>

/* The bits of floats that are not negative are in the order of their values. */
uint64_t psb_rank_key(const float *row, size_t model) {
    float distance = row[model] + 0.0F; /* -0 becomes 0 */
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return (uint64_t)bits << 32 | (uint32_t)model;
}

int psb_compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many of the n > 0 ascending keys are below `key`. Without branches that depend on data. */
static size_t count_below(const uint64_t *keys, size_t n, uint64_t key) {
    const uint64_t *base = keys;
    while (n > 1) {
        size_t half = n / 2;
        base += base[half - 1] < key ? half : 0;
        n -= half;
    }
    return (size_t)(base - keys) + (*base < key);
}

static size_t largest_class(const psb_classification *cla) {
    size_t largest = 0;
    for (size_t c = 0; c < cla->nclasses; c++) {
        largest = cla->classes[c].count > largest ? cla->classes[c].count : largest;
    }
    return largest;
}

size_t psb_ranks_scratch(const psb_classification *cla) {
    size_t bytes = largest_class(cla) * (sizeof(uint64_t) + sizeof(uint32_t));
    return (bytes + 63) / 64 * 64;
}

psb_ranks psb_rank_relevant(const psb_classification *cla, const psb_matrix *matrix, size_t query,
                            void *scratch) {
    const psb_class *own = &cla->classes[cla->class_of[query]];
    const float *row = matrix->data + query * matrix->n;
    uint64_t *keys = scratch;
    /* rank[k] first counts the models between the relevant ones k - 1 and k; of own->count
       entries the last one takes those behind all relevant models. */
    uint32_t *rank = (uint32_t *)(keys + own->count);
    size_t relevant = 0;
    for (size_t i = own->first; i < own->first + own->count; i++) {
        if (i != query) {
            keys[relevant++] = psb_rank_key(row, i);
        }
    }
    if (relevant > 0) {
        qsort(keys, relevant, sizeof *keys, psb_compare_keys);
        memset(rank, 0, own->count * sizeof *rank);
        for (size_t i = 0; i < own->first; i++) {
            rank[count_below(keys, relevant, psb_rank_key(row, i))]++;
        }
        for (size_t i = own->first + own->count; i < matrix->n; i++) {
            rank[count_below(keys, relevant, psb_rank_key(row, i))]++;
        }
        uint32_t previous = 0;
        for (size_t k = 0; k < relevant; k++) {
            previous += rank[k] + 1;
            rank[k] = previous;
        }
    }
    return (psb_ranks){rank, relevant, matrix->n - 1};
}

/* Moves n keys from one place to the other, in the order of eight bits of their distances. */
static void sort_by_byte(const uint64_t *from, uint64_t *to, size_t n, unsigned shift) {
    size_t start[257] = {0};
    for (size_t i = 0; i < n; i++) {
        start[(from[i] >> shift & 255) + 1]++;
    }
    for (size_t b = 0; b < 255; b++) {
        start[b + 1] += start[b];
    }
    for (size_t i = 0; i < n; i++) {
        to[start[from[i] >> shift & 255]++] = from[i];
    }
}

/* Byte by byte, the lowest first: each pass keeps the order of equals, at first that of indices. */
const uint32_t *psb_rank_all(const psb_matrix *matrix, size_t query, uint64_t *scratch) {
    uint64_t *keys = scratch, *other = scratch + matrix->n;
    size_t listed = 0;
    for (size_t i = 0; i < matrix->n; i++) {
        if (i != query) {
            keys[listed++] = psb_rank_key(matrix->data + query * matrix->n, i);
        }
    }
    for (unsigned shift = 32; shift < 64; shift += 16) {
        sort_by_byte(keys, other, listed, shift);
        sort_by_byte(other, keys, listed, shift + 8);
    }
    uint32_t *order = (uint32_t *)other;
    for (size_t r = 0; r < listed; r++) {
        order[r] = (uint32_t)keys[r];
    }
    return order;
}
