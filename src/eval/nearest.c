/*
 * A heap for each query, the worst of its k on top: nearly all distances are worse than that and
 * are passed by in groups. Which k remain does not depend on the order in which they came.
 */
#include "eval/nearest.h"

#include "core/memory.h"
#include "eval/ranks.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 16 };

typedef struct heap {
    size_t count, k;
    uint64_t *keys; /* k of them */
} heap;

struct psb_nearest {
    size_t first, end;
    heap *heaps; /* of each query */
    uint64_t *keys;
};

size_t psb_nearest_bytes(size_t k) {
    return sizeof(heap) + k * sizeof(uint64_t);
}

psb_status psb_nearest_new_each(size_t first, size_t end,
                                size_t (*k)(const void *context, size_t query), const void *context,
                                psb_nearest **out, psb_error *error) {
    psb_status status = PSB_OK;
    size_t total = 0, queries = end - first;
    psb_nearest *nearest = *out = psb_new(&status, 1, sizeof *nearest, "lists", error);
    if (status != PSB_OK) {
        return status;
    }
    *nearest = (psb_nearest){.first = first, .end = end};
    nearest->heaps = psb_new_zero(&status, queries, sizeof *nearest->heaps, "lists", error);
    for (size_t q = 0; q < queries && status == PSB_OK; q++) {
        total += nearest->heaps[q].k = k(context, first + q);
    }
    nearest->keys = psb_new(&status, total, sizeof *nearest->keys, "lists", error);
    if (status != PSB_OK) {
        psb_nearest_free(nearest);
        *out = NULL;
        return status;
    }
    uint64_t *next = nearest->keys;
    for (size_t q = 0; q < queries; q++) {
        nearest->heaps[q].keys = next;
        next += nearest->heaps[q].k;
    }
    return PSB_OK;
}

static size_t same(const void *context, size_t query) {
    (void)query;
    return *(const size_t *)context;
}

psb_status psb_nearest_new(size_t first, size_t end, size_t k, psb_nearest **out,
                           psb_error *error) {
    return psb_nearest_new_each(first, end, same, &k, out, error);
}

void psb_nearest_free(psb_nearest *nearest) {
    if (nearest != NULL) {
        free(nearest->heaps);
        free(nearest->keys);
        free(nearest);
    }
}

/* Lets the key at the top sink until none below it is larger. */
static void sink(heap *h) {
    uint64_t *keys = h->keys, key = keys[0];
    size_t at = 0;
    for (size_t child = 1; child < h->count; child = 2 * at + 1) {
        child += child + 1 < h->count && keys[child + 1] > keys[child];
        if (keys[child] <= key) {
            break;
        }
        keys[at] = keys[child];
        at = child;
    }
    keys[at] = key;
}

static void rise(heap *h, size_t at) {
    uint64_t *keys = h->keys, key = keys[at];
    while (at > 0 && keys[(at - 1) / 2] < key) {
        keys[at] = keys[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    keys[at] = key;
}

static void offer(heap *h, uint64_t key) {
    if (h->count < h->k) {
        h->keys[h->count] = key;
        rise(h, h->count++);
    } else if (key < h->keys[0]) {
        h->keys[0] = key;
        sink(h);
    }
}

/* Whether any row of a group may be among the nearest. Without branches, for SIMD. */
static bool any_within(const float *distances, float bound) {
    int32_t any = 0;
    for (size_t i = 0; i < GROUP; i++) {
        any |= distances[i] <= bound ? 1 : 0;
    }
    return any != 0;
}

static float limit_of(const heap *h) {
    return h->count < h->k ? FLT_MAX : psb_nearest_distance(h->keys[0]);
}

/* NULL where the query was not asked for. */
static heap *heap_of(const psb_nearest *nearest, size_t query) {
    bool asked = query >= nearest->first && query < nearest->end;
    return asked ? &nearest->heaps[query - nearest->first] : NULL;
}

float psb_nearest_limit(const psb_nearest *nearest, size_t query) {
    const heap *h = heap_of(nearest, query);
    return h == NULL ? 0.0F : limit_of(h);
}

void psb_nearest_add(psb_nearest *nearest, size_t query, size_t first, size_t n,
                     const float *distances, size_t skip) {
    heap *h = heap_of(nearest, query);
    for (size_t group = 0; group < n && h != NULL; group += GROUP) {
        size_t end = n - group < GROUP ? n : group + GROUP;
        if (end - group == GROUP && !any_within(distances + group, limit_of(h))) {
            continue;
        }
        for (size_t i = group; i < end; i++) {
            if (first + i != skip) {
                offer(h, psb_rank_key(&distances[i], 0) + (uint64_t)(first + i));
            }
        }
    }
}

size_t psb_nearest_finish(psb_nearest *nearest, size_t query, const uint64_t **keys) {
    const heap *h = heap_of(nearest, query);
    qsort(h->keys, h->count, sizeof *h->keys, psb_compare_keys);
    *keys = h->keys;
    return h->count;
}

void psb_nearest_replace(psb_nearest *nearest, size_t query, const float *distances, size_t count) {
    heap *h = heap_of(nearest, query);
    h->count = count;
    for (size_t i = 0; i < count; i++) {
        h->keys[i] = psb_rank_key(&distances[i], 0) + (uint64_t)psb_nearest_row(h->keys[i]);
    }
}

size_t psb_nearest_row(uint64_t key) {
    return (uint32_t)key;
}

float psb_nearest_distance(uint64_t key) {
    uint32_t bits = (uint32_t)(key >> 32);
    float distance;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}
