/* Distributes pieces with AVX-512: see fields/cell_slices_kernel.h. */
#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET        __attribute__((target("avx512f")))
#define LANES         8
#define SHIFTED(x, y) PSB_SHUFFLE(masks, x, y, 7, 8, 9, 10, 11, 12, 13, 14)
#define LESSER(x, y)  ((numbers)_mm512_min_pd(x, y))
#define GREATER(x, y) ((numbers)_mm512_max_pd(x, y))
#define WHERE(x, op, y, numbers_, others)                                                          \
    ((numbers)_mm512_mask_blend_pd(_mm512_cmp_pd_mask(x, y, op), others, numbers_))
#define IS_LESS          _CMP_LT_OQ
#define IS_EQUAL         _CMP_EQ_OQ
#define IS_LESS_OR_EQUAL _CMP_LE_OQ
#define TRANSPOSE(rows, out)                                                                       \
    do {                                                                                           \
        numbers even = PSB_SHUFFLE(masks, rows[0], rows[1], 0, 8, 2, 10, 4, 12, 6, 14);            \
        numbers odd = PSB_SHUFFLE(masks, rows[0], rows[1], 1, 9, 3, 11, 5, 13, 7, 15);             \
        numbers even_end = PSB_SHUFFLE(masks, rows[2], rows[3], 0, 8, 2, 10, 4, 12, 6, 14);        \
        numbers odd_end = PSB_SHUFFLE(masks, rows[2], rows[3], 1, 9, 3, 11, 5, 13, 7, 15);         \
        numbers evens[2] = {PSB_SHUFFLE(masks, even, even_end, 0, 1, 8, 9, 2, 3, 10, 11),          \
                            PSB_SHUFFLE(masks, even, even_end, 4, 5, 12, 13, 6, 7, 14, 15)};       \
        numbers odds[2] = {PSB_SHUFFLE(masks, odd, odd_end, 0, 1, 8, 9, 2, 3, 10, 11),             \
                           PSB_SHUFFLE(masks, odd, odd_end, 4, 5, 12, 13, 6, 7, 14, 15)};          \
        numbers *to = (numbers *)(out);                                                            \
        for (int i_ = 0; i_ < 2; i_++) {                                                           \
            to[2 * i_] = PSB_SHUFFLE(masks, evens[i_], odds[i_], 0, 1, 2, 3, 8, 9, 10, 11);        \
            to[2 * i_ + 1] = PSB_SHUFFLE(masks, evens[i_], odds[i_], 4, 5, 6, 7, 12, 13, 14, 15);  \
        }                                                                                          \
    } while (false)
#include "fields/cell_slices_kernel.h"

const psb_slice_kernel psb_slice_avx512 = {{"avx512", PSB_CPU_AVX512F}, add};

#else
typedef int not_for_this_processor;
#endif
