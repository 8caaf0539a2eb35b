/* A query against its candidates, some at a time; then what the nearest outlines permit. */
#include "stream/candidates.h"

#include "core/element.h"
#include "eval/cohort.h"

#include <float.h>

enum {
    TOGETHER = 32, /* candidates made ready at a time: they stay in a cache until compared */
    SEEDS = 2,     /* rows with the nearest outlines for each row that is asked for */
    SPARSE = 16,   /* no more of them than one row in so many */
};

/* What a thread works in: the query and so many candidates, made ready, and their distances. */
typedef struct bench {
    char *rows, *ready[2], *scratch;
    float *distances;
} bench;

size_t psb_candidates_bytes(const psb_metric *metric, size_t length, size_t most) {
    return sizeof(bench) + 5 * 64 + TOGETHER * length * psb_element_bytes(metric->element) +
           psb_block_bytes(metric, 1, length) + psb_block_bytes(metric, TOGETHER, length) +
           psb_tile_scratch(metric, TOGETHER, length) + (most + metric->most_rows) * sizeof(float);
}

static char *cut(char **memory, size_t bytes) {
    char *piece = *memory;
    *memory += psb_whole_lines(bytes);
    return piece;
}

static bench lay_out(const psb_candidates *c, void *own) {
    size_t length = c->rows.length;
    char *memory = own;
    bench b;
    b.rows = cut(&memory, TOGETHER * length * psb_element_bytes(c->metric->element));
    b.ready[0] = cut(&memory, psb_block_bytes(c->metric, 1, length));
    b.ready[1] = cut(&memory, psb_block_bytes(c->metric, TOGETHER, length));
    b.scratch = cut(&memory, psb_tile_scratch(c->metric, TOGETHER, length));
    b.distances = (float *)(void *)cut(&memory, c->most * sizeof(float));
    return b;
}

typedef struct job {
    const psb_candidates *candidates;
    size_t first;
} job;

static psb_status order_query(void *context, void *own, size_t i, psb_error *error) {
    const job *work = context;
    const psb_candidates *c = work->candidates;
    bench b = lay_out(c, own);
    size_t query = work->first + i;
    psb_row_view row = psb_rows_part(&c->queries, query, 1);
    size_t bytes = c->rows.length * psb_element_bytes(c->rows.element);
    psb_block left = psb_block_prepare(c->metric, &row, b.ready[0]);
    const uint64_t *keys;
    size_t found = psb_nearest_finish(c->nearest, query, &keys);
    size_t count = found < c->most ? found : c->most;
    for (size_t first = 0; first < count; first += TOGETHER) {
        size_t n = count - first < TOGETHER ? count - first : TOGETHER;
        for (size_t r = 0; r < n; r++) {
            size_t at = psb_nearest_row(keys[first + r]);
            memcpy(b.rows + r * bytes, (const char *)c->rows.data + at * bytes, bytes);
        }
        psb_row_view rows = {b.rows, n, c->rows.length, c->rows.element};
        psb_block right = psb_block_prepare(c->metric, &rows, b.ready[1]);
        c->metric->tile(&left, &right, false, b.scratch, b.distances + first, n);
    }
    for (size_t r = 0; r < count; r++) {
        if (!(b.distances[r] >= 0 && b.distances[r] <= FLT_MAX)) {
            return psb_fail_at(error, PSB_ERROR_INPUT, c->path, 0,
                               "row %zu, column %zu is %g: a distance is finite and not negative",
                               query, psb_nearest_row(keys[r]), (double)b.distances[r]);
        }
        if (c->levels[0] != NULL) {
            psb_cohort_divide(&b.distances[r], 1, c->levels[0][query],
                              &c->levels[1][psb_nearest_row(keys[r])], &b.distances[r]);
        }
    }
    psb_nearest_replace(c->nearest, query, b.distances, count);
    return PSB_OK;
}

psb_status psb_candidates_order(const psb_candidates *candidates, size_t first, size_t end,
                                psb_error *error) {
    job work = {candidates, first};
    psb_stage stage = {.observer = candidates->observer, .name = "candidates"};
    psb_loop loop = {.count = end - first,
                     .threads = candidates->threads,
                     .bytes = psb_candidates_bytes(candidates->metric, candidates->rows.length,
                                                   candidates->most),
                     .name = "candidates",
                     .item = order_query,
                     .job = &work,
                     .progress = psb_stage_progress,
                     .context = &stage};
    return psb_parallel(&loop, error);
}

/* ---- seeds ------------------------------------------------------------------------------ */

psb_seeds psb_seeds_plan(const psb_metric *metric, size_t k, size_t rows) {
    bool few = metric->outline == NULL || SEEDS * SPARSE * k > rows;
    return (psb_seeds){.metric = metric, .count = few ? 0 : SEEDS * k};
}

size_t psb_seeds_bytes(const psb_seeds *seeds, const psb_metric *metric, size_t length, size_t rows,
                       int threads) {
    return seeds->count == 0
               ? 0
               : rows * metric->outline_length * sizeof(float) +
                     (size_t)threads * psb_candidates_bytes(metric, length, seeds->count);
}

size_t psb_seeds_query_bytes(const psb_seeds *seeds, size_t k) {
    return seeds->count == 0 ? psb_nearest_bytes(k)
                             : psb_nearest_bytes(seeds->count) + sizeof(float);
}

psb_status psb_seeds_make(psb_seeds *seeds, const psb_passes *passes, psb_error *error) {
    const psb_npy *sides[] = {passes->queries, passes->rows};
    size_t length = passes->metric->outline_length;
    psb_status status = PSB_OK;
    for (int side = 0; seeds->count > 0 && side < 2 && sides[side] != NULL; side++) {
        psb_row_view rows = psb_npy_rows(sides[side]);
        size_t bytes = rows.length * psb_element_bytes(rows.element);
        float *out = psb_new(&status, rows.n, length * sizeof *out, "outlines", error);
        for (size_t i = 0; i < rows.n && status == PSB_OK; i++) {
            passes->metric->outline((const char *)rows.data + i * bytes, rows.length,
                                    out + i * length);
        }
        seeds->outlines[side] = (psb_npy){.data = out,
                                          .rows = rows.n,
                                          .columns = length,
                                          .element = PSB_FLOAT32,
                                          .converted = out};
    }
    return status;
}

void psb_seeds_free(psb_seeds *seeds) {
    free(seeds->outlines[0].converted);
    free(seeds->outlines[1].converted);
}

/* The nearest by outlines. */
typedef struct looking {
    psb_passes passes;
    psb_nearest *nearest;
    const size_t *skip;
} looking;

static void add(void *context, size_t query, size_t row, size_t n, const float *distances) {
    const looking *l = context;
    size_t self = l->passes.rows == NULL ? query : SIZE_MAX;
    psb_nearest_add(l->nearest, query, row, n, distances, l->skip != NULL ? l->skip[query] : self);
}

static void visit(void *context, const psb_strip *strip) {
    psb_passes_take(strip, NULL, NULL, add, context);
}

static float limit(const void *context, size_t query) {
    return psb_nearest_limit(((const looking *)context)->nearest, query);
}

/* limits[i]: of query first + i, by the distances of its seeds. */
static psb_status find_limits(const psb_seeds *seeds, const psb_passes *passes, const size_t *skip,
                              size_t k, size_t first, size_t end, float *limits, psb_error *error) {
    const psb_streaming near = {.name = "outlines", .visit = visit, .limit = limit};
    looking l = {.passes = *passes, .skip = skip};
    l.passes.metric = &psb_l1;
    l.passes.queries = &seeds->outlines[0];
    l.passes.rows = passes->rows != NULL ? &seeds->outlines[1] : NULL;
    l.passes.context = &l;
    psb_status status = psb_nearest_new(first, end, seeds->count, &l.nearest, error);
    PSB_THEN(status, psb_passes_stream(&l.passes, &near, first, end, error));
    const psb_npy *rows = passes->rows != NULL ? passes->rows : passes->queries;
    const psb_candidates candidates = {.metric = seeds->metric,
                                       .queries = psb_npy_rows(passes->queries),
                                       .rows = psb_npy_rows(rows),
                                       .path = passes->path,
                                       .nearest = l.nearest,
                                       .most = seeds->count,
                                       .threads = passes->threads,
                                       .observer = passes->observer};
    PSB_THEN(status, psb_candidates_order(&candidates, first, end, error));
    for (size_t q = first; q < end && status == PSB_OK; q++) {
        const uint64_t *keys;
        size_t count = psb_nearest_finish(l.nearest, q, &keys);
        limits[q - first] = count < k ? FLT_MAX : psb_nearest_distance(keys[k - 1]);
    }
    psb_nearest_free(l.nearest);
    return status;
}

psb_status psb_seeds_begin(const psb_seeds *seeds, const psb_passes *passes, const size_t *skip,
                           size_t k, size_t first, size_t end, psb_nearest **out,
                           psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED float *limits = NULL;
    if (seeds->count > 0) {
        limits = psb_new(&status, end - first, sizeof *limits, "limits", error);
        PSB_THEN(status, find_limits(seeds, passes, skip, k, first, end, limits, error));
    }
    PSB_THEN(status, psb_nearest_new(first, end, k, out, error));
    for (size_t q = first; q < end && limits != NULL && status == PSB_OK; q++) {
        psb_nearest_begin_at(*out, q, limits[q - first]);
    }
    return status;
}
