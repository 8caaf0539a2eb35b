/* Blocks by halving the longest side of a box; then a block of points against a block of points. */
#include "distance/points.h"

#include "core/memory.h"
#include "core/number.h"
#include "distance/points_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = PSB_POINTS_BLOCK,
    BOXES = PSB_POINTS_BOXES,
    QUANTILES = PSB_POINTS_OUTLINE / 3,
    SORTED = 1024, /* the most points of an outline */
};

typedef psb_points_block block;
typedef psb_points_box box;
typedef psb_points_boxes boxes;
typedef psb_points_head head;

PSB_SET_KERNELS(psb_points_kernels, psb_points_kernel, psb_points_of)

size_t psb_points_bytes(size_t n) {
    size_t nblocks = (n + BLOCK - 1) / BLOCK, groups = (nblocks + BOXES - 1) / BOXES;
    return psb_whole_lines(sizeof(head) + nblocks * sizeof(block) + groups * sizeof(boxes));
}

/* ---- preparing ------------------------------------------------------------------------- */

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t c = *a;
    *a = *b;
    *b = c;
}

static box box_of(const float *at, const uint32_t *place, size_t n) {
    box out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3; k++) {
            float x = at[3 * (size_t)place[i] + k];
            out.low[k] = x < out.low[k] ? x : out.low[k];
            out.high[k] = x > out.high[k] ? x : out.high[k];
        }
    }
    return out;
}

/* Hoare's selection: the `first` least along the axis come to stand in front. */
static void part_at(const float *at, uint32_t *place, size_t n, size_t axis, size_t first) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        float pivot = at[3 * (size_t)place[low + (high - low) / 2] + axis];
        size_t i = low, j = high;
        while (true) {
            for (; at[3 * (size_t)place[i] + axis] < pivot; i++) {
            }
            for (; at[3 * (size_t)place[j] + axis] > pivot; j--) {
            }
            if (i >= j) {
                break;
            }
            swap(&place[i++], &place[j--]);
        }
        /* All up to j are at most, all behind at least the pivot. */
        if (first <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
}

/* Halves the longest side until a block is left; all blocks but the last are full. */
static void arrange(const float *at, uint32_t *place, size_t n) {
    while (n > BLOCK) {
        box b = box_of(at, place, n);
        size_t axis = 0, half = (n / BLOCK + 1) / 2 * BLOCK;
        for (size_t k = 1; k < 3; k++) {
            axis = b.high[k] - b.low[k] > b.high[axis] - b.low[axis] ? k : axis;
        }
        part_at(at, place, n, axis, half);
        arrange(at, place, half);
        place += half;
        n -= half;
    }
}

/* What `memory` holds, in the order in which it does. */
static void fill_block(const float *at, const uint32_t *place, size_t n, block *out) {
    for (size_t i = 0; i < BLOCK; i++) {
        uint32_t from = place[i < n ? i : n - 1];
        for (size_t k = 0; k < 3; k++) {
            out->at[k][i] = at[3 * (size_t)from + k];
        }
        out->place[i] = from;
    }
}

void psb_points_prepare(const float *at, size_t n, void *memory) {
    head *h = memory;
    *h = (head){.n = n, .nblocks = (n + BLOCK - 1) / BLOCK, .in_range = true};
    block *blocks = (block *)(void *)(h + 1);
    boxes *all = (boxes *)(void *)(blocks + h->nblocks);
    boxes *last = &all[(h->nblocks - 1) / BOXES];
    /* The places of all blocks side by side, where the first blocks will be; then block by block,
       the last one first, since a block is larger than its places. */
    uint32_t *place = (uint32_t *)(void *)blocks;
    for (size_t i = 0; i < n; i++) {
        place[i] = (uint32_t)i;
    }
    arrange(at, place, n);
    /* Nothing is near to boxes without a block. */
    for (size_t i = 0; i < 3 * (size_t)BOXES; i++) {
        last->low[i / BOXES][i % BOXES] = INFINITY;
        last->high[i / BOXES][i % BOXES] = INFINITY;
    }
    for (size_t b = h->nblocks; b-- > 0;) {
        uint32_t own[BLOCK];
        size_t count = n - b * BLOCK < BLOCK ? n - b * BLOCK : BLOCK;
        memcpy(own, place + b * BLOCK, count * sizeof *own);
        fill_block(at, own, count, &blocks[b]);
        box around = box_of(at, own, count);
        for (int k = 0; k < 3; k++) {
            all[b / BOXES].low[k][b % BOXES] = around.low[k];
            all[b / BOXES].high[k][b % BOXES] = around.high[k];
            h->in_range = h->in_range && around.low[k] >= -PSB_POINTS_LARGEST &&
                          around.high[k] <= PSB_POINTS_LARGEST;
        }
    }
}

bool psb_points_in_range(const void *prepared) {
    return ((const head *)prepared)->in_range;
}

static const psb_points_kernel *kernel(void) {
    return psb_cpu_choose(psb_points_kernels);
}

void psb_points_nearest(const void *from, const void *to, float *squares, uint32_t *nearest) {
    kernel()->nearest(from, to, squares, nearest);
}

void psb_points_gaps(const void *from, const void *to, float *squares) {
    kernel()->gaps(from, to, squares);
}

/* ---- rows ------------------------------------------------------------------------------ */

int psb_points_accept(size_t length) {
    return length > 0 && length % 3 == 0;
}

size_t psb_points_prepared_bytes(size_t rows, size_t length) {
    return rows * psb_points_bytes(length / 3);
}

void psb_points_prepare_rows(const psb_row_view *rows, void *prepared) {
    const float *at = rows->data;
    for (size_t i = 0; i < rows->n; i++) {
        psb_points_prepare(at + i * rows->length, rows->length / 3,
                           (char *)prepared + i * psb_points_bytes(rows->length / 3));
    }
}

/* For each axis some of the coordinates in ascending order: nearly the moves along that axis. */
void psb_points_outline(const void *row, size_t length, float *out) {
    const float *at = row;
    size_t step = (length / 3 + SORTED - 1) / SORTED, n = length / 3 / step;
    float sorted[SORTED];
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++) {
            sorted[i] = at[3 * i * step + k];
        }
        qsort(sorted, n, sizeof *sorted, psb_by_float);
        for (size_t q = 0; q < QUANTILES; q++) {
            *out++ = sorted[(2 * q + 1) * n / (2 * QUANTILES)];
        }
    }
}

bool psb_metric_is_of_points(const psb_metric *metric) {
    return metric == &psb_cd || metric == &psb_cd_l1 || metric == &psb_hausdorff ||
           metric == &psb_emd || metric == &psb_emd_auction;
}
