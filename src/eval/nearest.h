/* The k nearest rows of each query, kept while distances come by in any order. */
#ifndef PSB_EVAL_NEAREST_H
#define PSB_EVAL_NEAREST_H

#include "psbench.h"

/* Of the queries first ... end - 1. */
typedef struct psb_nearest psb_nearest;

/* Bytes for one query. */
size_t psb_nearest_bytes(size_t k);

psb_status psb_nearest_new(size_t first, size_t end, size_t k, psb_nearest **out, psb_error *error);
/* The k(context, query) > 0 nearest of each query. */
psb_status psb_nearest_new_each(size_t first, size_t end,
                                size_t (*k)(const void *context, size_t query), const void *context,
                                psb_nearest **out, psb_error *error);
void psb_nearest_free(psb_nearest *nearest);

/*
 * Distances of `query` to the rows first ... first + n - 1 < 2^32, finite and not negative; the row
 * `skip` is left out. Pieces of one query must not come at the same time. Queries that were not
 * asked for are ignored.
 */
void psb_nearest_add(psb_nearest *nearest, size_t query, size_t first, size_t n,
                     const float *distances, size_t skip);

/* Beyond this distance the query takes no row any more. */
float psb_nearest_limit(const psb_nearest *nearest, size_t query);

/*
 * At the end, once for each query: its nearest rows as keys in ascending order, in memory of
 * `nearest`. Of equal distances the row with the lower index comes first. Returns how many.
 */
size_t psb_nearest_finish(psb_nearest *nearest, size_t query, const uint64_t **keys);

/*
 * Gives the query's rows other distances, in the order of its keys; the next psb_nearest_finish
 * then has the rows in the order of these.
 */
void psb_nearest_replace(psb_nearest *nearest, size_t query, const float *distances);

/* What a key says. */
size_t psb_nearest_row(uint64_t key);
float psb_nearest_distance(uint64_t key);

#endif
