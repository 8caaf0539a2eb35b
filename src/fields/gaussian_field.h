/*
 * The function that GEDT and SHD share: a Gaussian of the distance to the surface, on 32 spheres,
 * in spherical harmonics.
 */
#ifndef PSB_FIELDS_GAUSSIAN_FIELD_H
#define PSB_FIELDS_GAUSSIAN_FIELD_H

#include "fields/shape.h"

/*
 * g = exp(-d^2 / width^2), d in voxels to the nearest voxel of the posed surface; sampled
 * trilinearly and transformed. The PSB_SHELLS results lie in the shape's scratch memory.
 *
 * The surface's voxels are those of psb_raster_sample. The paper does not say how surfaces became
 * voxels; this rule was fitted to the published rows (the exact raster is 0.4 points off in SHD's
 * second tier).
 */
psb_status psb_gaussian_field(psb_shape *shape, psb_pose_kind pose, psb_scale scale, double width,
                              psb_coefficients **coefficients, psb_error *error);

#endif
