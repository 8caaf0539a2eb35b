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

struct psb_nearest {
    size_t first, end, k;
    size_t *count;  /* of each query's heap */
    uint64_t *keys; /* k for each query */
};

size_t psb_nearest_bytes(size_t k) {
    return sizeof(size_t) + k * sizeof(uint64_t);
}

psb_status psb_nearest_new(size_t first, size_t end, size_t k, psb_nearest **out,
                           psb_error *error) {
    psb_status status = PSB_OK;
    psb_nearest *nearest = *out = psb_new(&status, 1, sizeof *nearest, "lists", error);
    if (status != PSB_OK) {
        return status;
    }
    *nearest = (psb_nearest){.first = first, .end = end, .k = k};
    nearest->count = psb_new_zero(&status, end - first, sizeof *nearest->count, "lists", error);
    nearest->keys = psb_new(&status, end - first, k * sizeof *nearest->keys, "lists", error);
    if (status != PSB_OK) {
        psb_nearest_free(nearest);
        *out = NULL;
    }
    return status;
}

void psb_nearest_free(psb_nearest *nearest) {
    if (nearest != NULL) {
        free(nearest->count);
        free(nearest->keys);
        free(nearest);
    }
}

/* Lets the key at `at` sink until none below it is larger. */
static void sink(uint64_t *heap, size_t count, size_t at) {
    uint64_t key = heap[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= key) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = key;
}

static void rise(uint64_t *heap, size_t at) {
    uint64_t key = heap[at];
    while (at > 0 && heap[(at - 1) / 2] < key) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = key;
}

static void offer(uint64_t *heap, size_t *count, size_t k, uint64_t key) {
    if (*count < k) {
        heap[*count] = key;
        rise(heap, (*count)++);
    } else if (key < heap[0]) {
        heap[0] = key;
        sink(heap, k, 0);
    }
}

/* Whether any of a group may be among the nearest. Without branches, for SIMD. */
static bool any_within(const float *distances, float bound) {
    int32_t any = 0;
    for (size_t i = 0; i < GROUP; i++) {
        any |= distances[i] <= bound ? 1 : 0;
    }
    return any != 0;
}

float psb_nearest_limit(const psb_nearest *nearest, size_t query) {
    size_t at = query - nearest->first, k = nearest->k;
    if (query < nearest->first || query >= nearest->end) {
        return 0.0F;
    }
    return nearest->count[at] < k ? FLT_MAX : psb_nearest_distance(nearest->keys[at * k]);
}

void psb_nearest_add(psb_nearest *nearest, size_t query, size_t first, size_t n,
                     const float *distances, size_t skip) {
    if (query < nearest->first || query >= nearest->end) {
        return;
    }
    size_t at = query - nearest->first, k = nearest->k, *count = &nearest->count[at];
    uint64_t *heap = nearest->keys + at * k;
    for (size_t group = 0; group < n; group += GROUP) {
        size_t end = n - group < GROUP ? n : group + GROUP;
        float bound = psb_nearest_limit(nearest, query);
        if (end - group == GROUP && !any_within(distances + group, bound)) {
            continue;
        }
        for (size_t i = group; i < end; i++) {
            if (first + i != skip) {
                offer(heap, count, k, psb_rank_key(&distances[i], 0) + (uint64_t)(first + i));
            }
        }
    }
}

size_t psb_nearest_finish(psb_nearest *nearest, size_t query, const uint64_t **keys) {
    size_t at = query - nearest->first;
    uint64_t *heap = nearest->keys + at * nearest->k;
    qsort(heap, nearest->count[at], sizeof *heap, psb_compare_keys);
    *keys = heap;
    return nearest->count[at];
}

void psb_nearest_replace(psb_nearest *nearest, size_t query, const float *distances) {
    size_t at = query - nearest->first;
    uint64_t *keys = nearest->keys + at * nearest->k;
    for (size_t i = 0; i < nearest->count[at]; i++) {
        keys[i] = psb_rank_key(&distances[i], 0) + (uint64_t)psb_nearest_row(keys[i]);
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
