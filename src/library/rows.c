/* Makes rows from memory or files, and writes rows to files. */
#include "core/element.h"
#include "core/file.h"
#include "core/names.h"
#include "library/parts.h"
#include "run/record.h"

#include <math.h>

const char *psb_rows_place(const psb_rows *rows) {
    return rows->path != NULL ? rows->path : "rows";
}

psb_status psb_rows_fit(const psb_rows *rows, const psb_metric *metric, psb_npy *npy,
                        psb_error *error) {
    *npy = (psb_npy){
        rows->npy.rows, rows->npy.columns, rows->npy.element, rows->npy.data, {NULL, 0}, NULL, {0}};
    return psb_within(psb_rows_place(rows), psb_metric_fit(metric, npy, error), error);
}

psb_status psb_rows_metric(const psb_context *psb, const psb_rows *one, const psb_rows *other,
                           const char *name, const psb_metric **metric, psb_error *error) {
    const psb_metric *a = one->metric, *b = other->metric;
    if (name != NULL) {
        return psb_metric_named(psb, name, metric, error);
    }
    *metric = a != NULL ? a : b;
    return *metric == NULL && one->unknown != NULL
               ? psb_fail_at(error, PSB_ERROR_USAGE, psb_rows_place(one), 0,
                             "rows for the metric %s, which is not known here: name one (`psbench "
                             "help distance`)",
                             one->unknown)
           : *metric == NULL
               ? psb_fail_at(error, PSB_ERROR_USAGE, psb_rows_place(one), 0,
                             "nothing says by which metric these rows are compared: name it, as "
                             "--metric cosine, or of signatures as FILE.npy:cosine")
           : b != NULL && b != *metric
               ? psb_fail_at(error, PSB_ERROR_USAGE, psb_rows_place(other), 0,
                             "rows that are compared by %s, but those of %.200s by %s; name two "
                             "files of one descriptor",
                             b->name, psb_rows_place(one), a->name)
               : PSB_OK;
}

psb_status psb_rows_check_alike(const psb_rows *one, const psb_rows *other, psb_error *error) {
    return one != other && one->path != NULL && other->path != NULL
               ? psb_run_check_alike(one->path, other->path, error)
               : PSB_OK;
}

static psb_status check_finite(const float *data, size_t count, size_t length, psb_error *error) {
    for (size_t i = 0; i < count * length; i++) {
        if (!isfinite(data[i])) {
            return psb_fail(error, PSB_ERROR_INPUT, "row %zu, column %zu is not finite", i / length,
                            i % length);
        }
    }
    return PSB_OK;
}

psb_status psb_check_names(const char *const *names, size_t count, psb_error *error) {
    PSB_AT_END(psb_names_free) psb_names seen = {0};
    psb_status status = psb_names_reserve(&seen, count, error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        const char *at = names[i];
        while (at != NULL && *at != '\0' && (unsigned char)*at >= ' ' && *at != '\x7f') {
            at++;
        }
        if (at == NULL || *at != '\0') {
            status = psb_fail(error, PSB_ERROR_USAGE, "name %zu %s", i,
                              at == NULL ? "is NULL" : "has a control character in it");
        } else if (psb_names_find(&seen, names[i]) != PSB_NO_NAME) {
            status = psb_fail(error, PSB_ERROR_USAGE, "the name %.100s occurs twice: %zu and %zu",
                              names[i], psb_names_find(&seen, names[i]), i);
        } else {
            psb_names_add(&seen, names[i], i);
        }
    }
    return status;
}

psb_status psb_rows_wrap(const void *data, size_t count, size_t length, psb_element element,
                         const char *const *names, psb_rows **rows, psb_error *error) {
    *rows = NULL;
    if (data == NULL || count == 0 || length == 0 || element > PSB_UINT8) {
        return psb_misuse(error, "rows need data, of one row and one number at least");
    }
    psb_status status = element == PSB_FLOAT32 ? check_finite(data, count, length, error) : PSB_OK;
    psb_rows *r = psb_new_zero(&status, 1, sizeof *r, "rows", error);
    if (status == PSB_OK) {
        r->npy = (psb_npy){count, length, element, data, {NULL, 0}, NULL, {0}};
    }
    if (status == PSB_OK && names != NULL) {
        status = psb_check_names(names, count, error);
        PSB_THEN(status, psb_ids_copy(names, count, NULL, &r->ids, error));
    }
    if (status != PSB_OK) {
        psb_rows_free(r);
        return status;
    }
    *rows = r;
    return PSB_OK;
}

psb_status psb_rows_new(const void *data, size_t count, size_t length, psb_element element,
                        const char *const *names, psb_rows **rows, psb_error *error) {
    psb_status status = PSB_OK;
    *rows = NULL;
    size_t bytes = psb_element_bytes(element);
    if (length > SIZE_MAX / bytes) {
        return psb_fail_memory(error, "rows", SIZE_MAX);
    }
    void *copy = data != NULL ? psb_new(&status, count, length * bytes, "rows", error) : NULL;
    if (status == PSB_OK && copy != NULL) {
        memcpy(copy, data, count * length * bytes);
    }
    PSB_THEN(status, psb_rows_wrap(copy, count, length, element, names, rows, error));
    if (status == PSB_OK) {
        (*rows)->npy.converted = copy;
    } else {
        free(copy);
    }
    return status;
}

/* Names the rows by the collection's ids. */
static psb_status name_rows(psb_rows *r, const psb_collection *models, psb_error *error) {
    const psb_classification *cla = &models->set.cla;
    PSB_FREED size_t *order = NULL;
    psb_ids ids = {0};
    psb_status status = psb_npy_check_models(r->path, &r->npy, cla->nmodels, error);
    PSB_THEN(status, psb_ids_order(r->path, &r->ids, cla, &order, error));
    PSB_FREED const char **names =
        psb_new(&status, cla->nmodels, sizeof *names, "names of rows", error);
    for (size_t i = 0; i < cla->nmodels && status == PSB_OK; i++) {
        names[order != NULL ? order[i] : i] = cla->models[i];
    }
    PSB_THEN(status, psb_ids_copy(names, cla->nmodels, NULL, &ids, error));
    if (status == PSB_OK) {
        psb_ids_free(&r->ids);
        r->ids = ids;
    }
    return status;
}

psb_status psb_rows_take(const psb_context *psb, psb_subject *subject, psb_rows **rows,
                         psb_error *error) {
    psb_status status = PSB_OK;
    psb_rows *r = *rows = psb_new_zero(&status, 1, sizeof *r, "rows", error);
    if (status == PSB_OK && subject->metric != NULL &&
        psb_metric_named(psb, subject->metric, &r->metric, NULL) != PSB_OK) {
        r->unknown = subject->metric;
        subject->metric = NULL;
    }
    if (status == PSB_OK) {
        r->path = subject->path;
        r->npy = subject->rows;
        r->ids = subject->ids;
        subject->path = NULL;
        subject->rows = (psb_npy){0};
        subject->ids = (psb_ids){0};
    }
    return status;
}

void psb_subject_tell(psb_context *psb, const char *text, const psb_subject *subject) {
    if (subject->chosen) {
        psb_observer_say(&psb->observer, PSB_NOTE, "by %s; %s/NAME selects another method",
                         subject->name, psb_path_shown(text));
    }
}

psb_status psb_subject_choose(psb_context *psb, const char *text, const char *name, bool whole,
                              psb_subject *subject, psb_error *error) {
    psb_status status = psb_subject_open(text, name, whole, subject, error);
    if (status == PSB_OK) {
        psb_subject_tell(psb, text, subject);
    }
    return status;
}

psb_status psb_rows_read(psb_context *psb, const char *path, const psb_collection *models,
                         psb_rows **rows, psb_error *error) {
    PSB_AT_END(psb_subject_close) psb_subject subject = {0};
    *rows = NULL;
    psb_status status = psb_subject_choose(psb, path, NULL, false, &subject, error);
    PSB_THEN(status, psb_rows_take(psb, &subject, rows, error));
    PSB_THEN_IF(status, models != NULL, name_rows(*rows, models, error));
    if (status != PSB_OK) {
        psb_rows_free(*rows);
        *rows = NULL;
    }
    return status;
}

psb_status psb_rows_of_reference(psb_context *psb, const char *reference, const char *features,
                                 psb_rows **rows, psb_error *error) {
    psb_status status = PSB_OK;
    const char *name = features != NULL ? psb_last_part(features) : NULL;
    *rows = NULL;
    if (psb_is_folder(reference) && name == NULL) {
        return psb_misuse(error, "rows that are no file have no features of a run for reference");
    }
    PSB_FREED char *path = psb_new_format(
        &status, error, psb_is_folder(reference) ? "%s/features/%s" : "%s", reference, name);
    PSB_THEN(status, psb_rows_read(psb, path, NULL, rows, error));
    PSB_THEN_IF(status, features != NULL, psb_run_check_alike(features, (*rows)->path, error));
    if (status != PSB_OK) {
        psb_rows_free(*rows);
        *rows = NULL;
    }
    return status;
}

psb_status psb_write_named(const char *path, const psb_ids *ids,
                           psb_status (*write)(const char *path, const void *what,
                                               psb_error *error),
                           const void *what, psb_error *error) {
    bool file = !psb_is_written_in_place(path);
    psb_status status = file ? psb_ids_write(path, NULL, 0, error) : PSB_OK;
    PSB_THEN_IF(status, file, psb_ids_write_metric(path, NULL, error));
    PSB_THEN(status, write(path, what, error));
    return status == PSB_OK && file ? psb_ids_write(path, ids->names, ids->count, error) : status;
}

static psb_status write_npy(const char *path, const void *what, psb_error *error) {
    const psb_npy *npy = what;
    return psb_npy_write(path, npy->data, npy->rows, npy->columns, npy->element, error);
}

psb_status psb_rows_write(const psb_rows *rows, const char *path, psb_error *error) {
    psb_status status = psb_write_named(path, &rows->ids, write_npy, &rows->npy, error);
    return status == PSB_OK && rows->metric != NULL && !psb_is_written_in_place(path)
               ? psb_ids_write_metric(path, rows->metric->name, error)
               : status;
}

void psb_rows_free(psb_rows *rows) {
    if (rows != NULL) {
        psb_npy_close(&rows->npy);
        psb_ids_free(&rows->ids);
        free(rows->model);
        free(rows->unknown);
        free(rows->path);
        free(rows);
    }
}

size_t psb_rows_count(const psb_rows *rows) {
    return rows->npy.rows;
}

size_t psb_rows_length(const psb_rows *rows) {
    return rows->npy.columns;
}

psb_element psb_rows_element(const psb_rows *rows) {
    return rows->npy.element;
}

const void *psb_rows_at(const psb_rows *rows, size_t row) {
    size_t bytes = rows->npy.columns * psb_element_bytes(rows->npy.element);
    return row < rows->npy.rows ? (const char *)rows->npy.data + row * bytes : NULL;
}

const char *psb_rows_name(const psb_rows *rows, size_t row) {
    return row < rows->ids.count ? rows->ids.names[row] : NULL;
}

size_t psb_rows_model(const psb_rows *rows, size_t row) {
    return rows->model != NULL && row < rows->npy.rows ? rows->model[row] : PSB_NONE;
}
