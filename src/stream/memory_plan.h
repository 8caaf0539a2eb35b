/* How streaming over features keeps within a number of bytes: tile size, groups of queries. */
#pragma once

#include "core/observer.h"
#include "distance/stream.h"
#include "io/npy.h"

/* What a process may take that was not told how much. */
#define PSB_STREAM_MEMORY ((size_t)2 << 30)

typedef struct psb_memory_plan {
    size_t bytes;      /* what the process takes at most, by this plan */
    size_t pass_bytes; /* of that, for the queries of one pass */
    size_t block;      /* rows of a tile */
    size_t passes;     /* over the rows; each with as many queries as fit */
    bool keep;         /* rows are kept ready for tiles */
    bool release;      /* mapped features are let go after use */
} psb_memory_plan;

/* What a plan has to hold beside tiles and features. */
typedef struct psb_memory_need {
    size_t fixed;                                       /* bytes, whatever the passes */
    size_t (*query)(const void *context, size_t query); /* bytes of one query of a pass; NULL: 0 */
    const void *context;
} psb_memory_need;

/*
 * Plans for the queries of one file against the rows of another, or the same (`rows` NULL).
 * PSB_ERROR_USAGE, with what would do, where `memory` bytes are too few.
 */
psb_status psb_memory_plan_make(const psb_metric *metric, const psb_npy *queries,
                                const psb_npy *rows, const psb_memory_need *need, int threads,
                                size_t memory, psb_memory_plan *plan, psb_error *error);

/* What the bound came to, as a detail. */
void psb_memory_plan_say(const psb_memory_plan *plan, const psb_observer *observer);

/* The end of the pass that begins with query `first`: as many as fit, whole blocks. */
size_t psb_memory_plan_pass(const psb_memory_plan *plan, const psb_memory_need *need,
                            size_t queries, size_t first);
