/* The light field's distance in portable C, for compilers to vectorise: see
 * lightfield/metric_kernel.h.
 */
#include "lightfield/metric_kernel.h"

#include <stdlib.h>
#include <string.h>

/* Eight sums of 16 bits, which start from INT16_MIN: few processors have the minimum of unsigned.
 */
typedef int16_t eight __attribute__((vector_size(16)));

enum {
    ROW = 64, /* an image's bytes, each as often as it counts: 58, and zeros */
    PAIRS = PSB_DODECAHEDRA * PSB_DODECAHEDRA,
    LANES = (PAIRS + 7) / 8,
    MOST_COST = 58 * 255,
    /* Sums below this are exact. Larger ones are cut down to it, so that two more costs fit. */
    LIMIT = INT16_MAX - 2 * MOST_COST,
};

typedef uint8_t images[PSB_AXES][PSB_DODECAHEDRA][ROW];

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
        for (int d = 0; d < PSB_DODECAHEDRA; d++) {
            unfold(a->chunk[m][d], a->circularity[m][d / 4][d % 4][0], out[m][d]);
        }
    }
}

static void unfold_right(const psb_lfd_right *b, images out) {
    for (int m = 0; m < PSB_AXES; m++) {
        for (int d = 0; d < PSB_DODECAHEDRA; d++) {
            int group = psb_lfd_group(d, m), lane = psb_lfd_lane(d, m);
            uint64_t chunk[PSB_LFD_CHUNKS];
            for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
                chunk[c] = b->chunk[group][c][lane];
            }
            unfold(chunk, b->circularity[group][lane / 2][0][lane % 2], out[m][d]);
        }
    }
}

static uint16_t cost_of(const uint8_t a[ROW], const uint8_t b[ROW]) {
    return (uint16_t)psb_lfd_differences(a, b, ROW);
}

static void fill_costs(const psb_lfd_left *a, const psb_lfd_right *b, psb_lfd_costs *costs) {
    images left, right;
    unfold_left(a, left);
    unfold_right(b, right);
    for (int i = 0; i < PSB_AXES; i++) {
        for (int m = 0; m < PSB_AXES; m++) {
            uint16_t *cost = costs->cost[i][m];
            for (int d = 0; d < PSB_DODECAHEDRA; d++) {
                for (int e = 0; e < PSB_DODECAHEDRA; e++) {
                    *cost++ = cost_of(left[i][d], right[m][e]);
                }
            }
            for (int p = PAIRS; p < 8 * LANES; p++) {
                *cost++ = MOST_COST;
            }
        }
    }
}

static inline eight smaller(eight a, eight b) {
    eight less = a < b;
    return (a & less) | (b & ~less);
}

/* Sums of one rotation; the first four costs fit in any case. */
static inline void add_costs(const psb_lfd_costs *costs, const uint8_t rotation[PSB_AXES],
                             eight limit, eight sum[LANES]) {
    for (int i = 0; i < PSB_AXES; i++) {
        const uint16_t *cost = costs->cost[i][rotation[i]];
        if (i >= 4 && i % 2 == 0) {
            for (int v = 0; v < LANES; v++) {
                sum[v] = smaller(sum[v], limit);
            }
        }
        for (int v = 0; v < LANES; v++) {
            eight more;
            memcpy(&more, cost + 8 * v, sizeof more);
            sum[v] += more;
        }
    }
}

static uint32_t least(const psb_lfd_left *a, const psb_lfd_right *b,
                      const psb_lfd_rotations rotation, psb_lfd_costs *costs) {
    fill_costs(a, b, costs);
    const eight none = {0}, limit = none + (int16_t)LIMIT;
    eight best = limit;
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        eight sum[LANES];
        for (int v = 0; v < LANES; v++) {
            sum[v] = none + (int16_t)INT16_MIN;
        }
        add_costs(costs, rotation[r], limit, sum);
        for (int v = 0; v < LANES; v++) {
            best = smaller(best, sum[v]);
        }
    }
    int smallest = LIMIT;
    for (int k = 0; k < 8; k++) {
        smallest = best[k] < smallest ? best[k] : smallest;
    }
    return smallest < LIMIT ? (uint32_t)(smallest - INT16_MIN) : UINT16_MAX;
}

static uint16_t sketch_cost(const uint8_t a[PSB_LFD_TRAITS], const uint8_t b[PSB_LFD_TRAITS]) {
    uint32_t coarse = psb_lfd_differences(a + PSB_LFD_FINE, b + PSB_LFD_FINE, PSB_LFD_COARSE);
    return (uint16_t)(psb_lfd_differences(a, b, PSB_LFD_FINE) + 2 * coarse);
}

/* Pairs are those of listed dodecahedra, in their order. */
static void fill_sketches(const psb_lfd_sketch *a, const psb_lfd_list *list,
                          const psb_lfd_right_sketch *b, psb_lfd_costs *costs) {
    for (int m = 0; m < PSB_AXES; m++) {
        for (int e = 0; e < PSB_DODECAHEDRA; e++) {
            uint64_t right[PSB_LFD_SKETCH];
            for (int c = 0; c < PSB_LFD_SKETCH; c++) {
                right[c] = b->chunk[psb_lfd_group(e, m)][c][psb_lfd_lane(e, m)];
            }
            for (int i = 0; i < PSB_AXES; i++) {
                for (int k = 0; k < list->count; k++) {
                    const uint64_t *left = a->chunk[i][list->dodecahedron[k]];
                    costs->cost[i][m][k * PSB_DODECAHEDRA + e] =
                        sketch_cost((const uint8_t *)left, (const uint8_t *)right);
                }
            }
        }
    }
}

static size_t near(const psb_lfd_sketch *a, const psb_lfd_list *list, const psb_lfd_right_sketch *b,
                   const psb_lfd_rotations rotation, uint32_t limit, psb_lfd_costs *costs,
                   psb_lfd_alignment found[PSB_LFD_FEW]) {
    const int pairs = list->count * PSB_DODECAHEDRA;
    size_t count = 0;
    fill_sketches(a, list, b, costs);
    for (int r = 0; r < PSB_ROTATIONS && count <= PSB_LFD_FEW; r++) {
        uint32_t sum[PAIRS] = {0};
        for (int i = 0; i < PSB_AXES; i++) {
            const uint16_t *cost = costs->cost[i][rotation[r][i]];
            for (int p = 0; p < pairs; p++) {
                sum[p] += cost[p];
            }
        }
        for (int p = 0; p < pairs; p++) {
            if (sum[p] <= limit && count++ < PSB_LFD_FEW) {
                uint8_t left = list->dodecahedron[p / PSB_DODECAHEDRA];
                found[count - 1] =
                    (psb_lfd_alignment){left, (uint8_t)(p % PSB_DODECAHEDRA), (uint8_t)r};
            }
        }
    }
    return count;
}

static int meet(const psb_lfd_sketch *a, const psb_lfd_sketch *b, uint32_t limit,
                psb_lfd_list *list) {
    return psb_lfd_meet(a, b, limit, list);
}

const psb_lfd_kernel psb_lfd_plain = {{"plain", PSB_CPU_PLAIN}, meet, near, least};
