/*
 * Clusters of a set by its distances, and how well they agree with classes.
 *
 * Average linkage (UPGMA, Sokal and Michener 1958): the distance of two clusters is the mean
 * distance of their models, and the two nearest are joined until one is left. The chain of nearest
 * neighbors finds these joints in O(n^2) time (Murtagh 1983, "A survey of recent advances in
 * hierarchical clustering algorithms"; Muellner 2011, "Modern hierarchical, agglomerative
 * clustering algorithms", section 3.2). The distance of two models is the mean of both directions.
 * Of equal distances the one to the model that comes first is taken, so that the same matrix gives
 * the same tree; where distances are equal another order of models may give another.
 */
#ifndef PSB_EVAL_CLUSTERS_H
#define PSB_EVAL_CLUSTERS_H

#include "io/matrix.h"

/* Clusters are numbered: the models 0 ... n - 1, then that of joint i, n + i. */
typedef struct psb_joint {
    size_t a, b;     /* the two, a before b */
    double distance; /* of the two, not descending from joint to joint */
    size_t models;   /* in both */
} psb_joint;

/*
 * Fills joints[n - 1], of the models models[n] of the matrix, numbered as there. Takes 4 n^2 bytes.
 * PSB_ERROR_INPUT for a distance that is negative or not finite.
 */
psb_status psb_average_linkage(const psb_matrix *matrix, const size_t *models, size_t n,
                               psb_joint *joints, psb_error *error);

/*
 * cluster[i], 0 ... k - 1, of each of n models when k clusters are left, k from 1 to n; clusters
 * are numbered by their first model.
 */
psb_status psb_clusters_cut(const psb_joint *joints, size_t n, size_t k, size_t *cluster,
                            psb_error *error);

typedef struct psb_agreement {
    double purity; /* share of models that are of the class which their cluster has most of */
    /* Mutual information over the mean of the two entropies (Strehl and Ghosh 2002 divide by their
       geometric mean); 1 where both entropies are 0. */
    double nmi;
    double ari; /* adjusted Rand index (Hubert and Arabie 1985); 1 for two that are trivially one */
} psb_agreement;

/* Of n models with a class below nclasses and a cluster below nclusters each. */
psb_status psb_clusters_agree(const size_t *class_of, size_t nclasses, const size_t *cluster,
                              size_t nclusters, size_t n, psb_agreement *agreement,
                              psb_error *error);

#endif
