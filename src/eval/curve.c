/* Curves of queries, and their averages in file order. */
#include "eval/curve.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one query -------------------------------------------------------------------------- */

size_t psb_pr_points(const psb_ranks *ranks, psb_pr_counting counting) {
    return ranks->relevant + (counting == PSB_PR_WITH_QUERY);
}

void psb_pr_query(const psb_ranks *ranks, psb_pr_counting counting, double *precision) {
    size_t query = counting == PSB_PR_WITH_QUERY;
    if (query == 1) {
        precision[0] = 1;
    }
    for (size_t k = 0; k < ranks->relevant; k++) {
        precision[k + query] = (double)(k + 1 + query) / (double)(ranks->rank[k] + query);
    }
}

void psb_gain_query(const psb_ranks *ranks, psb_gain gain, size_t length, double *out) {
    bool discounted = gain == PSB_DCG_SUM || gain == PSB_NDCG;
    bool share = gain == PSB_NCG || gain == PSB_NDCG;
    double sum = 0, ideal = 0;
    for (size_t i = 1, k = 0; i <= length; i++) {
        double worth = discounted ? psb_rank_gain(i) : 1;
        ideal += i <= ranks->relevant ? worth : 0;
        if (k < ranks->relevant && ranks->rank[k] == i) {
            sum += worth;
            k++;
        }
        out[i - 1] = !share ? sum : ideal > 0 ? sum / ideal : 0;
    }
}

/* ---- averages --------------------------------------------------------------------------- */

/* Sums at each point of a curve, and how many were added. */
typedef struct sums {
    size_t length;
    double *sum, *count;
} sums;

static psb_status sums_new(sums *s, size_t length, psb_error *error) {
    void *memory;
    psb_status status =
        psb_alloc_zero(&memory, length, 2 * sizeof(double), "the average of a curve", error);
    *s = (sums){length, memory, (double *)memory + length};
    return status;
}

static void add(sums *s, const double *values) {
    for (size_t j = 0; j < s->length; j++) {
        if (!isnan(values[j])) {
            s->sum[j] += values[j];
            s->count[j]++;
        }
    }
}

static void mean(const sums *s, double *out) {
    for (size_t j = 0; j < s->length; j++) {
        out[j] = s->count[j] > 0 ? s->sum[j] / s->count[j] : NAN;
    }
}

/* What one query adds to an average, NaN where it says nothing; `scratch` has a class's size. */
typedef struct curve_kind {
    psb_pr_counting counting;
    psb_gain gain;
    void (*values)(const struct curve_kind *kind, const psb_ranks *ranks, double *scratch,
                   size_t length, double *out);
} curve_kind;

static void pr_values(const curve_kind *kind, const psb_ranks *ranks, double *precision,
                      size_t length, double *out) {
    size_t n = psb_pr_points(ranks, kind->counting);
    psb_pr_query(ranks, kind->counting, precision);
    for (size_t j = 1; j <= length; j++) {
        out[j - 1] = NAN;
        if (n >= 2 && n * j >= length) {
            double x = (double)(n * j) / (double)length - 1;
            size_t low = (size_t)floor(x);
            size_t high = low + 1 < n ? low + 1 : n - 1;
            double part = x - (double)low;
            out[j - 1] = (1 - part) * precision[low] + part * precision[high];
        }
    }
}

static void gain_values(const curve_kind *kind, const psb_ranks *ranks, double *scratch,
                        size_t length, double *out) {
    (void)scratch;
    psb_gain_query(ranks, kind->gain, length, out);
}

typedef struct averaging {
    const psb_classification *cla;
    const psb_matrix *matrix;
    const bool *selected;
    const curve_kind *kind;
    sums total, of_class;
    double *values, *scratch; /* of one query */
    void *ranking;
} averaging;

static void add_class(averaging *a, const psb_class *class, sums *into) {
    for (size_t i = class->first; i < class->first + class->count; i++) {
        if (a->selected[i]) {
            psb_ranks ranks = psb_rank_relevant(a->cla, a->matrix, i, a->ranking);
            a->kind->values(a->kind, &ranks, a->scratch, into->length, a->values);
            add(into, a->values);
        }
    }
}

static void add_all(averaging *a, psb_grouping grouping) {
    for (size_t c = 0; c < a->cla->nclasses; c++) {
        if (grouping == PSB_MACRO) {
            memset(a->of_class.sum, 0, 2 * a->of_class.length * sizeof(double));
            add_class(a, &a->cla->classes[c], &a->of_class);
            mean(&a->of_class, a->values);
            add(&a->total, a->values);
        } else {
            add_class(a, &a->cla->classes[c], &a->total);
        }
    }
}

static psb_status average(const psb_classification *cla, const psb_matrix *matrix,
                          const bool *selected, psb_grouping grouping, const curve_kind *kind,
                          size_t length, double *curve, psb_error *error) {
    averaging a = {.cla = cla, .matrix = matrix, .selected = selected, .kind = kind};
    void *values = NULL, *scratch = NULL;
    if (matrix->n != cla->nmodels) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "the matrix has %zu rows, but the classification has %zu models", matrix->n,
                        cla->nmodels);
    }
    psb_status status = sums_new(&a.total, length, error);
    if (status == PSB_OK) {
        status = sums_new(&a.of_class, length, error);
    }
    if (status == PSB_OK) {
        status = psb_alloc(&values, length, sizeof(double), "a curve", error);
    }
    if (status == PSB_OK) {
        status = psb_alloc(&scratch, cla->nmodels + 1, sizeof(double), "a curve", error);
    }
    if (status == PSB_OK) {
        status = psb_alloc(&a.ranking, 1, psb_ranks_scratch(cla), "rankings", error);
    }
    if (status == PSB_OK) {
        a.values = values;
        a.scratch = scratch;
        add_all(&a, grouping);
        mean(&a.total, curve);
    }
    free(a.ranking);
    free(scratch);
    free(values);
    free(a.of_class.sum);
    free(a.total.sum);
    return status;
}

/* psbPlot's micro average has small classes too; those of one model have no curve. */
static void select_for_pr(const psb_classification *cla, const bool *listed, psb_grouping grouping,
                          bool *selected) {
    for (size_t i = 0; i < cla->nmodels; i++) {
        const psb_class *class = &cla->classes[cla->class_of[i]];
        bool large = class->count > (grouping == PSB_MACRO ? 2 : 1);
        selected[i] = large && !class->miscellaneous && (listed == NULL || listed[i]);
    }
}

psb_status psb_pr_average(const psb_classification *cla, const psb_matrix *matrix,
                          const bool *listed, psb_grouping grouping, psb_pr_counting counting,
                          double curve[PSB_RECALL_LEVELS], psb_error *error) {
    void *selected;
    psb_status status = psb_alloc(&selected, cla->nmodels, sizeof(bool), "queries", error);
    if (status != PSB_OK) {
        return status;
    }
    select_for_pr(cla, listed, grouping, selected);
    curve_kind kind = {.counting = counting, .values = pr_values};
    status = average(cla, matrix, selected, grouping, &kind, PSB_RECALL_LEVELS, curve, error);
    free(selected);
    return status;
}

psb_status psb_gain_average(const psb_classification *cla, const psb_matrix *matrix,
                            const bool *listed, psb_grouping grouping, psb_gain gain, size_t length,
                            double *curve, psb_error *error) {
    void *selected;
    psb_status status = psb_alloc(&selected, cla->nmodels, sizeof(bool), "queries", error);
    if (status != PSB_OK) {
        return status;
    }
    psb_select_queries(cla, listed, selected);
    curve_kind kind = {.gain = gain, .values = gain_values};
    status = average(cla, matrix, selected, grouping, &kind, length, curve, error);
    free(selected);
    return status;
}
