/* Computes distances over poses with AVX-512: see distance/pose.h. */
#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET       __attribute__((target("avx512f")))
#define LANES        16
#define ROWS         4
#define PANELS       2
#define LESSER(x, y) ((vector)_mm512_min_epi32((__m512i)(x), (__m512i)(y)))
#include "distance/pose_kernel.h"

const psb_pose_kernel psb_pose_avx512 = {{"avx512", PSB_CPU_AVX512F}, pass, multiply, quantise};

#else
typedef int not_for_this_processor;
#endif
