/* Distances from each model of a run to the reference, member by member, some models at a time. */
#include "run/reference.h"

#include "core/element.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "eval/cohort.h"
#include "io/npy.h"
#include "run/record.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

static bool is_same_folder(const char *one, const char *other) {
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

psb_status psb_reference_open(const char *folder, const psb_ledger *own,
                              const psb_classification *cla, psb_reference *reference,
                              psb_error *error) {
    *reference = (psb_reference){.own_ledger = NULL};
    if (is_same_folder(folder, own->run)) {
        reference->own_ledger = own;
        reference->own_cla = cla;
        return PSB_OK;
    }
    psb_status status = psb_results_open(folder, false, &reference->results, error);
    return PSB_THEN(status, psb_run_read_models(&reference->results, &reference->cla, error));
}

void psb_reference_close(psb_reference *reference) {
    psb_cla_free(&reference->cla);
    psb_results_free(&reference->results);
    *reference = (psb_reference){.own_ledger = NULL};
}

static psb_results results_of(const psb_reference *reference) {
    return reference->own_ledger != NULL ? (psb_results){.ledger = *reference->own_ledger}
                                         : reference->results;
}

static const psb_classification *models_of(const psb_reference *reference) {
    return reference->own_cla != NULL ? reference->own_cla : &reference->cla;
}

/* What is compared, as a sum: of a described method the only term. */
static psb_recipe sum_of(const psb_method *of) {
    psb_recipe sum = of->sum;
    if (of->spec != NULL) {
        const psb_metric *metric = psb_spec_metric(of->spec);
        sum = (psb_recipe){.nterms = 1, .terms = {{{of->label.text, NULL}, 1, 1, metric, 0}}};
    }
    return sum;
}

psb_status psb_reference_key(const psb_reference *reference, const psb_method *of, uint64_t *key,
                             psb_error *error) {
    const psb_results results = results_of(reference);
    const psb_ledger *ledger = &results.ledger;
    const psb_recipe sum = sum_of(of);
    const char *members[PSB_MEMBERS_MOST];
    size_t count = psb_recipe_members(&sum, members);
    *key = XXH64(&ledger->list.set, sizeof ledger->list.set, *key);
    psb_status status = PSB_OK;
    for (size_t m = 0; m < count && status == PSB_OK; m++) {
        char *file = psb_method_file(&status, true, members[m], error);
        const psb_ledger_entry *entry = status == PSB_OK ? psb_ledger_find(ledger, file) : NULL;
        if (entry != NULL) {
            *key = XXH64(&entry->stamp.hash, sizeof entry->stamp.hash, *key);
        } else if (status == PSB_OK) {
            status = psb_results_fail_absent(&results, true, members[m], error);
        }
        free(file);
    }
    return status;
}

/* ---- levels ---------------------------------------------------------------------------- */

/* The features of one member, of the run and of the reference. */
typedef struct pair {
    psb_npy run, reference;
} pair;

static psb_status open_member(const psb_reference *reference, const psb_method *of,
                              const char *member, const psb_metric *metric,
                              const psb_method_inputs *run, pair *p, psb_error *error) {
    const psb_results results = results_of(reference);
    char *own = NULL, *other = NULL;
    psb_run_facts facts = {0};
    psb_spec *spec = NULL;
    psb_status status = psb_method_path(run->results, true, member, &own, error);
    PSB_THEN(status, psb_method_path(&results, true, member, &other, error));
    if (reference->own_ledger == NULL) {
        PSB_THEN(status, psb_run_read_facts(&results, &facts, error));
        if (of->spec == NULL) {
            PSB_THEN(status, psb_spec_parse(NULL, member, &spec, error));
        }
        PSB_THEN(status, psb_run_check_revision(&results, &facts,
                                                of->spec != NULL ? of->spec : spec, error));
    }
    PSB_THEN(status, psb_npy_read(own, &p->run, error));
    PSB_THEN(status, psb_npy_read(other, &p->reference, error));
    const psb_npy *sides[] = {&p->run, &p->reference};
    const size_t models[] = {run->cla->nmodels, models_of(reference)->nmodels};
    for (int s = 0; s < 2 && status == PSB_OK; s++) {
        if (sides[s]->rows != models[s] || sides[s]->columns != p->run.columns ||
            sides[s]->element != metric->element) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, s == 0 ? own : other, 0,
                                 "%zu rows of %zu numbers; want %zu of %zu", sides[s]->rows,
                                 sides[s]->columns, models[s], p->run.columns);
        }
    }
    psb_run_facts_free(&facts);
    psb_spec_free(spec);
    free(own);
    free(other);
    return status;
}

/* Models of the run whose distances to the reference are there at a time. */
enum { BLOCK = 1024 };

typedef struct work {
    const psb_reference *reference;
    psb_recipe sum;
    const psb_metric *metric[PSB_MEMBERS_MOST];
    pair features[PSB_MEMBERS_MOST];
    size_t count;
    float *distances; /* of each member, BLOCK x reference, then of the sum, one row */
    psb_names names;  /* of the reference */
} work;

static psb_status take_block(const work *w, const psb_method_inputs *run, size_t first,
                             double *level, psb_error *error) {
    size_t all = models_of(w->reference)->nmodels, left = run->cla->nmodels - first;
    size_t n = left < BLOCK ? left : BLOCK;
    float *sum = w->distances + w->count * BLOCK * all;
    psb_status status = PSB_OK;
    for (size_t m = 0; m < w->count && status == PSB_OK; m++) {
        psb_row_view whole = psb_npy_rows(&w->features[m].run);
        psb_row_view rows = psb_npy_rows(&w->features[m].reference);
        psb_row_view queries = psb_rows_part(&whole, first, n);
        status = psb_distance_between(w->metric[m], &queries, &rows, run->threads,
                                      w->distances + m * BLOCK * all, NULL, NULL, error);
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        const float *members[PSB_MEMBERS_MOST];
        for (size_t m = 0; m < w->count; m++) {
            members[m] = w->distances + (m * BLOCK + i) * all;
        }
        psb_combine(&w->sum, members, all, sum);
        size_t own = psb_names_find(&w->names, run->cla->models[first + i]), others = all;
        if (own != PSB_NO_NAME) {
            sum[own] = sum[--others];
        }
        if (others == 0) {
            return psb_fail_at(error, PSB_ERROR_INPUT, results_of(w->reference).ledger.run, 0,
                               "has no model but %s", run->cla->models[first + i]);
        }
        level[first + i] = psb_cohort_level(sum, others);
    }
    return status;
}

psb_status psb_reference_levels(const psb_reference *reference, const psb_method *of,
                                const psb_method_inputs *run, double *level, psb_error *error) {
    work w = {.reference = reference, .sum = sum_of(of)};
    const psb_classification *cla = models_of(reference);
    psb_status status = psb_names_fill(&w.names, cla->models, cla->nmodels, error);
    for (size_t t = 0; t < w.sum.nterms; t++) {
        const psb_term *term = &w.sum.terms[t];
        for (int k = 0; k < 2 && term->member[k] != NULL && status == PSB_OK; k++, w.count++) {
            w.metric[w.count] = term->metric;
            status = open_member(reference, of, term->member[k], term->metric, run,
                                 &w.features[w.count], error);
        }
    }
    w.distances = psb_new(&status, (w.count * BLOCK + 1) * sizeof *w.distances, cla->nmodels,
                          "distances to the reference", error);
    for (size_t first = 0; first < run->cla->nmodels && status == PSB_OK; first += BLOCK) {
        status = take_block(&w, run, first, level, error);
    }
    for (size_t m = 0; m < w.count; m++) {
        psb_npy_close(&w.features[m].run);
        psb_npy_close(&w.features[m].reference);
    }
    psb_names_free(&w.names);
    free(w.distances);
    return status;
}
