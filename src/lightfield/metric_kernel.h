/*
 * The distance of two light field descriptors: the plain reference, and kernels that compute the
 * same integer faster, one for each instruction set.
 *
 * A row is 100 records of 47 bytes, by dodecahedron, then image: 35 moments, 10 Fourier
 * coefficients, circularity, eccentricity. Two images cost
 *
 *   sum |moments| + 2 sum |Fourier| + 2 |circularity| + |eccentricity|   (differences).
 *
 * The distance of two models is the least sum of ten such costs over all pairs of their dodecahedra
 * and the sixty rotations that lay one onto the other: 6,000 sums of at most 147,900.
 *
 * A kernel works on rows with reordered bytes. For each image i of the first model's dodecahedra
 * and each image m of the second's, the costs of all hundred pairs of dodecahedra lie side by side,
 * so a rotation is ten additions of vectors of costs. Only the least of the hundred matters, so
 * each kernel may order them as it likes.
 */
#pragma once

#include "core/cpu.h"
#include "distance/metric.h"
#include "lightfield/record.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    PSB_LFD_CHUNKS = 7,                       /* of 8 bytes an image; the last two count twice */
    PSB_LFD_TWOS = PSB_DODECAHEDRA / 2,       /* of dodecahedra of the second model */
    PSB_LFD_LINE = 2 * PSB_AXES,              /* images of two dodecahedra */
    PSB_LFD_PAIRS = 10 * PSB_DODECAHEDRA + 4, /* pairs of dodecahedra, four of them twice */
    PSB_LFD_ROOM = 112,
};

typedef uint8_t psb_lfd_rotations[PSB_ROTATIONS][PSB_AXES];

/*
 * An image's bytes in chunks of eight; one instruction sums the differences of a chunk. First come
 * the 36 bytes of weight 1, then the eleven of weight 2, both with zeros behind them. An image of
 * the first model stays in registers while those of the second pass.
 *
 * The first model: [image][dodecahedron].
 */
typedef struct psb_lfd_left {
    uint64_t chunk[PSB_AXES][PSB_DODECAHEDRA][PSB_LFD_CHUNKS];
} psb_lfd_left;

/* The second model, two dodecahedra a line: image m of 2 t + s is number 2 m + s of line t. */
typedef struct psb_lfd_right {
    _Alignas(64) uint64_t chunk[PSB_LFD_TWOS][PSB_LFD_CHUNKS][PSB_LFD_LINE];
} psb_lfd_right;

/*
 * cost[i][m]: for each dodecahedron of the first model eight costs, with 0, 2, 4, 6, 1, 3, 5, 7 of
 * the second; then for each four of the first those with 8, then those with 9. The rest is
 * UINT16_MAX.
 */
typedef struct psb_lfd_costs {
    _Alignas(64) uint16_t cost[PSB_AXES][PSB_AXES][PSB_LFD_ROOM];
} psb_lfd_costs;

/*
 * A sketch of a row: 24 traits of each image in the place of its 47 numbers. A trait is a sum of
 * numbers of one weight, cut to what a byte holds. Each number is part of one trait. So two traits
 * differ by no more than their numbers do, and
 *
 *   sum |fine traits| + 2 sum |coarse traits|   (differences)
 *
 * never exceeds the cost of two images. That bound takes half of the work. Others need no rotation
 * at all: however the images are laid onto each other, the ten values of a trait differ by at least
 * as much as they do in ascending order, and that is at least the difference of their sums.
 */
enum {
    PSB_LFD_FINE = 16,  /* of weight 1 */
    PSB_LFD_COARSE = 8, /* of weight 2 */
    PSB_LFD_TRAITS = PSB_LFD_FINE + PSB_LFD_COARSE,
    PSB_LFD_SKETCH = PSB_LFD_TRAITS / 8, /* chunks of an image; the last counts twice */
    PSB_LFD_LANES = 16,                  /* dodecahedra, and the first one again behind them */
    PSB_LFD_ASCENDING = PSB_AXES * (PSB_LFD_TRAITS + PSB_LFD_COARSE),
};

typedef struct psb_lfd_sketch {
    uint64_t chunk[PSB_AXES][PSB_DODECAHEDRA][PSB_LFD_SKETCH];
    /* Of each trait by its weight: sums over the images, the least and the largest of them. */
    int16_t low[PSB_LFD_TRAITS], high[PSB_LFD_TRAITS];
    int16_t sums[PSB_LFD_TRAITS][PSB_LFD_LANES];
    /* Of each dodecahedron the values of each trait in ascending order, coarse ones twice. */
    uint8_t ascending[PSB_DODECAHEDRA][PSB_LFD_ASCENDING];
} psb_lfd_sketch;

void psb_lfd_sketch_make(const uint8_t *row, psb_lfd_sketch *out);

/* The second model's sketches in the lines of psb_lfd_right. */
typedef struct psb_lfd_right_sketch {
    _Alignas(64) uint64_t chunk[PSB_LFD_TWOS][PSB_LFD_SKETCH][PSB_LFD_LINE];
} psb_lfd_right_sketch;

void psb_lfd_sketch_arrange(const psb_lfd_sketch *sketch, psb_lfd_right_sketch *out);

/* A pair of dodecahedra, and the rotation that lays one onto the other. */
typedef struct psb_lfd_alignment {
    uint8_t left, right, rotation;
} psb_lfd_alignment;

/* Some dodecahedra of the first model. */
typedef struct psb_lfd_list {
    int count;
    uint8_t dodecahedron[PSB_DODECAHEDRA];
} psb_lfd_list;

enum { PSB_LFD_FEW = 128 }; /* alignments that are worth a look each */

typedef struct psb_lfd_kernel {
    psb_variant variant;
    /*
     * Lists the dodecahedra of the first model that may come within the limit of any of the second,
     * by bounds that need no rotation, and returns how many. The list may be NULL: then the
     * first one that is found is enough.
     */
    int (*meet)(const psb_lfd_sketch *a, const psb_lfd_sketch *b, uint32_t limit,
                psb_lfd_list *list);
    /*
     * Finds the alignments of listed dodecahedra whose sums may be within the limit: all of them,
     * or more than PSB_LFD_FEW. Returns how many; at most PSB_LFD_FEW are in `found`.
     */
    size_t (*near)(const psb_lfd_sketch *a, const psb_lfd_list *list, const psb_lfd_right_sketch *b,
                   const psb_lfd_rotations rotation, uint32_t limit, psb_lfd_costs *costs,
                   psb_lfd_alignment found[PSB_LFD_FEW]);
    /* The least of the 6,000 sums, or UINT16_MAX if it exceeds the kernel's range. */
    uint32_t (*least)(const psb_lfd_left *a, const psb_lfd_right *b,
                      const psb_lfd_rotations rotation, psb_lfd_costs *costs);
} psb_lfd_kernel;

/* The psb_lfd_kernel of this build, fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_lfd_kernels[];

/* Compilers know this loop: sums of absolute differences of bytes are instructions. */
static inline __attribute__((always_inline)) uint32_t psb_lfd_differences(const uint8_t *a,
                                                                          const uint8_t *b, int n) {
    uint32_t sum = 0;
    for (int k = 0; k < n; k++) {
        sum += (uint32_t)abs(a[k] - b[k]);
    }
    return sum;
}

/* Whether differences of this number of a record have the weight 2. */
static inline bool psb_lfd_counts_twice(int number) {
    return number >= PSB_MOMENTS && number <= PSB_CIRCULARITY;
}

/*
 * How far the sums of traits are apart, for all pairs of dodecahedra. They begin again at 0 where
 * 16 bits are too few, which makes no bound larger.
 */
static inline __attribute__((always_inline)) void
psb_lfd_sums_apart(const psb_lfd_sketch *a, const psb_lfd_sketch *b,
                   uint16_t out[PSB_DODECAHEDRA][PSB_LFD_LANES]) {
    typedef int16_t lanes __attribute__((vector_size(2 * PSB_LFD_LANES)));
    typedef uint16_t totals __attribute__((vector_size(2 * PSB_LFD_LANES)));
    totals sum[PSB_DODECAHEDRA] = {{0}}, all_a = {0}, all_b = {0};
    for (int t = 0; t < PSB_LFD_TRAITS; t++) {
        lanes of_a, of_b;
        memcpy(&of_a, a->sums[t], sizeof of_a);
        memcpy(&of_b, b->sums[t], sizeof of_b);
        all_a += (totals)of_a;
        all_b += (totals)of_b;
        for (int d = 0; d < PSB_DODECAHEDRA; d++) {
            lanes one = a->sums[t][d] - (lanes){0}, less = one < of_b;
            sum[d] += (totals)((of_b & less) | (one & ~less));
        }
    }
    /* |x - y| is 2 max(x, y) - x - y. */
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        sum[d] = 2 * sum[d] - all_a[d] - all_b;
    }
    memcpy(out, sum, sizeof sum);
}

/* Whether sums keep every dodecahedron of one model from every one of the other. */
static inline __attribute__((always_inline)) bool
psb_lfd_apart(const psb_lfd_sketch *a, const psb_lfd_sketch *b, uint32_t within) {
    int16_t gap[PSB_LFD_TRAITS];
    for (int t = 0; t < PSB_LFD_TRAITS; t++) {
        int16_t over = (int16_t)(a->low[t] - b->high[t]), under = (int16_t)(b->low[t] - a->high[t]);
        int16_t larger = over > under ? over : under;
        gap[t] = larger > 0 ? larger : 0;
    }
    int apart = 0;
    for (int t = 0; t < PSB_LFD_TRAITS; t++) {
        apart += gap[t];
    }
    return (uint32_t)apart > within;
}

/* psb_lfd_kernel.meet, to be inlined into each kernel and compiled for its instruction set. */
static inline __attribute__((always_inline)) int
psb_lfd_meet(const psb_lfd_sketch *a, const psb_lfd_sketch *b, uint32_t limit, psb_lfd_list *list) {
    uint16_t sum[PSB_DODECAHEDRA][PSB_LFD_LANES];
    int count = 0;
    if (psb_lfd_apart(a, b, limit)) {
        return 0;
    }
    psb_lfd_sums_apart(a, b, sum);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        bool apart = true;
        for (int e = 0; e < PSB_DODECAHEDRA && apart; e++) {
            apart = sum[d][e] > limit || psb_lfd_differences(a->ascending[d], b->ascending[e],
                                                             PSB_LFD_ASCENDING) > limit;
        }
        if (!apart && list == NULL) {
            return 1;
        }
        if (!apart) {
            list->dodecahedron[count++] = (uint8_t)d;
        }
    }
    if (list != NULL) {
        list->count = count;
    }
    return count;
}

/* The reference: distance of two rows. */
uint32_t psb_lfd_distance(const uint8_t *a, const uint8_t *b, const psb_lfd_rotations rotation);

/* psb_metric.tile with a kernel of choice. */
void psb_lfd_tile(const psb_lfd_kernel *kernel, const psb_block *a, const psb_block *b, bool upper,
                  void *scratch, float *out, size_t stride);
