/* Sums of differences with AVX2: see distance/panels.h. */
#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2")))
#define LANES  4
#define ROWS   4
#define PANELS 1
#include "distance/panel_kernel.h"

static bool supported(void) {
    return __builtin_cpu_supports("avx2");
}

const psb_panel_kernel psb_panel_avx2 = {"avx2", supported, add};

#else
typedef int not_for_this_processor;
#endif
