/* Computes the curves of queries, and averages them in file order. */
#include "eval/curve.h"

#include <math.h>

/* ---- one query -------------------------------------------------------------------------- */

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

/* The sum at each point of a curve, and how many values were added there. */
typedef struct sums {
    size_t length;
    double *sum, *count;
} sums;

static psb_status sums_new(sums *s, size_t length, psb_error *error) {
    psb_status status = PSB_OK;
    double *sum = psb_new_zero(&status, length, 2 * sizeof *sum, "the average of a curve", error);
    *s = (sums){length, sum, sum + length};
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

/* A kind of curve: writes one query's points to `out`, NaN where the query has none. */
typedef struct curve_kind {
    psb_pr_counting counting;
    psb_gain gain;
    void (*values)(const struct curve_kind *kind, const psb_ranks *ranks, double *scratch,
                   size_t length, double *out);
} curve_kind;

static void pr_values(const curve_kind *kind, const psb_ranks *ranks, double *precision,
                      size_t length, double *out) {
    size_t n = ranks->relevant + (kind->counting == PSB_PR_WITH_QUERY);
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

static void gain_values(const curve_kind *kind, const psb_ranks *ranks, double *scratch PSB_UNUSED,
                        size_t length, double *out) {
    psb_gain_query(ranks, kind->gain, length, out);
}

static void ideal_values(const curve_kind *kind, const psb_ranks *ranks, double *scratch PSB_UNUSED,
                         size_t length, double *out) {
    bool discounted = kind->gain == PSB_DCG_SUM;
    double sum = 0;
    for (size_t i = 1; i <= length; i++) {
        sum += i > ranks->relevant ? 0 : discounted ? psb_rank_gain(i) : 1;
        out[i - 1] = sum;
    }
}

typedef struct averaging {
    const psb_evaluation *evaluation;
    size_t method;
    const bool *selected;
    const curve_kind *kind;
    sums total, of_class;
    double *values, *scratch; /* one query's points, and scratch for them */
} averaging;

static void add_query(const averaging *a, const psb_ranks *ranks, sums *into) {
    a->kind->values(a->kind, ranks, a->scratch, into->length, a->values);
    add(into, a->values);
}

static void add_class(averaging *a, const psb_class *class, sums *into) {
    for (size_t i = class->first; i < class->first + class->count; i++) {
        if (a->selected[i]) {
            psb_ranks ranks = psb_evaluation_ranks(a->evaluation, a->method, i);
            add_query(a, &ranks, into);
        }
    }
}

static void add_all(averaging *a, psb_grouping grouping) {
    const psb_classification *cla = a->evaluation->cla;
    for (size_t c = 0; c < cla->nclasses; c++) {
        if (grouping == PSB_MACRO) {
            memset(a->of_class.sum, 0, 2 * a->of_class.length * sizeof(double));
            add_class(a, &cla->classes[c], &a->of_class);
            mean(&a->of_class, a->values);
            add(&a->total, a->values);
        } else {
            add_class(a, &cla->classes[c], &a->total);
        }
    }
}

static psb_status averaging_open(averaging *a, size_t length, psb_error *error) {
    size_t models = a->evaluation->cla->nmodels;
    psb_status status = sums_new(&a->total, length, error);
    PSB_THEN(status, sums_new(&a->of_class, length, error));
    a->values = psb_new(&status, length + models + 1, sizeof *a->values, "a curve", error);
    a->scratch = status == PSB_OK ? a->values + length : NULL;
    return status;
}

static void averaging_close(averaging *a) {
    free(a->values);
    free(a->of_class.sum);
    free(a->total.sum);
}

static psb_status average(const psb_evaluation *e, size_t method, const bool *selected,
                          psb_grouping grouping, const curve_kind *kind, size_t length,
                          double *curve, psb_error *error) {
    averaging a = {.evaluation = e, .method = method, .selected = selected, .kind = kind};
    psb_status status = averaging_open(&a, length, error);
    if (status == PSB_OK) {
        add_all(&a, grouping);
        mean(&a.total, curve);
    }
    averaging_close(&a);
    return status;
}

/*
 * Selects the queries of precision-recall curves. psbPlot's micro average includes classes of 2; a
 * class of one model has no curve.
 */
static bool *select_pr(psb_status *status, const psb_evaluation *e, psb_grouping grouping,
                       psb_error *error) {
    bool *selected = psb_new(status, e->cla->nmodels, sizeof *selected, "queries", error);
    if (*status == PSB_OK) {
        psb_select_from(e->cla, grouping == PSB_MACRO ? 3 : 2, e->listed, selected);
    }
    return selected;
}

psb_status psb_pr_average(const psb_evaluation *e, size_t method, psb_grouping grouping,
                          psb_pr_counting counting, double curve[PSB_RECALL_LEVELS],
                          psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED bool *selected = select_pr(&status, e, grouping, error);
    curve_kind kind = {.counting = counting, .values = pr_values};
    return PSB_THEN(status,
                    average(e, method, selected, grouping, &kind, PSB_RECALL_LEVELS, curve, error));
}

struct psb_pr_running {
    averaging averaging;
    curve_kind kind;
    bool *selected;
};

psb_status psb_pr_running_new(const psb_evaluation *e, psb_pr_counting counting,
                              psb_pr_running **out, psb_error *error) {
    psb_status status = PSB_OK;
    psb_pr_running *running = *out = psb_new_zero(&status, 1, sizeof *running, "a curve", error);
    if (status != PSB_OK) {
        return status;
    }
    running->kind = (curve_kind){.counting = counting, .values = pr_values};
    running->selected = select_pr(&status, e, PSB_MICRO, error);
    running->averaging =
        (averaging){.evaluation = e, .selected = running->selected, .kind = &running->kind};
    return PSB_THEN(status, averaging_open(&running->averaging, PSB_RECALL_LEVELS, error));
}

void psb_pr_running_add(psb_pr_running *running, size_t query, const psb_ranks *ranks) {
    if (running->selected[query]) {
        add_query(&running->averaging, ranks, &running->averaging.total);
    }
}

void psb_pr_running_curve(const psb_pr_running *running, double curve[PSB_RECALL_LEVELS]) {
    mean(&running->averaging.total, curve);
}

void psb_pr_running_restart(psb_pr_running *running) {
    sums *total = &running->averaging.total;
    memset(total->sum, 0, 2 * total->length * sizeof(double));
}

void psb_pr_running_free(psb_pr_running *running) {
    if (running != NULL) {
        averaging_close(&running->averaging);
        free(running->selected);
        free(running);
    }
}

psb_status psb_gain_average(const psb_evaluation *e, size_t method, psb_grouping grouping,
                            psb_gain gain, size_t length, double *curve, psb_error *error) {
    curve_kind kind = {.gain = gain, .values = gain_values};
    return average(e, method, e->selected, grouping, &kind, length, curve, error);
}

psb_status psb_gain_ideal(const psb_evaluation *e, psb_grouping grouping, psb_gain gain,
                          size_t length, double *curve, psb_error *error) {
    curve_kind kind = {.gain = gain, .values = ideal_values};
    return average(e, 0, e->selected, grouping, &kind, length, curve, error);
}
