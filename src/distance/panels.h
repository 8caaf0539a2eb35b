/*
 * L1 distances of many pairs of rows at once.
 *
 * The bits of a distance must depend on its two rows alone, not on the processor. So every kernel
 * adds up a pair's differences in the order of the row's numbers, and rounds each operation by
 * itself.
 *
 * Rows are first rearranged into panels of eight rows side by side, in double, so that a vector
 * holds the same number of eight rows:
 *
 *   row 0..7 number 0 | row 0..7 number 1 | ...
 */
#pragma once

#include "core/cpu.h"
#include "distance/metric.h"

enum { PSB_PANEL = 8 }; /* rows in a panel */

/*
 * Adds to sum[i * PSB_TILE + j] the absolute differences of `depth` numbers of row i < 8 of panel a
 * and row j < 16 of the two panels b0, b1.
 */
typedef void psb_panel_sums(const double *a, const double *b0, const double *b1, size_t depth,
                            double *sum);

typedef struct psb_panel_kernel {
    psb_variant variant;
    psb_panel_sums *add;
} psb_panel_kernel;

/* The psb_panel_kernel of this build, fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_panel_kernels[];

/* A prepared block has its float32 rows as panels. */
size_t psb_panels_bytes(size_t rows, size_t length);
void psb_panels_fill(const psb_row_view *rows, void *prepared);

/*
 * Sets sum[i * PSB_TILE + j] to the distance of row i of a and row j of b; with `upper` only for j
 * > i. The other entries of sum[PSB_TILE * PSB_TILE] may become any finite number.
 */
void psb_panels_sum(psb_panel_sums *kernel, const psb_block *a, const psb_block *b, bool upper,
                    double *sum);
size_t psb_panels_scratch(size_t rows, size_t length);
