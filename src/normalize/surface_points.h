/* Random points of a surface, uniform by area. */
#ifndef PSB_NORMALIZE_SURFACE_POINTS_H
#define PSB_NORMALIZE_SURFACE_POINTS_H

#include "core/random.h"
#include "psbench.h"

/*
 * sums[t]: area of the triangles 0 ... t of the mesh with posed vertices `points`, nvertices x 3.
 * `sums` is room for ntriangles numbers; its last one has to be above 0 for what follows.
 */
void psb_surface_sums(const psb_mesh *mesh, const double *points, double *sums);

/*
 * A point, at random, of the triangle within which the running sum reaches `share`, in [0, 1), of
 * the whole area. Returns the number of that triangle, which has an area.
 */
size_t psb_surface_point(const psb_mesh *mesh, const double *points, const double *sums,
                         double share, psb_random *random, double at[3]);

/*
 * n points of the mesh with posed vertices `points`, which has an area: coordinate k of point i
 * becomes at[k * n + i]. `sums` is room for ntriangles numbers.
 */
void psb_surface_points(const psb_mesh *mesh, const double *points, double *sums,
                        psb_random *random, size_t n, double *at);

#endif
