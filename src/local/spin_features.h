/*
 * Local features of points on the surface: spin images (Johnson, Hebert 1999, Using Spin Images for
 * Efficient Object Recognition in Cluttered 3D Scenes), which need no view and no orientation.
 *
 * Around each of 512 points, with its normal n, the other points q within a radius are counted by
 * their distance from the axis along n and their height h along it (8 x 6 bins), and by distance
 * and the angle between the normals (4 x 4 bins). At two radii that gives 128 shares, whose square
 * roots make the feature. Normals of surfaces on the web may point either way, so n is turned so
 * that more of the neighborhood lies below it.
 */
#pragma once

#include "core/memory.h"
#include "io/cloud.h"
#include "local/local_features.h"

enum { PSB_SPIN_POINTS = 1024, PSB_SPIN_FEATURES = PSB_SPIN_POINTS / 2 };

/* Points on the surface with the unit normals of their triangles, coordinate by coordinate. */
typedef struct psb_spin_points {
    float at[3][PSB_SPIN_POINTS], normal[3][PSB_SPIN_POINTS];
} psb_spin_points;

/* Takes over 1,024 points that have normals. */
void psb_spin_points_take(const psb_cloud *cloud, psb_spin_points *out);

/* Computes the features of every second point. Their places are the point's distance from the
 * origin, and the absolute cosine between the direction to the point and its normal. */
void psb_spin_features(const psb_spin_points *points, psb_feature features[PSB_SPIN_FEATURES]);
