/* Draws random rotations, to test that results do not depend on the orientation of a file. */
#pragma once

#include "psbench.h"

/* Draws a rotation uniformly, seeded by `seed` and the model's name; its rows are in `rotation`. */
void psb_turn_random(uint64_t seed, const char *model, double rotation[3][3]);

/* Turns the mesh around the origin. */
void psb_turn_mesh(psb_mesh *mesh, double rotation[3][3]);
