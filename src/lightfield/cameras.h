/*
 * The viewpoints of the light field descriptor: ten dodecahedra, rotated so that all vertices
 * together are nearly even, with ten parallel projections each.
 */
#pragma once

#include "lightfield/record.h"

/* The image's axes; the eye looks along up x right. All are unit vectors. */
typedef struct psb_camera {
    double right[3], up[3];
} psb_camera;

/* camera[d][m] looks at the origin from vertex m of dodecahedron d; its up leans towards y. */
void psb_lfd_cameras(psb_camera camera[PSB_DODECAHEDRA][PSB_AXES]);
