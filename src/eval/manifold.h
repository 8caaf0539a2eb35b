/*
 * Manifold ranking (Zhou, Weston, Gretton, Bousquet, Schoelkopf: Ranking on Data Manifolds, NIPS
 * 2004): similarity as diffusion over a graph of neighbors. Mass put on one model spreads along
 * edges; the mass that arrives at another model is their similarity.
 *
 * With s_i the distance from i to its 5th nearest, W_ij = exp(-D_ij^2 / (s_i s_j)) for j among i's
 * 5 nearest, else 0. W is replaced by the mean of itself and its transpose; S = d^-1/2 W d^-1/2, d
 * the row sums of W; F = (I - 0.9 S)^-1. The result of a pair is -log max(F_ij, 1e-12), less the
 * least value of all pairs and divided by the mean of all, plus half of D_ij over the mean of D.
 */
#pragma once

#include "eval/rerank.h"

/*
 * Sets out[model * length + rank] to the result of each pair in the lists; least value and mean are
 * taken over these pairs. PSB_ERROR_INPUT if lists that do not hold all models have fewer than 5.
 * Each column of F is solved by conjugate gradients on the sparse S, with sums in a fixed order:
 * the same bits on every processor and for any number of threads.
 */
psb_status psb_manifold_lists(const psb_near *near, int threads, float *out, psb_error *error);
