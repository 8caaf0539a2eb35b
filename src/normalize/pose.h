/* The three normalisations of the paper's footnote 2, as affine maps. */
#ifndef PSB_NORMALIZE_POSE_H
#define PSB_NORMALIZE_POSE_H

#include "normalize/axes.h"

/*
 * Descriptors in the centred pose ignore rotation, but grids do not quite: where the pole z of the
 * spherical grid lies shows in the last digits. The figures of Table 4 fit a pole on the file's y
 * axis, which most models have upright, so the centred pose makes that axis z.
 */
typedef enum psb_pose_kind {
    PSB_POSE_SCALED,   /* scale */
    PSB_POSE_CENTERED, /* scale and centre; y and z trade places, see below */
    PSB_POSE_ALIGNED,  /* scale, centre and principal axes */
} psb_pose_kind;

/* What becomes 0.5: the mean distance of surface points to the centre, or its root mean square. */
typedef enum psb_scale { PSB_SCALE_MEAN, PSB_SCALE_RMS } psb_scale;

/* p -> scale * rotation * (p - origin) */
typedef struct psb_pose {
    double scale;
    double origin[3];
    double rotation[3][3]; /* rows */
} psb_pose;

/* `axes` is read for the aligned pose only and may be NULL otherwise. */
psb_pose psb_pose_make(psb_pose_kind kind, psb_scale scale, const psb_moments *moments,
                       const psb_axes *axes);

/* Maps n points (n x 3); `out` may be `in`. */
void psb_pose_apply(const psb_pose *pose, const double *in, size_t n, double *out);

#endif
