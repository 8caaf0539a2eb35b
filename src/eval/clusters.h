/*
 * Clusters of a set by its distances, and how well they agree with classes.
 *
 * Average linkage (UPGMA, Sokal and Michener 1958): the distance of two clusters is the mean
 * distance of their models, and the two nearest are joined until one is left. The chain of nearest
 * neighbors finds these joints in O(n^2) time (Murtagh 1983, "A survey of recent advances in
 * hierarchical clustering algorithms"; Muellner 2011, "Modern hierarchical, agglomerative
 * clustering algorithms", section 3.2). The distance of two models is the mean of both directions.
 * Ties are broken by the order of the models, so the same matrix always gives the same tree;
 * another order may give another tree where distances are equal.
 */
#pragma once

#include "io/matrix.h"

/* Models are the clusters 0 ... n - 1; joint i makes the cluster n + i of two others. */
typedef struct psb_joint {
    size_t a, b;     /* the clusters that are joined, a < b */
    double distance; /* between a and b; no joint's is less than the one before */
    size_t models;   /* number of models in both */
} psb_joint;

/*
 * Fills joints[0 ... n - 2] with the tree of n rows of the matrix, where cluster i < n is the row
 * models[i]. Takes 4 n^2 bytes. PSB_ERROR_INPUT for a distance that is negative or not finite.
 */
psb_status psb_average_linkage(const psb_matrix *matrix, const size_t *models, size_t n,
                               psb_joint *joints, psb_error *error);

/*
 * Cuts the tree where k clusters are left, k from 1 to n, and sets cluster[i], 0 ... k - 1, to that
 * of model i. Clusters are numbered by their first model.
 */
psb_status psb_clusters_cut(const psb_joint *joints, size_t n, size_t k, size_t *cluster,
                            psb_error *error);

typedef struct psb_agreement {
    double purity; /* share of models whose class is the most frequent one in their cluster */
    /* Mutual information over the mean of the two entropies (Strehl and Ghosh 2002 divide by their
       geometric mean); 1 where both entropies are 0. */
    double nmi;
    double ari; /* adjusted Rand index (Hubert and Arabie 1985); 1 if both are trivial */
} psb_agreement;

/* Compares clusters of n models with classes; cluster[i] < nclusters, class_of[i] < nclasses. */
psb_status psb_clusters_agree(const size_t *class_of, size_t nclasses, const size_t *cluster,
                              size_t nclusters, size_t n, psb_agreement *agreement,
                              psb_error *error);
