/* Rotates the dodecahedron of lightfield/dodecahedron.h. */
#include "lightfield/cameras.h"

#include "core/vector.h"

/*
 * Unit quaternions (w, x, y, z) of the set that regenerates Table 4. Other sets of ten spread
 * rotations score within 0.4 points of nearest neighbor and 0.1 of DCG.
 */
static const double rotations[PSB_DODECAHEDRA][4] = {
    {1.0000000, 0.0000000, 0.0000000, 0.0000000},   {0.9467703, -0.0719563, 0.2682142, 0.1628174},
    {0.9176229, 0.0473737, -0.2882747, 0.2694839},  {0.9290755, -0.0034721, -0.2938149, -0.2246765},
    {0.9705327, 0.0157383, -0.2370375, 0.0403965},  {0.9651581, 0.2527860, -0.0544807, -0.0400108},
    {0.9783358, 0.0017706, -0.0087296, -0.2068327}, {0.9368904, 0.2790231, -0.0936234, 0.1887250},
    {0.9608365, -0.2346906, -0.0700618, 0.1296337}, {0.9767879, 0.0069991, 0.0028576, 0.2140751},
};

/* p + 2 w (v x p) + 2 v x (v x p) for the quaternion (w, v). */
static void rotate(const double q[4], const double p[3], double out[3]) {
    double once[3], twice[3];
    psb_cross(q + 1, p, once);
    psb_cross(q + 1, once, twice);
    for (int i = 0; i < 3; i++) {
        out[i] = p[i] + 2.0 * (q[0] * once[i] + twice[i]);
    }
}

static psb_camera look_from(const double eye[3]) {
    static const double y_axis[3] = {0.0, 1.0, 0.0};
    psb_camera camera;
    double forward[3] = {-eye[0], -eye[1], -eye[2]};
    psb_normalize(forward);
    psb_cross(forward, y_axis, camera.right); /* no vertex of the set lies on the y axis */
    psb_normalize(camera.right);
    psb_cross(camera.right, forward, camera.up);
    return camera;
}

void psb_lfd_cameras(psb_camera camera[PSB_DODECAHEDRA][PSB_AXES]) {
    double vertex[PSB_AXES][3];
    psb_dodecahedron_vertices(vertex);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        for (int m = 0; m < PSB_AXES; m++) {
            double eye[3];
            rotate(rotations[d], vertex[m], eye);
            camera[d][m] = look_from(eye);
        }
    }
}
