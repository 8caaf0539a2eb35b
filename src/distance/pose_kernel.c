/*
 * The pass of distance/pose.h, by vectors as wide as the instruction set's registers.
 *
 * |a - b| = a + b - 2 min(a, b), and the sums of a and of b are known beforehand: the kernel
 * computes two minima and two additions for each number, of b with a for S and with -a for T.
 */
#include "distance/pose.h"

#include <math.h>
#include <string.h>

typedef uint32_t vector __attribute__((vector_size(PSB_SET_BYTES)));

/* Rows of panel a, and panels of b, that are worked on together: all sums fit into registers. The
 * lesser signed number of two vectors in each lane. */
#if PSB_SET_BYTES == 64
#include <immintrin.h>
enum { ROWS = 4, PANELS = 2 };
#define LESSER(x, y) ((vector)_mm512_min_epi32((__m512i)(x), (__m512i)(y)))
#elif PSB_SET_BYTES == 32
#include <immintrin.h>
enum { ROWS = 2, PANELS = 1 };
#define LESSER(x, y) ((vector)_mm256_min_epi32((__m256i)(x), (__m256i)(y)))
#else
typedef int32_t numbers __attribute__((vector_size(PSB_SET_BYTES)));
enum { ROWS = 2, PANELS = 1 };
#define LESS(x, y)   ((vector)((numbers)(x) < (numbers)(y)))
#define LESSER(x, y) (((x)&LESS(x, y)) | ((y) & ~LESS(x, y)))
#endif

enum { LANES = PSB_SET_BYTES / 4, PARTS = PSB_POSE_PANEL / LANES, VECTORS = PANELS * PARTS };

PSB_INLINE vector load(const uint32_t *from) {
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

PSB_INLINE vector lower(vector x, vector y) {
    vector less = (vector)(x < y);
    return (x & less) | (y & ~less);
}

/* S (`plain`) and T (`crossed`) of one class for ROWS rows of a with the rows of PANELS panels. */
typedef struct class_sums {
    vector plain[ROWS][VECTORS], crossed[ROWS][VECTORS];
} class_sums;

PSB_INLINE void add_class(int rows, const uint32_t *a, const uint32_t *const *b, size_t first,
                          size_t end, size_t total, class_sums *out) {
    vector s[ROWS][VECTORS], t[ROWS][VECTORS], y[VECTORS];
    for (int i = 0; i < rows; i++) {
        for (int v = 0; v < VECTORS; v++) {
            s[i][v] = t[i][v] = (vector){0};
        }
    }
    for (size_t k = first; k < end; k++) {
        for (int v = 0; v < VECTORS; v++) {
            y[v] = load(b[v / PARTS] + k * PSB_POSE_PANEL + v % PARTS * LANES);
        }
        for (int i = 0; i < rows; i++) {
            vector x = a[k * PSB_POSE_PANEL + (size_t)i] - (vector){0}, minus = -x;
            for (int v = 0; v < VECTORS; v++) {
                s[i][v] += LESSER(x, y[v]);
                t[i][v] += LESSER(minus, y[v]);
            }
        }
    }
    for (int v = 0; v < VECTORS; v++) {
        vector sum_b = load(b[v / PARTS] + total * PSB_POSE_PANEL + v % PARTS * LANES);
        for (int i = 0; i < rows; i++) {
            vector sum_a = a[total * PSB_POSE_PANEL + (size_t)i] - (vector){0};
            out->plain[i][v] = sum_b + sum_a - s[i][v] - s[i][v];
            out->crossed[i][v] = sum_b - sum_a - t[i][v] - t[i][v];
        }
    }
}

/*
 * Returns the least over the flips. Bit by bit, the sums of two classes become those of two flips:
 * the flip of an axis exchanges S and T of the classes that are odd in it.
 */
PSB_INLINE vector least_of_flips(const class_sums *class, int i, int v) {
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

/* Passes `rows` rows of a; `rows` is a constant in each inlined copy. */
PSB_INLINE void pass_block(int rows, const uint32_t *a, const uint32_t *const *b,
                           const size_t start[PSB_FLIPS + 1], uint32_t *least) {
    class_sums class[PSB_FLIPS];
    for (int p = 0; p < PSB_FLIPS; p++) {
        size_t total = start[PSB_FLIPS] + (size_t)p;
        add_class(rows, a, b, start[p], start[p + 1], total, &class[p]);
    }
    for (int i = 0; i < rows; i++) {
        for (int v = 0; v < VECTORS; v++) {
            uint32_t *at = least + i * PSB_TILE + v * LANES;
            vector found = lower(load(at), least_of_flips(class, i, v));
            memcpy(at, &found, sizeof found);
        }
    }
}

/* Passes rows in groups of ROWS, but a single row, for example a single query, alone. */
static void pass(const uint32_t *a, size_t rows, const uint32_t *b0, const uint32_t *b1,
                 const size_t start[PSB_FLIPS + 1], uint32_t *least) {
    const uint32_t *const b[2] = {b0, b1};
    for (size_t i = 0; i < rows; i += ROWS) {
        for (int p = 0; p < 2; p += PANELS) {
            uint32_t *at = least + i * PSB_TILE + p * PSB_POSE_PANEL;
            if (rows == 1) {
                pass_block(1, a, b + p, start, at);
            } else {
                pass_block(ROWS, a + i, b + p, start, at);
            }
        }
    }
}

/* ---- rows made ready --------------------------------------------------------------------- */

typedef double doubles __attribute__((vector_size(PSB_SET_BYTES)));

enum { WIDE = PSB_POSE_PANEL / (LANES / 2) };

/* Computes `count` turned numbers, a constant in each inlined copy. Nothing is fused. */
PSB_INLINE void multiply_some(int count, const double *lines, size_t n, size_t stride,
                              const double *from, double *to) {
    doubles sum[ROWS][WIDE] = {{{0}}}, x[WIDE];
    for (size_t j = 0; j < n; j++) {
        memcpy(x, from + j * PSB_POSE_PANEL, sizeof x);
        for (int i = 0; i < count; i++) {
            doubles line = lines[j * stride + (size_t)i] - (doubles){0}; /* in all lanes */
            for (int v = 0; v < WIDE; v++) {
                sum[i][v] += line * x[v];
            }
        }
    }
    memcpy(to, sum, (size_t)count * sizeof sum[0]);
}

static void multiply(const double *lines, size_t n, size_t stride, const double *from, double *to) {
    size_t i = 0;
    for (; i + ROWS <= n; i += ROWS) {
        multiply_some(ROWS, lines + i, n, stride, from, to + i * PSB_POSE_PANEL);
    }
    for (; i < n; i++) {
        multiply_some(1, lines + i, n, stride, from, to + i * PSB_POSE_PANEL);
    }
}

static void quantise(const double *rows, size_t length, const unsigned char *parity, size_t block,
                     const size_t start[PSB_FLIPS + 1], uint32_t *to, double norm[PSB_POSE_PANEL]) {
    static const double round = 0x1.8p52;
    double all[PSB_POSE_PANEL] = {0}, scale[PSB_POSE_PANEL];
    uint32_t *sums = to + start[PSB_FLIPS] * PSB_POSE_PANEL;
    size_t next[PSB_FLIPS];
    for (size_t i = 0; i < length; i++) {
        for (size_t r = 0; r < PSB_POSE_PANEL; r++) {
            all[r] += fabs(rows[i * PSB_POSE_PANEL + r]);
        }
    }
    for (size_t r = 0; r < PSB_POSE_PANEL; r++) {
        scale[r] = all[r] > 0.0 && isfinite(all[r]) ? PSB_POSE_ONE / all[r] : 0.0;
        norm[r] = all[r];
    }
    memcpy(next, start, sizeof next);
    memset(sums, 0, PSB_FLIPS * PSB_POSE_PANEL * sizeof *sums);
    for (size_t i = 0; i < length; i++) {
        size_t p = parity[i % block];
        uint32_t *at = to + next[p]++ * PSB_POSE_PANEL, *sum = sums + p * PSB_POSE_PANEL;
        for (size_t r = 0; r < PSB_POSE_PANEL; r++) {
            double x = rows[i * PSB_POSE_PANEL + r] * scale[r] + round - round;
            at[r] = (uint32_t)(int32_t)(scale[r] > 0.0 ? x : 0.0);
            sum[r] += at[r];
        }
    }
}

const psb_pose_kernel PSB_OF_SET(psb_pose_of) = {PSB_SET_VARIANT, pass, multiply, quantise};
