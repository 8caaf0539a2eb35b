/* Tries cheaper plans until one fits the bound: one pass with prepared rows kept; rows not kept;
 * several passes over the queries; smaller tiles. */
#include "stream/memory_plan.h"

#include "core/element.h"

enum {
    MIB = 1 << 20,
    PROGRAM = 32 * MIB,   /* code, libraries, what is small */
    PER_THREAD = 4 * MIB, /* stack, packed pieces of products */
};

typedef struct planner {
    const psb_metric *metric;
    const psb_npy *queries, *rows; /* rows may be NULL */
    const psb_memory_need *need;
    int threads;
} planner;

static size_t row_bytes(const psb_npy *npy) {
    return npy->columns * psb_element_bytes(npy->element);
}

/* Sums stop at SIZE_MAX instead of turning over. */
static size_t plus(size_t a, size_t b) {
    return a + b >= a ? a + b : SIZE_MAX;
}

static size_t times(size_t a, size_t b) {
    return b == 0 || a <= SIZE_MAX / b ? a * b : SIZE_MAX;
}

/* What one file of features takes: all of it, or the pieces that threads look at. */
static size_t feature_bytes(const planner *p, const psb_npy *npy, size_t block, bool release) {
    size_t all = npy->rows * row_bytes(npy);
    size_t pieces = times(2 * (size_t)p->threads * block, row_bytes(npy));
    return release && npy->converted == NULL && pieces < all ? pieces : all;
}

/* All but the queries of a pass. */
static size_t base_bytes(const planner *p, size_t block, bool keep, bool release) {
    size_t length = p->queries->columns;
    size_t each = plus(PER_THREAD, psb_stream_scratch(p->metric, length, block, keep));
    size_t bytes = plus(plus(PROGRAM, p->need->fixed), times((size_t)p->threads, each));
    const psb_npy *side[] = {p->queries, p->rows};
    for (int i = 0; i < 2 && side[i] != NULL; i++) {
        bool again = i > 0 && side[i] == side[0]; /* one file for both sides */
        bytes = plus(bytes, again ? 0 : feature_bytes(p, side[i], block, release));
        bytes = plus(bytes, keep ? psb_stream_kept(p->metric, side[i]->rows, length, block) : 0);
    }
    return bytes;
}

static size_t bytes_of(const psb_memory_need *need, size_t first, size_t end) {
    size_t bytes = 0;
    for (size_t q = first; q < end && need->query != NULL; q++) {
        bytes = plus(bytes, need->query(need->context, q));
    }
    return bytes;
}

static size_t block_end(size_t first, size_t block, size_t queries) {
    return queries - first < block ? queries : first + block;
}

static size_t largest_block(const planner *p, size_t block) {
    size_t largest = 0;
    for (size_t q = 0; q < p->queries->rows; q = block_end(q, block, p->queries->rows)) {
        size_t bytes = bytes_of(p->need, q, block_end(q, block, p->queries->rows));
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

size_t psb_memory_plan_pass(const psb_memory_plan *plan, const psb_memory_need *need,
                            size_t queries, size_t first) {
    size_t bytes = 0, end = first;
    while (end < queries) {
        size_t next = block_end(end, plan->block, queries);
        bytes = plus(bytes, bytes_of(need, end, next));
        if (end > first && bytes > plan->pass_bytes) {
            break;
        }
        end = next;
    }
    return end;
}

static size_t count_passes(const planner *p, const psb_memory_plan *plan) {
    size_t passes = 0;
    for (size_t q = 0; q < p->queries->rows; passes++) {
        q = psb_memory_plan_pass(plan, p->need, p->queries->rows, q);
    }
    return passes;
}

psb_status psb_memory_plan_make(const psb_metric *metric, const psb_npy *queries,
                                const psb_npy *rows, const psb_memory_need *need, int threads,
                                size_t memory, psb_memory_plan *plan, psb_error *error) {
    planner p = {metric, queries, rows, need, threads};
    size_t all = bytes_of(need, 0, queries->rows);
    size_t nrows = rows != NULL ? rows->rows : queries->rows;
    size_t block = psb_stream_block(queries->rows, nrows, threads);
    /*
     * All queries in one pass: rows kept ready, or not; features all there, or let go. The rows of
     * one block of queries are needed once.
     */
    for (int step = queries->rows <= block ? 2 : 0; step < 4; step++) {
        bool keep = step < 2, release = step % 2 == 1;
        size_t base = base_bytes(&p, block, keep, release);
        if (plus(base, all) <= memory) {
            *plan = (psb_memory_plan){plus(base, all), all, block, 1, keep, release};
            return PSB_OK;
        }
    }
    for (;; block /= 2) {
        size_t base = base_bytes(&p, block, false, true);
        size_t least = plus(base, largest_block(&p, block));
        if (least <= memory) {
            *plan = (psb_memory_plan){memory, memory - base, block, 0, false, true};
            plan->passes = count_passes(&p, plan);
            return PSB_OK;
        }
        if (block <= PSB_TILE) {
            return psb_fail(error, PSB_ERROR_USAGE,
                            "%zu MiB of memory are not enough: with %d thread%s it takes %zu MiB",
                            memory / MIB, threads, threads == 1 ? "" : "s",
                            plus(least, MIB - 1) / MIB);
        }
    }
}

void psb_memory_plan_say(const psb_memory_plan *plan, const psb_observer *observer) {
    psb_observer_say(
        observer, PSB_DETAIL, "at most %zu MiB planned: tiles of %zu rows, %zu pass%s%s%s",
        plan->bytes >> 20, plan->block, plan->passes, plan->passes == 1 ? "" : "es",
        plan->keep ? ", rows kept ready" : "", plan->release ? ", features let go after use" : "");
}
