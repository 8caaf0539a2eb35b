/* Computes distances over poses with AVX2: see distance/pose.h. */
#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET       __attribute__((target("avx2")))
#define LANES        8
#define ROWS         2
#define PANELS       1
#define LESSER(x, y) ((vector)_mm256_min_epi32((__m256i)(x), (__m256i)(y)))
#include "distance/pose_kernel.h"

const psb_pose_kernel psb_pose_avx2 = {{"avx2", PSB_CPU_AVX2}, pass, multiply, quantise};

#else
typedef int not_for_this_processor;
#endif
