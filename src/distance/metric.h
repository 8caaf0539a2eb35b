/* Distances between descriptor rows: the table of metrics. */
#ifndef PSB_DISTANCE_METRIC_H
#define PSB_DISTANCE_METRIC_H

#include "core/parallel.h"
#include "io/npy.h"

#include <stdbool.h>

/* Rows of features: n x length numbers of one element type, C order. */
typedef struct psb_row_view {
    const void *data;
    size_t n;
    size_t length;
    psb_element element;
} psb_row_view;

/* Rows in a tile at most, on either side, where a metric does not say otherwise. */
enum { PSB_TILE = 128 };

/* Rows of one side of a tile, ready for it: see psb_block_prepare. */
typedef struct psb_block {
    const struct psb_metric *metric; /* that they are ready for */
    psb_row_view rows;
    const void *prepared;
    /*
     * Of each row, or NULL: the distance from which on it asks for nothing. A tile may have any
     * greater number in the place of one that both of its rows, or one without limits beside a row
     * with one, do not ask for.
     */
    const float *limit;
} psb_block;

typedef struct psb_metric {
    const char *name;
    const char *help;
    unsigned revision;   /* raised by hand when its numbers change, as a descriptor's */
    psb_element element; /* of the rows it takes */
    bool no_negatives;   /* negative numbers in rows are an error */
    size_t most_rows;    /* of a block: a multiple of PSB_TILE */

    /* The plain reference: distance of two rows. */
    double (*pair)(const void *a, const void *b, size_t length);

    /* What is done once with the rows of a block and not again for each tile; NULL: nothing. */
    void (*prepare)(const psb_row_view *rows, void *prepared);
    size_t (*prepared_bytes)(size_t rows, size_t length);

    /*
     * A tile of the matrix: out[i * stride + j] = distance of a's row i and b's row j. With
     * `upper`, where a and b are the same block, only entries with j > i are wanted and the others
     * of the tile may become anything. `scratch` has psb_tile_scratch(metric, rows, length) bytes,
     * aligned to 64.
     *
     * A distance has the same bits wherever in whatever blocks its two rows stand, in either
     * order, in any thread. Threads call psb_linear_setup once before their first tile.
     */
    void (*tile)(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride);
    size_t (*tile_scratch)(size_t rows, size_t length); /* NULL: none */

    /* NULL where any length will do; else says whether this length is one the metric knows. */
    int (*accepts)(size_t length);

    /* NULL, or the same metric in tiles that are cheaper where blocks have limits. */
    const struct psb_metric *limited;
} psb_metric;

size_t psb_metric_count(void);
const psb_metric *psb_metric_at(size_t index);
const psb_metric *psb_metric_find(const char *name);

/* The metric for such rows where blocks have limits: itself, or another form of it. */
const psb_metric *psb_metric_limited(const psb_metric *metric, size_t length);

/* The table; a new metric is a line here beside its file. */
#define PSB_METRICS(ENTRY)                                                                         \
    ENTRY(psb_l1)                                                                                  \
    ENTRY(psb_l2)                                                                                  \
    ENTRY(psb_lfd_metric)                                                                          \
    ENTRY(psb_cosine)                                                                              \
    ENTRY(psb_chi2)                                                                                \
    ENTRY(psb_pose8)                                                                               \
    ENTRY(psb_pose48)                                                                              \
    ENTRY(psb_hamming)                                                                             \
    ENTRY(psb_cube)                                                                                \
    ENTRY(psb_sum)

#define PSB_METRIC_DECLARED(name) extern const psb_metric name;
PSB_METRICS(PSB_METRIC_DECLARED)

/*
 * Bytes for a prepared block of `rows` rows, and for the scratch of tiles of so many at most on
 * either side; multiples of 64, may be 0.
 */
size_t psb_block_bytes(const psb_metric *metric, size_t rows, size_t length);
size_t psb_tile_scratch(const psb_metric *metric, size_t rows, size_t length);

/*
 * Makes at most metric->most_rows rows ready. `memory` has psb_block_bytes bytes for so many,
 * aligned to 64; it and the rows must outlive the block.
 */
psb_block psb_block_prepare(const psb_metric *metric, const psb_row_view *rows, void *memory);

/*
 * Whether the metric takes these rows: PSB_ERROR_USAGE for another element type or length,
 * PSB_ERROR_INPUT for a negative number where there must be none.
 */
psb_status psb_metric_check(const psb_metric *metric, const psb_row_view *rows, psb_error *error);

/* "float32" or "uint8" */
const char *psb_element_name(psb_element element);

/* The rows of an array that was read; they are valid as long as it is open. */
psb_row_view psb_npy_rows(const psb_npy *npy);

/* The rows from `first`, at most n. */
psb_row_view psb_rows_part(const psb_row_view *rows, size_t first, size_t n);

/* A tile of a metric that knows nothing faster than one pair after the other. */
void psb_tile_by_pairs(double (*pair)(const void *a, const void *b, size_t length),
                       const psb_block *a, const psb_block *b, bool upper, float *out,
                       size_t stride);

/* to[j * to_stride + i] = from[i * stride + j]; the two must not overlap. */
void psb_tile_turn(const float *restrict from, size_t rows, size_t columns, size_t stride,
                   float *restrict to, size_t to_stride);

/* Completes an `upper` tile of n rows with themselves: 0 on the diagonal, below it the mirror. */
void psb_tile_mirror(float *tile, size_t n, size_t stride);

/*
 * All pairs: out is n x n, symmetric, zero on the diagonal; the bytes do not depend on `threads`.
 * `progress` (may be NULL) counts tiles. Errors as of psb_stream_run.
 */
psb_status psb_distance_matrix(const psb_metric *metric, const psb_row_view *rows, int threads,
                               float *out, psb_progress *progress, void *context, psb_error *error);
/* Of the rows of one set to those of another: queries->n x rows->n. */
psb_status psb_distance_between(const psb_metric *metric, const psb_row_view *queries,
                                const psb_row_view *rows, int threads, float *out,
                                psb_progress *progress, void *context, psb_error *error);

#endif
