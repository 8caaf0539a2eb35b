/* xoshiro256++ and its seeding. */
#include "core/random.h"

#include <string.h>
#include <xxhash.h>

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

psb_random psb_random_seeded(uint64_t seed, const char *model, const char *purpose) {
    uint64_t mixed = XXH64(model, strlen(model), seed);
    mixed = XXH64(purpose, strlen(purpose), mixed);
    psb_random random;
    for (int i = 0; i < 4; i++) {
        random.state[i] = splitmix64(&mixed);
    }
    return random;
}

static uint64_t rotate_left(uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
}

uint64_t psb_random_u64(psb_random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double psb_random_unit(psb_random *random) {
    return (double)(psb_random_u64(random) >> 11) * 0x1.0p-53;
}

uint64_t psb_random_below(psb_random *random, uint64_t bound) {
    uint64_t unbiased = UINT64_MAX - UINT64_MAX % bound;
    uint64_t x;
    do {
        x = psb_random_u64(random);
    } while (x >= unbiased);
    return x % bound;
}
