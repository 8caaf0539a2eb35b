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

/* Costs of one image with four, but for the circularity: the last chunk counts twice. */
TARGET static inline __m256i cost_of(const uint64_t *image, const group *g, int chunks) {
    __m256i sum = _mm256_sad_epu8(_mm256_set1_epi64x((long long)image[0]), g->chunk[0]);
    for (int c = 1; c < chunks - 1; c++) {
        sum = _mm256_add_epi64(
            sum, _mm256_sad_epu8(_mm256_set1_epi64x((long long)image[c]), g->chunk[c]));
    }
    __m256i last =
        _mm256_sad_epu8(_mm256_set1_epi64x((long long)image[chunks - 1]), g->chunk[chunks - 1]);
    return _mm256_add_epi64(_mm256_add_epi64(sum, last), last);
}

/* Costs of an image of the quad's: in each 128 bits those of the four, each with two. */
TARGET static inline __m256i quad_of(const uint64_t *images, int q, const group *g, int chunks) {
    const uint64_t *of = images + 4 * q * chunks;
    __m256i low = _mm256_packus_epi32(cost_of(of, g, chunks), cost_of(of + chunks, g, chunks));
    __m256i high = low;
    if (q < PSB_LFD_QUADS - 1) {
        high = _mm256_packus_epi32(cost_of(of + 2 * chunks, g, chunks),
                                   cost_of(of + 3 * chunks, g, chunks));
    }
    return _mm256_packus_epi32(low, high);
}

/* Half h of the groups: four images. */
TARGET static inline void store_quad(__m256i quad, int i, int q, int h, psb_lfd_costs *costs) {
    const int g = h / 2, half = h % 2;
    if (g < PSB_AXES) {
        uint16_t *cost = costs->cost[i][g] + WIDE * q + WIDE / 2 * half;
        _mm256_store_si256((__m256i *)cost, quad);
    } else {
        int m = 4 * (g - PSB_AXES) + 2 * half, at = NARROW + 8 * q;
        _mm_store_si128((__m128i *)(costs->cost[i][m] + at), _mm256_castsi256_si128(quad));
        _mm_store_si128((__m128i *)(costs->cost[i][m + 1] + at), _mm256_extracti128_si256(quad, 1));
    }
}

/* Half a group at a time; the last group has no second half. */
enum { HALVES = 2 * PSB_LFD_GROUPS - 1 };

TARGET static void fill_costs(const psb_lfd_left *a, const psb_lfd_right *b, psb_lfd_costs *costs) {
    for (int h = 0; h < HALVES; h++) {
        const __m256i *of = (const __m256i *)b->circularity[h / 2];
        group four = {.circularity = _mm256_load_si256(of + h % 2)};
        for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
            four.chunk[c] = _mm256_load_si256((const __m256i *)b->chunk[h / 2][c] + h % 2);
        }
        for (int i = 0; i < PSB_AXES; i++) {
            for (int q = 0; q < PSB_LFD_QUADS; q++) {
                __m256i quad = quad_of(a->chunk[i][0], q, &four, PSB_LFD_CHUNKS);
                __m128i own = _mm_load_si128((const __m128i *)a->circularity[i][q]);
                __m256i circularity =
                    _mm256_sub_epi16(_mm256_broadcastsi128_si256(own), four.circularity);
                quad = _mm256_add_epi16(quad, _mm256_abs_epi16(circularity));
                store_quad(quad, i, q, h, costs);
            }
        }
    }
}

/* Costs of two listed dodecahedra, from number k of the list on. */
TARGET static inline __m256i two_of(const uint64_t image[][PSB_LFD_SKETCH],
                                    const psb_lfd_list *list, int k, const group *g) {
    return _mm256_packus_epi32(cost_of(image[list->dodecahedron[k]], g, PSB_LFD_SKETCH),
                               cost_of(image[list->dodecahedron[k + 1]], g, PSB_LFD_SKETCH));
}

TARGET static void fill_sketches(const psb_lfd_sketch *a, const psb_lfd_list *list,
                                 const psb_lfd_right_sketch *b, psb_lfd_costs *costs) {
    for (int h = 0; h < HALVES; h++) {
        group four;
        for (int c = 0; c < PSB_LFD_SKETCH; c++) {
            four.chunk[c] = _mm256_load_si256((const __m256i *)b->chunk[h / 2][c] + h % 2);
        }
        for (int i = 0; i < PSB_AXES; i++) {
            for (int k = 0; k < list->count; k += 4) {
                __m256i low = two_of(a->chunk[i], list, k, &four), high = low;
                if (k + 2 < list->count) {
                    high = two_of(a->chunk[i], list, k + 2, &four);
                }
                store_quad(_mm256_packus_epi32(low, high), i, k / 4, h, costs);
            }
        }
    }
}

/* The sums of one rotation. */
enum { LANES = 16, VECTORS = PSB_LFD_PAIRS / LANES };
TARGET static inline void add_costs(const psb_lfd_costs *costs, const uint8_t rotation[PSB_AXES],
                                    __m256i sum[VECTORS]) {
    for (int v = 0; v < VECTORS; v++) {
        sum[v] = _mm256_setzero_si256();
    }
    for (int i = 0; i < PSB_AXES; i++) {
        const uint16_t *cost = costs->cost[i][rotation[i]];
        for (int v = 0; v < VECTORS; v++) {
            __m256i more = _mm256_load_si256((const __m256i *)(cost + LANES * v));
            sum[v] = _mm256_adds_epu16(sum[v], more);
        }
    }
}

TARGET static uint32_t least(const psb_lfd_left *a, const psb_lfd_right *b,
                             const psb_lfd_rotations rotation, psb_lfd_costs *costs) {
    fill_costs(a, b, costs);
    __m256i best = _mm256_set1_epi16(-1);
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        __m256i sum[VECTORS];
        add_costs(costs, rotation[r], sum);
        for (int v = 0; v < VECTORS; v++) {
            best = _mm256_min_epu16(best, sum[v]);
        }
    }
    __m128i eight = _mm_min_epu16(_mm256_castsi256_si128(best), _mm256_extracti128_si256(best, 1));
    return (uint32_t)_mm_extract_epi16(_mm_minpos_epu16(eight), 0);
}

TARGET static size_t near(const psb_lfd_sketch *a, const psb_lfd_list *list,
                          const psb_lfd_right_sketch *b, const psb_lfd_rotations rotation,
                          uint32_t limit, psb_lfd_costs *costs,
                          psb_lfd_alignment found[PSB_LFD_FEW]) {
    fill_sketches(a, list, b, costs);
    __m256i most = _mm256_set1_epi16((short)limit);
    size_t count = 0;
    for (int r = 0; r < PSB_ROTATIONS && count <= PSB_LFD_FEW; r++) {
        __m256i sum[VECTORS];
        add_costs(costs, rotation[r], sum);
        for (int v = 0; v < VECTORS; v++) {
            __m256i within = _mm256_cmpeq_epi16(_mm256_max_epu16(sum[v], most), most);
            __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(within),
                                            _mm256_extracti128_si256(within, 1));
            uint32_t lanes = (uint32_t)_mm_movemask_epi8(bytes);
            count = psb_lfd_note(lanes, LANES * v, list, r, count, found);
        }
    }
    return count;
}

TARGET static int meet(const psb_lfd_sketch *a, const psb_lfd_sketch *b, uint32_t limit,
                       psb_lfd_list *list) {
    return psb_lfd_meet(a, b, limit, list);
}

const psb_lfd_kernel psb_lfd_avx2 = {{"avx2", PSB_CPU_AVX2}, meet, near, least};

#endif
