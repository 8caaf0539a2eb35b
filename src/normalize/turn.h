/* Random rotations, for what should not depend on how a file happens to be oriented. */
#ifndef PSB_NORMALIZE_TURN_H
#define PSB_NORMALIZE_TURN_H

#include "psbench.h"

/* Uniform over all rotations; the seed and the model's name decide. Rows of the matrix. */
void psb_turn_random(uint64_t seed, const char *model, double rotation[3][3]);

/* Turns the mesh around the origin. */
void psb_turn_mesh(psb_mesh *mesh, double rotation[3][3]);

#endif
