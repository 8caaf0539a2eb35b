/* Measures wall time, CPU time and peak memory of a run. They never enter a result. */
#pragma once

#include <stddef.h>

/* Seconds since an arbitrary start, monotonic. */
double psb_clock_wall(void);
/* CPU seconds of the calling thread, and of the whole process (user and system). */
double psb_clock_thread(void);
double psb_clock_process(void);
/* Largest resident set of the process so far, in bytes. */
size_t psb_peak_memory(void);
