/*
 * How far apart two sets of rows are, as samples of two distributions.
 *
 *   Frechet distance  |m - m'|^2 + trace(S + S' - 2 (S S')^(1/2)), where m, m' are the means and
 *                     S, S' the covariances (sums over n - 1): the squared distance of two
 *                     Gaussians (Dowson, Landau 1982; for images Heusel et al. 2017)
 *   kernel distance   the unbiased estimate of the squared maximum mean discrepancy for the kernel
 *                     k(x, y) = (x.y / d + 1)^3, with d numbers in a row (Gretton et al. 2012;
 *                     Binkowski et al. 2018). It may fall below 0. Its error is the jackknife's,
 *                     over the rows of both sets (Efron, Stein 1981)
 *
 * LAPACK finds the eigenvalues: the last digits may differ between processors.
 */
#pragma once

#include "psbench.h"

typedef struct psb_sample {
    size_t n, length;
    const double *rows; /* n x length */
} psb_sample;

/*
 * Sets *distance. The rows of both samples have one length. PSB_ERROR_INPUT if a sample has fewer
 * than 2 rows, or more rows or numbers than LAPACK can count. Call psb_linear_enter first.
 */
psb_status psb_frechet_distance(const psb_sample samples[2], double *distance, psb_error *error);

/* Sets the kernel distance and its error, NAN if a sample has fewer than 3 rows. Fails as above. */
psb_status psb_kernel_distance(const psb_sample samples[2], int threads, double *distance,
                               double *deviation, psb_error *error);
