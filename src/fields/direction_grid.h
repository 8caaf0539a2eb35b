/*
 * Directions on the harmonics' grid of 64 x 64 nodes.
 *
 * Polar coordinate 64 t / pi - 0.5 and azimuth 64 f / (2 pi) place a direction among the nodes. The
 * rows -1 and 64 beyond the poles are the rows 0 and 63 with the azimuth turned by half a circle.
 */
#ifndef PSB_FIELDS_DIRECTION_GRID_H
#define PSB_FIELDS_DIRECTION_GRID_H

#include "fields/harmonics.h"

enum { PSB_NODES = PSB_GRID * PSB_GRID };

/* Angle of the point (x, y) from the x axis, 0 ... 2 pi, good to 1e-7; 0 for the origin. */
double psb_direction_angle(double x, double y);

#endif
