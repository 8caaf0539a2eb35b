/*
 * The ranks of a query's relevant targets in its ranked list, from which every retrieval measure
 * follows; and the whole list, by psb_rank_all.
 *
 * The list holds every target but the query, nearest first; equal distances are ordered by index.
 */
#pragma once

#include "eval/relevance.h"
#include "io/matrix.h"

typedef struct psb_ranks {
    const uint32_t *rank; /* ranks of the relevant targets, ascending; the first of a list is 1 */
    size_t relevant;      /* R: number of relevant targets */
    size_t listed;        /* length of a whole list: N - 1 for one set of N models */
    /*
     * All 0 for whole lists without grades from which the query, a model of the class, is left out:
     */
    size_t
        missing; /* relevant targets that are not in the list; `rank` has that many fewer entries */
    size_t cut;  /* how many of the `listed` targets are not in the list */
    bool apart;  /* the query is not a target of its class, or stays in its list */
    const uint8_t *grade; /* grades of the targets in `rank`; NULL: all 1 */
    const uint8_t *ideal; /* with grades: the grades of all R targets, largest first */
} psb_ranks;

/* Bytes of scratch memory that psb_rank_relevant needs for any query; a multiple of 64. */
size_t psb_ranks_scratch(const psb_relevance *relevance);

/*
 * Ranks one query by its row of distances, which must be finite and not negative. `scratch` is
 * aligned to 64 bytes and must outlive the result, which it holds.
 */
psb_ranks psb_rank_relevant(const psb_relevance *relevance, const float *row, size_t query,
                            void *scratch);

/* Makes a number of a model's distance and index; numbers sort by distance, then by index. */
uint64_t psb_rank_key(const float *row, size_t model);
/* Compares two such numbers, for qsort. */
int psb_compare_keys(const void *a, const void *b);

/*
 * Returns the whole list: entry r is the target at rank r + 1. All n targets but `self` are in it,
 * nearest first, ties by index. `scratch` holds the list, and has PSB_RANK_ALL_BYTES for each
 * target.
 */
enum { PSB_RANK_ALL_BYTES = 16 };
const uint32_t *psb_rank_all(const float *row, size_t n, size_t self, uint64_t *scratch);
