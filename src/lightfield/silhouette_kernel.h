/* Versions of the rasterizer: see silhouette_kernel.c. */
#pragma once

#include "core/cpu.h"
#include "lightfield/silhouette.h"

/* Rows of a column of words lie side by side; a kernel may read and rewrite some beyond the top. */
typedef struct psb_canvas {
    uint64_t column[PSB_WORDS][PSB_SIDE + 8];
} psb_canvas;

typedef struct psb_silhouette_kernel {
    psb_variant variant;
    void (*draw)(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                 psb_canvas canvas[PSB_PAIR]);
} psb_silhouette_kernel;

/* The psb_silhouette_kernel of this build, fastest first; ends with NULL. The plain one is last. */
extern const psb_variant *const psb_silhouette_kernels[];

/* psb_silhouette_draw with a kernel of choice. */
void psb_silhouette_draw_with(const psb_silhouette_kernel *kernel, const psb_drawing *drawing,
                              const psb_camera view[PSB_PAIR], psb_bitmap image[PSB_PAIR]);
