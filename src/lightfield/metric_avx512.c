/* Computes the light field's distance with AVX-512BW: see lightfield/metric_kernel.h. */
#include "lightfield/metric_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw")))

enum { WIDE = 32, NARROW = PSB_LFD_QUADS * WIDE };

/* Eight images of the second model, and their circularities. */
typedef struct group {
    __m512i chunk[PSB_LFD_CHUNKS], circularity;
} group;

/*
 * Costs of two images with eight, but for the circularity, packed: in each 128 bits those of one
 * image, then of the other. The last chunk counts twice. The two sums take turns, since processors
 * that sum differences in two places, and add in these and in others, then find free ones.
 */
TARGET static inline __m512i two_of(const uint64_t *x, const uint64_t *y, const group *g,
                                    int chunks) {
    const __m512i last = g->chunk[chunks - 1];
    __m512i of_x = _mm512_sad_epu8(_mm512_set1_epi64((long long)x[chunks - 1]), last);
    __m512i of_y = _mm512_sad_epu8(_mm512_set1_epi64((long long)y[chunks - 1]), last);
    of_x = _mm512_slli_epi64(of_x, 1);
    of_y = _mm512_slli_epi64(of_y, 1);
    for (int c = 0; c < chunks - 1; c++) {
        __m512i more_x = _mm512_sad_epu8(_mm512_set1_epi64((long long)x[c]), g->chunk[c]);
        __m512i more_y = _mm512_sad_epu8(_mm512_set1_epi64((long long)y[c]), g->chunk[c]);
        of_x = _mm512_add_epi64(of_x, more_x);
        of_y = _mm512_add_epi64(of_y, more_y);
    }
    return _mm512_packus_epi32(of_x, of_y);
}

/* Costs of an image of the quad's: in each 128 bits those of the four, each with two. */
TARGET static inline __m512i quad_of(const uint64_t *images, int q, const group *g, int chunks) {
    const uint64_t *of = images + 4 * q * chunks;
    __m512i low = two_of(of, of + chunks, g, chunks), high = low;
    if (q < PSB_LFD_QUADS - 1) {
        high = two_of(of + 2 * chunks, of + 3 * chunks, g, chunks);
    }
    return _mm512_packus_epi32(low, high);
}

TARGET static inline void store_quad(__m512i quad, int i, int q, int g, psb_lfd_costs *costs) {
    if (g < PSB_AXES) {
        _mm512_store_si512(costs->cost[i][g] + WIDE * q, quad);
        return;
    }
    uint16_t(*cost)[PSB_LFD_PAIRS] = costs->cost[i] + 4 * (g - PSB_AXES);
    int at = NARROW + 8 * q;
    _mm_store_si128((__m128i *)(cost[0] + at), _mm512_castsi512_si128(quad));
    _mm_store_si128((__m128i *)(cost[1] + at), _mm512_extracti32x4_epi32(quad, 1));
    if (g + 1 < PSB_LFD_GROUPS) {
        _mm_store_si128((__m128i *)(cost[2] + at), _mm512_extracti32x4_epi32(quad, 2));
        _mm_store_si128((__m128i *)(cost[3] + at), _mm512_extracti32x4_epi32(quad, 3));
    }
}

TARGET static void fill_costs(const psb_lfd_left *a, const psb_lfd_right *b, psb_lfd_costs *costs) {
    for (int g = 0; g < PSB_LFD_GROUPS; g++) {
        group eight = {.circularity = _mm512_load_si512(b->circularity[g])};
        for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
            eight.chunk[c] = _mm512_load_si512(b->chunk[g][c]);
        }
        for (int i = 0; i < PSB_AXES; i++) {
            for (int q = 0; q < PSB_LFD_QUADS; q++) {
                __m512i quad = quad_of(a->chunk[i][0], q, &eight, PSB_LFD_CHUNKS);
                __m128i own = _mm_load_si128((const __m128i *)a->circularity[i][q]);
                __m512i circularity =
                    _mm512_sub_epi16(_mm512_broadcast_i32x4(own), eight.circularity);
                quad = _mm512_add_epi16(quad, _mm512_abs_epi16(circularity));
                store_quad(quad, i, q, g, costs);
            }
        }
    }
}

/* Costs of two listed dodecahedra, from number k of the list on. */
TARGET static inline __m512i listed(const uint64_t image[][PSB_LFD_SKETCH],
                                    const psb_lfd_list *list, int k, const group *g) {
    return two_of(image[list->dodecahedron[k]], image[list->dodecahedron[k + 1]], g,
                  PSB_LFD_SKETCH);
}

TARGET static void fill_sketches(const psb_lfd_sketch *a, const psb_lfd_list *list,
                                 const psb_lfd_right_sketch *b, psb_lfd_costs *costs) {
    for (int g = 0; g < PSB_LFD_GROUPS; g++) {
        group eight;
        for (int c = 0; c < PSB_LFD_SKETCH; c++) {
            eight.chunk[c] = _mm512_load_si512(b->chunk[g][c]);
        }
        for (int i = 0; i < PSB_AXES; i++) {
            for (int k = 0; k < list->count; k += 4) {
                __m512i low = listed(a->chunk[i], list, k, &eight), high = low;
                if (k + 2 < list->count) {
                    high = listed(a->chunk[i], list, k + 2, &eight);
                }
                store_quad(_mm512_packus_epi32(low, high), i, k / 4, g, costs);
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

enum { DOZENS = PSB_ROTATIONS / PSB_TETRAHEDRAL };

/* Where the first rotation of each dozen carries the axes, in the lines of psb_lfd_costs. */
typedef size_t lines[DOZENS][PSB_AXES];

static void find_lines(const psb_lfd_rotations rotation, lines line) {
    for (int r = 0; r < DOZENS; r++) {
        for (int m = 0; m < PSB_AXES; m++) {
            line[r][m] = (size_t)rotation[r * PSB_TETRAHEDRAL][m] * PSB_LFD_PAIRS;
        }
    }
}

/* The costs of image i with the one where rotation k of the dozen carries its axis. */
TARGET static inline __m512i turned(const uint16_t *cost, const size_t line[PSB_AXES], int i,
                                    int k) {
    return _mm512_load_si512(cost + line[psb_tetrahedral[k][i]] + i * PSB_AXES * PSB_LFD_PAIRS);
}

/*
 * The sums of a dozen rotations, which share what they add: three the costs of an axis of the
 * tetrahedron, two the sum of each pair of others. Four costs fit into 16 bits, more are added with
 * saturation.
 */
TARGET static inline void add_costs(const uint16_t *cost, const size_t line[PSB_AXES],
                                    __m512i sum[PSB_TETRAHEDRAL]) {
    static const int corner[] = {0, 2, 5, 8}, pair[][2] = {{3, 4}, {1, 9}, {6, 7}};
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++) {
#pragma GCC unroll 12
        for (int k = 0; k < PSB_TETRAHEDRAL; k++) {
            __m512i more = turned(cost, line, corner[p], k);
            sum[k] = p == 0 ? more : _mm512_add_epi16(sum[k], more);
        }
    }
#pragma GCC unroll 3
    for (int p = 0; p < 3; p++) {
#pragma GCC unroll 12
        for (int k = 0; k < PSB_TETRAHEDRAL; k++) {
            __m512i both = _mm512_add_epi16(turned(cost, line, pair[p][0], k),
                                            turned(cost, line, pair[p][1], k));
            sum[k] = _mm512_adds_epu16(sum[k], both);
        }
    }
}

/* The least sums of a dozen rotations. */
TARGET static inline __m512i least_of(const __m512i sum[PSB_TETRAHEDRAL]) {
    __m512i least = sum[0];
#pragma GCC unroll 12
    for (int k = 1; k < PSB_TETRAHEDRAL; k++) {
        least = _mm512_min_epu16(least, sum[k]);
    }
    return least;
}

TARGET static uint32_t least(const psb_lfd_left *a, const psb_lfd_right *b,
                             const psb_lfd_rotations rotation, psb_lfd_costs *costs) {
    fill_costs(a, b, costs);
    __m512i best = _mm512_set1_epi16(-1), sum[PSB_TETRAHEDRAL];
    lines line;
    find_lines(rotation, line);
    for (int v = 0; v < PSB_LFD_PAIRS; v += WIDE) {
        for (int r = 0; r < DOZENS; r++) {
            add_costs(costs->cost[0][0] + v, line[r], sum);
            best = _mm512_min_epu16(best, least_of(sum));
        }
    }
    return least_lane(best);
}

TARGET static size_t near(const psb_lfd_sketch *a, const psb_lfd_list *list,
                          const psb_lfd_right_sketch *b, const psb_lfd_rotations rotation,
                          uint32_t limit, psb_lfd_costs *costs,
                          psb_lfd_alignment found[PSB_LFD_FEW]) {
    fill_sketches(a, list, b, costs);
    __m512i most = _mm512_set1_epi16((short)limit), sum[PSB_TETRAHEDRAL];
    const int quads = (list->count + 3) / 4;
    size_t count = 0;
    lines line;
    find_lines(rotation, line);
    /* The vectors of the quads that there are, and the last one. */
    for (int q = 0; q <= quads; q++) {
        int v = q < quads ? WIDE * q : NARROW;
        for (int r = 0; r < DOZENS && count <= PSB_LFD_FEW; r++) {
            add_costs(costs->cost[0][0] + v, line[r], sum);
            if (_mm512_cmple_epu16_mask(least_of(sum), most) == 0) {
                continue;
            }
            for (int k = 0; k < PSB_TETRAHEDRAL; k++) {
                uint32_t lanes = _mm512_cmple_epu16_mask(sum[k], most);
                count = psb_lfd_note(lanes, v, list, r * PSB_TETRAHEDRAL + k, count, found);
            }
        }
    }
    return count;
}

TARGET static int meet(const psb_lfd_sketch *a, const psb_lfd_sketch *b, uint32_t limit,
                       psb_lfd_list *list) {
    return psb_lfd_meet(a, b, limit, list);
}

const psb_lfd_kernel psb_lfd_avx512 = {
    {"avx512", PSB_CPU_AVX512F | PSB_CPU_AVX512BW}, meet, near, least};

#endif
