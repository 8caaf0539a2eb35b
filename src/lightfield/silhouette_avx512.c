/*
 * The rasteriser with AVX-512: see lightfield/silhouette_kernel.h. Sixteen triangles are sorted by
 * size at a time; sixteen small ones are drawn at a time, or eight rows of a large one.
 *
 * Positions on edges need no division here: an estimate of 1 / height that Newton's method makes
 * exact enough serves as well, for the same reason. Those of a small triangle are whole numbers of
 * 2^-FRACTION / 256 pixel from its window, to which each row adds a step. Its edges are at most
 * 2,304 high and 8,448 wide (in 1/256 pixel), so positions keep 2^-12.2 from all pixel centers;
 * the estimate's error of 2^-28 moves them by 2^-14.9, rounding nine numbers by 2^-14.8.
 */
#include "lightfield/silhouette_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512dq,bmi2,popcnt")))

enum {
    ENOUGH = 256,                        /* triangles of a view that are drawn together */
    ROOM = ENOUGH + PSB_DRAW_GROUP + 16, /* for whole vectors at the end */
    PITCH = sizeof(((psb_canvas *)0)->column[0]) / sizeof(uint64_t), /* rows of a column */
    TINY_ROWS = 2, /* of a triangle whose columns lie within 32 of a word */
    FEW_ROWS = 8,  /* the same */
    SIZES = 3,     /* tiny, few rows, all others */
    FRACTION = 18, /* bits of a position on a small triangle's edge below 1/256 pixel */
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

/* One corner of sixteen triangles in both views. */
TARGET static inline void pick_corner(const uint32_t index[PSB_DRAW_GROUP],
                                      const psb_snapped_pair *snapped,
                                      __m512i corner_in[PSB_PAIR]) {
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    __m256i first = _mm256_loadu_si256((const __m256i *)index);
    __m256i last = _mm256_loadu_si256((const __m256i *)(index + 8));
    __m512i low = _mm512_i32gather_epi64(first, snapped, 8);
    __m512i high = _mm512_i32gather_epi64(last, snapped, 8);
    corner_in[0] = _mm512_permutex2var_epi32(low, even, high);
    corner_in[1] =
        _mm512_permutex2var_epi32(low, _mm512_or_si512(even, _mm512_set1_epi32(1)), high);
}

/* Lists the triangles of a group that have a pixel center in their box, for each view that is
 * `open`. */
TARGET static inline void list_group(const psb_snapped_pair *snapped,
                                     const uint32_t corner[3][PSB_DRAW_GROUP],
                                     const bool open[PSB_PAIR], list all[PSB_PAIR]) {
    __m512i a[PSB_PAIR], b[PSB_PAIR], c[PSB_PAIR];
    pick_corner(corner[0], snapped, a);
    pick_corner(corner[1], snapped, b);
    pick_corner(corner[2], snapped, c);
    for (int view = 0; view < PSB_PAIR; view++) {
        corners sorted = sort_corners(a[view], b[view], c[view]);
        extent box = extent_of(&sorted);
        __mmask16 any = _mm512_mask_cmplt_epu32_mask(open[view] ? 0xffff : 0, box.left, box.right);
        append(&all[view], _mm512_mask_cmplt_epu32_mask(any, box.low, box.high), &sorted);
    }
}

/* psb_is_open, eight rows at a time. */
TARGET static inline bool is_open(const psb_canvas *canvas, const psb_rectangles *in, int k) {
    const uint32_t left = (uint32_t)in->left[k], right = (uint32_t)in->right[k];
    for (uint32_t word = left / 64; left < right && word <= (right - 1) / 64; word++) {
        const __m512i mask = _mm512_set1_epi64((long long)psb_columns_in(word, left, right));
        for (int32_t row = in->low[k]; row < in->high[k]; row += 8) {
            const __mmask8 rows = (__mmask8)_bzhi_u32(0xff, (uint32_t)(in->high[k] - row));
            __m512i set = _mm512_loadu_si512(&canvas->column[word][row]);
            __m512i clear = _mm512_andnot_si512(set, mask);
            if (_mm512_mask_test_epi64_mask(rows, clear, clear) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* Marks the groups of a block that may change a pixel. */
TARGET static inline uint32_t open_groups(const psb_canvas *canvas, const psb_draw_block *block,
                                          const psb_camera *view) {
    psb_rectangles in;
    uint32_t open = 0;
    psb_bound_block(block, view, &in);
    if (is_open(canvas, &in, PSB_DRAW_GROUP)) {
        for (int group = 0; group < PSB_DRAW_GROUP; group++) {
            open |= (uint32_t)is_open(canvas, &in, group) << group;
        }
    }
    return open;
}

/* Where the window of a small triangle lies: 32 columns of a word. */
typedef struct window {
    __m512i word, shift, end; /* shift: of the window in the word; end: of the box in the window */
} window;

TARGET static inline window window_of(const extent *box) {
    __m512i word = _mm512_srli_epi32(box->left, 6);
    __m512i shift =
        _mm512_min_epu32(_mm512_and_si512(box->left, _mm512_set1_epi32(63)), _mm512_set1_epi32(32));
    __m512i first = _mm512_or_si512(_mm512_slli_epi32(word, 6), shift);
    return (window){word, shift, _mm512_sub_epi32(box->right, first)};
}

/* Eight of the masks of columns from ... to - 1. */
TARGET static inline __m512i columns(__m256i from, __m256i to) {
    const __m512i all = _mm512_set1_epi64(-1);
    return _mm512_andnot_si512(_mm512_sllv_epi64(all, _mm512_cvtepu32_epi64(to)),
                               _mm512_sllv_epi64(all, _mm512_cvtepu32_epi64(from)));
}

/* Lists by size the triangles to be drawn, without low ones whose box is all set. */
TARGET static inline void sort(const psb_canvas *canvas, const list *all, list size[SIZES]) {
    size[0].n = size[1].n = size[2].n = 0;
    for (size_t k = 0; k < all->n; k += 16) {
        const __mmask16 valid = lanes(all->n - k);
        corners some = read_corners(all, k);
        extent box = extent_of(&some);
        window place = window_of(&box);
        __m512i rows = _mm512_sub_epi32(box.high, box.low);
        __m512i from = _mm512_and_si512(box.left, _mm512_set1_epi32(63));
        __m512i to = _mm512_add_epi32(place.end, place.shift);
        __mmask16 low = _mm512_mask_cmple_epu32_mask(valid, rows, _mm512_set1_epi32(FEW_ROWS));
        low = _mm512_mask_cmple_epu32_mask(low, to, _mm512_set1_epi32(64));
        uint32_t start[16], lines[16], open = 0;
        uint64_t mask[16];
        _mm512_storeu_si512(
            start,
            _mm512_add_epi32(_mm512_mullo_epi32(place.word, _mm512_set1_epi32(PITCH)), box.low));
        _mm512_storeu_si512(
            lines, _mm512_maskz_andnot_epi32(low, _mm512_sllv_epi32(_mm512_set1_epi32(-1), rows),
                                             _mm512_set1_epi32(0xff)));
        _mm512_storeu_si512(mask,
                            columns(_mm512_castsi512_si256(from), _mm512_castsi512_si256(to)));
        _mm512_storeu_si512(mask + 8, columns(_mm512_extracti64x4_epi64(from, 1),
                                              _mm512_extracti64x4_epi64(to, 1)));
        for (int j = 0; j < 16; j++) {
            __m512i set = _mm512_loadu_si512((const uint64_t *)canvas + start[j]);
            __m512i clear = _mm512_andnot_si512(set, _mm512_set1_epi64((long long)mask[j]));
            open |= (uint32_t)((_mm512_test_epi64_mask(clear, clear) & lines[j]) != 0) << j;
        }
        __mmask16 few =
            _mm512_mask_cmple_epu32_mask((__mmask16)open, place.end, _mm512_set1_epi32(32));
        __mmask16 tiny = _mm512_mask_cmple_epu32_mask(few, rows, _mm512_set1_epi32(TINY_ROWS));
        append(&size[0], tiny, &some);
        append(&size[1], (__mmask16)(few & ~tiny), &some);
        append(&size[2], (__mmask16)((open & ~few) | (valid & ~low)), &some);
    }
}

/* Positions on the edges of sixteen small triangles in 2^-FRACTION of 1/256 pixel, modulo 2^32. */
typedef struct fixed_edge {
    __m512i at, step; /* in the lowest row of the triangle; from row to row */
} fixed_edge;

/* The low halves of two vectors of 64-bit numbers. */
TARGET static inline __m512i join(__m512d low, __m512d high) {
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_epi32(_mm512_cvttpd_epi64(low), even, _mm512_cvttpd_epi64(high));
}

/* Eight of sixteen numbers, the first or the last. */
TARGET static inline __m512d eight_of(__m512i x, int last) {
    return _mm512_cvtepi32_pd(last ? _mm512_extracti64x4_epi64(x, 1) : _mm512_castsi512_si256(x));
}

/* The edges between the corners a and b, not above them, of triangles whose windows begin in column
 * `first` and whose rows in row `lowest`. */
TARGET static inline fixed_edge fixed_edge_between(__m512i a, __m512i b, __m512i first,
                                                   __m512i lowest) {
    const __m512i half = _mm512_set1_epi32(0xffff), one = _mm512_set1_epi32(1);
    const __m512d unit = _mm512_set1_pd(1 << FRACTION), subpixels = _mm512_set1_pd(PSB_SUBPIXELS);
    __m512i x = _mm512_and_si512(a, half), y = _mm512_srli_epi32(a, 16);
    __m512i wide = _mm512_sub_epi32(_mm512_and_si512(b, half), x);
    /* A level edge crosses no row. */
    __m512i tall = _mm512_max_epi32(_mm512_sub_epi32(_mm512_srli_epi32(b, 16), y), one);
    __m512i row =
        _mm512_add_epi32(_mm512_slli_epi32(lowest, 8), _mm512_set1_epi32(PSB_SUBPIXELS - 1));
    __m512i up = _mm512_sub_epi32(row, y);
    __m512i along = _mm512_sub_epi32(_mm512_add_epi32(x, one), _mm512_slli_epi32(first, 8));
    __m512d at[2], step[2];
    for (int k = 0; k < 2; k++) {
        __m512d height = eight_of(tall, k), width = eight_of(wide, k);
        __m512d per_height = _mm512_rcp14_pd(height);
        __m512d rest = _mm512_fnmadd_pd(height, per_height, _mm512_set1_pd(2.0));
        per_height = _mm512_mul_pd(_mm512_mul_pd(per_height, rest), unit);
        __m512d steps = _mm512_fmsub_pd(eight_of(up, k), width, _mm512_set1_pd(0.5));
        at[k] = _mm512_fmadd_pd(steps, per_height, _mm512_mul_pd(eight_of(along, k), unit));
        step[k] = _mm512_mul_pd(_mm512_mul_pd(width, subpixels), per_height);
    }
    return (fixed_edge){join(at[0], at[1]), join(step[0], step[1])};
}

/* Small triangles of up to `rows` rows, a row of sixteen at a time. */
TARGET static inline void fill_small(psb_canvas *canvas, const list *from, int rows) {
    const __m512i all = _mm512_set1_epi32(-1);
    for (size_t k = 0; k < from->n; k += 16) {
        corners some = read_corners(from, k);
        extent box = extent_of(&some);
        window place = window_of(&box);
        __m512i first = _mm512_or_si512(_mm512_slli_epi32(place.word, 6), place.shift);
        fixed_edge whole = fixed_edge_between(some.low, some.high, first, box.low);
        fixed_edge lower = fixed_edge_between(some.low, some.middle, first, box.low);
        fixed_edge upper = fixed_edge_between(some.middle, some.high, first, box.low);
        __m512i turn = _mm512_sub_epi32(_mm512_srli_epi32(some.middle, 24), box.low);
        __m512i end = _mm512_sub_epi32(box.high, box.low);
        uint32_t mask[FEW_ROWS][16], start[16], shift[16];
        for (int r = 0; r < rows; r++) {
            const __m512i row = _mm512_set1_epi32(r);
            __m512i a = _mm512_srli_epi32(whole.at, FRACTION + 8);
            __m512i b = _mm512_srli_epi32(
                _mm512_mask_blend_epi32(_mm512_cmpge_epi32_mask(row, turn), lower.at, upper.at),
                FRACTION + 8);
            _mm512_storeu_si512(mask[r], _mm512_maskz_xor_epi32(_mm512_cmplt_epi32_mask(row, end),
                                                                _mm512_sllv_epi32(all, a),
                                                                _mm512_sllv_epi32(all, b)));
            whole.at = _mm512_add_epi32(whole.at, whole.step);
            lower.at = _mm512_add_epi32(lower.at, lower.step);
            upper.at = _mm512_add_epi32(upper.at, upper.step);
        }
        _mm512_storeu_si512(
            start,
            _mm512_add_epi32(_mm512_mullo_epi32(place.word, _mm512_set1_epi32(PITCH)), box.low));
        _mm512_storeu_si512(shift, place.shift);
        for (size_t j = 0; j < 16 && k + j < from->n; j++) {
            uint64_t *word = (uint64_t *)canvas + start[j];
            for (int r = 0; r < rows; r++) {
                word[r] |= (uint64_t)mask[r][j] << shift[j];
            }
        }
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

/* Draws the listed triangles; empties the list. */
TARGET static inline void fill(psb_canvas *canvas, list *all) {
    list size[SIZES];
    sort(canvas, all, size);
    fill_large(canvas, &size[2]);
    fill_small(canvas, &size[1], FEW_ROWS);
    fill_small(canvas, &size[0], TINY_ROWS);
    all->n = 0;
}

TARGET static void draw(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                        psb_canvas canvas[PSB_PAIR]) {
    list all[PSB_PAIR];
    all[0].n = all[1].n = 0;
    psb_project_points(&drawing->points, view, drawing->snapped);
    for (size_t k = 0; k < drawing->nblocks; k++) {
        const psb_draw_block *block = &drawing->block[k];
        const uint32_t open[PSB_PAIR] = {open_groups(&canvas[0], block, &view[0]),
                                         open_groups(&canvas[1], block, &view[1])};
        for (uint32_t left = open[0] | open[1]; left != 0; left &= left - 1) {
            const int group = __builtin_ctz(left);
            const bool open_in[PSB_PAIR] = {open[0] >> group & 1, open[1] >> group & 1};
            list_group(drawing->snapped, block->corner[group], open_in, all);
            for (int v = 0; v < PSB_PAIR; v++) {
                if (all[v].n >= ENOUGH) {
                    fill(&canvas[v], &all[v]);
                }
            }
        }
    }
    fill(&canvas[0], &all[0]);
    fill(&canvas[1], &all[1]);
}

const psb_silhouette_kernel psb_silhouette_avx512 = {
    {"avx512", PSB_CPU_AVX512F | PSB_CPU_AVX512DQ | PSB_CPU_BITS}, draw};

#endif
