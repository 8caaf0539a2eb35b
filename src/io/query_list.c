/* Reading query lists, line by line. */
#include "io/query_list.h"

#include "core/error.h"
#include "core/file.h"
#include "core/names.h"

#include <string.h>

enum { ID_BYTES = 256 };

static psb_status mark(const char *path, unsigned long line, const char *text, size_t length,
                       const psb_names *names, bool *listed, psb_error *error) {
    char id[ID_BYTES];
    size_t cut = length < ID_BYTES - 1 ? length : ID_BYTES - 1;
    memcpy(id, text, cut);
    id[cut] = '\0';
    size_t model = length < ID_BYTES ? psb_names_find(names, id) : PSB_NO_NAME;
    if (model == PSB_NO_NAME) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, line,
                           "model '%.40s' is not in the classification", id);
    }
    if (listed[model]) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, line, "model '%.40s' is listed twice", id);
    }
    listed[model] = true;
    return PSB_OK;
}

static psb_status mark_all(const char *path, const char *data, size_t size, const psb_names *names,
                           bool *listed, psb_error *error) {
    const char *end = data + size;
    unsigned long line = 0;
    psb_status status = PSB_OK;
    for (const char *at = data; at < end && status == PSB_OK;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed != NULL ? feed : end;
        const char *next = feed != NULL ? feed + 1 : end;
        line++;
        while (at < stop && (*at == ' ' || *at == '\t')) {
            at++;
        }
        while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r')) {
            stop--;
        }
        if (stop > at && *at != '#') {
            status = mark(path, line, at, (size_t)(stop - at), names, listed, error);
        }
        at = next;
    }
    return status;
}

psb_status psb_query_list_parse(const char *path, const char *data, size_t size,
                                const psb_classification *cla, bool *listed, psb_error *error) {
    memset(listed, 0, cla->nmodels * sizeof *listed);
    psb_names names = {0};
    psb_status status = psb_names_reserve(&names, cla->nmodels, error);
    for (size_t i = 0; i < cla->nmodels && status == PSB_OK; i++) {
        psb_names_add(&names, cla->models[i], i);
    }
    if (status == PSB_OK && size > 0) {
        status = mark_all(path, data, size, &names, listed, error);
    }
    psb_names_free(&names);
    return status;
}

psb_status psb_query_list_read(const char *path, const psb_classification *cla, bool *listed,
                               psb_error *error) {
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    if (status == PSB_OK) {
        status = psb_query_list_parse(path, input.data, input.size, cla, listed, error);
        psb_input_close(&input);
    }
    return status;
}
