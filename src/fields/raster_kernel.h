/* Shares among the rules and their kernels what all need; see fields/raster.c. */
#pragma once

#include "fields/raster.h"

#include <stdbool.h>

/* Longest edge, in voxels, of the parts into which the sampled rule cuts triangles. */
static const double psb_sampling_step = 0.5;

/* Grid coordinates of a posed point. */
static inline void psb_to_grid(const double point[3], double out[3]) {
    const double half = PSB_VOXELS / 2;
    for (int k = 0; k < 3; k++) {
        out[k] = half * point[k] + half;
    }
}

/* The bits from ... to of a row. */
static inline uint64_t psb_row_mask(int from, int to) {
    return UINT64_MAX << from & UINT64_MAX >> (PSB_VOXELS - 1 - to);
}

/*
 * Whether all voxels of the box first ... last are set; so it is where the box is empty. Most boxes
 * are two voxels wide or less: their outermost rows are all, and are looked at without branches.
 */
static inline bool psb_box_is_set(const int first[3], const int last[3], const psb_raster *raster) {
    if (first[0] > last[0] || first[1] > last[1] || first[2] > last[2]) {
        return true;
    }
    uint64_t mask = psb_row_mask(first[0], last[0]);
    const uint64_t *low = raster->row[first[2]], *high = raster->row[last[2]];
    uint64_t set = low[first[1]] & low[last[1]] & high[first[1]] & high[last[1]];
    if ((set & mask) != mask) {
        return false;
    }
    if (last[1] - first[1] < 2 && last[2] - first[2] < 2) {
        return true;
    }
    for (int k = first[2]; k <= last[2]; k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            set &= raster->row[k][j];
        }
    }
    return (set & mask) == mask;
}
