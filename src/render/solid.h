/* Makes a mesh of few triangles, as text in a script, for the query page to turn. */
#pragma once

#include "core/text.h"

/* A workspace whose buffers only grow; one per thread. Starts zeroed. */
typedef struct psb_solid {
    psb_buffer cells, numbers, vertices, triangles, counts, bytes;
} psb_solid;

/*
 * Appends the mesh in base64: numbers of vertices and triangles, then the coordinates of each
 * vertex, 0 ... 65535 along the longest side of the bounding box around its center, all of two
 * bytes, the lower first; then three indices for each triangle, each as the difference d from the
 * one before: 2 d, or -2 d - 1 below 0, in groups of seven bits, the lowest first, of which all but
 * the last have the bit 128 set. In a mesh of more triangles than `most`, which is at most 20,000,
 * the vertices in each cell of a grid become one, with ever larger
 * cells until it fits. Appends nothing for a mesh without extent.
 */
psb_status psb_solid_add(psb_solid *solid, const psb_mesh *mesh, size_t most, psb_text *out,
                         psb_error *error);
void psb_solid_free(psb_solid *solid);
