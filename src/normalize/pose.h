/* The three normalizations of the paper's footnote 2, as affine maps. */
#pragma once

#include "normalize/axes.h"

/*
 * The centered pose is for descriptors that ignore rotation. Their grids do depend on it a little:
 * the pole of the spherical grid, the pose's z axis, shows in the last digits. The figures of Table
 * 4 fit a pole on the file's y axis, which is upright in most models. So the centered pose swaps y
 * and z.
 */
typedef enum psb_pose_kind {
    PSB_POSE_SCALED,   /* scale */
    PSB_POSE_CENTERED, /* scale and center; swaps y and z */
    PSB_POSE_ALIGNED,  /* scale, center and principal axes */
} psb_pose_kind;

/* The length that is scaled to 0.5: the mean, or the root mean square, distance of surface points
 * from the center. */
typedef enum psb_scale { PSB_SCALE_MEAN, PSB_SCALE_RMS } psb_scale;

/* p -> scale * rotation * (p - origin) */
typedef struct psb_pose {
    double scale;
    double origin[3];
    double rotation[3][3]; /* rows are the new axes */
} psb_pose;

/* `axes` is used only for the aligned pose, else it may be NULL. */
psb_pose psb_pose_make(psb_pose_kind kind, psb_scale scale, const psb_moments *moments,
                       const psb_axes *axes);

/* Maps n points (n x 3); `out` may be `in`. */
void psb_pose_apply(const psb_pose *pose, const double *in, size_t n, double *out);
