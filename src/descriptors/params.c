/* Presets, ranges and texts of the tunables, read from the descriptors' own tables. */
#include "descriptors/params.h"

#include "core/number.h"
#include "descriptors/descriptor.h"

#include <string.h>

static void *field(psb_params *params, const psb_param *param) {
    return (char *)params + param->offset;
}

static void assign(psb_params *params, const psb_param *param, double value) {
    if (param->type == PSB_PARAM_REAL) {
        *(double *)field(params, param) = value;
    } else {
        *(int *)field(params, param) = (int)value;
    }
}

double psb_param_value(const psb_param *param, const psb_params *params) {
    const void *at = (const char *)params + param->offset;
    return param->type == PSB_PARAM_REAL ? *(const double *)at : (double)*(const int *)at;
}

void psb_params_preset(psb_params *params) {
    memset(params, 0, sizeof *params);
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        const psb_descriptor *descriptor = psb_descriptor_at(d);
        for (size_t i = 0; i < descriptor->nparams; i++) {
            assign(params, &descriptor->params[i], descriptor->params[i].preset);
        }
    }
}

static psb_status fail_unknown(const psb_descriptor *descriptor, const char *name,
                               psb_error *error) {
    psb_text names = {0};
    for (size_t i = 0; i < descriptor->nparams; i++) {
        psb_text_printf(&names, "%s%s", i > 0 ? ", " : "", descriptor->params[i].name);
    }
    psb_status status =
        names.length > 0
            ? psb_fail(error, PSB_ERROR_USAGE, "%s has no parameter '%.80s'; it has: %s",
                       descriptor->name, name, names.data)
            : psb_fail(error, PSB_ERROR_USAGE, "%s has no parameter '%.80s'; it has none at all",
                       descriptor->name, name);
    psb_text_free(&names);
    return status;
}

static psb_status set_choice(psb_params *params, const psb_descriptor *descriptor,
                             const psb_param *param, const char *value, psb_error *error) {
    psb_text names = {0};
    for (int c = 0; param->choices[c] != NULL; c++) {
        if (strcmp(param->choices[c], value) == 0) {
            psb_text_free(&names);
            assign(params, param, c);
            return PSB_OK;
        }
        psb_text_printf(&names, "%s%s", c > 0 ? ", " : "", param->choices[c]);
    }
    psb_status status =
        psb_fail(error, PSB_ERROR_USAGE, "%s:%s=%.80s: not one of %s", descriptor->name,
                 param->name, value, names.data != NULL ? names.data : "(none)");
    psb_text_free(&names);
    return status;
}

psb_status psb_params_set(psb_params *params, const psb_descriptor *descriptor, const char *name,
                          const char *value, psb_error *error) {
    const psb_param *param = NULL;
    for (size_t i = 0; i < descriptor->nparams && param == NULL; i++) {
        param = strcmp(descriptor->params[i].name, name) == 0 ? &descriptor->params[i] : NULL;
    }
    if (param == NULL) {
        return fail_unknown(descriptor, name, error);
    }
    if (param->type == PSB_PARAM_CHOICE) {
        return set_choice(params, descriptor, param, value, error);
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
        return psb_fail(error, PSB_ERROR_USAGE, "%s:%s=%.80s: not %s within %g ... %g",
                        descriptor->name, name, value,
                        param->type == PSB_PARAM_INT ? "a whole number" : "a number", param->low,
                        param->high);
    }
    assign(params, param, number);
    return PSB_OK;
}

void psb_param_format(const psb_param *param, const psb_params *params, psb_text *text) {
    double value = psb_param_value(param, params);
    if (param->type == PSB_PARAM_CHOICE) {
        psb_text_add(text, param->choices[(int)value]);
    } else {
        psb_text_printf(text, "%.10g", value);
    }
}

const char *psb_provenance_text(psb_provenance provenance) {
    static const char *const texts[] = {
        [PSB_FROM_PAPER] = "from the paper",
        [PSB_SETTLED] = "settled by reproduction",
        [PSB_FITTED] = "fitted to the published row",
    };
    return texts[provenance];
}
