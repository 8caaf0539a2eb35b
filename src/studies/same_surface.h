/*
 * Tells whether two meshes are one surface with different triangles, in any place, pose and scale,
 * or mirrored. The meshes are aligned (studies/alignment.h), first by rotations only, as a model
 * with a plane of symmetry counts as no mirror image. Then a thousand sample points of each, drawn
 * by area, must lie near the triangles of the other: a Hausdorff
 * distance from samples to surfaces, both ways.
 */
#pragma once

#include "normalize/congruence.h"

/* The largest distance that counts as near, relative to the diagonal of the second model's box.
 * scripts/copies.py measures how many artificial copies it finds. */
#define PSB_SAME_SURFACE 0.01

/* Errors begin with the model's name. If *same, *how has the scale of b relative to a, whether it
 * is mirrored, and the largest distance, relative as above. */
psb_status psb_same_surface(const psb_mesh *a, const char *name_a, const psb_mesh *b,
                            const char *name_b, bool *same, psb_congruence *how, psb_error *error);
