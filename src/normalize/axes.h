/* Computes the principal axes of a mesh, with the paper's rule for their signs (footnote 2). */
#pragma once

#include "normalize/moments.h"

/*
 * PSB_FRAME_SURFACE: eigenvectors of the covariance. PSB_FRAME_NORMALS (not in the paper):
 * eigenvectors of the mean of n n' over the surface, where n is the unit normal, whose sign does
 * not matter; then `values` have no unit.
 *
 * Each axis points to the side of the center with more than half of the surface; the three axes may
 * form a reflection. Ties are decided the same way every time: axes of equal eigenvalues (relative
 * 1e-9) follow the file's x, y, z as closely as they can, and an axis with equal areas on both
 * sides (relative 1e-12) gets a positive largest component (the first of equals).
 */
psb_status psb_axes_compute(const psb_mesh *mesh, const psb_moments *moments, psb_frame_kind frame,
                            psb_axes *axes, psb_error *error);
