/* Writes tables about single models. */
#include "run/model_reports.h"

/* Returns the message without "file:line: " in front. */
static const char *reason_of(const psb_failure *failure) {
    const char *message = failure->error.message;
    const char *path = psb_path_shown(failure->path), *at = message;
    size_t length = strlen(path);
    at += path != failure->path ? strlen(PSB_PATH_DOTS) : 0;
    if (strncmp(at, path, length) != 0) {
        return message;
    }
    const char *reason = strstr(at + length, ": ");
    return reason != NULL ? reason + 2 : message;
}

psb_status psb_failures_write(psb_ledger *ledger, const psb_features *features, psb_error *error) {
    const psb_dataset *dataset = features->store.dataset;
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_text_add(&text, "id\tfile\tline\treason\n");
    for (size_t f = 0; f < features->nfailures; f++) {
        const psb_failure *failure = &features->failures[f];
        psb_text_add_plain(&text, failure->id);
        psb_text_add(&text, "\t");
        psb_text_add_plain(&text, failure->path);
        psb_text_add(&text, "\t");
        if (failure->error.line > 0) {
            psb_text_printf(&text, "%lu", failure->error.line);
        }
        psb_text_add(&text, "\t");
        psb_text_add_plain(&text, reason_of(failure));
        psb_text_add(&text, "\n");
    }
    for (size_t i = 0; dataset != NULL && i < dataset->nmissing; i++) {
        psb_text_add_plain(&text, dataset->missing[i]);
        psb_text_add(&text, "\t\t\tno file\n");
    }
    return psb_ledger_save(ledger, "failures.tsv", &text, error);
}

static double alone(const psb_store *store, size_t spec, size_t model) {
    return psb_cost_alone(&psb_store_at(store, spec, model)->cost);
}

psb_status psb_times_write(psb_ledger *ledger, const psb_features *features, char *const *ids,
                           psb_error *error) {
    const psb_store *store = &features->store;
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_text_add(&text, "id\tread");
    for (size_t s = 0; s < store->nspecs; s++) {
        psb_text_printf(&text, "\t%s alone", store->specs[s]->label.text);
    }
    psb_text_add(&text, "\ttogether\ttotal\n");
    for (size_t i = 0; i < features->nmodels; i++) {
        size_t model = features->models[i];
        psb_text_add_plain(&text, ids[i]);
        double read = store->models[model].read_seconds, total = psb_store_seconds(store, model);
        psb_text_printf(&text, "\t%.6f", read);
        for (size_t s = 0; s < store->nspecs; s++) {
            psb_text_printf(&text, "\t%.6f", alone(store, s, model));
        }
        psb_text_printf(&text, "\t%.6f\t%.6f\n", total - read, total);
    }
    return psb_ledger_save(ledger, "times.tsv", &text, error);
}

void psb_report_slowest(const psb_features *features, char *const *ids,
                        const psb_observer *observer) {
    enum { SLOWEST = 10 };
    size_t found[SLOWEST];
    double seconds[SLOWEST];
    size_t count = 0;
    for (size_t i = 0; i < features->nmodels; i++) {
        double mine = psb_store_seconds(&features->store, features->models[i]);
        size_t at = count < SLOWEST ? count++ : SLOWEST;
        /* Moves faster models down; from a full list the last one drops out. */
        for (; at > 0 && seconds[at - 1] < mine; at--) {
            if (at < SLOWEST) {
                seconds[at] = seconds[at - 1];
                found[at] = found[at - 1];
            }
        }
        if (at < SLOWEST) {
            seconds[at] = mine;
            found[at] = i;
        }
    }
    for (size_t k = 0; k < count; k++) {
        const psb_store *store = &features->store;
        size_t model = features->models[found[k]], longest = 0;
        for (size_t s = 0; s < store->nspecs; s++) {
            if (alone(store, s, model) > alone(store, longest, model)) {
                longest = s;
            }
        }
        psb_observer_say(
            observer, PSB_DETAIL,
            "slowest model %zu: %s, %.3f s, of which %.3f s reading and %.3f s %s alone", k + 1,
            ids[found[k]], seconds[k], store->models[model].read_seconds,
            alone(store, longest, model), store->specs[longest]->label.text);
    }
}
