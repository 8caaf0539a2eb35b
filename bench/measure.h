/*
 * Figures of a benchmark: medians of several runs with their spread, beside the bound that this
 * machine sets, as a table and as JSON.
 */
#pragma once

#include "psbench.h"

#include <stdbool.h>
#include <stdio.h>

enum { BENCH_RUNS = 5, BENCH_FIGURES = 512 };

typedef struct bench_figure {
    char name[40];
    char where[24];   /* the slice of models, or the size of the problem */
    const char *unit; /* "ms", or a rate: "MB/s", where more is better */
    double median;
    double low, high; /* quartiles of the runs */
    double bound;     /* in the same unit; 0: not known */
    const char *by;   /* what sets the bound: "copy" */
} bench_figure;

typedef struct bench_report {
    size_t count;
    bench_figure figure[BENCH_FIGURES];
} bench_report;

/* Adds the median and the quartiles of n values; they are sorted in place. */
void bench_add(bench_report *report, const char *name, const char *where, const char *unit,
               double *values, size_t n, double bound, const char *by);

/* Returns the median of a figure, 0 if there is no such figure. */
double bench_median(const bench_report *report, const char *name, const char *where);

/* Returns the share of the bound that was reached, 0 ... 1; 0 if no bound is known. */
double bench_share(const bench_figure *figure);

/*
 * Prints figures `first` and later: a line for each name, a column for each of `columns`, then the
 * bound and the share reached in the last column that has the figure.
 */
void bench_print(const bench_report *report, size_t first, const char *title,
                 const char *const *columns);

psb_status bench_write(const bench_report *report, const char *path, psb_error *error);

/* Ends the program with the error's message if `status` is not PSB_OK. */
void bench_check(psb_status status, const psb_error *error);
/* Returns zeroed memory, aligned to 64 bytes, or ends the program. */
void *bench_memory(size_t count, size_t size);
