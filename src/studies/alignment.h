/*
 * One model turned, scaled and shifted onto another of its kind.
 *
 * The pose that attains the least pose48 distance of GEDT:shells=8, in the frame of the surface's
 * axes or in that of the normals', is a similarity already. Closest points refine it: sample
 * points of both surfaces, each with the nearest one of the other surface, and the rotation, scale
 * and shift that bring such pairs closest (Besl, McKay 1992; Umeyama 1991), as long as the mean
 * squared distance falls. No step depends on how either file is oriented.
 */
#ifndef PSB_STUDIES_ALIGNMENT_H
#define PSB_STUDIES_ALIGNMENT_H

#include "normalize/axes.h"

/* With `mirror` reflections will do as well; else rotations only. Errors begin with the name. */
psb_status psb_alignment_find(const psb_mesh *a, const char *name_a, const psb_mesh *b,
                              const char *name_b, bool mirror, psb_alignment *alignment,
                              psb_error *error);

/* The mesh of the first model becomes that on the second one. */
void psb_alignment_apply(const psb_alignment *alignment, psb_mesh *mesh);

#endif
