/*
 * How much of a surface lies in each direction, at which distance from the centre.
 *
 * Directions fall into cells, the 65 x 64 patches between the nodes of the harmonics' grid; the
 * distance falls into slices, four to a shell. Area is shared out by cutting triangles along the
 * cells' borders, not by sampling, so it depends on the surface alone: neither on how it is cut
 * into triangles, nor on their order, and however thin a part is, it is not missed.
 */
#ifndef PSB_DESCRIPTORS_CELL_AREAS_H
#define PSB_DESCRIPTORS_CELL_AREAS_H

#include "core/memory.h"
#include "descriptors/harmonics.h"

enum {
    /* Row j lies between the polar rows j - 1 and j of nodes, column i between i and i + 1. */
    PSB_CELL_ROWS = PSB_GRID + 1,
    PSB_CELLS = PSB_CELL_ROWS * PSB_GRID,
    PSB_SHELL_SLICES = 4,
    /* Slices within the unit ball, where all are as thick; outside, each is 1/128 of its radius. */
    PSB_BALL_SLICES = PSB_SHELLS * PSB_SHELL_SLICES,
    /* What lies farther out than 1,000 counts with the last slice. */
    PSB_MOST_SLICES = 8 * PSB_BALL_SLICES,
};

typedef struct psb_cell_areas {
    size_t slices;   /* of each cell: as many as the farthest point needs, at least the ball's */
    psb_buffer area; /* double [row][column][slice] */
} psb_cell_areas;

/* Radius at which a slice begins; the slice before ends there. */
double psb_slice_radius(size_t slice);

/*
 * `points` are the posed vertices of the mesh. The polar angle is taken from the axis `pole`, the
 * azimuth from the next axis (0 follows 2) towards the one after it. Pieces of less than
 * `least_area` are not cut further, but counted with the cell in which their middle lies. Only the
 * buffer's growth can fail.
 */
psb_status psb_cell_areas_fill(const psb_mesh *mesh, const double *points, int pole,
                               double least_area, psb_cell_areas *cells, psb_error *error);

#endif
