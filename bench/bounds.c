/* Measures what the machine can do: bandwidth of a copy, and OpenBLAS's matrix product. */
#include "bench.h"
#include "core/clock.h"
#include "core/linear.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* Returns the bytes a second, read and written, of a copy of `bytes` that is repeated `times`. */
static double copy_rate(size_t bytes, size_t times) {
    char *from = bench_memory(bytes, 1), *to = bench_memory(bytes, 1);
    memset(from, 1, bytes);
    double start = psb_clock_thread();
    for (size_t i = 0; i < times; i++) {
        memcpy(to, from, bytes);
        __asm__ volatile("" ::"r"(to) : "memory"); /* lets the compiler drop no copy */
    }
    double seconds = psb_clock_thread() - start;
    free(from);
    free(to);
    return 2.0 * (double)bytes * (double)times / seconds;
}

/* Returns the operations a second of a matrix product. */
static double gemm_rate(void) {
    enum { SIDE = 768 };
    double *a = bench_memory((size_t)SIDE * SIDE, sizeof *a);
    double *b = bench_memory((size_t)SIDE * SIDE, sizeof *b);
    double *c = bench_memory((size_t)SIDE * SIDE, sizeof *c);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        a[i] = (double)(i % 7);
        b[i] = (double)(i % 11);
    }
    psb_error error;
    bench_check(psb_linear_setup(&error), &error);
    double start = psb_clock_thread();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, SIDE, SIDE, SIDE, 1.0, a, SIDE, b, SIDE,
                0.0, c, SIDE);
    double seconds = psb_clock_thread() - start;
    free(a);
    free(b);
    free(c);
    return 2.0 * SIDE * SIDE * SIDE / seconds;
}

void bench_measure_bounds(bench_report *report, bench_bounds *bounds) {
    static const char *const columns[] = {"", NULL};
    double memory[BENCH_RUNS], cache[BENCH_RUNS], gemm[BENCH_RUNS];
    size_t first = report->count;
    for (int run = 0; run < BENCH_RUNS; run++) {
        memory[run] = copy_rate((size_t)64 << 20, 2) / 1e9;
        cache[run] = copy_rate((size_t)16 << 10, 100000) / 1e9;
        gemm[run] = gemm_rate() / 1e9;
    }
    bench_add(report, "copy in memory", "", "GB/s", memory, BENCH_RUNS, 0.0, NULL);
    bench_add(report, "copy in the nearest cache", "", "GB/s", cache, BENCH_RUNS, 0.0, NULL);
    bench_add(report, "OpenBLAS dgemm", "", "GF/s", gemm, BENCH_RUNS, 0.0, NULL);
    bounds->copy = 1e9 * bench_median(report, "copy in memory", "");
    bounds->cache = 1e9 * bench_median(report, "copy in the nearest cache", "");
    bounds->gemm = 1e9 * bench_median(report, "OpenBLAS dgemm", "");
    bench_print(report, first, "What the machine can do, one core", columns);
}
