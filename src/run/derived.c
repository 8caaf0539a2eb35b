/* Opens the folder, makes the methods one after the other, then the table of all. */
#include "run/derived.h"

#include "proof/folder.h"
#include "run/manifest.h"
#include "run/stages.h"

/* ---- the folder ------------------------------------------------------------------------ */

psb_status psb_derived_open(psb_derived *d, const char *run, const char *command_line, int threads,
                            psb_error *error) {
    *d = (psb_derived){.run = run, .threads = threads, .lock = PSB_LOCK_NONE};
    /* Checks first, because taking the lock would make any folder look like a run's. */
    psb_status status = psb_results_open(run, false, &d->results, error);
    psb_results_free(&d->results);
    PSB_THEN(status, psb_run_folder_open(run, NULL, &d->lock, error));
    PSB_THEN(status, psb_results_open(run, false, &d->results, error));
    PSB_THEN(status, psb_run_read_models(&d->results, &d->cla, error));
    PSB_THEN(status, psb_results_need(&d->results, "run.json", error));
    const psb_ledger_list *list = &d->results.ledger.list;
    if (status == PSB_OK && list->classification == NULL) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, d->results.ledger.path, 0,
                             "does not say what the folder is for; repeat the run's command");
    }
    return PSB_THEN(status, psb_ledger_begin(&d->results.ledger, list, command_line, error));
}

void psb_derived_close(psb_derived *d) {
    psb_cla_free(&d->cla);
    psb_results_free(&d->results);
    psb_lock_release(&d->lock);
}

/* ---- methods --------------------------------------------------------------------------- */

/* Refuses the name of one of the run's own methods. */
static psb_status check_name(const psb_derived *d, const psb_run_facts *facts,
                             const psb_run_method *method, psb_error *error) {
    const psb_ledger *ledger = &d->results.ledger;
    const psb_descriptor_facts *of = psb_manifest_find(facts, &method->label);
    psb_status status = PSB_OK;
    PSB_FREED char *file = psb_run_method_file(&status, false, method->label.text, error);
    bool taken = of != NULL ? of->uses == NULL
                            : status == PSB_OK && psb_ledger_find(ledger, file) != NULL &&
                                  !psb_ledger_has_parts(ledger, file);
    return taken ? psb_fail_at(error, PSB_ERROR_USAGE, d->run, 0,
                               "%s is one of the run's own methods; give another name",
                               method->label.text)
                 : status;
}

/* The table is made again from all rows, and its normalized DCG is relative to the best row. So
 * nothing is added if a row cannot be read. A row whose parts were made anew leaves the table. */
static psb_status check_rows(const psb_derived *d, const psb_run_facts *facts, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t r = 0; r < facts->ndescriptors && status == PSB_OK; r++) {
        psb_finding found;
        PSB_FREED char *file =
            psb_run_method_file(&status, false, facts->descriptors[r].label, error);
        PSB_THEN(status, psb_results_look(&d->results, file, &found, error));
        bool leaves = status == PSB_OK && found.state == PSB_OUTPUT_STALE &&
                      facts->descriptors[r].uses != NULL;
        PSB_THEN_IF(status, !leaves, psb_results_need(&d->results, file, error));
    }
    return status;
}

static void leave_out(void *context, const char *name, const char *why) {
    const psb_derived *d = context;
    psb_observer_say(&d->observer, PSB_WARNING, "%s/%s is no longer in the table: %s", d->run, name,
                     why);
}

/* Writes run.json again with the method in its list: in its old place, or as the last one. */
static psb_status write_facts(psb_derived *d, const psb_run_method *method,
                              const psb_run_method_costs *costs, psb_run_facts *facts,
                              psb_error *error) {
    psb_descriptor_facts own, *place = psb_manifest_find(facts, &method->label);
    double n = (double)d->cla.nmodels, pairs = 0.5 * n * (n - 1);
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_status status = PSB_OK;
    psb_manifest_describe_made(method, &own);
    psb_manifest_add_parts(facts, method, pairs > 0 ? costs->matrix_cpu_seconds / pairs : 0, &own);
    if (place == NULL) {
        psb_buffer all = {facts->descriptors, facts->ndescriptors * sizeof own};
        status = psb_buffer_grow(&all, facts->ndescriptors + 1, sizeof own, "descriptors", error);
        facts->descriptors = all.data;
        place = status == PSB_OK ? &facts->descriptors[facts->ndescriptors++] : &own;
    }
    *place = own;
    PSB_THEN(status, psb_run_facts_render(facts, &text, error));
    return PSB_THEN(status, psb_ledger_replace(&d->results.ledger, "run.json", &text, error));
}

static psb_status add(psb_derived *d, const psb_run_method_stages *stages,
                      const psb_run_method *method, psb_error *error) {
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    psb_run_method_costs costs;
    psb_status status = psb_run_read_facts(&d->results, &facts, error);
    PSB_THEN(status, check_rows(d, &facts, error));
    PSB_THEN(status, check_name(d, &facts, method, error));
    PSB_THEN(status, psb_run_method_make(stages, method, 0, &costs, error));
    return PSB_THEN(status, write_facts(d, method, &costs, &facts, error));
}

/* Writes the new methods' scores, and the table of all methods. */
static psb_status finish(psb_derived *d, psb_run_method_stages *stages,
                         psb_run_method *const *methods, size_t count, psb_table **table,
                         psb_error *error) {
    PSB_AT_END(psb_run_record_free) psb_run_record record = {0};
    psb_run_reader reader = {.threads = d->threads, .left_out = leave_out, .context = d};
    psb_status status = psb_run_record_read(&d->results, &reader, &record, error);
    stages->evaluation = &record.evaluation;
    for (size_t m = 0; m < count && status == PSB_OK; m++) {
        size_t r = 0;
        while (r < record.facts.ndescriptors &&
               strcmp(record.labels[r], methods[m]->label.text) != 0) {
            r++;
        }
        if (r < record.facts.ndescriptors) {
            status = psb_run_method_scores(stages, methods[m], r, error);
        }
    }
    bool published = psb_ledger_find(&d->results.ledger, "table4.json") != NULL;
    return PSB_THEN(status, psb_run_record_tables(&record, &d->results.ledger,
                                                  published ? "table4" : "table", table, error));
}

psb_status psb_derived_make(psb_derived *d, psb_run_method *const *methods, size_t count,
                            psb_table **table, psb_error *error) {
    const psb_ledger_entry *models = psb_ledger_find(&d->results.ledger, "models.cla");
    psb_run_method_stages stages = {.cla = &d->cla,
                                    .cla_hash = models->stamp.hash,
                                    .ledger = &d->results.ledger,
                                    .matrices = true,
                                    .threads = d->threads,
                                    .observer = &d->observer};
    psb_reference reference = {.own_ledger = NULL};
    psb_status status = PSB_OK;
    if (d->reference != NULL) {
        status = psb_reference_open(d->reference, &d->results.ledger, &d->cla, &reference, error);
        stages.reference = &reference;
    }
    for (size_t m = 0; m < count && status == PSB_OK; m++) {
        status = methods[m]->kind->needs_reference && d->reference == NULL
                     ? psb_fail(error, PSB_ERROR_USAGE,
                                "%s needs the folder of a reference run (--reference)",
                                methods[m]->label.text)
                     : add(d, &stages, methods[m], error);
    }
    PSB_THEN(status, finish(d, &stages, methods, count, table, error));
    /* Even after a failure the ledger must list the files that were entered. */
    psb_reference_close(&reference);
    psb_status written = psb_ledger_write(&d->results.ledger, status == PSB_OK ? error : NULL);
    return status == PSB_OK ? written : status;
}
