/* Computes the light field's distance with AVX2: see lightfield/metric_kernel.h. */
#include "lightfield/metric_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

enum { WIDE = 32, NARROW = PSB_LFD_QUADS * WIDE };

/* Four images of the second model, and their circularities. */
typedef struct group {
    __m256i chunk[PSB_LFD_CHUNKS], circularity;
} group;

/* Costs of one image with four, but for the circularity. */
TARGET static inline __m256i cost_of(const uint64_t image[PSB_LFD_CHUNKS], const group *g) {
    __m256i sum = _mm256_setzero_si256(), last = sum;
    for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
        last = _mm256_sad_epu8(_mm256_set1_epi64x((long long)image[c]), g->chunk[c]);
        sum = _mm256_add_epi64(sum, last);
    }
    return _mm256_add_epi64(sum, last); /* counts twice */
}

/* Costs of image i of a quad: in each 128 bits those of the four, each with two. */
TARGET static inline __m256i quad_of(const psb_lfd_left *a, int i, int q, const group *g) {
    const uint64_t(*images)[PSB_LFD_CHUNKS] = a->chunk[i] + 4 * q;
    __m256i low = _mm256_packus_epi32(cost_of(images[0], g), cost_of(images[1], g)), high = low;
    if (q < PSB_LFD_QUADS - 1) {
        high = _mm256_packus_epi32(cost_of(images[2], g), cost_of(images[3], g));
    }
    __m128i own = _mm_load_si128((const __m128i *)a->circularity[i][q]);
    __m256i circularity = _mm256_sub_epi16(_mm256_broadcastsi128_si256(own), g->circularity);
    return _mm256_add_epi16(_mm256_packus_epi32(low, high), _mm256_abs_epi16(circularity));
}

/* Half a group at a time, four images; the last group has no second half. */
TARGET static void fill_costs(const psb_lfd_left *a, const psb_lfd_right *b, psb_lfd_costs *costs) {
    for (int h = 0; h < 2 * PSB_LFD_GROUPS - 1; h++) {
        const int g = h / 2, half = h % 2;
        const __m256i *circularity = (const __m256i *)b->circularity[g];
        group four = {.circularity = _mm256_load_si256(circularity + half)};
        for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
            four.chunk[c] = _mm256_load_si256((const __m256i *)b->chunk[g][c] + half);
        }
        for (int i = 0; i < PSB_AXES; i++) {
            for (int q = 0; q < PSB_LFD_QUADS; q++) {
                __m256i quad = quad_of(a, i, q, &four);
                if (g < PSB_AXES) {
                    uint16_t *cost = costs->cost[i][g] + WIDE * q + WIDE / 2 * half;
                    _mm256_store_si256((__m256i *)cost, quad);
                } else {
                    int m = 4 * (g - PSB_AXES) + 2 * half;
                    int at = NARROW + 8 * q;
                    _mm_store_si128((__m128i *)(costs->cost[i][m] + at),
                                    _mm256_castsi256_si128(quad));
                    _mm_store_si128((__m128i *)(costs->cost[i][m + 1] + at),
                                    _mm256_extracti128_si256(quad, 1));
                }
            }
        }
    }
}

TARGET static uint32_t least(const psb_lfd_left *a, const psb_lfd_right *b,
                             const psb_lfd_rotations rotation, psb_lfd_costs *costs) {
    enum { LANES = 16, VECTORS = PSB_LFD_PAIRS / LANES };
    fill_costs(a, b, costs);
    __m256i best = _mm256_set1_epi16(-1);
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        __m256i sum[VECTORS] = {_mm256_setzero_si256()};
        for (int i = 0; i < PSB_AXES; i++) {
            const uint16_t *cost = costs->cost[i][rotation[r][i]];
            for (int v = 0; v < VECTORS; v++) {
                __m256i more = _mm256_load_si256((const __m256i *)(cost + LANES * v));
                sum[v] = _mm256_adds_epu16(sum[v], more);
            }
        }
        for (int v = 0; v < VECTORS; v++) {
            best = _mm256_min_epu16(best, sum[v]);
        }
    }
    __m128i eight = _mm_min_epu16(_mm256_castsi256_si128(best), _mm256_extracti128_si256(best, 1));
    return (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(eight), 0);
}

TARGET static uint32_t bound(const psb_lfd_outline *a, const psb_lfd_outline *b, uint32_t limit) {
    return psb_lfd_bound(a, b, limit);
}

const psb_lfd_kernel psb_lfd_avx2 = {{"avx2", PSB_CPU_AVX2}, bound, least};

#endif
