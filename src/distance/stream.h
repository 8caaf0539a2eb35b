/*
 * A stream of distances: computes the tiles of a matrix that is too large to keep and passes each
 * to a visitor, which sees every pair once. Features may be mapped from files; only tiles
 * and, with `keep`, prepared rows are allocated here.
 */
#pragma once

#include "distance/metric.h"

/* Distances of some queries to some rows: nqueries lines of nrows numbers. */
typedef struct psb_strip {
    size_t first_query, nqueries;
    size_t first_row, nrows;
    const float *distances;
} psb_strip;

typedef struct psb_stream {
    const psb_metric *metric;
    psb_row_view queries, rows;
    /*
     * Queries and rows are the same: each pair is computed once and passed for both of its models,
     * and the distance of a row to itself is 0.
     */
    bool same;
    size_t first, end; /* queries asked for; if `same`, `first` is a multiple of `block` */
    size_t block;      /* rows of a tile on either side: PSB_TILE, twice or four times as many */
    bool keep;         /* rows are prepared once, before the first tile, and kept */
    int threads;
    bool release; /* rows are mapped from files that do not fit in memory: release their pages after
                     use */

    /* Returns whether the visitor wants a pair of these queries and rows; NULL: all. Several
       threads call it at once. */
    bool (*wanted)(const void *visitor, size_t first_query, size_t nqueries, size_t first_row,
                   size_t nrows);
    /*
     * Receives a strip. Calls for one query come one at a time, in any order of rows; a query meets
     * each row once, itself included.
     */
    void (*visit)(void *visitor, const psb_strip *strip);
    /*
     * Returns the distance above which the visitor ignores rows of a query, so that the stream may
     * pass any larger value there; NULL: it ignores none. Not called while the visitor works on the
     * same query.
     */
    float (*limit)(const void *visitor, size_t query);
    void *visitor;

    /* Counts tiles; may be NULL. */
    psb_progress *progress;
    void *context;
} psb_stream;

/* Return the bytes for each thread with tiles of `block` rows, and of all kept prepared rows. */
size_t psb_stream_scratch(const psb_metric *metric, size_t length, size_t block, bool keep);
size_t psb_stream_kept(const psb_metric *metric, size_t rows, size_t length, size_t block);

/*
 * Chooses the size of tiles: large, but with enough tiles for all threads. Results do not depend on
 * it.
 */
size_t psb_stream_block(size_t queries, size_t rows, int threads);

/*
 * Computes and passes all pairs. PSB_ERROR_INPUT if a distance is not finite or is negative, with
 * the first such row and column; PSB_ERROR_USAGE if the metric does not take these rows;
 * PSB_ERROR_INTERRUPTED.
 */
psb_status psb_stream_run(const psb_stream *stream, psb_error *error);
