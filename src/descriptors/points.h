/* Samples points on the surface, in one of the frames that work on sets of points uses. */
#pragma once

#include "descriptors/descriptor.h"

typedef enum psb_points_pose {
    PSB_POINTS_FILE,    /* as in the file */
    PSB_POINTS_SPHERE,  /* origin: the box's center; farthest corner of a face at distance 1 */
    PSB_POINTS_BOX,     /* origin: the box's center; longest side of the box: 1 */
    PSB_POINTS_ALIGNED, /* principal axes, mean distance of the surface to its center 0.5 */
} psb_points_pose;

/* The names of the frames, NULL-terminated. */
extern const char *const psb_points_poses[];

/* Computes the mesh's vertices in a frame; they are valid until the shape's next model. */
psb_status psb_shape_posed_vertices(psb_shape *shape, psb_points_pose kind, const double **vertices,
                                    psb_error *error);
