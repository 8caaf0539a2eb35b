/* The matrix of all pairs, tile by tile: each tile is one thread's, so threads change nothing. */
#include "core/error.h"
#include "core/linear.h"
#include "core/memory.h"
#include "distance/metric.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct job {
    const psb_metric *metric;
    const psb_rows *rows;
    float *out;
    size_t blocks; /* along one side */
} job;

static psb_rows block(const psb_rows *rows, size_t which) {
    size_t first = which * PSB_TILE;
    size_t left = rows->n - first;
    size_t bytes = rows->length * (rows->element == PSB_UINT8 ? 1 : sizeof(float));
    return (psb_rows){(const char *)rows->data + first * bytes, left < PSB_TILE ? left : PSB_TILE,
                      rows->length, rows->element};
}

/* One tile of the upper triangle and its mirror image. */
static void compute_tile(const job *work, size_t bi, size_t bj, void *scratch) {
    psb_rows a = block(work->rows, bi), b = block(work->rows, bj);
    size_t n = work->rows->n, i0 = bi * PSB_TILE, j0 = bj * PSB_TILE;
    work->metric->tile(&a, &b, scratch, work->out + i0 * n + j0, n);
    for (size_t i = i0; i < i0 + a.n; i++) {
        for (size_t j = bi == bj ? i : j0; j < j0 + b.n; j++) {
            if (i == j) {
                work->out[i * n + j] = 0.0F;
            } else {
                work->out[j * n + i] = work->out[i * n + j];
            }
        }
    }
}

/* Tile number t of the upper triangle, counted row by row. */
static void locate(size_t t, size_t blocks, size_t *bi, size_t *bj) {
    size_t row = 0;
    while (t >= blocks - row) {
        t -= blocks - row;
        row++;
    }
    *bi = row;
    *bj = row + t;
}

static psb_status check_signs(const psb_metric *metric, const psb_rows *rows, psb_error *error) {
    const float *data = rows->data;
    for (size_t i = 0; i < rows->n * rows->length; i++) {
        if (data[i] < 0) {
            return psb_fail(error, PSB_ERROR_INPUT,
                            "row %zu, column %zu is %g: metric %s takes no negative numbers",
                            i / rows->length, i % rows->length, (double)data[i], metric->name);
        }
    }
    return PSB_OK;
}

static psb_status check(const psb_metric *metric, const psb_rows *rows, psb_error *error) {
    if (rows->element != metric->element) {
        return psb_fail(error, PSB_ERROR_USAGE, "metric %s takes %s rows, these are %s",
                        metric->name, metric->element == PSB_UINT8 ? "uint8" : "float32",
                        rows->element == PSB_UINT8 ? "uint8" : "float32");
    }
    if (metric->accepts != NULL && !metric->accepts(rows->length)) {
        return psb_fail(error, PSB_ERROR_USAGE, "metric %s does not take rows of %zu numbers",
                        metric->name, rows->length);
    }
    return metric->no_negatives ? check_signs(metric, rows, error) : PSB_OK;
}

psb_status psb_distance_matrix(const psb_metric *metric, const psb_rows *rows, int threads,
                               float *out, int (*progress)(size_t, size_t, void *), void *context,
                               psb_error *error) {
    psb_status status = check(metric, rows, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_linear_setup();
    job work = {metric, rows, out, (rows->n + PSB_TILE - 1) / PSB_TILE};
    size_t tiles = work.blocks * (work.blocks + 1) / 2;
    size_t done = 0;
    bool stop = false;
#pragma omp parallel num_threads(threads)
    {
        void *scratch;
        psb_error own;
        psb_status mine =
            psb_alloc(&scratch, 1, metric->tile_scratch(rows->length), "a tile of distances", &own);
#pragma omp for schedule(dynamic)
        for (size_t t = 0; t < tiles; t++) {
            bool skip;
#pragma omp atomic read
            skip = stop;
            if (skip || mine != PSB_OK) {
                continue;
            }
            size_t bi, bj;
            locate(t, work.blocks, &bi, &bj);
            compute_tile(&work, bi, bj, scratch);
#pragma omp critical(psb_tiles)
            {
                done++;
                if (progress != NULL && progress(done, tiles, context) != 0) {
#pragma omp atomic write
                    stop = true;
                }
            }
        }
        if (mine != PSB_OK) {
#pragma omp critical(psb_tiles)
            {
                status = mine;
                if (error != NULL) {
                    *error = own;
                }
            }
        }
        free(scratch);
    }
    if (status == PSB_OK && stop) {
        status = psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted");
    }
    return status;
}
