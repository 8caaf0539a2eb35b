/*
 * A query has a reservoir with room for twice the k rows it asks for. A row within the limit is put
 * at the end; when the reservoir is full, a selection leaves the k nearest, and the farthest of
 * them is the new limit. A row costs a few steps through memory in order, where a heap of a
 * thousand jumps. Which k remain does not depend on the order in which the rows came.
 */
#include "eval/nearest.h"

#include "core/parallel.h"
#include "eval/ranks.h"

#include <float.h>

enum {
    GROUP = 16,
    LOOSE = 8,   /* psb_nearest_limit selects again if more than k / LOOSE rows came */
    ROUNDS = 64, /* rounds of a selection, which then sorts the rest: no order of rows is slow */
};

typedef struct reservoir {
    size_t count, k;
    size_t came;    /* rows added since the last selection */
    float limit;    /* no row beyond it is among the nearest */
    uint64_t *keys; /* room for 2 k of them */
} reservoir;

struct psb_nearest {
    size_t first, end;
    reservoir *reservoirs; /* one for each query */
    uint64_t *keys;
};

size_t psb_nearest_bytes(size_t k) {
    return sizeof(reservoir) + 2 * k * sizeof(uint64_t);
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
    nearest->reservoirs =
        psb_new_zero(&status, queries, sizeof *nearest->reservoirs, "lists", error);
    for (size_t q = 0; q < queries && status == PSB_OK; q++) {
        reservoir *r = &nearest->reservoirs[q];
        *r = (reservoir){.k = k(context, first + q), .limit = FLT_MAX};
        total += 2 * r->k;
    }
    nearest->keys = psb_new(&status, total, sizeof *nearest->keys, "lists", error);
    if (status != PSB_OK) {
        psb_nearest_free(nearest);
        *out = NULL;
        return status;
    }
    uint64_t *next = nearest->keys;
    for (size_t q = 0; q < queries; q++) {
        nearest->reservoirs[q].keys = next;
        next += 2 * nearest->reservoirs[q].k;
    }
    return PSB_OK;
}

static size_t same(const void *context, size_t query PSB_UNUSED) {
    return *(const size_t *)context;
}

psb_status psb_nearest_new(size_t first, size_t end, size_t k, psb_nearest **out,
                           psb_error *error) {
    return psb_nearest_new_each(first, end, same, &k, out, error);
}

void psb_nearest_free(psb_nearest *nearest) {
    if (nearest != NULL) {
        free(nearest->reservoirs);
        free(nearest->keys);
        free(nearest);
    }
}

/* Middle of three keys, which differ. */
static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Moves the k smallest of n keys, which differ, to the front. */
static void select_least(uint64_t *keys, size_t n, size_t k) {
    size_t low = 0, high = n;
    for (int round = 0; low < k && k < high; round++) {
        if (high - low <= GROUP || round == ROUNDS) {
            qsort(keys + low, high - low, sizeof *keys, psb_compare_keys);
            return;
        }
        uint64_t pivot = middle_of(keys[low], keys[low + (high - low) / 2], keys[high - 1]);
        size_t below = low; /* without branches: half of the keys go either way */
        for (size_t i = low; i < high; i++) {
            uint64_t key = keys[i];
            keys[i] = keys[below];
            keys[below] = key;
            below += key < pivot;
        }
        if (k < below) {
            high = below;
        } else {
            low = below;
        }
    }
}

/* Leaves the k nearest of the rows in the reservoir; the farthest of them is the new limit. */
static void cut(reservoir *r) {
    if (r->count < r->k) {
        return;
    }
    uint64_t last = 0;
    select_least(r->keys, r->count, r->k);
    r->count = r->k;
    r->came = 0;
    for (size_t i = 0; i < r->k; i++) {
        last = r->keys[i] > last ? r->keys[i] : last;
    }
    r->limit = psb_nearest_distance(last);
}

/* Sets a bit for each row of a group that is within the bound. Without branches, for SIMD. */
static uint32_t within(const float *distances, float bound) {
    static const uint32_t bit[GROUP] = {1 << 0,  1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                        1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                        1 << 12, 1 << 13, 1 << 14, 1 << 15};
    uint32_t bits = 0;
    for (size_t i = 0; i < GROUP; i++) {
        bits |= distances[i] <= bound ? bit[i] : 0;
    }
    return bits;
}

/* The reservoir of a query; NULL if the query is outside of the range. */
static reservoir *reservoir_of(const psb_nearest *nearest, size_t query) {
    bool asked = query >= nearest->first && query < nearest->end;
    return asked ? &nearest->reservoirs[query - nearest->first] : NULL;
}

float psb_nearest_limit(psb_nearest *nearest, size_t query) {
    reservoir *r = reservoir_of(nearest, query);
    if (r != NULL && r->came > r->k / LOOSE) {
        cut(r);
    }
    return r == NULL ? 0.0F : r->limit;
}

void psb_nearest_begin_at(psb_nearest *nearest, size_t query, float limit) {
    reservoir_of(nearest, query)->limit = limit;
}

void psb_nearest_add(psb_nearest *nearest, size_t query, size_t first, size_t n,
                     const float *distances, size_t skip) {
    reservoir *r = reservoir_of(nearest, query);
    for (size_t group = 0; group < n && r != NULL; group += GROUP) {
        size_t left = n - group;
        uint32_t bits = left < GROUP ? (1u << left) - 1 : within(distances + group, r->limit);
        for (; bits != 0; bits &= bits - 1) {
            size_t i = group + (size_t)__builtin_ctz(bits);
            if (distances[i] <= r->limit && first + i != skip) {
                r->keys[r->count++] = psb_rank_key(&distances[i], 0) + (uint64_t)(first + i);
                r->came++;
            }
            if (r->count == 2 * r->k) {
                cut(r);
            }
        }
    }
}

size_t psb_nearest_finish(psb_nearest *nearest, size_t query, const uint64_t **keys) {
    reservoir *r = reservoir_of(nearest, query);
    cut(r);
    qsort(r->keys, r->count, sizeof *r->keys, psb_compare_keys);
    *keys = r->keys;
    return r->count;
}

void psb_nearest_replace(psb_nearest *nearest, size_t query, const float *distances, size_t count) {
    reservoir *r = reservoir_of(nearest, query);
    r->count = count;
    for (size_t i = 0; i < count; i++) {
        r->keys[i] = psb_rank_key(&distances[i], 0) + (uint64_t)psb_nearest_row(r->keys[i]);
    }
}

typedef struct listing {
    const psb_matrix *matrix;
    const size_t *skip;
    psb_nearest *nearest;
    size_t k;
    uint32_t *column;
    float *distance;
} listing;

static psb_status list_row(void *context, void *own PSB_UNUSED, size_t i,
                           psb_error *error PSB_UNUSED) {
    const listing *work = context;
    size_t columns = psb_matrix_columns(work->matrix);
    const uint64_t *keys;
    psb_nearest_add(work->nearest, i, 0, columns, work->matrix->data + i * columns,
                    work->skip != NULL ? work->skip[i] : i);
    size_t count = psb_nearest_finish(work->nearest, i, &keys);
    for (size_t r = 0; r < count; r++) {
        work->column[i * work->k + r] = (uint32_t)psb_nearest_row(keys[r]);
        if (work->distance != NULL) {
            work->distance[i * work->k + r] = psb_nearest_distance(keys[r]);
        }
    }
    return PSB_OK;
}

psb_status psb_nearest_of_matrix(const psb_matrix *matrix, const size_t *skip, size_t k,
                                 int threads, uint32_t *column, float *distance, psb_error *error) {
    listing work = {matrix, skip, NULL, k, column, distance};
    psb_status status = psb_nearest_new(0, matrix->n, k, &work.nearest, error);
    psb_loop loop = {.count = k > 0 ? matrix->n : 0,
                     .threads = threads,
                     .chunk = 16,
                     .name = "the nearest",
                     .item = list_row,
                     .job = &work};
    PSB_THEN(status, psb_parallel(&loop, error));
    psb_nearest_free(work.nearest);
    return status;
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
