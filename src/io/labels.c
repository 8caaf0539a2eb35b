/* Reads tables as rows of fields, and lists as rows of one field. */
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
    unsigned long line; /* the line on which the row begins */
    unsigned long next; /* the line after the row */
    char separator;     /* ' ': any number of blanks; NUL: a line is one field */
    size_t nfields, capacity;
    psb_text *fields; /* fields of the row; their memory is reused */
    size_t columns;
    int id, class, split, parents[PARENTS_MOST], nparents;
    const psb_labels_options *options;
    const char *wanted; /* the part to read, or NULL */
    psb_text part;      /* the part of the first row */
    psb_error *error;
} reader;

#define FAIL(r, status, ...) psb_fail_at((r)->error, status, (r)->path, (r)->line, __VA_ARGS__)

/* Arguments for "%.*s": a field, cut for a message. */
#define SHOW(f) (int)((f)->length < SHOWN ? (f)->length : SHOWN), (f)->length > 0 ? (f)->data : ""

/* ---- rows ------------------------------------------------------------------------------ */

static psb_status next_field(reader *r, psb_text **field) {
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

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool at_separator(const reader *r) {
    return r->separator == ' ' ? is_blank(*r->at) : r->separator != '\0' && *r->at == r->separator;
}

/* Skips the blanks around a field. Lines of a list are names, so their blanks stay. */
static void skip_blanks(reader *r) {
    while (r->separator != '\0' && r->at < r->end && is_blank(*r->at) &&
           (r->separator == ' ' || !at_separator(r))) {
        r->at++;
    }
}

static psb_status read_field(reader *r) {
    psb_text *field = NULL;
    psb_status status = next_field(r, &field);
    skip_blanks(r);
    if (status == PSB_OK && r->separator != '\0' && r->at < r->end && *r->at == '"') {
        status = read_quoted(r, field);
    }
    const char *start = r->at;
    while (status == PSB_OK && !at_end_of_line(r) && !at_separator(r)) {
        r->at++;
    }
    if (status == PSB_OK) {
        const char *stop = r->at;
        while (r->separator != '\0' && stop > start && is_blank(stop[-1])) {
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

/* Reads the next row that has text; nfields is 0 after the last row. */
static psb_status read_row(reader *r) {
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

/* ---- columns --------------------------------------------------------------------------- */

const char *const psb_labels_ids[] = {"id",       "uid",     "fullId", "object_id",
                                      "model_id", "modelId", "model",  "name",
                                      "filename", "file",    NULL};
const char *const psb_labels_classes[] = {"class",    "category", "label",
                                          "synsetId", "wnsynset", NULL};

/* Returns the first column with this name, or NONE. */
static int find_column(const reader *r, const char *name) {
    int i = 0;
    while ((size_t)i < r->nfields && (r->fields[i].length != strlen(name) ||
                                      strncasecmp(r->fields[i].data, name, strlen(name)) != 0)) {
        i++;
    }
    return (size_t)i < r->nfields ? i : NONE;
}

/* Returns the column that the user named, else the first known name in the header. */
static int choose_column(const reader *r, const char *asked, const char *const *known) {
    int found = NONE;
    for (; asked == NULL && found == NONE && *known != NULL; known++) {
        found = find_column(r, *known);
    }
    return asked != NULL ? find_column(r, asked) : found;
}

static void find_columns(reader *r) {
    r->columns = r->nfields;
    r->nparents = 0;
    r->id = choose_column(r, r->options->id_column, psb_labels_ids);
    r->class = choose_column(r, r->options->class_column, psb_labels_classes);
    r->split = find_column(r, "split");
    for (int i = 0; (size_t)i < r->nfields; i++) {
        const psb_text *f = &r->fields[i];
        if (i != r->id && i != r->class && f->length >= 6 &&
            strncasecmp(f->data, "parent", 6) == 0 && r->nparents < PARENTS_MOST) {
            r->parents[r->nparents++] = i;
        }
    }
}

/* Reports that the table has no column of models or of classes. */
static psb_status fail_column(reader *r) {
    bool id = r->id == NONE;
    const char *asked = id ? r->options->id_column : r->options->class_column;
    psb_text there = {0};
    for (size_t i = 0; i < r->nfields && there.length < 200; i++) {
        psb_text_printf(&there, "%s%.*s", i > 0 ? ", " : "", SHOW(&r->fields[i]));
    }
    psb_status status =
        FAIL(r, PSB_ERROR_INPUT,
             "no column '%s' in the table's header; it has %s: --%s-column says which",
             asked != NULL ? asked
             : id          ? psb_labels_ids[0]
                           : psb_labels_classes[0],
             there.length > 0 ? there.data : "none", id ? "id" : "class");
    psb_text_free(&there);
    return status;
}

/* Returns to the position of `before`; the memory of the fields stays. */
static void rewind_to(reader *r, const reader *before) {
    r->at = before->at;
    r->line = before->line;
    r->next = before->next;
    r->nfields = 0;
}

/* Reads the first row with this separator; true if it names a column of models and one of
 * classes. */
static bool is_header(reader *r, char separator, psb_status *status) {
    r->separator = separator;
    *status = read_row(r);
    if (*status == PSB_OK) {
        find_columns(r);
    }
    return *status == PSB_OK && r->id != NONE && r->class != NONE;
}

/* Reads a table's header; does not move past the first line of a list. */
static psb_status read_header(reader *r) {
    static const char separators[] = "\t,;";
    reader before = *r;
    bool part = r->wanted != NULL && strcmp(r->wanted, PSB_SPLIT_ALL) != 0;
    psb_status status = PSB_OK;
    r->separator = '\0';
    status = read_row(r); /* as one field */
    bool blanks = status == PSB_OK && r->nfields > 0 && strpbrk(r->fields[0].data, " ") != NULL;
    char separator = '\0';
    for (const char *s = separators;
         status == PSB_OK && r->nfields > 0 && separator == '\0' && *s != '\0'; s++) {
        separator = strchr(r->fields[0].data, *s) != NULL ? *s : '\0';
    }
    rewind_to(r, &before);
    if (status == PSB_OK && separator == '\0' && blanks && is_header(r, ' ', &status)) {
        separator = ' ';
    }
    rewind_to(r, &before);
    r->separator = separator;
    if (status == PSB_OK && r->separator == '\0') {
        r->id = 0;
        r->class = r->split = NONE;
        r->columns = 1;
        return !part ? PSB_OK : FAIL(r, PSB_ERROR_USAGE, "a list of files has no parts");
    }
    if (status == PSB_OK && !is_header(r, separator, &status) && status == PSB_OK) {
        status = fail_column(r);
    }
    if (status == PSB_OK && r->split == NONE && part) {
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

/* Appends the classes of a row: the folders in a list's line, or the table's columns. */
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

/* These begin fullIds of ShapeNetSem ("wss.101354f9d8dede686f7b08d9de913afe") and ShapeNetCore, but
 * not the names of their files. */
static const char *const marks[] = {"wss.", "3dw."};
enum { MARKED = 4 };

static const char *mark_of(const char *id, size_t length) {
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (length > MARKED && memcmp(id, marks[i], MARKED) == 0) {
            return marks[i];
        }
    }
    return "";
}

/* Finds the name in an id, which may be a file's path: sets *begin, returns the length. */
static size_t cut_id(const reader *r, const char **begin) {
    const psb_text *id = &r->fields[r->id];
    size_t length = id->length;
    *begin = id->length > 0 ? id->data : "";
    bool file = length > 0 && psb_mesh_ending_of(id->data) != SIZE_MAX;
    if (file) {
        length = psb_mesh_stem(id->data);
    }
    if (file && r->class != NONE && !psb_name_stays_below(*begin, length)) {
        const char *end = *begin + length;
        for (*begin = end; *begin > id->data && (*begin)[-1] != '/';) {
            (*begin)--;
        }
        length = (size_t)(end - *begin);
    }
    size_t mark = strlen(mark_of(*begin, length));
    *begin += mark;
    return length - mark;
}

static psb_status add_model(reader *r, psb_listing *listing) {
    const psb_text *id = &r->fields[r->id];
    psb_text name = {0}, levels = {0};
    const char *begin;
    size_t length = cut_id(r, &begin);
    if (length == 0 || !psb_name_stays_below(begin, length)) {
        return FAIL(r, PSB_ERROR_INPUT, "the id '%.*s' is no name below a folder of models",
                    SHOW(id));
    }
    psb_name_add(&name, begin, length, true);
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

/* Reports a name that occurs twice, at the line of its second occurrence. */
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

psb_status psb_labels_parse(const char *path, const char *data, size_t size,
                            const psb_labels_options *options, psb_listing *listing,
                            psb_error *error) {
    static const psb_labels_options presets;
    if (size == 0 || memchr(data, '\0', size) != NULL) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not a table of models: %s",
                           size == 0 ? "it is empty" : "it is not text");
    }
    reader r = {.path = path,
                .at = data + psb_text_mark(data, size),
                .end = data + size,
                .line = 1,
                .next = 1,
                .options = options != NULL ? options : &presets,
                .wanted = options != NULL ? options->split : NULL,
                .error = error};
    psb_status status = read_all(&r, listing);
    for (size_t i = 0; i < r.capacity; i++) {
        psb_text_free(&r.fields[i]);
    }
    free(r.fields);
    psb_text_free(&r.part);
    return status;
}

psb_status psb_labels_read(const char *path, const psb_labels_options *options,
                           psb_listing *listing, psb_error *error) {
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    if (status == PSB_OK) {
        status = psb_labels_parse(path, input.data, input.size, options, listing, error);
        psb_input_close(&input);
    }
    return status;
}

/* ---- writing --------------------------------------------------------------------------- */

/* The texts that cut_id would take from an id, written before and after a name that looks like such
 * an id ("a.stl", the model of a.stl.gz.obj), so that it is read back unchanged. */
static const char *before_id(const char *id) {
    return mark_of(id, strlen(id));
}

static const char *behind_id(const char *name) {
    return psb_mesh_ending_of(name) != SIZE_MAX ? ".off" : "";
}

/* Writes lines like "aircraft/airplane/812"; a name that begins with its classes gets no second
 * copy. */
static void write_list(const psb_listing *listing, psb_text *text) {
    for (size_t i = 0; i < listing->count; i++) {
        const psb_listed *m = &listing->models[i];
        size_t length = strlen(m->classes);
        bool within = strncmp(m->name, m->classes, length) == 0 && m->name[length] == '/';
        psb_text_printf(text, "%s%s%s%s%s\n", before_id(within ? m->name : m->classes),
                        within ? "" : m->classes, within ? "" : "/", m->name, behind_id(m->name));
    }
}

static void write_field(const char *bytes, size_t length, psb_labels_form form, psb_text *text) {
    /* In either form, a quote at the start would begin a quoted field. */
    bool quotes = memchr(bytes, '"', length) != NULL ||
                  (form == PSB_LABELS_CSV && memchr(bytes, ',', length) != NULL);
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

/* Writes the levels from the last upwards, then empty fields for missing levels. */
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
        psb_text id = {0};
        psb_text_printf(&id, "%s%s%s", before_id(m->name), m->name, behind_id(m->name));
        if (id.failed) {
            text->failed = true;
        } else {
            write_field(id.data, id.length, form, text);
        }
        psb_text_free(&id);
        write_levels(m->classes, deepest, form, text);
        psb_text_add(text, "\n");
    }
}
