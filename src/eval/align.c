/* Brings classifications and matrices into each other's order. */
#include "eval/align.h"

#include "core/names.h"

/*
 * Sets keep[i]: target model i takes part; where[k]: the index in `source` of the k-th that does.
 */
static psb_status look_up(const psb_classification *target, const psb_classification *source,
                          psb_miscellaneous miscellaneous, bool *keep, size_t *where,
                          psb_error *error) {
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status = psb_names_fill(&names, source->models, source->nmodels, error);
    if (status == PSB_OK) {
        size_t used = 0;
        for (size_t i = 0; i < target->nmodels; i++) {
            size_t index = psb_names_find(&names, target->models[i]);
            bool out = miscellaneous == PSB_MISC_LEFT_OUT &&
                       target->classes[target->class_of[i]].miscellaneous;
            keep[i] = index != PSB_NO_NAME && !out;
            if (keep[i]) {
                where[used++] = index;
            }
        }
        if (used == 0) {
            status = psb_fail(error, PSB_ERROR_INPUT,
                              "the classifications share no model: do their ids differ?");
        }
    }
    return status;
}

psb_status psb_cla_align(const psb_classification *target, const psb_classification *source,
                         psb_miscellaneous miscellaneous, psb_classification *aligned,
                         size_t **from, psb_error *error) {
    psb_status status = PSB_OK;
    bool *keep = psb_new(&status, target->nmodels, sizeof *keep, "models", error);
    size_t *where = psb_new(&status, target->nmodels, sizeof *where, "models", error);
    PSB_THEN(status, look_up(target, source, miscellaneous, keep, where, error));
    PSB_THEN(status, psb_cla_subset(target, keep, aligned, error));
    free(keep);
    if (status != PSB_OK) {
        free(where);
        return status;
    }
    bool as_class = miscellaneous == PSB_MISC_CLASS || miscellaneous == PSB_MISC_SWAPPED;
    for (size_t c = 0; c < aligned->nclasses && as_class; c++) {
        if (aligned->classes[c].miscellaneous && c > 0 && miscellaneous == PSB_MISC_SWAPPED) {
            aligned->classes[c - 1].miscellaneous = true;
        }
        aligned->classes[c].miscellaneous = false;
    }
    *from = where;
    return PSB_OK;
}

psb_status psb_matrix_align(const psb_matrix *source, const size_t *from, size_t n,
                            psb_matrix *aligned, psb_error *error) {
    *aligned = (psb_matrix){.n = n};
    psb_status status = PSB_OK;
    float *data = psb_new(&status, n, n * sizeof *data, "a distance matrix", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        const float *row = source->data + from[i] * source->n;
        for (size_t j = 0; j < n; j++) {
            data[i * n + j] = row[from[j]];
        }
    }
    aligned->data = aligned->owned = data;
    return status;
}
