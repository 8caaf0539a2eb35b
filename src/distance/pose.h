/*
 * The metrics "pose8" and "pose48": the least distance over the poses that principal axes leave
 * open.
 *
 * Principal axes fix a pose only up to the signs of the axes and, if variances are close, their
 * order. The mirrored and turned versions of a row follow from the row itself, so the least L1
 * distance over all of them costs little more than one:
 *
 *   d(a, b) = least over orders P and flips F of |a - F(P b)| and |b - F(P a)|,
 *
 * with each of the rows a, b, P a, P b scaled to L1 norm 1. "pose8" has the flips alone. Distances
 * lie in 0 ... 2; a row of zeros is at 2 from all others and at 0 from another row of zeros.
 * (Comparing aligned models over the remaining 24 rotations: Kazhdan, Funkhouser, Rusinkiewicz
 * 2004, Symmetry descriptors and 3D shape matching. The sums by parity are ours.)
 *
 * A flip changes signs: each number of a row is even or odd in x, y and z, its parity class p, in 0
 * ... 7. Let S_p be the sum of |a - b| over class p, T_p the sum of |a + b|. The flip g costs the
 * sum over p of T_p if g and p have an odd number of common bits, else of S_p.
 *
 * Numbers are compared as 32-bit integers, almost 2^31 for 1. The absolute values of a row add up
 * to less than 2^31, those of a difference to less than 2^32. So sums modulo 2^32 are exact in any
 * order, and every kernel gives the same bits.
 */
#pragma once

#include "core/cpu.h"
#include "distance/metric.h"

enum {
    PSB_FLIPS = 8,
    PSB_ORDERS = 6,
    PSB_POSE_LONGEST = 32 * 256, /* most numbers in a row */
    PSB_POSE_PANEL = 16,         /* rows that stand side by side, number after number */
    PSB_POSE_ONE = INT32_MAX - PSB_POSE_LONGEST, /* the integer for 1, with room for rounding */
};

/* Order k of the axes: the turned function at u is the function at (u[P0], u[P1], u[P2]). */
extern const unsigned char psb_orders[PSB_ORDERS][3];

struct psb_pose_kernel;

/* A kind of rows: each consists of blocks of numbers, and each block is turned by itself. */
typedef struct psb_pose_form {
    size_t block;  /* numbers in a block */
    size_t most;   /* a row has a power of two of blocks, at most this many */
    bool keeps_l1; /* orders only permute numbers, so one direction gives all distances */
    void (*parity)(unsigned char *parity); /* fills in the class of each number of a block */
    /*
     * Turns a block into one order. With a kernel, turns blocks of PSB_POSE_PANEL rows, number by
     * number; `to` then holds the result of the previous order, if there was one.
     */
    void (*turn)(const struct psb_pose_kernel *kernel, int order, const double *from, double *to);
} psb_pose_form;

/* Blocks are the 256 harmonic coefficients of a function in psb_harmonics_store's full form. */
extern const psb_pose_form psb_pose_harmonic;

/*
 * A row has the 816 numbers of depth buffers: for each viewing axis the even and the odd part; for
 * each part its cosine transform at frequencies u, v of the other two axes in their order, u + v <
 * 16, by u, then v.
 */
enum {
    PSB_DEPTH_FREQUENCIES = 16,
    PSB_DEPTH_PART = 136,
    PSB_DEPTH_LENGTH = 3 * 2 * PSB_DEPTH_PART
};
extern const psb_pose_form psb_pose_depth;

/*
 * psb_pose_find is the plain reference: it returns the least distance of two rows. `orders` is 1 or
 * PSB_ORDERS. `determinant`: 1 for proper rotations only, -1 for reflections only, 0 for both.
 */
typedef struct psb_pose_match {
    double distance;
    /*
     * The pose of the least distance: coordinate i of a's aligned pose is sign[i] * p[axis[i]] for
     * a point p of b's.
     */
    int axis[3], sign[3];
} psb_pose_match;
psb_pose_match psb_pose_find(const float *a, const float *b, size_t length, int orders,
                             int determinant);

/*
 * A pass compares the first `rows` rows of panel a in one order with the rows of panels b0 and b1
 * in one order; it may also compare some rows behind the first. Numbers start[p] ... start[p + 1]
 * are of class p; the sums of the eight classes follow the last one. Lowers least[i * PSB_TILE + j]
 * to the least of the flips' sums for row i of a and row j of b0, b1.
 */
typedef void psb_pose_pass(const uint32_t *a, size_t rows, const uint32_t *b0, const uint32_t *b1,
                           const size_t start[PSB_FLIPS + 1], uint32_t *least);

/* Sets to[i], for each row of a panel, to the sum over j = 0 ... n - 1, in this order, of
 * lines[j * stride + i] * from[j]. */
typedef void psb_pose_multiply(const double *lines, size_t n, size_t stride, const double *from,
                               double *to);

/*
 * Converts a panel's rows of `length` numbers, in blocks of `block`, to integers: each row scaled
 * to L1 norm 1, sorted by class, with the sums of the classes behind them. Sets `norm` to the rows'
 * L1 norms.
 */
typedef void psb_pose_quantise(const double *rows, size_t length, const unsigned char *parity,
                               size_t block, const size_t start[PSB_FLIPS + 1], uint32_t *to,
                               double norm[PSB_POSE_PANEL]);

typedef struct psb_pose_kernel {
    psb_variant variant;
    psb_pose_pass *pass;
    psb_pose_multiply *multiply;
    psb_pose_quantise *quantise;
} psb_pose_kernel;

/* The psb_pose_kernel of this build, fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_pose_kernels[];

/* Do the work of pose48's psb_metric.prepare and tile with this kernel. */
void psb_pose48_prepare(const psb_pose_kernel *kernel, const psb_row_view *rows, void *prepared);
void psb_pose48_tile(const psb_pose_kernel *kernel, const psb_block *a, const psb_block *b,
                     bool upper, void *scratch, float *out, size_t stride);
