/* Makes an affine map from moments and axes. */
#include "normalize/pose.h"

#include <string.h>

psb_pose psb_pose_make(psb_pose_kind kind, psb_scale scale, const psb_moments *moments,
                       const psb_axes *axes) {
    double size = scale == PSB_SCALE_RMS ? moments->rms_distance : moments->mean_distance;
    psb_pose pose = {
        0.5 / size, {0.0, 0.0, 0.0}, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    if (kind != PSB_POSE_SCALED) {
        memcpy(pose.origin, moments->centre, sizeof pose.origin);
    }
    if (kind == PSB_POSE_CENTERED) {
        static const double y_up[3][3] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}};
        memcpy(pose.rotation, y_up, sizeof pose.rotation);
    }
    if (kind == PSB_POSE_ALIGNED) {
        memcpy(pose.rotation, axes->axis, sizeof pose.rotation);
    }
    return pose;
}

void psb_pose_apply(const psb_pose *pose, const double *in, size_t n, double *out) {
    for (size_t v = 0; v < n; v++) {
        double p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = (in[3 * v + (size_t)k] - pose->origin[k]) * pose->scale;
        }
        for (int i = 0; i < 3; i++) {
            const double *row = pose->rotation[i];
            out[3 * v + (size_t)i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2];
        }
    }
}
