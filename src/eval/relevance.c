/* Makes relevance by classes, whose queries share a set of targets, and by judgments. */
#include "eval/relevance.h"

#include "core/memory.h"
#include "core/names.h"
#include "io/qrels.h"

/* Finds for each query the target that is the same model. */
static psb_status find_selves(psb_relevance *r, psb_error *error) {
    const psb_classification *queries = r->queries, *targets = r->targets;
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status = PSB_OK;
    r->self = psb_new(&status, queries->nmodels, sizeof *r->self, "relevance", error);
    bool look_up = queries != targets && !r->with_query;
    PSB_THEN_IF(status, look_up, psb_names_fill(&names, targets->models, targets->nmodels, error));
    for (size_t q = 0; q < queries->nmodels && status == PSB_OK; q++) {
        size_t found = look_up ? psb_names_find(&names, queries->models[q]) : q;
        r->self[q] = r->with_query || found == PSB_NO_NAME ? PSB_NO_CLASS : found;
    }
    return status;
}

/* Finds the set of each query; set c holds the targets of class c. */
static psb_status find_sets(psb_relevance *r, psb_error *error) {
    const psb_classification *queries = r->queries, *targets = r->targets;
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status = PSB_OK;
    if (queries != targets) {
        status = psb_names_reserve(&names, targets->nclasses, error);
    }
    for (size_t c = 0; c < targets->nclasses && status == PSB_OK && queries != targets; c++) {
        psb_names_add(&names, targets->classes[c].full_name, c);
    }
    for (size_t q = 0; q < queries->nmodels && status == PSB_OK; q++) {
        size_t c = queries->class_of[q];
        const psb_class *class = &queries->classes[c];
        size_t set = queries == targets ? c : psb_names_find(&names, class->full_name);
        r->set_of[q] = class->miscellaneous || set == PSB_NO_NAME ? PSB_NO_CLASS : set;
    }
    return status;
}

psb_status psb_relevance_by_class(const psb_classification *queries,
                                  const psb_classification *targets, bool with_query,
                                  psb_relevance *r, psb_error *error) {
    static const char what[] = "relevance";
    *r = (psb_relevance){.queries = queries, .targets = targets, .with_query = with_query};
    psb_status status = PSB_OK;
    r->set_of = psb_new(&status, queries->nmodels, sizeof *r->set_of, what, error);
    r->first = psb_new(&status, targets->nclasses + 1, sizeof *r->first, what, error);
    r->target = psb_new(&status, targets->nmodels, sizeof *r->target, what, error);
    PSB_THEN(status, find_selves(r, error));
    PSB_THEN(status, find_sets(r, error));
    if (status != PSB_OK) {
        return status;
    }
    r->nsets = targets->nclasses;
    r->first[0] = 0;
    for (size_t c = 0; c < r->nsets; c++) {
        r->first[c + 1] = r->first[c] + targets->classes[c].count;
    }
    for (size_t i = 0; i < targets->nmodels; i++) {
        r->target[i] = (uint32_t)i;
    }
    return PSB_OK;
}

/* Makes a set for each query from its judgments, which are sorted by query. */
static psb_status take_judgements(const psb_judgement *entries, size_t count, psb_relevance *r,
                                  psb_error *error) {
    static const char what[] = "relevance";
    size_t n = r->queries->nmodels, next = 0;
    psb_status status = PSB_OK;
    r->set_of = psb_new(&status, n, sizeof *r->set_of, what, error);
    r->first = psb_new(&status, n + 1, sizeof *r->first, what, error);
    r->target = psb_new(&status, count, sizeof *r->target, what, error);
    r->grade = psb_new(&status, count, sizeof *r->grade, what, error);
    PSB_THEN(status, find_selves(r, error));
    for (size_t q = 0; q < n && status == PSB_OK; q++) {
        r->set_of[q] = q;
        r->first[q] = next;
        for (; next < count && entries[next].query == q; next++) {
            r->target[next] = entries[next].target;
            r->grade[next] = entries[next].grade;
        }
    }
    if (status == PSB_OK) {
        r->nsets = n;
        r->first[n] = next;
    }
    return status;
}

psb_status psb_relevance_by_qrels(const char *path, const psb_classification *queries,
                                  const psb_classification *targets, bool with_query,
                                  psb_relevance *r, psb_error *error) {
    PSB_FREED psb_judgement *entries = NULL;
    size_t count = 0;
    *r = (psb_relevance){.queries = queries, .targets = targets, .with_query = with_query};
    psb_status status = psb_qrels_read(path, queries, targets, &entries, &count, error);
    return PSB_THEN(status, take_judgements(entries, count, r, error));
}

void psb_relevance_free(psb_relevance *r) {
    free(r->set_of);
    free(r->first);
    free(r->target);
    free(r->grade);
    free(r->self);
    *r = (psb_relevance){0};
}

psb_relevant psb_relevance_set(const psb_relevance *r, size_t query) {
    size_t set = r->set_of[query];
    if (set == PSB_NO_CLASS) {
        return (psb_relevant){NULL, NULL, 0};
    }
    size_t first = r->first[set];
    return (psb_relevant){r->target + first, r->grade != NULL ? r->grade + first : NULL,
                          r->first[set + 1] - first};
}

size_t psb_relevant_find(const psb_relevant *set, size_t target) {
    size_t low = 0, end = set->count;
    while (low < end) {
        size_t middle = low + (end - low) / 2;
        if (set->target[middle] < target) {
            low = middle + 1;
        } else {
            end = middle;
        }
    }
    return low < set->count && set->target[low] == target ? low : set->count;
}

void psb_relevant_ideal(const psb_relevant *set, size_t self, uint8_t *ideal) {
    size_t many[UINT8_MAX + 1] = {0};
    for (size_t m = 0; m < set->count; m++) {
        many[set->grade[m]] += set->target[m] != self;
    }
    for (size_t g = UINT8_MAX + 1; g-- > 0;) {
        memset(ideal, (int)g, many[g]);
        ideal += many[g];
    }
}

size_t psb_relevance_count(const psb_relevance *r, size_t query) {
    psb_relevant set = psb_relevance_set(r, query);
    return set.count - (psb_relevant_find(&set, r->self[query]) < set.count);
}

size_t psb_relevance_largest(const psb_relevance *r) {
    size_t largest = 0;
    for (size_t s = 0; s < r->nsets; s++) {
        size_t count = r->first[s + 1] - r->first[s];
        largest = count > largest ? count : largest;
    }
    return largest;
}

size_t psb_relevance_listed(const psb_relevance *r, size_t query) {
    return r->targets->nmodels - (r->self[query] != PSB_NO_CLASS);
}
