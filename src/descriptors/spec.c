/* Reads and writes descriptors with parameters as text, "CEGI:phase=2,smooth=0.02". */
#include "core/element.h"
#include "core/memory.h"
#include "core/watch.h"
#include "descriptors/descriptor.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_TEXT = 4096, MAX_SPECS = 256 };

/*
 * Writes the canonical label: the parameters that differ from their defaults, in the table's order.
 */
static psb_status write_label(psb_spec *spec, psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text label = {0};
    psb_text_add(&label, spec->descriptor->name);
    char separator = ':';
    for (size_t i = 0; i < spec->descriptor->nparams; i++) {
        const psb_param *param = &spec->descriptor->params[i];
        if (spec->params.value[i] != param->default_value) {
            psb_text_printf(&label, "%c%s=", separator, param->name);
            psb_param_format(param, spec->params.value[i], &label);
            separator = ',';
        }
    }
    psb_status status = psb_text_status(&label, error);
    return PSB_THEN(status, psb_label_make(label.data, &spec->label, error));
}

static const psb_descriptor *find(const psb_added *added, const char *name) {
    for (size_t i = 0; added != NULL && i < added->count; i++) {
        if (strcasecmp(added->descriptors[i]->name, name) == 0) {
            return added->descriptors[i];
        }
    }
    return psb_descriptor_find(name);
}

void psb_spec_names(const psb_added *added, psb_text *names) {
    for (size_t i = 0; i < psb_descriptor_count(); i++) {
        psb_text_list(names, psb_descriptor_at(i)->name);
    }
    for (size_t i = 0; added != NULL && i < added->count; i++) {
        psb_text_list(names, added->descriptors[i]->name);
    }
}

bool psb_spec_is_known(const psb_added *added, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    return find(added, name) != NULL;
}

unsigned psb_spec_revision(const psb_added *added, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":- "), text);
    const psb_descriptor *of = find(added, name);
    return of != NULL ? of->revision : 0;
}

static psb_status fail_unknown(const psb_added *added, const char *name, psb_error *error) {
    psb_text names = {0};
    if (strchr(name, ',') != NULL) {
        return psb_fail(error, PSB_ERROR_USAGE, "'%.80s' is a list: give one descriptor", name);
    }
    psb_spec_names(added, &names);
    return psb_fail_unknown(error, "descriptor", name, &names);
}

int psb_spec_choice(const psb_spec *spec, const char *const *choices, int otherwise) {
    for (size_t i = 0; i < spec->descriptor->nparams; i++) {
        if (spec->descriptor->params[i].choices == choices) {
            return (int)spec->params.value[i];
        }
    }
    return otherwise;
}

const psb_metric *psb_spec_metric(const psb_spec *spec) {
    int choice = psb_spec_choice(spec, psb_metric_names, -1);
    if (choice >= 0) {
        return psb_metric_find(psb_metric_names[choice]);
    }
    const psb_descriptor *d = spec->descriptor;
    return d->metric_of != NULL ? d->metric_of(&spec->params) : d->metric;
}

static psb_status check_metric(const psb_spec *spec, psb_error *error) {
    const psb_metric *metric = psb_spec_metric(spec);
    size_t length = psb_spec_length(spec);
    if (metric->accepts != NULL && !metric->accepts(length)) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "%s: metric %s does not take its rows of %zu numbers: leave metric= out",
                        spec->label.text, metric->name, length);
    }
    return PSB_OK;
}

/* Parses `text` into spec; overwrites separators in `text` with NUL. */
static psb_status parse_in_place(const psb_added *added, char *text, psb_spec *spec,
                                 psb_error *error) {
    char *rest = strchr(text, ':');
    if (rest != NULL) {
        *rest++ = '\0';
    }
    spec->descriptor = find(added, text);
    if (spec->descriptor == NULL) {
        return fail_unknown(added, text, error);
    }
    psb_params_set_defaults(spec->descriptor, &spec->params);
    while (rest != NULL) {
        char *setting = rest;
        rest = strchr(setting, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        char *value = strchr(setting, '=');
        if (value == NULL) {
            return psb_fail(error, PSB_ERROR_USAGE, "%s: expected parameter=value, got '%.80s'",
                            spec->descriptor->name, setting);
        }
        *value++ = '\0';
        psb_status status = psb_params_set(&spec->params, spec->descriptor, setting, value, error);
        if (status != PSB_OK) {
            return status;
        }
    }
    psb_status status = write_label(spec, error);
    return PSB_THEN(status, check_metric(spec, error));
}

static psb_status copy_text(const char *text, char **copy, psb_error *error) {
    *copy = NULL;
    size_t length = strlen(text);
    if (length > MAX_TEXT) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "a descriptor list of %zu characters; the limit is %d", length, MAX_TEXT);
    }
    psb_status status = PSB_OK;
    *copy = psb_new_text(&status, text, length, "a descriptor list", error);
    return status;
}

psb_status psb_spec_parse(const psb_added *added, const char *text, psb_spec **spec,
                          psb_error *error) {
    char *copy;
    psb_status status = copy_text(text, &copy, error);
    *spec = psb_new_zero(&status, 1, sizeof **spec, "a descriptor's parameters", error);
    PSB_THEN(status, parse_in_place(added, copy, *spec, error));
    free(copy);
    if (status != PSB_OK) {
        psb_spec_free(*spec);
        *spec = NULL;
    }
    return status;
}

void psb_spec_free(psb_spec *spec) {
    free(spec);
}

/* Returns the length of the text before the next comma outside of braces. */
static size_t to_comma(const char *text) {
    size_t end = strcspn(text, ",{");
    while (text[end] == '{') {
        end += strcspn(text + end, "}");
        end += strcspn(text + end, ",{");
    }
    return end;
}

/* Returns whether another parameter of the same item follows the comma at text[length]. */
static bool has_more_parameters(const char *text, size_t length) {
    const char *next = text + length + 1;
    return next[strcspn(next, ",:=")] == '=';
}

/*
 * Returns the same for items NAME=WEIGHT, where every text behind a comma has a '=': the item goes
 * on as long as it has parameters and the last one has no second '='. NAME may have a metric in
 * place of parameters.
 */
static bool lacks_weight(const char *text, size_t length) {
    const char *colon = memrchr(text, ':', length), *comma = memrchr(text, ',', length);
    if (colon == NULL) {
        return false;
    }
    const char *last = comma != NULL && comma > colon ? comma : colon;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(last + 1, "=,"), last + 1);
    const char *value = memchr(last, '=', (size_t)(text + length - last));
    return (last != colon || psb_metric_find(word) == NULL) &&
           (value == NULL || memchr(value + 1, '=', (size_t)(text + length - value - 1)) == NULL);
}

/* Returns the length of a list's first item, up to a comma where `goes_on` is false. */
static size_t first_length(const char *text, bool (*goes_on)(const char *text, size_t length)) {
    size_t end = to_comma(text);
    while (text[end] != '\0' && goes_on(text, end)) {
        end++;
        end += to_comma(text + end);
    }
    return end;
}

/* Puts each value of the first braces in their place, expands the rest alike, calls `item`. */
static psb_status expand(const char *text, psb_spec_item *item, void *context, psb_error *error) {
    const char *open = strchr(text, '{'), *close = open != NULL ? strchr(open, '}') : NULL;
    if (open == NULL) {
        return item(context, text, error);
    }
    if (close == NULL || open[1 + strcspn(open + 1, "{}")] != '}') {
        return psb_fail(error, PSB_ERROR_USAGE, "'%.60s': want {value,value,...}", open);
    }
    psb_status status = PSB_OK;
    for (const char *value = open + 1; value <= close && status == PSB_OK;) {
        size_t length = strcspn(value, ",}");
        psb_text one = {0};
        psb_text_printf(&one, "%.*s%.*s%s", (int)(open - text), text, (int)length, value,
                        close + 1);
        status = psb_text_status(&one, error);
        PSB_THEN(status, expand(one.data, item, context, error));
        psb_text_free(&one);
        value += length + 1;
    }
    return status;
}

static psb_status each(const char *list, bool (*goes_on)(const char *text, size_t length),
                       psb_spec_item *item, void *context, psb_error *error) {
    PSB_FREED char *copy = NULL;
    psb_status status = copy_text(list, &copy, error);
    char *text = copy;
    for (bool more = true; more && status == PSB_OK;) {
        size_t length = first_length(text, goes_on);
        more = text[length] != '\0';
        text[length] = '\0';
        if (strcmp(text, "all") == 0) {
            for (size_t i = 0; i < psb_descriptor_count() && status == PSB_OK; i++) {
                const psb_descriptor *d = psb_descriptor_at(i);
                status = d->beyond ? PSB_OK : item(context, d->name, error);
            }
        } else {
            status = expand(text, item, context, error);
        }
        text += length + 1;
    }
    return status;
}

psb_status psb_spec_each(const char *list, psb_spec_item *item, void *context, psb_error *error) {
    return each(list, has_more_parameters, item, context, error);
}

psb_status psb_term_each(const char *list, psb_spec_item *item, void *context, psb_error *error) {
    return each(list, lacks_weight, item, context, error);
}

/* The list that `append` extends. */
typedef struct spec_list {
    const psb_added *added;
    psb_spec **specs;
    size_t count;
} spec_list;

static psb_status append(void *context, const char *text, psb_error *error) {
    spec_list *list = context;
    if (list->count == MAX_SPECS) {
        return psb_fail(error, PSB_ERROR_USAGE, "more than %d descriptors in one list", MAX_SPECS);
    }
    psb_status status = psb_spec_parse(list->added, text, &list->specs[list->count], error);
    if (status != PSB_OK) {
        return status;
    }
    const char *label = list->specs[list->count++]->label.text;
    for (size_t i = 0; i + 1 < list->count; i++) {
        if (strcmp(list->specs[i]->label.text, label) == 0) {
            return psb_fail(error, PSB_ERROR_USAGE, "%s is listed twice: name it once", label);
        }
    }
    return PSB_OK;
}

psb_status psb_spec_parse_list(const psb_added *added, const char *text, psb_spec ***specs,
                               size_t *count, psb_error *error) {
    psb_status status = PSB_OK;
    spec_list list = {.added = added};
    list.specs = psb_new_zero(&status, MAX_SPECS, sizeof **specs, "a descriptor list", error);
    PSB_THEN(status, psb_spec_each(text, append, &list, error));
    *specs = list.specs;
    *count = list.count;
    if (status != PSB_OK) {
        for (size_t i = 0; i < *count; i++) {
            psb_spec_free((*specs)[i]);
        }
        free(*specs);
        *specs = NULL;
        *count = 0;
    }
    return status;
}

psb_status psb_shape_describe(psb_shape *shape, const psb_spec *spec, void *row, psb_error *error) {
    if (psb_shape_mesh(shape) == NULL) {
        return psb_fail(error, PSB_ERROR_USAGE, "no model is loaded");
    }
    if (psb_shape_mesh(shape)->ntriangles == 0 && !spec->descriptor->clouds) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "a point cloud, but %s needs a surface; POINTS takes clouds",
                        spec->descriptor->name);
    }
    psb_shape_set_frame(shape,
                        (psb_frame_kind)psb_spec_choice(spec, psb_frame_names, PSB_FRAME_SURFACE));
    psb_shape_begin(shape);
    psb_status status = spec->descriptor->compute(shape, &spec->params, row, error);
    psb_shape_end(shape);
    if (psb_go_on(error) != PSB_OK) { /* fields and row are not complete */
        psb_shape_unload(shape);
        return PSB_ERROR_INTERRUPTED;
    }
    return status == PSB_OK && psb_row_is_empty(spec, row)
               ? psb_fail(error, PSB_ERROR_INPUT, "nothing of the model is seen: all numbers are 0")
               : status;
}

const psb_descriptor *psb_spec_descriptor(const psb_spec *spec) {
    return spec->descriptor;
}

const char *psb_spec_metric_name(const psb_spec *spec) {
    return psb_spec_metric(spec)->name;
}

const char *psb_spec_label(const psb_spec *spec) {
    return spec->label.text;
}

size_t psb_spec_length(const psb_spec *spec) {
    const psb_descriptor *d = spec->descriptor;
    int form = psb_spec_choice(spec, psb_form_names, PSB_FORM_FULL);
    return d->length != NULL                ? d->length(&spec->params)
           : d->row_kind == PSB_ROW_SPHERES ? d->size * psb_form_length((psb_form)form)
                                            : d->size;
}

psb_element psb_spec_element(const psb_spec *spec) {
    return psb_spec_metric(spec)->element;
}

size_t psb_spec_row_bytes(const psb_spec *spec) {
    return psb_spec_length(spec) * psb_element_bytes(psb_spec_element(spec));
}

bool psb_row_is_empty(const psb_spec *spec, const void *row) {
    const unsigned char *bytes = row;
    size_t n = psb_spec_row_bytes(spec), i = 0;
    while (i < n && bytes[i] == 0) {
        i++;
    }
    return i == n;
}
