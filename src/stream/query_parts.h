/*
 * Retrieval measures by parts: each takes the queries of a block, and leaves their values in a
 * folder that parts share. A value belongs to one query, so that putting parts together is copying,
 * and gives the bits of one process for any number of parts.
 *
 * A file KEY-I-of-N.values, in the frame of core/seal.h: "psbval1\n"; the key; the first query, the
 * one behind the last, the number of measures (8 bytes each); the values of the queries, one after
 * the other (double); XXH64 of all that. The key is a hash of features, metric, measures and
 * classes: files of another key are others' and stay.
 */
#pragma once

#include "core/part.h"
#include "stream/feature_ranks.h"

typedef struct psb_query_parts {
    const char *folder; /* NULL: no parts */
    psb_part part;      /* a count of 0: the whole */
    bool complete;      /* values that no part has left are PSB_ERROR_IO, not work */
} psb_query_parts;

/* The queries of a part (of the whole, all): as many as another part has, or one more. */
void psb_query_range(const psb_part *part, size_t queries, size_t *first, size_t *end);

/*
 * With a part: counts its queries and leaves the file. With a folder: all values, as
 * psb_measure_range, taken from what parts have left, and counted where that is missing; the
 * plan stays as it is where nothing is. Without either: as psb_measure_range.
 */
psb_status psb_query_parts_measure(const psb_query_parts *parts, const psb_measuring *measuring,
                                   double *values, psb_memory_plan *plan, psb_error *error);
