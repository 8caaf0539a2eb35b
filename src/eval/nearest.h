/* The k nearest rows of each query, collected while distances arrive in any order. */
#pragma once

#include "io/matrix.h"

/* Collects rows for the queries first ... end - 1. */
typedef struct psb_nearest psb_nearest;

/* Bytes that one query takes. */
size_t psb_nearest_bytes(size_t k);

psb_status psb_nearest_new(size_t first, size_t end, size_t k, psb_nearest **out, psb_error *error);
/* The same with k(context, query) > 0 rows for each query. */
psb_status psb_nearest_new_each(size_t first, size_t end,
                                size_t (*k)(const void *context, size_t query), const void *context,
                                psb_nearest **out, psb_error *error);
void psb_nearest_free(psb_nearest *nearest);

/*
 * Adds the distances of `query` to the rows first ... first + n - 1 < 2^32, finite and not
 * negative, except the row `skip`. Two threads must not add to one query at the same time. Queries
 * outside of the range are ignored.
 */
void psb_nearest_add(psb_nearest *nearest, size_t query, size_t first, size_t n,
                     const float *distances, size_t skip);

/*
 * The distance above which the query takes no more rows. No thread may add to the query at the same
 * time.
 */
float psb_nearest_limit(psb_nearest *nearest, size_t query);

/* Says before the first distance that the query's k nearest rows are known to be within `limit`. */
void psb_nearest_begin_at(psb_nearest *nearest, size_t query, float limit);

/*
 * Ends a query, once, and sets *keys to its nearest rows, as ascending keys in memory of `nearest`;
 * equal distances are ordered by row. Returns their number.
 */
size_t psb_nearest_finish(psb_nearest *nearest, size_t query, const uint64_t **keys);

/*
 * Keeps the first `count` rows of the query's keys and gives them these distances instead; the next
 * psb_nearest_finish has the rows in the order of the new distances.
 */
void psb_nearest_replace(psb_nearest *nearest, size_t query, const float *distances, size_t count);

/*
 * Lists the k nearest columns of each row of a matrix, without the column skip[row] or, where
 * `skip` is NULL, the row's own: column[row * k + rank] and, unless NULL, distance[] alike. What is
 * behind the end of a list stays as it was.
 */
psb_status psb_nearest_of_matrix(const psb_matrix *matrix, const size_t *skip, size_t k,
                                 int threads, uint32_t *column, float *distance, psb_error *error);

/* The row and the distance of a key. */
size_t psb_nearest_row(uint64_t key);
float psb_nearest_distance(uint64_t key);
