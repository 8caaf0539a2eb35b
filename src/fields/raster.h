/*
 * The 64^3 grid of voxels that a surface passes through, by two rules.
 *
 * A posed point p has the grid coordinate 32 p + 32; voxel (i, j, k) is the unit cube centred at
 * that integer point. Both rules leave no hole and do not depend on the order of faces or corners;
 * what lies outside the grid is left out.
 */
#ifndef PSB_FIELDS_RASTER_H
#define PSB_FIELDS_RASTER_H

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

typedef struct psb_sampling_kernel {
    psb_variant variant;
    void (*sample)(const psb_mesh *mesh, const double *points, psb_raster *raster);
} psb_sampling_kernel;

/* The psb_sampling_kernel of this build, fastest first; the last is plain, then NULL. */
extern const psb_variant *const psb_sampling_kernels[];

#endif
