/*
 * Ranks of relevant models without a matrix. Distances arrive twice, in pieces and in any order.
 * The first pass keeps the distances within each class; the second counts all others against them.
 * The ranks are those of psb_rank_relevant.
 */
#pragma once

#include "eval/ranks.h"

/* Counts for the queries first ... end - 1. Queries of the miscellaneous class have no ranks. */
typedef struct psb_rank_count psb_rank_count;

/* Bytes that this query takes, which depend on the size of its class. */
size_t psb_rank_count_bytes(const psb_classification *cla, size_t query);

/* The classification must outlive it. */
psb_status psb_rank_count_new(const psb_classification *cla, size_t first, size_t end,
                              psb_rank_count **out, psb_error *error);
void psb_rank_count_free(psb_rank_count *count);

/* True if a query of the first range and a model of the second are of one class. */
bool psb_rank_count_related(const psb_rank_count *count, size_t first_query, size_t nqueries,
                            size_t first_model, size_t nmodels);

/*
 * First pass: adds the distances of `query` to the models first ... first + n - 1, finite and not
 * negative. Two threads must not add to one query at the same time, here and in the second pass.
 */
void psb_rank_count_keep(psb_rank_count *count, size_t query, size_t first, size_t n,
                         const float *distances);

/* Call it between the passes, when the query has met all models. */
void psb_rank_count_sort(psb_rank_count *count, size_t query);

/* Second pass: counts the same distances again, now against those kept. */
void psb_rank_count_add(psb_rank_count *ranks, size_t query, size_t first, size_t n,
                        const float *distances);

/* In the second pass: distances above this value do not matter to the query. */
float psb_rank_count_limit(const psb_rank_count *ranks, size_t query);

/* Ends a query, once, and returns its ranks, in memory of `count`. */
psb_ranks psb_rank_count_finish(psb_rank_count *count, size_t query);
