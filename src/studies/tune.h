/* Finds weights of a sum of distances on a training set. */
#ifndef PSB_STUDIES_TUNE_H
#define PSB_STUDIES_TUNE_H

#include "distance/recipe.h"
#include "eval/evaluation.h"

/*
 * Sets the weights, from what they are, to those with the best mean DCG: each in turn by the steps
 * of a short ladder, until none helps. For training sets only; whoever calls it sees to that.
 */
psb_status psb_tune_weights(psb_recipe *recipe, const psb_matrix *members,
                            const psb_classification *cla, int threads, double *dcg,
                            psb_error *error);

#endif
