/*
 * What is seen of a posed mesh along a coordinate axis from both sides: for each pixel the nearest
 * point, by an orthographic projection with hidden surfaces removed.
 */
#ifndef PSB_LOCAL_DEPTH_BUFFER_H
#define PSB_LOCAL_DEPTH_BUFFER_H

#include "psbench.h"

/* Pixels of a side of the window [-1, 1]^2; the centre of pixel i is (i + 0.5) / 64 - 1. */
enum { PSB_DEPTH_SIDE = 128, PSB_DEPTH_PIXELS = PSB_DEPTH_SIDE * PSB_DEPTH_SIDE };

/*
 * Largest and least coordinate along `axis` of what lies on a pixel's centre, -INFINITY and
 * INFINITY where nothing does; [second][first] of the other two axes in their order. Faces count
 * from both sides. A vertex counts for the pixel that it lies in, so that thin parts are seen.
 */
void psb_depth_buffer_fill(const psb_mesh *mesh, const double *points, int axis,
                           double largest[PSB_DEPTH_PIXELS], double least[PSB_DEPTH_PIXELS]);

#endif
