/*
 * Distances among models, each divided by how far its two models usually lie from others: cohort
 * normalisation, as speaker verification has it for scores. A cohort is a fixed set of models
 * without labels that nothing is scored on; m_i is the mean of model i's smallest distances to it,
 * and
 *     D'(i,j) = D(i,j) / sqrt(m_i m_j).
 * A model near everything (a hub) is pushed away by that, one far from everything is drawn in. D'
 * depends on the pair and on the cohort, not on what else is searched. Ours, 2026, docs/beyond.md.
 */
#ifndef PSB_EVAL_COHORT_H
#define PSB_EVAL_COHORT_H

#include "io/matrix.h"

/* The smallest distances to a cohort of n models that m_i is the mean of: 11 %, rounded up. */
size_t psb_cohort_nearest(size_t n);

/* m_i of the n > 0 distances of a model to its cohort, in any order, which become sorted. */
double psb_cohort_level(float *distances, size_t n);

/*
 * out: n x n, D' of the matrix. PSB_ERROR_INPUT where a level, of which there are n, is not above
 * 0.
 */
psb_status psb_cohort_normalise(const psb_matrix *matrix, const double *level, int threads,
                                float *out, psb_error *error);

#endif
