/* Finds the nearest targets, and counts their votes. */
#include "eval/voting.h"

#include "core/names.h"
#include "eval/nearest.h"

#include <math.h>
#include <stdio.h>

/* ---- the nearest ------------------------------------------------------------------------ */

static psb_status allocate(psb_voting *v, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = v->relevance->queries->nmodels;
    v->nearest = psb_new(&status, n, v->k * sizeof *v->nearest, "the nearest", error);
    if (status == PSB_OK) {
        memset(v->nearest, 0xff, n * v->k * sizeof *v->nearest);
    }
    return status;
}

psb_status psb_voting_matrix(psb_voting *v, const psb_matrix *matrix, int threads,
                             psb_error *error) {
    psb_status status = allocate(v, error);
    return PSB_THEN(status, psb_nearest_of_matrix(matrix, v->relevance->self, v->k, threads,
                                                  v->nearest, NULL, error));
}

static void take(void *context, size_t query, size_t rank, size_t target,
                 double distance PSB_UNUSED) {
    psb_voting *v = context;
    if (rank <= v->k) {
        v->nearest[query * v->k + rank - 1] = (uint32_t)target;
    }
}

psb_status psb_voting_lists(psb_voting *v, const char *path, psb_list_form form, psb_error *error) {
    psb_lists lists = {.form = form,
                       .queries = v->relevance->queries,
                       .targets = v->relevance->targets,
                       .with_query = v->relevance->with_query,
                       .take = take,
                       .context = v};
    psb_status status = allocate(v, error);
    return PSB_THEN(status, psb_lists_read(&lists, path, error));
}

void psb_voting_free(psb_voting *v) {
    free(v->nearest);
    v->nearest = NULL;
}

/* ---- labels ----------------------------------------------------------------------------- */

static size_t depth_of(const psb_classification *cla, size_t class) {
    size_t depth = 0;
    for (; class != PSB_NO_CLASS; class = cla->classes[class].parent) {
        depth++;
    }
    return depth;
}

size_t psb_levels(const psb_classification *cla) {
    size_t levels = 0;
    for (size_t c = 0; c < cla->nclasses; c++) {
        size_t depth = depth_of(cla, c);
        levels = depth > levels ? depth : levels;
    }
    return levels;
}

static psb_status label(const psb_classification *cla, size_t level, psb_labels *labels,
                        psb_names *known, size_t *of_class) {
    for (size_t c = 0; c < cla->nclasses; c++) {
        size_t top = c;
        for (size_t depth = depth_of(cla, c); depth > level; depth--) {
            top = cla->classes[top].parent;
        }
        const char *name = cla->classes[top].full_name;
        of_class[c] = psb_names_find(known, name);
        if (of_class[c] == PSB_NO_NAME) {
            of_class[c] = labels->count;
            labels->names[labels->count] = name;
            psb_names_add(known, name, labels->count++);
        }
    }
    return PSB_OK;
}

psb_status psb_labels_make(const psb_classification *queries, const psb_classification *targets,
                           size_t level, psb_labels *labels, psb_error *error) {
    static const char what[] = "classes";
    PSB_AT_END(psb_names_free) psb_names known = {0};
    size_t most = queries->nclasses + targets->nclasses;
    psb_status status = psb_names_reserve(&known, most, error);
    *labels = (psb_labels){0};
    labels->names = psb_new(&status, most, sizeof *labels->names, what, error);
    labels->of_query_class =
        psb_new(&status, queries->nclasses, sizeof *labels->of_query_class, what, error);
    labels->of_target_class =
        psb_new(&status, targets->nclasses, sizeof *labels->of_target_class, what, error);
    PSB_THEN(status, label(queries, level, labels, &known, labels->of_query_class));
    return PSB_THEN(status, label(targets, level, labels, &known, labels->of_target_class));
}

void psb_labels_free(psb_labels *labels) {
    free(labels->names);
    free(labels->of_query_class);
    free(labels->of_target_class);
    *labels = (psb_labels){0};
}

/* ---- votes ------------------------------------------------------------------------------ */

size_t psb_vote(const psb_voting *v, const psb_labels *labels, size_t query, size_t *votes) {
    const uint32_t *nearest = v->nearest + query * v->k;
    const psb_classification *targets = v->relevance->targets;
    size_t most = 0, winner = PSB_NO_CLASS, count = 0;
    for (; count < v->k && nearest[count] != UINT32_MAX; count++) {
        votes[labels->of_target_class[targets->class_of[nearest[count]]]] = 0;
    }
    for (size_t r = 0; r < count; r++) {
        size_t own = labels->of_target_class[targets->class_of[nearest[r]]];
        most = ++votes[own] > most ? votes[own] : most;
    }
    for (size_t r = 0; r < count && winner == PSB_NO_CLASS; r++) {
        size_t own = labels->of_target_class[targets->class_of[nearest[r]]];
        winner = votes[own] == most ? own : PSB_NO_CLASS;
    }
    return winner;
}

psb_status psb_voting_accuracy(const psb_voting *v, const psb_labels *labels, psb_evaluation *e,
                               size_t method, size_t measure, psb_error *error) {
    double *values = psb_evaluation_values(e, method) + measure;
    psb_status status = PSB_OK;
    PSB_FREED size_t *votes = psb_new(&status, labels->count, sizeof *votes, "votes", error);
    for (size_t q = 0; q < e->cla->nmodels && status == PSB_OK; q++) {
        size_t own = labels->of_query_class[e->cla->class_of[q]];
        values[q * e->nmeasures] = psb_vote(v, labels, q, votes) == own;
    }
    return status;
}

psb_chosen_measure psb_accuracy(size_t level) {
    psb_chosen_measure c = {.measure = {.name = "accuracy"}};
    snprintf(c.name, sizeof c.name, "accuracy_%zu", level);
    snprintf(c.title, sizeof c.title, "accuracy, level %zu", level);
    return c;
}
