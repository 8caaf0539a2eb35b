/*
 * The rasteriser with AVX-512: see lightfield/silhouette_kernel.h. Sixteen triangles are sorted by
 * size at a time, eight are drawn.
 *
 * Positions on edges need no division here: an estimate of 1 / height that Newton's method makes
 * nearly as exact serves as well, for the same reason.
 */
#include "lightfield/silhouette_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512dq,popcnt")))

enum {
    CHUNK = 256,       /* triangles that are sorted before any of them is drawn */
    ROOM = CHUNK + 16, /* for whole vectors at the end */
    PITCH = sizeof(((psb_canvas *)0)->column[0]) / sizeof(uint64_t), /* rows of a column */
    TINY_ROWS = 2, /* of a triangle whose columns lie within 31 of a word */
    FEW_ROWS = 8,  /* the same */
    SIZES = 3,     /* tiny, few rows, all others */
};

/* Corners by height. */
typedef struct corners {
    __m512i low, middle, high;
} corners;

typedef struct list {
    size_t n;
    psb_snapped low[ROOM], middle[ROOM], high[ROOM];
} list;

/* Columns left ... right - 1 and rows low ... high - 1. */
typedef struct extent {
    __m512i left, right, low, high;
} extent;

/* An edge of eight triangles: the first pixel right of it in row y is floor(at + y slope). */
typedef struct edge {
    __m512d at, slope;
} edge;

TARGET static inline corners read_corners(const list *from, size_t k) {
    return (corners){_mm512_loadu_si512(from->low + k), _mm512_loadu_si512(from->middle + k),
                     _mm512_loadu_si512(from->high + k)};
}

/* Appends those that are `chosen`; sixteen entries are written. */
TARGET static inline void append(list *to, __mmask16 chosen, const corners *c) {
    _mm512_storeu_si512(to->low + to->n, _mm512_maskz_compress_epi32(chosen, c->low));
    _mm512_storeu_si512(to->middle + to->n, _mm512_maskz_compress_epi32(chosen, c->middle));
    _mm512_storeu_si512(to->high + to->n, _mm512_maskz_compress_epi32(chosen, c->high));
    to->n += (size_t)__builtin_popcount(chosen);
}

TARGET static inline extent extent_of(const corners *c) {
    const __m512i half = _mm512_set1_epi32(0xffff);
    __m512i a = _mm512_and_si512(c->low, half), b = _mm512_and_si512(c->middle, half);
    __m512i d = _mm512_and_si512(c->high, half);
    return (extent){_mm512_srli_epi32(_mm512_min_epu32(_mm512_min_epu32(a, b), d), 8),
                    _mm512_srli_epi32(_mm512_max_epu32(_mm512_max_epu32(a, b), d), 8),
                    _mm512_srli_epi32(c->low, 24), _mm512_srli_epi32(c->high, 24)};
}

TARGET static inline corners sort_corners(__m512i a, __m512i b, __m512i c) {
    __m512i low = _mm512_min_epu32(_mm512_min_epu32(a, b), c);
    __m512i high = _mm512_max_epu32(_mm512_max_epu32(a, b), c);
    __m512i all = _mm512_xor_si512(_mm512_xor_si512(a, b), c);
    return (corners){low, _mm512_xor_si512(all, _mm512_xor_si512(low, high)), high};
}

/* The first n of sixteen lanes. */
static inline __mmask16 lanes(size_t n) {
    return (__mmask16)(n < 16 ? (1u << n) - 1 : 0xffff);
}

/*
 * Corner k of sixteen triangles in both views, from indices that lie in three vectors: index 3 i +
 * k for lane i.
 */
TARGET static inline void pick_corner(const __m512i index[3], int k,
                                      const psb_snapped_pair *snapped,
                                      __m512i corner_in[PSB_PAIR]) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i place =
        _mm512_add_epi32(_mm512_mullo_epi32(lane, _mm512_set1_epi32(3)), _mm512_set1_epi32(k));
    const __mmask16 third = _mm512_cmpgt_epi32_mask(place, _mm512_set1_epi32(31));
    const __m512i rest =
        _mm512_mask_sub_epi32(lane, third, place, _mm512_set1_epi32(16)); /* 16 + place - 32 */
    __m512i corner = _mm512_permutex2var_epi32(index[0], place, index[1]);
    corner = _mm512_permutex2var_epi32(corner, rest, index[2]);
    __m512i low = _mm512_i32gather_epi64(_mm512_castsi512_si256(corner), snapped, 8);
    __m512i high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(corner, 1), snapped, 8);
    const __m512i even = _mm512_add_epi32(lane, lane);
    corner_in[0] = _mm512_permutex2var_epi32(low, even, high);
    corner_in[1] =
        _mm512_permutex2var_epi32(low, _mm512_or_si512(even, _mm512_set1_epi32(1)), high);
}

/* Lists for both views the triangles, of n, that have a pixel centre in their box. */
TARGET static inline void list_triangles(const psb_snapped_pair *snapped, const uint32_t *triangles,
                                         size_t n, list all[PSB_PAIR]) {
    all[0].n = all[1].n = 0;
    for (size_t t = 0; t < n; t += 16) {
        const size_t numbers = 3 * (n - t);
        __m512i index[3];
        for (size_t k = 0; k < 3; k++) {
            __mmask16 given = numbers > 16 * k ? lanes(numbers - 16 * k) : 0;
            index[k] = _mm512_maskz_loadu_epi32(given, triangles + 3 * t + 16 * k);
        }
        __m512i a[PSB_PAIR], b[PSB_PAIR], c[PSB_PAIR];
        pick_corner(index, 0, snapped, a);
        pick_corner(index, 1, snapped, b);
        pick_corner(index, 2, snapped, c);
        for (int view = 0; view < PSB_PAIR; view++) {
            corners sorted = sort_corners(a[view], b[view], c[view]);
            extent box = extent_of(&sorted);
            __mmask16 any = _mm512_mask_cmplt_epu32_mask(lanes(n - t), box.left, box.right);
            any = _mm512_mask_cmplt_epu32_mask(any, box.low, box.high);
            append(&all[view], any, &sorted);
        }
    }
}

/*
 * The 32 columns, from a whole byte of a word on, in which the box of a small triangle lies: where
 * that byte is on the canvas, and the box's columns; 0 where it does not lie in 32 but the last.
 */
TARGET static inline __m512i window_of(const extent *box, __m512i *mask) {
    const __m512i one = _mm512_set1_epi32(1);
    __m512i word = _mm512_srli_epi32(box->left, 6);
    __m512i byte = _mm512_min_epu32(_mm512_srli_epi32(_mm512_slli_epi32(box->left, 26), 29),
                                    _mm512_set1_epi32(4));
    __m512i first = _mm512_slli_epi32(_mm512_add_epi32(_mm512_slli_epi32(word, 3), byte), 3);
    __m512i end = _mm512_sub_epi32(box->right, first);
    __mmask16 within = _mm512_cmplt_epu32_mask(end, _mm512_set1_epi32(32));
    *mask = _mm512_maskz_sub_epi32(within, _mm512_sllv_epi32(one, end),
                                   _mm512_sllv_epi32(one, _mm512_sub_epi32(box->left, first)));
    __m512i row = _mm512_add_epi32(_mm512_mullo_epi32(word, _mm512_set1_epi32(PITCH)), box->low);
    return _mm512_add_epi32(_mm512_slli_epi32(row, 3), byte);
}

/* Lists by size the triangles to be drawn, without low ones whose box is all set. */
TARGET static inline void sort(const psb_canvas *canvas, const list *all, list size[SIZES]) {
    const __m512i row = _mm512_set1_epi32(sizeof canvas->column[0][0]);
    size[0].n = size[1].n = size[2].n = 0;
    for (size_t k = 0; k < all->n; k += 16) {
        const __mmask16 valid = lanes(all->n - k);
        corners some = read_corners(all, k);
        extent box = extent_of(&some);
        __m512i rows = _mm512_sub_epi32(box.high, box.low), mask, set = _mm512_set1_epi32(-1);
        __m512i low = window_of(&box, &mask);
        __m512i high = _mm512_add_epi32(
            low, _mm512_slli_epi32(_mm512_sub_epi32(rows, _mm512_set1_epi32(1)), 3));
        __mmask16 few = _mm512_mask_test_epi32_mask(valid, mask, mask);
        few = _mm512_mask_cmple_epu32_mask(few, rows, _mm512_set1_epi32(FEW_ROWS));
        /* From both ends towards the middle. */
        for (__mmask16 left = few; left != 0;
             left = _mm512_mask_cmple_epi32_mask(left, low, high)) {
            set = _mm512_and_si512(set, _mm512_mask_i32gather_epi32(set, left, low, canvas, 1));
            set = _mm512_and_si512(set, _mm512_mask_i32gather_epi32(set, left, high, canvas, 1));
            low = _mm512_add_epi32(low, row);
            high = _mm512_sub_epi32(high, row);
        }
        __mmask16 open = _mm512_mask_cmpneq_epi32_mask(few, _mm512_and_si512(set, mask), mask);
        __mmask16 tiny = _mm512_mask_cmple_epu32_mask(open, rows, _mm512_set1_epi32(TINY_ROWS));
        append(&size[0], tiny, &some);
        append(&size[1], (__mmask16)(open & ~tiny), &some);
        append(&size[2], (__mmask16)(valid & ~few), &some);
    }
}

/* The edges between the corners a and b, not above them, of eight triangles. */
TARGET static inline edge edge_between(__m256i a, __m256i b) {
    const __m256i half = _mm256_set1_epi32(0xffff), one = _mm256_set1_epi32(1);
    __m256i x = _mm256_and_si256(a, half), y = _mm256_srli_epi32(a, 16);
    __m512d width = _mm512_cvtepi32_pd(_mm256_sub_epi32(_mm256_and_si256(b, half), x));
    /* A level edge crosses no row. */
    __m512d height =
        _mm512_cvtepi32_pd(_mm256_max_epi32(_mm256_sub_epi32(_mm256_srli_epi32(b, 16), y), one));
    __m512d per_height = _mm512_rcp14_pd(height);
    for (int k = 0; k < 2; k++) {
        __m512d rest = _mm512_fnmadd_pd(height, per_height, _mm512_set1_pd(2.0));
        per_height = _mm512_mul_pd(per_height, rest);
    }
    __m512d rise = _mm512_cvtepi32_pd(_mm256_sub_epi32(_mm256_set1_epi32(PSB_SUBPIXELS - 1), y));
    __m512d steps = _mm512_fmsub_pd(rise, width, _mm512_set1_pd(0.5));
    __m512d at = _mm512_fmadd_pd(steps, per_height, _mm512_cvtepi32_pd(_mm256_add_epi32(x, one)));
    return (edge){_mm512_mul_pd(at, _mm512_set1_pd(1.0 / PSB_SUBPIXELS)),
                  _mm512_mul_pd(width, per_height)};
}

/* A mask of the 64 pixels from `first` on: set at the edge and right of it. */
TARGET static inline __m512i right_of(__m512d at, __m512d slope, __m512d row, __m512i first) {
    __m512i position = _mm512_cvttpd_epi64(_mm512_fmadd_pd(row, slope, at));
    __m512i shift = _mm512_max_epi64(_mm512_sub_epi64(position, first), _mm512_setzero_si512());
    return _mm512_sllv_epi64(_mm512_set1_epi64(-1), shift);
}

/* What rows of triangles cover of 64 columns; nothing at and above their end. */
TARGET static inline __m512i span(const edge e[3], __m512d row, __m512d turn, __m512d end,
                                  __m512i first) {
    __mmask8 upper = _mm512_cmp_pd_mask(row, turn, _CMP_GE_OQ);
    __mmask8 inside = _mm512_cmp_pd_mask(row, end, _CMP_LT_OQ);
    __m512i a = right_of(e[0].at, e[0].slope, row, first);
    __m512i b = right_of(_mm512_mask_blend_pd(upper, e[1].at, e[2].at),
                         _mm512_mask_blend_pd(upper, e[1].slope, e[2].slope), row, first);
    return _mm512_maskz_xor_epi64(inside, a, b);
}

/* The part of a list that is drawn at once: eight triangles, their edges and rows. */
typedef struct eight {
    edge edge[3]; /* lowest to highest corner, lowest to middle, middle to highest */
    __m256i low, middle, high, word; /* rows of the corners; the word of the first column */
} eight;

TARGET static inline eight read_eight(const list *from, size_t k) {
    const __m256i half = _mm256_set1_epi32(0xffff);
    __m256i low = _mm256_loadu_si256((const __m256i *)(from->low + k));
    __m256i middle = _mm256_loadu_si256((const __m256i *)(from->middle + k));
    __m256i high = _mm256_loadu_si256((const __m256i *)(from->high + k));
    __m256i left = _mm256_min_epu32(_mm256_and_si256(low, half), _mm256_and_si256(middle, half));
    left = _mm256_min_epu32(left, _mm256_and_si256(high, half));
    return (eight){{edge_between(low, high), edge_between(low, middle), edge_between(middle, high)},
                   _mm256_srli_epi32(low, 24),
                   _mm256_srli_epi32(middle, 24),
                   _mm256_srli_epi32(high, 24),
                   _mm256_srli_epi32(left, 14)};
}

/* Triangles of up to `rows` rows that lie within one word, a row of eight at a time. */
TARGET static inline void fill_small(psb_canvas *canvas, const list *from, int rows) {
    for (size_t k = 0; k < from->n; k += 8) {
        const eight some = read_eight(from, k);
        const __m512i first = _mm512_cvtepi32_epi64(_mm256_slli_epi32(some.word, 6));
        const __m512d turn = _mm512_cvtepi32_pd(some.middle), end = _mm512_cvtepi32_pd(some.high);
        __m512d row = _mm512_cvtepi32_pd(some.low);
        uint64_t mask[FEW_ROWS][8];
        uint32_t column[8], lowest[8];
        for (int r = 0; r < rows; r++) {
            _mm512_storeu_si512(mask[r], span(some.edge, row, turn, end, first));
            row = _mm512_add_pd(row, _mm512_set1_pd(1.0));
        }
        _mm256_storeu_si256((__m256i *)column, some.word);
        _mm256_storeu_si256((__m256i *)lowest, some.low);
        for (size_t j = 0; j < 8 && k + j < from->n; j++) {
            uint64_t *word = &canvas->column[column[j]][lowest[j]];
            for (int r = 0; r < rows; r++) {
                word[r] |= mask[r][j];
            }
        }
    }
}

/* A triangle of any size, eight rows at a time. */
TARGET static inline void fill_one(psb_canvas *canvas, const edge edges[3], psb_snapped low,
                                   psb_snapped middle, psb_snapped high) {
    const __m512d step = _mm512_setr_pd(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0);
    const __m512d turn = _mm512_set1_pd(psb_row_of(middle)), end = _mm512_set1_pd(psb_row_of(high));
    const uint32_t a = low & 0xffff, b = middle & 0xffff, c = high & 0xffff;
    const uint32_t right = psb_most(psb_most(a, b), c) >> 8; /* > 0: the box has a pixel */
    for (uint32_t y = psb_row_of(low); y < psb_row_of(high); y += 8) {
        const __m512d row = _mm512_add_pd(_mm512_set1_pd(y), step);
        for (uint32_t word = psb_least(psb_least(a, b), c) >> 14; word <= (right - 1) / 64;
             word++) {
            __m512i set = _mm512_loadu_si512(&canvas->column[word][y]);
            set = _mm512_or_si512(set, span(edges, row, turn, end, _mm512_set1_epi64(64 * word)));
            _mm512_storeu_si512(&canvas->column[word][y], set);
        }
    }
}

/* Triangles of any size; the edges of eight are set up at once. */
TARGET static inline void fill_large(psb_canvas *canvas, const list *from) {
    for (size_t k = 0; k < from->n; k += 8) {
        const eight some = read_eight(from, k);
        double at[3][8], slope[3][8];
        for (int e = 0; e < 3; e++) {
            _mm512_storeu_pd(at[e], some.edge[e].at);
            _mm512_storeu_pd(slope[e], some.edge[e].slope);
        }
        for (size_t j = 0; j < 8 && k + j < from->n; j++) {
            edge edges[3];
            for (int e = 0; e < 3; e++) {
                edges[e] = (edge){_mm512_set1_pd(at[e][j]), _mm512_set1_pd(slope[e][j])};
            }
            fill_one(canvas, edges, from->low[k + j], from->middle[k + j], from->high[k + j]);
        }
    }
}

TARGET static void draw(const psb_snapped_pair *snapped, const uint32_t *triangles, size_t n,
                        psb_canvas canvas[PSB_PAIR]) {
    list all[PSB_PAIR], size[SIZES];
    for (size_t first = 0; first < n; first += CHUNK) {
        list_triangles(snapped, triangles + 3 * first, n - first < CHUNK ? n - first : CHUNK, all);
        for (int view = 0; view < PSB_PAIR; view++) {
            sort(&canvas[view], &all[view], size);
            fill_large(&canvas[view], &size[2]);
            fill_small(&canvas[view], &size[1], FEW_ROWS);
            fill_small(&canvas[view], &size[0], TINY_ROWS);
        }
    }
}

TARGET static void project(const psb_points *points, const psb_camera view[PSB_PAIR],
                           psb_snapped_pair *snapped) {
    psb_project_points(points, view, snapped);
}

const psb_silhouette_kernel psb_silhouette_avx512 = {
    {"avx512", PSB_CPU_AVX512F | PSB_CPU_AVX512DQ | PSB_CPU_BITS}, project, draw};

#endif
