/*
 * Metrics: distances between descriptor rows, and the table of them.
 *
 * A metric states its distance twice: `pair`, the plain reference, and `tile`, which computes the
 * distances of two blocks of rows at once and is fast. Both give the same bits for the same two
 * rows, whatever block they are in, so that results depend neither on the block size nor on the
 * number of threads. A block may be prepared once (`prepare`) and then used in many tiles.
 */
#pragma once

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

/* The most rows on either side of a tile, unless a metric says otherwise. */
enum { PSB_TILE = 128 };

/* One side of a tile: rows, prepared by psb_block_prepare. */
typedef struct psb_block {
    const struct psb_metric *metric; /* the metric for which the rows are prepared */
    psb_row_view rows;
    const void *prepared;
    /*
     * Upper bound for each row, or NULL. A distance above the bounds of both rows need not be
     * exact: any value above both will do. If only one block of a tile has
     * bounds, they alone count.
     */
    const float *limit;
} psb_block;

typedef struct psb_metric {
    const char *name;
    const char *help;
    unsigned revision;   /* raised by hand when its distances change */
    psb_element element; /* type of the numbers in its rows */
    bool no_negatives;   /* negative numbers in rows are an error */
    size_t most_rows;    /* most rows of a block; a multiple of PSB_TILE */

    /* Returns the distance of two rows; the plain reference. */
    double (*pair)(const void *a, const void *b, size_t length);

    /* Prepares the rows of a block once for all of its tiles; NULL: nothing to prepare. */
    void (*prepare)(const psb_row_view *rows, void *prepared);
    size_t (*prepared_bytes)(size_t rows, size_t length);

    /*
     * Computes a tile of the matrix: out[i * stride + j] = distance of a's row i and b's row j.
     * With `upper`, where a and b are the same block, only entries with j > i are defined.
     * `scratch` has psb_tile_scratch(metric, rows, length) bytes, aligned to 64.
     *
     * A distance has the same bits in every block, position, order of the two rows, and thread.
     * Each thread calls psb_linear_setup once before its first tile.
     */
    void (*tile)(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride);
    size_t (*tile_scratch)(size_t rows, size_t length); /* NULL: none */

    /* Returns whether rows may have this length; NULL: any length. */
    int (*accepts)(size_t length);

    /*
     * Computes a short row. The distances of short rows by psb_l1 order rows nearly as the metric's
     * own do, so that a search finds good candidates early; NULL: none.
     */
    void (*outline)(const void *row, size_t length, float *out);
    size_t outline_length;

    /* The same metric with tiles that are faster for blocks with bounds; NULL: none. */
    const struct psb_metric *limited;
} psb_metric;

size_t psb_metric_count(void);
const psb_metric *psb_metric_at(size_t index);
const psb_metric *psb_metric_find(const char *name);
/* The words that psb_metric_find knows: the metrics' names, then others' for some; NULL behind. */
const char *psb_metric_word(size_t index);

/*
 * Returns the metric to use for rows of this length in blocks with bounds: its `limited` form if it
 * has one and the rows are long enough, else itself.
 */
const psb_metric *psb_metric_limited(const psb_metric *metric, size_t length);

/* The table. A new metric needs one line here, beside its file. */
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
    ENTRY(psb_cd)                                                                                  \
    ENTRY(psb_cd_l1)                                                                               \
    ENTRY(psb_hausdorff)                                                                           \
    ENTRY(psb_emd)                                                                                 \
    ENTRY(psb_emd_auction)                                                                         \
    ENTRY(psb_sum)

#define PSB_METRIC_DECLARED(name) extern const psb_metric name;
PSB_METRICS(PSB_METRIC_DECLARED)

/*
 * Return the bytes of a prepared block of `rows` rows, and of the scratch memory of tiles of at
 * most `rows` rows on either side. Multiples of 64; may be 0.
 */
size_t psb_block_bytes(const psb_metric *metric, size_t rows, size_t length);
size_t psb_tile_scratch(const psb_metric *metric, size_t rows, size_t length);

/*
 * Prepares at most metric->most_rows rows. `memory` has psb_block_bytes bytes for that many rows,
 * aligned to 64; memory and rows must outlive the block.
 */
psb_block psb_block_prepare(const psb_metric *metric, const psb_row_view *rows, void *memory);

/* Returns the larger bound of two rows; FLT_MAX if neither block has bounds. */
float psb_block_limit(const psb_block *a, size_t i, const psb_block *b, size_t j);

/*
 * Checks that the metric takes these rows: PSB_ERROR_USAGE for another element type or length,
 * PSB_ERROR_INPUT for a negative number if the metric takes none.
 */
psb_status psb_metric_check(const psb_metric *metric, const psb_row_view *rows, psb_error *error);

/* Like psb_metric_check, for an array; rows of uint8 become float32 where the metric takes that. */
psb_status psb_metric_fit(const psb_metric *metric, psb_npy *npy, psb_error *error);

/* Returns "float32" or "uint8". */
const char *psb_element_name(psb_element element);

/* Returns the rows of an array; valid while the array is open. */
psb_row_view psb_npy_rows(const psb_npy *npy);

/* Returns the rows from number `first` on, at most n. */
psb_row_view psb_rows_part(const psb_row_view *rows, size_t first, size_t n);

/* Computes a tile pair by pair, for metrics without a faster way. */
void psb_tile_by_pairs(double (*pair)(const void *a, const void *b, size_t length),
                       const psb_block *a, const psb_block *b, bool upper, float *out,
                       size_t stride);

/* Sets to[j * to_stride + i] to from[i * stride + j]; the two must not overlap. */
void psb_tile_turn(const float *restrict from, size_t rows, size_t columns, size_t stride,
                   float *restrict to, size_t to_stride);

/*
 * Completes an `upper` tile of n rows with themselves: zeros on the diagonal, the mirror image
 * below it.
 */
void psb_tile_mirror(float *tile, size_t n, size_t stride);

/*
 * Computes all pairs: out is n x n, symmetric, zero on the diagonal. The bytes do not depend on
 * `threads`. `progress` (may be NULL) counts tiles. Errors are those of psb_stream_run.
 */
psb_status psb_distance_matrix(const psb_metric *metric, const psb_row_view *rows, int threads,
                               float *out, psb_progress *progress, void *context, psb_error *error);
/* Computes the distances of one set's rows to another's: queries->n x rows->n. */
psb_status psb_distance_between(const psb_metric *metric, const psb_row_view *queries,
                                const psb_row_view *rows, int threads, float *out,
                                psb_progress *progress, void *context, psb_error *error);
/*
 * Computes lines first ... end - 1 of either matrix, (end - first) x rows->n, with the same bytes;
 * `first` is a multiple of PSB_TILE. If `queries` is `rows`, each pair among these lines is
 * computed once.
 */
psb_status psb_distance_lines(const psb_metric *metric, const psb_row_view *queries,
                              const psb_row_view *rows, size_t first, size_t end, int threads,
                              float *out, psb_progress *progress, void *context, psb_error *error);
