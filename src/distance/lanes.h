/*
 * Vectors of 64 bytes, which compilers build from the registers that a processor has, for loops
 * that compilers do not vectorise by themselves.
 */
#ifndef PSB_DISTANCE_LANES_H
#define PSB_DISTANCE_LANES_H

#include <stdint.h>

enum { PSB_LANES_BYTES = 64, PSB_LANES = 16, PSB_HALF_LANES = 8 };

typedef float psb_floats __attribute__((vector_size(PSB_LANES_BYTES)));
typedef int32_t psb_ints __attribute__((vector_size(PSB_LANES_BYTES)));
typedef double psb_doubles __attribute__((vector_size(PSB_LANES_BYTES)));
typedef int64_t psb_longs __attribute__((vector_size(PSB_LANES_BYTES)));
typedef float psb_half_floats __attribute__((vector_size(PSB_LANES_BYTES / 2)));

/* Takes each lane from a if the mask, the result of a comparison, is set there, else from b. */
#define PSB_CHOOSE_FLOATS(mask, a, b)                                                              \
    (psb_floats)(((mask) & (psb_ints)(a)) | (~(mask) & (psb_ints)(b)))
#define PSB_CHOOSE_DOUBLES(mask, a, b)                                                             \
    (psb_doubles)(((mask) & (psb_longs)(a)) | (~(mask) & (psb_longs)(b)))

#endif
