/* Reads POSIX clocks and getrusage. */
#include "core/clock.h"

#include <sys/resource.h>
#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double psb_clock_wall(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double psb_clock_thread(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double psb_clock_process(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

size_t psb_peak_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024; /* Linux counts in KiB */
}
