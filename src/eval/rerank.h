/*
 * Re-ranking: distances that also use the other, unlabeled models of the set. k-reciprocal
 * re-ranking (Zhong, Zheng, Cao, Li: Re-ranking person re-identification with k-reciprocal
 * encoding, CVPR 2017) on any symmetric distances that are 0 between a model and itself.
 *
 * N(i,k) is i and its k nearest, equal distances ordered by index. R(i,k) holds those j of N(i,k)
 * with i in N(j,k). R*(i) is R(i,k1) together with every R(j, k1/2 rounded up), j in R(i,k1), of
 * which more than two thirds lie in R(i,k1). v_i(t) = exp(-D(i,t) / m) for t in R*(i), scaled to
 * sum 1, then replaced by the mean of v over N(i, k2 - 1). With s the sum over t of min(v_i(t),
 * v_j(t)) and m the mean distance,
 *
 *   D'(i,j) = (1 - lambda) (1 - s / (2 - s)) + lambda D(i,j) / m
 *
 * (the paper's eq. 12; lambda is the weight of the original distance).
 */
#pragma once

#include "io/matrix.h"

/* `method`: the distances above, those of eval/manifold.h, or both added, each over its mean. */
typedef struct psb_reranking {
    size_t k1, k2; /* 1 ... PSB_RERANK_K_MOST; PSB_MR uses neither k1, k2 nor lambda */
    double lambda; /* 0 ... 1 */
    int threads;
    psb_rerank_method method;
} psb_reranking;

/* Chosen on the training set: docs/beyond.md. */
#define PSB_RERANK_DEFAULTS                                                                        \
    { 10, 3, 0.5, 1, PSB_KR }

/*
 * The nearest models of each model, without itself, at [model * length + rank]. A distance that is
 * in neither of two models' lists is unknown; such a pair is ignored.
 */
typedef struct psb_near {
    size_t models, length;
    const uint32_t *model; /* nearest first, of equal distances the lower index */
    const float *distance;
    double mean; /* mean of all distances: m above */
} psb_near;

/* The name of a method, for files and pages. */
const char *psb_rerank_name(psb_rerank_method method);

/*
 * Sets out, n x n, to the symmetric new distances. PSB_ERROR_INPUT for a matrix that is not
 * symmetric or not 0 on the diagonal.
 */
psb_status psb_rerank_matrix(const psb_matrix *matrix, const psb_reranking *options, float *out,
                             psb_error *error);

/*
 * Sets out[model * length + rank] to the new distance of that pair, in the order of the lists.
 * PSB_ERROR_INPUT if the lists are shorter than k1, k2 - 1, or what the manifold needs.
 */
psb_status psb_rerank_lists(const psb_near *near, const psb_reranking *options, float *out,
                            psb_error *error);
