/*
 * Separable exact transform: nearest set voxel along the row from the bits, then twice the lower
 * envelope min over j' of f(j') + (j - j')^2, by trying every j' that can matter. At 64 voxels that
 * is faster than building parabolas, because it is plain 16-bit arithmetic on whole rows.
 */
#include "descriptors/distance_transform.h"

#include <stdbool.h>
#include <string.h>

enum { SIDE = PSB_VOXELS };

static void transform_row(uint64_t bits, int16_t out[SIDE]) {
    int last = -SIDE * 2;
    for (int i = 0; i < SIDE; i++) {
        last = (bits >> i & 1) != 0 ? i : last;
        out[i] = (int16_t)(i - last);
    }
    last = SIDE * 3;
    for (int i = SIDE - 1; i >= 0; i--) {
        last = (bits >> i & 1) != 0 ? i : last;
        int d = last - i < out[i] ? last - i : out[i];
        out[i] = d < SIDE ? (int16_t)(d * d) : (int16_t)PSB_DISTANCE_FAR;
    }
}

/* out[i] = min over the listed sources of source[i] + (at - position)^2 */
static void envelope(const int16_t *const *source, const int *position, int count, int at,
                     int16_t *out) {
    int16_t best[SIDE];
    for (int i = 0; i < SIDE; i++) {
        best[i] = PSB_DISTANCE_FAR;
    }
    for (int s = 0; s < count; s++) {
        const int16_t *row = source[s];
        int16_t step = (int16_t)((at - position[s]) * (at - position[s]));
        for (int i = 0; i < SIDE; i++) {
            int16_t candidate = (int16_t)(row[i] + step);
            best[i] = candidate < best[i] ? candidate : best[i];
        }
    }
    memcpy(out, best, sizeof best);
}

void psb_distance_transform(const psb_raster *raster, psb_distance_grid *grid) {
    bool slice_set[SIDE];
    for (int k = 0; k < SIDE; k++) {
        int16_t rows[SIDE][SIDE];
        const int16_t *source[SIDE];
        int position[SIDE];
        int count = 0;
        for (int j = 0; j < SIDE; j++) {
            if (raster->row[k][j] != 0) {
                transform_row(raster->row[k][j], rows[count]);
                source[count] = rows[count];
                position[count++] = j;
            }
        }
        slice_set[k] = count > 0;
        for (int j = 0; j < SIDE; j++) {
            envelope(source, position, count, j, grid->squared[k][j]);
        }
    }
    for (int j = 0; j < SIDE; j++) {
        int16_t rows[SIDE][SIDE];
        const int16_t *source[SIDE];
        int position[SIDE];
        int count = 0;
        for (int k = 0; k < SIDE; k++) {
            if (slice_set[k]) {
                memcpy(rows[count], grid->squared[k][j], sizeof rows[count]);
                source[count] = rows[count];
                position[count++] = k;
            }
        }
        for (int k = 0; k < SIDE; k++) {
            envelope(source, position, count, k, grid->squared[k][j]);
        }
    }
}
