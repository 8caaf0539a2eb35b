/* Computes the values of queries, and averages them in file order. */
#include "eval/evaluation.h"

#include "core/parallel.h"

#include <math.h>

/* ---- values of queries ------------------------------------------------------------------ */

/* Refuses a matrix of other sizes, or with a distance that is NaN, infinite or negative. */
static psb_status check(const psb_relevance *r, const psb_matrix *matrix, psb_error *error) {
    size_t columns = psb_matrix_columns(matrix);
    if (matrix->n != r->queries->nmodels || columns != r->targets->nmodels) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "the matrix has %zu rows and %zu columns, but there are %zu queries and "
                        "%zu targets",
                        matrix->n, columns, r->queries->nmodels, r->targets->nmodels);
    }
    for (size_t i = 0; i < matrix->n * columns; i++) {
        if (!(matrix->data[i] >= 0 && matrix->data[i] < INFINITY)) {
            return psb_fail(error, PSB_ERROR_INPUT,
                            "distance %g in row %zu, column %zu is not a finite number >= 0",
                            (double)matrix->data[i], i / columns, i % columns);
        }
    }
    return PSB_OK;
}

typedef struct job {
    const psb_evaluation *evaluation;
    size_t method;
    const psb_matrix *matrix;
} job;

static psb_status measure_query(void *context, void *scratch, size_t i,
                                psb_error *error PSB_UNUSED) {
    const job *work = context;
    const psb_evaluation *e = work->evaluation;
    double *row = psb_evaluation_values(e, work->method) + i * e->nmeasures;
    memset(row, 0, e->nmeasures * sizeof *row);
    if (e->relevance->set_of[i] != PSB_NO_CLASS) {
        const float *distances = work->matrix->data + i * psb_matrix_columns(work->matrix);
        psb_ranks ranks = psb_rank_relevant(e->relevance, distances, i, scratch);
        psb_measure_all(e->measures, e->nmeasures, &ranks, row);
        if (e->keep_ranks) {
            memcpy(e->ranks[work->method] + e->first_rank[i], ranks.rank,
                   ranks.relevant * sizeof *ranks.rank);
        }
    }
    return PSB_OK;
}

psb_status psb_evaluation_rank(psb_evaluation *e, size_t method, const psb_matrix *matrix,
                               int threads, psb_error *error) {
    job work = {e, method, matrix};
    psb_status status = check(e->relevance, matrix, error);
    psb_loop loop = {.count = e->cla->nmodels,
                     .threads = threads,
                     .chunk = 16,
                     .bytes = psb_ranks_scratch(e->relevance),
                     .name = "rankings",
                     .item = measure_query,
                     .job = &work};
    return PSB_THEN(status, psb_parallel(&loop, error));
}

double *psb_evaluation_values(const psb_evaluation *e, size_t method) {
    return e->values + method * e->cla->nmodels * e->nmeasures;
}

psb_ranks psb_evaluation_ranks(const psb_evaluation *e, size_t method, size_t query) {
    return (psb_ranks){.rank = e->ranks[method] + e->first_rank[query],
                       .relevant = psb_relevance_count(e->relevance, query),
                       .listed = psb_relevance_listed(e->relevance, query)};
}

/* ---- the evaluation --------------------------------------------------------------------- */

static psb_status keep_ranks(psb_evaluation *e, psb_error *error) {
    size_t n = e->cla->nmodels, total = 0;
    psb_status status = PSB_OK;
    e->first_rank = psb_new(&status, n, sizeof *e->first_rank, "ranks", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        e->first_rank[i] = total;
        total += psb_relevance_count(e->relevance, i);
    }
    e->ranks = psb_new_zero(&status, e->nmethods, sizeof *e->ranks, "ranks", error);
    for (size_t k = 0; k < e->nmethods && status == PSB_OK; k++) {
        e->ranks[k] = psb_new(&status, total, sizeof **e->ranks, "ranks", error);
    }
    return status;
}

/* Makes relevance by class, for a caller who did not say what is relevant. */
static psb_status judge_by_class(psb_evaluation *e, psb_error *error) {
    psb_status status = PSB_OK;
    e->own = psb_new(&status, 1, sizeof *e->own, "relevance", error);
    e->relevance = e->own;
    return PSB_THEN(status, psb_relevance_by_class(e->cla, e->cla, false, e->own, error));
}

psb_status psb_evaluation_open(psb_evaluation *e, psb_error *error) {
    const psb_classification *cla = e->cla;
    static const char what[] = "an evaluation";
    size_t queries = e->nmethods * cla->nmodels;
    psb_status status = PSB_OK;
    e->own = NULL;
    e->selected = psb_new_zero(&status, cla->nmodels, sizeof *e->selected, what, error);
    e->values = psb_new_zero(&status, queries, e->nmeasures * sizeof *e->values, what, error);
    e->last_below = psb_new_zero(&status, cla->nclasses, sizeof *e->last_below, what, error);
    e->first_rank = NULL;
    e->ranks = NULL;
    PSB_THEN_IF(status, e->relevance == NULL, judge_by_class(e, error));
    if (status != PSB_OK) {
        return status;
    }
    for (size_t c = cla->nclasses; c-- > 0;) {
        size_t parent = cla->classes[c].parent; /* stands above c in the file */
        e->last_below[c] = e->last_below[c] > c ? e->last_below[c] : c;
        if (parent != PSB_NO_CLASS && e->last_below[parent] < e->last_below[c]) {
            e->last_below[parent] = e->last_below[c];
        }
    }
    psb_evaluation_select(e, e->listed);
    return e->keep_ranks ? keep_ranks(e, error) : PSB_OK;
}

void psb_evaluation_shorten(psb_evaluation *e, size_t nmethods) {
    for (size_t k = nmethods; e->ranks != NULL && k < e->nmethods; k++) {
        free(e->ranks[k]);
    }
    e->nmethods = nmethods;
}

void psb_evaluation_close(psb_evaluation *e) {
    psb_evaluation_shorten(e, 0);
    free(e->ranks);
    free(e->first_rank);
    free(e->last_below);
    free(e->values);
    free(e->selected);
    if (e->own != NULL) {
        psb_relevance_free(e->own);
        free(e->own);
    }
    *e = (psb_evaluation){.nmethods = 0};
}

size_t psb_select_judged(const psb_relevance *relevance, const bool *listed, bool *selected) {
    size_t count = 0;
    for (size_t i = 0; i < relevance->queries->nmodels; i++) {
        selected[i] = psb_relevance_count(relevance, i) > 0 && (listed == NULL || listed[i]);
        count += selected[i];
    }
    return count;
}

size_t psb_select_from(const psb_classification *cla, size_t smallest, const bool *listed,
                       bool *selected) {
    size_t count = 0;
    for (size_t i = 0; i < cla->nmodels; i++) {
        const psb_class *class = &cla->classes[cla->class_of[i]];
        selected[i] =
            class->count >= smallest && !class->miscellaneous && (listed == NULL || listed[i]);
        count += selected[i];
    }
    return count;
}

size_t psb_select_queries(const psb_classification *cla, const bool *listed, bool *selected) {
    return psb_select_from(cla, PSB_LEAST_CLASS, listed, selected);
}

void psb_evaluation_select(psb_evaluation *e, const bool *listed) {
    e->listed = listed;
    e->without = 0;
    if (e->own != NULL) {
        psb_select_queries(e->cla, listed, e->selected);
    } else {
        psb_select_judged(e->relevance, listed, e->selected);
    }
}

void psb_evaluation_narrow(psb_evaluation *e, const bool *covered) {
    for (size_t i = 0; i < e->cla->nmodels; i++) {
        e->without += e->selected[i] && !covered[i];
        e->selected[i] = e->selected[i] && covered[i];
    }
}

void psb_evaluation_zero(psb_evaluation *e, size_t method, const bool *covered) {
    double *values = psb_evaluation_values(e, method);
    for (size_t i = 0; i < e->cla->nmodels; i++) {
        e->zeros += e->selected[i] && !covered[i];
        for (size_t m = 0; m < e->nmeasures && !covered[i]; m++) {
            values[i * e->nmeasures + m] = 0;
        }
    }
}

/* ---- groups ----------------------------------------------------------------------------- */

/* Models first ... end - 1, of one class. */
typedef struct span {
    size_t first, end;
} span;

/* The group's classes lie within first ... end - 1; not all of these need belong to it. */
static void class_range(const psb_evaluation *e, psb_group group, size_t *first, size_t *end) {
    if (group.kind == PSB_MICRO || group.kind == PSB_MACRO) {
        *first = 0;
        *end = e->cla->nclasses;
        return;
    }
    *first = group.kind == PSB_PER_MODEL ? e->cla->class_of[group.which] : group.which;
    *end = 1 + (group.kind == PSB_SUBTREE ? e->last_below[*first] : *first);
}

static bool is_below(const psb_classification *cla, size_t class, size_t top) {
    while (class != PSB_NO_CLASS && class > top) {
        class = cla->classes[class].parent;
    }
    return class == top;
}

/* The group's models in class c: none if the class is outside of the group. */
static span span_of(const psb_evaluation *e, psb_group group, size_t c) {
    const psb_class *class = &e->cla->classes[c];
    span s = {class->first, class->first + class->count};
    if (group.kind == PSB_PER_MODEL) {
        s = (span){group.which, group.which + 1};
    } else if (group.kind == PSB_SUBTREE && !is_below(e->cla, c, group.which)) {
        s.end = s.first;
    }
    return s;
}

static size_t queries_in(const psb_evaluation *e, span s) {
    size_t count = 0;
    for (size_t i = s.first; i < s.end; i++) {
        count += e->selected[i];
    }
    return count;
}

psb_group psb_groups(psb_grouping kind) {
    return (psb_group){kind, SIZE_MAX};
}

/* The number of groups of a kind, with or without queries; 0 for an unknown kind. */
static size_t groups_of(const psb_evaluation *e, psb_grouping kind) {
    const size_t count[] = {[PSB_PER_MODEL] = e->cla->nmodels,
                            [PSB_PER_CLASS] = e->cla->nclasses,
                            [PSB_SUBTREE] = e->cla->nclasses,
                            [PSB_MICRO] = 1,
                            [PSB_MACRO] = 1};
    return (size_t)kind < sizeof count / sizeof count[0] ? count[kind] : 0;
}

bool psb_group_next(const psb_evaluation *e, psb_group *group) {
    size_t count = groups_of(e, group->kind);
    while (++group->which < count) {
        size_t first, end;
        class_range(e, *group, &first, &end);
        for (size_t c = first; c < end; c++) {
            if (queries_in(e, span_of(e, *group, c)) > 0) {
                return true;
            }
        }
    }
    return false;
}

size_t psb_group_count(const psb_evaluation *e, psb_grouping kind) {
    size_t count = 0;
    for (psb_group group = psb_groups(kind); psb_group_next(e, &group);) {
        count++;
    }
    return count;
}

/* ---- means ------------------------------------------------------------------------------ */

/* Adds value - offset of the span's selected queries to `sum`; values[0] is that of query 0. */
static double sum_of(const psb_evaluation *e, span s, const double *values, double offset,
                     double sum) {
    for (size_t i = s.first; i < s.end; i++) {
        sum += e->selected[i] ? values[i * e->nmeasures] - offset : 0;
    }
    return sum;
}

/* The sum of the units' squared residuals, and the number of units. */
typedef struct spread {
    double squares, units;
} spread;

static void add_unit(spread *s, double residual) {
    s->squares += residual * residual;
    s->units++;
}

static double error_of(const spread *s, double n) {
    return s->units > 1 ? sqrt(s->units / (s->units - 1) * s->squares) / n : NAN;
}

static psb_mean mean_of_queries(const psb_evaluation *e, const double *values, psb_group group) {
    size_t first, end;
    psb_mean mean = {.value = NAN, .error = NAN};
    double sum = 0;
    class_range(e, group, &first, &end);
    for (size_t c = first; c < end; c++) {
        span s = span_of(e, group, c);
        size_t queries = queries_in(e, s);
        mean.queries += queries;
        mean.classes += queries > 0;
        sum = sum_of(e, s, values, 0, sum);
    }
    if (mean.queries == 0) {
        return mean;
    }
    mean.value = sum / (double)mean.queries;
    /* A single class has no classes to take as units, only queries. */
    bool by_query = e->units == PSB_UNITS_QUERY || group.kind == PSB_PER_CLASS;
    spread residuals = {0, 0};
    for (size_t c = first; c < end; c++) {
        span s = span_of(e, group, c);
        if (!by_query && queries_in(e, s) > 0) {
            add_unit(&residuals, sum_of(e, s, values, mean.value, 0));
        }
        for (size_t i = s.first; by_query && i < s.end; i++) {
            if (e->selected[i]) {
                add_unit(&residuals, values[i * e->nmeasures] - mean.value);
            }
        }
    }
    mean.error = error_of(&residuals, (double)mean.queries);
    return mean;
}

static psb_mean mean_of_classes(const psb_evaluation *e, const double *values) {
    psb_mean mean = {.value = NAN, .error = NAN};
    double sum = 0;
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(e, &class);) {
        psb_mean own = mean_of_queries(e, values, class);
        sum += own.value;
        mean.queries += own.queries;
        mean.classes++;
    }
    if (mean.classes == 0) {
        return mean;
    }
    mean.value = sum / (double)mean.classes;
    spread residuals = {0, 0};
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(e, &class);) {
        add_unit(&residuals, mean_of_queries(e, values, class).value - mean.value);
    }
    mean.error = error_of(&residuals, (double)mean.classes);
    return mean;
}

static psb_mean plain_mean(const psb_evaluation *e, size_t method, size_t measure,
                           psb_group group) {
    const double *values = psb_evaluation_values(e, method) + measure;
    return group.kind == PSB_MACRO ? mean_of_classes(e, values) : mean_of_queries(e, values, group);
}

psb_mean psb_evaluation_mean(const psb_evaluation *e, size_t method, size_t measure,
                             psb_group group) {
    if (method >= e->nmethods || measure >= e->nmeasures ||
        group.which >= groups_of(e, group.kind)) {
        return (psb_mean){NAN, NAN, 0, 0};
    }
    psb_mean mean = plain_mean(e, method, measure, group);
    if (e->measures[measure].measure.over_set) {
        psb_dcg_set set = {0, 0};
        for (size_t k = 0; k < e->nmethods; k++) {
            psb_dcg_set_add(&set, plain_mean(e, k, measure, group).value);
        }
        mean.value = psb_normalized_dcg(mean.value, &set);
        mean.error /= set.sum > 0 ? set.sum / set.members : 1;
    }
    return mean;
}

psb_average psb_evaluation_average(const psb_evaluation *e, size_t method, psb_group group) {
    psb_average average = {.queries = 0};
    for (size_t f = PSB_FIGURES; f-- > 0;) {
        psb_mean mean = psb_evaluation_mean(e, method, f, group);
        average.figure[f] = mean.queries > 0 ? mean.value : 0;
        average.nearest_neighbor_error = mean.error;
        average.queries = mean.queries;
        average.classes = mean.classes;
    }
    return average;
}

void psb_dcg_set_add(psb_dcg_set *set, double dcg) {
    set->sum += dcg;
    set->members++;
}

double psb_normalized_dcg(double dcg, const psb_dcg_set *set) {
    if (isnan(dcg)) {
        return NAN;
    }
    return set->sum > 0 ? dcg / (set->sum / set->members) - 1 : 0;
}
