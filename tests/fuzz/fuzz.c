/* The door for libFuzzer: one program for all targets; the variable FUZZ_TARGET names one. */
#include "fuzz/targets.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    const char *name = getenv("FUZZ_TARGET");
    target = name != NULL ? fuzz_target_find(name) : NULL;
    if (target == NULL) {
        fprintf(stderr, "FUZZ_TARGET has to be one of:");
        for (size_t i = 0; i < fuzz_target_count(); i++) {
            fprintf(stderr, " %s", fuzz_target_at(i)->name);
        }
        fprintf(stderr, "\n");
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size <= target->longest) {
        target->run(data, size);
    }
    return 0;
}
