/* Takes methods from the folder's last run.json over into the next one. */
#include "run/earlier.h"

#include "proof/matrix_input.h"

/* True if one of the first `count` methods has files with this stem. */
static bool is_made(const psb_run_facts *facts, size_t count, const char *stem) {
    size_t d = 0;
    while (d < count && strcmp(facts->descriptors[d].stem, stem) != 0) {
        d++;
    }
    return d < count;
}

psb_status psb_earlier_recall(const psb_ledger *ledger, psb_run_facts *facts, psb_run_facts *older,
                              psb_error *error) {
    const psb_ledger_entry *entry = psb_ledger_find(ledger, "run.json");
    psb_input input = PSB_NO_INPUT;
    char *path = NULL;
    psb_kept kept = PSB_KEPT_ABSENT;
    psb_status status =
        entry != NULL ? psb_ledger_look(ledger, entry, false, &kept, error) : PSB_OK;
    if (status != PSB_OK || kept != PSB_KEPT_SAME) {
        return status;
    }
    status = psb_path_join(&path, ledger->run, "run.json", error);
    PSB_THEN(status, psb_input_open(path, &input, error));
    PSB_THEN(status, psb_run_facts_parse(path, input.data, input.size, older, error));
    psb_input_close(&input);
    free(path);
    psb_buffer all = {facts->descriptors, facts->ndescriptors * sizeof *facts->descriptors};
    PSB_THEN(status, psb_buffer_grow(&all, facts->ndescriptors + older->ndescriptors,
                                     sizeof *facts->descriptors, "descriptors", error));
    facts->descriptors = all.data;
    size_t own = facts->ndescriptors;
    for (size_t d = 0; d < older->ndescriptors && status == PSB_OK; d++) {
        psb_descriptor_facts *of = &older->descriptors[d];
        status = psb_run_check_descriptor(ledger->run, of, error);
        if (status == PSB_OK && !is_made(facts, own, of->stem)) {
            facts->descriptors[facts->ndescriptors++] = *of;
        }
    }
    return status == PSB_ERROR_INPUT ? PSB_OK : status; /* the run writes a new one */
}

/* Ranks by the matrix or, if the run keeps no matrices of described methods, by the features. */
static psb_status rank(const psb_run_method_stages *st, const char *name, bool streams,
                       psb_run_record *record, size_t method, psb_error *error) {
    psb_evaluation *e = &record->evaluation;
    psb_matrix matrix = {0};
    psb_feature_set set = {0};
    psb_run_method_costs costs;
    PSB_FREED char *path = NULL;
    psb_status status = PSB_OK;
    if (streams) {
        status = psb_run_features(st->ledger->run, &record->facts.descriptors[method],
                                  st->cla->nmodels, NULL, &set, &path, error);
        PSB_THEN(status, psb_run_method_values(st, record->facts.descriptors[method].stem, &set,
                                               method, &costs, error));
        psb_feature_set_close(&set);
    } else {
        status = psb_path_join(&path, st->ledger->run, name, error);
        PSB_THEN(status, psb_run_method_stages_matrix(st, path, &matrix, error));
        PSB_THEN(status, psb_evaluation_rank(e, method, &matrix, st->threads, error));
        psb_matrix_close(&matrix);
    }
    return status;
}

static psb_status keep(const psb_run_method_stages *st, psb_run_record *record, size_t from,
                       size_t *to, psb_error *error) {
    const psb_results results = {.ledger = *st->ledger};
    psb_run_facts *facts = &record->facts;
    const psb_descriptor_facts of = facts->descriptors[from];
    bool features = of.uses == NULL && !st->matrices;
    psb_finding found;
    psb_status status = PSB_OK;
    PSB_FREED char *name =
        psb_new_format(&status, error, features ? "features/%s.npy" : "matrices/%s.%s", of.stem,
                       st->sides != NULL ? "npy" : "matrix");
    PSB_THEN(status, psb_results_look(&results, name, &found, error));
    if (status == PSB_OK) {
        psb_run_judge(&of, &found);
    }
    if (status == PSB_OK && found.state == PSB_OUTPUT_OK) {
        facts->descriptors[*to] = of;
        if (st->evaluation != NULL) {
            record->labels[*to] = of.label;
            status = rank(st, name, features, record, *to, error);
        }
        ++*to;
    } else if (status == PSB_OK) {
        psb_observer_say(st->observer, PSB_WARNING, "%s%s is no longer in the table: %s", of.label,
                         psb_ledger_has_parts(st->ledger, name) ? ", made of other rows," : "",
                         found.reason);
    }
    return status;
}

psb_status psb_earlier_keep(const psb_run_method_stages *st, psb_run_record *record, size_t first,
                            psb_error *error) {
    psb_run_facts *facts = &record->facts;
    PSB_AT_END(psb_text_free) psb_text names = {0};
    psb_status status = PSB_OK;
    size_t kept = first;
    for (size_t d = first; d < facts->ndescriptors && status == PSB_OK; d++) {
        status = keep(st, record, d, &kept, error);
    }
    if (st->evaluation != NULL) {
        psb_evaluation_shorten(&record->evaluation, kept);
    }
    facts->ndescriptors = kept;
    for (size_t d = first; d < kept; d++) {
        psb_text_printf(&names, "%s%s", d > first ? ", " : "", facts->descriptors[d].label);
    }
    PSB_THEN(status, psb_text_status(&names, error));
    if (status == PSB_OK && kept > first) {
        psb_observer_say(st->observer, PSB_NOTE, "%s: also has, of earlier commands: %.800s",
                         st->ledger->run, names.data);
    }
    return status;
}
