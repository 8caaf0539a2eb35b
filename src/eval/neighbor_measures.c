/* Ranks from lists, and which measures they permit. */
#include "eval/neighbor_measures.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "io/neighbors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct lists {
    const psb_classification *cla;
    size_t *start;    /* of each query's ranks in `rank` */
    uint32_t *found;  /* relevant models in each query's list */
    uint32_t *length; /* of each list */
    uint32_t *rank;   /* ascending, as far as they are known; behind them UINT32_MAX */
} lists;

static psb_status allocate(const psb_classification *cla, lists *l, psb_error *error) {
    size_t n = cla->nmodels, ranks = 0;
    psb_status status = PSB_OK;
    *l = (lists){.cla = cla};
    l->start = psb_new(&status, n, sizeof *l->start, "ranks", error);
    l->found = psb_new_zero(&status, n, sizeof *l->found, "ranks", error);
    l->length = psb_new_zero(&status, n, sizeof *l->length, "ranks", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        l->start[i] = ranks;
        ranks += psb_cla_relevant(cla, i);
    }
    l->rank = psb_new(&status, ranks, sizeof *l->rank, "ranks", error);
    for (size_t i = 0; i < ranks && status == PSB_OK; i++) {
        l->rank[i] = UINT32_MAX;
    }
    return status;
}

static void take(void *context, size_t query, size_t rank, size_t neighbor) {
    lists *l = context;
    l->length[query] = (uint32_t)rank;
    if (l->cla->class_of[query] == l->cla->class_of[neighbor] &&
        psb_cla_relevant(l->cla, query) > 0) {
        l->rank[l->start[query] + l->found[query]++] = (uint32_t)rank;
    }
}

static double value_of(const lists *l, size_t query, const psb_measure *measure) {
    psb_ranks ranks = {l->rank + l->start[query], psb_cla_relevant(l->cla, query),
                       l->cla->nmodels - 1};
    size_t reach = psb_measure_reach(measure, ranks.relevant);
    reach = reach < ranks.listed ? reach : ranks.listed;
    bool known = l->length[query] >= reach || l->found[query] == ranks.relevant;
    return known ? psb_measure_compute(measure, &ranks) : NAN;
}

psb_status psb_measure_neighbors(const char *path, const psb_classification *cla,
                                 const psb_chosen_measure *measures, size_t count, double *values,
                                 bool *covered, psb_error *error) {
    lists l;
    psb_status status = allocate(cla, &l, error);
    PSB_THEN(status, psb_neighbors_read(path, cla, take, &l, error));
    for (size_t i = 0; i < cla->nmodels && status == PSB_OK; i++) {
        covered[i] = covered[i] && l.length[i] > 0;
        for (size_t m = 0; m < count; m++) {
            values[i * count + m] = value_of(&l, i, &measures[m].measure);
        }
    }
    free(l.start);
    free(l.found);
    free(l.length);
    free(l.rank);
    return status;
}

/* The first query in the means that lacks the measure; nmodels where none does. */
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
    psb_text permitted = {.data = NULL};
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
        size_t reach = psb_measure_reach(&missing->measure, psb_cla_relevant(e->cla, query));
        char depth[64] = "at the whole ranking";
        if (reach < e->cla->nmodels) {
            snprintf(depth, sizeof depth, "at the first %zu", reach);
        }
        status =
            psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                        "%s of model %.40s looks %s, but its list ends before; of the measures "
                        "asked for the lists permit %.200s",
                        missing->name, e->cla->models[query], depth,
                        permitted.length > 0 ? permitted.data : "none");
    }
    psb_text_free(&permitted);
    return status;
}
