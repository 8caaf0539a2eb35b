/* Makes signatures of a run's models, and learns the directions that they are made with. */
#include "core/memory.h"
#include "library/call.h"
#include "library/derive.h"
#include "run/signature.h"

static psb_status learn(const psb_signature_options *o, const psb_derived *d, psb_error *error) {
    PSB_AT_END(psb_cla_free) psb_classification training = {0};
    psb_signature_options of = *o;
    size_t used = 0;
    of.size = o->size > 0 ? o->size : PSB_SIGNATURE_LENGTH;
    psb_status status = psb_results_read_cla(o->train, &training, error);
    PSB_THEN(status, psb_signature_learn(d, &training, &of, o->output, &used, error));
    if (status == PSB_OK) {
        psb_observer_say(&d->observer, PSB_NOTE, "directions of %zu of the %zu models in %s", used,
                         training.nmodels, o->train);
    }
    return status;
}

static psb_status apply(const psb_signature_options *o, psb_derived *d, psb_table **table,
                        psb_error *error) {
    char label[PSB_SIGNATURE_LABEL];
    PSB_AT_END(psb_basis_free) psb_basis directions = {0};
    psb_run_method *method = NULL;
    psb_status status = psb_basis_read(o->by, &directions, error);
    if (status == PSB_OK) {
        psb_signature_label(&directions, label);
        status = (o->as_reference ? psb_signature_add_reference : psb_signature_add)(d, &directions,
                                                                                     label, error);
    }
    if (o->row) {
        PSB_THEN(status, psb_run_method_signature(label, directions.count, directions.labels,
                                                  &method, error));
        PSB_THEN(status, psb_derived_make(d, &method, 1, table, error));
    }
    psb_run_method_free(method);
    return status;
}

psb_status psb_make_signatures(psb_context *psb, const psb_signature_options *o, psb_table **table,
                               psb_error *error) {
    psb_derived d;
    *table = NULL;
    if (o == NULL || o->run == NULL || (o->train == NULL) == (o->by == NULL) ||
        (o->train != NULL && o->output == NULL) || o->size > PSB_SIGNATURE_MOST ||
        o->blocks >= PSB_BLOCKS_KINDS) {
        return psb_misuse(error, "needs --train or --by beside the folder of a run");
    }
    if (o->as_reference && (o->by == NULL || o->row)) {
        return psb_misuse(error, "--as-reference is for --by, and leaves no row of the table");
    }
    psb_status status = psb_derive_open(psb, o->run, o->command_line, &d, error);
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    PSB_THEN(status, o->train != NULL ? learn(o, &d, error) : apply(o, &d, table, error));
    psb_derived_close(&d);
    if (status != PSB_OK) {
        psb_table_free(*table);
        *table = NULL;
    }
    return status;
}
