/*
 * Cohort normalization, as speaker verification applies to scores: divides each distance by how far
 * its two models usually lie from others. A cohort is a fixed set of unlabeled models that take no
 * part in the evaluation. With m_i the mean of model i's smallest distances to the cohort,
 *
 *   D'(i,j) = D(i,j) / sqrt(m_i m_j).
 *
 * This pushes away a model that is near everything (a hub) and draws in one far from everything. D'
 * depends on the pair and the cohort, not on the other models that are searched. Ours, 2026,
 * docs/beyond.md.
 */
#pragma once

#include "io/matrix.h"

/* m_i averages this many of the smallest distances to a cohort of n models: 11 %, rounded up. */
size_t psb_cohort_nearest(size_t n);

/* Returns m_i of a model from its n > 0 distances to the cohort, which it sorts. */
double psb_cohort_level(float *distances, size_t n);

/* Fails with PSB_ERROR_INPUT if one of n levels m_i is not above 0. */
psb_status psb_cohort_check(const double *level, size_t n, psb_error *error);

/* Sets out[j] to D' of distances[j], between a model of the level `own` and one of level[j]. */
void psb_cohort_divide(const float *distances, size_t n, double own, const double *level,
                       float *out);

/* Sets out, n x n, to D' of the matrix. Fails as psb_cohort_check does. */
psb_status psb_cohort_normalise(const psb_matrix *matrix, const double *level, int threads,
                                float *out, psb_error *error);
