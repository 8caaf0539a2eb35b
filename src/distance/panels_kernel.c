/* Adds up the differences of distance/panels.h. */
#include "distance/panels.h"

#include <string.h>

typedef double vector __attribute__((vector_size(PSB_SET_BYTES)));
typedef int64_t bits __attribute__((vector_size(PSB_SET_BYTES)));

enum {
    LANES = PSB_SET_BYTES / 8,
    /* Rows of panel a, and panels of b, that are worked on together: all sums fit into registers.
     */
    ROWS = LANES,
    PANELS = PSB_SET_BYTES == 64 ? 2 : 1,
    PARTS = PSB_PANEL / LANES,
    VECTORS = PANELS * PARTS,
};

PSB_INLINE vector magnitude(vector x) {
    bits b = (bits)x & INT64_MAX;
    return (vector)b;
}

/* Adds to `sum` the differences of ROWS rows of a and the rows of PANELS panels of b. */
PSB_INLINE void add_block(const double *a, const double *const *b, size_t depth, double *sum) {
    vector total[ROWS][VECTORS], y[VECTORS];
    for (int i = 0; i < ROWS; i++) {
        for (int v = 0; v < VECTORS; v++) {
            memcpy(&total[i][v], sum + i * PSB_TILE + v * LANES, sizeof total[i][v]);
        }
    }
    for (size_t k = 0; k < depth; k++) {
        for (int v = 0; v < VECTORS; v++) {
            memcpy(&y[v], b[v / PARTS] + k * PSB_PANEL + v % PARTS * LANES, sizeof y[v]);
        }
        for (int i = 0; i < ROWS; i++) {
            vector x = a[k * PSB_PANEL + (size_t)i] - (vector){0}; /* the number in all lanes */
            for (int v = 0; v < VECTORS; v++) {
                total[i][v] += magnitude(x - y[v]);
            }
        }
    }
    for (int i = 0; i < ROWS; i++) {
        for (int v = 0; v < VECTORS; v++) {
            memcpy(sum + i * PSB_TILE + v * LANES, &total[i][v], sizeof total[i][v]);
        }
    }
}

static void add(const double *a, const double *b0, const double *b1, size_t depth, double *sum) {
    const double *const b[2] = {b0, b1};
    for (int i = 0; i < PSB_PANEL; i += ROWS) {
        for (int p = 0; p < 2; p += PANELS) {
            add_block(a + i, b + p, depth, sum + i * PSB_TILE + p * PSB_PANEL);
        }
    }
}

const psb_panel_kernel PSB_OF_SET(psb_panel_of) = {PSB_SET_VARIANT, add};
