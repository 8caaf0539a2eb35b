/*
 * The rasterizer, compiled once for each instruction set; compilers vectorize most of its loops.
 * Every set sets the same pixels.
 *
 * Triangles are processed in batches. Most triangles of a dense mesh lie between pixel centers, and
 * most others where all pixels are set already. Which ones is nearly random, so a branch on it is
 * mispredicted every other time. So each stage computes its answer for the whole batch and makes
 * lists without branches. Triangles of few rows and columns are drawn side by side, a row of each
 * at a time; of others, some rows at a time. To look whether all pixels of a triangle are set takes
 * as long as to draw it.
 *
 * An edge crosses the center line of a row at a rational position, and a span begins at the first
 * pixel center at or right of it. For an edge of height h (in 1/256 pixel) this position is a
 * multiple of 1/(256 h) pixel. Moved left by half of that, it keeps this distance from all pixel
 * centers, while the rounding error of double precision is below 2^-20 of it. So the results are
 * exact. Positions on a small triangle's edges are whole numbers of 2^-FRACTION / 256 pixel from
 * its window, to which each row adds a step. These edges are less than 2,304 high (in 1/256 pixel),
 * so positions keep 2^-12.2 / 256 pixel from all centers; rounding eight numbers moves them by
 * 2^-16.
 */
#include "lightfield/silhouette_kernel.h"

#include <math.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum {
    BATCH = 256,  /* triangles: whole groups */
    ABREAST = 16, /* small triangles that are drawn side by side */
    TINY_ROWS = 2,
    FEW_ROWS = 8,
    WINDOW = 31,   /* columns of a small triangle, all in one word */
    FRACTION = 18, /* bits of a position on a small triangle's edge below 1/256 pixel */
};

/* Up to TINY_ROWS rows in a window, up to FEW_ROWS in a window, all others. */
enum { TINY, FEW, LARGE, SIZES, NONE = SIZES };

/* Rows of a large triangle side by side. */
typedef double doubles __attribute__((vector_size(PSB_SET_BYTES)));
typedef int64_t masks __attribute__((vector_size(PSB_SET_BYTES), aligned(8), may_alias));
typedef int32_t whole_numbers __attribute__((vector_size(PSB_SET_BYTES / 2)));
enum { ROWS = PSB_SET_BYTES / 8 };

#define POSITION(x)            __builtin_convertvector(__builtin_convertvector(x, whole_numbers), masks)
#define WHERE(condition, x, y) (doubles)(((condition) & (masks)(x)) | (~(condition) & (masks)(y)))

/* Corners by height: lowest, middle, highest; room for whole vectors behind them. */
enum { LOW, MIDDLE, HIGH };
typedef struct corners {
    size_t n;
    psb_snapped at[3][BATCH + PSB_DRAW_GROUP];
} corners;

typedef struct batch {
    psb_snapped corner[3][BATCH];
    corners by_height;
    uint32_t size[BATCH]; /* NONE: no pixel center in the box */
} batch;

/* The first pixels right of edges in row y are floor(at + y slope). */
typedef struct edges {
    double at[ABREAST], slope[ABREAST];
} edges;

/* The same from windows on and by row of the triangle, in the units above, modulo 2^32. */
typedef struct fixed_edges {
    uint32_t at[ABREAST], step[ABREAST];
} fixed_edges;

/* Where small triangles are drawn: column number `shift` of a word is the first of the window. */
typedef struct windows {
    uint32_t word[ABREAST], shift[ABREAST], row[ABREAST];
} windows;

PSB_INLINE psb_snapped project_point(const psb_camera *view, double x, double y, double z) {
    const double middle = PSB_SIDE / 2, *right = view->right, *up = view->up;
    return psb_snap(right[0] * x + right[1] * y + right[2] * z + middle,
                    up[0] * x + up[1] * y + up[2] * z + middle);
}

static void project_points(const psb_points *points, const psb_camera view[PSB_PAIR],
                           psb_snapped_pair *restrict snapped) {
    const double *x = points->x, *y = points->y, *z = points->z;
    const psb_camera first = view[0], second = view[1];
    for (size_t i = 0; i < points->n; i++) {
        snapped[i] = (psb_snapped_pair)project_point(&second, x[i], y[i], z[i]) << 32 |
                     project_point(&first, x[i], y[i], z[i]);
    }
}

PSB_INLINE uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

PSB_INLINE uint32_t most(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

PSB_INLINE uint32_t column_of(psb_snapped p) {
    return p & 0xffff;
}

/* The first row whose center is at or above p. */
PSB_INLINE uint32_t row_of(psb_snapped p) {
    return p >> 24;
}

/* Columns left ... right - 1 that have a pixel center in the triangle's box. */
PSB_INLINE void bound_columns(psb_snapped a, psb_snapped b, psb_snapped c, uint32_t *left,
                              uint32_t *right) {
    *left = least(least(column_of(a), column_of(b)), column_of(c)) >> 8;
    *right = most(most(column_of(a), column_of(b)), column_of(c)) >> 8;
}

/* The pixels left ... right - 1, low ... high - 1 that each group of a block can cover, none where
 * left >= right; the last ones are those that all groups together can cover. */
typedef struct rectangles {
    int32_t left[PSB_DRAW_GROUP + 1], right[PSB_DRAW_GROUP + 1], low[PSB_DRAW_GROUP + 1],
        high[PSB_DRAW_GROUP + 1];
} rectangles;

/* The ranges along one axis of the image. */
PSB_INLINE void bound_axis(const psb_draw_block *block, const double axis[3],
                           int32_t begin[PSB_DRAW_GROUP + 1], int32_t end[PSB_DRAW_GROUP + 1]) {
    const float middle = PSB_SIDE / 2 + (PSB_SNAP_OFFSET + 0.5F) / PSB_SUBPIXELS;
    const float rounding = 1.0F / 64.0F; /* more than that of snapping and of the sums below */
    const float a[3] = {(float)axis[0], (float)axis[1], (float)axis[2]};
    const float b[3] = {fabsf(a[0]), fabsf(a[1]), fabsf(a[2])};
    int32_t first = PSB_SIDE - 1, last = 0;
    for (int k = 0; k < PSB_DRAW_GROUP; k++) {
        float at = a[0] * block->middle[0][k] + a[1] * block->middle[1][k] +
                   a[2] * block->middle[2][k] + middle;
        float reach = b[0] * block->half[0][k] + b[1] * block->half[1][k] +
                      b[2] * block->half[2][k] + rounding;
        int32_t low = (int32_t)(at - reach), high = (int32_t)(at + reach);
        begin[k] = low > 0 ? low : 0;
        end[k] = high < PSB_SIDE ? high : PSB_SIDE - 1;
        first = begin[k] < first ? begin[k] : first;
        last = end[k] > last ? end[k] : last;
    }
    begin[PSB_DRAW_GROUP] = first;
    end[PSB_DRAW_GROUP] = last;
}

/* The mask of the columns of a word that lie within left ... right - 1. */
PSB_INLINE uint64_t columns_in(uint32_t word, uint32_t left, uint32_t right) {
    uint32_t from = most(left, 64 * word) - 64 * word;
    uint32_t to = least(right, 64 * word + 64) - 64 * word;
    return ~UINT64_C(0) >> (64 - (to - from)) << from;
}

/* Whether a rectangle has a pixel that is not set. */
PSB_INLINE bool is_open(const psb_canvas *canvas, const rectangles *in, int k) {
    const uint32_t left = (uint32_t)in->left[k], right = (uint32_t)in->right[k];
    for (uint32_t word = left / 64; left < right && word <= (right - 1) / 64; word++) {
        const uint64_t mask = columns_in(word, left, right);
        for (int32_t row = in->low[k]; row < in->high[k]; row++) {
            if ((~canvas->column[word][row] & mask) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* Makes a group's triangles in one of the views numbers n and on. */
PSB_INLINE void add_group(batch *b, size_t n, const psb_snapped_pair *snapped, int view,
                          const uint32_t corner[3][PSB_DRAW_GROUP]) {
    for (size_t t = 0; t < PSB_DRAW_GROUP; t++) {
        for (size_t k = 0; k < 3; k++) {
            b->corner[k][n + t] = psb_snapped_in(snapped[corner[k][t]], view);
        }
    }
}

/* Finds corners by height and boxes. */
static void sort(batch *b, size_t n) {
    corners *sorted = &b->by_height;
    for (size_t t = 0; t < n; t++) {
        psb_snapped x = b->corner[0][t], y = b->corner[1][t], z = b->corner[2][t];
        psb_snapped low = least(least(x, y), z), high = most(most(x, y), z);
        uint32_t left, right;
        bound_columns(x, y, z, &left, &right);
        sorted->at[LOW][t] = low;
        sorted->at[MIDDLE][t] = x ^ y ^ z ^ low ^ high;
        sorted->at[HIGH][t] = high;
        const uint32_t rows = row_of(high) - row_of(low);
        const uint32_t end = left / 64 * 64 + least(left % 64, 64 - WINDOW) + WINDOW;
        const uint32_t small = rows <= TINY_ROWS ? TINY : FEW;
        const uint32_t size = right <= end && rows <= FEW_ROWS ? small : LARGE;
        b->size[t] = left < right && rows > 0 ? size : NONE;
    }
}

/*
 * Puts those of TAKEN triangles from number t on that have this size behind `count` others, and
 * returns how many. What is written behind them is overwritten by the next.
 */
#if defined(__AVX512BW__)
enum { TAKEN = 16 };
PSB_INLINE size_t append(corners *to, size_t count, const batch *b, size_t t, int size) {
    const __m512i sizes = _mm512_loadu_si512(&b->size[t]);
    const __mmask16 chosen = _mm512_cmpeq_epi32_mask(sizes, _mm512_set1_epi32(size));
    for (int k = 0; k < 3; k++) {
        const __m512i corner = _mm512_loadu_si512(&b->by_height.at[k][t]);
        _mm512_storeu_si512(&to->at[k][count], _mm512_maskz_compress_epi32(chosen, corner));
    }
    return (size_t)__builtin_popcount(chosen);
}
#elif defined(__AVX2__)
enum { TAKEN = 8 };
/* The numbers of a mask's bits that are set, a byte each. */
#define PLACE(m, k)                                                                                \
    ((uint64_t)((m) >> (k)&1) * (k) << 8 * __builtin_popcount((m) & ((1 << (k)) - 1)))
#define PLACES(m)                                                                                  \
    PLACE(m, 1) | PLACE(m, 2) | PLACE(m, 3) | PLACE(m, 4) | PLACE(m, 5) | PLACE(m, 6) | PLACE(m, 7)
#define OF_FOUR(m) PLACES(m), PLACES((m) + 1), PLACES((m) + 2), PLACES((m) + 3)
#define OF_16(m)   OF_FOUR(m), OF_FOUR((m) + 4), OF_FOUR((m) + 8), OF_FOUR((m) + 12)
#define OF_64(m)   OF_16(m), OF_16((m) + 16), OF_16((m) + 32), OF_16((m) + 48)
static const uint64_t places[256] = {OF_64(0), OF_64(64), OF_64(128), OF_64(192)};
PSB_INLINE size_t append(corners *to, size_t count, const batch *b, size_t t, int size) {
    typedef int32_t eight __attribute__((vector_size(32), aligned(4), may_alias));
    const eight equal = *(const eight *)&b->size[t] == size;
    const uint32_t chosen = (uint32_t)_mm256_movemask_ps((__m256)equal);
    const __m256i from = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)places[chosen]));
    for (int k = 0; k < 3; k++) {
        const __m256i corner = (__m256i) * (const eight *)&b->by_height.at[k][t];
        *(eight *)&to->at[k][count] = (eight)_mm256_permutevar8x32_epi32(corner, from);
    }
    return (size_t)__builtin_popcount(chosen);
}
#else
enum { TAKEN = 1 };
PSB_INLINE size_t append(corners *to, size_t count, const batch *b, size_t t, int size) {
    for (int k = 0; k < 3; k++) {
        to->at[k][count] = b->by_height.at[k][t];
    }
    return b->size[t] == (uint32_t)size;
}
#endif

/* Takes those of the batch's n triangles that have a pixel center in their box, by size. */
static void take(const batch *b, size_t n, corners kept[SIZES]) {
    size_t count[SIZES] = {0};
    for (size_t t = 0; t < n; t += TAKEN) {
#pragma GCC unroll 3
        for (int size = 0; size < SIZES; size++) {
            count[size] += append(&kept[size], count[size], b, t, size);
        }
    }
    for (int size = 0; size < SIZES; size++) {
        kept[size].n = count[size];
    }
}

/* What all positions on the edge from a up to b are made of, in 1/256 pixel. */
typedef struct line {
    int32_t x, y;
    double width, height;
} line;

PSB_INLINE line line_between(psb_snapped a, psb_snapped b) {
    int32_t x = (int32_t)column_of(a), y = (int32_t)(a >> 16), height = (int32_t)(b >> 16) - y;
    /* A level edge crosses no row. */
    return (line){x, y, (int32_t)column_of(b) - x, height > 0 ? height : 1};
}

/* A whole number of less than 2^51, rounded, modulo 2^32. */
PSB_INLINE uint32_t rounded(double x) {
    uint64_t bits;
    x += 0x1.8p52;
    memcpy(&bits, &x, sizeof bits);
    return (uint32_t)bits;
}

PSB_INLINE void find_fixed(const psb_snapped *low, const psb_snapped *high, const windows *at,
                           fixed_edges *out) {
    const double unit = 1 << FRACTION;
    for (int k = 0; k < ABREAST; k++) {
        const line e = line_between(low[k], high[k]);
        const double per_height = unit / e.height;
        /* The offsets of x and y, and of pixel centers, add up to 1 and 255. */
        const int32_t up = (int32_t)(256 * at->row[k]) + PSB_SUBPIXELS - 1 - e.y;
        const int32_t along = e.x + 1 - (int32_t)(256 * (64 * at->word[k] + at->shift[k]));
        out->at[k] = rounded(along * unit + (up * e.width - 0.5) * per_height);
        out->step[k] = rounded(PSB_SUBPIXELS * e.width * per_height);
    }
}

PSB_INLINE void find_edges(const psb_snapped *low, const psb_snapped *high, edges *out) {
    for (int k = 0; k < ABREAST; k++) {
        const line e = line_between(low[k], high[k]);
        const double per_height = 1.0 / e.height, rise = PSB_SUBPIXELS - 1 - e.y;
        out->at[k] = (e.x + 1 + (rise * e.width - 0.5) * per_height) / PSB_SUBPIXELS;
        out->slope[k] = e.width * per_height;
    }
}

/* Small triangles k ... k + ABREAST - 1 of up to `rows` rows. */
PSB_INLINE void fill_abreast(psb_canvas *canvas, const corners *from, size_t k, int rows) {
    const psb_snapped *low = from->at[LOW] + k, *middle = from->at[MIDDLE] + k;
    const psb_snapped *high = from->at[HIGH] + k;
    windows at;
    uint32_t mask[FEW_ROWS][ABREAST], turn[ABREAST], end[ABREAST];
    fixed_edges whole, lower, upper;
    for (int j = 0; j < ABREAST; j++) {
        uint32_t left, right;
        bound_columns(low[j], middle[j], high[j], &left, &right);
        at.word[j] = left / 64;
        at.shift[j] = least(left % 64, 64 - WINDOW);
        at.row[j] = row_of(low[j]);
        turn[j] = row_of(middle[j]) - at.row[j];
        end[j] = row_of(high[j]) - at.row[j];
    }
    find_fixed(low, high, &at, &whole);
    find_fixed(low, middle, &at, &lower);
    find_fixed(middle, high, &at, &upper);
    for (uint32_t r = 0; r < (uint32_t)rows; r++) {
        for (int j = 0; j < ABREAST; j++) {
            const uint32_t all = UINT32_MAX, other = r < turn[j] ? lower.at[j] : upper.at[j];
            const uint32_t a = whole.at[j] >> (FRACTION + 8), b = other >> (FRACTION + 8);
            mask[r][j] = r < end[j] ? all << a % 32 ^ all << b % 32 : 0;
            whole.at[j] += whole.step[j];
            lower.at[j] += lower.step[j];
            upper.at[j] += upper.step[j];
        }
    }
    for (size_t j = 0; j < ABREAST && k + j < from->n; j++) {
        uint64_t *to = &canvas->column[at.word[j]][at.row[j]];
        for (int r = 0; r < rows; r++) {
            to[r] |= (uint64_t)mask[r][j] << at.shift[j];
        }
    }
}

PSB_INLINE void fill_small(psb_canvas *canvas, const corners *from, int rows) {
    for (size_t k = 0; k < from->n; k += ABREAST) {
        fill_abreast(canvas, from, k, rows);
    }
}

/* Masks of 64 pixels: set at a position and right of it. */
PSB_INLINE void right_of(masks position, masks *out) {
    const masks shift = position & (position > 0);
    *out = (~(masks){0} << (shift & 63)) & (shift < 64);
}

/*
 * Fills each row of a triangle between the edge from the lowest to the highest corner and the edges
 * through the middle corner, whichever side is left.
 */
PSB_INLINE void fill_one(psb_canvas *canvas, const corners *from, size_t k, const edges edge[3],
                         size_t j) {
    const doubles none = {0.0}, turn = none + row_of(from->at[MIDDLE][k]);
    const doubles top = none + row_of(from->at[HIGH][k]);
    const uint32_t end = row_of(from->at[HIGH][k]);
    uint32_t left, right;
    doubles row = none + row_of(from->at[LOW][k]);
    for (int r = 0; r < ROWS; r++) {
        row[r] += r;
    }
    bound_columns(from->at[LOW][k], from->at[MIDDLE][k], from->at[HIGH][k], &left, &right);
    for (uint32_t y = row_of(from->at[LOW][k]); y < end; y += ROWS, row += ROWS) {
        const masks above = row >= turn, inside = row < top;
        const masks a = POSITION(edge[0].at[j] + row * edge[0].slope[j]);
        const masks b = POSITION(WHERE(above, edge[2].at[j] + row * edge[2].slope[j],
                                       edge[1].at[j] + row * edge[1].slope[j]));
        for (uint32_t word = left / 64; word <= (right - 1) / 64; word++) {
            const int32_t first = 64 * (int32_t)word;
            masks *to = (masks *)&canvas->column[word][y], from_a, from_b;
            right_of(a - first, &from_a);
            right_of(b - first, &from_b);
            *to |= (from_a ^ from_b) & inside;
        }
    }
}

PSB_INLINE void fill_large(psb_canvas *canvas, const corners *from) {
    for (size_t k = 0; k < from->n; k += ABREAST) {
        const psb_snapped *low = from->at[LOW] + k, *middle = from->at[MIDDLE] + k;
        const psb_snapped *high = from->at[HIGH] + k;
        edges edge[3];
        find_edges(low, high, &edge[0]);
        find_edges(low, middle, &edge[1]);
        find_edges(middle, high, &edge[2]);
        for (size_t j = 0; j < ABREAST && k + j < from->n; j++) {
            fill_one(canvas, from, k + j, edge, j);
        }
    }
}

/* Draws the batch's first n triangles. `kept`, scratch memory, holds valid corners. */
static void draw_batch(psb_canvas *canvas, batch *b, size_t n, corners kept[SIZES]) {
    sort(b, n);
    take(b, n, kept);
    fill_large(canvas, &kept[LARGE]);
    fill_small(canvas, &kept[FEW], FEW_ROWS);
    fill_small(canvas, &kept[TINY], TINY_ROWS);
}

/* Draws the groups that may change a pixel, by batches. */
static void draw(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                 psb_canvas canvas[PSB_PAIR]) {
    size_t n[PSB_PAIR] = {0, 0};
    batch b[PSB_PAIR];
    corners kept[SIZES];
    memset(kept, 0, sizeof kept);
    project_points(&drawing->points, view, drawing->snapped);
    for (size_t k = 0; k < drawing->nblocks; k++) {
        const psb_draw_block *block = &drawing->block[k];
        for (int v = 0; v < PSB_PAIR; v++) {
            rectangles in;
            bound_axis(block, view[v].right, in.left, in.right);
            bound_axis(block, view[v].up, in.low, in.high);
            const int groups = is_open(&canvas[v], &in, PSB_DRAW_GROUP) ? PSB_DRAW_GROUP : 0;
            for (int group = 0; group < groups; group++) {
                if (!is_open(&canvas[v], &in, group)) {
                    continue;
                }
                add_group(&b[v], n[v], drawing->snapped, v, block->corner[group]);
                n[v] += PSB_DRAW_GROUP;
                if (n[v] == BATCH) {
                    draw_batch(&canvas[v], &b[v], n[v], kept);
                    n[v] = 0;
                }
            }
        }
    }
    for (int v = 0; v < PSB_PAIR; v++) {
        draw_batch(&canvas[v], &b[v], n[v], kept);
    }
}

const psb_silhouette_kernel PSB_OF_SET(psb_silhouette_of) = {PSB_SET_VARIANT, draw};
