/*
 * Lists of the nearest neighbors of queries, as text:
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
#include "io/cla.h"

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

/* Receives the lines in the order of the file; the distance is NAN for lists without distances. */
typedef void psb_neighbors_take(void *context, size_t query, size_t rank, size_t neighbor,
                                double distance);

/*
 * Reads lists of models of `targets`, the database, for models of `queries`; both may be the same
 * pointer. Row numbers count models in the order of their files. PSB_ERROR_INPUT, with the line,
 * for another form, an unknown model, and a model twice in a list or in its own list.
 */
psb_status psb_neighbors_parse(const char *path, const char *data, size_t size,
                               const psb_classification *queries, const psb_classification *targets,
                               psb_neighbors_take *take, void *context, psb_error *error);
