/* Principal axes of a mesh with the paper's rule for their signs (footnote 2). */
#ifndef PSB_NORMALIZE_AXES_H
#define PSB_NORMALIZE_AXES_H

#include "normalize/moments.h"

typedef struct psb_axes {
    double values[3];  /* eigenvalues, largest first; of the covariance: units^2 */
    double axis[3][3]; /* unit eigenvectors as rows, in the same order */
} psb_axes;

/* Whose axes: of the surface's points, or of its normals. */
typedef enum psb_frame_kind { PSB_FRAME_SURFACE, PSB_FRAME_NORMALS } psb_frame_kind;

/*
 * PSB_FRAME_SURFACE: eigenvectors of the covariance. PSB_FRAME_NORMALS, ours: of the mean of n n'
 * over the surface, n the unit normal, whose sign does not matter; `values` have no unit then.
 *
 * Each axis points to the side on which more than half of the surface lies, seen from the centre;
 * the three may form a reflection. Where a rule leaves a choice it is made the same way every
 * time: axes of equal eigenvalues (relative 1e-9) follow the file's own x, y, z as closely as
 * they can, and an axis with equal areas on both sides (relative 1e-12) turns its largest
 * component (the first of equals) positive.
 */
psb_status psb_axes_compute(const psb_mesh *mesh, const psb_moments *moments, psb_frame_kind frame,
                            psb_axes *axes, psb_error *error);

#endif
