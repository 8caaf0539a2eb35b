/*
 * Chooses kernels by the instruction sets that this processor has. The environment's PSB_CPU=plain,
 * avx2 or avx512 limits them, for measurements and bug reports: results have the same bytes with
 * any. It is read once.
 */
#pragma once

#include "psbench.h"

/* Instruction sets that a kernel may need in addition to the baseline of x86-64. */
typedef enum psb_cpu {
    PSB_CPU_PLAIN = 0,
    PSB_CPU_AVX2 = 1,
    PSB_CPU_BITS = 2,     /* BMI2 and POPCNT */
    PSB_CPU_AVX512F = 4,  /* AVX-512 foundation */
    PSB_CPU_AVX512BW = 8, /* AVX-512 for bytes and words */
    PSB_CPU_FMA = 16,
    PSB_CPU_AVX512DQ = 32, /* AVX-512 for numbers of 32 and 64 bits */
} psb_cpu;

/* The first member of every struct of kernels. */
typedef struct psb_variant {
    const char *name; /* for example "avx2" */
    unsigned needs;   /* psb_cpu bits, added; PSB_CPU_PLAIN runs everywhere */
} psb_variant;

/* PSB_ERROR_USAGE if PSB_CPU is another word, or a set that processor or build does not have. */
psb_status psb_cpu_check(psb_error *error);

/* Returns the highest of plain, avx2 and avx512 that is in use. */
const char *psb_cpu_name(void);

/* Whether the processor has all of these and PSB_CPU allows them. */
bool psb_cpu_has(unsigned needs);

/* Returns the first variant in the list that this processor can run; the last one must be plain. */
const void *psb_cpu_choose(const psb_variant *const *variants);

/* Marks the functions that PSB_VARIANTS compiles: inlined, so compiled for each instruction set. */
#define PSB_INLINE static inline __attribute__((always_inline))

/*
 * Picks elements of the concatenation of two vectors, by index; `indices` is a vector type of as
 * many integers of the elements' size. GCC before 12 has no __builtin_shufflevector, and clang has
 * no __builtin_shuffle.
 */
#if defined(__clang__) || __GNUC__ >= 12
#define PSB_SHUFFLE(indices, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define PSB_SHUFFLE(indices, x, y, ...) __builtin_shuffle(x, y, (indices){__VA_ARGS__})
#endif

/*
 * A file NAME_kernel.c holds loops that are compiled once for each set of instructions: with
 * PSB_SET, plain, avx2 or avx512, and the compiler's options for it. Its functions are static, and
 * it defines one struct, PSB_OF_SET(name), whose first member is PSB_SET_VARIANT. The list of these
 * structs is defined elsewhere, by PSB_SET_KERNELS(list, type, name), or where AVX-512 is no faster
 * than AVX2 (see Makefile) by PSB_SET_KERNELS_TO_AVX2. Vectors for compares and shuffles, which
 * compilers take apart if they are wider than registers, have PSB_SET_BYTES.
 */
#if defined(__AVX512BW__)
#define PSB_SET_BYTES 64
#elif defined(__AVX2__)
#define PSB_SET_BYTES 32
#else
#define PSB_SET_BYTES 16
#endif
#define PSB_JOIN__(a, b)     a##b
#define PSB_JOIN_(a, b)      PSB_JOIN__(a, b)
#define PSB_TEXT__(text)     #text
#define PSB_TEXT_(text)      PSB_TEXT__(text)
#define PSB_OF_SET(name)     PSB_JOIN_(name##_, PSB_SET)
#define PSB_SET_NEEDS_plain  PSB_CPU_PLAIN
#define PSB_SET_NEEDS_avx2   (PSB_CPU_AVX2 | PSB_CPU_BITS)
#define PSB_SET_NEEDS_avx512 (PSB_SET_NEEDS_avx2 | PSB_CPU_AVX512F | PSB_CPU_AVX512BW)
#define PSB_SET_VARIANT                                                                            \
    { PSB_TEXT_(PSB_SET), PSB_JOIN_(PSB_SET_NEEDS_, PSB_SET) }

#if defined(__x86_64__) && !defined(PSB_PORTABLE)
#define PSB_SET_KERNELS(list, type, name)                                                          \
    extern const type name##_avx512, name##_avx2, name##_plain;                                    \
    const psb_variant *const list[] = {&name##_avx512.variant, &name##_avx2.variant,               \
                                       &name##_plain.variant, NULL};
#define PSB_SET_KERNELS_TO_AVX2(list, type, name)                                                  \
    extern const type name##_avx2, name##_plain;                                                   \
    const psb_variant *const list[] = {&name##_avx2.variant, &name##_plain.variant, NULL};
#else
#define PSB_SET_KERNELS_TO_AVX2 PSB_SET_KERNELS
#define PSB_SET_KERNELS(list, type, name)                                                          \
    extern const type name##_plain;                                                                \
    const psb_variant *const list[] = {&name##_plain.variant, NULL};
#endif

/*
 * Kernels of one function. PSB_KERNEL(name, parameters) declares the struct name_kernel, whose
 * member `run` is the function, and the list name_kernels, fastest first, the plain one last, then
 * NULL. PSB_VARIANTS defines the list: `text`, a PSB_INLINE function, is compiled once for each
 * instruction set; the compiler vectorizes it. Without contraction all variants give the same bits.
 * PSB_RUN(name)(...) calls the one for this processor.
 */
#define PSB_KERNEL(name, parameters)                                                               \
    typedef struct name##_kernel {                                                                 \
        psb_variant variant;                                                                       \
        void(*run) parameters;                                                                     \
    } name##_kernel;                                                                               \
    extern const psb_variant *const name##_kernels[];
#define PSB_RUN(name) ((const name##_kernel *)psb_cpu_choose(name##_kernels))->run

#define PSB_VARIANTS(name, text, parameters, arguments)                                            \
    PSB_VARIANTS_FOR(name, text, parameters, arguments, "avx2", "avx512f,avx512bw")

/* Like PSB_VARIANTS, for functions that gather numbers from all over an array: compilers load these
 * one by one unless the target is a processor with fast gathers. */
#define PSB_GATHERING_VARIANTS(name, text, parameters, arguments)                                  \
    PSB_VARIANTS_FOR(name, text, parameters, arguments, "avx2,tune=haswell",                       \
                     "avx512f,avx512bw,tune=haswell")

/* Like PSB_VARIANTS, where AVX-512 is no faster than AVX2. */
#define PSB_VARIANTS_TO_AVX2(name, text, parameters, arguments)                                    \
    PSB_VARIANTS_TO_(name, text, parameters, arguments, "avx2")
#define PSB_GATHERING_VARIANTS_TO_AVX2(name, text, parameters, arguments)                          \
    PSB_VARIANTS_TO_(name, text, parameters, arguments, "avx2,tune=haswell")

#define PSB_VARIANT_(name, text, set, needs, target, parameters, arguments)                        \
    target static void text##_##set parameters {                                                   \
        text arguments;                                                                            \
    }                                                                                              \
    static const name##_kernel text##_of_##set = {{#set, needs}, text##_##set};
#define PSB_PLAIN_(name, text, parameters, arguments)                                              \
    PSB_VARIANT_(name, text, plain, PSB_CPU_PLAIN, , parameters, arguments)
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
#define PSB_AVX2_(name, text, parameters, arguments, with)                                         \
    PSB_VARIANT_(name, text, avx2, PSB_CPU_AVX2, __attribute__((target(with))), parameters,        \
                 arguments)
#define PSB_VARIANTS_FOR(name, text, parameters, arguments, with_avx2, with_avx512)                \
    PSB_PLAIN_(name, text, parameters, arguments)                                                  \
    PSB_AVX2_(name, text, parameters, arguments, with_avx2)                                        \
    PSB_VARIANT_(name, text, avx512, PSB_CPU_AVX512F | PSB_CPU_AVX512BW,                           \
                 __attribute__((target(with_avx512))), parameters, arguments)                      \
    const psb_variant *const name##_kernels[] = {                                                  \
        &text##_of_avx512.variant, &text##_of_avx2.variant, &text##_of_plain.variant, NULL};
#define PSB_VARIANTS_TO_(name, text, parameters, arguments, with_avx2)                             \
    PSB_PLAIN_(name, text, parameters, arguments)                                                  \
    PSB_AVX2_(name, text, parameters, arguments, with_avx2)                                        \
    const psb_variant *const name##_kernels[] = {&text##_of_avx2.variant,                          \
                                                 &text##_of_plain.variant, NULL};
#else
#define PSB_VARIANTS_TO_(name, text, parameters, arguments, with_avx2)                             \
    PSB_VARIANTS_FOR(name, text, parameters, arguments, with_avx2, )
#define PSB_VARIANTS_FOR(name, text, parameters, arguments, with_avx2, with_avx512)                \
    PSB_PLAIN_(name, text, parameters, arguments)                                                  \
    const psb_variant *const name##_kernels[] = {&text##_of_plain.variant, NULL};
#endif
