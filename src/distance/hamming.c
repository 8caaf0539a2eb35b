/* Hamming: twice the share of the bits in which two rows of bytes differ. */
#include "core/cpu.h"
#include "distance/metric.h"

#include <string.h>

/* Counts the bits set in a XOR b, by words of 64 bits and a shorter one at the end. */
PSB_INLINE uint32_t different_bits(const uint8_t *a, const uint8_t *b, size_t length) {
    uint32_t count = 0;
    size_t i = 0;
    for (; i + sizeof(uint64_t) <= length; i += sizeof(uint64_t)) {
        uint64_t x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        count += (uint32_t)__builtin_popcountll(x ^ y);
    }
    for (; i < length; i++) {
        count += (uint32_t)__builtin_popcount((unsigned)(a[i] ^ b[i]));
    }
    return count;
}

/* Returns the distance, 0 ... 2: 1 if as many bits differ as in random rows, half of them. */
PSB_INLINE double from_count(uint32_t count, size_t length) {
    return (double)count / (4.0 * (double)length);
}

static double pair(const void *a, const void *b, size_t length) {
    return from_count(different_bits(a, b, length), length);
}

PSB_INLINE void compare(const psb_block *a, const psb_block *b, bool upper, float *out,
                        size_t stride) {
    const uint8_t *rows_a = a->rows.data, *rows_b = b->rows.data;
    size_t length = a->rows.length;
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j++) {
            uint32_t count = different_bits(rows_a + i * length, rows_b + j * length, length);
            out[i * stride + j] = (float)from_count(count, length);
        }
    }
}

PSB_KERNEL(psb_hamming,
           (const psb_block *a, const psb_block *b, bool upper, float *out, size_t stride))

PSB_VARIANTS(psb_hamming, compare,
             (const psb_block *a, const psb_block *b, bool upper, float *out, size_t stride),
             (a, b, upper, out, stride))

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch PSB_UNUSED,
                 float *out, size_t stride) {
    PSB_RUN(psb_hamming)(a, b, upper, out, stride);
}

const psb_metric psb_hamming = {
    .name = "hamming",
    .help = "share of the bits that differ, times 2; of rows of signs",
    .revision = 1,
    .element = PSB_UINT8,
    .most_rows = PSB_TILE,
    .pair = pair,
    .tile = tile,
};
