/*
 * Computes tiles and passes each to the visitor. One thread works on a tile; if the tile serves
 * queries on both sides, it is passed a second time, transposed.
 */
#include "distance/stream.h"

#include "core/element.h"
#include "core/error.h"
#include "core/file.h"
#include "core/linear.h"
#include "core/memory.h"
#include "core/watch.h"

#include <float.h>
#include <omp.h>
#include <stdlib.h>

enum {
    TILES_PER_THREAD = 8,
    TILES_PER_QUERY = 16, /* the results of one tile limit the pairs that the next computes */
    MOST_UNITS = 4
};

/* A tile: its block of queries and its block of rows. */
typedef struct place {
    size_t query, row;
} place;

/* All rows of one side, prepared in units; NULL if they are not kept. */
typedef struct kept {
    psb_block *unit;
    void *prepared;
} kept;

typedef struct job {
    const psb_stream *stream;
    /* The queries whose blocks are counted, and how many queries stand before them. If queries and
       rows are the same, all of them, since their blocks are shared; else those asked for. */
    psb_row_view asked;
    size_t before;
    kept queries, rows;
    size_t blocks;      /* number of blocks of rows */
    size_t first, end;  /* blocks of queries asked for */
    omp_lock_t *locks;  /* one for each block of queries asked for */
    bool broken;        /* a distance is not finite or negative: */
    size_t row, column; /* the first such distance found so far, row by row */
    float value;
} job;

static size_t blocks_of(size_t n, size_t block) {
    return (n + block - 1) / block;
}

size_t psb_stream_block(size_t queries, size_t rows, int threads) {
    size_t block = MOST_UNITS * PSB_TILE;
    size_t enough = TILES_PER_THREAD * (size_t)threads;
    while (block > PSB_TILE && (blocks_of(rows, block) < TILES_PER_QUERY ||
                                blocks_of(queries, block) * blocks_of(rows, block) < enough)) {
        block /= 2;
    }
    return block;
}

/* The memory of one thread. */
typedef struct workspace {
    float *distances, *turned; /* block x block */
    char *tile;                /* the metric's scratch */
    char *prepared[2];         /* the two sides, if they are not kept */
} workspace;

/* Returns the number of rows prepared together, a unit: a tile's side or, if the metric takes
 * fewer, less. */
static size_t unit_of(const psb_metric *metric, size_t block) {
    return block < metric->most_rows ? block : metric->most_rows;
}

static size_t tile_bytes(size_t block) {
    return block * block * sizeof(float);
}

static size_t side_bytes(const psb_metric *metric, size_t length, size_t block) {
    size_t unit = unit_of(metric, block);
    return blocks_of(block, unit) * psb_block_bytes(metric, unit, length);
}

size_t psb_stream_scratch(const psb_metric *metric, size_t length, size_t block, bool keep) {
    return 2 * tile_bytes(block) + psb_tile_scratch(metric, unit_of(metric, block), length) +
           (keep ? 0 : 2 * side_bytes(metric, length, block));
}

size_t psb_stream_kept(const psb_metric *metric, size_t rows, size_t length, size_t block) {
    size_t unit = unit_of(metric, block);
    return blocks_of(rows, unit) * (sizeof(psb_block) + psb_block_bytes(metric, unit, length));
}

static workspace divide(const psb_stream *s, char *scratch) {
    workspace w;
    w.distances = (float *)(void *)scratch;
    w.turned = (float *)(void *)(scratch + tile_bytes(s->block));
    w.tile = scratch + 2 * tile_bytes(s->block);
    w.prepared[0] =
        w.tile + psb_tile_scratch(s->metric, unit_of(s->metric, s->block), s->rows.length);
    w.prepared[1] = w.prepared[0] + (s->keep ? 0 : side_bytes(s->metric, s->rows.length, s->block));
    return w;
}

static size_t tiles_of(const job *work) {
    size_t asked = work->end - work->first;
    return work->stream->same ? asked * (asked + 1) / 2 + asked * (work->blocks - asked)
                              : asked * work->blocks;
}

/*
 * Returns tile number t. Consecutive tiles have different blocks of queries, so that threads seldom
 * wait for one another. Each pair of wanted blocks comes once: a block with itself, then with the
 * next block, the next but one, and so on half of the way round.
 */
static place locate(const job *work, size_t t) {
    size_t asked = work->end - work->first;
    size_t pairs = work->stream->same ? asked * (asked + 1) / 2 : 0;
    if (t < pairs) {
        size_t step = t / asked, at = t % asked;
        return (place){work->first + at, work->first + (at + step) % asked};
    }
    size_t query = work->first + (t - pairs) % asked, row = (t - pairs) / asked;
    bool skips = work->stream->same && row >= work->first;
    return (place){query, skips ? row + asked : row};
}

/* Notes the first number of the strip that is not finite or is negative, if it is the first of all
 * so far. */
static void note_broken(job *work, const psb_strip *strip) {
    for (size_t i = 0; i < strip->nqueries * strip->nrows; i++) {
        if (psb_all_finite(strip->distances + i, 1, 0.0F)) {
            continue;
        }
        size_t row = strip->first_query + i / strip->nrows;
        size_t column = strip->first_row + i % strip->nrows;
#pragma omp critical(psb_stream)
        if (!work->broken || row < work->row || (row == work->row && column < work->column)) {
            work->broken = true;
            work->row = row;
            work->column = column;
            work->value = strip->distances[i];
        }
        return;
    }
}

/* Passes a strip to the visitor if it is `fine`: all its distances are finite and not negative. */
static void show(job *work, size_t query_block, bool fine, const psb_strip *strip) {
    if (!fine) {
        note_broken(work, strip);
        return;
    }
    omp_lock_t *lock = &work->locks[query_block - work->first];
    omp_set_lock(lock);
    work->stream->visit(work->stream->visitor, strip);
    omp_unset_lock(lock);
}

/*
 * Sets the prepared units of one side of a tile: kept ones, or ones that it prepares in `memory`.
 * Returns how many.
 */
static size_t ready(const psb_stream *s, const kept *all, const psb_row_view *rows, size_t first,
                    char *memory, psb_block units[MOST_UNITS]) {
    size_t unit = unit_of(s->metric, s->block);
    size_t count = blocks_of(psb_rows_part(rows, first, s->block).n, unit);
    size_t bytes = psb_block_bytes(s->metric, unit, rows->length);
    for (size_t k = 0; k < count; k++) {
        if (all->unit != NULL) {
            units[k] = all->unit[first / unit + k];
        } else {
            psb_row_view some = psb_rows_part(rows, first + k * unit, unit);
            units[k] = psb_block_prepare(s->metric, &some, memory + k * bytes);
        }
    }
    return count;
}

/* Asks the visitor for the present limits of a side's rows, if it has any, for `units`. */
static void set_limits(const job *work, size_t block, size_t n, float *limits, psb_block *units) {
    const psb_stream *s = work->stream;
    size_t first = work->before + block * s->block;
    if (s->limit == NULL || block < work->first || block >= work->end) {
        return;
    }
    omp_lock_t *lock = &work->locks[block - work->first];
    omp_set_lock(lock);
    for (size_t i = 0; i < n; i++) {
        limits[i] = s->limit(s->visitor, first + i);
    }
    omp_unset_lock(lock);
    for (size_t i = 0; i < n; i += unit_of(s->metric, s->block)) {
        units[i / unit_of(s->metric, s->block)].limit = limits + i;
    }
}

static void fill_tile(const job *work, place at, size_t columns, const workspace *w) {
    const psb_stream *s = work->stream;
    bool diagonal = s->same && at.query == at.row;
    psb_block a[MOST_UNITS], b[MOST_UNITS];
    float limits[2][MOST_UNITS * PSB_TILE];
    const kept *rows = s->same ? &work->queries : &work->rows;
    size_t unit = unit_of(s->metric, s->block);
    size_t na = ready(s, &work->queries, &work->asked, at.query * s->block, w->prepared[0], a);
    size_t nb = ready(s, rows, &s->rows, at.row * s->block, w->prepared[1], b);
    set_limits(work, at.query, psb_rows_part(&work->asked, at.query * s->block, s->block).n,
               limits[0], a);
    if (s->same) {
        set_limits(work, at.row, columns, limits[1], b);
    }
    for (size_t i = 0; i < na; i++) {
        for (size_t j = diagonal ? i : 0; j < nb; j++) {
            float *out = w->distances + i * unit * columns + j * unit;
            s->metric->tile(&a[i], &b[j], diagonal && i == j, w->tile, out, columns);
        }
    }
    if (diagonal) {
        psb_tile_mirror(w->distances, columns, columns);
    }
}

static void release(const psb_row_view *rows) {
    size_t bytes = rows->length * psb_element_bytes(rows->element);
    psb_input_release(rows->data, rows->n * bytes);
}

static psb_status compute_tile(job *work, place at, const workspace *w, psb_error *error) {
    const psb_stream *s = work->stream;
    size_t q0 = at.query * s->block, r0 = at.row * s->block;
    psb_row_view a = psb_rows_part(&work->asked, q0, s->block);
    psb_row_view b = psb_rows_part(&s->rows, r0, s->block);
    bool both = s->same && at.query != at.row && at.row >= work->first && at.row < work->end;
    size_t query = work->before + q0;
    if (s->wanted != NULL && !s->wanted(s->visitor, query, a.n, r0, b.n) &&
        !(both && s->wanted(s->visitor, r0, b.n, q0, a.n))) {
        return PSB_OK;
    }
    fill_tile(work, at, b.n, w);
    if (psb_go_on(error) != PSB_OK) {
        return PSB_ERROR_INTERRUPTED;
    }
    psb_strip strip = {query, a.n, r0, b.n, w->distances};
    bool fine = psb_all_finite(w->distances, a.n * b.n, 0.0F);
    show(work, at.query, fine, &strip);
    if (both) {
        psb_tile_turn(w->distances, a.n, b.n, b.n, w->turned, a.n);
        psb_strip other = {r0, b.n, query, a.n, w->turned};
        show(work, at.row, fine, &other);
    }
    if (s->release) {
        release(&a);
        release(&b);
    }
    return PSB_OK;
}

static psb_status one_tile(void *context, void *own, size_t t, psb_error *error) {
    job *work = context;
    workspace w = divide(work->stream, own);
    return compute_tile(work, locate(work, t), &w, error);
}

static psb_status run_tiles(job *work, psb_error *error) {
    const psb_stream *s = work->stream;
    psb_loop loop = {.count = tiles_of(work),
                     .threads = s->threads,
                     .bytes = psb_stream_scratch(s->metric, s->rows.length, s->block, s->keep),
                     .name = "a tile of distances",
                     .item = one_tile,
                     .job = work,
                     .progress = s->progress,
                     .context = s->context};
    return psb_parallel(&loop, error);
}

/* The work of preparing the rows of one side once for all tiles. */
typedef struct preparation {
    const psb_stream *stream;
    const psb_row_view *rows;
    const kept *out;
} preparation;

static psb_status prepare_unit(void *context, void *own PSB_UNUSED, size_t u,
                               psb_error *error PSB_UNUSED) {
    const preparation *p = context;
    const psb_stream *s = p->stream;
    size_t unit = unit_of(s->metric, s->block);
    size_t bytes = psb_block_bytes(s->metric, unit, p->rows->length);
    psb_row_view some = psb_rows_part(p->rows, u * unit, unit);
    p->out->unit[u] = psb_block_prepare(s->metric, &some, (char *)p->out->prepared + u * bytes);
    if (s->release) {
        release(&some);
    }
    return PSB_OK;
}

static psb_status keep(const psb_stream *s, const psb_row_view *rows, kept *out, psb_error *error) {
    size_t unit = unit_of(s->metric, s->block), count = blocks_of(rows->n, unit);
    size_t bytes = psb_block_bytes(s->metric, unit, rows->length);
    psb_status status = PSB_OK;
    out->unit = psb_new(&status, count, sizeof *out->unit, "rows", error);
    out->prepared = psb_new(&status, count, bytes, "rows made ready", error);
    if (status != PSB_OK) {
        return status;
    }
    preparation p = {s, rows, out};
    psb_loop loop = {.count = count, .threads = s->threads, .item = prepare_unit, .job = &p};
    return psb_parallel(&loop, error);
}

static void let_go(kept *rows) {
    free(rows->unit);
    free(rows->prepared);
}

/* Computes all tiles, with a lock for each block of queries. */
static psb_status run_locked(job *work, psb_error *error) {
    size_t asked = work->end - work->first;
    psb_status status = PSB_OK;
    work->locks = psb_new(&status, asked, sizeof *work->locks, "locks", error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t i = 0; i < asked; i++) {
        omp_init_lock(&work->locks[i]);
    }
    status = run_tiles(work, error);
    for (size_t i = 0; i < asked; i++) {
        omp_destroy_lock(&work->locks[i]);
    }
    free(work->locks);
    return status;
}

static psb_status check_metric(const psb_stream *s, psb_error *error) {
    if (s->queries.length != s->rows.length || s->queries.element != s->rows.element) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "queries of %zu %s numbers, but rows of %zu %s numbers: name "
                        "two files of one descriptor",
                        s->queries.length, psb_element_name(s->queries.element), s->rows.length,
                        psb_element_name(s->rows.element));
    }
    psb_status status = psb_metric_check(s->metric, &s->queries, error);
    return status == PSB_OK && !s->same ? psb_metric_check(s->metric, &s->rows, error) : status;
}

psb_status psb_stream_run(const psb_stream *stream, psb_error *error) {
    psb_status status = check_metric(stream, error);
    PSB_THEN(status, psb_linear_setup(error));
    if (status != PSB_OK) {
        return status;
    }
    size_t before = stream->same ? 0 : stream->first;
    size_t end = stream->same ? stream->queries.n : stream->end;
    job work = {.stream = stream,
                .asked = psb_rows_part(&stream->queries, before, end - before),
                .before = before,
                .blocks = blocks_of(stream->rows.n, stream->block),
                .first = (stream->first - before) / stream->block,
                .end = blocks_of(stream->end - before, stream->block)};
    if (stream->keep) {
        status = keep(stream, &work.asked, &work.queries, error);
    }
    if (stream->keep && !stream->same && status == PSB_OK) {
        status = keep(stream, &stream->rows, &work.rows, error);
    }
    PSB_THEN(status, run_locked(&work, error));
    let_go(&work.queries);
    let_go(&work.rows);
    PSB_THEN_IF(status, work.broken,
                psb_fail(error, PSB_ERROR_INPUT,
                         "row %zu, column %zu is %g: a distance is finite and not negative",
                         work.row, work.column, (double)work.value));
    return status;
}
