/*
 * What takes bytes from outside, each as a function of those bytes.
 *
 * A target aborts where a result breaks its promise; crashes, leaks and undefined behaviour are the
 * sanitizers' to find. tests/fuzz/fuzz.c gives the targets to libFuzzer (`make fuzz`),
 * tests/unit/test_hostile.c runs them over the seeds, their mutations and all that was ever found.
 */
#pragma once

#include <stddef.h>

typedef struct fuzz_target {
    const char *name;    /* also of its folders in tests/fuzz/seeds and tests/fuzz/found */
    const char *data[2]; /* folders of tests/data that hold seeds as well, or NULL */
    size_t longest;      /* bytes of an input that are worth trying */
    void (*run)(const unsigned char *data, size_t size);
} fuzz_target;

size_t fuzz_target_count(void);
const fuzz_target *fuzz_target_at(size_t index);
/* NULL where there is none of that name. */
const fuzz_target *fuzz_target_find(const char *name);
