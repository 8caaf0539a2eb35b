/* Computes ranks from lists, and says which measures the lists permit. */
#include "eval/neighbor_measures.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>

typedef struct lists {
    const psb_relevance *relevance;
    bool whole;       /* lists are complete: a model not in them was not found */
    size_t *start;    /* where each query's ranks begin in `rank` */
    uint32_t *found;  /* relevant models in each query's list */
    uint32_t *length; /* length of each query's list */
    bool *there;      /* queries that have a list, perhaps an empty one */
    uint32_t *rank;   /* ranks of the relevant models found, ascending */
    uint8_t *grade;   /* grade of each of these, if there are grades */
    uint8_t *ideal;   /* grades of one query's ideal list */
} lists;

static psb_status allocate(const psb_relevance *r, lists *l, psb_error *error) {
    size_t n = r->queries->nmodels, ranks = 0;
    psb_status status = PSB_OK;
    *l = (lists){.relevance = r};
    l->start = psb_new(&status, n, sizeof *l->start, "ranks", error);
    l->found = psb_new_zero(&status, n, sizeof *l->found, "ranks", error);
    l->length = psb_new_zero(&status, n, sizeof *l->length, "ranks", error);
    l->there = psb_new_zero(&status, n, sizeof *l->there, "ranks", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        l->start[i] = ranks;
        ranks += psb_relevance_count(r, i);
    }
    l->rank = psb_new(&status, ranks, sizeof *l->rank, "ranks", error);
    if (r->grade != NULL) {
        l->grade = psb_new(&status, ranks, sizeof *l->grade, "grades", error);
        l->ideal = psb_new(&status, psb_relevance_largest(r), sizeof *l->ideal, "grades", error);
    }
    return status;
}

static void take(void *context, size_t query, size_t rank, size_t neighbor,
                 double distance PSB_UNUSED) {
    lists *l = context;
    psb_relevant set = psb_relevance_set(l->relevance, query);
    size_t at = psb_relevant_find(&set, neighbor);
    l->length[query] = (uint32_t)rank;
    l->there[query] = true;
    if (at < set.count) {
        size_t next = l->start[query] + l->found[query]++;
        l->rank[next] = (uint32_t)rank;
        if (set.grade != NULL) {
            l->grade[next] = set.grade[at];
        }
    }
}

static void begin(void *context, size_t query) {
    ((lists *)context)->there[query] = true;
}

static psb_ranks ranks_of(const lists *l, size_t query) {
    const psb_relevance *r = l->relevance;
    psb_relevant set = psb_relevance_set(r, query);
    psb_ranks ranks = {.rank = l->rank + l->start[query],
                       .relevant = psb_relevance_count(r, query),
                       .listed = psb_relevance_listed(r, query)};
    ranks.missing = ranks.relevant - l->found[query];
    ranks.cut = ranks.listed - l->length[query];
    ranks.apart = ranks.relevant == set.count;
    if (set.grade != NULL) {
        psb_relevant_ideal(&set, r->self[query], l->ideal);
        ranks.grade = l->grade + l->start[query];
        ranks.ideal = l->ideal;
    }
    return ranks;
}

static double value_of(const psb_measure *measure, const psb_ranks *ranks, bool whole) {
    size_t reach = psb_measure_reach(measure, ranks);
    reach = reach < ranks->listed ? reach : ranks->listed;
    bool known = whole || ranks->listed - ranks->cut >= reach || ranks->missing == 0;
    return known ? psb_measure_compute(measure, ranks) : NAN;
}

static void fill(const psb_evaluation *e, size_t method, const lists *l, psb_coverage *coverage) {
    double *values = psb_evaluation_values(e, method);
    coverage->shortest = SIZE_MAX;
    for (size_t i = 0; i < e->cla->nmodels; i++) {
        psb_ranks ranks = ranks_of(l, i);
        size_t length = l->length[i];
        coverage->covered[i] = coverage->covered[i] && l->there[i];
        if (e->selected[i] && l->there[i] && ranks.cut > 0) {
            coverage->shorter++;
            coverage->shortest = length < coverage->shortest ? length : coverage->shortest;
        }
        for (size_t m = 0; m < e->nmeasures; m++) {
            values[i * e->nmeasures + m] = value_of(&e->measures[m].measure, &ranks, l->whole);
        }
    }
}

psb_status psb_evaluation_lists(psb_evaluation *e, size_t method, const char *path,
                                psb_list_form form, psb_coverage *coverage, psb_error *error) {
    const psb_relevance *r = e->relevance;
    lists l;
    psb_status status = allocate(r, &l, error);
    l.whole = form != PSB_LISTS_SEARCH;
    psb_lists source = {.form = form,
                        .queries = r->queries,
                        .targets = r->targets,
                        .with_query = r->with_query,
                        .take = take,
                        .begin = begin,
                        .context = &l};
    PSB_THEN(status, psb_lists_read(&source, path, error));
    if (status == PSB_OK) {
        fill(e, method, &l, coverage);
    }
    free(l.start);
    free(l.found);
    free(l.length);
    free(l.there);
    free(l.rank);
    free(l.grade);
    free(l.ideal);
    return status;
}

/* The first query in the means without a value of the measure; nmodels if all have one. */
static size_t first_without(const psb_evaluation *e, size_t method, size_t measure) {
    const double *values = psb_evaluation_values(e, method) + measure;
    size_t i = 0;
    while (i < e->cla->nmodels && !(e->selected[i] && isnan(values[i * e->nmeasures]))) {
        i++;
    }
    return i;
}

psb_status psb_evaluation_need(const psb_evaluation *e, size_t method, const char *path,
                               psb_error *error) {
    const psb_chosen_measure *missing = NULL;
    size_t query = 0;
    PSB_AT_END(psb_text_free) psb_text permitted = {.data = NULL};
    for (size_t m = 0; m < e->nmeasures; m++) {
        size_t at = first_without(e, method, m);
        if (at == e->cla->nmodels) {
            psb_text_printf(&permitted, "%s%s", permitted.length > 0 ? "," : "",
                            e->measures[m].name);
        } else if (missing == NULL) {
            missing = &e->measures[m];
            query = at;
        }
    }
    psb_status status = PSB_OK;
    if (missing != NULL) {
        psb_ranks ranks = {.relevant = psb_relevance_count(e->relevance, query)};
        size_t reach = psb_measure_reach(&missing->measure, &ranks);
        char depth[64] = "at the whole ranking";
        if (reach < e->relevance->targets->nmodels) {
            snprintf(depth, sizeof depth, "at the first %zu", reach);
        }
        status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                             "%s of model %.40s looks %s, but its list ends before; of the "
                             "measures asked for the lists permit %.200s",
                             missing->name, e->cla->models[query], depth,
                             permitted.length > 0 ? permitted.data : "none");
    }
    return status;
}
