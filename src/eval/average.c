/* Measures of queries, and their averages in file order. */
#include "eval/average.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

psb_status psb_measure_queries(const psb_classification *cla, const psb_matrix *matrix,
                               const psb_chosen_measure *measures, size_t count, int threads,
                               double *values, psb_error *error) {
    if (matrix->n != cla->nmodels) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "the matrix has %zu rows, but the classification has %zu models", matrix->n,
                        cla->nmodels);
    }
    size_t stride = psb_ranks_scratch(cla);
    size_t workers = threads > 1 ? (size_t)threads : 1;
    void *memory;
    psb_status status = psb_alloc(&memory, workers, stride, "rankings", error);
    if (status != PSB_OK) {
        return status;
    }
    char *scratch = memory;
#pragma omp parallel for num_threads((int)workers) schedule(dynamic, 16)
    for (size_t i = 0; i < cla->nmodels; i++) {
        double *row = values + i * count;
        memset(row, 0, count * sizeof *row);
        if (!cla->classes[cla->class_of[i]].miscellaneous) {
            psb_ranks ranks =
                psb_rank_relevant(cla, matrix, i, scratch + stride * (size_t)omp_get_thread_num());
            for (size_t m = 0; m < count; m++) {
                row[m] = psb_measure_compute(&measures[m].measure, &ranks);
            }
        }
    }
    free(scratch);
    return PSB_OK;
}

size_t psb_select_queries(const psb_classification *cla, const bool *listed, bool *selected) {
    size_t count = 0;
    for (size_t i = 0; i < cla->nmodels; i++) {
        const psb_class *class = &cla->classes[cla->class_of[i]];
        selected[i] = class->count > 2 && !class->miscellaneous && (listed == NULL || listed[i]);
        count += selected[i];
    }
    return count;
}

static bool any_selected(const bool *selected, size_t first, size_t count) {
    return memchr(selected + first, true, count) != NULL;
}

size_t psb_group_count(const psb_classification *cla, const bool *selected, psb_grouping grouping) {
    size_t groups = 0;
    if (grouping == PSB_PER_MODEL) {
        for (size_t i = 0; i < cla->nmodels; i++) {
            groups += selected[i];
        }
    } else if (grouping == PSB_PER_CLASS) {
        for (size_t c = 0; c < cla->nclasses; c++) {
            groups += any_selected(selected, cla->classes[c].first, cla->classes[c].count);
        }
    } else {
        groups = any_selected(selected, 0, cla->nmodels);
    }
    return groups;
}

/* Sums, of one measure: mean and standard error follow. */
typedef struct sums {
    double sum, squares, count;
} sums;

static void add(sums *s, double value) {
    s->sum += value;
    s->squares += value * value;
    s->count++;
}

static double mean_of(const sums *s) {
    return s->count > 0 ? s->sum / s->count : 0;
}

static double error_of(const sums *s) {
    double mean = mean_of(s);
    double variance = s->count > 0 ? s->squares / s->count - mean * mean : 0;
    return variance > 0 ? sqrt(variance / s->count) : 0;
}

static sums sum_models(const bool *selected, size_t first, size_t end, const double *values,
                       size_t count) {
    sums s = {0, 0, 0};
    for (size_t i = first; i < end; i++) {
        if (selected[i]) {
            add(&s, values[i * count]);
        }
    }
    return s;
}

static sums sum_classes(const psb_classification *cla, const bool *selected, const double *values,
                        size_t count) {
    sums s = {0, 0, 0};
    for (size_t c = 0; c < cla->nclasses; c++) {
        const psb_class *class = &cla->classes[c];
        sums of_class =
            sum_models(selected, class->first, class->first + class->count, values, count);
        if (of_class.count > 0) {
            add(&s, mean_of(&of_class));
        }
    }
    return s;
}

/* One group's row. */
typedef struct output {
    size_t count;
    double *means, *errors;
    size_t *group_of;
    size_t groups;
} output;

static void put(output *out, size_t measure, const sums *s) {
    out->means[out->groups * out->count + measure] = mean_of(s);
    if (out->errors != NULL) {
        out->errors[out->groups * out->count + measure] = error_of(s);
    }
}

static void put_models(output *out, const bool *selected, size_t first, size_t end,
                       const double *values, size_t stands_for) {
    if (!any_selected(selected, first, end - first)) {
        return;
    }
    for (size_t m = 0; m < out->count; m++) {
        sums s = sum_models(selected, first, end, values + m, out->count);
        put(out, m, &s);
    }
    if (out->group_of != NULL) {
        out->group_of[out->groups] = stands_for;
    }
    out->groups++;
}

void psb_group_values(const psb_classification *cla, const bool *selected, psb_grouping grouping,
                      const double *values, size_t count, double *means, double *errors,
                      size_t *group_of) {
    output out = {count, means, errors, group_of, 0};
    switch (grouping) {
    case PSB_PER_MODEL:
        for (size_t i = 0; i < cla->nmodels; i++) {
            put_models(&out, selected, i, i + 1, values, i);
        }
        break;
    case PSB_PER_CLASS:
        for (size_t c = 0; c < cla->nclasses; c++) {
            const psb_class *class = &cla->classes[c];
            put_models(&out, selected, class->first, class->first + class->count, values, c);
        }
        break;
    case PSB_MICRO:
        put_models(&out, selected, 0, cla->nmodels, values, 0);
        break;
    case PSB_MACRO:
        for (size_t m = 0; m < count && any_selected(selected, 0, cla->nmodels); m++) {
            sums s = sum_classes(cla, selected, values + m, count);
            put(&out, m, &s);
        }
        break;
    }
}
