/*
 * The pass of distance/pose.h, and how rows are made ready, in loops that compilers vectorize for
 * each instruction set.
 *
 * |a - b| = a + b - 2 min(a, b), and the sums of a and of b are known beforehand: the kernel
 * adds up min(a, b) for S, and max(a, -b), which is -min(-a, b), for T.
 */
#include "distance/pose.h"

#include <math.h>
#include <string.h>

/* Rows of panel a that are worked on together: all sums fit into registers, because compilers
 * vectorize the loop over the rows of b. That takes a loop within it which runs at least once. */
enum { ROWS = 4 };

/* S and T by class, for ROWS rows of a with the rows of a panel. */
typedef uint32_t class_sums[PSB_FLIPS][ROWS][PSB_POSE_PANEL];

PSB_INLINE uint32_t lesser(uint32_t x, uint32_t y) {
    return (int32_t)x < (int32_t)y ? x : y;
}

PSB_INLINE uint32_t greater(uint32_t x, uint32_t y) {
    return (int32_t)x > (int32_t)y ? x : y;
}

/* Class p; no class is empty. */
PSB_INLINE void add_class(int rows, const uint32_t *restrict a, const uint32_t *restrict b,
                          const size_t start[PSB_FLIPS + 1], size_t p, class_sums s, class_sums t) {
    const uint32_t *sum_a = a + (start[PSB_FLIPS] + p) * PSB_POSE_PANEL;
    const uint32_t *sum_b = b + (start[PSB_FLIPS] + p) * PSB_POSE_PANEL;
    for (size_t j = 0; j < PSB_POSE_PANEL; j++) {
        uint32_t same[ROWS] = {0}, crossed[ROWS] = {0};
        size_t k = start[p];
        do {
            const uint32_t y = b[k * PSB_POSE_PANEL + j];
            for (int i = 0; i < rows; i++) {
                same[i] += lesser(a[k * PSB_POSE_PANEL + (size_t)i], y);
                crossed[i] += greater(a[k * PSB_POSE_PANEL + (size_t)i], -y);
            }
        } while (++k < start[p + 1]);
        for (int i = 0; i < rows; i++) {
            s[p][i][j] = sum_b[j] + sum_a[i] - 2 * same[i];
            t[p][i][j] = sum_b[j] - sum_a[i] + 2 * crossed[i];
        }
    }
}

/*
 * Bit by bit, the sums of two classes become those of two flips: the flip of an axis exchanges S
 * and T of the classes that are odd in it.
 */
PSB_INLINE void combine(int i, size_t even, size_t odd, class_sums s, class_sums t) {
    for (int j = 0; j < PSB_POSE_PANEL; j++) {
        const uint32_t s_even = s[even][i][j], s_odd = s[odd][i][j];
        const uint32_t t_even = t[even][i][j], t_odd = t[odd][i][j];
        s[even][i][j] = s_even + s_odd;
        s[odd][i][j] = s_even + t_odd;
        t[even][i][j] = t_even + t_odd;
        t[odd][i][j] = t_even + s_odd;
    }
}

/* Passes `rows` rows of a; `rows` is a constant in each inlined copy. */
PSB_INLINE void pass_block(int rows, const uint32_t *a, const uint32_t *b,
                           const size_t start[PSB_FLIPS + 1], uint32_t *least) {
    class_sums s, t;
    for (size_t p = 0; p < PSB_FLIPS; p++) {
        add_class(rows, a, b, start, p, s, t);
    }
    for (int i = 0; i < rows; i++, least += PSB_TILE) {
        for (size_t bit = 1; bit < PSB_FLIPS; bit *= 2) {
            for (size_t even = 0; even < PSB_FLIPS; even++) {
                if ((even & bit) == 0) {
                    combine(i, even, even | bit, s, t);
                }
            }
        }
        for (int flip = 0; flip < PSB_FLIPS; flip++) {
            for (int j = 0; j < PSB_POSE_PANEL; j++) {
                least[j] = s[flip][i][j] < least[j] ? s[flip][i][j] : least[j];
            }
        }
    }
}

/* Passes rows in groups of ROWS, but a single row, for example a single query, alone. */
static void pass(const uint32_t *a, size_t rows, const uint32_t *b0, const uint32_t *b1,
                 const size_t start[PSB_FLIPS + 1], uint32_t *least) {
    for (size_t i = 0; i < rows; i += ROWS) {
        uint32_t *at = least + i * PSB_TILE;
        if (rows == 1) {
            pass_block(1, a, b0, start, at);
            pass_block(1, a, b1, start, at + PSB_POSE_PANEL);
        } else {
            pass_block(ROWS, a + i, b0, start, at);
            pass_block(ROWS, a + i, b1, start, at + PSB_POSE_PANEL);
        }
    }
}

/* ---- rows made ready --------------------------------------------------------------------- */

/* Computes `count` turned numbers, a constant in each inlined copy. Nothing is fused. */
PSB_INLINE void multiply_some(size_t count, const double *restrict lines, size_t n, size_t stride,
                              const double *restrict from, double *restrict to) {
    for (size_t r = 0; r < PSB_POSE_PANEL; r++) {
        double sum[ROWS] = {0.0};
        size_t j = 0;
        do {
            for (size_t i = 0; i < count; i++) {
                sum[i] += lines[j * stride + i] * from[j * PSB_POSE_PANEL + r];
            }
        } while (++j < n);
        for (size_t i = 0; i < count; i++) {
            to[i * PSB_POSE_PANEL + r] = sum[i];
        }
    }
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
