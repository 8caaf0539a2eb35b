/* Measures matrices for tests that find the same values in other ways. */
#pragma once

#include "eval/evaluation.h"

/* Sets nmodels x count values: each query's, by an evaluation of this matrix alone. */
void test_measure(const psb_classification *cla, const psb_matrix *matrix,
                  const psb_chosen_measure *measures, size_t count, double *values);
