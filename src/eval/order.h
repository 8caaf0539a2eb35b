/* A query's whole ranked list, where more is wanted than the ranks of its relevant models. */
#ifndef PSB_EVAL_ORDER_H
#define PSB_EVAL_ORDER_H

#include "io/matrix.h"

/* order[r] is the model at rank r + 1: the n - 1 others, nearest first, ties by lower index.
   `scratch` has n entries. */
void psb_rank_all(const psb_matrix *matrix, size_t query, uint64_t *scratch, uint32_t *order);

#endif
