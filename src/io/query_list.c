/* Reads query lists, line by line. */
#include "io/query_list.h"

#include "core/file.h"
#include "core/names.h"
#include "core/text.h"

enum { SHOWN = 40 }; /* bytes of an id in a message */

static psb_status mark(const char *path, unsigned long line, const char *text, size_t length,
                       const psb_names *names, bool *listed, psb_error *error) {
    size_t model = psb_names_find_bytes(names, text, length);
    if (model == PSB_NO_NAME || listed[model]) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, line, "model '%.*s' is %s",
                           (int)(length < SHOWN ? length : SHOWN), text,
                           model == PSB_NO_NAME
                               ? "not in the classification: want an id of it on each line"
                               : "listed twice");
    }
    listed[model] = true;
    return PSB_OK;
}

static psb_status mark_all(const char *path, const char *data, size_t size, const psb_names *names,
                           bool *listed, psb_error *error) {
    const char *next = data + psb_text_mark(data, size), *end = data + size, *at, *stop;
    psb_status status = PSB_OK;
    for (unsigned long line = 1; status == PSB_OK && psb_next_line(&next, end, &at, &stop);
         line++) {
        while (at < stop && (*at == ' ' || *at == '\t')) {
            at++;
        }
        while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r')) {
            stop--;
        }
        PSB_THEN_IF(status, stop > at && *at != '#',
                    mark(path, line, at, (size_t)(stop - at), names, listed, error));
    }
    return status;
}

psb_status psb_query_list_parse(const char *path, const char *data, size_t size,
                                const psb_classification *cla, bool *listed, psb_error *error) {
    memset(listed, 0, cla->nmodels * sizeof *listed);
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status = psb_names_fill(&names, cla->models, cla->nmodels, error);
    return PSB_THEN_IF(status, size > 0, mark_all(path, data, size, &names, listed, error));
}

psb_status psb_query_list_read(const char *path, const psb_classification *cla, bool *listed,
                               psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &input, error);
    return PSB_THEN(status, psb_query_list_parse(path, input.data, input.size, cla, listed, error));
}
