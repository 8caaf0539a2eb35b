/* Reads tables as rows of fields, and lists as rows of one field. */
#include "io/labels.h"

#include "core/names.h"
#include "io/field_rows.h"
#include "io/mesh.h"
#include "io/model_folder.h"
#include "io/name.h"
#include "io/npy.h"
#include "io/npz.h"

#include <strings.h>

enum { SHOWN = 40, PARENTS_MOST = 16, NONE = -1 };

typedef struct reader {
    psb_field_rows t;
    size_t columns;
    int id, class, split, parents[PARENTS_MOST], nparents;
    bool aligned; /* the table has no ids: its rows are those of the features, in their order */
    bool headless;
    const psb_labels_options *options;
    const char *wanted; /* the part to read, or NULL */
    psb_text part;      /* the part of the first row */
} reader;

#define FAIL(r, status, ...)                                                                       \
    psb_fail_at((r)->t.error, status, (r)->t.path, (r)->t.line, __VA_ARGS__)

/* Arguments for "%.*s": a field, cut for a message. */
#define SHOW(f) (int)((f)->length < SHOWN ? (f)->length : SHOWN), (f)->length > 0 ? (f)->data : ""

/* ---- columns --------------------------------------------------------------------------- */

const char *const psb_labels_ids[] = {"id",       "uid",     "fullId", "object_id",
                                      "model_id", "modelId", "model",  "name",
                                      "filename", "file",    NULL};
const char *const psb_labels_classes[] = {"class",    "category", "label",
                                          "synsetId", "wnsynset", NULL};

/* Returns the first column with this name, or NONE. */
static int find_column(const reader *r, const char *name) {
    const char *const names[] = {name, NULL};
    int i = 0;
    while ((size_t)i < r->t.nfields && !psb_field_is_among(&r->t.fields[i], names)) {
        i++;
    }
    return (size_t)i < r->t.nfields ? i : NONE;
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
    r->columns = r->t.nfields;
    r->nparents = 0;
    r->id = choose_column(r, r->options->id_column, psb_labels_ids);
    r->class = choose_column(r, r->options->class_column, psb_labels_classes);
    if (r->id == NONE && r->options->id_column == NULL && r->columns > 1 &&
        r->t.fields[0].length == 0) {
        r->id = 0; /* the index of pandas, which has no name */
    }
    r->split = find_column(r, "split");
    for (int i = 0; (size_t)i < r->t.nfields; i++) {
        const psb_text *f = &r->t.fields[i];
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
    PSB_AT_END(psb_text_free) psb_text there = {0};
    for (size_t i = 0; i < r->t.nfields && there.length < 200; i++) {
        psb_text_printf(&there, "%s%.*s", i > 0 ? ", " : "", SHOW(&r->t.fields[i]));
    }
    psb_status status =
        FAIL(r, PSB_ERROR_INPUT,
             "no column '%s' in the table's header; it has %s: --%s-column says which",
             asked != NULL ? asked
             : id          ? psb_labels_ids[0]
                           : psb_labels_classes[0],
             there.length > 0 ? there.data : "none", id ? "id" : "class");
    return status;
}

/* Reads the first row with this separator; true if it names a column of models and one of
 * classes. */
static bool is_header(reader *r, char separator, psb_status *status) {
    r->t.separator = separator;
    *status = psb_field_rows_next(&r->t);
    if (*status == PSB_OK) {
        find_columns(r);
    }
    return *status == PSB_OK && r->id != NONE && r->class != NONE;
}

/* True if the header names the classes and no ids, and either nothing else or what the user chose
 * the classes' column by. */
static bool names_classes_alone(const reader *r) {
    return r->id == NONE && r->class != NONE && r->options->id_column == NULL &&
           (r->options->class_column != NULL ||
            r->columns == 1 + (size_t)r->nparents + (r->split != NONE));
}

/*
 * True if the table has no header: two columns, none of which has a known name, and the second
 * field of the first row occurs again below. Else the first row may be a header in other words.
 */
static psb_status has_no_header(reader *r, const psb_field_rows *before, bool *headless) {
    psb_status status = PSB_OK;
    PSB_AT_END(psb_text_free) psb_text first = {0};
    *headless = false;
    if (r->columns != 2 || r->id != NONE || r->class != NONE || r->split != NONE ||
        r->options->id_column != NULL || r->options->class_column != NULL) {
        return PSB_OK;
    }
    psb_text_add_bytes(&first, r->t.fields[1].data, r->t.fields[1].length);
    status = psb_text_status(&first, r->t.error);
    PSB_THEN(status, psb_field_rows_next(&r->t));
    while (status == PSB_OK && r->t.nfields > 0 && !*headless) {
        const psb_text *class = &r->t.fields[r->t.nfields - 1];
        *headless = class->length == first.length && class->length > 0 &&
                    memcmp(class->data, first.data, first.length) == 0;
        status = psb_field_rows_next(&r->t);
    }
    psb_field_rows_rewind(&r->t, before);
    return status == PSB_OK && !*headless ? psb_field_rows_next(&r->t) : status;
}

/* Takes a list, whose lines are one field: files below folders of their classes, or where no line
 * has a folder classes alone, below a header or not. */
static psb_status read_list_head(reader *r, bool part) {
    psb_field_rows before = r->t;
    bool folders = memchr(r->t.at, '/', (size_t)(r->t.end - r->t.at)) != NULL;
    psb_status status = part ? FAIL(r, PSB_ERROR_USAGE, "a list of files has no parts") : PSB_OK;
    r->id = 0;
    r->class = r->split = NONE;
    r->columns = 1;
    PSB_THEN(status, psb_field_rows_next(&r->t));
    if (status == PSB_OK && !folders && r->t.nfields > 0) {
        r->aligned = true;
        r->class = 0;
        r->id = NONE;
        if (psb_field_is_among(&r->t.fields[0], psb_labels_classes)) {
            return PSB_OK;
        }
    }
    psb_field_rows_rewind(&r->t, &before);
    return status;
}

/* Reads a table's header; does not move past the first line of a list. */
static psb_status read_header(reader *r) {
    psb_field_rows before = r->t;
    bool part = r->wanted != NULL && strcmp(r->wanted, PSB_SPLIT_ALL) != 0;
    psb_status status = psb_field_rows_separate(&r->t);
    char separator = r->t.separator;
    if (status == PSB_OK && separator == '\0' && is_header(r, ' ', &status)) {
        separator = ' ';
    }
    psb_field_rows_rewind(&r->t, &before);
    r->t.separator = separator;
    if (status != PSB_OK || separator == '\0') {
        return PSB_THEN(status, read_list_head(r, part));
    }
    if (!is_header(r, separator, &status) && status == PSB_OK) {
        r->aligned = names_classes_alone(r);
        status = has_no_header(r, &before, &r->headless);
        if (r->headless) {
            r->id = 0;
            r->class = 1;
        } else if (status == PSB_OK && !r->aligned) {
            status = fail_column(r);
        }
    }
    return PSB_THEN_IF(status, r->split == NONE && part,
                       FAIL(r, PSB_ERROR_USAGE,
                            "no column 'split' that says which models are of part '%.40s'",
                            r->wanted));
}

/* ---- models ---------------------------------------------------------------------------- */

static psb_status is_taken(reader *r, bool *taken) {
    *taken = true;
    if (r->split == NONE) {
        return PSB_OK;
    }
    psb_text *part = &r->t.fields[r->split];
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
    const psb_text *class = &r->t.fields[r->class];
    for (int p = r->nparents; p-- > 0 && class->length > 0;) {
        add_level(levels, r->t.fields[r->parents[p]].data, r->t.fields[r->parents[p]].length);
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

/* Refuses what pandas writes for a missing class, unless it is the name of the model's folder. */
static psb_status check_class(const reader *r, const char *name, const char *levels) {
    static const char *const missing[] = {"nan", "<NA>", "NaT", NULL};
    const char *class = psb_last_part(levels);
    const psb_text last = {.data = (char *)class, .length = strlen(class)};
    const bool fine = !psb_field_is_among(&last, missing) || psb_name_lies_in(name, class);
    return fine ? PSB_OK
                : FAIL(r, PSB_ERROR_INPUT,
                       "the class is missing (%s); '-1' says that a model has none", class);
}

/* Adds the model of a row without an id, which is named by its number. Takes over the levels. */
static psb_status add_row(const reader *r, psb_listing *listing, psb_text *levels) {
    psb_text name = {0};
    psb_text_printf(&name, "%zu", listing->count);
    psb_status status = psb_text_status(&name, r->t.error);
    PSB_THEN(status, psb_text_status(levels, r->t.error));
    PSB_THEN(status, check_class(r, name.data, levels->data));
    if (status != PSB_OK) {
        psb_text_free(&name);
        psb_text_free(levels);
        return status;
    }
    return psb_listing_add(listing, (psb_listed){name.data, NULL, levels->data, r->t.line},
                           r->t.error);
}

/* Finds the name in an id, which may be a file's path: sets *begin, returns the length. */
static size_t cut_id(const reader *r, const char **begin) {
    const psb_text *id = &r->t.fields[r->id];
    size_t length = id->length;
    *begin = id->length > 0 ? id->data : "";
    bool file = length > 0 && psb_mesh_ending_of(id->data) != SIZE_MAX;
    if (file) {
        length = psb_mesh_stem(id->data);
    }
    if (file && r->class != NONE && !psb_name_stays_below(*begin, length)) {
        const char *end = *begin + length, *slash = memrchr(id->data, '/', length);
        *begin = slash != NULL ? slash + 1 : id->data;
        length = (size_t)(end - *begin);
    }
    size_t mark = strlen(mark_of(*begin, length));
    *begin += mark;
    return length - mark;
}

static psb_status add_model(reader *r, psb_listing *listing) {
    const psb_text *id = &r->t.fields[r->id];
    psb_text name = {0}, levels = {0};
    const char *begin;
    size_t length = cut_id(r, &begin);
    if (length == 0 || !psb_name_stays_below(begin, length)) {
        return FAIL(r, PSB_ERROR_INPUT, "the id '%.*s' is no name below a folder of models",
                    SHOW(id));
    }
    psb_name_add(&name, begin, length, true);
    psb_status status = psb_text_status(&name, r->t.error);
    PSB_THEN_IF(status, name.length > PSB_NAME_MOST,
                FAIL(r, PSB_ERROR_INPUT, "an id of %zu bytes, but at most %d are allowed",
                     name.length, PSB_NAME_MOST));
    if (status == PSB_OK) {
        add_levels(r, &name, &levels);
        psb_text_add(&levels, "");
        status = psb_text_status(&levels, r->t.error);
        PSB_THEN(status, check_class(r, name.data, levels.data));
    }
    if (status != PSB_OK) {
        psb_text_free(&name);
        psb_text_free(&levels);
        return status;
    }
    return psb_listing_add(listing, (psb_listed){name.data, NULL, levels.data, r->t.line},
                           r->t.error);
}

/* Reports a name that occurs twice, at the line of its second occurrence. */
static psb_status check_twice(reader *r, const psb_listing *listing, size_t first) {
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status = psb_names_reserve(&names, listing->count - first, r->t.error);
    for (size_t i = first; i < listing->count && status == PSB_OK; i++) {
        const psb_listed *m = &listing->models[i];
        size_t before = psb_names_find(&names, m->name);
        if (before != PSB_NO_NAME) {
            r->t.line = m->line;
            status = FAIL(r, PSB_ERROR_INPUT, "model '%.*s' occurs a second time, after line %lu",
                          SHOWN, m->name, listing->models[before].line);
        } else {
            psb_names_add(&names, m->name, i);
        }
    }
    return status;
}

/* Says what was taken where the file does not. */
static void tell(const reader *r, psb_listing *listing) {
    listing->aligned = r->aligned;
    if (r->aligned) {
        psb_text_printf(&listing->notes,
                        "%s: names no models: taken as the classes of rows 0 ... %zu, in their "
                        "order\n",
                        r->t.path, listing->count - 1);
    } else if (r->headless) {
        psb_text_printf(&listing->notes,
                        "%s: has no header: its first column was taken as models, its second as "
                        "classes\n",
                        r->t.path);
    }
}

static psb_status read_all(reader *r, psb_listing *listing) {
    size_t first = listing->count;
    psb_status status = read_header(r);
    PSB_THEN(status, psb_field_rows_next(&r->t));
    while (status == PSB_OK && r->t.nfields > 0) {
        bool taken = false;
        if (r->t.nfields != r->columns) {
            return FAIL(r, PSB_ERROR_INPUT, "%zu fields, but the header has %zu", r->t.nfields,
                        r->columns);
        }
        status = is_taken(r, &taken);
        if (status == PSB_OK && taken && r->aligned) {
            psb_text levels = {0};
            add_levels(r, NULL, &levels);
            status = add_row(r, listing, &levels);
        } else if (status == PSB_OK && taken) {
            status = add_model(r, listing);
        }
        PSB_THEN(status, psb_field_rows_next(&r->t));
    }
    if (status == PSB_OK && listing->count == first) {
        return psb_fail_at(r->t.error, PSB_ERROR_INPUT, r->t.path, 0,
                           "no models%s%.40s in the table", r->wanted != NULL ? " of part " : "",
                           r->wanted != NULL ? r->wanted : "");
    }
    PSB_THEN(status, check_twice(r, listing, first));
    if (status == PSB_OK) {
        tell(r, listing);
    }
    return status;
}

/* Labels as an array: element i is the class of row i, with levels as in "animal/dog". */
static psb_status read_array(const char *path, const char *data, size_t size, psb_listing *listing,
                             psb_error *error) {
    const reader r = {.t = {.path = path, .error = error}, .aligned = true};
    PSB_AT_END(psb_text_free) psb_text labels = {0};
    size_t count;
    psb_status status = psb_npy_texts(path, data, size, &labels, &count, error);
    const char *at = labels.data;
    for (size_t i = 0; i < count && status == PSB_OK; i++, at += strlen(at) + 1) {
        psb_text levels = {0};
        for (const char *level = at; *level != '\0'; level += *level == '/') {
            size_t length = strcspn(level, "/");
            add_level(&levels, level, length);
            level += length;
        }
        add_level(&levels, "-1", levels.length == 0 ? 2 : 0);
        status = add_row(&r, listing, &levels);
    }
    if (status == PSB_OK) {
        tell(&r, listing);
    }
    return status;
}

psb_status psb_labels_parse(const char *path, const char *data, size_t size,
                            const psb_labels_options *options, psb_listing *listing,
                            psb_error *error) {
    static const psb_labels_options defaults;
    if (size == 0) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not a table of models: it is empty");
    }
    if (psb_npy_is(data, size)) {
        return read_array(path, data, size, listing, error);
    }
    reader r = {.options = options != NULL ? options : &defaults,
                .wanted = options != NULL ? options->split : NULL};
    psb_status status = psb_field_rows_open(path, data, size, &r.t, error);
    PSB_THEN(status, read_all(&r, listing));
    psb_field_rows_close(&r.t);
    psb_text_free(&r.part);
    return status;
}

psb_status psb_labels_read(const char *path, const psb_labels_options *options,
                           psb_listing *listing, psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    PSB_FREED void *member = NULL;
    size_t size = 0;
    bool packed = psb_npz_is(path);
    psb_status status =
        packed ? psb_npz_read(path, &member, &size, error) : psb_input_open(path, &input, error);
    return PSB_THEN(status, psb_labels_parse(path, packed ? member : input.data,
                                             packed ? size : input.size, options, listing, error));
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
        PSB_AT_END(psb_text_free) psb_text id = {0};
        psb_text_printf(&id, "%s%s%s", before_id(m->name), m->name, behind_id(m->name));
        if (id.failed) {
            text->failed = true;
        } else {
            write_field(id.data, id.length, form, text);
        }
        write_levels(m->classes, deepest, form, text);
        psb_text_add(text, "\n");
    }
}
