/* Draws random points on a surface, uniformly by area. */
#ifndef PSB_NORMALIZE_SURFACE_POINTS_H
#define PSB_NORMALIZE_SURFACE_POINTS_H

#include "core/random.h"
#include "psbench.h"

/*
 * Sets sums[t] to the area of the triangles 0 ... t of the mesh with posed vertices `points`,
 * nvertices x 3. `sums` has room for ntriangles numbers. The functions below need a last sum above
 * 0.
 */
void psb_surface_sums(const psb_mesh *mesh, const double *points, double *sums);

/* Draws a point in the triangle at which the running sum reaches `share`, in [0, 1), of the whole
 * area. Returns the number of that triangle, which is never degenerate. */
size_t psb_surface_point(const psb_mesh *mesh, const double *points, const double *sums,
                         double share, psb_random *random, double at[3]);

/*
 * Draws n points of the mesh with posed vertices `points`, which must have an area: coordinate k of
 * point i is at[k * n + i]. `sums` has room for ntriangles numbers.
 */
void psb_surface_points(const psb_mesh *mesh, const double *points, double *sums,
                        psb_random *random, size_t n, double *at);

/*
 * Draws stratified points: point i lies in the i-th of n parts of equal area, in the order of the
 * triangles. Coordinate k of point i is at[3 * i + k]; of[i] is its triangle, unless `of` is NULL.
 */
void psb_surface_points_stratified(const psb_mesh *mesh, const double *points, double *sums,
                                   psb_random *random, size_t n, double *at, uint32_t *of);

#endif
