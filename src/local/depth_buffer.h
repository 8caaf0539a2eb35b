/* Shows a posed mesh along a coordinate axis from both sides: finds the nearest point for each
 * pixel, by an orthographic projection with hidden surfaces removed. */
#pragma once

#include "psbench.h"

/* Pixels on a side of the window [-1, 1]^2; the center of pixel i is (i + 0.5) / 64 - 1. */
enum { PSB_DEPTH_SIDE = 128, PSB_DEPTH_PIXELS = PSB_DEPTH_SIDE * PSB_DEPTH_SIDE };

/*
 * Computes the largest and least coordinate along `axis` of the surface at each pixel's center,
 * -INFINITY and INFINITY where there is none; pixels are [second][first] by the other two axes in
 * their order. Faces count from both sides. A vertex counts for the pixel that contains it, so that
 * thin parts are seen.
 */
void psb_depth_buffer_fill(const psb_mesh *mesh, const double *points, int axis,
                           double largest[PSB_DEPTH_PIXELS], double least[PSB_DEPTH_PIXELS]);
