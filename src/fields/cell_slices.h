/*
 * Distributes pieces of triangles over slices of distance.
 *
 * A piece lies within one cell, where the distance is a linear function. How much of a triangle
 * lies nearer than a level has a closed form, and a polygon is a fan of triangles. Pieces wait in
 * arrays, so that vectors work on some triangles at a time, and are added in their order; all
 * kernels give the same bits.
 */
#pragma once

#include "core/cpu.h"
#include "core/vector.h"
#include "fields/cell_areas.h"
#include "fields/cell_sweep.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PSB_PIECES = 32,
    PSB_LEVELS = PSB_MOST_SLICES + 1,
    PSB_USUAL_CORNERS = 4, /* which few pieces exceed */
    PSB_FURTHER = 16,      /* triangles of those that do */
};

/* Corners in slices of the ball and in two coordinates of some plane: [corner][piece]. */
typedef struct psb_cell_corners {
    double distance[PSB_PIECES], flat[2][PSB_PIECES];
} psb_cell_corners;

/*
 * The first four corners of pieces. Each further corner makes a triangle with the first corner and
 * the one before. Entries that nothing uses hold any finite number.
 */
typedef struct psb_cell_pieces {
    int n, nfurther;
    psb_cell_corners corner[PSB_USUAL_CORNERS];
    double corners[PSB_PIECES];
    double scale[PSB_PIECES];                   /* what twice an area in the plane counts */
    double least[PSB_PIECES], most[PSB_PIECES]; /* distances of further corners */
    uint32_t cell[PSB_PIECES];
    int end[PSB_PIECES];         /* behind the further triangles of a piece */
    psb_cell_corners further[3]; /* PSB_FURTHER triangles */
    double further_scale[PSB_FURTHER];
    int piece[PSB_FURTHER]; /* of a further triangle */
} psb_cell_pieces;

PSB_INLINE bool psb_pieces_have_room(const psb_cell_pieces *pieces) {
    return pieces->n < PSB_PIECES &&
           pieces->nfurther <= PSB_FURTHER - (PSB_PART_CORNERS - PSB_USUAL_CORNERS);
}

/* The distance is linear in z and u, with the factors `toward`. */
PSB_INLINE double psb_put_corner(const psb_cell_vertex *v, const double toward[2],
                                 const int flat[2], int i, psb_cell_corners *to) {
    to->flat[0][i] = v->at[flat[0]];
    to->flat[1][i] = v->at[flat[1]];
    return to->distance[i] = toward[0] * v->at[PSB_Z] + toward[1] * v->at[PSB_U];
}

/* Copies a piece, for which there is room; `flat`: the two coordinates. */
PSB_INLINE void psb_pieces_add(psb_cell_pieces *to, psb_polygon piece, const double toward[2],
                               const int flat[2], double scale, uint32_t cell) {
    const psb_cell_vertex *const *corner = piece.corner;
    const double factor[2] = {toward[0], toward[1]}; /* which stores to `to` do not change */
    const int axis[2] = {flat[0], flat[1]};
    int i = to->n++;
    to->least[i] = INFINITY;
    to->most[i] = 0.0;
    for (int v = 0; v < piece.corners && v < PSB_USUAL_CORNERS; v++) {
        psb_put_corner(corner[v], factor, axis, i, &to->corner[v]);
    }
    for (int v = PSB_USUAL_CORNERS; v < piece.corners; v++) {
        int t = to->nfurther++;
        psb_put_corner(corner[0], factor, axis, t, &to->further[0]);
        psb_put_corner(corner[v - 1], factor, axis, t, &to->further[1]);
        double distance = psb_put_corner(corner[v], factor, axis, t, &to->further[2]);
        to->least[i] = psb_min(to->least[i], distance);
        to->most[i] = psb_max(to->most[i], distance);
        to->further_scale[t] = scale;
        to->piece[t] = i;
    }
    to->end[i] = to->nfurther;
    to->corners[i] = piece.corners;
    to->scale[i] = scale;
    to->cell[i] = cell;
}

/*
 * Fills `level`, PSB_LEVELS numbers: distances at which slices begin, in slices of the ball. The
 * first slice begins nowhere, and the last of so many ends nowhere.
 */
void psb_slice_levels(size_t slices, double *level);

/* Adds the pieces to the areas and marks their slices as occupied. */
PSB_KERNEL(psb_slice, (const double *level, const psb_cell_pieces *pieces, psb_cell_areas *cells))
