/*
 * How much of a surface lies in each direction, at which distance from the centre.
 *
 * Directions fall into cells, the 65 x 64 patches between the nodes of the harmonics' grid; the
 * distance falls into slices, four to a shell. Area is shared out by cutting triangles along the
 * cells' borders, not by sampling, so it depends on the surface alone: neither on how it is cut
 * into triangles, nor on their order, and however thin a part is, it is not missed.
 *
 * Borders are planes: meridians are; between two of them, the plane through the centre that fits
 * best stands for the cone of a constant polar angle, at most 0.8 % of a cell away, and planes
 * across the middle of a cell for spheres, at most 0.1 % of their radius away. So cutting is exact
 * but for rounding, and a triangle is never refined.
 */
#ifndef PSB_FIELDS_CELL_AREAS_H
#define PSB_FIELDS_CELL_AREAS_H

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

/* Zero bytes are no cells at all. */
typedef struct psb_cell_areas {
    size_t slices;       /* of each cell: a multiple of PSB_SLICE_WORD, at least the ball's */
    psb_buffer area;     /* double [row][column][slice] */
    psb_buffer occupied; /* uint64_t [row][column][word]: a bit for each slice that may hold area */
    psb_buffer vertices; /* working memory */
} psb_cell_areas;

/* Radius at which a slice begins; the slice before ends there. */
double psb_slice_radius(size_t slice);

/* Empties all cells and gives them at least so many slices. Only the buffers' growth can fail. */
psb_status psb_cell_areas_clear(psb_cell_areas *cells, size_t slices, psb_error *error);

/*
 * `points` are the posed vertices of the mesh. The polar angle is taken from the axis `pole`, the
 * azimuth from the next axis (0 follows 2) towards the one after it. What a triangle has in a
 * column is not cut along rows if it is less than `least_area`, but counted with the row of its
 * middle. Only the buffers' growth can fail.
 */
psb_status psb_cell_areas_fill(const psb_mesh *mesh, const double *points, int pole,
                               double least_area, psb_cell_areas *cells, psb_error *error);

void psb_cell_areas_free(psb_cell_areas *cells);

#endif
