/* Exact squared Euclidean distance from every voxel to the nearest voxel that is set. */
#ifndef PSB_DESCRIPTORS_DISTANCE_TRANSFORM_H
#define PSB_DESCRIPTORS_DISTANCE_TRANSFORM_H

#include "descriptors/raster.h"

/* What an empty raster has everywhere; above the largest possible 3 * 63^2. */
enum { PSB_DISTANCE_FAR = 16000 };

/* Squared distance in voxels, [k][j][i]; at most PSB_DISTANCE_FAR. */
typedef struct psb_distance_grid {
    int16_t squared[PSB_VOXELS][PSB_VOXELS][PSB_VOXELS];
} psb_distance_grid;

void psb_distance_transform(const psb_raster *raster, psb_distance_grid *grid);

#endif
