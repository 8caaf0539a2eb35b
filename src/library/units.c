/* Keeps the descriptors and metrics that a client adds, which then act like built-in ones. */
#include "core/element.h"
#include "core/memory.h"
#include "library/parts.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

/* A client's descriptor or metric. Lower rooms get a pointer to .descriptor or .metric; UNIT_OF
 * finds this struct from it. */
typedef struct own_unit {
    psb_descriptor descriptor;
    psb_param params[PSB_PARAMS_MOST];
    psb_own_descriptor own_descriptor;
    psb_metric metric;
    psb_own_metric own_metric;
    char *text[2 + PSB_PARAMS_MOST]; /* copies of all names */
    struct own_unit *next;
} own_unit;

#define UNIT_OF(pointer, member)                                                                   \
    ((const own_unit *)(const void *)((const char *)(pointer)-offsetof(own_unit, member)))

static size_t own_length(const psb_params *p) {
    const psb_own_descriptor *own = &UNIT_OF(p->descriptor, descriptor)->own_descriptor;
    return own->length(own->context, p->value);
}

static psb_status own_compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    const psb_own_descriptor *own = &UNIT_OF(p->descriptor, descriptor)->own_descriptor;
    psb_error inner = {PSB_OK, 0, "it failed"};
    psb_status status = own->compute(own->context, shape, p->value, row, &inner);
    if (status != PSB_OK) {
        inner.message[sizeof inner.message - 1] = '\0';
        return psb_fail(error, status, "%s", inner.message);
    }
    size_t n = own->element == PSB_FLOAT32 ? own_length(p) : 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(((const float *)row)[i])) {
            return psb_fail(error, PSB_ERROR_INPUT, "number %zu of the row is not finite", i);
        }
    }
    return PSB_OK;
}

/* Turns negative distances into NAN, which the caller of the tile refuses with row and column. */
static void own_tile(const psb_block *a, const psb_block *b, bool upper, void *scratch PSB_UNUSED,
                     float *out, size_t stride) {
    const psb_own_metric *own = &UNIT_OF(a->metric, metric)->own_metric;
    size_t length = a->rows.length, bytes = length * psb_element_bytes(own->element);
    const char *x = a->rows.data, *y = b->rows.data;
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j++) {
            double d = own->distance(own->context, x + i * bytes, y + j * bytes, length);
            out[i * stride + j] = d >= 0 ? (float)d : NAN;
        }
    }
}

void psb_units_free(psb_context *psb) {
    for (own_unit *unit = psb->units; unit != NULL;) {
        own_unit *next = unit->next;
        for (size_t i = 0; i < sizeof unit->text / sizeof unit->text[0]; i++) {
            free(unit->text[i]);
        }
        free(unit);
        unit = next;
    }
    free((void *)(uintptr_t)psb->added.descriptors);
}

psb_status psb_metric_named(const psb_context *psb, const char *name, const psb_metric **metric,
                            psb_error *error) {
    *metric = psb_metric_find(name);
    PSB_AT_END(psb_text_free) psb_text known = {0};
    for (size_t i = 0; psb_metric_word(i) != NULL; i++) {
        psb_text_list(&known, psb_metric_word(i));
    }
    for (const own_unit *unit = psb != NULL ? psb->units : NULL; unit != NULL && *metric == NULL;
         unit = unit->next) {
        if (unit->metric.name != NULL) {
            psb_text_list(&known, unit->metric.name);
            *metric = strcmp(unit->metric.name, name) == 0 ? &unit->metric : NULL;
        }
    }
    if (*metric == NULL) {
        return psb_fail_unknown(error, "metric", name, &known);
    }
    return PSB_OK;
}

psb_status psb_check_metric(const psb_context *psb, const char *name, psb_error *error) {
    const psb_metric *metric;
    return psb_metric_named(psb, name, &metric, error);
}

static psb_status check_name(const char *name, psb_error *error) {
    size_t length = name != NULL ? strlen(name) : 0;
    bool fine = length > 0 && length <= 40 && strcasecmp(name, "all") != 0;
    for (size_t i = 0; i < length && fine; i++) {
        fine = isalnum((unsigned char)name[i]) || name[i] == '_';
    }
    return fine ? PSB_OK
                : psb_fail(error, PSB_ERROR_USAGE,
                           "'%.80s' is no name of a unit: want letters and digits, 40 at most",
                           name != NULL ? name : "");
}

static psb_status fail_twice(const char *name, psb_error *error) {
    return psb_fail(error, PSB_ERROR_USAGE, "'%s' exists already: give another name", name);
}

static char *copy(psb_status *status, own_unit *unit, size_t i, const char *text,
                  psb_error *error) {
    unit->text[i] = psb_new_copy(status, text, "a name", error);
    return unit->text[i];
}

static psb_status copy_parameters(const psb_own_descriptor *own, own_unit *unit, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < own->nparameters && status == PSB_OK; i++) {
        const psb_parameter *p = &own->parameters[i];
        status = check_name(p->name, error);
        PSB_THEN_IF(status, !(p->low <= p->preset && p->preset <= p->high),
                    psb_fail(error, PSB_ERROR_USAGE, "%s: the default %g is not within %g ... %g",
                             p->name, p->preset, p->low, p->high));
        if (status == PSB_OK) {
            unit->params[i] = (psb_param){.name = copy(&status, unit, 2 + i, p->name, error),
                                          .type = PSB_PARAM_REAL,
                                          .default_value = p->preset,
                                          .low = p->low,
                                          .high = p->high,
                                          .help = ""};
        }
    }
    return status;
}

static psb_status make_descriptor(const psb_context *psb, const psb_own_descriptor *own,
                                  own_unit *unit, psb_error *error) {
    const psb_metric *metric = NULL;
    psb_status status = psb_metric_named(psb, own->metric, &metric, error);
    PSB_THEN_IF(status, metric->element != own->element,
                psb_fail(error, PSB_ERROR_USAGE, "metric %s takes no %s rows", metric->name,
                         psb_element_name(own->element)));
    PSB_THEN(status, copy_parameters(own, unit, error));
    unit->own_descriptor = *own;
    unit->descriptor = (psb_descriptor){
        .name = copy(&status, unit, 0, own->name, error),
        .title = copy(&status, unit, 1, own->title != NULL ? own->title : own->name, error),
        .source = "",
        .formula = "",
        .metric = metric,
        .revision = own->revision,
        .params = unit->params,
        .nparams = own->nparameters,
        .length = own_length,
        .compute = own_compute};
    return status;
}

/* Hands the unit to the context, which frees it. A unit that failed loses its name. */
static psb_status take_unit(psb_context *psb, own_unit *unit, psb_status status) {
    if (unit != NULL) {
        unit->next = psb->units;
        psb->units = unit;
        if (status != PSB_OK) { /* never found without a name */
            unit->descriptor.name = unit->metric.name = NULL;
        }
    }
    return status;
}

psb_status psb_add_descriptor(psb_context *psb, const psb_own_descriptor *own, psb_error *error) {
    if (own->length == NULL || own->compute == NULL || own->nparameters > PSB_PARAMS_MOST ||
        (own->nparameters > 0 && own->parameters == NULL)) {
        return psb_misuse(error, "a descriptor has length and compute, and 8 parameters at most");
    }
    psb_status status = check_name(own->name, error);
    for (size_t i = 0; i < psb->added.count && status == PSB_OK; i++) {
        bool same = strcasecmp(psb->added.descriptors[i]->name, own->name) == 0;
        status = same ? fail_twice(own->name, error) : PSB_OK;
    }
    PSB_THEN_IF(status, psb_descriptor_find(own->name) != NULL, fail_twice(own->name, error));
    size_t n = psb->added.count;
    own_unit *unit = psb_new_zero(&status, 1, sizeof *unit, "a descriptor", error);
    const psb_descriptor **list = psb_new(&status, n + 1, sizeof *list, "descriptors", error);
    PSB_THEN(status, make_descriptor(psb, own, unit, error));
    if (status == PSB_OK) {
        if (n > 0) {
            memcpy(list, psb->added.descriptors, n * sizeof *list);
        }
        list[n] = &unit->descriptor;
        free((void *)(uintptr_t)psb->added.descriptors);
        psb->added = (psb_added){list, n + 1};
    } else {
        free((void *)(uintptr_t)list);
    }
    return take_unit(psb, unit, status);
}

psb_status psb_add_metric(psb_context *psb, const psb_own_metric *own, psb_error *error) {
    if (own->distance == NULL) {
        return psb_misuse(error, "a metric has a distance");
    }
    const psb_metric *there;
    psb_status status = check_name(own->name, error);
    PSB_THEN_IF(status, psb_metric_named(psb, own->name, &there, NULL) == PSB_OK,
                fail_twice(own->name, error));
    own_unit *unit = psb_new_zero(&status, 1, sizeof *unit, "a metric", error);
    if (unit != NULL) {
        unit->own_metric = *own;
        unit->metric = (psb_metric){.name = copy(&status, unit, 0, own->name, error),
                                    .help = "",
                                    .revision = own->revision,
                                    .element = own->element,
                                    .most_rows = PSB_TILE,
                                    .tile = own_tile};
    }
    return take_unit(psb, unit, status);
}
