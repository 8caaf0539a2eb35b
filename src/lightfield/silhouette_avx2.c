/* The rasteriser with AVX2, four rows of a triangle at a time: see lightfield/silhouette_kernel.h.
 */
#include "lightfield/silhouette_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi2,popcnt")))

/* An edge in all lanes: the first pixel right of it in row y is floor(at + y slope). */
typedef struct edge {
    __m256d at, slope;
} edge;

/* The three edges: lowest to highest corner, lowest to middle, middle to highest. */
TARGET static inline void edges_of(const psb_batch *batch, uint16_t t, edge edges[3]) {
    const __m128i half = _mm_set1_epi32(0xffff), one = _mm_set1_epi32(1);
    int a = (int)batch->low[t], b = (int)batch->middle[t], c = (int)batch->high[t];
    __m128i low = _mm_setr_epi32(a, a, b, 0), high = _mm_setr_epi32(c, b, c, 0);
    __m128i x = _mm_and_si128(low, half), y = _mm_srli_epi32(low, 16);
    __m128i heights = _mm_sub_epi32(_mm_srli_epi32(high, 16), y);
    __m256d width = _mm256_cvtepi32_pd(_mm_sub_epi32(_mm_and_si128(high, half), x));
    /* A level edge crosses no row. */
    __m256d per_height =
        _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_cvtepi32_pd(_mm_max_epi32(heights, one)));
    __m256d rise = _mm256_cvtepi32_pd(_mm_sub_epi32(_mm_set1_epi32(PSB_SUBPIXELS - 1), y));
    __m256d steps = _mm256_sub_pd(_mm256_mul_pd(rise, width), _mm256_set1_pd(0.5));
    __m256d at =
        _mm256_add_pd(_mm256_cvtepi32_pd(_mm_add_epi32(x, one)), _mm256_mul_pd(steps, per_height));
    __m256d slope = _mm256_mul_pd(width, per_height);
    at = _mm256_mul_pd(at, _mm256_set1_pd(1.0 / PSB_SUBPIXELS));
    edges[0] = (edge){_mm256_permute4x64_pd(at, 0x00), _mm256_permute4x64_pd(slope, 0x00)};
    edges[1] = (edge){_mm256_permute4x64_pd(at, 0x55), _mm256_permute4x64_pd(slope, 0x55)};
    edges[2] = (edge){_mm256_permute4x64_pd(at, 0xaa), _mm256_permute4x64_pd(slope, 0xaa)};
}

TARGET static inline __m128i positions(__m256d at, __m256d slope, __m256d row) {
    return _mm256_cvttpd_epi32(_mm256_add_pd(at, _mm256_mul_pd(row, slope)));
}

/* A mask of the 64 pixels from `first` on: set at `position` and right of it. */
TARGET static inline __m256i right_of(__m128i position, int first) {
    __m128i shift =
        _mm_max_epi32(_mm_sub_epi32(position, _mm_set1_epi32(first)), _mm_setzero_si128());
    return _mm256_sllv_epi64(_mm256_set1_epi64x(-1), _mm256_cvtepi32_epi64(shift));
}

/* See the plain version. Lanes at and above the triangle's end hold anything. */
TARGET static inline void fill(psb_canvas *canvas, const psb_batch *batch, uint16_t t) {
    const int end = (int)psb_row_of(batch->high[t]);
    const __m256d turn = _mm256_set1_pd((int)psb_row_of(batch->middle[t]));
    const __m256d top = _mm256_set1_pd(end);
    const uint32_t last = (batch->right[t] - 1) / 64;
    edge edges[3];
    edges_of(batch, t, edges);
    for (int first = (int)psb_row_of(batch->low[t]); first < end; first += PSB_SMALL_ROWS) {
        __m256d row = _mm256_add_pd(_mm256_set1_pd(first), _mm256_setr_pd(0.0, 1.0, 2.0, 3.0));
        __m256d above = _mm256_cmp_pd(row, turn, _CMP_GE_OQ);
        __m256i inside = _mm256_castpd_si256(_mm256_cmp_pd(row, top, _CMP_LT_OQ));
        __m128i a = positions(edges[0].at, edges[0].slope, row);
        __m128i b = positions(_mm256_blendv_pd(edges[1].at, edges[2].at, above),
                              _mm256_blendv_pd(edges[1].slope, edges[2].slope, above), row);
        for (uint32_t word = batch->left[t] / 64; word <= last; word++) {
            __m256i span =
                _mm256_xor_si256(right_of(a, 64 * (int)word), right_of(b, 64 * (int)word));
            __m256i *place = (__m256i *)&canvas->column[word][first];
            __m256i set =
                _mm256_or_si256(_mm256_loadu_si256(place), _mm256_and_si256(span, inside));
            _mm256_storeu_si256(place, set);
        }
    }
}

/* Appends first + k for every bit k that is set in `chosen`; eight entries are written. */
TARGET static inline size_t append(uint16_t *list, size_t n, size_t first, uint32_t chosen) {
    uint64_t lanes = _pdep_u64(chosen, UINT64_C(0x0101010101010101)) * 0xff;
    uint64_t numbers = _pext_u64(UINT64_C(0x0706050403020100), lanes);
    __m128i entries = _mm_add_epi16(_mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)numbers)),
                                    _mm_set1_epi16((short)first));
    _mm_storeu_si128((__m128i *)(list + n), entries);
    return n + (size_t)__builtin_popcount(chosen);
}

/* Lists which of the batch's n triangles have a pixel center in their box, by size. */
TARGET static inline void list_triangles(psb_batch *batch, size_t n) {
    const __m256i zero = _mm256_setzero_si256(), most = _mm256_set1_epi32(PSB_SMALL_ROWS);
    size_t nsmall = 0, ntall = 0;
    for (size_t first = 0; first < n; first += 8) {
        __m256i rows = _mm256_loadu_si256((const __m256i *)(batch->rows + first));
        __m256 any = _mm256_castsi256_ps(_mm256_cmpgt_epi32(rows, zero));
        __m256 many = _mm256_castsi256_ps(_mm256_cmpgt_epi32(rows, most));
        uint32_t valid = n - first < 8 ? (1u << (n - first)) - 1 : 0xff;
        uint32_t drawn = (uint32_t)_mm256_movemask_ps(any) & valid;
        uint32_t tall = (uint32_t)_mm256_movemask_ps(many) & valid;
        nsmall = append(batch->small, nsmall, first, drawn & ~tall);
        ntall = append(batch->tall, ntall, first, tall);
    }
    batch->nsmall = nsmall;
    batch->ntall = ntall;
}

/* Keeps the triangles of a list whose box is not all set. */
TARGET static inline size_t keep_open(const psb_canvas *canvas, const psb_batch *batch,
                                      uint16_t *list, size_t n, bool small) {
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        uint16_t t = list[k];
        bool wide;
        uint64_t mask = psb_box_mask(batch->left[t], batch->right[t], &wide);
        const uint64_t *word = &canvas->column[batch->left[t] / 64][psb_row_of(batch->low[t])];
        __m256i rows = _mm256_set1_epi64x(batch->rows[t]), row = _mm256_setr_epi64x(0, 1, 2, 3);
        __m256i open = _mm256_setzero_si256();
        for (uint32_t first = 0; first < (small ? PSB_SMALL_ROWS : batch->rows[t]);
             first += PSB_SMALL_ROWS) {
            __m256i set = _mm256_loadu_si256((const __m256i *)(word + first));
            open = _mm256_or_si256(open, _mm256_andnot_si256(set, _mm256_cmpgt_epi64(rows, row)));
            row = _mm256_add_epi64(row, _mm256_set1_epi64x(PSB_SMALL_ROWS));
        }
        list[count] = t;
        count += !_mm256_testz_si256(open, _mm256_set1_epi64x((long long)mask)) | wide;
    }
    return count;
}

/* `small`: no triangle of the list has more than PSB_SMALL_ROWS rows. */
TARGET static inline void draw_list(psb_canvas *canvas, const psb_batch *batch, uint16_t *list,
                                    size_t n, bool small) {
    n = keep_open(canvas, batch, list, n, small);
    for (size_t k = 0; k < n; k++) {
        fill(canvas, batch, list[k]);
    }
}

TARGET static void draw_batch(psb_canvas *canvas, psb_batch *batch) {
    psb_batch_sort(batch);
    list_triangles(batch, batch->n);
    draw_list(canvas, batch, batch->tall, batch->ntall, false);
    draw_list(canvas, batch, batch->small, batch->nsmall, true);
    batch->n = 0;
}

TARGET static void draw(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                        psb_canvas canvas[PSB_PAIR]) {
    psb_draw_batches(drawing, view, canvas, draw_batch);
}

const psb_silhouette_kernel psb_silhouette_avx2 = {{"avx2", PSB_CPU_AVX2 | PSB_CPU_BITS}, draw};

#endif
