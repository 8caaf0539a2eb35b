/*
 * The ranks of a query's relevant targets in its ranked list, from which every retrieval measure
 * follows; and its whole list.
 *
 * The list holds every target but the query, nearest first; equal distances are ordered by index.
 */
#ifndef PSB_EVAL_RANKS_H
#define PSB_EVAL_RANKS_H

#include "eval/relevance.h"
#include "io/matrix.h"

typedef struct psb_ranks {
    const uint32_t *rank; /* of the relevant targets, ascending; the first of the list has rank 1 */
    size_t relevant;      /* R: number of relevant targets */
    size_t listed;        /* length of a whole list: N - 1 for one set of N models */
    /*
     * All 0 for whole lists within one set, where the query's class has one more model, the query:
     */
    size_t missing; /* relevant targets that the list lacks; `rank` has that many fewer entries */
    size_t cut;     /* targets that the list lacks of `listed` */
    bool apart;     /* the query is not a target of its class, or stays in its list */
    const uint8_t *grade; /* of the targets in `rank`; NULL: all 1 */
    const uint8_t *ideal; /* with grades: those of all R, largest first */
} psb_ranks;

/* Bytes of scratch memory of psb_rank_relevant for any query; a multiple of 64. */
size_t psb_ranks_scratch(const psb_relevance *relevance);

/*
 * Ranks one query by its row of distances, which must be finite and not negative. `scratch` is
 * aligned to 64 and holds the result, so it must outlive it.
 */
psb_ranks psb_rank_relevant(const psb_relevance *relevance, const float *row, size_t query,
                            void *scratch);

/* Distance and index of a model as one number, which sorts by distance, then index. */
uint64_t psb_rank_key(const float *row, size_t model);
/* For qsort. */
int psb_compare_keys(const void *a, const void *b);

/*
 * The whole list: entry r is the target at rank r + 1, all n without `self` if that is one of them,
 * nearest first, ties by index. `scratch` has PSB_RANK_ALL_BYTES for each of the n, and holds the
 * result.
 */
enum { PSB_RANK_ALL_BYTES = 16 };
const uint32_t *psb_rank_all(const float *row, size_t n, size_t self, uint64_t *scratch);

#endif
