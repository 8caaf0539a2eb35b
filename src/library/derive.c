/* Finds the methods from which new methods of a run are made, and makes the new ones. */
#include "library/derive.h"

#include "library/call.h"
#include "run/manifest.h"

/* Adds a method from elsewhere to the run. If it was added before, it keeps its name from then. */
static psb_status add_given(psb_run_parts *parts, size_t k, const psb_run_facts *facts,
                            psb_error *error) {
    psb_methods *all = parts->all;
    psb_label label;
    const char *name = all->labels[k], *stem = all->stems[k];
    const psb_descriptor_facts *before =
        psb_label_make(stem, &label, NULL) == PSB_OK ? psb_manifest_find(facts, &label) : NULL;
    if (all->asked[k].label == NULL && before != NULL && before->uses != NULL &&
        strcmp(before->uses, "given") == 0) {
        name = stem;
    }
    psb_status status = psb_run_method_given(name, all->paths[k], &all->matrices[k],
                                             &parts->methods[parts->nmethods], error);
    if (status == PSB_ERROR_USAGE) {
        status = psb_fail(error, status,
                          "%s: its name will not do for a method; LABEL=%s is called LABEL",
                          all->paths[k], all->paths[k]);
    }
    parts->nmethods += parts->methods[parts->nmethods] != NULL;
    parts->names[k] = psb_new_copy(&status, name, "a name", error);
    return status;
}

psb_status psb_run_parts_open(psb_context *psb, const char *run, const char *const *texts,
                              size_t count, psb_run_parts *parts, psb_error *error) {
    psb_methods_options of = {
        .queries = run, .files = texts, .nfiles = count, .sources = PSB_MATRICES};
    PSB_AT_END(psb_results_free) psb_results results = {.whole = false};
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    psb_status status = psb_results_open(run, false, &results, error);
    PSB_THEN(status, psb_run_read_facts(&results, &facts, error));
    PSB_THEN(status, psb_methods_open(psb, &of, &parts->all, error));
    size_t n = status == PSB_OK ? parts->all->count : 0;
    parts->names = psb_new_zero(&status, n, sizeof *parts->names, "names", error);
    parts->methods = psb_new_zero(&status, 2 * n, sizeof *parts->methods, "methods", error);
    for (size_t k = 0; k < n && status == PSB_OK; k++) {
        const psb_asked *asked = &parts->all->asked[k];
        psb_label label;
        if (asked->named && asked->metric == NULL) {
            /* Rows alone, as of signatures: what is added to the run's distances needs distances.
             */
            status = psb_results_fail_absent(&results, false, parts->all->stems[k], error);
        } else if (asked->own && asked->metric == NULL) {
            status = psb_label_make(parts->all->stems[k], &label, error);
            const psb_descriptor_facts *of_run = psb_manifest_find(&facts, &label);
            const char *name = of_run != NULL ? of_run->label : label.text;
            parts->names[k] = psb_new_copy(&status, name, "a name", error);
        } else {
            status = add_given(parts, k, &facts, error);
        }
    }
    return status;
}

void psb_run_parts_close(psb_run_parts *parts) {
    for (size_t k = 0; parts->names != NULL && k < parts->all->count; k++) {
        free(parts->names[k]);
    }
    free(parts->names);
    psb_run_method_free_all(parts->methods, parts->nmethods);
    psb_methods_free(parts->all);
}

psb_status psb_derive_open(psb_context *psb, const char *run, const char *command_line,
                           psb_derived *d, psb_error *error) {
    psb_status status = psb_derived_open(d, run, command_line, psb->threads, error);
    d->observer = psb->observer;
    return status;
}

psb_status psb_derive(psb_context *psb, const char *run, const char *command_line,
                      const char *reference, psb_run_method *const *methods, size_t count,
                      psb_table **table, psb_error *error) {
    psb_derived d;
    psb_status status = psb_derive_open(psb, run, command_line, &d, error);
    d.reference = reference;
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    PSB_THEN(status, psb_derived_make(&d, methods, count, table, error));
    psb_derived_close(&d);
    if (status != PSB_OK) {
        psb_table_free(*table);
        *table = NULL;
    }
    return status;
}
