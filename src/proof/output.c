/* Makes a file of a run unless it is there, writes the ids and the metric of its rows, enters all.
 */
#include "proof/output.h"

#include "core/file.h"
#include "io/ids.h"

static const char *const sides[] = {"", ".columns"};

static psb_status look(psb_ledger *ledger, const psb_observer *observer, const char *name,
                       uint64_t key, const psb_ledger_entry **there, psb_error *error) {
    bool altered;
    psb_status status = psb_ledger_current(ledger, name, key, there, &altered, error);
    if (status == PSB_OK && altered) {
        psb_observer_say(observer, PSB_NOTE, "%s changed since: written again", name);
    }
    return status;
}

/*
 * Removes the names beside a file that is about to be replaced, so that its new rows never have the
 * names of the old ones.
 */
static psb_status forget_names(const psb_output_of *o, const char *path, psb_error *error) {
    psb_status status = PSB_OK;
    for (int side = 0; side < (o->columns != NULL ? 2 : 1) && status == PSB_OK; side++) {
        PSB_FREED char *of = psb_new_format(&status, error, "%s%s", path, sides[side]);
        PSB_THEN(status, psb_ids_write(of, NULL, 0, error));
    }
    return status == PSB_OK && o->metric != NULL ? psb_ids_write_metric(path, NULL, error) : status;
}

static psb_status write_metric(psb_ledger *ledger, const psb_observer *observer,
                               const psb_output_of *o, const char *path, psb_error *error) {
    const psb_ledger_entry *there = NULL;
    psb_status status = PSB_OK;
    PSB_FREED char *name = psb_new_format(&status, error, "%s.metric", o->name);
    PSB_THEN(status, look(ledger, observer, name, o->key, &there, error));
    if (status == PSB_OK && there == NULL) {
        status = psb_ids_write_metric(path, o->metric, error);
        PSB_THEN(status, psb_ledger_enter(ledger, name, o->key, 0, 0, error));
    }
    return status;
}

static psb_status write_names(psb_ledger *ledger, const psb_observer *observer,
                              const psb_output_of *o, const char *path, psb_error *error) {
    const psb_classification *cla[] = {o->rows, o->columns};
    psb_status status = PSB_OK;
    for (int side = 0; side < 2 && cla[side] != NULL && status == PSB_OK; side++) {
        PSB_FREED char *ids = psb_new_format(&status, error, "%s%s.ids", o->name, sides[side]);
        PSB_FREED char *of = psb_new_format(&status, error, "%s%s", path, sides[side]);
        const psb_ledger_entry *there = NULL;
        PSB_THEN(status, look(ledger, observer, ids, o->key, &there, error));
        if (status == PSB_OK && there == NULL) {
            status = psb_ids_write(of, cla[side]->models, cla[side]->nmodels, error);
            PSB_THEN(status, psb_ledger_enter(ledger, ids, o->key, 0, 0, error));
        }
    }
    return status;
}

psb_status psb_output_make(psb_ledger *ledger, const psb_observer *observer, psb_output_of *o,
                           psb_error *error) {
    const psb_ledger_entry *there;
    psb_status status = look(ledger, observer, o->name, o->key, &there, error);
    o->made = there == NULL || !psb_ledger_parts_hold(ledger, o->name);
    PSB_FREED char *path = psb_ledger_file(&status, ledger, o->name, error);
    if (status == PSB_OK && o->made) {
        status = o->make(o, path, error);
        PSB_THEN(status, o->rows != NULL ? forget_names(o, path, error) : PSB_OK);
        PSB_THEN(status, o->write(o, path, error));
        PSB_THEN(status,
                 psb_ledger_enter(ledger, o->name, o->key, o->wall_seconds, o->cpu_seconds, error));
        for (size_t p = 0; p < o->nparts && status == PSB_OK; p++) {
            status = psb_ledger_enter_part(ledger, o->name, o->parts[p], error);
        }
    } else if (status == PSB_OK) {
        o->wall_seconds = there->wall_seconds;
        o->cpu_seconds = there->cpu_seconds;
    }
    PSB_THEN(status, write_names(ledger, observer, o, path, error));
    return PSB_THEN_IF(status, o->metric != NULL, write_metric(ledger, observer, o, path, error));
}
