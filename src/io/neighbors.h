/*
 * Lists of the nearest neighbors of queries, as text:
 *
 *     # psbench search: k=100 metric=l2 queries=907 database=907
 *     query  rank  neighbor  distance
 *     m1     1     m5        0.25
 *
 * Fields are separated by tabs. A query's lines stand together, ranks 1, 2, 3 ..., distances not
 * descending. Where no ids are known the columns are query_row and neighbor_row, counted from 0.
 * More lines that begin with '#' may follow the first.
 */
#ifndef PSB_IO_NEIGHBORS_H
#define PSB_IO_NEIGHBORS_H

#include "core/file.h"
#include "core/text.h"
#include "io/cla.h"

typedef struct psb_neighbors_header {
    size_t k; /* the longest list allowed */
    const char *metric;
    size_t queries, database;
    char *const *query_ids, *const *database_ids; /* NULL: rows */
} psb_neighbors_header;

/* Write the head, and lines; errors show when the output is committed. */
void psb_neighbors_write_head(psb_output *output, const psb_neighbors_header *header);
/* Adds the line of a query's neighbor. */
void psb_neighbors_add(psb_text *lines, const psb_neighbors_header *header, size_t query,
                       size_t rank, size_t neighbor, float distance);
/* Empties the lines for those of the next query. Fails only if there was no memory for them. */
psb_status psb_neighbors_write(psb_output *output, psb_text *lines, psb_error *error);

/* Whether the file begins as such a list; false also where it cannot be read. */
bool psb_neighbors_is_list(const char *path);
/* Whether the models of such a list are numbers of rows. */
bool psb_neighbors_by_row(const char *path);

/* Takes the lines in the order of the file; the distance is NAN where lists have none. */
typedef void psb_neighbors_take(void *context, size_t query, size_t rank, size_t neighbor,
                                double distance);

/*
 * Reads lists of models of `targets`, the database, for models of `queries`, which may be the same
 * pointer; numbers of rows count models in the order of their files. PSB_ERROR_INPUT with the line
 * for what is not as described above, a model that is not there, one that is twice in a list or in
 * its own.
 */
psb_status psb_neighbors_parse(const char *path, const char *data, size_t size,
                               const psb_classification *queries, const psb_classification *targets,
                               psb_neighbors_take *take, void *context, psb_error *error);

#endif
