/* Blocks by halving the longest side of a box; then a block of points against a block of points, in
 * loops that compilers vectorize for each instruction set. */
#include "distance/points.h"

#include "core/cpu.h"
#include "core/memory.h"
#include "core/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = PSB_POINTS_BLOCK,
    HALF = BLOCK / 2,
    BOXES = 128, /* that are measured at once */
    BITS = 32,   /* of a word: of as many boxes it says at once which are near */
    QUANTILES = PSB_POINTS_OUTLINE / 3,
    SORTED = 1024, /* the most points of an outline */
};

/* The last block repeats its last point. */
typedef struct block {
    float at[3][BLOCK];
    uint32_t place[BLOCK];
} block;

typedef struct box {
    float low[3], high[3];
} box;

/* Those of as many blocks; of the last ones some have no block, and no extent. */
typedef struct boxes {
    float low[3][BOXES], high[3][BOXES];
} boxes;

/* In front of the blocks, behind which are their boxes. */
typedef struct head {
    _Alignas(64) size_t n;
    size_t nblocks;
    bool in_range;
} head;

static const block *blocks_of(const head *h) {
    return (const block *)(const void *)(h + 1);
}

static const boxes *boxes_of(const head *h) {
    return (const boxes *)(const void *)(blocks_of(h) + h->nblocks);
}

PSB_KERNEL(psb_look, (const void *from, const void *to, float *squares, uint32_t *nearest))
PSB_KERNEL(psb_gaps, (const void *from, const void *to, float *gaps))

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

/* ---- a block of points against the blocks of another set --------------------------------- */

/* All of a block's points, or as many boxes, side by side. */
typedef float lane[BLOCK];

PSB_INLINE float lesser(float a, float b) {
    return a < b ? a : b;
}

PSB_INLINE void fill_lane(float value, lane out) {
    for (int i = 0; i < BLOCK; i++) {
        out[i] = value;
    }
}

PSB_INLINE float most_of(const lane a) {
    float most[HALF];
    for (int i = 0; i < HALF; i++) {
        most[i] = a[i] > a[i + HALF] ? a[i] : a[i + HALF];
    }
    for (int i = 1; i < HALF; i++) {
        most[0] = most[i] > most[0] ? most[i] : most[0];
    }
    return most[0];
}

/* Squared distance of a box to another, which may be a point; 0 where they meet. */
PSB_INLINE float between(const box *own, const float *low, const float *high, int stride) {
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        float below = own->low[k] - high[k * stride], above = low[k * stride] - own->high[k];
        float side = (below > 0 ? below : 0) + (above > 0 ? above : 0); /* one at most */
        sum += side * side;
    }
    return sum;
}

/* The square of the distance of a block's point i from point j of another. */
PSB_INLINE float square(const block *from, int i, const block *to, int j) {
    float dx = from->at[0][i] - to->at[0][j], dy = from->at[1][i] - to->at[1][j];
    float dz = from->at[2][i] - to->at[2][j];
    return dx * dx + dy * dy + dz * dz;
}

/* `least`: squared distances of a block's points to their nearest so far. */
PSB_INLINE void meet(const block *restrict from, const block *restrict to, float *restrict least) {
    for (int i = 0; i < BLOCK; i++) {
        float found = least[i];
        for (int j = 0; j < BLOCK; j++) {
            found = lesser(square(from, i, to, j), found);
        }
        least[i] = found;
    }
}

/* Whether a point of the block may be nearer to the box than to its nearest so far. */
PSB_INLINE bool may_meet(const block *from, const box *to, const lane least) {
    int nearer = 0;
    for (int i = 0; i < BLOCK; i++) {
        nearer |= between(to, from->at[0] + i, from->at[0] + i, BLOCK) < least[i];
    }
    return nearer != 0;
}

PSB_INLINE box box_at(const head *h, size_t b) {
    const boxes *all = &boxes_of(h)[b / BOXES];
    box out;
    for (int k = 0; k < 3; k++) {
        out.low[k] = all->low[k][b % BOXES];
        out.high[k] = all->high[k][b % BOXES];
    }
    return out;
}

/* Of the boxes of a group; returns the least. */
PSB_INLINE float measure(const box *own, const head *to, size_t first, float gap[BOXES]) {
    const boxes *all = &boxes_of(to)[first / BOXES];
    lane nearest;
    fill_lane(-INFINITY, nearest);
    for (int c = 0; c < BOXES; c += BLOCK) {
        for (int i = 0; i < BLOCK; i++) {
            gap[c + i] = between(own, all->low[0] + c + i, all->high[0] + c + i, BOXES);
            nearest[i] = nearest[i] > -gap[c + i] ? nearest[i] : -gap[c + i];
        }
    }
    return -most_of(nearest);
}

/* Of the points at the least distance the one that comes first. */
PSB_INLINE void recognise(const block *restrict from, const block *restrict to, const lane least,
                          int32_t *restrict found) {
    for (int j = 0; j < BLOCK; j++) {
        int32_t place = (int32_t)to->place[j];
        for (int i = 0; i < BLOCK; i++) {
            bool here = (square(from, i, to, j) == least[i]) & (place < found[i]);
            found[i] = here ? place : found[i];
        }
    }
}

/* Meets the blocks of a group whose boxes are near, but `begin`: those that overlap, or the others.
 */
PSB_INLINE void visit(const block *own, const head *to, size_t first, size_t begin,
                      const float gap[BOXES], bool overlap, lane least) {
    float most = most_of(least);
    for (size_t c = 0; c < BOXES; c += BITS) {
        uint32_t near = 0;
/* Unrolled, it would not be vectorized. */
#pragma GCC unroll 1
        for (int i = 0; i < BITS; i++) {
            near |= (overlap ? gap[c + (size_t)i] == 0 : gap[c + (size_t)i] < most) ? 1U << i : 0;
        }
        for (; near != 0; near &= near - 1) {
            const size_t k = c + (size_t)__builtin_ctz(near);
            if (gap[k] < most && (gap[k] == 0) == overlap && first + k != begin) {
                const box there = box_at(to, first + k);
                if (may_meet(own, &there, least)) {
                    meet(own, &blocks_of(to)[first + k], least);
                    most = most_of(least);
                }
            }
        }
    }
}

/* The nearest box first, then those that overlap: then most others are too far. */
PSB_INLINE void find(const head *from, size_t b, const head *to, lane least, float gap[BOXES]) {
    const block *own = &blocks_of(from)[b];
    const box at = box_at(from, b);
    float closest = INFINITY;
    size_t begin = 0;
    for (size_t c = 0; c < to->nblocks; c += BOXES) {
        float nearest = measure(&at, to, c, gap);
        if (nearest < closest) {
            closest = nearest;
            for (begin = 0; gap[begin] > nearest; begin++) {
            }
            begin += c;
        }
    }
    fill_lane(INFINITY, least);
    meet(own, &blocks_of(to)[begin], least);
    for (size_t c = 0; c < to->nblocks; c += BOXES) {
        if (to->nblocks > BOXES) {
            measure(&at, to, c, gap);
        }
        visit(own, to, c, begin, gap, true, least);
        visit(own, to, c, begin, gap, false, least);
    }
}

PSB_INLINE void find_places(const head *from, size_t b, const head *to, const lane least,
                            float most, float gap[BOXES], uint32_t *nearest) {
    const block *own = &blocks_of(from)[b];
    const box at = box_at(from, b);
    int32_t found[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        found[i] = INT32_MAX;
    }
    for (size_t c = 0; c < to->nblocks; c++) {
        if (to->nblocks > BOXES && c % BOXES == 0) {
            measure(&at, to, c, gap);
        }
        if (gap[c % BOXES] <= most) {
            recognise(own, &blocks_of(to)[c], least, found);
        }
    }
    for (int i = 0; i < BLOCK; i++) {
        nearest[own->place[i]] = least[i] < INFINITY ? (uint32_t)found[i] : 0;
    }
}

PSB_INLINE void look(const head *from, const head *to, float *squares, uint32_t *nearest) {
    for (size_t b = 0; b < from->nblocks; b++) {
        const block *own = &blocks_of(from)[b];
        _Alignas(64) float gap[BOXES], least[BLOCK];
        find(from, b, to, least, gap);
        if (nearest != NULL) {
            find_places(from, b, to, least, most_of(least), gap, nearest);
        }
        for (int i = 0; i < BLOCK; i++) {
            squares[own->place[i]] = least[i];
        }
    }
}

PSB_INLINE void find_gaps(const head *from, const head *to, float *gaps) {
    for (size_t b = 0; b < from->nblocks; b++) {
        const box at = box_at(from, b);
        float gap[BOXES];
        gaps[b] = INFINITY;
        for (size_t c = 0; c < to->nblocks; c += BOXES) {
            float nearest = measure(&at, to, c, gap);
            gaps[b] = nearest < gaps[b] ? nearest : gaps[b];
        }
    }
}

PSB_VARIANTS(psb_look, look, (const void *from, const void *to, float *squares, uint32_t *nearest),
             (from, to, squares, nearest))
PSB_VARIANTS(psb_gaps, find_gaps, (const void *from, const void *to, float *gaps), (from, to, gaps))

void psb_points_nearest(const void *from, const void *to, float *squares, uint32_t *nearest) {
    PSB_RUN(psb_look)(from, to, squares, nearest);
}

void psb_points_gaps(const void *from, const void *to, float *squares) {
    PSB_RUN(psb_gaps)(from, to, squares);
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
