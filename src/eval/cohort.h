/*
 * Cohort normalisation, as speaker verification applies to scores: divides each distance by how far
 * its two models usually lie from others. A cohort is a fixed set of unlabelled models that take no
 * part in the evaluation. With m_i the mean of model i's smallest distances to the cohort,
 *
 *   D'(i,j) = D(i,j) / sqrt(m_i m_j).
 *
 * This pushes away a model that is near everything (a hub) and draws in one far from everything. D'
 * depends on the pair and the cohort, not on the other models that are searched. Ours, 2026,
 * docs/beyond.md.
 */
#ifndef PSB_EVAL_COHORT_H
#define PSB_EVAL_COHORT_H

#include "io/matrix.h"

/* How many smallest distances to a cohort of n models m_i averages: 11 %, rounded up. */
size_t psb_cohort_nearest(size_t n);

/* m_i from the n > 0 distances of a model to its cohort, in any order; sorts them. */
double psb_cohort_level(float *distances, size_t n);

/* PSB_ERROR_INPUT where one of n levels is not above 0. */
psb_status psb_cohort_check(const double *level, size_t n, psb_error *error);

/* out[j]: D' of distances[j] between a model of the level `own` and n others of these levels. */
void psb_cohort_divide(const float *distances, size_t n, double own, const double *level,
                       float *out);

/* out: n x n, D' of the matrix. Errors as of psb_cohort_check. */
psb_status psb_cohort_normalise(const psb_matrix *matrix, const double *level, int threads,
                                float *out, psb_error *error);

#endif
