/* Measures distance matrices, kernels at every level of SIMD, and scores, on one core. */
#include "bench.h"
#include "core/clock.h"
#include "core/random.h"
#include "descriptors/descriptor.h"
#include "distance/panels.h"
#include "distance/pose.h"
#include "distance/recipe.h"
#include "eval/evaluation.h"
#include "io/off.h"
#include "lightfield/metric_kernel.h"

#include <stdlib.h>
#include <string.h>

/* Returns random rows of norm 1, as those of descriptors. */
static float *random_rows(size_t n, size_t length) {
    float *rows = bench_memory(n * length, sizeof *rows);
    psb_random random = psb_random_seeded(1, "rows", "bench");
    for (size_t i = 0; i < n * length; i++) {
        rows[i] = (float)psb_random_unit(&random);
    }
    return rows;
}

static void whole_matrix(bench_report *report, const bench_bounds *bounds, const psb_metric *metric,
                         size_t n, size_t length) {
    char name[40], where[24];
    snprintf(name, sizeof name, "%s matrix", metric->name);
    snprintf(where, sizeof where, "%zu x %zu", n, length);
    float *data = random_rows(n, length), *out = bench_memory(n * n, sizeof *out);
    psb_row_view rows = {data, n, length, PSB_FLOAT32};
    double pairs = (double)n * ((double)n - 1.0) / 2.0;
    double rate[BENCH_RUNS], million[BENCH_RUNS];
    psb_error error;
    for (int run = 0; run < BENCH_RUNS; run++) {
        double start = psb_clock_thread();
        bench_check(psb_distance_matrix(metric, &rows, 1, out, NULL, NULL, &error), &error);
        double seconds = psb_clock_thread() - start;
        rate[run] = pairs * 2.0 * (double)length / seconds / 1e9;
        million[run] = pairs / seconds / 1e6;
    }
    bench_add(report, name, where, "GF/s", rate, BENCH_RUNS, bounds->gemm / 1e9, "dgemm");
    snprintf(name, sizeof name, "%s million pairs", metric->name);
    bench_add(report, name, where, "M/s", million, BENCH_RUNS, 0.0, NULL);
    free(data);
    free(out);
}

/* Measures a tile of L1 distances with each kernel. */
static void tile_kernels(bench_report *report, const bench_bounds *bounds) {
    enum { LENGTH = 544, TIMES = 8 };
    float *data = random_rows(PSB_TILE, LENGTH);
    psb_row_view rows = {data, PSB_TILE, LENGTH, PSB_FLOAT32};
    void *memory = bench_memory(psb_block_bytes(&psb_l1, PSB_TILE, LENGTH), 1);
    psb_block block = psb_block_prepare(&psb_l1, &rows, memory);
    double *sum = bench_memory(psb_panels_scratch(PSB_TILE, LENGTH), 1);
    for (size_t k = 0; psb_panel_kernels[k] != NULL; k++) {
        const psb_panel_kernel *kernel = (const psb_panel_kernel *)psb_panel_kernels[k];
        bool runs = psb_cpu_has(kernel->variant.needs);
        char name[40];
        double rate[BENCH_RUNS];
        snprintf(name, sizeof name, "a tile of L1, %s", kernel->variant.name);
        for (int run = 0; run < BENCH_RUNS && runs; run++) {
            double start = psb_clock_thread();
            for (int i = 0; i < TIMES; i++) {
                psb_panels_sum(kernel->add, &block, &block, false, sum);
            }
            double operations = 2.0 * TIMES * PSB_TILE * PSB_TILE * LENGTH;
            rate[run] = operations / (psb_clock_thread() - start) / 1e9;
        }
        if (runs) {
            bench_add(report, name, "128 x 544", "GF/s", rate, BENCH_RUNS, bounds->gemm / 1e9,
                      "dgemm");
        }
    }
    free(data);
    free(memory);
    free(sum);
}

/*
 * Measures pairs over 48 poses with each kernel, and checks that all have the same result. The
 * bound is the time to read one of the two rows of each pass from the nearest cache.
 */
static void pose_kernels(bench_report *report, const bench_bounds *bounds, size_t length,
                         int passes, const char *where) {
    float *data = random_rows(PSB_TILE, length), *out[2];
    psb_row_view rows = {data, PSB_TILE, length, PSB_FLOAT32};
    void *memory = bench_memory(psb_block_bytes(&psb_pose48, PSB_TILE, length), 1);
    void *scratch = bench_memory(psb_tile_scratch(&psb_pose48, PSB_TILE, length), 1);
    psb_block block = psb_block_prepare(&psb_pose48, &rows, memory);
    double bound = 1e6 * passes * 4.0 * (double)length / bounds->cache;
    bool any = false;
    for (int i = 0; i < 2; i++) {
        out[i] = bench_memory(PSB_TILE * PSB_TILE, sizeof *out[i]);
    }
    for (size_t k = 0; psb_pose_kernels[k] != NULL; k++) {
        const psb_pose_kernel *kernel = (const psb_pose_kernel *)psb_pose_kernels[k];
        if (!psb_cpu_has(kernel->variant.needs)) {
            continue;
        }
        char name[40];
        double pair[BENCH_RUNS];
        snprintf(name, sizeof name, "a pair of pose48, %s", kernel->variant.name);
        for (int run = 0; run < BENCH_RUNS; run++) {
            double start = psb_clock_thread();
            psb_pose48_tile(kernel, &block, &block, false, scratch, out[any], PSB_TILE);
            pair[run] = 1e6 * (psb_clock_thread() - start) / (PSB_TILE * PSB_TILE);
        }
        bench_add(report, name, where, "us", pair, BENCH_RUNS, bound, "cache");
        if (any && memcmp(out[0], out[1], PSB_TILE * PSB_TILE * sizeof *out[0]) != 0) {
            fprintf(stderr, "bench: distances of %s differ\n", kernel->variant.name);
            exit(1);
        }
        any = true;
    }
    for (int i = 0; i < 2; i++) {
        free(out[i]);
    }
    free(data);
    free(memory);
    free(scratch);
}

/* Measures pairs of random rows with the fastest kernel; a pair reads `reads` bytes from the
 * nearest cache. */
static void pairs(bench_report *report, const bench_bounds *bounds, const psb_metric *metric,
                  size_t length, double reads, const char *where) {
    psb_random random = psb_random_seeded(2, "pairs", "bench");
    float *data = random_rows(PSB_TILE, length),
          *out = bench_memory(PSB_TILE * PSB_TILE, sizeof *out);
    uint8_t *bytes = (uint8_t *)data;
    for (size_t i = 0; metric->element == PSB_UINT8 && i < PSB_TILE * length; i++) {
        bytes[i] = (uint8_t)psb_random_below(&random, 64); /* small numbers as floats, too */
    }
    psb_row_view rows = {data, PSB_TILE, length, metric->element};
    void *memory = bench_memory(psb_block_bytes(metric, PSB_TILE, length), 1);
    void *scratch = bench_memory(psb_tile_scratch(metric, PSB_TILE, length), 1);
    double pair[BENCH_RUNS], ready[BENCH_RUNS];
    char name[40];
    for (int run = 0; run < BENCH_RUNS; run++) {
        double start = psb_clock_thread();
        psb_block block = psb_block_prepare(metric, &rows, memory);
        double prepared = psb_clock_thread();
        metric->tile(&block, &block, false, scratch, out, PSB_TILE);
        ready[run] = 1e6 * (prepared - start) / PSB_TILE;
        pair[run] = 1e6 * (psb_clock_thread() - prepared) / (PSB_TILE * PSB_TILE);
    }
    snprintf(name, sizeof name, "a pair of %s", metric->name);
    bench_add(report, name, where, "us", pair, BENCH_RUNS, 1e6 * reads / bounds->cache, "cache");
    snprintf(name, sizeof name, "a row ready for %s", metric->name);
    bench_add(report, name, where, "us", ready, BENCH_RUNS, 0, NULL);
    free(data);
    free(out);
    free(memory);
    free(scratch);
}

/* Returns the light field's rows of a slice of models. */
static uint8_t *light_fields(const bench_slice *slice) {
    uint8_t *rows = bench_memory(slice->count, PSB_LFD_LENGTH);
    psb_tables *tables;
    psb_shape *shape;
    psb_spec *spec;
    psb_mesh_buffer mesh = {0};
    psb_error error;
    bench_check(psb_tables_new(&tables, &error), &error);
    bench_check(psb_shape_new(tables, &shape, &error), &error);
    bench_check(psb_spec_parse(NULL, "LFD", &spec, &error), &error);
    for (size_t m = 0; m < slice->count; m++) {
        const bench_model *model = &slice->model[m];
        bench_check(psb_off_parse(model->id, model->text, model->size, &mesh, &error), &error);
        bench_check(psb_shape_load(shape, &mesh.mesh, model->id, &error), &error);
        bench_check(psb_shape_describe(shape, spec, rows + m * PSB_LFD_LENGTH, &error), &error);
    }
    psb_spec_free(spec);
    psb_shape_free(shape);
    psb_tables_free(tables);
    psb_mesh_buffer_free(&mesh);
    return rows;
}

/*
 * Measures pairs of light fields with each kernel, and checks that all have the same result. Every
 * kernel adds ten costs for each of 6,000 alignments: the bound is the time to read these, two
 * bytes each, from the nearest cache.
 */
static void light_field_kernels(bench_report *report, const bench_bounds *bounds,
                                const bench_slice *slice) {
    size_t n = slice->count;
    uint8_t *data = light_fields(slice);
    float *out = bench_memory(n * n, sizeof *out), *other = bench_memory(n * n, sizeof *other);
    void *scratch = bench_memory(psb_tile_scratch(&psb_lfd_metric, PSB_TILE, PSB_LFD_LENGTH), 1);
    psb_block block = {&psb_lfd_metric, {data, n, PSB_LFD_LENGTH, PSB_UINT8}, NULL, NULL};
    double bound = 1e6 * 2.0 * 60000.0 / bounds->cache;
    bool any = false;
    for (size_t k = 0; psb_lfd_kernels[k] != NULL; k++) {
        const psb_lfd_kernel *kernel = (const psb_lfd_kernel *)psb_lfd_kernels[k];
        if (!psb_cpu_has(kernel->variant.needs)) {
            continue;
        }
        char name[40];
        double pair[BENCH_RUNS];
        snprintf(name, sizeof name, "a light-field pair, %s", kernel->variant.name);
        for (int run = 0; run < BENCH_RUNS; run++) {
            double start = psb_clock_thread();
            psb_lfd_tile(kernel, &block, &block, false, scratch, any ? other : out, n);
            pair[run] = 1e6 * (psb_clock_thread() - start) / (double)(n * n);
        }
        bench_add(report, name, slice->name, "us", pair, BENCH_RUNS, bound, "cache");
        if (any && memcmp(out, other, n * n * sizeof *out) != 0) {
            fprintf(stderr, "bench: distances of %s differ\n", kernel->variant.name);
            exit(1);
        }
        any = true;
    }
    free(data);
    free(out);
    free(other);
    free(scratch);
}

/* Measures five figures for each query, with classes of ten. The bound is reading the matrix. */
static void evaluation(bench_report *report, const bench_bounds *bounds, size_t n) {
    enum { CLASS = 10 };
    psb_class *classes = bench_memory(n / CLASS, sizeof *classes);
    size_t *class_of = bench_memory(n, sizeof *class_of);
    for (size_t c = 0; c < n / CLASS; c++) {
        classes[c] = (psb_class){.first = c * CLASS, .count = CLASS};
        for (size_t i = 0; i < CLASS; i++) {
            class_of[c * CLASS + i] = c;
        }
    }
    psb_classification cla = {
        .nclasses = n / CLASS, .classes = classes, .nmodels = n, .class_of = class_of};
    psb_matrix matrix = {.n = n, .data = random_rows(n, n)};
    psb_chosen_measure figures[PSB_MAX_CHOSEN];
    size_t count;
    double each[BENCH_RUNS];
    psb_error error;
    bench_check(psb_measures_parse("table4", figures, &count, &error), &error);
    psb_evaluation e = {.cla = &cla, .measures = figures, .nmeasures = count, .nmethods = 1};
    bench_check(psb_evaluation_open(&e, &error), &error);
    for (int run = 0; run < BENCH_RUNS; run++) {
        double start = psb_clock_thread();
        bench_check(psb_evaluation_rank(&e, 0, &matrix, 1, &error), &error);
        each[run] = 1e6 * (psb_clock_thread() - start) / (double)n;
    }
    char where[24];
    snprintf(where, sizeof where, "%zu x %zu", n, n);
    bench_add(report, "scores of a query", where, "us", each, BENCH_RUNS,
              1e6 * (double)(n * sizeof(float)) / bounds->copy, "copy");
    psb_evaluation_close(&e);
    free(classes);
    free(class_of);
    free((void *)(uintptr_t)matrix.data);
}

void bench_matrices(bench_report *report, const bench_bounds *bounds, const bench_slice *slice) {
    static const char *const shapes[] = {"905 x 64", "905 x 544", "1810 x 4352", "10000 x 544",
                                         NULL};
    const char *const tiles[] = {"128 x 544", slice->name, NULL};
    static const char *const poses[] = {"2048 numbers", "816 numbers", "T3", NULL};
    static const char *const queries[] = {"900 x 900", "3600 x 3600", NULL};
    size_t first = report->count;
    whole_matrix(report, bounds, &psb_l1, 905, 64);
    whole_matrix(report, bounds, &psb_l1, 905, 544);
    whole_matrix(report, bounds, &psb_l2, 905, 64);
    whole_matrix(report, bounds, &psb_l2, 905, 544);
    whole_matrix(report, bounds, &psb_l2, 1810, 4352);
    whole_matrix(report, bounds, &psb_l2, 10000, 544);
    bench_print(report, first, "Distance matrices, one core; two operations a number", shapes);
    first = report->count;
    tile_kernels(report, bounds);
    light_field_kernels(report, bounds, slice);
    bench_print(report, first, "The same at each level of SIMD", tiles);
    first = report->count;
    pose_kernels(report, bounds, 8 * 256, 2 * PSB_ORDERS - 1, poses[0]);
    pose_kernels(report, bounds, PSB_DEPTH_LENGTH, PSB_ORDERS, poses[1]);
    const psb_recipe *t3 = psb_recipe_find("t3");
    pairs(report, bounds, &psb_pose8, 8 * 256, 4.0 * 8 * 256, poses[0]);
    pairs(report, bounds, &psb_sum, psb_recipe_row_bytes(t3),
          2.0 * 60000 + (2 * PSB_ORDERS - 1) * 4.0 * (8 * 256 + 2 * 256), poses[2]);
    bench_print(report, first, "Distances over poses", poses);
    first = report->count;
    evaluation(report, bounds, 900);
    evaluation(report, bounds, 3600);
    bench_print(report, first, "Scores, one core", queries);
}
