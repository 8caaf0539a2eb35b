/* Blocks by halving the longest side of a box; then a block of points against a block of points. */
#include "distance/points.h"

#include "core/cpu.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* Points of a block, and boxes that are measured at once. */
enum { BLOCK = 16, BOXES = 128 };

typedef struct block {
    float at[3][BLOCK]; /* the last block repeats its last point */
    uint32_t place[BLOCK];
} block;

typedef struct box {
    float low[3], high[3];
} box;

/* Those of as many blocks; of the last ones some have no block. */
typedef struct boxes {
    float low[3][BOXES], high[3][BOXES];
} boxes;

/* In front of the blocks, behind which are their boxes. */
typedef struct head {
    size_t n, nblocks;
    bool in_range;
    char filled[64 - 2 * sizeof(size_t) - sizeof(bool)];
} head;

static const block *blocks_of(const head *h) {
    return (const block *)(const void *)(h + 1);
}

static const boxes *boxes_of(const head *h) {
    return (const boxes *)(const void *)(blocks_of(h) + h->nblocks);
}

static box box_at(const head *h, size_t b) {
    const boxes *all = &boxes_of(h)[b / BOXES];
    box out;
    for (int k = 0; k < 3; k++) {
        out.low[k] = all->low[k][b % BOXES];
        out.high[k] = all->high[k][b % BOXES];
    }
    return out;
}

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
    /* The places of all blocks side by side, where the first blocks will be; then block by block,
       the last one first, since a block is larger than its places. */
    uint32_t *place = (uint32_t *)(void *)blocks;
    for (size_t i = 0; i < n; i++) {
        place[i] = (uint32_t)i;
    }
    arrange(at, place, n);
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

/* ---- comparing ------------------------------------------------------------------------- */

PSB_INLINE float larger(float a, float b) {
    return a > b ? a : b;
}

/* Squared distances of a box to all of a group, 0 where they meet. */
PSB_INLINE void measure(const box *own, const boxes *to, float gap[BOXES]) {
    for (int c = 0; c < BOXES; c++) {
        float d[3];
        for (int k = 0; k < 3; k++) {
            d[k] = larger(larger(own->low[k] - to->high[k][c], to->low[k][c] - own->high[k]), 0);
        }
        gap[c] = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
}

/* The square of the distance of point i of a block from point j of another. */
PSB_INLINE float square(const block *from, int i, const block *to, int j) {
    float dx = from->at[0][i] - to->at[0][j], dy = from->at[1][i] - to->at[1][j];
    float dz = from->at[2][i] - to->at[2][j];
    return dx * dx + dy * dy + dz * dz;
}

PSB_INLINE void meet(const block *from, const block *to, float least[BLOCK]) {
    for (int j = 0; j < BLOCK; j++) {
        for (int i = 0; i < BLOCK; i++) {
            float other = square(from, i, to, j);
            least[i] = other < least[i] ? other : least[i];
        }
    }
}

PSB_INLINE float most_of(const float least[BLOCK]) {
    float most[BLOCK];
    memcpy(most, least, sizeof most);
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            most[i] = larger(most[i], most[i + half]);
        }
    }
    return most[0];
}

/* Blocks of the group that begins with block `first`. */
PSB_INLINE size_t count_from(const head *to, size_t first) {
    return to->nblocks - first < BOXES ? to->nblocks - first : BOXES;
}

/* Of the points at the least distance the one that comes first. */
PSB_INLINE void recognise(const block *from, const block *to, const float least[BLOCK],
                          int32_t found[BLOCK]) {
    for (int j = 0; j < BLOCK; j++) {
        int32_t place = (int32_t)to->place[j];
        for (int i = 0; i < BLOCK; i++) {
            bool here = (square(from, i, to, j) == least[i]) & (place < found[i]);
            found[i] = here ? place : found[i];
        }
    }
}

/* The nearest box first: then most others are too far. */
PSB_INLINE void look(const head *from, const head *to, float *squares, uint32_t *nearest) {
    const block *own = blocks_of(from), *other = blocks_of(to);
    for (size_t b = 0; b < from->nblocks; b++) {
        const box at = box_at(from, b);
        float least[BLOCK], gap[BOXES], closest = INFINITY, most;
        int32_t found[BLOCK];
        size_t begin = 0;
        for (size_t c = 0; c < to->nblocks; c += BOXES) {
            measure(&at, &boxes_of(to)[c / BOXES], gap);
            for (size_t k = 0; k < count_from(to, c); k++) {
                begin = gap[k] < closest ? c + k : begin;
                closest = gap[k] < closest ? gap[k] : closest;
            }
        }
        for (int i = 0; i < BLOCK; i++) {
            least[i] = INFINITY;
            found[i] = INT32_MAX;
        }
        meet(&own[b], &other[begin], least);
        most = most_of(least);
        for (size_t c = 0; c < to->nblocks; c += BOXES) {
            if (to->nblocks > BOXES) {
                measure(&at, &boxes_of(to)[c / BOXES], gap);
            }
            for (size_t k = 0; k < count_from(to, c); k++) {
                if (gap[k] < most && c + k != begin) {
                    meet(&own[b], &other[c + k], least);
                    most = most_of(least);
                }
            }
        }
        for (size_t c = 0; c < to->nblocks && nearest; c++) {
            if (to->nblocks > BOXES && c % BOXES == 0) {
                measure(&at, &boxes_of(to)[c / BOXES], gap);
            }
            if (gap[c % BOXES] <= most) {
                recognise(&own[b], &other[c], least, found);
            }
        }
        for (int i = 0; i < BLOCK; i++) {
            squares[own[b].place[i]] = least[i];
            if (nearest) {
                nearest[own[b].place[i]] = least[i] < INFINITY ? (uint32_t)found[i] : 0;
            }
        }
    }
}

typedef struct psb_points_kernel {
    psb_variant variant;
    void (*look)(const head *from, const head *to, float *squares, uint32_t *nearest);
} psb_points_kernel;

PSB_VARIANTS(psb_points_kernels, psb_points_kernel, look,
             (const head *from, const head *to, float *squares, uint32_t *nearest),
             (from, to, squares, nearest))

void psb_points_nearest(const void *from, const void *to, float *squares, uint32_t *nearest) {
    const psb_points_kernel *kernel = psb_cpu_choose(psb_points_kernels);
    kernel->look(from, to, squares, nearest);
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

bool psb_metric_is_of_points(const psb_metric *metric) {
    return metric == &psb_cd || metric == &psb_cd_l1 || metric == &psb_hausdorff ||
           metric == &psb_emd || metric == &psb_emd_auction;
}
