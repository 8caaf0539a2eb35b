/*
 * Distributes pieces of triangles over slices of distance.
 *
 * A piece lies within one cell, where the distance is a linear function. How much of a triangle
 * lies nearer than a level has a closed form, and a polygon is a fan of triangles. Pieces wait in
 * arrays and are added in their order, so that vectors work on some pieces at a time, and then on
 * as many slices; all kernels give the same bits.
 */
#ifndef PSB_FIELDS_CELL_SLICES_H
#define PSB_FIELDS_CELL_SLICES_H

#include "core/cpu.h"
#include "fields/cell_areas.h"
#include "fields/cell_sweep.h"

enum {
    PSB_PIECES = 32,
    PSB_LEVELS = PSB_MOST_SLICES + 1,
};

/* Numbers are of corner v and piece i, [v][i]. Entries that no piece uses hold any finite number.
 */
typedef struct psb_cell_pieces {
    int n;
    double distance[PSB_PART_CORNERS][PSB_PIECES]; /* in slices of the ball */
    double flat[PSB_PART_CORNERS][2][PSB_PIECES];  /* coordinates in some plane */
    double scale[PSB_PIECES];                      /* what twice an area in that plane counts */
    double corners[PSB_PIECES];
    uint32_t cell[PSB_PIECES];
} psb_cell_pieces;

/*
 * Fills `level`, PSB_LEVELS numbers: distances at which slices begin, in slices of the ball. The
 * first slice begins nowhere, and the last of so many ends nowhere.
 */
void psb_slice_levels(size_t slices, double *level);

typedef struct psb_slice_kernel {
    psb_variant variant;
    /* Adds the pieces to the areas and marks their slices as occupied. */
    void (*add)(const double *level, const psb_cell_pieces *pieces, psb_cell_areas *cells);
} psb_slice_kernel;

extern const psb_slice_kernel psb_slice_avx2;
extern const psb_slice_kernel psb_slice_plain;

/* The psb_slice_kernel of this build, fastest first; the last is plain, then NULL. */
extern const psb_variant *const psb_slice_kernels[];

#endif
