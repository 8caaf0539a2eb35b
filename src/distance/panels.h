/*
 * Sums of absolute differences for many pairs of rows at once: the L1 distance.
 *
 * Rows are first rearranged into panels: eight rows side by side, number after number, in double.
 * In every kernel the sum of a pair is formed in the order of the numbers, one after the other, and
 * each operation is rounded by itself. So it depends on the two rows alone: not on their place in a
 * block, nor on what stands beside them, nor on the processor.
 */
#ifndef PSB_DISTANCE_PANELS_H
#define PSB_DISTANCE_PANELS_H

#include "core/cpu.h"
#include "distance/metric.h"

enum { PSB_PANEL = 8 }; /* rows in a panel */

/*
 * Adds to sum[i * PSB_TILE + j], i < 8, j < 16, the differences of `depth` numbers of row i of the
 * panel a and row j of the two panels b0, b1.
 */
typedef void psb_panel_sums(const double *a, const double *b0, const double *b1, size_t depth,
                            double *sum);

typedef struct psb_panel_kernel {
    psb_variant variant;
    psb_panel_sums *add;
} psb_panel_kernel;

extern const psb_panel_kernel psb_panel_avx512;
extern const psb_panel_kernel psb_panel_avx2;
extern const psb_panel_kernel psb_panel_plain;

/* The psb_panel_kernel of this build, fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_panel_kernels[];

/* A block made ready: its float32 rows as panels. */
size_t psb_panels_bytes(size_t rows, size_t length);
void psb_panels_fill(const psb_row_view *rows, void *prepared);

/*
 * sum[i * PSB_TILE + j] for row i of a and row j of b; with `upper` only for j > i. The other
 * entries of sum[PSB_TILE * PSB_TILE] may become anything finite.
 */
void psb_panels_sum(psb_panel_sums *kernel, const psb_block *a, const psb_block *b, bool upper,
                    double *sum);
size_t psb_panels_scratch(size_t rows, size_t length);

#endif
