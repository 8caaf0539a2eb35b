/* Reads defaults, ranges and texts of parameters from the descriptors' own tables. */
#include "descriptors/params.h"

#include "core/memory.h"
#include "core/number.h"
#include "descriptors/descriptor.h"

#include <string.h>

const char *const psb_metric_names[] = {"l2", "l1", "cosine", "pose8", "pose48", NULL};
const char *const psb_frame_names[] = {"surface", "normals", NULL};

void psb_params_set_defaults(const psb_descriptor *descriptor, psb_params *params) {
    *params = (psb_params){.descriptor = descriptor};
    for (size_t i = 0; i < descriptor->nparams; i++) {
        params->value[i] = descriptor->params[i].default_value;
    }
}

static psb_status fail_unknown(const psb_descriptor *descriptor, const char *name,
                               psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text names = {0};
    for (size_t i = 0; i < descriptor->nparams; i++) {
        psb_text_list(&names, descriptor->params[i].name);
    }
    psb_status status =
        names.length > 0
            ? psb_fail(error, PSB_ERROR_USAGE, "%s has no parameter '%.80s'; it has: %s",
                       descriptor->name, name, names.data)
            : psb_fail(error, PSB_ERROR_USAGE, "%s has no parameter '%.80s'; it has none at all",
                       descriptor->name, name);
    return status;
}

static psb_status set_choice(const psb_descriptor *descriptor, const psb_param *param,
                             const char *text, double *value, psb_error *error) {
    psb_text names = {0};
    for (int c = 0; param->choices[c] != NULL; c++) {
        if (strcmp(param->choices[c], text) == 0) {
            psb_text_free(&names);
            *value = c;
            return PSB_OK;
        }
        psb_text_list(&names, param->choices[c]);
    }
    psb_status status =
        psb_fail(error, PSB_ERROR_USAGE, "%s:%s=%.80s: not one of %s", descriptor->name,
                 param->name, text, names.data != NULL ? names.data : "(none)");
    psb_text_free(&names);
    return status;
}

psb_status psb_params_set(psb_params *params, const psb_descriptor *descriptor, const char *name,
                          const char *value, psb_error *error) {
    size_t i = 0;
    while (i < descriptor->nparams && strcmp(descriptor->params[i].name, name) != 0) {
        i++;
    }
    if (i == descriptor->nparams) {
        return fail_unknown(descriptor, name, error);
    }
    const psb_param *param = &descriptor->params[i];
    if (param->type == PSB_PARAM_CHOICE) {
        return set_choice(descriptor, param, value, &params->value[i], error);
    }
    const char *instead = psb_param_word(param, PSB_PARAM_INSTEAD);
    if (instead != NULL && strcmp(instead, value) == 0) {
        params->value[i] = PSB_PARAM_INSTEAD;
        return PSB_OK;
    }
    double number = 0.0;
    int64_t whole = 0;
    bool ok;
    if (param->type == PSB_PARAM_INT) {
        ok = psb_parse_int64(value, &whole);
        number = (double)whole;
    } else {
        ok = psb_parse_double(value, &number);
    }
    if (!ok || number < param->low || number > param->high) {
        return psb_fail(
            error, PSB_ERROR_USAGE, "%s:%s=%.80s: not %s within %g ... %g%s%s", descriptor->name,
            name, value, param->type == PSB_PARAM_INT ? "a whole number" : "a number", param->low,
            param->high, instead != NULL ? ", or " : "", instead != NULL ? instead : "");
    }
    params->value[i] = number;
    return PSB_OK;
}

const char *psb_param_word(const psb_param *param, double value) {
    if (param->type == PSB_PARAM_CHOICE) {
        return param->choices[(int)value];
    }
    return param->choices != NULL && value == PSB_PARAM_INSTEAD ? param->choices[0] : NULL;
}

void psb_param_format(const psb_param *param, double value, psb_text *text) {
    const char *word = psb_param_word(param, value);
    if (word != NULL) {
        psb_text_add(text, word);
    } else {
        psb_text_printf(text, "%.10g", value);
    }
}

const char *psb_provenance_text(psb_provenance provenance) {
    static const char *const texts[] = {
        [PSB_FROM_PAPER] = "from the paper",
        [PSB_SETTLED] = "settled by reproduction",
        [PSB_FITTED] = "fitted to the published row",
        [PSB_BEYOND] = "ours, beyond the paper",
    };
    return texts[provenance];
}
