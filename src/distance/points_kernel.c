/* A block of points against the blocks of another set, by vectors. */
#include "distance/points_kernel.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = PSB_POINTS_BLOCK,
    BOXES = PSB_POINTS_BOXES,
    LANES = PSB_SET_BYTES / 4,
    VECTORS = BLOCK / LANES,
};

typedef float floats __attribute__((vector_size(PSB_SET_BYTES)));
typedef int32_t ints __attribute__((vector_size(PSB_SET_BYTES)));
typedef psb_points_block block;
typedef psb_points_box box;
typedef psb_points_boxes boxes;
typedef psb_points_head head;

/* Squared distances of a block's points to their nearest so far. */
typedef struct leasts {
    floats of[VECTORS];
} leasts;

PSB_INLINE floats load(const float *at) {
    return *(const floats *)(const void *)at;
}

/* The lesser number in each lane. */
#if PSB_SET_BYTES == 64
#include <immintrin.h>
#define LESSER(a, b) ((floats)_mm512_min_ps(a, b))
#elif PSB_SET_BYTES == 32
#include <immintrin.h>
#define LESSER(a, b) ((floats)_mm256_min_ps(a, b))
#elif defined(__SSE2__)
#include <immintrin.h>
#define LESSER(a, b) ((floats)_mm_min_ps(a, b))
#else
#define LESSER(a, b) ((floats)((((a) < (b)) & (ints)(a)) | (((a) >= (b)) & (ints)(b))))
#endif

PSB_INLINE float least_of(floats a) {
    float least = a[0];
    for (int l = 1; l < LANES; l++) {
        least = a[l] < least ? a[l] : least;
    }
    return least;
}

PSB_INLINE float most_of(const leasts *a) {
    floats most = -a->of[0];
    for (int v = 1; v < VECTORS; v++) {
        most = LESSER(most, -a->of[v]);
    }
    return -least_of(most);
}

/* Squared distances of a box to others, which may be points; 0 where they meet. */
PSB_INLINE floats between(const box *own, const float *low, const float *high, int stride) {
    floats sum = {0};
    for (int k = 0; k < 3; k++) {
        floats below = own->low[k] - load(high + k * stride);
        floats above = load(low + k * stride) - own->high[k];
        ints side = ((below > 0) & (ints)below) | ((above > 0) & (ints)above); /* one at most */
        sum += (floats)side * (floats)side;
    }
    return sum;
}

/* The square of the distance of a block's points from point j of another. */
PSB_INLINE floats square(const block *from, int v, const block *to, int j) {
    floats dx = load(from->at[0] + v * LANES) - to->at[0][j];
    floats dy = load(from->at[1] + v * LANES) - to->at[1][j];
    floats dz = load(from->at[2] + v * LANES) - to->at[2][j];
    return dx * dx + dy * dy + dz * dz;
}

PSB_INLINE void meet(const block *from, const block *to, leasts *least) {
    for (int j = 0; j < BLOCK; j++) {
        for (int v = 0; v < VECTORS; v++) {
            least->of[v] = LESSER(square(from, v, to, j), least->of[v]);
        }
    }
}

PSB_INLINE bool any(ints mask) {
    uint64_t out = 0, parts[PSB_SET_BYTES / 8];
    memcpy(parts, &mask, sizeof parts);
    for (int p = 0; p < PSB_SET_BYTES / 8; p++) {
        out |= parts[p];
    }
    return out != 0;
}

/* Whether a point of the block may be nearer to the box than to its nearest so far. */
PSB_INLINE bool may_meet(const block *from, const box *to, const leasts *least) {
    ints nearer = {0};
    for (int v = 0; v < VECTORS; v++) {
        const float *at = from->at[0] + v * LANES;
        nearer |= between(to, at, at, BLOCK) < least->of[v];
    }
    return any(nearer);
}

static box box_at(const head *h, size_t b) {
    const boxes *all = &psb_points_all_boxes(h)[b / BOXES];
    box out;
    for (int k = 0; k < 3; k++) {
        out.low[k] = all->low[k][b % BOXES];
        out.high[k] = all->high[k][b % BOXES];
    }
    return out;
}

/* Of the boxes of a group; returns the least. */
PSB_INLINE float measure(const box *own, const head *to, size_t first, float gap[BOXES]) {
    const boxes *all = &psb_points_all_boxes(to)[first / BOXES];
    floats least = (floats){0} + INFINITY;
    for (int c = 0; c < BOXES; c += LANES) {
        floats square = between(own, all->low[0] + c, all->high[0] + c, BOXES);
        least = LESSER(square, least);
        memcpy(gap + c, &square, sizeof square);
    }
    return least_of(least);
}

/* Of the points at the least distance the one that comes first. */
static void recognise(const block *from, const block *to, const float least[BLOCK],
                      int32_t found[BLOCK]) {
    for (int j = 0; j < BLOCK; j++) {
        int32_t place = (int32_t)to->place[j];
        for (int v = 0; v < VECTORS; v++) {
            floats there = square(from, v, to, j);
            for (int l = 0; l < LANES; l++) {
                int i = v * LANES + l;
                bool here = (there[l] == least[i]) & (place < found[i]);
                found[i] = here ? place : found[i];
            }
        }
    }
}

/* Meets the blocks of a group whose boxes are near, but `begin`: those that overlap, or the others.
 */
PSB_INLINE void visit(const block *own, const head *to, size_t first, size_t begin,
                      const float gap[BOXES], bool overlap, leasts *least) {
    float most = most_of(least);
    for (size_t k = 0; k < BOXES; k++) {
        if (k % LANES == 0 && !any(overlap ? load(gap + k) == 0 : load(gap + k) < most)) {
            k += LANES - 1;
        } else if (gap[k] < most && (gap[k] == 0) == overlap && first + k != begin) {
            const box there = box_at(to, first + k);
            if (may_meet(own, &there, least)) {
                meet(own, &psb_points_blocks(to)[first + k], least);
                most = most_of(least);
            }
        }
    }
}

/* The nearest box first, then those that overlap: then most others are too far. */
static void find(const head *from, size_t b, const head *to, leasts *least, float gap[BOXES]) {
    const block *own = &psb_points_blocks(from)[b], *other = psb_points_blocks(to);
    const box at = box_at(from, b);
    leasts here;
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
    for (int v = 0; v < VECTORS; v++) {
        here.of[v] = (floats){0} + INFINITY;
    }
    meet(own, &other[begin], &here);
    for (size_t c = 0; c < to->nblocks; c += BOXES) {
        if (to->nblocks > BOXES) {
            measure(&at, to, c, gap);
        }
        visit(own, to, c, begin, gap, true, &here);
        visit(own, to, c, begin, gap, false, &here);
    }
    *least = here;
}

static void find_places(const head *from, size_t b, const head *to, const float least[BLOCK],
                        float most, float gap[BOXES], uint32_t *nearest) {
    const block *own = &psb_points_blocks(from)[b], *other = psb_points_blocks(to);
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
            recognise(own, &other[c], least, found);
        }
    }
    for (int i = 0; i < BLOCK; i++) {
        nearest[own->place[i]] = least[i] < INFINITY ? (uint32_t)found[i] : 0;
    }
}

static void look(const head *from, const head *to, float *squares, uint32_t *nearest) {
    for (size_t b = 0; b < from->nblocks; b++) {
        const block *own = &psb_points_blocks(from)[b];
        _Alignas(64) float gap[BOXES], least[BLOCK];
        leasts found;
        find(from, b, to, &found, gap);
        memcpy(least, &found, sizeof least);
        if (nearest != NULL) {
            find_places(from, b, to, least, most_of(&found), gap, nearest);
        }
        for (int i = 0; i < BLOCK; i++) {
            squares[own->place[i]] = least[i];
        }
    }
}

static void find_gaps(const head *from, const head *to, float *gaps) {
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

const psb_points_kernel PSB_OF_SET(psb_points_of) = {PSB_SET_VARIANT, look, find_gaps};
