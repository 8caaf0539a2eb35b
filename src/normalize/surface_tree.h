/*
 * Finds the nearest triangle of a surface for points anywhere: a tree of boxes over the triangles
 * in the order of a Morton curve. The distances are those to all triangles, one by one.
 */
#pragma once

#include "psbench.h"

typedef struct psb_surface_tree psb_surface_tree;

/*
 * Makes the tree of a mesh with posed vertices `points`, nvertices x 3, which must have an area.
 * Triangles without area, from which no point is drawn, are no part of the surface. Free it with
 * psb_surface_tree_free.
 */
psb_status psb_surface_tree_new(const psb_mesh *mesh, const double *points, psb_surface_tree **tree,
                                psb_error *error);
void psb_surface_tree_free(psb_surface_tree *tree);

/*
 * Returns the distance from p to the surface; *number becomes the number of the nearest triangle in
 * the mesh. *guess, at first 0, leads from one point to a point nearby and decides no more than the
 * time. A distance that rounding gives a point on the surface, below 2^-40 of the largest
 * coordinate, is 0.
 */
double psb_surface_tree_distance(const psb_surface_tree *tree, const double p[3], size_t *guess,
                                 size_t *number);
/* Sets `at` to the point of the surface that is nearest to p. */
void psb_surface_tree_nearest(const psb_surface_tree *tree, const double p[3], size_t *guess,
                              double at[3]);
