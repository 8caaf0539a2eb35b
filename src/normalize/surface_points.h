/* Random points of a surface, uniform by area. */
#ifndef PSB_NORMALIZE_SURFACE_POINTS_H
#define PSB_NORMALIZE_SURFACE_POINTS_H

#include "core/random.h"
#include "psbench.h"

/*
 * n points of the mesh with posed vertices `points`, which has an area: coordinate k of point i
 * becomes at[k * n + i]. `sums` is room for ntriangles numbers.
 */
void psb_surface_points(const psb_mesh *mesh, const double *points, double *sums,
                        psb_random *random, size_t n, double *at);

#endif
