/*
 * Writes lists of the nearest neighbors of queries, as text (io/lists.h reads them):
 *
 *     # psbench search: k=100 metric=l2 queries=907 database=907
 *     query  rank  neighbor  distance
 *     m1     1     m5        0.25
 *
 * Fields are separated by tabs. A query's lines are consecutive, with ranks 1, 2, 3 ... and
 * distances that do not descend. If ids are not known, the columns are query_row and neighbor_row,
 * from 0. More lines that begin with '#' may follow the first.
 */
#pragma once

#include "core/file.h"
#include "core/text.h"

#define PSB_NEIGHBORS_MARK   "# psbench search:"
#define PSB_NEIGHBORS_BY_ID  "query\trank\tneighbor\tdistance"
#define PSB_NEIGHBORS_BY_ROW "query_row\trank\tneighbor_row\tdistance"

typedef struct psb_neighbors_header {
    size_t k; /* the longest list allowed */
    const char *metric;
    size_t queries, database;
    char *const *query_ids, *const *database_ids; /* NULL: row numbers are written */
} psb_neighbors_header;

/* Writes the first two lines; errors show when the output is committed. */
void psb_neighbors_write_head(psb_output *output, const psb_neighbors_header *header);
/* Appends the line of one neighbor of a query. */
void psb_neighbors_add(psb_text *lines, const psb_neighbors_header *header, size_t query,
                       size_t rank, size_t neighbor, float distance);
/* Writes the lines and empties them for the next query. Fails only if appending ran out of
 * memory. */
psb_status psb_neighbors_write(psb_output *output, psb_text *lines, psb_error *error);

/* True if the file begins like such a list; false also if it cannot be read. */
bool psb_neighbors_is_list(const char *path);
/* True if the list names models by row numbers. */
bool psb_neighbors_by_row(const char *path);
