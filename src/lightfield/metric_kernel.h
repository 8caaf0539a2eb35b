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
#ifndef PSB_LIGHTFIELD_METRIC_KERNEL_H
#define PSB_LIGHTFIELD_METRIC_KERNEL_H

#include "core/cpu.h"
#include "distance/metric.h"
#include "lightfield/record.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    PSB_LFD_CHUNKS = 6,  /* of 8 bytes an image; the last counts twice */
    PSB_LFD_QUADS = 3,   /* of dodecahedra of the first model */
    PSB_LFD_GROUPS = 13, /* of 8 images of the second model */
    PSB_LFD_PAIRS = 128, /* pairs of dodecahedra, some twice, the last eight none */
};

typedef uint8_t psb_lfd_rotations[PSB_ROTATIONS][PSB_AXES];

/*
 * An image's bytes in chunks of eight; one instruction sums the differences of a chunk. First come
 * the 36 bytes of weight 1 and two bytes of weight 2, both written twice, then eight bytes of
 * weight 2. The circularity, the eleventh of weight 2, is handled apart, doubled and in 16 bits, in
 * the order in which packing instructions leave the costs: those of the four images of a quad, each
 * with two neighbours of the other model.
 *
 * The first model: [image][dodecahedron]. A quad is dodecahedra 4q ... 4q + 3; in the last quad, 8
 * and 9 replace the missing 10 and 11.
 */
typedef struct psb_lfd_left {
    uint64_t chunk[PSB_AXES][PSB_DODECAHEDRA][PSB_LFD_CHUNKS];
    _Alignas(16) uint16_t circularity[PSB_AXES][PSB_LFD_QUADS][4][2]; /* each for both */
} psb_lfd_left;

/*
 * The second model, eight images to a group: group g < 10 has image g of dodecahedra 0 ... 7;
 * groups 10, 11, 12 have dodecahedra 8 and 9, two lanes for each of four images (the last group:
 * of two).
 */
typedef struct psb_lfd_right {
    uint64_t chunk[PSB_LFD_GROUPS][PSB_LFD_CHUNKS][8];
    uint16_t circularity[PSB_LFD_GROUPS][4][4][2]; /* of two neighbours, for all four */
} psb_lfd_right;

/*
 * cost[i][m]: for each quad of the first model 32 costs with dodecahedra 0 ... 7 of the second,
 * then for each quad 8 costs with 8 and 9. The last eight are UINT16_MAX.
 */
typedef struct psb_lfd_costs {
    uint16_t cost[PSB_AXES][PSB_AXES][PSB_LFD_PAIRS];
} psb_lfd_costs;

/*
 * What no order of the ten images changes, of each dodecahedron: the sum of each number over the
 * images, by its weight, and the ten values of each number in ascending order, those of weight 1
 * before those of weight 2, each with zeros behind. However the images are laid onto each other,
 * the sum of a number's differences is at least the difference of the sums, and at least the sum of
 * the differences of the ascending values, which is larger. So the least of either over all pairs
 * of dodecahedra is a lower bound of the distance.
 */
enum { PSB_LFD_SUMS = 48, PSB_LFD_ONCE = 384, PSB_LFD_TWICE = 128 };
typedef struct psb_lfd_outline {
    int16_t sums[PSB_DODECAHEDRA][PSB_LFD_SUMS];
    uint8_t values[PSB_DODECAHEDRA][PSB_LFD_ONCE + PSB_LFD_TWICE];
} psb_lfd_outline;

typedef struct psb_lfd_kernel {
    psb_variant variant;
    /* The lower bound if it is above `limit`, else any number that is not above it. */
    uint32_t (*bound)(const psb_lfd_outline *a, const psb_lfd_outline *b, uint32_t limit);
    /* The least of the 6,000 sums, or UINT16_MAX if it exceeds the kernel's range. */
    uint32_t (*least)(const psb_lfd_left *a, const psb_lfd_right *b,
                      const psb_lfd_rotations rotation, psb_lfd_costs *costs);
} psb_lfd_kernel;

extern const psb_lfd_kernel psb_lfd_avx512;
extern const psb_lfd_kernel psb_lfd_avx2;
extern const psb_lfd_kernel psb_lfd_plain;

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

/*
 * To be inlined into each kernel, and compiled for its instruction set. Ascending values are
 * compared where the sums leave a doubt.
 */
static inline __attribute__((always_inline)) uint32_t
psb_lfd_bound(const psb_lfd_outline *a, const psb_lfd_outline *b, uint32_t limit) {
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < PSB_DODECAHEDRA * PSB_DODECAHEDRA && least > limit; i++) {
        int of_a = i / PSB_DODECAHEDRA, of_b = i % PSB_DODECAHEDRA;
        const int16_t *x = a->sums[of_a], *y = b->sums[of_b];
        int32_t sum = 0;
        for (int k = 0; k < PSB_LFD_SUMS; k++) {
            int16_t difference = (int16_t)(x[k] - y[k]);
            sum += difference < 0 ? -difference : difference;
        }
        uint32_t bound = (uint32_t)sum;
        if (bound <= limit) {
            const uint8_t *u = a->values[of_a], *v = b->values[of_b];
            bound = psb_lfd_differences(u, v, PSB_LFD_ONCE) +
                    2 * psb_lfd_differences(u + PSB_LFD_ONCE, v + PSB_LFD_ONCE, PSB_LFD_TWICE);
        }
        least = bound < least ? bound : least;
    }
    return least;
}

/* The reference: distance of two rows. */
uint32_t psb_lfd_distance(const uint8_t *a, const uint8_t *b, const psb_lfd_rotations rotation);

/* psb_metric.tile with a kernel of choice. */
void psb_lfd_tile(const psb_lfd_kernel *kernel, const psb_block *a, const psb_block *b, bool upper,
                  void *scratch, float *out, size_t stride);

#endif
