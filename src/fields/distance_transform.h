/* Exact squared Euclidean distance from every voxel to the nearest voxel that is set. */
#pragma once

#include "core/cpu.h"
#include "fields/raster.h"

#include <stdbool.h>

/* The largest that there is. */
enum { PSB_DISTANCE_MOST = 3 * (PSB_VOXELS - 1) * (PSB_VOXELS - 1) };

/* Squared distance in voxels, [k][j][i]. */
typedef struct psb_distance_grid {
    int16_t squared[PSB_VOXELS][PSB_VOXELS][PSB_VOXELS];
} psb_distance_grid;

/* Whether a row is near enough to the center to be used by the spheres of sphere_samples.h. */
static inline bool psb_distance_row(int j, int k) {
    const int centre = PSB_VOXELS / 2, most = PSB_VOXELS / 2 + 1;
    return (j - centre) * (j - centre) + (k - centre) * (k - centre) < most * most;
}

/*
 * Computes squared distances up to `most`, 0 ... PSB_DISTANCE_MOST, in the rows of
 * psb_distance_row; most + 1 stands for larger ones, and everywhere in an empty raster. A smaller
 * `most` is faster.
 */
void psb_distance_transform(const psb_raster *raster, int most, psb_distance_grid *grid);

PSB_KERNEL(psb_transform, (const psb_raster *raster, int most, psb_distance_grid *grid))
