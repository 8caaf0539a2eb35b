/* Distributes pieces with AVX2: see fields/cell_slices_kernel.h. */
#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET        __attribute__((target("avx2")))
#define LANES         4
#define SHIFTED(x, y) PSB_SHUFFLE(masks, x, y, 3, 4, 5, 6)
#define TRANSPOSE(rows, out)                                                                       \
    do {                                                                                           \
        numbers low_01 = PSB_SHUFFLE(masks, rows[0], rows[1], 0, 4, 2, 6);                         \
        numbers low_23 = PSB_SHUFFLE(masks, rows[2], rows[3], 0, 4, 2, 6);                         \
        numbers high_01 = PSB_SHUFFLE(masks, rows[0], rows[1], 1, 5, 3, 7);                        \
        numbers high_23 = PSB_SHUFFLE(masks, rows[2], rows[3], 1, 5, 3, 7);                        \
        numbers *to = (numbers *)(out);                                                            \
        to[0] = PSB_SHUFFLE(masks, low_01, low_23, 0, 1, 4, 5);                                    \
        to[1] = PSB_SHUFFLE(masks, high_01, high_23, 0, 1, 4, 5);                                  \
        to[2] = PSB_SHUFFLE(masks, low_01, low_23, 2, 3, 6, 7);                                    \
        to[3] = PSB_SHUFFLE(masks, high_01, high_23, 2, 3, 6, 7);                                  \
    } while (false)
#define LESSER(x, y)  ((numbers)_mm256_min_pd(x, y))
#define GREATER(x, y) ((numbers)_mm256_max_pd(x, y))
#include "fields/cell_slices_kernel.h"

const psb_slice_kernel psb_slice_avx2 = {{"avx2", PSB_CPU_AVX2}, add};

#else
typedef int not_for_this_processor;
#endif
