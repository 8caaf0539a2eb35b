/* The parts of the benchmark. Each adds its figures to `report` and prints its section. */
#pragma once

#include "measure.h"
#include "models.h"

/* What this machine can do on one core, measured at the start. */
typedef struct bench_bounds {
    double copy;  /* bytes a second, read and written, of a copy in memory */
    double cache; /* the same within the first-level cache */
    double gemm;  /* operations a second of OpenBLAS's dgemm */
} bench_bounds;

void bench_measure_bounds(bench_report *report, bench_bounds *bounds);

/* Measures stages and descriptors, over slices of models. */
void bench_stages(bench_report *report, const bench_bounds *bounds, const bench_slice *slices,
                  size_t nslices);

/* Measures the light field's silhouettes over a slice; bench_stages prints them with its own. */
void bench_silhouettes(bench_report *report, const bench_bounds *bounds, const bench_slice *slice);

/* Measures the reading of meshes in every format that psbench writes, over slices of models. */
void bench_formats(bench_report *report, const bench_slice *slices, size_t nslices);

/* Measures distance matrices and their scores. */
void bench_matrices(bench_report *report, const bench_bounds *bounds, const bench_slice *slice);

/* Measures one shape ever finer, and ever more models. */
void bench_growth(bench_report *report, const bench_slice *slice);
