/* The one choice of kernels by what this processor has. */
#ifndef PSB_CORE_CPU_H
#define PSB_CORE_CPU_H

#include <stdbool.h>

/* Instruction sets, beyond the least of x86-64, that a kernel may need. */
typedef enum psb_cpu {
    PSB_CPU_PLAIN = 0,
    PSB_CPU_AVX2 = 1,
    PSB_CPU_BITS = 2,     /* BMI2 and POPCNT */
    PSB_CPU_AVX512F = 4,  /* foundation */
    PSB_CPU_AVX512BW = 8, /* bytes and words */
    PSB_CPU_FMA = 16,
    PSB_CPU_AVX512DQ = 32, /* numbers of 32 and 64 bits */
} psb_cpu;

/* First member of every struct of kernels. */
typedef struct psb_variant {
    const char *name; /* "avx2" */
    unsigned needs;   /* psb_cpu, added up; PSB_CPU_PLAIN runs everywhere */
} psb_variant;

bool psb_cpu_has(unsigned needs);

/* The first of a list that this processor can run; the list ends with a plain one. */
const void *psb_cpu_choose(const psb_variant *const *variants);

#endif
