/* Makes one vertex of equal corners, for formats that repeat a vertex in every face. */
#ifndef PSB_IO_WELD_H
#define PSB_IO_WELD_H

#include "io/format.h"

/* Finds the vertices of a buffer by their coordinates. Its memory is the buffer's. */
typedef struct psb_weld {
    psb_mesh_buffer *buffer;
    uint64_t *slots;
    size_t mask;
} psb_weld;

/* For a mesh that has no vertices yet, and may get about so many. */
psb_status psb_weld_start(psb_weld *weld, const psb_scan *scan, psb_mesh_buffer *buffer,
                          size_t expected);

/*
 * The hash of a corner. Asked for some time before the corner is looked for, it has the table's
 * memory at hand by then, which takes as long as all other work.
 */
uint64_t psb_weld_hash(const psb_weld *weld, const double xyz[3]);

/*
 * The index of the vertex with exactly these coordinates, which is made where there is none. Zeros
 * of both signs are the same.
 */
psb_status psb_weld_find(psb_weld *weld, const psb_scan *scan, const double xyz[3], uint64_t hash,
                         uint32_t *index);

#endif
