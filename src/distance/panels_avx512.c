/* Adds up differences with AVX-512: see distance/panels.h. */
#if defined(__x86_64__)

#define TARGET __attribute__((target("avx512f")))
#define LANES  8
#define ROWS   8
#define PANELS 2
#include "distance/panel_kernel.h"

const psb_panel_kernel psb_panel_avx512 = {{"avx512", PSB_CPU_AVX512F}, add};

#else
typedef int not_for_this_processor;
#endif
