/*
 * Where a query's relevant models stand in its ranked list: all that a retrieval measure needs.
 *
 * The list holds every model but the query, nearest first; of equal distances the model with the
 * lower index comes first. Relevant are the other models of the query's class.
 */
#ifndef PSB_EVAL_RANKS_H
#define PSB_EVAL_RANKS_H

#include "io/cla.h"
#include "io/matrix.h"

typedef struct psb_ranks {
    const uint32_t *rank; /* of the relevant models, ascending; the front of the list is 1 */
    size_t relevant;      /* R: entries of `rank` */
    size_t listed;        /* N - 1: length of the list */
} psb_ranks;

/* Bytes of scratch that psb_rank_relevant needs for any query; a multiple of 64. */
size_t psb_ranks_scratch(const psb_classification *cla);

/*
 * Ranks one query. `scratch` is aligned to 64 and holds the result, so it must outlive it. The
 * row's distances must be finite and not negative.
 */
psb_ranks psb_rank_relevant(const psb_classification *cla, const psb_matrix *matrix, size_t query,
                            void *scratch);

/* Distance and index of a model of the row as one number that sorts by distance, then index. */
uint64_t psb_rank_key(const float *row, size_t model);

#endif
