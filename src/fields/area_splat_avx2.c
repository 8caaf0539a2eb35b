/* The splat with AVX2, by the compiler. */
#include "fields/area_splat_kernel.h"

#if defined(__x86_64__)

__attribute__((target("avx2"))) static void add(const psb_element_batch *batch, double *sums) {
    psb_splat_add(batch, sums);
}

const psb_splat_kernel psb_splat_avx2 = {{"avx2", PSB_CPU_AVX2}, add};

#endif
