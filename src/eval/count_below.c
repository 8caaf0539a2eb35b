/*
 * Plain C loops, which the compiler vectorizes. Counts are integers, so all variants give the same.
 */
#include "eval/count_below.h"

#include "core/cpu.h"

enum { ABREAST = 4 }; /* thresholds compared with a value once it is loaded */

PSB_INLINE void count_abreast(const float *values, size_t n, const float *threshold, bool or_equal,
                              uint32_t *counts) {
    float t0 = threshold[0], t1 = threshold[1], t2 = threshold[2], t3 = threshold[3];
    int32_t c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    for (size_t i = 0; i < n; i++) {
        float x = values[i];
        c0 += or_equal ? x <= t0 : x < t0;
        c1 += or_equal ? x <= t1 : x < t1;
        c2 += or_equal ? x <= t2 : x < t2;
        c3 += or_equal ? x <= t3 : x < t3;
    }
    counts[0] += (uint32_t)c0;
    counts[1] += (uint32_t)c1;
    counts[2] += (uint32_t)c2;
    counts[3] += (uint32_t)c3;
}

PSB_INLINE void count_all(const float *values, size_t n, const float *threshold, size_t thresholds,
                          bool or_equal, uint32_t *counts) {
    size_t k = 0;
    for (; k + ABREAST <= thresholds; k += ABREAST) {
        count_abreast(values, n, threshold + k, or_equal, counts + k);
    }
    for (; k < thresholds; k++) {
        int32_t count = 0;
        for (size_t i = 0; i < n; i++) {
            count += or_equal ? values[i] <= threshold[k] : values[i] < threshold[k];
        }
        counts[k] += (uint32_t)count;
    }
}

PSB_INLINE void count_either(const float *values, size_t n, const float *threshold,
                             size_t thresholds, bool or_equal, uint32_t *counts) {
    if (or_equal) {
        count_all(values, n, threshold, thresholds, true, counts);
    } else {
        count_all(values, n, threshold, thresholds, false, counts);
    }
}

PSB_KERNEL(psb_count, (const float *values, size_t n, const float *threshold, size_t thresholds,
                       bool or_equal, uint32_t *counts))

PSB_VARIANTS_TO_AVX2(psb_count, count_either,
                     (const float *values, size_t n, const float *threshold, size_t thresholds,
                      bool or_equal, uint32_t *counts),
                     (values, n, threshold, thresholds, or_equal, counts))

void psb_count_below(const float *values, size_t n, const float *threshold, size_t thresholds,
                     bool or_equal, uint32_t *counts) {
    PSB_RUN(psb_count)(values, n, threshold, thresholds, or_equal, counts);
}
