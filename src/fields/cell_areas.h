/*
 * The area of a surface in each direction at each distance from the center.
 *
 * Directions fall into cells, the 65 x 64 patches between the nodes of the harmonics' grid;
 * distances fall into slices, four to a shell. Triangles are cut along the cells' borders, not
 * sampled. So the areas do not depend on the tessellation or the order of triangles, and no part is
 * too thin to count.
 *
 * All borders are planes. Meridians are; a cone of constant polar angle is replaced, between two
 * meridians, by the best-fitting plane through the center, at most 0.8 % of a cell away; a sphere
 * by planes across the middle of a cell, at most 0.1 % of its radius away. So cutting is exact but
 * for rounding, and no triangle is refined.
 */
#pragma once

#include "core/memory.h"
#include "fields/harmonics.h"

enum {
    /* Row j lies between the polar rows j - 1 and j of nodes, column i between i and i + 1. */
    PSB_CELL_ROWS = PSB_GRID + 1,
    PSB_CELLS = PSB_CELL_ROWS * PSB_GRID,
    PSB_SHELL_SLICES = 4,
    /* Slices within the unit ball, where all are as thick; outside, each is 1/128 of its radius. */
    PSB_BALL_SLICES = PSB_SHELLS * PSB_SHELL_SLICES,
    /* What lies farther out than 1,000 counts with the last slice. */
    PSB_MOST_SLICES = 8 * PSB_BALL_SLICES,
    PSB_SLICE_WORD = 64, /* slices to a word of `occupied` */
};

/* A zeroed struct has no cells. */
typedef struct psb_cell_areas {
    size_t slices; /* of each cell: a multiple of PSB_SLICE_WORD, at least the ball's */
    /* Numbers from one cell to the next: more than there are slices, because at distances of a
     * power of two the same slices of all cells would share a few places of each cache. */
    size_t step;
    psb_buffer area;     /* double [row][column][step], of which the first are slices */
    psb_buffer occupied; /* uint64_t [row][column][word]: a bit for each slice that may hold area */
    psb_buffer vertices; /* working memory */
} psb_cell_areas;

/* Radius at which a slice begins; the slice before ends there. */
double psb_slice_radius(size_t slice);

/*
 * Empties all cells and gives each at least this many slices. Fails only if a buffer cannot grow.
 */
psb_status psb_cell_areas_clear(psb_cell_areas *cells, size_t slices, psb_error *error);

/*
 * Adds the area of the mesh with posed vertices `points`. The polar angle is taken from the axis
 * `pole`, the azimuth from the next axis (0 follows 2) towards the one after it. If a triangle has
 * less than `least_area` in a column, this part is not cut along rows but counts in the row of its
 * middle. Fails only if a buffer cannot grow.
 */
psb_status psb_cell_areas_fill(const psb_mesh *mesh, const double *points, int pole,
                               double least_area, psb_cell_areas *cells, psb_error *error);

void psb_cell_areas_free(psb_cell_areas *cells);
