/* Names the types of numbers that rows of features consist of. */
#pragma once

#include "psbench.h"

#include <float.h>

static inline size_t psb_element_bytes(psb_element element) {
    return element == PSB_UINT8 ? 1 : sizeof(float);
}

/* True if all values are finite and at least `least`. Has no branches, so compilers use SIMD. */
static inline bool psb_all_finite(const float *values, size_t n, float least) {
    int32_t bad = 0;
    for (size_t i = 0; i < n; i++) {
        bad |= ((values[i] >= least) & (values[i] <= FLT_MAX)) ? 0 : 1;
    }
    return bad == 0;
}
