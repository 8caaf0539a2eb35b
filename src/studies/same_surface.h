/*
 * Whether two meshes are one surface with other triangles, in another place, pose and scale, or
 * mirrored. They are aligned (studies/alignment.h), at first by rotations alone: what has a plane
 * of symmetry is no mirror image. Then sample points of each, a thousand drawn by area with the
 * same random numbers, have to lie near the triangles of the other: a Hausdorff distance of samples
 * to surfaces, both ways.
 */
#ifndef PSB_STUDIES_SAME_SURFACE_H
#define PSB_STUDIES_SAME_SURFACE_H

#include "normalize/congruence.h"

/*
 * The largest distance that counts as near, relative to the diagonal of the second model's box.
 * scripts/copies.py says how many made copies it finds.
 */
#define PSB_SAME_SURFACE 0.01

/*
 * Errors begin with the names. With `same`, `how` has the scale of b relative to a, whether it is
 * mirrored, and the largest distance, relative as above.
 */
psb_status psb_same_surface(const psb_mesh *a, const char *name_a, const psb_mesh *b,
                            const char *name_b, bool *same, psb_congruence *how, psb_error *error);

#endif
