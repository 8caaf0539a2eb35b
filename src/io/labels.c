/* Rows of fields, and lists, which are rows of one. */
#include "io/labels.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/names.h"
#include "io/mesh.h"
#include "io/model_folder.h"
#include "io/name.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 40, PARENTS_MOST = 16, NONE = -1 };

typedef struct reader {
    const char *path;
    const char *at, *end;
    unsigned long line; /* of the row */
    unsigned long next; /* the line behind it */
    char separator;     /* NUL: lines are not divided */
    size_t nfields, capacity;
    psb_text *fields; /* of the row; kept for the next */
    size_t columns;
    int id, class, split, parents[PARENTS_MOST], nparents;
    const char *wanted; /* part, or NULL */
    psb_text part;      /* of the first row */
    psb_error *error;
} reader;

#define FAIL(r, status, ...) psb_fail_at((r)->error, status, (r)->path, (r)->line, __VA_ARGS__)

/* Text of a field for a message: a pair for "%.*s". */
#define SHOW(f) (int)((f)->length < SHOWN ? (f)->length : SHOWN), (f)->length > 0 ? (f)->data : ""

/* ---- rows ------------------------------------------------------------------------------ */

static psb_status next_field(reader *r, psb_text **field) {
    psb_buffer fields = {r->fields, r->capacity * sizeof *r->fields};
    psb_status status = PSB_OK;
    if (r->nfields == r->capacity) {
        status = psb_buffer_grow(&fields, r->nfields + 1, sizeof *r->fields, "fields", r->error);
        size_t capacity = fields.bytes / sizeof *r->fields;
        r->fields = fields.data;
        if (status == PSB_OK) {
            memset(r->fields + r->capacity, 0, (capacity - r->capacity) * sizeof *r->fields);
            r->capacity = capacity;
        }
    }
    if (status == PSB_OK) {
        *field = &r->fields[r->nfields++];
        (*field)->length = 0;
    }
    return status;
}

/* The text between quotes, two of which stand for one; moves behind the last. */
static psb_status read_quoted(reader *r, psb_text *field) {
    for (r->at++; r->at < r->end; r->at++) {
        if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"')) {
            r->at++;
            return psb_text_status(field, r->error);
        }
        r->at += *r->at == '"';
        r->next += *r->at == '\n';
        psb_text_add_bytes(field, r->at, 1);
    }
    return FAIL(r, PSB_ERROR_INPUT, "the quote that a field begins with does not end");
}

static bool at_end_of_line(const reader *r) {
    return r->at == r->end || *r->at == '\n' || *r->at == '\r';
}

static psb_status read_field(reader *r) {
    psb_text *field = NULL;
    psb_status status = next_field(r, &field);
    if (status == PSB_OK && r->separator == ',' && r->at < r->end && *r->at == '"') {
        status = read_quoted(r, field);
    }
    const char *start = r->at;
    while (status == PSB_OK && !at_end_of_line(r) &&
           (r->separator == '\0' || *r->at != r->separator)) {
        r->at++;
    }
    if (status == PSB_OK) {
        psb_text_add_bytes(field, start, (size_t)(r->at - start));
        status = psb_text_status(field, r->error);
    }
    return status;
}

/* The next row with anything in it; nfields is 0 behind the last. */
static psb_status read_row(reader *r) {
    psb_status status = PSB_OK;
    r->nfields = 0;
    while (r->at < r->end && at_end_of_line(r)) {
        r->next += *r->at++ == '\n';
    }
    r->line = r->next;
    if (r->at == r->end) {
        return PSB_OK;
    }
    status = read_field(r);
    while (status == PSB_OK && !at_end_of_line(r)) {
        r->at++;
        status = read_field(r);
    }
    return status;
}

/* ---- columns --------------------------------------------------------------------------- */

static bool is_one_of(const psb_text *field, const char *const *names) {
    for (; *names != NULL; names++) {
        if (field->length == strlen(*names) &&
            strncasecmp(field->data, *names, field->length) == 0) {
            return true;
        }
    }
    return false;
}

static void find_columns(reader *r) {
    static const char *const ids[] = {"id", "uid", "object_id", "model_id", NULL};
    static const char *const classes[] = {"class", "category", "label", NULL};
    static const char *const splits[] = {"split", NULL};
    r->id = r->class = r->split = NONE;
    r->columns = r->nfields;
    for (int i = 0; (size_t)i < r->nfields; i++) {
        const psb_text *f = &r->fields[i];
        if (r->id == NONE && is_one_of(f, ids)) {
            r->id = i;
        } else if (r->class == NONE && is_one_of(f, classes)) {
            r->class = i;
        } else if (r->split == NONE && is_one_of(f, splits)) {
            r->split = i;
        } else if (f->length >= 6 && strncasecmp(f->data, "parent", 6) == 0 &&
                   r->nparents < PARENTS_MOST) {
            r->parents[r->nparents++] = i;
        }
    }
}

/* Reads the header; the first line of a list stays where it is. */
static psb_status read_header(reader *r) {
    const char *begin = r->at;
    const char *end = memchr(begin, '\n', (size_t)(r->end - begin));
    size_t length = (size_t)((end != NULL ? end : r->end) - begin);
    bool tabs = memchr(begin, '\t', length) != NULL;
    r->separator = tabs ? '\t' : memchr(begin, ',', length) != NULL ? ',' : '\0';
    if (r->separator == '\0') {
        r->id = 0;
        r->class = r->split = NONE;
        r->columns = 1;
        return r->wanted == NULL ? PSB_OK
                                 : FAIL(r, PSB_ERROR_USAGE, "a list of files has no parts");
    }
    psb_status status = read_row(r);
    if (status == PSB_OK) {
        find_columns(r);
    }
    if (status == PSB_OK && (r->id == NONE || r->class == NONE)) {
        status =
            FAIL(r, PSB_ERROR_INPUT, "no column '%s' in the table's header, which begins '%.*s'",
                 r->id == NONE ? "id" : "class", SHOW(&r->fields[0]));
    }
    if (status == PSB_OK && r->split == NONE && r->wanted != NULL) {
        status = FAIL(r, PSB_ERROR_USAGE,
                      "no column 'split' that says which models are of part '%.40s'", r->wanted);
    }
    return status;
}

/* ---- models ---------------------------------------------------------------------------- */

static psb_status is_taken(reader *r, bool *taken) {
    *taken = true;
    if (r->split == NONE) {
        return PSB_OK;
    }
    psb_text *part = &r->fields[r->split];
    if (r->wanted != NULL) {
        bool same =
            part->length == strlen(r->wanted) && memcmp(part->data, r->wanted, part->length) == 0;
        *taken = same || strcmp(r->wanted, PSB_SPLIT_ALL) == 0;
        return PSB_OK;
    }
    if (r->part.data == NULL) {
        psb_text_add_bytes(&r->part, part->data, part->length);
    }
    return part->length == r->part.length && memcmp(part->data, r->part.data, part->length) == 0
               ? PSB_OK
               : FAIL(r, PSB_ERROR_USAGE,
                      "models of the parts '%.*s' and '%.*s': say which of them, or '" PSB_SPLIT_ALL
                      "'",
                      SHOW(&r->part), SHOW(part));
}

static void add_level(psb_text *levels, const char *bytes, size_t length) {
    if (length > 0) {
        psb_text_add(levels, levels->length > 0 ? "/" : "");
        psb_name_add_class(levels, bytes, length, true);
    }
}

/* The folders of a list's line, or what the row says. */
static void add_levels(const reader *r, const psb_text *name, psb_text *levels) {
    const char *slash;
    if (r->class == NONE) {
        for (const char *at = name->data; (slash = strchr(at, '/')) != NULL; at = slash + 1) {
            add_level(levels, at, (size_t)(slash - at));
        }
        return;
    }
    const psb_text *class = &r->fields[r->class];
    for (int p = r->nparents; p-- > 0 && class->length > 0;) {
        add_level(levels, r->fields[r->parents[p]].data, r->fields[r->parents[p]].length);
    }
    const char *miscellaneous = "-1";
    add_level(levels, class->length > 0 ? class->data : miscellaneous,
              class->length > 0 ? class->length : strlen(miscellaneous));
}

static psb_status add_model(reader *r, psb_listing *listing) {
    const psb_text *id = &r->fields[r->id];
    psb_text name = {0}, levels = {0};
    size_t length = id->length;
    if (r->class == NONE && length > 0 && psb_mesh_ending_of(id->data) != SIZE_MAX) {
        length = psb_mesh_stem(id->data);
    }
    if (length == 0 || !psb_name_stays_below(id->data, length)) {
        return FAIL(r, PSB_ERROR_INPUT, "the id '%.*s' is no name below a folder of models",
                    SHOW(id));
    }
    psb_name_add(&name, id->data, length, true);
    psb_status status = psb_text_status(&name, r->error);
    if (status == PSB_OK && name.length > PSB_NAME_MOST) {
        status = FAIL(r, PSB_ERROR_INPUT, "an id of %zu bytes, but at most %d are allowed",
                      name.length, PSB_NAME_MOST);
    }
    if (status == PSB_OK) {
        add_levels(r, &name, &levels);
        psb_text_add(&levels, "");
        status = psb_text_status(&levels, r->error);
    }
    if (status != PSB_OK) {
        psb_text_free(&name);
        psb_text_free(&levels);
        return status;
    }
    return psb_listing_add(listing, (psb_listed){name.data, NULL, levels.data, r->line}, r->error);
}

/* Of names that occur twice the table's second is to blame. */
static psb_status check_twice(reader *r, const psb_listing *listing, size_t first) {
    psb_names names = {0};
    psb_status status = psb_names_reserve(&names, listing->count - first, r->error);
    for (size_t i = first; i < listing->count && status == PSB_OK; i++) {
        const psb_listed *m = &listing->models[i];
        size_t before = psb_names_find(&names, m->name);
        if (before != PSB_NO_NAME) {
            r->line = m->line;
            status = FAIL(r, PSB_ERROR_INPUT, "model '%.*s' occurs a second time, after line %lu",
                          SHOWN, m->name, listing->models[before].line);
        } else {
            psb_names_add(&names, m->name, i);
        }
    }
    psb_names_free(&names);
    return status;
}

static psb_status read_all(reader *r, psb_listing *listing) {
    size_t first = listing->count;
    psb_status status = read_header(r);
    PSB_THEN(status, read_row(r));
    while (status == PSB_OK && r->nfields > 0) {
        bool taken = false;
        if (r->nfields != r->columns) {
            return FAIL(r, PSB_ERROR_INPUT, "%zu fields, but the header has %zu", r->nfields,
                        r->columns);
        }
        status = is_taken(r, &taken);
        if (status == PSB_OK && taken) {
            status = add_model(r, listing);
        }
        PSB_THEN(status, read_row(r));
    }
    if (status == PSB_OK && listing->count == first) {
        return psb_fail_at(r->error, PSB_ERROR_INPUT, r->path, 0, "no models%s%.40s in the table",
                           r->wanted != NULL ? " of part " : "",
                           r->wanted != NULL ? r->wanted : "");
    }
    return status == PSB_OK ? check_twice(r, listing, first) : status;
}

psb_status psb_labels_parse(const char *path, const char *data, size_t size, const char *split,
                            psb_listing *listing, psb_error *error) {
    if (size == 0 || memchr(data, '\0', size) != NULL) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not a table of models: %s",
                           size == 0 ? "it is empty" : "it is not text");
    }
    reader r = {.path = path,
                .at = data + psb_text_mark(data, size),
                .end = data + size,
                .line = 1,
                .next = 1,
                .wanted = split,
                .error = error};
    psb_status status = read_all(&r, listing);
    for (size_t i = 0; i < r.capacity; i++) {
        psb_text_free(&r.fields[i]);
    }
    free(r.fields);
    psb_text_free(&r.part);
    return status;
}

psb_status psb_labels_read(const char *path, const char *split, psb_listing *listing,
                           psb_error *error) {
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    if (status == PSB_OK) {
        status = psb_labels_parse(path, input.data, input.size, split, listing, error);
        psb_input_close(&input);
    }
    return status;
}

/* ---- writing --------------------------------------------------------------------------- */

/* "aircraft/airplane/812": a name that has the folders already stays as it is. */
static void write_list(const psb_listing *listing, psb_text *text) {
    for (size_t i = 0; i < listing->count; i++) {
        const psb_listed *m = &listing->models[i];
        size_t length = strlen(m->classes);
        bool within = strncmp(m->name, m->classes, length) == 0 && m->name[length] == '/';
        psb_text_printf(text, "%s%s%s\n", within ? "" : m->classes, within ? "" : "/", m->name);
    }
}

static void write_field(const char *bytes, size_t length, psb_labels_form form, psb_text *text) {
    bool quotes = form == PSB_LABELS_CSV &&
                  (memchr(bytes, ',', length) != NULL || memchr(bytes, '"', length) != NULL);
    psb_text_add(text, quotes ? "\"" : "");
    for (size_t i = 0; i < length; i++) {
        psb_text_add(text, quotes && bytes[i] == '"' ? "\"" : "");
        psb_text_add_bytes(text, bytes + i, 1);
    }
    psb_text_add(text, quotes ? "\"" : "");
}

static size_t depth_of(const char *classes) {
    size_t depth = 1;
    for (; *classes != '\0'; classes++) {
        depth += *classes == '/';
    }
    return depth;
}

/* The levels from the last up, and as many empty fields as are missing. */
static void write_levels(const char *classes, size_t depth, psb_labels_form form, psb_text *text) {
    size_t end = strlen(classes);
    for (size_t level = 0; level < depth; level++) {
        size_t begin = end;
        while (begin > 0 && classes[begin - 1] != '/') {
            begin--;
        }
        psb_text_add(text, form == PSB_LABELS_CSV ? "," : "\t");
        write_field(classes + begin, end - begin, form, text);
        end = begin > 0 ? begin - 1 : 0;
    }
}

void psb_labels_render(const psb_listing *listing, psb_labels_form form, psb_text *text) {
    size_t deepest = 1;
    if (form == PSB_LABELS_LIST) {
        write_list(listing, text);
        return;
    }
    for (size_t i = 0; i < listing->count; i++) {
        size_t depth = depth_of(listing->models[i].classes);
        deepest = depth > deepest ? depth : deepest;
    }
    const char *separator = form == PSB_LABELS_CSV ? "," : "\t";
    psb_text_printf(text, "id%sclass", separator);
    for (size_t level = 1; level < deepest; level++) {
        psb_text_printf(text, "%sparent", separator);
        if (level > 1) {
            psb_text_printf(text, "%zu", level);
        }
    }
    psb_text_add(text, "\n");
    for (size_t i = 0; i < listing->count; i++) {
        const psb_listed *m = &listing->models[i];
        write_field(m->name, strlen(m->name), form, text);
        write_levels(m->classes, deepest, form, text);
        psb_text_add(text, "\n");
    }
}
