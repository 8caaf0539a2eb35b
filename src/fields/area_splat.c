/* The splat for any processor, and the choice of one. */
#include "fields/area_splat_kernel.h"

static void add(const psb_element_batch *batch, double *sums) {
    psb_splat_add(batch, sums);
}

const psb_splat_kernel psb_splat_plain = {{"plain", PSB_CPU_PLAIN}, add};

const psb_variant *const psb_splat_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &psb_splat_avx2.variant,
#endif
    &psb_splat_plain.variant,
    NULL,
};
