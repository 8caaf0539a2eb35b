/*
 * Separable transform: along k by counting steps from the set voxels, then along j and along i the
 * lower envelope min over j' of f(j') + (j - j')^2, by trying every j' that can matter. At 64
 * voxels that is faster than building parabolas, because it is plain 16-bit arithmetic on whole
 * rows; and what can matter is little: neither rows that are too far from all that is set, nor
 * offsets whose square is beyond the largest distance asked for.
 */
#include "fields/distance_transform.h"

#include <math.h>
#include <string.h>

enum { SIDE = PSB_VOXELS };

/* A row to take the lower envelope of, raised by the square of its distance. */
typedef struct source {
    const int16_t *row;
    int16_t step;
} source;

/* So many at a time: what they leave is then seldom written and read again. */
enum { TOGETHER = 4 };

/* Longest list: a row read at all offsets, and what fills the last few up. */
typedef source sources[2 * SIDE + TOGETHER];

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

PSB_INLINE int square_root(int n) {
    return (int)sqrt(n);
}

/* One step on from the row before, 0 where a voxel is set. */
PSB_INLINE void count_on(const uint8_t before[SIDE], uint64_t bits, uint8_t out[SIDE]) {
    for (int i = 0; i < SIDE; i++) {
        out[i] = (uint8_t)(before[i] + 1);
    }
    for (; bits != 0; bits &= bits - 1) {
        out[__builtin_ctzll(bits)] = 0;
    }
}

/*
 * The slab j of squared distances along k. least[k][j] becomes the smallest of row (j, k), which
 * belongs to the nearest row of the slab that is not empty.
 */
PSB_INLINE void transform_slab(const psb_raster *raster, int j, int most, psb_distance_grid *grid,
                               int16_t least[SIDE][SIDE]) {
    enum { NONE = 2 * SIDE }; /* stays beyond SIDE, and within 8 bits, when steps are added */
    int reach = square_root(most);
    uint8_t below[SIDE][SIDE], above[SIDE], here[SIDE];
    memset(above, NONE, sizeof above);
    for (int k = 0; k < SIDE; k++) {
        count_on(k > 0 ? below[k - 1] : above, raster->row[k][j], below[k]);
    }
    for (int k = SIDE - 1; k >= 0; k--) {
        int16_t *out = grid->squared[k][j];
        int16_t smallest = (int16_t)(most + 1);
        count_on(above, raster->row[k][j], here);
        for (int i = 0; i < SIDE; i++) {
            int16_t d = here[i] < below[k][i] ? here[i] : below[k][i];
            int16_t d2 = (int16_t)(d * d);
            out[i] = (int16_t)(d <= reach ? d2 : most + 1);
            smallest = out[i] < smallest ? out[i] : smallest;
        }
        memcpy(above, here, sizeof above);
        least[k][j] = smallest;
    }
}

/* Along i. Beyond both ends of `row` lie SIDE numbers that are larger than `most`. */
PSB_INLINE void transform_row(const int16_t *row, int most, int16_t *out) {
    int16_t low = (int16_t)(most + 1), high = 0;
    for (int i = 0; i < SIDE; i++) {
        low = row[i] < low ? row[i] : low;
        high = row[i] > high ? row[i] : high;
    }
    /* An offset can lower a value only if its square is less than how much they differ. */
    int reach = square_root(high - low);
    reach = reach < SIDE ? reach : SIDE - 1;
    sources list;
    for (int offset = -reach; offset <= reach; offset++) {
        list[reach + offset] = (source){row + offset, (int16_t)(offset * offset)};
    }
    envelope(list, 2 * reach + 1, most + 1, out);
}

/* Slice k along j and along i. */
PSB_INLINE void transform_slice(int16_t slice[SIDE][SIDE], const int16_t least[SIDE], int most) {
    int16_t rows[SIDE][SIDE];
    int at[SIDE], room[SIDE]; /* place of a row, and how much it may be raised */
    int count = 0;
    for (int j = 0; j < SIDE; j++) {
        if (least[j] <= most) {
            memcpy(rows[count], slice[j], sizeof rows[count]);
            at[count] = j;
            room[count++] = most - least[j];
        }
    }
    int16_t wide[3 * SIDE];
    for (int i = 0; i < 3 * SIDE; i++) {
        wide[i] = (int16_t)(most + 1);
    }
    for (int j = 0; j < SIDE; j++) {
        sources list;
        int n = 0;
        for (int s = 0; s < count; s++) {
            int step = (at[s] - j) * (at[s] - j);
            list[n] = (source){rows[s], (int16_t)step};
            n += step <= room[s];
        }
        envelope(list, n, most + 1, wide + SIDE);
        transform_row(wide + SIDE, most, slice[j]);
    }
}

PSB_INLINE void transform(const psb_raster *raster, int most, psb_distance_grid *grid) {
    int16_t least[SIDE][SIDE];
    for (int j = 0; j < SIDE; j++) {
        transform_slab(raster, j, most, grid, least);
    }
    for (int k = 0; k < SIDE; k++) {
        transform_slice(grid->squared[k], least[k], most);
    }
}

PSB_VARIANTS(psb_transform_kernels, psb_transform_kernel, transform,
             (const psb_raster *raster, int most, psb_distance_grid *grid), (raster, most, grid))

void psb_distance_transform(const psb_raster *raster, int most, psb_distance_grid *grid) {
    const psb_transform_kernel *kernel = psb_cpu_choose(psb_transform_kernels);
    kernel->transform(raster, most, grid);
}
