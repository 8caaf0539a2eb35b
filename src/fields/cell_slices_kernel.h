/*
 * The kernels of fields/cell_slices.h, to be included once for each instruction set, after
 *
 *     TARGET   the attribute that names the instruction set
 *     LANES    doubles in a vector
 *     SHIFTED(x, y)   the last lane of x, then y without its last
 *     LESSER(x, y), GREATER(x, y)   x < y ? x : y and x > y ? x : y in each lane; if they are not
 *                                   defined, by masks
 *
 * have been defined. Defines the function `add`: closed forms for LANES pieces side by side, then
 * one piece after the other onto its slices. No include guard: its text is meant to appear several
 * times in the program.
 */
#include "core/elementary.h"
#include "core/vector.h"
#include "fields/cell_slices.h"

enum { BLOCKS = PSB_PIECES / LANES, FANS = PSB_PART_CORNERS - 2 };

/* Numbers of pieces, or of slices, side by side. */
typedef double numbers __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef int64_t masks __attribute__((vector_size(8 * LANES), may_alias));
typedef numbers lane[BLOCKS];

/*
 * The triangles that pieces consist of, by the distances of their corners: what lies below a level
 * grows with the square from the nearest corner, and ends with that to the farthest.
 */
typedef struct fan {
    lane least, middle, most;
    lane area;
    lane rise, fall; /* factors of the squares */
    lane floor;      /* what lies below the last level up to the middle corner */
} fan;

/* Pieces have two triangles or more, of which the second may have no area. A piece within one slice
 * counts as one triangle. */
typedef struct fans {
    fan triangle[FANS];
    lane least, most; /* distance of a piece */
    lane area;        /* of a piece */
    lane first, last; /* slices of a piece, while it is in the ball */
} fans;

/* Conditions are vectors of -1 and 0. */
#define CHOOSE(condition, numbers_, others)                                                        \
    ((numbers)(((condition) & (masks)(numbers_)) | (~(condition) & (masks)(others))))
#ifndef LESSER
#define LESSER(x, y)  CHOOSE((x) < (y), x, y)
#define GREATER(x, y) CHOOSE((x) > (y), x, y)
#endif

/* Rounds numbers down that are at least 0 and small. */
TARGET PSB_INLINE void round_down(numbers *x) {
    const numbers none = {0.0}, room = none + 0x1p52;
    numbers whole = (*x + room) - room;
    *x = whole - CHOOSE(whole > *x, none + 1.0, none);
}

TARGET PSB_INLINE void measure_triangle(const psb_cell_pieces *pieces, int block, int v, fan *out) {
    const numbers *scale = (const numbers *)pieces->scale + block, none = {0.0};
    const numbers *corners = (const numbers *)pieces->corners + block;
    const int corner[3] = {0, v, v + 1};
    numbers distance[3], flat[3][2];
    for (int k = 0; k < 3; k++) {
        distance[k] = ((const numbers *)pieces->distance[corner[k]])[block];
        flat[k][0] = ((const numbers *)pieces->flat[corner[k]][0])[block];
        flat[k][1] = ((const numbers *)pieces->flat[corner[k]][1])[block];
    }
    numbers least = LESSER(distance[0], distance[1]), most = GREATER(distance[0], distance[1]);
    numbers middle = LESSER(most, distance[2]);
    out->least[block] = LESSER(least, distance[2]);
    out->middle[block] = GREATER(least, middle);
    out->most[block] = GREATER(most, distance[2]);
    numbers across = (flat[1][0] - flat[0][0]) * (flat[2][1] - flat[0][1]) -
                     (flat[1][1] - flat[0][1]) * (flat[2][0] - flat[0][0]);
    across = *scale * GREATER(across, -across);
    out->area[block] = CHOOSE(*corners > v + 1.0, across, none);
}

TARGET PSB_INLINE void find_factors(int block, fan *out) {
    const numbers none = {0.0}, endless = none + INFINITY, ball = none + PSB_BALL_SLICES;
    numbers least = out->least[block], middle = out->middle[block], most = out->most[block];
    numbers begin = (middle - least) * (most - least), end = (most - middle) * (most - least);
    numbers up = LESSER(middle, ball);
    up = GREATER(up, none);
    round_down(&up);
    up = CHOOSE(up > none, up, least); /* the first slice begins nowhere */
    up = GREATER(up, least) - least;
    begin = CHOOSE(begin > none, begin, endless);
    end = CHOOSE(end > none, end, endless);
    out->rise[block] = out->area[block] / begin;
    out->fall[block] = out->area[block] / end;
    out->floor[block] = out->rise[block] * (up * up);
}

/* All cells together do not fit into a processor's nearer caches. */
TARGET PSB_INLINE void fetch_slices(const psb_cell_pieces *pieces, int block, const fans *f,
                                    const psb_cell_areas *cells) {
    const double *slices = cells->area.data;
    for (int i = 0; i < LANES; i++) {
        const double *of = slices + pieces->cell[block * LANES + i] * cells->step;
        __builtin_prefetch(of + (int)f->first[block][i], 1);
        __builtin_prefetch(of + (int)f->last[block][i], 1);
    }
}

TARGET PSB_INLINE void measure_block(const psb_cell_pieces *pieces, int block, fans *out) {
    const numbers none = {0.0}, ball = none + PSB_BALL_SLICES;
    const numbers *corners = (const numbers *)pieces->corners + block;
    numbers least = none + INFINITY, most = none, area = none;
    int triangles = 2;
    for (int i = 0; i < LANES; i++) {
        int here = (int)(*corners)[i] - 2;
        triangles = here > triangles ? here : triangles;
    }
    for (int t = 0; t < triangles; t++) {
        fan *triangle = &out->triangle[t];
        measure_triangle(pieces, block, t + 1, triangle);
        find_factors(block, triangle);
        numbers nearest = CHOOSE(*corners > t + 2.0, triangle->least[block], least);
        numbers farthest = CHOOSE(*corners > t + 2.0, triangle->most[block], most);
        least = LESSER(least, nearest);
        most = GREATER(most, farthest);
        area += triangle->area[block];
    }
    numbers first = LESSER(least, ball), last = LESSER(most, ball);
    first = GREATER(first, none);
    round_down(&first);
    round_down(&last);
    numbers end = CHOOSE(most < ball, last, none - 1.0);
    for (int t = 0; t < triangles; t++) {
        numbers *part = &out->triangle[t].area[block], rest = t == 0 ? area : none;
        *part = CHOOSE(first == end, rest, *part);
    }
    out->most[block] = most;
    out->least[block] = least;
    out->area[block] = area;
    out->first[block] = first;
    out->last[block] = last;
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

/* Outside of the ball slices are not whole numbers. Works on piece i of a block. */
static void correct_outside(const double *level, size_t slices, int block, int i, int triangles,
                            fans *f) {
    int32_t first = slice_at(level, slices, f->least[block][i]);
    int32_t last = slice_at(level, slices, f->most[block][i]);
    f->first[block][i] = first;
    f->last[block][i] = last;
    for (int t = 0; t < triangles; t++) {
        fan *triangle = &f->triangle[t];
        double least = triangle->least[block][i], middle = triangle->middle[block][i];
        if (middle >= PSB_BALL_SLICES) {
            double up = psb_max(level[slice_at(level, slices, middle)] - least, 0.0);
            triangle->floor[block][i] = triangle->rise[block][i] * (up * up);
        }
        if (first == last) {
            triangle->area[block][i] = t == 0 ? f->area[block][i] : 0.0;
        }
    }
}

/* Slices of a cell that are about to hold something. */
TARGET PSB_INLINE void occupy(uint64_t *occupied, int first, int last) {
    int first_word = first / PSB_SLICE_WORD, last_word = last / PSB_SLICE_WORD;
    uint64_t from = ~(uint64_t)0 << first % PSB_SLICE_WORD;
    uint64_t until = ~(uint64_t)0 >> (PSB_SLICE_WORD - 1 - last % PSB_SLICE_WORD);
    for (int w = first_word; w < last_word; w++) {
        occupied[w] |= from;
        from = ~(uint64_t)0;
    }
    occupied[last_word] |= from & until;
}

/* Adds what of a triangle, piece i of a block, lies in slices to `sum`. `before`: what lies below
 * them, in the last lane; then what lies below the slices behind them. Maxima because of rounding.
 */
TARGET PSB_INLINE void add_triangle(const fan *f, int block, int i, numbers level, numbers *before,
                                    numbers *sum) {
    const numbers none = {0.0};
    numbers up = level - f->least[block][i], down = f->most[block][i] - level;
    up = GREATER(up, none);
    down = GREATER(down, none);
    numbers below = f->area[block][i] - f->fall[block][i] * (down * down);
    below = GREATER(none + f->floor[block][i], below);
    below = CHOOSE(level <= f->middle[block][i], f->rise[block][i] * (up * up), below);
    *sum += below - SHIFTED(*before, below);
    *before = below;
}

TARGET PSB_INLINE void add_piece(const fans *f, int block, int i, int triangles,
                                 const double *level, double *slices) {
    const numbers none = {0.0};
    numbers before[FANS];
    for (int t = 0; t < triangles; t++) {
        before[t] = none;
    }
    for (int s = (int)f->first[block][i] & -LANES; s <= (int)f->last[block][i]; s += LANES) {
        const numbers at = *(const numbers *)(level + s + 1);
        numbers sum = *(numbers *)(slices + s);
        for (int t = 0; t < triangles; t++) {
            add_triangle(&f->triangle[t], block, i, at, &before[t], &sum);
        }
        *(numbers *)(slices + s) = sum;
    }
}

TARGET static void add(const double *level, const psb_cell_pieces *pieces, psb_cell_areas *cells) {
    fans f;
    for (int block = 0; block * LANES < pieces->n; block++) {
        measure_block(pieces, block, &f);
        fetch_slices(pieces, block, &f, cells);
    }
    for (int k = 0; k < pieces->n; k++) {
        int block = k / LANES, i = k % LANES, triangles = (int)pieces->corners[k] - 2;
        if (f.most[block][i] >= PSB_BALL_SLICES) {
            correct_outside(level, cells->slices, block, i, triangles, &f);
        }
        double *slices = cells->area.data;
        slices += pieces->cell[k] * cells->step;
        uint64_t *occupied = cells->occupied.data;
        occupied += pieces->cell[k] * (cells->slices / PSB_SLICE_WORD);
        occupy(occupied, (int)f.first[block][i], (int)f.last[block][i]);
        if (triangles <= 2) { /* a number that the compiler knows */
            add_piece(&f, block, i, 2, level, slices);
        } else {
            add_piece(&f, block, i, triangles, level, slices);
        }
    }
}
