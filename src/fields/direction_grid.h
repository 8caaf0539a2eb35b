/*
 * Places directions on the harmonics' grid of 64 x 64 nodes.
 *
 * A direction with polar angle t and azimuth f has the coordinates 64 t / pi - 0.5 and 64 f / (2
 * pi) among the nodes. Rows -1 and 64 lie beyond the poles: they are rows 0 and 63 with the azimuth
 * turned by half a circle.
 */
#pragma once

#include "fields/harmonics.h"

enum { PSB_NODES = PSB_GRID * PSB_GRID };

/*
 * Returns the angle of the point (x, y) from the x axis, 0 ... 2 pi, with an error of at most 1e-7;
 * 0 for the origin.
 */
double psb_direction_angle(double x, double y);

/* Does the same for PSB_ANGLES points side by side. */
enum { PSB_ANGLES = 16 };
void psb_direction_angles(const double *x, const double *y, double *angle);

PSB_KERNEL(psb_angle, (const double *x, const double *y, double *angle))
