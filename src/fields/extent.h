/*
 * The largest distance of a surface from the center, by direction: the function that EXT and REXT
 * share.
 *
 * The published figures come closest if the surface is a sparse set of points: about 4,500, random
 * and uniform by area, each of which counts for the four nodes of the harmonics' grid around its
 * direction. The code draws no points: each node gets the expected value, which has a closed form.
 * Let the number of points be Poisson, and n(r) the expected number of points beyond radius r that
 * count for a node. There is none with probability exp(-n(r)), so the largest distance exceeds r
 * with probability 1 - exp(-n(r)), and its mean is the integral of that over r. Without a point the
 * distance is 0. With more points the mean approaches the largest distance itself.
 */
#pragma once

#include "core/cpu.h"
#include "fields/cell_areas.h"
#include "fields/direction_grid.h"

typedef struct psb_extent {
    psb_coefficients whole;
    psb_coefficients shell[PSB_SHELLS]; /* of the surface within shell s: s <= 32 r < s + 1 */
    psb_tail whole_tail, shell_tail[PSB_SHELLS];
} psb_extent;

/* Axis of the aligned pose that polar angles are measured from. */
extern const char *const psb_extent_poles[];

/* A strip of a triangle with fewer expected points than this need not be cut along rows. */
#define PSB_EXTENT_LEAST_POINTS 0.0003

/*
 * Expected largest distances in units of the pose: `whole` gets PSB_NODES of them, `shells`
 * PSB_SHELLS * PSB_NODES in the layout of psb_harmonics_forward. `density` is the number of points
 * per unit of area.
 */
void psb_extent_distances(const psb_cell_areas *cells, double density, double *whole,
                          double *shells);

PSB_KERNEL(psb_extent, (const psb_cell_areas *cells, double density, double *whole, double *shells))
