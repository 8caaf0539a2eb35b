/* Asks the compiler's run time which instruction sets the processor has, and PSB_CPU which to use.
 */
#include "core/cpu.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* What PSB_CPU may be, each with all that kernels of its name need. */
static const psb_variant level[] = {
    {"plain", PSB_CPU_PLAIN},
    {"avx2", PSB_CPU_AVX2 | PSB_CPU_BITS | PSB_CPU_FMA},
    {"avx512", PSB_CPU_AVX2 | PSB_CPU_BITS | PSB_CPU_FMA | PSB_CPU_AVX512F | PSB_CPU_AVX512BW |
                   PSB_CPU_AVX512DQ},
};
enum { LEVELS = sizeof level / sizeof level[0] };

/* What the processor has and this build has kernels for. */
static unsigned find_sets(void) {
    unsigned has = PSB_CPU_PLAIN;
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    has |= __builtin_cpu_supports("avx2") ? PSB_CPU_AVX2 : 0;
    has |= __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") ? PSB_CPU_BITS : 0;
    has |= __builtin_cpu_supports("fma") ? PSB_CPU_FMA : 0;
    has |= __builtin_cpu_supports("avx512f") ? PSB_CPU_AVX512F : 0;
    has |= __builtin_cpu_supports("avx512bw") ? PSB_CPU_AVX512BW : 0;
    has |= __builtin_cpu_supports("avx512dq") ? PSB_CPU_AVX512DQ : 0;
#endif
    return has;
}

/* The highest level that `has` holds all of. */
static const char *name_of(unsigned has) {
    int l = LEVELS - 1;
    while ((level[l].needs & ~has) != 0) {
        l--;
    }
    return level[l].name;
}

/* The level that PSB_CPU names; NULL if it names none. */
static const psb_variant *find_limit(void) {
    const char *name = getenv("PSB_CPU");
    for (int l = 0; l < LEVELS && name != NULL; l++) {
        if (strcmp(name, level[l].name) == 0) {
            return &level[l];
        }
    }
    return NULL;
}

psb_status psb_cpu_check(psb_error *error) {
    const char *name = getenv("PSB_CPU");
    const psb_variant *limit = find_limit();
    const unsigned has = find_sets();
    if (name == NULL || name[0] == '\0') {
        return PSB_OK;
    }
    if (limit == NULL) {
        return psb_fail(error, PSB_ERROR_USAGE, "PSB_CPU=%s: want plain, avx2 or avx512", name);
    }
    if ((limit->needs & ~has) != 0) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "PSB_CPU=%s: this processor, or this build, has no more than %s", name,
                        name_of(has));
    }
    return PSB_OK;
}

/* Asked for often: PSB_CPU and the processor are looked at once. */
static unsigned usable(void) {
    enum { KNOWN = 1u << 31 };
    static _Atomic unsigned sets;
    unsigned known = sets;
    if (known == 0) {
        const psb_variant *limit = find_limit();
        known = (find_sets() & (limit != NULL ? limit->needs : ~0u)) | KNOWN;
        sets = known;
    }
    return known;
}

const char *psb_cpu_name(void) {
    return name_of(usable());
}

bool psb_cpu_has(unsigned needs) {
    return (needs & ~usable()) == 0;
}

const void *psb_cpu_choose(const psb_variant *const *variants) {
    while (!psb_cpu_has((*variants)->needs)) {
        variants++;
    }
    return *variants;
}
