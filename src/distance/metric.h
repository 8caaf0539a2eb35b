/* Distances between descriptor rows: the table of metrics. */
#ifndef PSB_DISTANCE_METRIC_H
#define PSB_DISTANCE_METRIC_H

#include "psbench.h"

#include <stdbool.h>

/* Rows of features: n x length numbers of one element type, C order. */
typedef struct psb_rows {
    const void *data;
    size_t n;
    size_t length;
    psb_element element;
} psb_rows;

typedef struct psb_metric {
    const char *name;
    const char *help;
    psb_element element; /* of the rows it takes */
    bool no_negatives;   /* negative numbers in rows are an error */
    size_t tile_rows;    /* of a tile at most, on either side: PSB_TILE or more */

    /* The plain reference: distance of two rows. */
    double (*pair)(const void *a, const void *b, size_t length);

    /*
     * A tile of the matrix: out[i * stride + j] = distance of a's row i and b's row j. `scratch`
     * has tile_scratch(length) bytes, aligned to 64. A distance depends on its two rows alone:
     * not on the tile, nor on which of them is a's, nor on the calling thread.
     */
    void (*tile)(const psb_rows *a, const psb_rows *b, void *scratch, float *out, size_t stride);
    size_t (*tile_scratch)(size_t length);

    /* NULL where any length will do; else says whether this length is one the metric knows. */
    int (*accepts)(size_t length);
} psb_metric;

size_t psb_metric_count(void);
const psb_metric *psb_metric_at(size_t index);
const psb_metric *psb_metric_find(const char *name);

extern const psb_metric psb_l1;
extern const psb_metric psb_l2;
extern const psb_metric psb_lfd_metric;
extern const psb_metric psb_cosine;
extern const psb_metric psb_chi2;

/* A tile of a metric that knows nothing faster than one pair after the other. */
void psb_tile_by_pairs(double (*pair)(const void *a, const void *b, size_t length),
                       const psb_rows *a, const psb_rows *b, float *out, size_t stride);

/* Rows in a tile of psb_distance_matrix at most, on either side. */
enum { PSB_TILE = 128 };

/*
 * All pairs: out is n x n, symmetric, zero on the diagonal. Tiles of the upper triangle are shared
 * among `threads` OpenMP threads; the bytes do not depend on their number. `progress`, where not
 * NULL, is called with done and total tiles, by one thread at a time; returning nonzero stops with
 * PSB_ERROR_INTERRUPTED.
 */
psb_status psb_distance_matrix(const psb_metric *metric, const psb_rows *rows, int threads,
                               float *out, int (*progress)(size_t, size_t, void *), void *context,
                               psb_error *error);

#endif
