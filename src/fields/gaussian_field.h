/*
 * The function that GEDT and SHD share: a Gaussian of the distance to the surface, on 32 spheres,
 * in spherical harmonics.
 */
#pragma once

#include "fields/shape.h"

/* g = exp(-d^2 / width^2), d in voxels to the nearest voxel of the posed surface. */
typedef struct psb_gaussian {
    psb_pose_kind pose;
    psb_scale scale;
    psb_raster_rule raster;
    double width;
} psb_gaussian;

/*
 * Computes the PSB_SHELLS functions, sampled trilinearly and transformed, and their tails unless
 * `tails` is NULL. Both lie in the shape's scratch memory.
 */
psb_status psb_gaussian_field(psb_shape *shape, const psb_gaussian *gaussian,
                              psb_coefficients **coefficients, psb_tail **tails, psb_error *error);
