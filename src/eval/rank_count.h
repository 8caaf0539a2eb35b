/*
 * Ranks of relevant models where no matrix is kept: distances come in pieces, in any order, twice.
 * The first time those between models of a class are kept; the second time all others are counted
 * against them. The ranks are those of psb_rank_relevant.
 */
#ifndef PSB_EVAL_RANK_COUNT_H
#define PSB_EVAL_RANK_COUNT_H

#include "eval/ranks.h"

/* For the queries first ... end - 1; those of the miscellaneous class have no ranks. */
typedef struct psb_rank_count psb_rank_count;

/* Bytes for one query of a class of that size. */
size_t psb_rank_count_bytes(const psb_classification *cla, size_t query);

/* The classification must outlive it. */
psb_status psb_rank_count_new(const psb_classification *cla, size_t first, size_t end,
                              psb_rank_count **out, psb_error *error);
void psb_rank_count_free(psb_rank_count *count);

/* Whether a query of the first range and a model of the second are of one class. */
bool psb_rank_count_related(const psb_rank_count *count, size_t first_query, size_t nqueries,
                            size_t first_model, size_t nmodels);

/*
 * First time: distances of `query` to the models first ... first + n - 1, finite and not negative.
 * Pieces of one query must not come at the same time; the same holds below.
 */
void psb_rank_count_keep(psb_rank_count *count, size_t query, size_t first, size_t n,
                         const float *distances);

/* Between: the query has met all models. */
void psb_rank_count_sort(psb_rank_count *count, size_t query);

/* Second time. */
void psb_rank_count_add(psb_rank_count *ranks, size_t query, size_t first, size_t n,
                        const float *distances);

/* Then: beyond this distance it does not matter how far a model is from the query. */
float psb_rank_count_limit(const psb_rank_count *ranks, size_t query);

/* At the end, once for each query: its ranks, in memory of `count`. */
psb_ranks psb_rank_count_finish(psb_rank_count *count, size_t query);

#endif
