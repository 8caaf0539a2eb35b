/*
 * The matrix of all pairs, tile by tile: each tile is one thread's, so threads change nothing.
 *
 * A metric may prepare rows, and what it makes of them is larger than they are. So blocks are
 * grouped into bands that fit into fixed memory, two at a time: in most runs one band holds all.
 */
#include "core/error.h"
#include "core/linear.h"
#include "core/memory.h"
#include "distance/metric.h"

#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>

/* Of prepared rows, in each of two bands; a block may exceed it. */
static const size_t band_bytes = (size_t)32 << 20;

typedef struct band {
    size_t first, count;     /* blocks */
    psb_block *block;        /* count */
    unsigned char *prepared; /* theirs */
} band;

typedef struct job {
    const psb_metric *metric;
    const psb_rows *rows;
    float *out;
    size_t blocks; /* along one side of the matrix */
    size_t block_bytes, scratch_bytes;
    unsigned char *scratch; /* of each thread */
    int threads;
    int (*progress)(size_t, size_t, void *);
    void *context;
    size_t done; /* tiles */
    bool stop;
} job;

static void prepare_band(const job *work, band *rows, size_t first, size_t most) {
    size_t left = work->blocks - first;
    rows->first = first;
    rows->count = left < most ? left : most;
#pragma omp parallel for num_threads(work->threads) schedule(dynamic)
    for (size_t b = 0; b < rows->count; b++) {
        psb_rows some = psb_rows_part(work->rows, (first + b) * PSB_TILE, PSB_TILE);
        rows->block[b] =
            psb_block_prepare(work->metric, &some, rows->prepared + b * work->block_bytes);
    }
}

/* One tile of the upper triangle and its mirror image. */
static void compute_tile(const job *work, const band *a, size_t bi, const band *b, size_t bj) {
    const psb_block *row = &a->block[bi], *column = &b->block[bj];
    size_t n = work->rows->n, i0 = (a->first + bi) * PSB_TILE, j0 = (b->first + bj) * PSB_TILE;
    float *tile = work->out + i0 * n + j0;
    void *scratch = work->scratch + (size_t)omp_get_thread_num() * work->scratch_bytes;
    work->metric->tile(row, column, i0 == j0, scratch, tile, n);
    if (i0 != j0) {
        psb_tile_turn(tile, row->rows.n, column->rows.n, n, work->out + j0 * n + i0, n);
    } else {
        psb_tile_mirror(tile, row->rows.n, n);
    }
}

static bool stopped(job *work) {
    bool stop;
#pragma omp atomic read
    stop = work->stop;
    return stop;
}

static void count_tile(job *work) {
#pragma omp critical(psb_tiles)
    {
        work->done++;
        size_t tiles = work->blocks * (work->blocks + 1) / 2;
        if (work->progress != NULL && work->progress(work->done, tiles, work->context) != 0) {
#pragma omp atomic write
            work->stop = true;
        }
    }
}

/* The tiles of two bands, or those on and above the diagonal of one. */
static void compute_tiles(job *work, const band *a, const band *b) {
#pragma omp parallel for num_threads(work->threads) schedule(dynamic)
    for (size_t t = 0; t < a->count * b->count; t++) {
        size_t bi = t / b->count, bj = t % b->count;
        if ((a != b || bi <= bj) && !stopped(work)) {
            compute_tile(work, a, bi, b, bj);
            count_tile(work);
        }
    }
}

/* Memory for a band; free(band->block) and free(band->prepared). */
static psb_status allocate_band(const job *work, size_t blocks, band *rows, psb_error *error) {
    void *memory;
    psb_status status = psb_alloc(&memory, blocks, sizeof *rows->block, "rows", error);
    rows->block = memory;
    if (status == PSB_OK) {
        status = psb_alloc(&memory, blocks, work->block_bytes, "rows made ready", error);
        rows->prepared = memory;
    }
    return status;
}

static psb_status compute_bands(job *work, psb_error *error) {
    size_t most = work->block_bytes > 0 ? band_bytes / work->block_bytes : work->blocks;
    most = most < 1 ? 1 : most < work->blocks ? most : work->blocks;
    band one = {0}, other = {0};
    psb_status status = allocate_band(work, most, &one, error);
    if (status == PSB_OK && most < work->blocks) {
        status = allocate_band(work, most, &other, error);
    }
    for (size_t i = 0; i < work->blocks && status == PSB_OK && !work->stop; i += most) {
        prepare_band(work, &one, i, most);
        compute_tiles(work, &one, &one);
        for (size_t j = i + most; j < work->blocks && !work->stop; j += most) {
            prepare_band(work, &other, j, most);
            compute_tiles(work, &one, &other);
        }
    }
    free(one.block);
    free(one.prepared);
    free(other.block);
    free(other.prepared);
    return status;
}

psb_status psb_distance_matrix(const psb_metric *metric, const psb_rows *rows, int threads,
                               float *out, int (*progress)(size_t, size_t, void *), void *context,
                               psb_error *error) {
    psb_status status = psb_metric_check(metric, rows, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_linear_setup();
    job work = {
        .metric = metric,
        .rows = rows,
        .out = out,
        .blocks = (rows->n + PSB_TILE - 1) / PSB_TILE,
        .block_bytes = psb_block_bytes(metric, PSB_TILE, rows->length),
        .scratch_bytes = psb_tile_scratch(metric, PSB_TILE, rows->length),
        .threads = threads > 1 ? threads : 1,
        .progress = progress,
        .context = context,
    };
    void *scratch;
    status =
        psb_alloc(&scratch, (size_t)work.threads, work.scratch_bytes, "tiles of distances", error);
    if (status != PSB_OK) {
        return status;
    }
    work.scratch = scratch;
    status = compute_bands(&work, error);
    free(scratch);
    if (status == PSB_OK && work.stop) {
        status = psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted");
    }
    return status;
}
