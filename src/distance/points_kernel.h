/* What sets of points (points.c) and their kernel share: how a prepared set lies in memory. */
#pragma once

#include "core/cpu.h"

#include <stddef.h>
#include <stdint.h>

/* Points of a block, and boxes that are measured at once. */
enum { PSB_POINTS_BLOCK = 16, PSB_POINTS_BOXES = 128 };

typedef struct psb_points_block {
    float at[3][PSB_POINTS_BLOCK]; /* the last block repeats its last point */
    uint32_t place[PSB_POINTS_BLOCK];
} psb_points_block;

typedef struct psb_points_box {
    float low[3], high[3];
} psb_points_box;

/* Those of as many blocks; of the last ones some have no block, and no extent. */
typedef struct psb_points_boxes {
    float low[3][PSB_POINTS_BOXES], high[3][PSB_POINTS_BOXES];
} psb_points_boxes;

/* In front of the blocks, behind which are their boxes. */
typedef struct psb_points_head {
    _Alignas(64) size_t n;
    size_t nblocks;
    bool in_range;
} psb_points_head;

typedef struct psb_points_kernel {
    psb_variant variant;
    /* As psb_points_nearest and psb_points_gaps. */
    void (*nearest)(const psb_points_head *from, const psb_points_head *to, float *squares,
                    uint32_t *nearest);
    void (*gaps)(const psb_points_head *from, const psb_points_head *to, float *gaps);
} psb_points_kernel;

extern const psb_variant *const psb_points_kernels[];

static inline const psb_points_block *psb_points_blocks(const psb_points_head *h) {
    return (const psb_points_block *)(const void *)(h + 1);
}

static inline const psb_points_boxes *psb_points_all_boxes(const psb_points_head *h) {
    return (const psb_points_boxes *)(const void *)(psb_points_blocks(h) + h->nblocks);
}
