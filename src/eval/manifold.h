/*
 * Manifold ranking (Zhou, Weston, Gretton, Bousquet, Schoelkopf: Ranking on Data Manifolds, NIPS
 * 2004): how much of what is put on one model of a graph of neighbors arrives at another.
 *
 * With s_i the distance from i to its 5th nearest, W_ij = exp(-D_ij^2 / (s_i s_j)) for j among i's
 * 5 nearest, else 0; W becomes the mean of itself and its transpose; S = d^-1/2 W d^-1/2, d the
 * sums of W's rows; F = (I - 0.9 S)^-1. The result of a pair is -log max(F_ij, 1e-12), less the
 * least of all pairs and over the mean of all, plus half of D_ij over the mean of D.
 */
#ifndef PSB_EVAL_MANIFOLD_H
#define PSB_EVAL_MANIFOLD_H

#include "eval/rerank.h"

/*
 * out[model * length + rank]: the result for the pairs that stand in the lists, over which least
 * and mean are taken. PSB_ERROR_INPUT where lists that do not have all models have fewer than 5. A
 * column of F is found by conjugate gradients on the sparse S, a model at a time, in the order of
 * plain sums: the same bits on every processor and for any number of threads.
 */
psb_status psb_manifold_lists(const psb_near *near, int threads, float *out, psb_error *error);

#endif
