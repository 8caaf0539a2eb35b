/* Implements xoshiro256++ and its seeding. */
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
    return psb_random_hashed(XXH64(model, strlen(model), seed), purpose);
}

psb_random psb_random_hashed(uint64_t content, const char *purpose) {
    uint64_t mixed = XXH64(purpose, strlen(purpose), content);
    psb_random random;
    for (int i = 0; i < 4; i++) {
        random.state[i] = splitmix64(&mixed);
    }
    return random;
}

double psb_random_unit(psb_random *random) {
    return (double)(psb_random_u64(random) >> 11) * 0x1.0p-53;
}
