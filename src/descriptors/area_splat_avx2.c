/* The splat with AVX2, by the compiler. */
#include "descriptors/area_splat_kernel.h"

#if defined(__x86_64__)

__attribute__((target("avx2"))) static void add(const psb_element_batch *batch, double *sums) {
    psb_splat_add(batch, sums);
}

static bool supported(void) {
    return __builtin_cpu_supports("avx2");
}

const psb_splat_kernel psb_splat_avx2 = {"avx2", supported, add};

#endif
