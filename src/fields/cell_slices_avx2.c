/* Distributes pieces with AVX2: see fields/cell_slices_kernel.h. */
#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET        __attribute__((target("avx2")))
#define LANES         4
#define SHIFTED(x, y) PSB_SHUFFLE(masks, x, y, 3, 4, 5, 6)
#define LESSER(x, y)  ((numbers)_mm256_min_pd(x, y))
#define GREATER(x, y) ((numbers)_mm256_max_pd(x, y))
#include "fields/cell_slices_kernel.h"

const psb_slice_kernel psb_slice_avx2 = {{"avx2", PSB_CPU_AVX2}, add};

#else
typedef int not_for_this_processor;
#endif
