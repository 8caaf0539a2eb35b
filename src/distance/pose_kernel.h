/*
 * The pass of distance/pose.h, to be included once for each instruction set, after
 *
 *     TARGET        the attribute that names the instruction set
 *     LANES         numbers in a vector
 *     ROWS          rows of panel a that are worked on together, and
 *     PANELS        of the panels b0 and b1: as many as sums of these fit into registers
 *     LESSER(x, y)  of two vectors, the lesser signed number in each lane
 *
 * have been defined. Defines the function `pass`. No include guard: its text is meant to appear
 * several times in the program.
 *
 * |a - b| = a + b - 2 min(a, b), and the sums of a and of b are known beforehand: what is left is
 * two minima and two additions for each number, with b and, for T, with -a.
 */
#include "distance/pose.h"

#include <string.h>

typedef uint32_t vector __attribute__((vector_size(4 * LANES)));
typedef int32_t numbers __attribute__((vector_size(4 * LANES)));

enum { PARTS = PSB_POSE_PANEL / LANES, VECTORS = PANELS * PARTS };

#define INLINE static inline __attribute__((always_inline))

TARGET INLINE vector load(const uint32_t *from) {
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

TARGET INLINE vector lower(vector x, vector y) {
    vector less = (vector)(x < y);
    return (x & less) | (y & ~less);
}

/* S and T of one class for some rows of a with some of b. */
typedef struct class_sums {
    vector plain[ROWS][VECTORS], crossed[ROWS][VECTORS];
} class_sums;

TARGET INLINE void add_class(const uint32_t *a, const uint32_t *const *b, size_t first, size_t end,
                             size_t total, class_sums *out) {
    vector s[ROWS][VECTORS], t[ROWS][VECTORS], y[VECTORS];
    for (int i = 0; i < ROWS; i++) {
        for (int v = 0; v < VECTORS; v++) {
            s[i][v] = t[i][v] = (vector){0};
        }
    }
    for (size_t k = first; k < end; k++) {
        for (int v = 0; v < VECTORS; v++) {
            y[v] = load(b[v / PARTS] + k * PSB_POSE_PANEL + v % PARTS * LANES);
        }
        for (int i = 0; i < ROWS; i++) {
            vector x = a[k * PSB_POSE_PANEL + (size_t)i] - (vector){0}, minus = -x;
            for (int v = 0; v < VECTORS; v++) {
                s[i][v] += LESSER(x, y[v]);
                t[i][v] += LESSER(minus, y[v]);
            }
        }
    }
    for (int v = 0; v < VECTORS; v++) {
        vector sum_b = load(b[v / PARTS] + total * PSB_POSE_PANEL + v % PARTS * LANES);
        for (int i = 0; i < ROWS; i++) {
            vector sum_a = a[total * PSB_POSE_PANEL + (size_t)i] - (vector){0};
            out->plain[i][v] = sum_b + sum_a - s[i][v] - s[i][v];
            out->crossed[i][v] = sum_b - sum_a - t[i][v] - t[i][v];
        }
    }
}

/*
 * The least over the flips. Bit by bit the sums of two classes become those of two flips: the flip
 * of an axis exchanges S and T of what is odd in it.
 */
TARGET INLINE vector least_of_flips(const class_sums *class, int i, int v) {
    vector s[PSB_FLIPS], t[PSB_FLIPS];
    for (int p = 0; p < PSB_FLIPS; p++) {
        s[p] = class[p].plain[i][v];
        t[p] = class[p].crossed[i][v];
    }
    for (int bit = 1; bit < PSB_FLIPS; bit *= 2) {
        for (int even = 0; even < PSB_FLIPS; even++) {
            if ((even & bit) == 0) {
                int odd = even | bit;
                vector same = s[even] + s[odd], turned = s[even] + t[odd];
                vector crossed = t[even] + s[odd];
                t[even] = t[even] + t[odd];
                t[odd] = crossed;
                s[even] = same;
                s[odd] = turned;
            }
        }
    }
    for (int g = 1; g < PSB_FLIPS; g++) {
        s[0] = lower(s[0], s[g]);
    }
    return s[0];
}

TARGET INLINE void pass_block(const uint32_t *a, const uint32_t *const *b,
                              const size_t start[PSB_FLIPS + 1], uint32_t *least) {
    class_sums class[PSB_FLIPS];
    for (int p = 0; p < PSB_FLIPS; p++) {
        size_t total = start[PSB_FLIPS] + (size_t)p;
        add_class(a, b, start[p], start[p + 1], total, &class[p]);
    }
    for (int i = 0; i < ROWS; i++) {
        for (int v = 0; v < VECTORS; v++) {
            uint32_t *at = least + i * PSB_TILE + v * LANES;
            vector found = lower(load(at), least_of_flips(class, i, v));
            memcpy(at, &found, sizeof found);
        }
    }
}

TARGET static void pass(const uint32_t *a, size_t rows, const uint32_t *b0, const uint32_t *b1,
                        const size_t start[PSB_FLIPS + 1], uint32_t *least) {
    const uint32_t *const b[2] = {b0, b1};
    for (size_t i = 0; i < rows; i += ROWS) {
        for (int p = 0; p < 2; p += PANELS) {
            pass_block(a + i, b + p, start, least + i * PSB_TILE + p * PSB_POSE_PANEL);
        }
    }
}
