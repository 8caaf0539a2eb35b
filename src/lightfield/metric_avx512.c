/* The light field's distance with AVX-512BW: see lightfield/metric_kernel.h. */
#include "lightfield/metric_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw")))

enum { WIDE = 32, NARROW = PSB_LFD_QUADS * WIDE };

/* Eight images of the second model, and their circularities. */
typedef struct group {
    __m512i chunk[PSB_LFD_CHUNKS], circularity;
} group;

/* Costs of one image with eight, but for the circularity. */
TARGET static inline __m512i cost_of(const uint64_t image[PSB_LFD_CHUNKS], const group *g) {
    __m512i sum = _mm512_setzero_si512(), last = sum;
    for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
        last = _mm512_sad_epu8(_mm512_set1_epi64((long long)image[c]), g->chunk[c]);
        sum = _mm512_add_epi64(sum, last);
    }
    return _mm512_add_epi64(sum, last); /* counts twice */
}

/* Costs of image i of a quad: in each 64 bits, those of the four. */
TARGET static inline __m512i quad_of(const psb_lfd_left *a, int i, int q, const group *g) {
    const uint64_t(*images)[PSB_LFD_CHUNKS] = a->chunk[i] + 4 * q;
    __m512i low =
        _mm512_or_si512(cost_of(images[0], g), _mm512_slli_epi64(cost_of(images[1], g), 16));
    __m512i high = low;
    if (q < PSB_LFD_QUADS - 1) {
        high = _mm512_or_si512(cost_of(images[2], g), _mm512_slli_epi64(cost_of(images[3], g), 16));
    }
    uint64_t four;
    memcpy(&four, a->circularity[i][q], sizeof four);
    __m512i circularity = _mm512_sub_epi16(_mm512_set1_epi64((long long)four), g->circularity);
    return _mm512_add_epi16(_mm512_or_si512(low, _mm512_slli_epi64(high, 32)),
                            _mm512_abs_epi16(circularity));
}

TARGET static void fill_costs(const psb_lfd_left *a, const psb_lfd_right *b, psb_lfd_costs *costs) {
    for (int g = 0; g < PSB_LFD_GROUPS; g++) {
        group eight = {.circularity = _mm512_load_si512(b->circularity[g])};
        for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
            eight.chunk[c] = _mm512_load_si512(b->chunk[g][c]);
        }
        for (int i = 0; i < PSB_AXES; i++) {
            for (int q = 0; q < PSB_LFD_QUADS; q++) {
                __m512i quad = quad_of(a, i, q, &eight);
                if (g < PSB_AXES) {
                    _mm512_store_si512(costs->cost[i][g] + WIDE * q, quad);
                } else {
                    uint16_t(*cost)[PSB_LFD_PAIRS] = costs->cost[i] + 4 * (g - PSB_AXES);
                    int at = NARROW + 8 * q;
                    _mm_store_si128((__m128i *)(cost[0] + at), _mm512_castsi512_si128(quad));
                    _mm_store_si128((__m128i *)(cost[1] + at), _mm512_extracti32x4_epi32(quad, 1));
                    if (g + 1 < PSB_LFD_GROUPS) {
                        _mm_store_si128((__m128i *)(cost[2] + at),
                                        _mm512_extracti32x4_epi32(quad, 2));
                        _mm_store_si128((__m128i *)(cost[3] + at),
                                        _mm512_extracti32x4_epi32(quad, 3));
                    }
                }
            }
        }
    }
}

/* The least of 32 unsigned numbers. */
TARGET static uint32_t least_lane(__m512i lanes) {
    __m256i half =
        _mm256_min_epu16(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64(lanes, 1));
    __m128i quarter =
        _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(quarter), 0);
}

TARGET static uint32_t least(const psb_lfd_left *a, const psb_lfd_right *b,
                             const psb_lfd_rotations rotation, psb_lfd_costs *costs) {
    enum { VECTORS = PSB_LFD_PAIRS / WIDE };
    fill_costs(a, b, costs);
    __m512i best = _mm512_set1_epi16(-1);
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        __m512i sum[VECTORS];
        for (int v = 0; v < VECTORS; v++) {
            sum[v] = _mm512_load_si512(costs->cost[0][rotation[r][0]] + WIDE * v);
        }
        for (int i = 1; i < PSB_AXES; i++) {
            const uint16_t *cost = costs->cost[i][rotation[r][i]];
            for (int v = 0; v < VECTORS; v++) {
                sum[v] = _mm512_adds_epu16(sum[v], _mm512_load_si512(cost + WIDE * v));
            }
        }
        for (int v = 0; v < VECTORS; v++) {
            best = _mm512_min_epu16(best, sum[v]);
        }
    }
    return least_lane(best);
}

TARGET static uint32_t bound(const psb_lfd_sums a, const psb_lfd_sums b, uint32_t limit) {
    return psb_lfd_bound(a, b, limit);
}

const psb_lfd_kernel psb_lfd_avx512 = {
    {"avx512", PSB_CPU_AVX512F | PSB_CPU_AVX512BW}, bound, least};

#endif
