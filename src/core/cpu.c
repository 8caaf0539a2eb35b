/* Asks the compiler's run time which instruction sets the processor has. */
#include "core/cpu.h"

bool psb_cpu_has(unsigned needs) {
    unsigned has = PSB_CPU_PLAIN;
#if defined(__x86_64__)
    has |= __builtin_cpu_supports("avx2") ? PSB_CPU_AVX2 : 0;
    has |= __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") ? PSB_CPU_BITS : 0;
    has |= __builtin_cpu_supports("fma") ? PSB_CPU_FMA : 0;
    has |= __builtin_cpu_supports("avx512f") ? PSB_CPU_AVX512F : 0;
    has |= __builtin_cpu_supports("avx512bw") ? PSB_CPU_AVX512BW : 0;
    has |= __builtin_cpu_supports("avx512dq") ? PSB_CPU_AVX512DQ : 0;
#endif
    return (needs & ~has) == 0;
}

const void *psb_cpu_choose(const psb_variant *const *variants) {
    while (!psb_cpu_has((*variants)->needs)) {
        variants++;
    }
    return *variants;
}
