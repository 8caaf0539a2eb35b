/* Scores of all queries of a distance matrix, and their averages. */
#include "eval/scores.h"

#include "core/error.h"
#include "core/memory.h"
#include "eval/measure.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* Ranks would make sense of anything; a matrix with such entries has none. */
static psb_status check(const psb_classification *cla, const psb_matrix *matrix, psb_error *error) {
    if (matrix->n != cla->nmodels) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "the matrix has %zu rows, but the classification has %zu models", matrix->n,
                        cla->nmodels);
    }
    for (size_t i = 0; i < matrix->n * matrix->n; i++) {
        if (!(matrix->data[i] >= 0 && matrix->data[i] < INFINITY)) {
            return psb_fail(error, PSB_ERROR_INPUT,
                            "distance %g in row %zu, column %zu is not a finite number >= 0",
                            (double)matrix->data[i], i / matrix->n, i % matrix->n);
        }
    }
    return PSB_OK;
}

static psb_query_scores score(const psb_classification *cla, const psb_matrix *matrix, size_t query,
                              void *scratch) {
    psb_query_scores scores = {.scored = !cla->classes[cla->class_of[query]].miscellaneous};
    if (scores.scored) {
        psb_ranks ranks = psb_rank_relevant(cla, matrix, query, scratch);
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            scores.figure[f] = psb_measure_compute(psb_measure_at(f), &ranks);
        }
    }
    return scores;
}

psb_status psb_score_queries(const psb_classification *cla, const psb_matrix *matrix, int threads,
                             psb_query_scores *scores, psb_error *error) {
    psb_status status = check(cla, matrix, error);
    if (status != PSB_OK) {
        return status;
    }
    size_t stride = psb_ranks_scratch(cla);
    size_t workers = threads > 1 ? (size_t)threads : 1;
    void *scratch;
    status = psb_alloc(&scratch, workers, stride, "rankings", error);
    if (status != PSB_OK) {
        return status;
    }
#pragma omp parallel for num_threads((int)workers) schedule(dynamic, 16)
    for (size_t i = 0; i < cla->nmodels; i++) {
        scores[i] = score(cla, matrix, i, (char *)scratch + stride * (size_t)omp_get_thread_num());
    }
    free(scratch);
    return PSB_OK;
}

/* Sums in file order, so that averages do not depend on threads. */
typedef struct totals {
    double figure[PSB_FIGURES];
    double nearest_neighbor_squared;
    size_t count;
} totals;

static void add(totals *sum, const double figure[PSB_FIGURES]) {
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        sum->figure[f] += figure[f];
    }
    sum->nearest_neighbor_squared += figure[PSB_NEAREST_NEIGHBOR] * figure[PSB_NEAREST_NEIGHBOR];
    sum->count++;
}

static psb_average mean(const totals *sum, size_t queries, size_t classes) {
    psb_average average = {.queries = queries, .classes = classes};
    if (sum->count > 0) {
        double n = (double)sum->count;
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            average.figure[f] = sum->figure[f] / n;
        }
        double rate = average.figure[PSB_NEAREST_NEIGHBOR];
        double variance = sum->nearest_neighbor_squared / n - rate * rate;
        average.nearest_neighbor_error = sqrt(variance > 0 ? variance / n : 0);
    }
    return average;
}

/* psbTable leaves small classes out of every average, the micro average too. */
static bool takes_part(const psb_class *class) {
    return class->count > 2 && !class->miscellaneous;
}

static void add_class(totals *sum, const psb_class *class, const psb_query_scores *scores) {
    for (size_t i = class->first; i < class->first + class->count; i++) {
        add(sum, scores[i].figure);
    }
}

psb_average psb_average_class(const psb_classification *cla, const psb_query_scores *scores,
                              size_t which) {
    totals sum = {.count = 0};
    if (takes_part(&cla->classes[which])) {
        add_class(&sum, &cla->classes[which], scores);
    }
    return mean(&sum, sum.count, sum.count > 0);
}

psb_average psb_average_micro(const psb_classification *cla, const psb_query_scores *scores) {
    totals sum = {.count = 0};
    size_t classes = 0;
    for (size_t c = 0; c < cla->nclasses; c++) {
        if (takes_part(&cla->classes[c])) {
            add_class(&sum, &cla->classes[c], scores);
            classes++;
        }
    }
    return mean(&sum, sum.count, classes);
}

psb_average psb_average_macro(const psb_classification *cla, const psb_query_scores *scores) {
    totals sum = {.count = 0};
    size_t queries = 0;
    for (size_t c = 0; c < cla->nclasses; c++) {
        psb_average average = psb_average_class(cla, scores, c);
        if (average.queries > 0) {
            add(&sum, average.figure);
            queries += average.queries;
        }
    }
    return mean(&sum, queries, sum.count);
}

double psb_normalized_dcg(double dcg, double mean_dcg) {
    return mean_dcg > 0 ? dcg / mean_dcg - 1 : 0;
}
