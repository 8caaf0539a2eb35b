/* From one run.json to the next. */
#include "pipeline/derived_kept.h"

#include "core/memory.h"

#include <string.h>

psb_status psb_derived_recall(const psb_ledger *ledger, psb_run_facts *facts, psb_run_facts *older,
                              psb_error *error) {
    const psb_ledger_entry *entry = psb_ledger_find(ledger, "run.json");
    psb_input input = PSB_NO_INPUT;
    char *path = NULL;
    if (entry == NULL || !psb_ledger_holds(ledger, entry, false)) {
        return PSB_OK;
    }
    psb_status status = psb_path_join(&path, ledger->run, "run.json", error);
    PSB_THEN(status, psb_input_open(path, &input, error));
    PSB_THEN(status, psb_run_facts_parse(path, input.data, input.size, older, error));
    psb_input_close(&input);
    free(path);
    psb_buffer all = {facts->descriptors, facts->ndescriptors * sizeof *facts->descriptors};
    PSB_THEN(status, psb_buffer_grow(&all, facts->ndescriptors + older->ndescriptors,
                                     sizeof *facts->descriptors, "descriptors", error));
    facts->descriptors = all.data;
    for (size_t d = 0; d < older->ndescriptors && status == PSB_OK; d++) {
        psb_descriptor_facts *of = &older->descriptors[d];
        if (of->uses != NULL) {
            status = psb_run_check_descriptor(ledger->run, of, error);
        }
        if (of->uses != NULL && status == PSB_OK) {
            facts->descriptors[facts->ndescriptors++] = *of;
        }
    }
    return status == PSB_ERROR_INPUT ? PSB_OK : status; /* the run writes it anew */
}

/* The row becomes number `to` of the record. */
static psb_status keep(const psb_ledger *ledger, const char *name, psb_run_record *record,
                       size_t from, size_t to, int threads, psb_error *error) {
    psb_matrix matrix = {0};
    char *path = NULL;
    record->facts.descriptors[to] = record->facts.descriptors[from];
    record->labels[to] = record->facts.descriptors[to].label;
    psb_status status = psb_path_join(&path, ledger->run, name, error);
    PSB_THEN(status, psb_matrix_read(path, record->evaluation.cla->nmodels, &matrix, error));
    PSB_THEN(status, psb_evaluation_rank(&record->evaluation, to, &matrix, threads, error));
    psb_matrix_close(&matrix);
    free(path);
    return status;
}

psb_status psb_derived_keep(const psb_ledger *ledger, psb_run_record *record, size_t first,
                            int threads, const psb_observer *observer, psb_error *error) {
    const psb_results results = {.ledger = *ledger};
    psb_run_facts *facts = &record->facts;
    psb_status status = PSB_OK;
    size_t kept = first;
    for (size_t d = first; d < facts->ndescriptors && status == PSB_OK; d++) {
        char *name =
            psb_new_format(&status, error, "matrices/%s.matrix", facts->descriptors[d].stem);
        psb_output_state state =
            status == PSB_OK ? psb_results_state(&results, name) : PSB_OUTPUT_OK;
        if (status == PSB_OK && state == PSB_OUTPUT_OK) {
            status = keep(ledger, name, record, d, kept++, threads, error);
        } else if (status == PSB_OK) {
            psb_observer_say(observer, PSB_WARNING,
                             "%s, made of other rows, is no longer in the table: %s",
                             facts->descriptors[d].label, psb_output_state_reason(state));
        }
        free(name);
    }
    psb_evaluation_shorten(&record->evaluation, kept);
    facts->ndescriptors = kept;
    return status;
}
