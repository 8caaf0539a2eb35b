/*
 * The project's own random numbers: xoshiro256++ (Blackman, Vigna 2019) seeded through splitmix64.
 * Seeded per model and purpose, so that one model's result never depends on another or on order.
 */
#ifndef PSB_CORE_RANDOM_H
#define PSB_CORE_RANDOM_H

#include <stdint.h>

typedef struct psb_random {
    uint64_t state[4];
} psb_random;

/* A stream for one model and one purpose ("D2"): the hash of all three decides. */
psb_random psb_random_seeded(uint64_t seed, const char *model, const char *purpose);

uint64_t psb_random_u64(psb_random *random);
/* Uniform in [0, 1), a multiple of 2^-53. */
double psb_random_unit(psb_random *random);
/* Uniform in 0 ... bound - 1 without bias; bound > 0. */
uint64_t psb_random_below(psb_random *random, uint64_t bound);

#endif
