/*
 * Distributes area elements over directions and distances.
 *
 * Between the middles of two neighboring shells both shares are linear in the radius. With the
 * radius taken as linear over an element, each shell's share is a sum of exact integrals over
 * slices of the element between the middles. The direction's share, the footprint, is interpolated
 * linearly from three points at which it is exact to second order. So an element may be several
 * shells high, and smaller elements change next to nothing.
 *
 * All but the sums is in single precision, whose 1e-7 are far below the error of elements of this
 * size. Work is in batches that the compiler vectorizes, for several instruction sets; all give the
 * same bits.
 */
#pragma once

#include "core/cpu.h"
#include "fields/area_elements.h"
#include "fields/harmonics.h"

/*
 * Sums of area by node and distance, with margins instead of a wrapped grid: row j + 1 is polar row
 * j of the harmonics' grid, -1 ... 64; column i is azimuth i, 0 ... 64; entry s + 1 is shell s,
 * those before shell 0 and after the last included. The margins belong to the nodes and shells that
 * they fold onto.
 */
enum {
    PSB_SPLAT_ROWS = PSB_GRID + 2,
    PSB_SPLAT_COLUMNS = PSB_GRID + 1,
    PSB_SPLAT_SHELLS = PSB_SHELLS + 8,
    PSB_SPLAT_SUMS = PSB_SPLAT_ROWS * PSB_SPLAT_COLUMNS * PSB_SPLAT_SHELLS,
};

PSB_KERNEL(psb_splat, (const psb_element_batch *batch, double *sums))
