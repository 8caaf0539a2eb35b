/*
 * Separable transform: along i from the set voxels of a row, then along j and along k the lower
 * envelope min over j' of f(j') + (j - j')^2, by trying every j' that can matter. At 64 voxels that
 * is faster than building parabolas, because it is plain 16-bit arithmetic on whole rows; and what
 * can matter is little: only rows that have something set or are near one, in its slice, that has.
 */
#include "fields/distance_transform.h"

#include <string.h>

enum { SIDE = PSB_VOXELS };

/* A row to take the lower envelope of, raised by the square of its distance. */
typedef struct source {
    const int16_t *row;
    int16_t step;
} source;

/* So many at a time: what they leave is then seldom written and read again. */
enum { TOGETHER = 4 };

/* The longest list, and the values that fill up the last vector. */
typedef source sources[SIDE + TOGETHER];

PSB_INLINE int16_t lower(int16_t a, int16_t b) {
    return a < b ? a : b;
}

PSB_INLINE int16_t raised(const source *s, int i) {
    return (int16_t)(s->row[i] + s->step);
}

/* out[i] = min over a list of n rows, with room behind it, of row[i] + step; `far` where all are
 * more. */
PSB_INLINE void envelope(source *list, int n, int far, int16_t *restrict out) {
    for (int i = 0; i < TOGETHER; i++) {
        list[n + i] = list[0];
    }
    list[(n + TOGETHER - 1) / TOGETHER * TOGETHER].row = NULL;
    for (int i = 0; i < SIDE; i++) {
        out[i] = (int16_t)far;
    }
    for (const source *s = list; s->row != NULL; s += TOGETHER) {
        const source a = s[0], b = s[1], c = s[2], d = s[3];
        for (int i = 0; i < SIDE; i++) {
            int16_t ab = lower(raised(&a, i), raised(&b, i));
            int16_t cd = lower(raised(&c, i), raised(&d, i));
            out[i] = lower(out[i], lower(ab, cd));
        }
    }
}

/* Rows side by side along j or k: their places, and how much each may be raised. */
typedef struct lines {
    int16_t row[SIDE][SIDE];
    int at[SIDE], room[SIDE];
    int count, begin; /* rows before `begin` are too far from here on */
} lines;

/* The row at `to`, which grows from call to call; returns the square of the distance of the nearest
 * of the rows, or more than `most`. */
PSB_INLINE int transform_line(lines *from, int to, int most, int16_t *restrict out) {
    sources list;
    int n = 0, nearest = most + 1;
    for (int s = from->begin; s < from->count; s++) {
        int away = from->at[s] - to, step = away * away;
        if (step > most) {
            if (away > 0) {
                break;
            }
            from->begin = s + 1;
        }
        list[n] = (source){from->row[s], (int16_t)step};
        n += step <= from->room[s];
        nearest = step < nearest ? step : nearest;
    }
    envelope(list, n, most + 1, out);
    return nearest;
}

/* Along i. `square` has the squares of -SIDE ... SIDE - 1. */
PSB_INLINE void transform_row(uint64_t bits, int most, const int16_t square[2 * SIDE],
                              int16_t *restrict out) {
    for (int i = 0; i < SIDE; i++) {
        out[i] = (int16_t)(most + 1);
    }
    for (; bits != 0; bits &= bits - 1) {
        const int16_t *from = square + SIDE - __builtin_ctzll(bits);
        for (int i = 0; i < SIDE; i++) {
            out[i] = lower(out[i], from[i]);
        }
    }
}

PSB_INLINE void transform(const psb_raster *raster, int most, psb_distance_grid *grid) {
    int16_t square[2 * SIDE];
    int nearest[SIDE][SIDE]; /* [j][k]: the least of a row, after two of three steps */
    lines from;
    for (int i = 0; i < 2 * SIDE; i++) {
        square[i] = (int16_t)((i - SIDE) * (i - SIDE));
    }
    for (int k = 0; k < SIDE; k++) {
        from.count = from.begin = 0;
        for (int j = 0; j < SIDE; j++) {
            if (raster->row[k][j] != 0) {
                transform_row(raster->row[k][j], most, square, from.row[from.count]);
                from.room[from.count] = most;
                from.at[from.count++] = j;
            }
        }
        for (int j = 0; j < SIDE; j++) {
            nearest[j][k] = transform_line(&from, j, most, grid->squared[k][j]);
        }
    }
    for (int j = 0; j < SIDE; j++) {
        from.count = from.begin = 0;
        for (int k = 0; k < SIDE; k++) {
            if (nearest[j][k] <= most) {
                memcpy(from.row[from.count], grid->squared[k][j], sizeof from.row[0]);
                from.room[from.count] = most - nearest[j][k];
                from.at[from.count++] = k;
            }
        }
        for (int k = 0; k < SIDE; k++) {
            if (psb_distance_row(j, k)) {
                transform_line(&from, k, most, grid->squared[k][j]);
            }
        }
    }
}

PSB_VARIANTS_TO_AVX2(psb_transform, transform,
                     (const psb_raster *raster, int most, psb_distance_grid *grid),
                     (raster, most, grid))

void psb_distance_transform(const psb_raster *raster, int most, psb_distance_grid *grid) {
    PSB_RUN(psb_transform)(raster, most, grid);
}
