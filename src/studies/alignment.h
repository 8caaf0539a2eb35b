/*
 * Turns, scales and shifts one model onto another of its kind.
 *
 * The pose with the least pose48 distance of GEDT:shells=8, in the frame of the surface's axes or
 * of the normals', already gives a similarity. Closest points refine it: sample points of both
 * surfaces are paired with the nearest point of the other surface, and the rotation, scale and
 * shift that bring the pairs closest are applied (Besl, McKay 1992; Umeyama 1991), as long as the
 * mean squared distance falls. No step depends on the orientation of either file.
 */
#pragma once

#include "normalize/axes.h"

/* Finds the similarity; with `mirror` it may be a reflection. Errors begin with the model's
 * name. */
psb_status psb_alignment_find(const psb_mesh *a, const char *name_a, const psb_mesh *b,
                              const char *name_b, bool mirror, psb_alignment *alignment,
                              psb_error *error);

/* Moves the first model's mesh onto the second model. */
void psb_alignment_apply(const psb_alignment *alignment, psb_mesh *mesh);
