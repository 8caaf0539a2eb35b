/* Finds the features of a sum's members in the run and in the reference. */
#include "run/reference.h"

#include "core/element.h"
#include "io/npy.h"
#include "run/record.h"
#include "run/signature.h"
#include "stream/cohort_levels.h"

#include <xxhash.h>

psb_status psb_reference_open(const char *folder, const psb_ledger *own,
                              const psb_classification *cla, psb_reference *reference,
                              psb_error *error) {
    *reference = (psb_reference){.own_ledger = NULL};
    if (psb_is_same_file(folder, own->run)) {
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

/* Returns what is compared as a sum; a described method is its only term. */
static psb_recipe sum_of(const psb_run_method *of) {
    psb_recipe sum = of->sum;
    if (of->spec != NULL || of->numbers > 0) { /* a signature's metric is the cosine */
        const psb_metric *metric = of->spec != NULL ? psb_spec_metric(of->spec) : &psb_cosine;
        sum = (psb_recipe){.nterms = 1, .terms = {{{of->label.text, NULL}, 1, 1, metric, 0}}};
    }
    return sum;
}

/* Returns the name of a member's features in the reference, see PSB_SIGNATURE_REFERENCE. */
static const char *member_of(const psb_ledger *ledger, const char *member, psb_label *room) {
    char name[2 * sizeof room->text];
    char *file = NULL;
    psb_status status = PSB_OK;
    snprintf(name, sizeof name, "%s%s", member, PSB_SIGNATURE_REFERENCE);
    file = psb_run_method_file(&status, true, name, NULL);
    bool known = !psb_spec_is_known(NULL, member) && status == PSB_OK &&
                 psb_ledger_find(ledger, file) != NULL &&
                 psb_label_make(name, room, NULL) == PSB_OK;
    free(file);
    return known ? room->text : member;
}

psb_status psb_reference_key(const psb_reference *reference, const psb_run_method *of,
                             uint64_t *key, psb_error *error) {
    const psb_results results = results_of(reference);
    const psb_ledger *ledger = &results.ledger;
    const psb_recipe sum = sum_of(of);
    const char *members[PSB_MEMBERS_MOST];
    size_t count = psb_recipe_members(&sum, members);
    *key = XXH64(&ledger->list.set, sizeof ledger->list.set, *key);
    psb_status status = PSB_OK;
    for (size_t m = 0; m < count && status == PSB_OK; m++) {
        psb_label room;
        PSB_FREED char *file =
            psb_run_method_file(&status, true, member_of(ledger, members[m], &room), error);
        const psb_ledger_entry *entry = status == PSB_OK ? psb_ledger_find(ledger, file) : NULL;
        if (entry != NULL) {
            *key = XXH64(&entry->stamp.hash, sizeof entry->stamp.hash, *key);
        } else if (status == PSB_OK) {
            status = psb_results_fail_absent(&results, true, members[m], error);
        }
    }
    return status;
}

/* ---- levels ---------------------------------------------------------------------------- */

/* One member's features in the run and in the reference. */
typedef struct pair {
    psb_npy run, reference;
} pair;

/* Checks that both signatures were made with the same directions: others are not comparable. */
static psb_status check_directions(const psb_ledger *run, const char *member,
                                   const psb_ledger *reference, const char *other,
                                   psb_error *error) {
    psb_status status = PSB_OK;
    char *files[] = {psb_run_method_file(&status, true, member, error),
                     psb_run_method_file(&status, true, other, error)};
    if (status == PSB_OK &&
        psb_ledger_find(run, files[0])->key != psb_ledger_find(reference, files[1])->key) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, reference->run, 0,
                             "%s and that of %.200s need the same --by", files[1], run->run);
    }
    free(files[0]);
    free(files[1]);
    return status;
}

static psb_status open_member(const psb_reference *reference, const psb_run_method *of,
                              const char *member, const psb_metric *metric,
                              const psb_run_method_inputs *run, pair *p, psb_error *error) {
    const psb_results results = results_of(reference);
    PSB_FREED char *own = NULL, *other = NULL;
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    psb_spec *spec = NULL;
    psb_label room;
    const char *name = member_of(&results.ledger, member, &room);
    psb_status status = psb_run_method_path(run->results, true, member, &own, error);
    PSB_THEN(status, psb_run_method_path(&results, true, name, &other, error));
    if (!psb_spec_is_known(NULL, member)) {
        PSB_THEN(status,
                 check_directions(&run->results->ledger, member, &results.ledger, name, error));
    } else if (reference->own_ledger == NULL) {
        PSB_THEN(status, psb_run_read_facts(&results, &facts, error));
        PSB_THEN_IF(status, of->spec == NULL, psb_spec_parse(NULL, member, &spec, error));
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
    psb_spec_free(spec);
    return status;
}

psb_status psb_reference_levels(const psb_reference *reference, const psb_run_method *of,
                                const psb_run_method_inputs *run, double *level, psb_error *error) {
    const psb_recipe sum = sum_of(of);
    const psb_classification *cla = models_of(reference);
    pair features[PSB_MEMBERS_MOST] = {{{0}, {0}}};
    psb_cohort_member members[PSB_MEMBERS_MOST];
    psb_cohort cohort = {.path = results_of(reference).ledger.run,
                         .sum = &sum,
                         .members = members,
                         .names = run->cla->models,
                         .reference_names = cla->models,
                         .threads = run->threads};
    psb_status status = PSB_OK;
    for (size_t t = 0; t < sum.nterms; t++) {
        const psb_term *term = &sum.terms[t];
        for (int k = 0; k < 2 && term->member[k] != NULL && status == PSB_OK; k++) {
            pair *p = &features[cohort.count];
            status = open_member(reference, of, term->member[k], term->metric, run, p, error);
            members[cohort.count++] = (psb_cohort_member){term->metric, psb_npy_rows(&p->run),
                                                          psb_npy_rows(&p->reference)};
        }
    }
    PSB_THEN(status, psb_cohort_levels(&cohort, level, error));
    for (size_t m = 0; m < cohort.count; m++) {
        psb_npy_close(&features[m].run);
        psb_npy_close(&features[m].reference);
    }
    return status;
}
