/*
 * Distances that are looked at once and not kept: the tiles of a matrix too large to exist.
 * Features may be mapped from files; nothing larger than tiles is allocated here.
 */
#ifndef PSB_DISTANCE_STREAM_H
#define PSB_DISTANCE_STREAM_H

#include "distance/metric.h"

/* Distances of some queries to some rows: nqueries lines of nrows numbers, one behind the other. */
typedef struct psb_strip {
    size_t first_query, nqueries;
    size_t first_row, nrows;
    const float *distances;
} psb_strip;

typedef struct psb_stream {
    const psb_metric *metric;
    psb_row_view queries, rows;
    /*
     * Both are the same rows: the distance of a pair is computed once and serves both as queries,
     * and a row's distance to itself is 0.
     */
    bool same;
    size_t first, end; /* the queries asked for; `first` is a multiple of `block` */
    size_t block;      /* rows of a tile on either side: PSB_TILE, twice or four times as many */
    bool keep;         /* rows are made ready for tiles once, before the first, and kept so */
    int threads;
    bool release; /* rows lie in mapped files that do not fit in memory: let them go after use */

    /* Whether any pair of these is asked for; NULL: all are. Called by several threads at once. */
    bool (*wanted)(const void *visitor, size_t first_query, size_t nqueries, size_t first_row,
                   size_t nrows);
    /*
     * Takes a strip. Calls for the same query come one at a time, in no particular order; a query
     * meets each row once, itself included.
     */
    void (*visit)(void *visitor, const psb_strip *strip);
    /*
     * NULL, or: beyond which distance the visitor takes nothing more of a query, so that it may be
     * shown another one beyond. Never while it visits the same query.
     */
    float (*limit)(const void *visitor, size_t query);
    void *visitor;

    /* As in psb_distance_matrix; may be NULL. */
    psb_progress *progress;
    void *context;
} psb_stream;

/* Bytes that each thread needs with tiles of `block` rows, and those of rows that are kept ready.
 */
size_t psb_stream_scratch(const psb_metric *metric, size_t length, size_t block, bool keep);
size_t psb_stream_kept(const psb_metric *metric, size_t rows, size_t length, size_t block);

/*
 * A good size of tiles for that many queries and rows: large, but enough of them for the threads.
 * What is computed does not depend on it.
 */
size_t psb_stream_block(size_t queries, size_t rows, int threads);

/*
 * Visits all pairs. PSB_ERROR_INPUT where a distance is not finite, with the first such row and
 * column; PSB_ERROR_USAGE where the metric does not take these rows; PSB_ERROR_INTERRUPTED.
 */
psb_status psb_stream_run(const psb_stream *stream, psb_error *error);

#endif
