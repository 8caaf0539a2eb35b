/* Draws random points on a surface, uniformly by area. */
#pragma once

#include "core/random.h"
#include "io/cloud.h"
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

/* Computes the normal of a triangle, of length 1; not a number for one without area. */
void psb_surface_normal(const psb_mesh *mesh, const double *points, size_t triangle, float out[3]);

/* Returns the area of the mesh with posed vertices `points`. */
double psb_surface_area(const psb_mesh *mesh, const double *points);

/*
 * Draws cloud->n stratified points: point i lies in the i-th of n parts of equal area, in the order
 * of the triangles. Sets their normals, those of the triangles, if the cloud has room for them. Of
 * a mesh without triangles, which is a cloud itself, takes some of its points (psb_cloud_take).
 */
void psb_surface_cloud(const psb_mesh *mesh, const double *points, double *sums, psb_random *random,
                       psb_cloud *cloud);

/*
 * Starts the random numbers for a mesh, which depend on its vertices and triangles in their order,
 * and on no name: copies draw equal points, all other meshes independent ones. Where two meshes are
 * compared point by point, each has a `side` of its own (else 0), so that copies draw independent
 * points, too.
 */
psb_random psb_content_random(const psb_mesh *mesh, uint64_t seed, uint64_t side,
                              const char *purpose);
