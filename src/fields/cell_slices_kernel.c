/*
 * Distributes pieces: closed forms for LANES triangles side by side, and their shares of the four
 * slices that most pieces do not exceed, then one piece after the other onto its slices.
 */
#include "core/elementary.h"
#include "core/vector.h"
#include "fields/cell_slices.h"

#if PSB_SET_BYTES > 16
#include <immintrin.h>
#endif

enum {
    LANES = PSB_SET_BYTES / 8, /* triangles side by side */
    NEAR = 4,                  /* slices that most pieces do not exceed */
    /* Places of triangles: the first of each piece, the second, the further ones. */
    SECOND = PSB_PIECES,
    FURTHER = 2 * PSB_PIECES,
    PLACES = FURTHER + PSB_FURTHER,
    MOST_TRIANGLES = PSB_PART_CORNERS - 2,
};

/* Numbers of pieces, or of slices, side by side. */
typedef double numbers __attribute__((vector_size(PSB_SET_BYTES), aligned(8), may_alias));
typedef int64_t masks __attribute__((vector_size(PSB_SET_BYTES), may_alias));
typedef int32_t whole_numbers
    __attribute__((vector_size(PSB_SET_BYTES / 2), aligned(4), may_alias));
typedef double near_slices __attribute__((vector_size(8 * NEAR), aligned(8), may_alias));

/*
 * Triangles by the distances of their corners: what lies below a level grows with the square from
 * the nearest corner, and ends with that to the farthest.
 */
typedef struct fan {
    double least[PLACES], middle[PLACES], most[PLACES];
    double area[PLACES];
    double rise[PLACES], fall[PLACES]; /* factors of the squares */
    double floor[PLACES];              /* what lies below the last level up to the middle corner */
    /* What lies in the first slices of the piece, if it is in the ball and in no others. */
    double share[PLACES][NEAR];
} fan;

typedef struct triangles {
    numbers least, middle, most, area, rise, fall, floor;
} triangles;

/* Of pieces. */
typedef struct extents {
    double least[PSB_PIECES], most[PSB_PIECES];
    int32_t first[PSB_PIECES], last[PSB_PIECES]; /* slices, while it is in the ball */
} extents;

/*
 * What sets differ in: SHIFTED(x, y), the last lane of x, then y without its last; TRANSPOSE(rows,
 * out), which writes lane i of four vectors to out[i]; LESSER and GREATER, x < y ? x : y and x > y
 * ? x : y in each lane; WHERE(x, op, y, a, b), x op y ? a : b in each lane. The last three are
 * masks where nothing else is said.
 */
#if PSB_SET_BYTES == 64
#define SHIFTED(x, y) PSB_SHUFFLE(masks, x, y, 7, 8, 9, 10, 11, 12, 13, 14)
#define LESSER(x, y)  ((numbers)_mm512_min_pd(x, y))
#define GREATER(x, y) ((numbers)_mm512_max_pd(x, y))
#define WHERE(x, op, y, numbers_, others)                                                          \
    ((numbers)_mm512_mask_blend_pd(_mm512_cmp_pd_mask(x, y, op), others, numbers_))
#define IS_LESS          _CMP_LT_OQ
#define IS_EQUAL         _CMP_EQ_OQ
#define IS_LESS_OR_EQUAL _CMP_LE_OQ
#define TRANSPOSE(rows, out)                                                                       \
    do {                                                                                           \
        numbers even = PSB_SHUFFLE(masks, rows[0], rows[1], 0, 8, 2, 10, 4, 12, 6, 14);            \
        numbers odd = PSB_SHUFFLE(masks, rows[0], rows[1], 1, 9, 3, 11, 5, 13, 7, 15);             \
        numbers even_end = PSB_SHUFFLE(masks, rows[2], rows[3], 0, 8, 2, 10, 4, 12, 6, 14);        \
        numbers odd_end = PSB_SHUFFLE(masks, rows[2], rows[3], 1, 9, 3, 11, 5, 13, 7, 15);         \
        numbers evens[2] = {PSB_SHUFFLE(masks, even, even_end, 0, 1, 8, 9, 2, 3, 10, 11),          \
                            PSB_SHUFFLE(masks, even, even_end, 4, 5, 12, 13, 6, 7, 14, 15)};       \
        numbers odds[2] = {PSB_SHUFFLE(masks, odd, odd_end, 0, 1, 8, 9, 2, 3, 10, 11),             \
                           PSB_SHUFFLE(masks, odd, odd_end, 4, 5, 12, 13, 6, 7, 14, 15)};          \
        numbers *to = (numbers *)(out);                                                            \
        for (int i_ = 0; i_ < 2; i_++) {                                                           \
            to[2 * i_] = PSB_SHUFFLE(masks, evens[i_], odds[i_], 0, 1, 2, 3, 8, 9, 10, 11);        \
            to[2 * i_ + 1] = PSB_SHUFFLE(masks, evens[i_], odds[i_], 4, 5, 6, 7, 12, 13, 14, 15);  \
        }                                                                                          \
    } while (false)
#elif PSB_SET_BYTES == 32
#define SHIFTED(x, y) PSB_SHUFFLE(masks, x, y, 3, 4, 5, 6)
#define TRANSPOSE(rows, out)                                                                       \
    do {                                                                                           \
        numbers low_01 = PSB_SHUFFLE(masks, rows[0], rows[1], 0, 4, 2, 6);                         \
        numbers low_23 = PSB_SHUFFLE(masks, rows[2], rows[3], 0, 4, 2, 6);                         \
        numbers high_01 = PSB_SHUFFLE(masks, rows[0], rows[1], 1, 5, 3, 7);                        \
        numbers high_23 = PSB_SHUFFLE(masks, rows[2], rows[3], 1, 5, 3, 7);                        \
        numbers *to = (numbers *)(out);                                                            \
        to[0] = PSB_SHUFFLE(masks, low_01, low_23, 0, 1, 4, 5);                                    \
        to[1] = PSB_SHUFFLE(masks, high_01, high_23, 0, 1, 4, 5);                                  \
        to[2] = PSB_SHUFFLE(masks, low_01, low_23, 2, 3, 6, 7);                                    \
        to[3] = PSB_SHUFFLE(masks, high_01, high_23, 2, 3, 6, 7);                                  \
    } while (false)
#define LESSER(x, y)  ((numbers)_mm256_min_pd(x, y))
#define GREATER(x, y) ((numbers)_mm256_max_pd(x, y))
#else
#define SHIFTED(x, y) PSB_SHUFFLE(masks, x, y, 1, 2)
#define TRANSPOSE(rows, out)                                                                       \
    do {                                                                                           \
        numbers *to = (numbers *)(out);                                                            \
        to[0] = PSB_SHUFFLE(masks, rows[0], rows[1], 0, 2);                                        \
        to[1] = PSB_SHUFFLE(masks, rows[2], rows[3], 0, 2);                                        \
        to[2] = PSB_SHUFFLE(masks, rows[0], rows[1], 1, 3);                                        \
        to[3] = PSB_SHUFFLE(masks, rows[2], rows[3], 1, 3);                                        \
    } while (false)
#endif

#ifndef WHERE
#define IS_LESS          <
#define IS_EQUAL         ==
#define IS_LESS_OR_EQUAL <=
/* Conditions are vectors of -1 and 0. */
#define CHOOSE(condition, numbers_, others)                                                        \
    ((numbers)(((condition) & (masks)(numbers_)) | (~(condition) & (masks)(others))))
#define WHERE(x, op, y, numbers_, others) CHOOSE((x)op(y), numbers_, others)
#endif
#ifndef LESSER
#define LESSER(x, y)  CHOOSE((x) < (y), x, y)
#define GREATER(x, y) CHOOSE((x) > (y), x, y)
#endif

/* Rounds numbers down that are at least 0 and small. */
PSB_INLINE void round_down(numbers *x) {
    const numbers none = {0.0}, room = none + 0x1p52;
    numbers whole = (*x + room) - room;
    *x = whole - WHERE(*x, IS_LESS, whole, none + 1.0, none);
}

PSB_INLINE numbers at_place(const double *array, int i) {
    return *(const numbers *)(array + i);
}

typedef struct corner {
    numbers distance, flat[2];
} corner;

PSB_INLINE corner take_corner(const psb_cell_corners *corners, int i) {
    return (corner){at_place(corners->distance, i),
                    {at_place(corners->flat[0], i), at_place(corners->flat[1], i)}};
}

/* Everything but the factors. */
PSB_INLINE triangles measure(const corner *p, const corner *q, const corner *r, numbers scale) {
    triangles t;
    numbers least = LESSER(p->distance, q->distance), most = GREATER(p->distance, q->distance);
    numbers middle = LESSER(most, r->distance);
    t.least = LESSER(least, r->distance);
    t.middle = GREATER(least, middle);
    t.most = GREATER(most, r->distance);
    numbers across = (q->flat[0] - p->flat[0]) * (r->flat[1] - p->flat[1]) -
                     (q->flat[1] - p->flat[1]) * (r->flat[0] - p->flat[0]);
    t.area = scale * GREATER(across, -across);
    return t;
}

PSB_INLINE void find_factors(triangles *t) {
    const numbers none = {0.0}, endless = none + INFINITY, ball = none + PSB_BALL_SLICES;
    numbers begin = (t->middle - t->least) * (t->most - t->least);
    numbers end = (t->most - t->middle) * (t->most - t->least);
    numbers up = LESSER(t->middle, ball);
    up = GREATER(up, none);
    round_down(&up);
    up = WHERE(none, IS_LESS, up, up, t->least); /* the first slice begins nowhere */
    up = GREATER(up, t->least) - t->least;
    begin = WHERE(none, IS_LESS, begin, begin, endless);
    end = WHERE(none, IS_LESS, end, end, endless);
    t->rise = t->area / begin;
    t->fall = t->area / end;
    t->floor = t->rise * (up * up);
}

/* What of triangles lies below levels. Maxima because of rounding. */
PSB_INLINE numbers lie_below(numbers level, const triangles *t) {
    const numbers none = {0.0};
    numbers up = level - t->least, down = t->most - level;
    up = GREATER(up, none);
    down = GREATER(down, none);
    numbers below = t->area - t->fall * (down * down);
    below = GREATER(t->floor, below);
    return WHERE(level, IS_LESS_OR_EQUAL, t->middle, t->rise * (up * up), below);
}

/* Distributes triangles over their pieces' first slices; nothing is left beyond the last one. */
PSB_INLINE void share_out(const triangles *t, numbers first, double (*share)[NEAR]) {
    numbers level = first, before = {0.0}, row[NEAR];
    for (int s = 0; s < NEAR - 1; s++) {
        level += 1.0;
        numbers below = lie_below(level, t);
        row[s] = below - before;
        before = below;
    }
    row[NEAR - 1] = GREATER(t->floor, t->area) - before;
    TRANSPOSE(row, share);
}

PSB_INLINE void store(const triangles *t, numbers first, int place, fan *f) {
    *(numbers *)(f->least + place) = t->least;
    *(numbers *)(f->middle + place) = t->middle;
    *(numbers *)(f->most + place) = t->most;
    *(numbers *)(f->area + place) = t->area;
    *(numbers *)(f->rise + place) = t->rise;
    *(numbers *)(f->fall + place) = t->fall;
    *(numbers *)(f->floor + place) = t->floor;
    share_out(t, first, f->share + place);
}

/* Pieces i and on: slices and the first two triangles; these count as one within one slice. */
PSB_INLINE void measure_pieces(const psb_cell_pieces *pieces, int i, extents *out, fan *f) {
    const numbers none = {0.0}, ball = none + PSB_BALL_SLICES;
    const numbers corners = at_place(pieces->corners, i), scale = at_place(pieces->scale, i);
    corner at[PSB_USUAL_CORNERS];
    for (int v = 0; v < PSB_USUAL_CORNERS; v++) {
        at[v] = take_corner(&pieces->corner[v], i);
    }
    triangles t[2] = {measure(&at[0], &at[1], &at[2], scale),
                      measure(&at[0], &at[2], &at[3], scale)};
    numbers least = WHERE(none + 3.0, IS_LESS, corners, t[1].least, t[0].least);
    numbers most = WHERE(none + 3.0, IS_LESS, corners, t[1].most, t[0].most);
    t[1].area = WHERE(none + 3.0, IS_LESS, corners, t[1].area, none);
    least = LESSER(at_place(pieces->least, i), LESSER(least, t[0].least));
    most = GREATER(at_place(pieces->most, i), GREATER(most, t[0].most));
    numbers first = LESSER(least, ball), last = LESSER(most, ball);
    first = GREATER(first, none);
    round_down(&first);
    round_down(&last);
    find_factors(&t[0]);
    find_factors(&t[1]);
    numbers end = WHERE(most, IS_LESS, ball, last, none - 1.0);
    t[0].area = WHERE(first, IS_EQUAL, end, t[0].area + t[1].area, t[0].area);
    t[1].area = WHERE(first, IS_EQUAL, end, none, t[1].area);
    store(&t[0], first, i, f);
    store(&t[1], first, SECOND + i, f);
    *(numbers *)(out->least + i) = least;
    *(numbers *)(out->most + i) = most;
    *(whole_numbers *)(out->first + i) = __builtin_convertvector(first, whole_numbers);
    *(whole_numbers *)(out->last + i) = __builtin_convertvector(last, whole_numbers);
}

/* Further triangles i and on. */
PSB_INLINE void measure_further(const psb_cell_pieces *pieces, int i, const extents *of, fan *f) {
    numbers first = {0.0};
    corner at[3];
    for (int v = 0; v < 3; v++) {
        at[v] = take_corner(&pieces->further[v], i);
    }
    for (int k = 0; k < LANES; k++) {
        first[k] = of->first[pieces->piece[i + k]];
    }
    triangles t = measure(&at[0], &at[1], &at[2], at_place(pieces->further_scale, i));
    find_factors(&t);
    store(&t, first, FURTHER + i, f);
}

/* All cells together do not fit into a processor's nearer caches. */
PSB_INLINE void fetch_slices(const psb_cell_pieces *pieces, int i, const extents *e,
                             const psb_cell_areas *cells) {
    const double *slices = cells->area.data;
    for (int k = i; k < i + LANES; k++) {
        const double *of = slices + pieces->cell[k] * cells->step;
        __builtin_prefetch(of + e->first[k], 1);
        __builtin_prefetch(of + e->last[k], 1);
    }
}

/* The slice of a distance in slices of the ball, so that the levels agree. */
static int32_t slice_at(const double *level, size_t slices, double distance) {
    if (distance < PSB_BALL_SLICES) {
        return distance > 0.0 ? (int32_t)distance : 0;
    }
    double slice = PSB_BALL_SLICES * (1.0 + psb_log(distance * (1.0 / PSB_BALL_SLICES)));
    int32_t s = (int32_t)psb_min(slice, (double)(slices - 1));
    s -= distance < level[s];
    return s + (distance >= level[s + 1]);
}

/* Slices of a cell that are about to hold something. */
PSB_INLINE void occupy(uint64_t *occupied, int first, int last) {
    unsigned first_word = (unsigned)first / PSB_SLICE_WORD;
    unsigned last_word = (unsigned)last / PSB_SLICE_WORD;
    uint64_t from = ~(uint64_t)0 << (unsigned)first % PSB_SLICE_WORD;
    uint64_t until = ~(uint64_t)0 >> (PSB_SLICE_WORD - 1 - (unsigned)last % PSB_SLICE_WORD);
    for (unsigned w = first_word; w < last_word; w++) {
        occupied[w] |= from;
        from = ~(uint64_t)0;
    }
    occupied[last_word] |= from & until;
}

PSB_INLINE const near_slices *share_of(const fan *f, int place) {
    return (const near_slices *)f->share[place];
}

/* Adds piece k to at most NEAR slices of the ball. The second triangle of a piece within one slice
 * is in the first. */
PSB_INLINE void add_near(const fan *f, int k, int further, int end, bool one_slice,
                         double *slices) {
    near_slices *at = (near_slices *)slices, first = *share_of(f, k);
    for (int t = further; t < end && one_slice; t++) {
        first += *share_of(f, FURTHER + t);
    }
    near_slices sum = *at + first + *share_of(f, SECOND + k);
    for (int t = further; t < end && !one_slice; t++) {
        sum += *share_of(f, FURTHER + t);
    }
    *at = sum;
}

/* Adds what of a triangle lies in slices to `sum`. `before`: what lies below them, in the last
 * lane; then what lies below the slices behind them. */
PSB_INLINE void add_triangle(const fan *f, int place, numbers level, numbers *before,
                             numbers *sum) {
    const numbers none = {0.0};
    const triangles t = {none + f->least[place], none + f->middle[place], none + f->most[place],
                         none + f->area[place],  none + f->rise[place],   none + f->fall[place],
                         none + f->floor[place]};
    numbers below = lie_below(level, &t);
    *sum += below - SHIFTED(*before, below);
    *before = below;
}

PSB_INLINE void add_triangles(const fan *f, const int *place, int count, int first, int last,
                              const double *level, double *slices) {
    const numbers none = {0.0};
    numbers before[MOST_TRIANGLES];
    for (int t = 0; t < count; t++) {
        before[t] = none;
    }
    for (int s = first & -LANES; s <= last; s += LANES) {
        const numbers at = at_place(level, s + 1);
        numbers sum = at_place(slices, s);
        for (int t = 0; t < count; t++) {
            add_triangle(f, place[t], at, &before[t], &sum);
        }
        *(numbers *)(slices + s) = sum;
    }
}

/* Adds piece k to any slices. */
PSB_INLINE void add_far(const fan *f, int k, int further, int end, int first, int last,
                        const double *level, double *slices) {
    int place[MOST_TRIANGLES] = {k, SECOND + k}, count = 2;
    for (int t = further; t < end; t++) {
        place[count++] = FURTHER + t;
    }
    if (first == last) {
        double area = 0.0;
        for (int t = 0; t < count; t++) {
            area += f->area[place[t]];
        }
        slices[first] += area;
    } else if (count == 2) { /* a number that the compiler knows */
        add_triangles(f, place, 2, first, last, level, slices);
    } else {
        add_triangles(f, place, count, first, last, level, slices);
    }
}

/* Outside of the ball slices are not whole numbers. */
static void correct_outside(const double *level, size_t slices, int place, fan *f) {
    double middle = f->middle[place];
    if (middle >= PSB_BALL_SLICES) {
        double up = psb_max(level[slice_at(level, slices, middle)] - f->least[place], 0.0);
        f->floor[place] = f->rise[place] * (up * up);
    }
}

static void add(const double *level, const psb_cell_pieces *pieces, psb_cell_areas *cells) {
    fan f;
    extents e;
    for (int i = 0; i < pieces->n; i += LANES) {
        measure_pieces(pieces, i, &e, &f);
        fetch_slices(pieces, i, &e, cells);
    }
    for (int i = 0; i < pieces->nfurther; i += LANES) {
        measure_further(pieces, i, &e, &f);
    }
    const size_t step = cells->step, words = cells->slices / PSB_SLICE_WORD;
    double *const area = cells->area.data;
    uint64_t *const occupied = cells->occupied.data;
    for (int k = 0, further = 0, end; k < pieces->n; k++, further = end) {
        bool outside = e.most[k] >= PSB_BALL_SLICES;
        int first = e.first[k], last = e.last[k];
        end = pieces->end[k];
        if (outside) {
            first = slice_at(level, cells->slices, e.least[k]);
            last = slice_at(level, cells->slices, e.most[k]);
            correct_outside(level, cells->slices, k, &f);
            correct_outside(level, cells->slices, SECOND + k, &f);
            for (int t = further; t < end; t++) {
                correct_outside(level, cells->slices, FURTHER + t, &f);
            }
        }
        double *slices = area + pieces->cell[k] * step;
        occupy(occupied + pieces->cell[k] * words, first, last);
        if (last - first < NEAR && !outside) {
            add_near(&f, k, further, end, first == last, slices + first);
        } else {
            add_far(&f, k, further, end, first, last, level, slices);
        }
    }
}

const psb_slice_kernel PSB_OF_SET(psb_slice_of) = {PSB_SET_VARIANT, add};
