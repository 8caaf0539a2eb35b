/*
 * Where a query's relevant targets stand in its ranked list: all that a retrieval measure needs;
 * and its whole list, for those who show it.
 *
 * The list holds every target but the query, nearest first; of equal distances the target with the
 * lower index comes first.
 */
#ifndef PSB_EVAL_RANKS_H
#define PSB_EVAL_RANKS_H

#include "eval/relevance.h"
#include "io/matrix.h"

typedef struct psb_ranks {
    const uint32_t *rank; /* of the relevant targets, ascending; the front of the list is 1 */
    size_t relevant;      /* R: how many there are */
    size_t listed;        /* length of a whole list: of one set of N models, N - 1 */
    /* All 0 for whole lists within one set, where the query's class has one more, itself: */
    size_t missing;       /* relevant targets that are not in the list: `rank` has that many less */
    size_t cut;           /* how many targets the list lacks of `listed` */
    bool apart;           /* the query is none of its class's targets, or not left out */
    const uint8_t *grade; /* of the targets in `rank`; NULL: all 1 */
    const uint8_t *ideal; /* then, of all R, the largest first */
} psb_ranks;

/* Bytes of scratch that psb_rank_relevant needs for any query; a multiple of 64. */
size_t psb_ranks_scratch(const psb_relevance *relevance);

/*
 * Ranks one query by its row of distances, which must be finite and not negative. `scratch` is
 * aligned to 64 and holds the result, so it must outlive it.
 */
psb_ranks psb_rank_relevant(const psb_relevance *relevance, const float *row, size_t query,
                            void *scratch);

/* Distance and index of a model of the row as one number that sorts by distance, then index. */
uint64_t psb_rank_key(const float *row, size_t model);
/* For qsort. */
int psb_compare_keys(const void *a, const void *b);

/*
 * The whole list: entry r is the target at rank r + 1, all n but `self` where that is one of them,
 * nearest first, ties by lower index. `scratch` has PSB_RANK_ALL_BYTES for each of the n, and holds
 * the result.
 */
enum { PSB_RANK_ALL_BYTES = 16 };
const uint32_t *psb_rank_all(const float *row, size_t n, size_t self, uint64_t *scratch);

#endif
