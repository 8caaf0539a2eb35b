/*
 * Measures statistics straight from the features of a large set: time, beside that of a matrix
 * product, and memory; checks that the first 2,000 models get the same values as with a matrix.
 *
 *   stream [MODELS [FOLDER]]   generates rows of SHD's length; with FOLDER it only writes them
 *                              there, as rows.npy and rows.cla, for other programs
 *
 * A distance is counted as 2 x length operations, each pair once. The share of the product's speed
 * is taken in processor time, so that other work on the machine does not show, and in wall time.
 */
#include "core/clock.h"
#include "core/file.h"
#include "core/linear.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/random.h"
#include "core/text.h"
#include "stream/feature_ranks.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LENGTH = 544, SIDE = 2048, FEW = 4000, COMPARED = 2000, REPETITIONS = 5 };

static const size_t class_sizes[] = {5, 10, 20, 50};
enum { SIZES = sizeof class_sizes / sizeof class_sizes[0] };

static void stop_on(psb_status status, const psb_error *error) {
    if (status != PSB_OK) {
        fprintf(stderr, "stream: %s\n", error->message);
        exit(1);
    }
}

static void *must_allocate(size_t count, size_t size) {
    psb_status status = PSB_OK;
    psb_error error;
    void *memory = psb_new(&status, count, size, "a benchmark", &error);
    stop_on(status, &error);
    return memory;
}

/* Makes a non-negative row of norm 1, like SHD's: a class's part and a larger part of its own. */
static void make_row(psb_random *random, const float *of_class, float *row) {
    double squares = 0.0;
    for (size_t k = 0; k < LENGTH; k++) {
        row[k] = of_class[k] + (float)psb_random_unit(random);
        squares += (double)row[k] * (double)row[k];
    }
    for (size_t k = 0; k < LENGTH; k++) {
        row[k] = (float)(row[k] / sqrt(squares));
    }
}

static void make_set(size_t models, const char *features, const char *classification) {
    float *rows = must_allocate(models * LENGTH, sizeof *rows);
    float of_class[LENGTH];
    psb_text cla = {.data = NULL}, body = {.data = NULL};
    size_t classes = 0;
    psb_error error;
    for (size_t i = 0; i < models; classes++) {
        size_t wanted = class_sizes[classes % SIZES];
        size_t count = models - i < wanted ? models - i : wanted;
        psb_random random = psb_random_seeded(classes, "class", "rows");
        for (size_t k = 0; k < LENGTH; k++) {
            of_class[k] = (float)(0.3 * psb_random_unit(&random));
        }
        psb_text_printf(&body, "c%zu 0 %zu\n", classes, count);
        for (size_t end = i + count; i < end; i++) {
            psb_text_printf(&body, "%zu\n", i);
            make_row(&random, of_class, rows + i * LENGTH);
        }
    }
    psb_text_printf(&cla, "PSB 1\n%zu %zu\n", classes, models);
    psb_text_add_bytes(&cla, body.data, body.length);
    stop_on(psb_text_status(&cla, &error), &error);
    stop_on(psb_npy_write(features, rows, models, LENGTH, PSB_FLOAT32, &error), &error);
    stop_on(psb_write_file(classification, cla.data, cla.length, &error), &error);
    psb_text_free(&cla);
    psb_text_free(&body);
    free(rows);
}

/* Measures operations a second of large products, one in each thread at a time, by processor time
 * and by wall time. */
static void time_products(int threads, double *per_processor_second, double *per_second) {
    double best_processor = INFINITY, best_wall = INFINITY;
    size_t side = (size_t)SIDE;
    double *a = must_allocate(side * LENGTH, sizeof *a);
    double *c = must_allocate(side * side * (size_t)threads, sizeof *c);
    for (size_t i = 0; i < side * LENGTH; i++) {
        a[i] = (double)(i % 1000);
    }
    psb_error error;
    stop_on(psb_linear_setup(&error), &error);
    for (int r = 0; r < REPETITIONS; r++) {
        double wall = psb_clock_wall(), processor = psb_clock_process();
#pragma omp parallel num_threads(threads)
        psb_whole_product(&(psb_product){.m = SIDE,
                                         .n = SIDE,
                                         .k = LENGTH,
                                         .a = a,
                                         .lda = LENGTH,
                                         .b = a,
                                         .ldb = LENGTH,
                                         .transpose_b = true,
                                         .c = c + side * side * (size_t)omp_get_thread_num(),
                                         .ldc = SIDE});
        best_wall = fmin(best_wall, psb_clock_wall() - wall);
        best_processor = fmin(best_processor, psb_clock_process() - processor);
    }
    double operations = 2.0 * SIDE * SIDE * LENGTH * threads;
    *per_processor_second = operations / best_processor;
    *per_second = operations / best_wall;
    free(a);
    free(c);
}

/* Checks, on the first models of the set, that features and a matrix give the same bytes. */
static void compare_ways(const psb_classification *cla, const psb_feature_set *set,
                         const psb_chosen_measure *measures, size_t count, int threads) {
    size_t n = cla->nmodels < COMPARED ? cla->nmodels : COMPARED;
    bool *first = must_allocate(cla->nmodels, sizeof *first);
    for (size_t i = 0; i < cla->nmodels; i++) {
        first[i] = i < n;
    }
    psb_classification few;
    psb_error error;
    stop_on(psb_cla_subset(cla, first, &few, &error), &error);
    psb_feature_set part = *set;
    part.npy.rows = n;
    psb_row_view rows = {part.npy.data, n, part.npy.columns, part.npy.element};
    float *distances = must_allocate(n * n, sizeof *distances);
    stop_on(psb_distance_matrix(set->metric, &rows, threads, distances, NULL, NULL, &error),
            &error);
    psb_matrix matrix = {.n = n, .data = distances};
    psb_evaluation e = {.cla = &few, .measures = measures, .nmeasures = count, .nmethods = 1};
    double *other = must_allocate(n * count, sizeof *other);
    stop_on(psb_evaluation_open(&e, &error), &error);
    stop_on(psb_evaluation_rank(&e, 0, &matrix, threads, &error), &error);
    const double *one = psb_evaluation_values(&e, 0);
    psb_memory_plan plan;
    const psb_measuring of = {&few, &part, measures, count, threads, SIZE_MAX, NULL, NULL, 0};
    stop_on(psb_measure_range(&of, 0, n, other, &plan, &error), &error);
    bool same = memcmp(one, other, n * count * sizeof *other) == 0;
    printf("first %zu models: %s as with a matrix\n", n, same ? "the same values" : "NOT the same");
    free(first);
    free(distances);
    psb_evaluation_close(&e);
    free(other);
    psb_cla_free(&few);
    if (!same) {
        exit(1);
    }
}

static void run(const char *features, const char *classification) {
    psb_classification cla;
    psb_feature_set set;
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    stop_on(psb_cla_read(classification, &cla, &error), &error);
    stop_on(psb_feature_set_open(features, cla.nmodels, &psb_l2, &set, &error), &error);
    stop_on(psb_measures_parse("table4", measures, &count, &error), &error);
    int threads = omp_get_num_procs();
    double *values = must_allocate(cla.nmodels * count, sizeof *values);
    psb_memory_plan plan;
    double wall = psb_clock_wall(), processor = psb_clock_process();
    const psb_measuring of = {&cla, &set, measures, count, threads, (size_t)2 << 30, NULL, NULL, 0};
    stop_on(psb_measure_range(&of, 0, cla.nmodels, values, &plan, &error), &error);
    wall = psb_clock_wall() - wall;
    processor = psb_clock_process() - processor;
    double models = (double)cla.nmodels;
    double operations = models * (models - 1) / 2 * 2 * LENGTH;
    printf("%zu models, %d threads: %.1f s, %.1f s of processors, at most %.0f MiB of memory\n",
           cla.nmodels, threads, wall, processor, (double)psb_peak_memory() / (1 << 20));
    double per_processor_second, per_second;
    time_products(threads, &per_processor_second, &per_second);
    printf("distances and ranks: %.1f Gflop/s a processor, %.1f in all\n",
           operations / processor * 1e-9, operations / wall * 1e-9);
    printf("matrix products:     %.1f Gflop/s a processor, %.1f in all\n",
           per_processor_second * 1e-9, per_second * 1e-9);
    printf("share: %.0f %% in processor time, %.0f %% in wall time\n",
           100 * operations / processor / per_processor_second,
           100 * operations / wall / per_second);
    compare_ways(&cla, &set, measures, count, threads);
    free(values);
    psb_feature_set_close(&set);
    psb_cla_free(&cla);
}

int main(int argc, char **argv) {
    int64_t models = FEW;
    char own[] = "/tmp/psbench_stream_XXXXXX";
    psb_error error;
    if (argc > 1 && (!psb_parse_int64(argv[1], &models) || models < (argc > 2 ? 1 : 2))) {
        fprintf(stderr, "usage: stream [MODELS [FOLDER]]\n");
        return 2;
    }
    const char *folder = argc > 2 ? argv[2] : mkdtemp(own);
    if (folder == NULL) {
        perror("stream");
        return 1;
    }
    char *features, *classification;
    stop_on(psb_make_folder(folder, &error), &error);
    stop_on(psb_path_join(&features, folder, "rows.npy", &error), &error);
    stop_on(psb_path_join(&classification, folder, "rows.cla", &error), &error);
    make_set((size_t)models, features, classification);
    if (argc <= 2) {
        run(features, classification);
        unlink(features);
        unlink(classification);
        rmdir(folder);
    }
    free(features);
    free(classification);
    return 0;
}
