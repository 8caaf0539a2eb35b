/* The splat for any processor, and the choice of one. */
#include "descriptors/area_splat_kernel.h"

static bool always(void) {
    return true;
}

static void add(const psb_element_batch *batch, double *sums) {
    psb_splat_add(batch, sums);
}

const psb_splat_kernel psb_splat_plain = {"plain", always, add};

const psb_splat_kernel *const psb_splat_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &psb_splat_avx2,
#endif
    &psb_splat_plain,
    NULL,
};

const psb_splat_kernel *psb_splat_choose(void) {
    const psb_splat_kernel *const *kernel = psb_splat_kernels;
    while (!(*kernel)->supported()) {
        kernel++;
    }
    return *kernel;
}
