/* Random numbers: xoshiro256++ (Blackman, Vigna 2019), seeded through splitmix64 for each model and
 * purpose, so that a model's result never depends on other models or on their order. */
#pragma once

#include <stdint.h>

typedef struct psb_random {
    uint64_t state[4];
} psb_random;

/* Starts a stream for one model and one purpose ("D2"); the hash of all three arguments is the
 * seed. */
psb_random psb_random_seeded(uint64_t seed, const char *model, const char *purpose);

/* Does the same for data whose hash is `content`: psb_content_random of normalize/surface_points.h.
 */
psb_random psb_random_hashed(uint64_t content, const char *purpose);

static inline uint64_t psb_random_u64(psb_random *random) {
    uint64_t *s = random->state, sum = s[0] + s[3];
    uint64_t result = (sum << 23 | sum >> 41) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* Uniform in [0, 1); a multiple of 2^-53. */
double psb_random_unit(psb_random *random);

/* The divisions that drawing numbers below a bound needs, done once before a loop. */
typedef struct psb_random_range {
    uint64_t bound, unbiased, inverse;
} psb_random_range;

/* `bound` must be above 0. */
static inline psb_random_range psb_random_range_of(uint64_t bound) {
    return (psb_random_range){bound, UINT64_MAX - UINT64_MAX % bound, UINT64_MAX / bound};
}

/*
 * Uniform in 0 ... bound - 1 without bias: draws again unless the number is below a multiple of
 * bound, then takes the remainder.
 */
static inline uint64_t psb_random_in(psb_random *random, const psb_random_range *range) {
    uint64_t x;
    do {
        x = psb_random_u64(random);
    } while (x >= range->unbiased);
    /* The upper half of the product is the quotient, or the quotient - 1. */
    x -= (uint64_t)((unsigned __int128)x * range->inverse >> 64) * range->bound;
    return x - (x >= range->bound ? range->bound : 0);
}

/* Like psb_random_in, for a single number. */
static inline uint64_t psb_random_below(psb_random *random, uint64_t bound) {
    psb_random_range range = psb_random_range_of(bound);
    return psb_random_in(random, &range);
}
