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
    const int16_t *row; /* NULL ends a list */
    int16_t step;
} source;

/* Longest list: a row read at all offsets. */
typedef source sources[2 * SIDE];

/* out[i] = min over the list of row[i] + step, or `far` if that is less. */
static void envelope(const source *list, int far, int16_t *restrict out) {
    enum { PIECE = 32 }; /* so many stay in registers */
    for (int begin = 0; begin < SIDE; begin += PIECE) {
        int16_t best[PIECE];
        for (int i = 0; i < PIECE; i++) {
            best[i] = (int16_t)far;
        }
        for (const source *s = list; s->row != NULL; s++) {
            for (int i = 0; i < PIECE; i++) {
                int16_t candidate = (int16_t)(s->row[begin + i] + s->step);
                best[i] = candidate < best[i] ? candidate : best[i];
            }
        }
        for (int i = 0; i < PIECE; i++) {
            out[begin + i] = best[i];
        }
    }
}

static int square_root(int n) {
    return (int)sqrt(n);
}

/* One step on from the row before, 0 where a voxel is set. */
static void count_on(const uint8_t before[SIDE], uint64_t bits, uint8_t out[SIDE]) {
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
static void transform_slab(const psb_raster *raster, int j, int most, psb_distance_grid *grid,
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
static void transform_row(const int16_t *row, int most, int16_t *out) {
    int16_t low = (int16_t)(most + 1), high = 0;
    for (int i = 0; i < SIDE; i++) {
        low = row[i] < low ? row[i] : low;
        high = row[i] > high ? row[i] : high;
    }
    /* An offset can lower a value only if its square is less than how much they differ. */
    int reach = square_root(high - low);
    reach = reach < SIDE ? reach : SIDE - 1;
    sources list;
    source *end = list;
    for (int offset = -reach; offset <= reach; offset++) {
        *end++ = (source){row + offset, (int16_t)(offset * offset)};
    }
    end->row = NULL;
    envelope(list, most + 1, out);
}

/* Slice k along j and along i. */
static void transform_slice(int16_t slice[SIDE][SIDE], const int16_t least[SIDE], int most) {
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
        source *end = list;
        for (int s = 0; s < count; s++) {
            int step = (at[s] - j) * (at[s] - j);
            *end = (source){rows[s], (int16_t)step};
            end += step <= room[s];
        }
        end->row = NULL;
        envelope(list, most + 1, wide + SIDE);
        transform_row(wide + SIDE, most, slice[j]);
    }
}

void psb_distance_transform(const psb_raster *raster, int most, psb_distance_grid *grid) {
    int16_t least[SIDE][SIDE];
    for (int j = 0; j < SIDE; j++) {
        transform_slab(raster, j, most, grid, least);
    }
    for (int k = 0; k < SIDE; k++) {
        transform_slice(grid->squared[k], least[k], most);
    }
}
