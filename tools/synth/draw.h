/*
 * Draws parameters from ranges. C leaves the order in which arguments are evaluated to the
 * compiler, so each draw is a statement of its own, never two in one call.
 */
#pragma once

#include "core/random.h"

#include <stdbool.h>

static inline double psb_between(psb_random *random, double low, double high) {
    return low + (high - low) * psb_random_unit(random);
}

/* Draws one of low ... high, both included. */
static inline int psb_choose(psb_random *random, int low, int high) {
    return low + (int)psb_random_below(random, (uint64_t)(high - low + 1));
}

static inline bool psb_chance(psb_random *random, double probability) {
    return psb_random_unit(random) < probability;
}
