/*
 * Adds the parts of which objects consist. All stand upright along z in the builder's current
 * frame, face outward, and take their tessellation from the builder.
 */
#pragma once

#include "synth/builder.h"

static inline void psb_set_point(double point[3], double x, double y, double z) {
    point[0] = x;
    point[1] = y;
    point[2] = z;
}

/* Adds a box; x, y, z is the middle of its underside, width is along x, depth y, height z. */
void psb_add_box(psb_builder *builder, double x, double y, double z, double width, double depth,
                 double height);

/* Adds an ellipsoid with its center at x, y, z. */
void psb_add_ball(psb_builder *builder, double x, double y, double z, double radius_x,
                  double radius_y, double radius_z);

/* Adds a closed cylinder or frustum about the z axis; a radius of 0 makes a cone. */
void psb_add_cone(psb_builder *builder, double z0, double radius0, double z1, double radius1);

/* Adds a straight round stick between two points, closed. */
void psb_add_stick(psb_builder *builder, const double from[3], const double to[3], double radius0,
                   double radius1);

/*
 * Adds the surface of revolution of `n` points (radius, z) about the z axis. It faces outward where
 * z rises; it is closed if the first and the last radius are 0.
 */
void psb_add_lathe(psb_builder *builder, int n, const double profile[][2]);

/* Does the same for a Catmull-Rom curve through the points; a point given twice is a corner. At
 * most 32 points. */
void psb_add_turned(psb_builder *builder, int n, const double points[][2]);

/* Adds a ring about the z axis whose cross-section is an ellipse. */
void psb_add_torus(psb_builder *builder, double radius, double tube_radius, double tube_height);

/* Adds a round tube along a smooth path; an end of radius 0 is a tip, others are closed. n >= 2. */
void psb_add_tube(psb_builder *builder, int n, const double path[][3], const double *radii);

/*
 * Adds a solid through `sections` closed outlines of `n` points each, closed at both ends with a
 * polygon of n corners. Seen from the last section the outlines run counterclockwise; the first and
 * the last should be convex, because readers cut polygons into fans.
 */
void psb_add_loft(psb_builder *builder, int sections, int n, const double points[][3]);

/* Adds a convex outline, counterclockwise in x and y, raised from z0 to z1. */
void psb_add_prism(psb_builder *builder, int n, const double outline[][2], double z0, double z1);

/* Adds a flat ring from z0 to z1 between two outlines of n points each, inner inside outer. */
void psb_add_band(psb_builder *builder, int n, const double inner[][2], const double outer[][2],
                  double z0, double z1);

/* Adds an open sheet, rows x columns points, row after row. */
void psb_add_sheet(psb_builder *builder, int rows, int columns, const double points[][3]);
