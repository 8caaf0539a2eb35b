/* Splits the lines of a table into fields. */
#include "io/field_rows.h"

#include "core/scan.h"

#include <strings.h>

static psb_status next_field(psb_field_rows *r, psb_text **field) {
    size_t before = r->capacity;
    psb_status status = PSB_OK;
    PSB_ROOM(&status, r->fields, r->nfields, r->capacity, "fields", r->error);
    for (size_t i = before; i < r->capacity; i++) {
        r->fields[i] = (psb_text){0};
    }
    if (status == PSB_OK) {
        *field = &r->fields[r->nfields++];
        (*field)->length = 0;
    }
    return status;
}

/* Reads the text in quotes, where "" means a quote, and moves past the closing quote. */
static psb_status read_quoted(psb_field_rows *r, psb_text *field) {
    for (r->at++; r->at < r->end; r->at++) {
        if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"')) {
            r->at++;
            return psb_text_status(field, r->error);
        }
        r->at += *r->at == '"';
        r->next += *r->at == '\n';
        psb_text_add_bytes(field, r->at, 1);
    }
    return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, r->line,
                       "the quote that a field begins with does not end");
}

static bool at_end_of_line(const psb_field_rows *r) {
    return r->at == r->end || *r->at == '\n' || *r->at == '\r';
}

static bool at_separator(const psb_field_rows *r) {
    return r->separator == ' ' ? psb_is_blank(*r->at)
                               : r->separator != '\0' && *r->at == r->separator;
}

/* Skips the blanks around a field. Lines of a list are names, so their blanks stay. */
static void skip_blanks(psb_field_rows *r) {
    while (r->separator != '\0' && r->at < r->end && psb_is_blank(*r->at) &&
           (r->separator == ' ' || !at_separator(r))) {
        r->at++;
    }
}

static psb_status read_field(psb_field_rows *r) {
    psb_text *field = NULL;
    psb_status status = next_field(r, &field);
    skip_blanks(r);
    PSB_THEN_IF(status, r->separator != '\0' && r->at < r->end && *r->at == '"',
                read_quoted(r, field));
    const char *start = r->at;
    while (status == PSB_OK && !at_end_of_line(r) && !at_separator(r)) {
        r->at++;
    }
    if (status == PSB_OK) {
        const char *stop = r->at;
        while (r->separator != '\0' && stop > start && psb_is_blank(stop[-1])) {
            stop--;
        }
        psb_text_add_bytes(field, start, (size_t)(stop - start));
        status = psb_text_status(field, r->error);
    }
    if (r->separator == ' ') {
        skip_blanks(r);
    }
    return status;
}

psb_status psb_field_rows_next(psb_field_rows *r) {
    psb_status status = PSB_OK;
    r->nfields = 0;
    while (r->at < r->end && (at_end_of_line(r) || *r->at == '#')) {
        if (*r->at == '#') {
            const char *feed = memchr(r->at, '\n', (size_t)(r->end - r->at));
            r->at = feed != NULL ? feed : r->end;
        } else {
            r->next += *r->at++ == '\n';
        }
    }
    r->line = r->next;
    if (r->at == r->end) {
        return PSB_OK;
    }
    status = read_field(r);
    while (status == PSB_OK && !at_end_of_line(r)) {
        r->at += r->separator != ' ';
        status = read_field(r);
    }
    return status;
}

void psb_field_rows_rewind(psb_field_rows *r, const psb_field_rows *before) {
    r->at = before->at;
    r->line = before->line;
    r->next = before->next;
    r->nfields = 0;
}

psb_status psb_field_rows_separate(psb_field_rows *r) {
    static const char separators[] = "\t;,|"; /* ; before , for decimals with a comma */
    psb_field_rows before = *r;
    psb_status status = PSB_OK;
    if (r->said) {
        return PSB_OK;
    }
    r->separator = '\0';
    status = psb_field_rows_next(r);
    for (const char *s = separators;
         status == PSB_OK && r->nfields > 0 && r->separator == '\0' && *s != '\0'; s++) {
        r->separator = strchr(r->fields[0].data, *s) != NULL ? *s : '\0';
    }
    psb_field_rows_rewind(r, &before);
    return status;
}

bool psb_field_is_among(const psb_text *field, const char *const *names) {
    for (; *names != NULL; names++) {
        if (field->length == strlen(*names) &&
            strncasecmp(field->data, *names, field->length) == 0) {
            return true;
        }
    }
    return false;
}

/* Moves past Excel's first line, "sep=;". */
static void read_said(psb_field_rows *r) {
    const char *at = r->at;
    if (r->end - at >= 5 && strncasecmp(at, "sep=", 4) == 0 && !psb_is_break(at[4]) &&
        (at + 5 == r->end || psb_is_break(at[5]))) {
        r->said = true;
        r->separator = at[4];
        r->at = at + 5;
    }
}

psb_status psb_field_rows_open(const char *path, const char *data, size_t size, psb_field_rows *r,
                               psb_error *error) {
    *r = (psb_field_rows){.path = path, .line = 1, .next = 1, .error = error};
    psb_status status = psb_plain_open(path, data, size, &r->text, error);
    r->at = r->text.data;
    r->end = r->at + r->text.size;
    if (status == PSB_OK) {
        read_said(r);
    }
    return status;
}

void psb_field_rows_close(psb_field_rows *r) {
    for (size_t i = 0; i < r->capacity; i++) {
        psb_text_free(&r->fields[i]);
    }
    free(r->fields);
    psb_plain_close(&r->text);
    *r = (psb_field_rows){0};
}
