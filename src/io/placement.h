/* Where a node of a scene puts what it has: a matrix, row by row, without the last row 0 0 0 1. */
#pragma once

#include <stdbool.h>

typedef struct psb_placement {
    double m[3][4];
} psb_placement;

extern const psb_placement psb_placement_none;

/* Returns the placement that applies `inner`, then `outer`. */
psb_placement psb_placement_within(const psb_placement *outer, const psb_placement *inner);

/* Returns the placement that scales, rotates by a quaternion of any length but 0, then translates.
 */
psb_placement psb_placement_of_parts(const double t[3], const double q[4], const double scale[3]);

void psb_placement_apply(const psb_placement *p, const double from[3], double to[3]);

/* Returns whether the placement mirrors. */
bool psb_placement_mirrors(const psb_placement *p);
