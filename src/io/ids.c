/* Reads, writes and matches the names beside rows. */
#include "io/ids.h"

#include "core/file.h"
#include "io/mesh.h"
#include "io/name.h"

#include <unistd.h>

static const char ending[] = ".ids", metric_ending[] = ".metric";
enum { SHOWN = 5 }; /* names in a message */

psb_status psb_id_of_file(const char *path, char *id, size_t size, psb_error *error) {
    const char *name = psb_last_part(path);
    name += name[0] == 'm' && name[1] >= '0' && name[1] <= '9';
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_name_add(&text, name, psb_mesh_stem(name), false);
    snprintf(id, size, "%s", text.length > 0 ? text.data : "");
    return psb_text_status(&text, error);
}

/* ---- reading ---------------------------------------------------------------------------- */

static size_t count_lines(const char *data, size_t size) {
    size_t lines = size > 0 && data[size - 1] != '\n';
    for (size_t i = 0; i < size; i++) {
        lines += data[i] == '\n';
    }
    return lines;
}

/* Terminates the line at `at` with NUL and returns the start of the next line. */
static char *end_line(char *at) {
    char *end = at + strcspn(at, "\n");
    char *next = *end != '\0' ? end + 1 : end;
    if (end > at && end[-1] == '\r') {
        end--;
    }
    *end = '\0';
    return next;
}

psb_status psb_ids_parse(const char *path, const char *data, size_t size, psb_ids *ids,
                         psb_error *error) {
    *ids = (psb_ids){0};
    if (size > 0 && memchr(data, '\0', size) != NULL) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "a NUL byte, but names of models are text, one a line");
    }
    size_t count = count_lines(data, size);
    psb_status status = PSB_OK;
    char *text = psb_new_text(&status, data, size, "names of rows", error);
    char **names = psb_new(&status, count, sizeof *names, "names of rows", error);
    *ids = (psb_ids){count, names, text};
    if (status != PSB_OK) {
        psb_ids_free(ids);
        return status;
    }
    char *at = ids->text + psb_text_mark(ids->text, size);
    for (size_t i = 0; i < count; i++) {
        ids->names[i] = at;
        at = end_line(at);
    }
    return PSB_OK;
}

psb_status psb_ids_read(const char *path, psb_ids *ids, psb_error *error) {
    *ids = (psb_ids){0};
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = PSB_OK;
    PSB_FREED char *beside = psb_new_format(&status, error, "%s%s", path, ending);
    PSB_THEN(status, psb_input_open_if_there(beside, &input, error));
    PSB_THEN_IF(status, input.size == 0 && psb_holds(beside, "", 0),
                psb_fail_at(error, PSB_ERROR_INPUT, beside, 0,
                            "no names: write one a line for each row, or remove this file"));
    return PSB_THEN_IF(status, input.size > 0,
                       psb_ids_parse(beside, input.data, input.size, ids, error));
}

psb_status psb_ids_of_rows(const char *path, const psb_npy *npy, psb_ids *ids, psb_error *error) {
    psb_status status = npy->names.length > 0
                            ? psb_ids_parse(path, npy->names.data, npy->names.length, ids, error)
                            : psb_ids_read(path, ids, error);
    return PSB_THEN(status, psb_ids_check(path, ids, npy->rows, error));
}

psb_status psb_ids_read_metric(const char *path, char **name, psb_error *error) {
    enum { MOST = 64 };
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = PSB_OK;
    *name = NULL;
    PSB_FREED char *beside = psb_new_format(&status, error, "%s%s", path, metric_ending);
    PSB_THEN(status, psb_input_open_if_there(beside, &input, error));
    size_t length = 0;
    while (status == PSB_OK && length < input.size && (unsigned char)input.data[length] > ' ' &&
           (unsigned char)input.data[length] < 0x7f) {
        length++;
    }
    size_t rest = length;
    while (rest < input.size && (input.data[rest] == '\n' || input.data[rest] == '\r')) {
        rest++;
    }
    if (status == PSB_OK && (length > MOST || rest < input.size)) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, beside, 0,
                             "want the name of one metric, of at most %d characters", MOST);
    } else if (status == PSB_OK && length > 0) {
        *name = psb_new_text(&status, input.data, length, "a metric", error);
    }
    return status;
}

psb_status psb_ids_copy(const char *const *names, size_t count, const size_t *order, psb_ids *ids,
                        psb_error *error) {
    size_t bytes = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        bytes += strlen(names[order != NULL ? order[i] : i]) + 1;
    }
    psb_status status = PSB_OK;
    char *text = psb_new(&status, bytes, 1, "names of rows", error);
    *ids =
        (psb_ids){count, psb_new(&status, count, sizeof *ids->names, "names of rows", error), text};
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        const char *name = names[order != NULL ? order[i] : i];
        ids->names[i] = memcpy(text + used, name, strlen(name) + 1);
        used += strlen(name) + 1;
    }
    if (status != PSB_OK) {
        psb_ids_free(ids);
    }
    return status;
}

void psb_ids_free(psb_ids *ids) {
    free(ids->names);
    free(ids->text);
    *ids = (psb_ids){0};
}

psb_status psb_ids_check(const char *path, const psb_ids *ids, size_t rows, psb_error *error) {
    return ids->count == 0 || ids->count == rows
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                             "%zu rows, but %zu names in the file %s beside it: write one a line, "
                             "or remove that file",
                             rows, ids->count, ending);
}

/* ---- writing ---------------------------------------------------------------------------- */

/* Writes the text to the file beside `path`, or removes that file; frees the text. */
static psb_status write_beside(const char *path, const char *end, bool remove, psb_text *text,
                               psb_error *error) {
    psb_status status = psb_text_status(text, error);
    PSB_FREED char *beside = psb_new_format(&status, error, "%s%s", path, end);
    if (status == PSB_OK && remove) {
        status = psb_remove(beside, 0, error);
    } else if (status == PSB_OK && !psb_holds(beside, text->data, text->length)) {
        status = psb_write_file(beside, text->data, text->length, error);
    }
    psb_text_free(text);
    return status;
}

psb_status psb_ids_write(const char *path, char *const *names, size_t count, psb_error *error) {
    psb_text text = {0};
    for (size_t i = 0; i < count; i++) {
        psb_text_add_plain(&text, names[i]);
        psb_text_add(&text, "\n");
    }
    return write_beside(path, ending, count == 0, &text, error);
}

psb_status psb_ids_write_metric(const char *path, const char *name, psb_error *error) {
    psb_text text = {0};
    psb_text_printf(&text, "%s\n", name != NULL ? name : "");
    return write_beside(path, metric_ending, name == NULL, &text, error);
}

/* ---- matching --------------------------------------------------------------------------- */

/* Names for a message: the first few, then dots if there are more. */
typedef struct sample {
    size_t count;
    psb_text text;
} sample;

static void add_sample(sample *s, const char *name) {
    if (s->count < SHOWN) {
        psb_text_printf(&s->text, "%s%.40s", s->count > 0 ? ", " : "", name);
    } else if (s->count == SHOWN) {
        psb_text_add(&s->text, ", ...");
    }
    s->count++;
}

static psb_status refuse(const char *path, const char *what, const sample *s, const char *remedy,
                         psb_error *error) {
    return s->count == 0
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "of its names in FILE%s %zu %s: %s%s",
                             ending, s->count, what, s->text.data, remedy);
}

static size_t find_name(const psb_names *models, const char *name, size_t length) {
    char with_m[300];
    size_t found = psb_names_find_bytes(models, name, length);
    if (found == PSB_NO_NAME && length + 2 <= sizeof with_m) {
        with_m[0] = 'm';
        memcpy(with_m + 1, name, length);
        found = psb_names_find_bytes(models, with_m, length + 1);
    }
    if (found == PSB_NO_NAME && length > 0 && name[0] == 'm') {
        found = psb_names_find_bytes(models, name + 1, length - 1);
    }
    return found;
}

size_t psb_ids_find(const psb_names *models, const char *name, size_t length) {
    char path[PSB_NAME_MOST + 17]; /* with room for an ending */
    size_t found = find_name(models, name, length);
    if (found != PSB_NO_NAME || length == 0 || length >= sizeof path) {
        return found;
    }
    memcpy(path, name, length);
    path[length] = '\0';
    size_t stem = psb_mesh_ending_of(path) != SIZE_MAX ? psb_mesh_stem(path) : length;
    path[stem] = '\0';
    found = find_name(models, path, stem);
    const char *slash = strrchr(path, '/');
    return found == PSB_NO_NAME && slash != NULL ? find_name(models, slash + 1, strlen(slash + 1))
                                                 : found;
}

/* Maps the last part of a model's name to the model, if no other model's name ends with that
 * part. */
static psb_status name_ends(const psb_classification *cla, psb_names *ends, psb_error *error) {
    PSB_AT_END(psb_names_free) psb_names all = {0};
    psb_status status = psb_names_reserve(&all, cla->nmodels, error);
    PSB_FREED bool *shared = psb_new_zero(&status, cla->nmodels, sizeof *shared, "names", error);
    PSB_THEN(status, psb_names_reserve(ends, cla->nmodels, error));
    for (size_t pass = 0; pass < 2 && status == PSB_OK; pass++) {
        for (size_t i = 0; i < cla->nmodels; i++) {
            const char *end = psb_last_part(cla->models[i]);
            size_t before = psb_names_find(&all, end);
            if (pass == 0 && before != PSB_NO_NAME) {
                shared[before] = true;
            } else if (pass == 0) {
                psb_names_add(&all, end, i);
            } else if (before == i && !shared[i]) {
                psb_names_add(ends, end, i);
            }
        }
    }
    return status;
}

/* Sets order[model] = row for all rows; *sorted if each row is at its model's number. */
static psb_status match(const char *path, const psb_ids *ids, const psb_classification *cla,
                        const psb_names *models, size_t *order, bool *sorted, psb_error *error) {
    sample unknown = {0}, twice = {0}, lacking = {0};
    psb_names ends = {0};
    bool cut = false;
    psb_status status = PSB_OK;
    for (size_t i = 0; i < cla->nmodels; i++) {
        order[i] = PSB_NO_NAME;
    }
    *sorted = true;
    for (size_t row = 0; row < ids->count; row++) {
        size_t model = psb_ids_find(models, ids->names[row], strlen(ids->names[row]));
        if (model == PSB_NO_NAME && !cut) {
            cut = true;
            status = name_ends(cla, &ends, error);
        }
        if (model == PSB_NO_NAME && status == PSB_OK) {
            model = psb_ids_find(&ends, ids->names[row], strlen(ids->names[row]));
        }
        if (model == PSB_NO_NAME) {
            add_sample(&unknown, ids->names[row]);
        } else if (order[model] != PSB_NO_NAME) {
            add_sample(&twice, ids->names[row]);
        } else {
            order[model] = row;
            *sorted = *sorted && model == row;
        }
    }
    for (size_t i = 0; i < cla->nmodels; i++) {
        if (order[i] == PSB_NO_NAME) {
            add_sample(&lacking, cla->models[i]);
        }
    }
    psb_names_free(&ends);
    PSB_THEN(status, refuse(path, "occur twice", &twice, "; name each row once", error));
    PSB_THEN(status, refuse(path, "are no models of the classification", &unknown,
                            "; give the classes of these models", error));
    if (status == PSB_OK && lacking.count > 0) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                             "by the names beside it no row for %zu of the classification's %zu "
                             "models: %s; add these rows, or give the classes of its own models",
                             lacking.count, cla->nmodels, lacking.text.data);
    }
    psb_text_free(&unknown.text);
    psb_text_free(&twice.text);
    psb_text_free(&lacking.text);
    return status;
}

psb_status psb_ids_order(const char *path, const psb_ids *ids, const psb_classification *cla,
                         size_t **order, psb_error *error) {
    *order = NULL;
    bool sorted = false, none = ids->count == 0 || (cla->aligned && ids->count == cla->nmodels);
    psb_names models = {0};
    psb_status status = none ? psb_cla_one_order(cla, path, true, error) : PSB_OK;
    if (status != PSB_OK || (none && cla->row == NULL)) {
        return status;
    }
    *order = psb_new(&status, cla->nmodels, sizeof **order, "an order", error);
    if (status == PSB_OK && none) {
        memcpy(*order, cla->row, cla->nmodels * sizeof **order);
        return PSB_OK;
    }
    PSB_THEN(status, psb_names_fill(&models, cla->models, cla->nmodels, error));
    PSB_THEN(status, match(path, ids, cla, &models, *order, &sorted, error));
    psb_names_free(&models);
    if (status != PSB_OK || sorted) {
        free(*order);
        *order = NULL;
    }
    return status;
}
