/*
 * Rasters: the voxels of a 64^3 grid that a surface meets, by three rules.
 *
 * A posed point p has the grid coordinate 32 p + 32. Voxel (i, j, k) is the unit cube centered at
 * that integer point; points outside of the grid are ignored. The exact and the sampled rule leave
 * no holes and do not depend on the order of faces or corners. The reference rule leaves holes and
 * depends on that order.
 */
#pragma once

#include "core/cpu.h"
#include "psbench.h"

enum { PSB_VOXELS = 64 };

/* Bit i of row[k][j] is voxel (i, j, k). */
typedef struct psb_raster {
    uint64_t row[PSB_VOXELS][PSB_VOXELS];
} psb_raster;

/*
 * Exact: a voxel is set if a triangle meets its closed cube (separating axes, Akenine-Moeller
 * 2001). `points` are the posed vertices of `mesh`, nvertices x 3.
 */
void psb_raster_fill(const psb_mesh *mesh, const double *points, psb_raster *raster);

/*
 * Sampled: triangles are halved at their longest edge until that is at most half a voxel; a voxel
 * is set if a corner of the parts lies in it. Cubes that the surface only grazes stay empty. Of a
 * triangle whose edges have no squares in double only the corners count; no model that has moments
 * (normalize/moments.h) has one.
 */
void psb_raster_sample(const psb_mesh *mesh, const double *points, psb_raster *raster);

/*
 * Reference: the rule of the program that made SHD's published rows. A point g of the grid sets
 * voxel trunc(g + 0.5) of each axis. A triangle v1 v2 v3, in the file's order of corners, is swept
 * by trunc(1.5 floor(h + 3)) segments from v2 + (v1 - v2) t to v2 + (v3 - v2) t, t from 0 to 1 in
 * equal steps, h the distance of v3 from the line v1 v2; a segment of length L by trunc(1.5
 * floor(L + 3)) points at equal steps, both ends among them. A triangle whose h^2 is negative by
 * rounding sets nothing; where v1 = v2, the segment v1 v3 is swept, where v1 = v3, v1 v2. The
 * segments of an acute corner v2 are too far apart to leave no hole.
 */
void psb_raster_sweep(const psb_mesh *mesh, const double *points, psb_raster *raster);

PSB_KERNEL(psb_fill, (const psb_mesh *mesh, const double *points, psb_raster *raster))
