/* Fixed slices of the benchmark's models and of the built-in ones, in memory. */
#pragma once

#include "psbench.h"

typedef struct bench_model {
    char id[24];
    char *text; /* the OFF file */
    size_t size;
} bench_model;

enum { BENCH_SLICE = 24 };

typedef struct bench_slice {
    const char *name;
    size_t count;
    bench_model model[BENCH_SLICE];
} bench_slice;

/* Takes BENCH_SLICE of the built-in benchmark's models, evenly spaced by id. */
void bench_slice_built_in(bench_slice *slice);

/*
 * Fills four slices with models of the base test set in a folder that holds db/ and
 * classification/: small, median and large models by the size of their files, and models of all
 * sizes.
 */
enum { BENCH_REAL_SLICES = 4 };
void bench_slices_real(const char *folder, bench_slice slices[BENCH_REAL_SLICES]);

void bench_slice_free(bench_slice *slice);
