/* The light field's distance in portable C, for compilers to vectorise: see distance/lfd_kernel.h.
 */
#include "distance/lfd_kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW = 64, /* an image's bytes, each as often as it counts: 58, and zeros */
    PAIRS = PSB_LFD_DODECAHEDRA * PSB_LFD_DODECAHEDRA,
    MOST_COST = 58 * 255,
    /* Sums from INT16_MIN on stay exact below this; more would not hold the next cost. */
    MOST_SUM = INT16_MAX - MOST_COST,
};

typedef uint8_t images[PSB_AXES][PSB_LFD_DODECAHEDRA][ROW];

static void unfold(const uint64_t chunk[PSB_LFD_CHUNKS], uint16_t twice_circularity,
                   uint8_t row[ROW]) {
    size_t size = PSB_LFD_CHUNKS * sizeof *chunk;
    memcpy(row, chunk, size);
    memcpy(row + size, &chunk[PSB_LFD_CHUNKS - 1], sizeof *chunk);
    memset(row + size + sizeof *chunk, 0, ROW - size - sizeof *chunk);
    row[size + sizeof *chunk] = row[size + sizeof *chunk + 1] = (uint8_t)(twice_circularity / 2);
}

static void unfold_left(const psb_lfd_left *a, images out) {
    for (int m = 0; m < PSB_AXES; m++) {
        for (int d = 0; d < PSB_LFD_DODECAHEDRA; d++) {
            unfold(a->chunk[m][d], a->circularity[m][d / 4][d % 4], out[m][d]);
        }
    }
}

static void unfold_right(const psb_lfd_right *b, images out) {
    for (int m = 0; m < PSB_AXES; m++) {
        for (int d = 0; d < PSB_LFD_DODECAHEDRA; d++) {
            int group = d < 8 ? m : PSB_AXES + m / 4;
            int lane = d < 8 ? d : m % 4 * 2 + d - 8;
            uint64_t chunk[PSB_LFD_CHUNKS];
            for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
                chunk[c] = b->chunk[group][c][lane];
            }
            unfold(chunk, b->circularity[group][lane][0], out[m][d]);
        }
    }
}

/* Compilers know this loop: sums of absolute differences of bytes are instructions. */
static uint16_t cost_of(const uint8_t a[ROW], const uint8_t b[ROW]) {
    uint32_t sum = 0;
    for (int k = 0; k < ROW; k++) {
        sum += (uint32_t)abs(a[k] - b[k]);
    }
    return (uint16_t)sum;
}

static void fill_costs(const psb_lfd_left *a, const psb_lfd_right *b, psb_lfd_costs *costs) {
    images left, right;
    unfold_left(a, left);
    unfold_right(b, right);
    for (int i = 0; i < PSB_AXES; i++) {
        for (int m = 0; m < PSB_AXES; m++) {
            uint16_t *cost = costs->cost[i][m];
            for (int d = 0; d < PSB_LFD_DODECAHEDRA; d++) {
                for (int e = 0; e < PSB_LFD_DODECAHEDRA; e++) {
                    *cost++ = cost_of(left[i][d], right[m][e]);
                }
            }
        }
    }
}

static uint32_t least(const psb_lfd_left *a, const psb_lfd_right *b,
                      const psb_lfd_rotations rotation, psb_lfd_costs *costs) {
    fill_costs(a, b, costs);
    int16_t best[PAIRS];
    for (int p = 0; p < PAIRS; p++) {
        best[p] = MOST_SUM;
    }
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        int16_t sum[PAIRS];
        for (int p = 0; p < PAIRS; p++) {
            sum[p] = INT16_MIN;
        }
        for (int i = 0; i < PSB_AXES; i++) {
            const uint16_t *cost = costs->cost[i][rotation[r][i]];
            for (int p = 0; p < PAIRS; p++) {
                int16_t held = sum[p] < MOST_SUM ? sum[p] : MOST_SUM;
                sum[p] = (int16_t)(held + (int16_t)cost[p]);
            }
        }
        for (int p = 0; p < PAIRS; p++) {
            best[p] = sum[p] < best[p] ? sum[p] : best[p];
        }
    }
    int16_t smallest = MOST_SUM;
    for (int p = 0; p < PAIRS; p++) {
        smallest = best[p] < smallest ? best[p] : smallest;
    }
    return smallest < MOST_SUM ? (uint32_t)(smallest - INT16_MIN) : UINT16_MAX;
}

static bool always(void) {
    return true;
}

const psb_lfd_kernel psb_lfd_plain = {.name = "plain", .supported = always, .least = least};
