/* Reads rows of features from a text table, with or without names of columns and of rows. */
#include "core/memory.h"
#include "core/number.h"
#include "io/field_rows.h"
#include "io/labels.h"
#include "io/name.h"
#include "io/neighbors.h"
#include "io/npy.h"

#include <float.h>
#include <math.h>

enum { SHOWN = 24 }; /* characters of a field in a message */

typedef struct reader {
    psb_field_rows t;
    psb_npy *npy;
    PSB_ARRAY(float) numbers;
    bool named; /* rows begin with a name */
} reader;

static bool is_number(const psb_text *field, double *value) {
    const char *at = field->data, *end = at + field->length;
    return field->length > 0 && psb_scan_double(&at, end, value) && at == end;
}

/* True if the field can be a name, which nan, inf and words for missing values cannot. */
static bool is_word(const psb_text *field) {
    static const char *const values[] = {"nan",  "+nan", "-nan", "inf", "+inf", "-inf", "infinity",
                                         "null", "none", "na",   "n/a", "-",    NULL};
    double value;
    return field->length > 0 && !is_number(field, &value) && !psb_field_is_among(field, values);
}

/* True if the row names columns: each but the first is a word, or they are the numbers 0, 1, 2 ...
 * that pandas gives them, behind the name of its index or none. */
static bool is_head(const psb_field_rows *t) {
    const psb_text *field = t->fields;
    size_t words = 0, places = 0, corner = t->nfields > 1 && !is_word(&field[0]);
    double value;
    bool index = t->nfields > 1 && !is_number(&field[0], &value);
    for (size_t i = 0; i < t->nfields; i++) {
        words += is_word(&field[i]);
        places += is_number(&field[i], &value) && value == (double)(i - index);
    }
    return words + corner == t->nfields ||
           (places > 2 && places + index == t->nfields && t->separator != ' ');
}

/* Fails for a column that the header says to be of classes. */
static psb_status refuse_classes(const reader *r) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < r->t.nfields && status == PSB_OK; i++) {
        const psb_text *field = &r->t.fields[i];
        PSB_THEN_IF(status, psb_field_is_among(field, psb_labels_classes),
                    psb_fail_at(r->t.error, PSB_ERROR_INPUT, r->t.path, r->t.line,
                                "column '%s' is of classes, not a feature: leave it out",
                                field->data));
    }
    return status;
}

/* Reads what precedes the numbers: moves to the first row of them and sets r->named. Its fields are
 * r->t.nfields. */
static psb_status read_head(reader *r) {
    psb_status status = psb_field_rows_separate(&r->t);
    r->t.separator = r->t.separator == '\0' ? ' ' : r->t.separator;
    PSB_THEN(status, psb_field_rows_next(&r->t));
    if (status != PSB_OK || r->t.nfields == 0 || !is_head(&r->t)) {
        r->named = status == PSB_OK && r->t.nfields > 1 && is_word(&r->t.fields[0]);
        return status;
    }
    const psb_text *corner = &r->t.fields[0];
    size_t names = r->t.nfields;
    status = refuse_classes(r);
    bool said = corner->length == 0 || psb_field_is_among(corner, psb_labels_ids);
    PSB_THEN(status, psb_field_rows_next(&r->t));
    size_t fields = r->t.nfields;
    r->named =
        status == PSB_OK && fields > 1 && (said || fields == names + 1 || is_word(&r->t.fields[0]));
    return PSB_THEN_IF(status, fields != names && fields != names + 1 && fields > 0,
                       psb_fail_at(r->t.error, PSB_ERROR_INPUT, r->t.path, r->t.line,
                                   "%zu fields, but the first row names %zu columns", fields,
                                   names));
}

static psb_status add_row(reader *r) {
    psb_status status = PSB_OK;
    psb_npy *npy = r->npy;
    if (r->named) {
        psb_name_add(&npy->names, r->t.fields[0].data, r->t.fields[0].length, true);
        psb_text_add(&npy->names, "\n");
    }
    for (size_t i = r->named; i < r->t.nfields && status == PSB_OK; i++) {
        const psb_text *field = &r->t.fields[i];
        double value;
        bool number = is_number(field, &value) && isfinite(value);
        PSB_THEN_IF(status, !number || fabs(value) > (double)FLT_MAX,
                    psb_fail_at(r->t.error, PSB_ERROR_INPUT, r->t.path, r->t.line,
                                "row %zu, column %zu is '%.*s', %s", npy->rows, i - r->named,
                                field->length < SHOWN ? (int)field->length : SHOWN,
                                field->length > 0 ? field->data : "",
                                number ? "beyond the range of float32"
                                : field->data[strcspn(field->data, ",;")] != '\0'
                                    ? "not a finite number: write decimals with a point"
                                    : "not a finite number"));
        PSB_APPEND(&status, &r->numbers, "features", r->t.error, (float)value);
    }
    npy->rows++;
    return status;
}

static psb_status read_rows(reader *r) {
    psb_status status = read_head(r);
    const size_t fields = r->t.nfields;
    while (status == PSB_OK && r->t.nfields > 0) {
        status = r->t.nfields == fields
                     ? add_row(r)
                     : psb_fail_at(r->t.error, PSB_ERROR_INPUT, r->t.path, r->t.line,
                                   "row %zu has %zu fields, expected %zu", r->npy->rows,
                                   r->t.nfields, fields);
        PSB_THEN(status, psb_field_rows_next(&r->t));
    }
    PSB_THEN_IF(status, r->npy->rows == 0,
                psb_fail_at(r->t.error, PSB_ERROR_INPUT, r->t.path, 0, "no rows of numbers"));
    r->npy->columns = fields - r->named;
    return PSB_THEN(status, psb_text_status(&r->npy->names, r->t.error));
}

psb_status psb_npy_parse_text(const char *path, const char *data, size_t size, psb_npy *npy,
                              psb_error *error) {
    *npy = (psb_npy){.element = PSB_FLOAT32};
    const size_t mark = sizeof PSB_NEIGHBORS_MARK - 1;
    reader r = {.npy = npy};
    psb_status status = psb_field_rows_open(path, data, size, &r.t, error);
    PSB_THEN_IF(status, size >= mark && memcmp(data, PSB_NEIGHBORS_MARK, mark) == 0,
                psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                            "lists of `psbench search`: want rows of features"));
    PSB_THEN(status, read_rows(&r));
    psb_field_rows_close(&r.t);
    npy->data = npy->converted = r.numbers.items;
    if (status != PSB_OK) {
        psb_npy_close(npy);
    }
    return status;
}
