/* Levels of slices, and the kernels that distribute pieces over them. */
#include "fields/cell_slices.h"

PSB_SET_KERNELS(psb_slice_kernels, psb_slice_kernel, psb_slice_of)

void psb_slice_levels(size_t slices, double *level) {
    for (size_t s = 0; s < PSB_LEVELS; s++) {
        level[s] = s < slices ? PSB_BALL_SLICES * psb_slice_radius(s) : INFINITY;
    }
    level[0] = -INFINITY;
}
