/*
 * The kernels of lightfield/metric_kernel.h. Instruction sets differ in the width of vectors, the
 * sums of differences of eight bytes, SAD, and of 16 bits the lesser ones, LEAST, and sums and
 * differences that stop at their limits, PLUS and LESS.
 */
#include "lightfield/metric_kernel.h"

#if defined(__AVX2__)
#include <immintrin.h>
enum { WIDTH = 32 };
#define SAD(x, y)   ((lanes)_mm256_sad_epu8((__m256i)(x), (__m256i)(y)))
#define PLUS(x, y)  ((sums)_mm256_adds_epu16((__m256i)(x), (__m256i)(y)))
#define LESS(x, y)  ((sums)_mm256_subs_epu16((__m256i)(x), (__m256i)(y)))
#define LEAST(x, y) ((sums)_mm256_min_epu16((__m256i)(x), (__m256i)(y)))
#elif defined(__SSE2__)
#include <emmintrin.h>
enum { WIDTH = 16 };
#define SAD(x, y)  ((lanes)_mm_sad_epu8((__m128i)(x), (__m128i)(y)))
#define PLUS(x, y) ((sums)_mm_adds_epu16((__m128i)(x), (__m128i)(y)))
#define LESS(x, y) ((sums)_mm_subs_epu16((__m128i)(x), (__m128i)(y)))
#else
enum { WIDTH = 16 };
#define SAD(x, y)                                                                                  \
    ((lanes){psb_lfd_differences((const uint8_t *)&(x), (const uint8_t *)&(y), 8),                 \
             psb_lfd_differences((const uint8_t *)&(x) + 8, (const uint8_t *)&(y) + 8, 8)})
#define LESS(x, y) (((x) - (y)) & ((x) > (y)))
#define PLUS(x, y) (~LESS(~(x), y))
#endif
#ifndef LEAST
#define LEAST(x, y) ((x)-LESS(x, y))
#endif

/* Numbers of some images of the second model, and of some pairs of dodecahedra. */
typedef uint64_t lanes __attribute__((vector_size(WIDTH), may_alias));
typedef uint16_t sums __attribute__((vector_size(WIDTH), may_alias));

enum {
    LANES = WIDTH / 8,
    SUMS = WIDTH / 2,
    VECTORS = (PSB_LFD_PAIRS + SUMS - 1) / SUMS,
    EIGHTS = 8 * PSB_DODECAHEDRA, /* costs with dodecahedra 0 ... 7 of the second model */
};

#define INLINE static inline __attribute__((always_inline))

/* The costs of an image with LANES others; its last `twice` chunks count twice. */
INLINE lanes cost_of(int chunks, int twice, const lanes image[PSB_LFD_CHUNKS],
                     const uint64_t *right) {
    lanes cost = {0}, y;
#pragma GCC unroll 2
    for (int c = chunks - twice; c < chunks; c++) {
        y = *(const lanes *)(right + c * PSB_LFD_LINE);
        cost += SAD(image[c], y);
    }
    cost += cost;
#pragma GCC unroll 8
    for (int c = 0; c < chunks - twice; c++) {
        y = *(const lanes *)(right + c * PSB_LFD_LINE);
        cost += SAD(image[c], y);
    }
    return cost;
}

/* Stores eight costs with each image from lane `first` of a line on. */
INLINE void store(lanes costs, int first, uint16_t to[PSB_AXES][PSB_LFD_ROOM], int at) {
    typedef uint64_t two __attribute__((vector_size(16), may_alias));
#pragma GCC unroll 2
    for (int l = 0; l < LANES; l += 2) {
        *(two *)&to[(first + l) / 2][at] = (two){costs[l], costs[l + 1]};
    }
}

/* All costs of listed dodecahedra. */
INLINE void fill_costs(int chunks, int twice, const uint64_t *left, const psb_lfd_list *list,
                       const uint64_t *right, psb_lfd_costs *costs) {
    for (int i = 0; i < PSB_AXES; i++) {
        lanes rest[PSB_LFD_LINE / LANES], image[PSB_LFD_CHUNKS];
        for (int k = 0; k < list->count; k++) {
            const uint64_t *of = left + (i * PSB_DODECAHEDRA + list->dodecahedron[k]) * chunks;
#pragma GCC unroll 8
            for (int c = 0; c < chunks; c++) {
                image[c] = of[c] - (lanes){0};
            }
            for (int first = 0; first < 2 * PSB_AXES; first += LANES) {
                const uint64_t *with = right + first;
                lanes eight = {0}, *of_quad = &rest[first / LANES];
/* Unrolled, all sums would be begun before the first is finished, and wait in memory. */
#pragma GCC unroll 1
                for (int two = 3; two >= 0; two--) {
                    eight = eight << 16 |
                            cost_of(chunks, twice, image, with + two * chunks * PSB_LFD_LINE);
                }
                with += 4 * chunks * PSB_LFD_LINE;
                store(eight, first, costs->cost[i], 8 * k);
                lanes last = cost_of(chunks, twice, image, with) << k % 4 * 16;
                *of_quad = last | (k % 4 == 0 ? (lanes){0} : *of_quad);
                if (k % 4 == 3 || k + 1 == list->count) {
                    /* Of the last two, 8 and 9, each has two places. */
                    lanes again = *of_quad << (k % 4 == 1 ? 32 : 0);
                    store(*of_quad | again, first, costs->cost[i], EIGHTS + k / 4 * 8);
                }
            }
        }
    }
}

/* The sums of one rotation. */
INLINE void add_costs(const psb_lfd_costs *costs, const uint8_t rotation[PSB_AXES],
                      sums sum[VECTORS]) {
    const sums *first = (const sums *)costs->cost[0][rotation[0]];
    for (int v = 0; v < VECTORS; v++) {
        sum[v] = first[v];
    }
    for (int i = 1; i < PSB_AXES; i++) {
        const sums *cost = (const sums *)costs->cost[i][rotation[i]];
        for (int v = 0; v < VECTORS; v++) {
            sum[v] = PLUS(sum[v], cost[v]);
        }
    }
}

static uint32_t least(const psb_lfd_left *a, const psb_lfd_right *b,
                      const psb_lfd_rotations rotation, psb_lfd_costs *costs) {
    static const psb_lfd_list all = {PSB_DODECAHEDRA, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
    sums best = ~(sums){0}, sum[VECTORS];
    uint16_t found = UINT16_MAX;
    fill_costs(PSB_LFD_CHUNKS, 2, a->chunk[0][0], &all, b->chunk[0][0], costs);
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        add_costs(costs, rotation[r], sum);
        for (int v = 0; v < VECTORS; v++) {
            best = LEAST(best, sum[v]);
        }
    }
    for (int k = 0; k < SUMS; k++) {
        found = best[k] < found ? best[k] : found;
    }
    return found;
}

/* Adds an alignment to those found, if the list has its dodecahedron; returns their number. */
static size_t note(int pair, const psb_lfd_list *list, int rotation, size_t count,
                   psb_lfd_alignment found[PSB_LFD_FEW]) {
    int quad = (pair - EIGHTS) / 8 * 4, lane = pair % 8 / 4;
    int left = pair < EIGHTS ? pair / 8 : quad + pair % 4;
    int right = (pair < EIGHTS ? 2 * (pair % 4) : 8) + lane;
    if (left < list->count && count++ < PSB_LFD_FEW) {
        found[count - 1] =
            (psb_lfd_alignment){list->dodecahedron[left], (uint8_t)right, (uint8_t)rotation};
    }
    return count;
}

static size_t near(const psb_lfd_sketch *a, const psb_lfd_list *list, const psb_lfd_right_sketch *b,
                   const psb_lfd_rotations rotation, uint32_t limit, psb_lfd_costs *costs,
                   psb_lfd_alignment found[PSB_LFD_FEW]) {
    const sums most = (uint16_t)limit - (sums){0};
    sums sum[VECTORS];
    size_t count = 0;
    fill_costs(PSB_LFD_SKETCH, 1, a->chunk[0][0], list, b->chunk[0][0], costs);
    for (int r = 0; r < PSB_ROTATIONS && count <= PSB_LFD_FEW; r++) {
        add_costs(costs, rotation[r], sum);
        for (int v = 0; v < VECTORS; v++) {
            lanes within = (lanes)(LESS(sum[v], most) == 0);
            for (int l = 0; l < LANES; l++) {
                for (uint64_t left = within[l]; left != 0 && count <= PSB_LFD_FEW;) {
                    int k = __builtin_ctzll(left) / 16;
                    count = note(SUMS * v + 4 * l + k, list, r, count, found);
                    left &= ~((uint64_t)UINT16_MAX << 16 * k);
                }
            }
        }
    }
    return count;
}

const psb_lfd_kernel PSB_OF_SET(psb_lfd_of) = {PSB_SET_VARIANT, psb_lfd_meet, near, least};
