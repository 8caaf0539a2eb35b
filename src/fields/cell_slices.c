/* Distributes pieces in plain C, and chooses a kernel. */
#define TARGET
#define LANES         2
#define SHIFTED(x, y) PSB_SHUFFLE(masks, x, y, 1, 2)
#define TRANSPOSE(rows, out)                                                                       \
    do {                                                                                           \
        numbers *to = (numbers *)(out);                                                            \
        to[0] = PSB_SHUFFLE(masks, rows[0], rows[1], 0, 2);                                        \
        to[1] = PSB_SHUFFLE(masks, rows[2], rows[3], 0, 2);                                        \
        to[2] = PSB_SHUFFLE(masks, rows[0], rows[1], 1, 3);                                        \
        to[3] = PSB_SHUFFLE(masks, rows[2], rows[3], 1, 3);                                        \
    } while (false)
#include "fields/cell_slices_kernel.h"

const psb_slice_kernel psb_slice_plain = {{"plain", PSB_CPU_PLAIN}, add};

const psb_variant *const psb_slice_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &psb_slice_avx512.variant,
    &psb_slice_avx2.variant,
#endif
    &psb_slice_plain.variant,
    NULL,
};

void psb_slice_levels(size_t slices, double *level) {
    for (size_t s = 0; s < PSB_LEVELS; s++) {
        level[s] = s < slices ? PSB_BALL_SLICES * psb_slice_radius(s) : INFINITY;
    }
    level[0] = -INFINITY;
}
