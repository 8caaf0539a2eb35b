/*
 * Where two sets of shapes lie in space: the Jensen-Shannon divergence of their occupancies, in
 * bits (Achlioptas, Diamanti, Mitliagkas, Guibas 2018; Yang et al. 2019).
 *
 * All points of a set are counted at the nearest of the nodes of a grid, 28 x 28 x 28 from -1 to 1,
 * those with norm up to 1. The counts are shares p, q of their sums, and the divergence is
 * H((p + q) / 2) - (H(p) + H(q)) / 2, from 0 to 1, H the entropy. Of equally near nodes the
 * one with larger coordinates counts.
 */
#pragma once

#include "io/npy.h"

/* A row of `a` or `b` has the points of one shape, float32; the two may have different lengths. */
psb_status psb_occupancy_divergence(const psb_npy *a, const psb_npy *b, double *divergence,
                                    psb_error *error);
