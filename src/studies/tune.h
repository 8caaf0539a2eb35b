/* Finds weights of a sum of distances on a training set. */
#pragma once

#include "distance/recipe.h"
#include "eval/evaluation.h"

/*
 * Changes the weights to those with the best mean DCG: tries the steps of a short ladder for one
 * weight after the other, until no step helps. The caller must make sure that `cla` is a training
 * set.
 */
psb_status psb_tune_weights(psb_recipe *recipe, const psb_matrix *members,
                            const psb_classification *cla, int threads, double *dcg,
                            psb_error *error);
