/*
 * The silhouette of classes by distances (Rousseeuw 1987, "Silhouettes: a graphical aid to the
 * interpretation and validation of cluster analysis"), as scikit-learn computes silhouette_score:
 * of a model with the mean distance a to the others of its class and the least mean distance b to
 * those of another class, (b - a) / max(a, b); 0 for the only model of a class, and where both are
 * 0. Distances are those of the model's row of the matrix.
 */
#pragma once

#include "io/matrix.h"

/*
 * Sets *mean to the mean over the rows models[0 ... n - 1] of the matrix, where label[i], below
 * nlabels, is the class of models[i]; NaN for fewer than two classes, or as many as models.
 */
psb_status psb_silhouette(const psb_matrix *matrix, const size_t *models, const size_t *label,
                          size_t nlabels, size_t n, double *mean, psb_error *error);
