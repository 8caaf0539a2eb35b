/*
 * The kernels of lightfield/metric_kernel.h. Instruction sets differ in the width of vectors, the
 * sums of differences of eight bytes, SAD, and of 16 bits the lesser ones, LEAST, and sums and
 * differences that stop at their limits, PLUS and LESS.
 */
#include "lightfield/metric_kernel.h"

#if defined(__AVX512BW__)
#include <immintrin.h>
enum { WIDTH = 64 };
#define SAD(x, y)   ((lanes)_mm512_sad_epu8((__m512i)(x), (__m512i)(y)))
#define PLUS(x, y)  ((sums)_mm512_adds_epu16((__m512i)(x), (__m512i)(y)))
#define LESS(x, y)  ((sums)_mm512_subs_epu16((__m512i)(x), (__m512i)(y)))
#define LEAST(x, y) ((sums)_mm512_min_epu16((__m512i)(x), (__m512i)(y)))
#elif defined(__AVX2__)
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
enum { WIDTH = 8 };
#define SAD(x, y)  ((lanes){psb_lfd_differences((const uint8_t *)&(x), (const uint8_t *)&(y), 8)})
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
    VECTORS = PSB_LFD_PAIRS / SUMS,
    NARROW = 32 * PSB_LFD_QUADS,
};

/* Of a quad the costs with LANES images of group g, from lane `first` on. */
static inline void store_quad(lanes quad, int i, int q, int g, int first, psb_lfd_costs *costs) {
    if (g < PSB_AXES) {
        memcpy(costs->cost[i][g] + 32 * q + 4 * first, &quad, sizeof quad);
        return;
    }
    for (int l = 0; l < LANES; l++) {
        const int m = 4 * (g - PSB_AXES) + (first + l) / 2;
        if (m < PSB_AXES) {
            memcpy(costs->cost[i][m] + NARROW + 8 * q + 4 * ((first + l) % 2),
                   (uint64_t *)&quad + l, 8);
        }
    }
}

#define INLINE static inline __attribute__((always_inline))

/* The costs of an image with LANES of the other model; its last `twice` chunks count twice. */
INLINE lanes cost_of(int chunks, int twice, const uint64_t *image, const lanes *y) {
    const lanes none = {0};
    lanes cost = none, x;
#pragma GCC unroll 2
    for (int c = chunks - twice; c < chunks; c++) {
        x = none + image[c];
        cost += SAD(x, y[c]);
    }
    cost += cost;
#pragma GCC unroll 8
    for (int c = 0; c < chunks - twice; c++) {
        x = none + image[c];
        cost += SAD(x, y[c]);
    }
    return cost;
}

/* All costs of listed dodecahedra; a quad of two has each twice. */
INLINE void fill_costs(int chunks, int twice, const uint64_t *left, const psb_lfd_list *list,
                       const uint64_t *right, psb_lfd_costs *costs) {
    for (int first = 0; first < 8 * PSB_LFD_GROUPS - 4; first += LANES) {
        lanes y[PSB_LFD_CHUNKS];
        for (int c = 0; c < chunks; c++) {
            memcpy(&y[c], right + (first / 8 * chunks + c) * 8 + first % 8, sizeof y[c]);
        }
        for (int i = 0; i < PSB_AXES; i++) {
            const uint64_t *images = left + i * PSB_DODECAHEDRA * chunks;
/* The list of all is known to the compiler once this is unrolled. */
#pragma GCC unroll 3
            for (int k = 0; k < list->count; k += 4) {
                const uint8_t *of = list->dodecahedron + k;
                lanes quad = cost_of(chunks, twice, images + of[0] * chunks, y) |
                             cost_of(chunks, twice, images + of[1] * chunks, y) << 16;
                lanes rest = quad;
                if (list->count - k > 2) {
                    rest = cost_of(chunks, twice, images + of[2] * chunks, y) |
                           cost_of(chunks, twice, images + of[3] * chunks, y) << 16;
                }
                store_quad(quad | rest << 32, i, k / 4, first / 8, first % 8, costs);
            }
        }
    }
}

/* The sums of one rotation. */
INLINE void add_costs(const psb_lfd_costs *costs, const uint8_t rotation[PSB_AXES],
                      sums sum[VECTORS]) {
    memcpy(sum, costs->cost[0][rotation[0]], VECTORS * sizeof *sum);
    for (int i = 1; i < PSB_AXES; i++) {
        const sums *cost = (const sums *)costs->cost[i][rotation[i]];
        for (int v = 0; v < VECTORS; v++) {
            sum[v] = PLUS(sum[v], cost[v]);
        }
    }
}

static uint32_t least(const psb_lfd_left *a, const psb_lfd_right *b,
                      const psb_lfd_rotations rotation, psb_lfd_costs *costs) {
    static const psb_lfd_list all = {PSB_DODECAHEDRA, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9}};
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
    bool narrow = pair >= NARROW;
    int at = narrow ? pair - NARROW : pair % 32;
    int left = (narrow ? at / 8 : pair / 32) * 4 + at % 4;
    int right = narrow ? 8 + at % 8 / 4 : at / 4;
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

static int meet(const psb_lfd_sketch *a, const psb_lfd_sketch *b, uint32_t limit,
                psb_lfd_list *list) {
    return psb_lfd_meet(a, b, limit, list);
}

const psb_lfd_kernel PSB_OF_SET(psb_lfd_of) = {PSB_SET_VARIANT, meet, near, least};
