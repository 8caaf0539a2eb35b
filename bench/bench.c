/*
 * Measures the speed of everything, beside what the machine can do.
 *
 *   bench [FILE]    prints a table, and writes the same figures as JSON to FILE
 *
 * Models are the built-in benchmark's and, if PSB_DIR names the folder of the Princeton Shape
 * Benchmark, slices of its test set. Times are of the thread's processor clock, so that other
 * programs on the machine matter little. The table has medians of five runs and, in per cent of
 * them, the distances to the quartiles.
 */
#include "bench.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    const char *folder = getenv("PSB_DIR");
    bench_report *report = bench_memory(1, sizeof *report);
    bench_slice *slices = bench_memory(1 + BENCH_REAL_SLICES, sizeof *slices);
    bench_bounds bounds;
    size_t nslices = 1;
    bench_slice_built_in(&slices[0]);
    if (folder != NULL) {
        bench_slices_real(folder, slices + 1);
        nslices += BENCH_REAL_SLICES;
    }
    bench_measure_bounds(report, &bounds);
    bench_formats(report, slices, nslices);
    bench_matrices(report, &bounds, &slices[nslices - 1]);
    bench_growth(report, &slices[0]);
    bench_stages(report, &bounds, slices, nslices);
    if (argc > 1) {
        psb_error error;
        bench_check(bench_write(report, argv[1], &error), &error);
    }
    for (size_t s = 0; s < nslices; s++) {
        bench_slice_free(&slices[s]);
    }
    free(slices);
    free(report);
    return 0;
}
