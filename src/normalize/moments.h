/* Surface integrals of a mesh, exact over its triangles. In the paper's section 6, center of mass,
 * scale and principal axes are averages over all points of all surfaces. */
#pragma once

#include "psbench.h"

typedef struct psb_moments {
    double area;             /* sum of triangle areas, units^2 */
    double centre[3];        /* mean surface point, units */
    double mean_distance;    /* mean of |p - center| over the surface, units */
    double rms_distance;     /* root mean square of |p - center|, units */
    double covariance[3][3]; /* mean of (p - center)(p - center)', units^2 */
} psb_moments;

/*
 * PSB_ERROR_INPUT if the mesh has no area, or if its extent is too small or large for its
 * integrals. Overlapping and duplicate faces count as often as they occur.
 */
psb_status psb_moments_compute(const psb_mesh *mesh, psb_moments *moments, psb_error *error);
/* Like psb_moments_compute, but mean_distance, which costs more than all the rest, stays 0. */
psb_status psb_moments_without_distance(const psb_mesh *mesh, psb_moments *moments,
                                        psb_error *error);
