/* Merges equal corners into one vertex, for formats that repeat a vertex in every face. */
#pragma once

#include "io/format.h"

/* Finds the vertices of a buffer by their coordinates. Its memory belongs to the buffer. */
typedef struct psb_weld {
    psb_mesh_buffer *buffer;
    uint64_t *slots;
    size_t mask;
} psb_weld;

/* Starts with a mesh that has no vertices yet and may get about `expected`. */
psb_status psb_weld_start(psb_weld *weld, const psb_scan *scan, psb_mesh_buffer *buffer,
                          size_t expected);

/* Returns the hash of a corner and prefetches its slot in the table. Call it some time before
 * psb_weld_find: loading the slot takes as long as all other work. */
uint64_t psb_weld_hash(const psb_weld *weld, const double xyz[3]);

/* Finds the vertex with exactly these coordinates, or makes it; sets *index. Both zeros are
 * equal. */
psb_status psb_weld_find(psb_weld *weld, const psb_scan *scan, const double xyz[3], uint64_t hash,
                         uint32_t *index);
