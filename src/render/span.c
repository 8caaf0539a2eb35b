/* Draws spans in plain C and with AVX2, in the same steps. */
#include "render/span.h"

/* Draws without branches on data, so that it becomes vector code. */
static void draw_plain(const psb_span *s, size_t n) {
    for (const psb_span *end = s + n; s < end; s++) {
        int32_t *restrict sample = s->sample;
        for (int i = s->from; i < s->to; i++) {
            float depth = s->start + s->step * (float)i;
            depth = depth < s->nearest ? depth : s->nearest; /* takes NaN as well */
            depth = depth > s->farthest ? depth : s->farthest;
            int32_t key = (int32_t)depth << PSB_SHADE_BITS | s->shade;
            sample[i] = sample[i] > key ? sample[i] : key;
        }
    }
}

static const psb_span_kernel plain = {{"plain", PSB_CPU_PLAIN}, draw_plain};

#if defined(__x86_64__) && !defined(PSB_PORTABLE)

#include <immintrin.h>

/* Draws eight samples at a time; what is behind the span stays as it is. */
__attribute__((target("avx2"))) static void draw_avx2(const psb_span *s, size_t n) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (const psb_span *last = s + n; s < last; s++) {
        const __m256 start = _mm256_set1_ps(s->start), step = _mm256_set1_ps(s->step);
        const __m256 nearest = _mm256_set1_ps(s->nearest), farthest = _mm256_set1_ps(s->farthest);
        const __m256i shade = _mm256_set1_epi32(s->shade), end = _mm256_set1_epi32(s->to);
        for (int i = s->from; i < s->to; i += PSB_SPAN_SLACK) {
            __m256i *sample = (__m256i *)(s->sample + i);
            __m256i at = _mm256_add_epi32(_mm256_set1_epi32(i), lanes);
            __m256 depth = _mm256_add_ps(start, _mm256_mul_ps(step, _mm256_cvtepi32_ps(at)));
            depth = _mm256_max_ps(_mm256_min_ps(depth, nearest), farthest);
            __m256i key = _mm256_slli_epi32(_mm256_cvttps_epi32(depth), PSB_SHADE_BITS);
            key = _mm256_and_si256(_mm256_or_si256(key, shade), _mm256_cmpgt_epi32(end, at));
            _mm256_storeu_si256(sample, _mm256_max_epi32(_mm256_loadu_si256(sample), key));
        }
    }
}

static const psb_span_kernel avx2 = {{"avx2", PSB_CPU_AVX2}, draw_avx2};

#endif

const psb_variant *const psb_span_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &avx2.variant,
#endif
    &plain.variant,
    NULL,
};
