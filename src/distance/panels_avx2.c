/* Adds up differences with AVX2: see distance/panels.h. */
#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2")))
#define LANES  4
#define ROWS   4
#define PANELS 1
#include "distance/panel_kernel.h"

const psb_panel_kernel psb_panel_avx2 = {{"avx2", PSB_CPU_AVX2}, add};

#else
typedef int not_for_this_processor;
#endif
