/*
 * Where a query's relevant models stand in its ranked list: all that a retrieval measure needs; and
 * its whole list, for those who show it.
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
/* For qsort. */
int psb_compare_keys(const void *a, const void *b);

/*
 * The whole list: entry r is the model at rank r + 1, the n - 1 others, nearest first, ties by
 * lower index. `scratch` has PSB_RANK_ALL_BYTES for each model, and holds the result.
 */
enum { PSB_RANK_ALL_BYTES = 16 };
const uint32_t *psb_rank_all(const psb_matrix *matrix, size_t query, uint64_t *scratch);

#endif
