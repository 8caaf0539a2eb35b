/*
 * Samples a function on the voxel grid on 32 concentric spheres around the grid's center.
 *
 * Sphere s has the radius s + 0.5 voxels and the 64 x 64 directions of the harmonics' grid, whose
 * pole is the volume's z axis; samples are multiplied by sqrt(4 pi) times the radius, the square
 * root of the sphere's area, so that the L2 norm over all spheres approximates the L2 norm over the
 * ball.
 */
#pragma once

#include "core/cpu.h"
#include "fields/distance_transform.h"
#include "fields/harmonics.h"

enum { PSB_SPHERE_SAMPLES = PSB_SHELLS * PSB_GRID * PSB_GRID };

/* Sample positions, the same for every model. Shared and read-only. */
typedef struct psb_sphere_grid psb_sphere_grid;
psb_status psb_sphere_grid_new(psb_sphere_grid **grid, psb_error *error);
void psb_sphere_grid_free(psb_sphere_grid *grid);

/* Numbers in a volume with a border: value(i, j, k) stands at psb_volume_index. */
enum {
    PSB_VOLUME_SIDE = PSB_VOXELS + 2,
    PSB_VOLUME = PSB_VOLUME_SIDE * PSB_VOLUME_SIDE * PSB_VOLUME_SIDE
};

static inline size_t psb_volume_index(int i, int j, int k) {
    return ((size_t)(k + 1) * PSB_VOLUME_SIDE + (size_t)(j + 1)) * PSB_VOLUME_SIDE +
           (size_t)(i + 1);
}

/*
 * Interpolates samples. `volume` has PSB_VOLUME numbers; its border is 0, the value outside the
 * grid. `samples` gets PSB_SPHERE_SAMPLES numbers in psb_harmonics_forward's layout of PSB_SHELLS
 * functions.
 */
void psb_sphere_sample_trilinear(const psb_sphere_grid *grid, const float *volume, double *samples);
/* Sets a sample to 1 if the nearest voxel, floor(x + 0.5) per axis, is set, else to 0. */
void psb_sphere_sample_nearest(const psb_sphere_grid *grid, const psb_raster *raster,
                               double *samples);

PSB_KERNEL(psb_trilinear, (const psb_sphere_grid *grid, const float *volume, double *samples))

PSB_KERNEL(psb_nearest, (const psb_sphere_grid *grid, const psb_raster *raster, double *samples))
