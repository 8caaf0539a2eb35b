/*
 * Which faces meet at which edge, in the way that reproduces the published annotations.
 *
 * An edge joins two vertex indices and has two sides, one for each direction in which a face may
 * run along it; a side belongs to the last face of the file that claims it. So of three faces at
 * an edge one is forgotten, and so is one of two faces whose orientations disagree; a forgotten
 * face still knows its edges. A corner that repeats its vertex (a, a) claims, instead of an edge
 * of its own, the side that runs from a along the first edge which the file makes at a.
 */
#pragma once

#include "psbench.h"

#define PSB_NO_FACE SIZE_MAX

typedef struct psb_edges {
    size_t count;
    size_t (*faces)[2]; /* count x 2, PSB_NO_FACE where a side is free */
    size_t ntriangles;
    size_t *of_corner; /* ntriangles x 3: the edge from this corner to the next */
} psb_edges;

/* Takes time and memory linear in the mesh. Free the edges also after a failure. */
psb_status psb_edges_make(const psb_mesh *mesh, psb_edges *edges, psb_error *error);
void psb_edges_free(psb_edges *edges);
