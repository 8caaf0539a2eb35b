/*
 * The format, line by line (blank lines mean nothing):
 *
 *     PSB 1
 *     <number of classes> <number of models>
 *     <class> <parent> <number of its own models>     for each class, and below it
 *     <id>                                            for each of its models
 *
 * The parent is the name of a class above, or 0 if the class has none. Classes under different
 * parents may have the same name. If a parent's name fits several classes, it means the nearest
 * class above, as the files are written depth first.
 */
#include "io/cla.h"

#include "core/file.h"
#include "core/names.h"
#include "core/number.h"
#include "io/name.h"

enum {
    LONGEST_FULL_NAME = 511, /* bytes of a class's full name */
    CLASSES_MOST = 65536,    /* bounds, with the limit above, the memory of all full names */
    CLASS_BYTES = 6,         /* the shortest class: "a 0 0\n" */
    MODEL_BYTES = 2,         /* the shortest model: "0\n" */
    WORDS = 4,               /* words kept of a line; no valid line has as many */
    SHOWN = 40,              /* bytes of a word in a message */
};

typedef struct word {
    const char *text;
    int length; /* fits the precision of %.*s */
} word;

typedef struct reader {
    const char *path;
    const char *at, *end;
    unsigned long line; /* number of the line that the words are from */
    int nwords;
    word words[WORDS];
    psb_names names;      /* class names, each with its nearest class above */
    psb_names full_names; /* full names of the classes */
    psb_names ids;
    psb_error *error;
} reader;

/* Fails with an input error on the current line. */
#define FAIL(r, ...) psb_fail_at((r)->error, PSB_ERROR_INPUT, (r)->path, (r)->line, __VA_ARGS__)

/* Arguments for "%.*s": the word, cut for a message. */
#define SHOW(w) (w).length < SHOWN ? (w).length : SHOWN, (w).text

/* ---- lines and words ------------------------------------------------------------------- */

static bool is_break(char c) {
    return c == '\n' || c == '\r';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* Splits the line at r->at into words and moves past it. Skips words beyond the last that is
 * kept. */
static psb_status split_line(reader *r) {
    const char *p = r->at;
    while (p < r->end && !is_break(*p)) {
        const char *start = p;
        for (; p < r->end && !is_blank(*p) && !is_break(*p); p++) {
            unsigned char c = (unsigned char)*p;
            if (c < ' ' || c == 127) {
                return FAIL(r, "control character 0x%02x", c);
            }
        }
        if (p - start > PSB_NAME_MOST) {
            return FAIL(r, "'%.*s...' has more than %d bytes", SHOWN, start, PSB_NAME_MOST);
        }
        if (p == start) {
            p++;
        } else if (r->nwords < WORDS) {
            r->words[r->nwords++] = (word){start, (int)(p - start)};
        }
    }
    if (p < r->end) {
        p += p[0] == '\r' && p + 1 < r->end && p[1] == '\n' ? 2 : 1;
    }
    r->at = p;
    return PSB_OK;
}

/* Reads the next line that is not blank; r->nwords is 0 at the end of the file. */
static psb_status next_line(reader *r) {
    psb_status status = PSB_OK;
    r->nwords = 0;
    while (status == PSB_OK && r->nwords == 0 && r->at < r->end) {
        r->line++;
        status = split_line(r);
    }
    return status;
}

static bool is_word(word w, const char *text) {
    return (size_t)w.length == strlen(text) && memcmp(w.text, text, strlen(text)) == 0;
}

static char *copy_word(const reader *r, word w, psb_status *status) {
    return psb_new_text(status, w.text, (size_t)w.length, "a name", r->error);
}

/* Reads a number of things and checks that so many, of `bytes` or more each, fit in the rest of the
 * file. */
static psb_status read_count(const reader *r, word w, const char *things, size_t bytes,
                             size_t *count) {
    const char *p = w.text;
    const char *end = w.text + w.length;
    int64_t value;
    if (!psb_scan_int64(&p, end, &value) || p != end || value < 0) {
        return FAIL(r, "'%.*s' is not a number of %s", SHOW(w), things);
    }
    /* The last line needs no line break, hence one byte more. */
    size_t left = (size_t)(r->end - r->at);
    if ((uint64_t)value > (left + 1) / bytes) {
        return FAIL(r, "%.*s %s do not fit in the %zu bytes that are left", SHOW(w), things, left);
    }
    *count = (size_t)value;
    return PSB_OK;
}

/* ---- classifications in memory --------------------------------------------------------- */

/* Allocates nclasses classes and nmodels models; the counts stay 0. */
static psb_status allocate(psb_classification *cla, size_t nclasses, size_t nmodels,
                           psb_error *error) {
    *cla = (psb_classification){0};
    psb_status status = PSB_OK;
    cla->classes = psb_new_zero(&status, nclasses, sizeof *cla->classes, "classes", error);
    cla->models = psb_new_zero(&status, nmodels, sizeof *cla->models, "model ids", error);
    cla->class_of = psb_new_zero(&status, nmodels, sizeof *cla->class_of, "model classes", error);
    return status;
}

void psb_cla_free(psb_classification *cla) {
    if (cla == NULL) {
        return;
    }
    for (size_t c = 0; c < cla->nclasses; c++) {
        free(cla->classes[c].name);
        free(cla->classes[c].full_name);
    }
    psb_free_texts(cla->models, cla->nmodels);
    free(cla->classes);
    free(cla->class_of);
    free(cla->row);
    free(cla->other);
    *cla = (psb_classification){0};
}

size_t psb_cla_relevant(const psb_classification *cla, size_t query) {
    const psb_class *own = &cla->classes[cla->class_of[query]];
    return own->miscellaneous ? 0 : own->count - 1;
}

static char *copy_string(const char *text, psb_status *status, psb_error *error) {
    return psb_new_copy(status, text, "a name", error);
}

psb_status psb_cla_one_order(const psb_classification *cla, const char *path, bool named,
                             psb_error *error) {
    if (cla->other == NULL) {
        return PSB_OK;
    }
    char names[512] = "";
    if (named) {
        snprintf(names, sizeof names,
                 ", or copy %.100s.ids, which has the order of the list, or an .ids of the run's "
                 "features to %.100s.ids",
                 cla->other, psb_path_shown(path));
    }
    return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                       "its rows have no names and may be in the order of %.100s.cla or in that of "
                       "the list that the run was made from: give one of the two as the classes%s",
                       cla->other, names);
}

psb_status psb_cla_listed(const psb_classification *cla, size_t **at, psb_error *error) {
    psb_status status = PSB_OK;
    *at = psb_new(&status, cla->nmodels, sizeof **at, "an order", error);
    for (size_t i = 0; i < cla->nmodels && status == PSB_OK; i++) {
        (*at)[cla->row != NULL ? cla->row[i] : i] = i;
    }
    return status;
}

/* Numbers the kept models in the order of their rows. */
static psb_status subset_rows(const psb_classification *cla, const bool *keep,
                              psb_classification *subset, psb_error *error) {
    psb_status status = PSB_OK;
    size_t *at = NULL, row = 0, used = 0;
    if (cla->row == NULL) {
        return PSB_OK;
    }
    subset->row = psb_new(&status, cla->nmodels, sizeof *subset->row, "an order", error);
    PSB_THEN(status, psb_cla_listed(cla, &at, error));
    for (size_t r = 0; r < cla->nmodels && status == PSB_OK; r++) {
        subset->row[at[r]] = row; /* for now by the model's old number */
        row += keep[at[r]];
    }
    for (size_t i = 0; i < cla->nmodels && status == PSB_OK; i++) {
        subset->row[used] = subset->row[i];
        used += keep[i];
    }
    free(at);
    return status;
}

psb_status psb_cla_subset(const psb_classification *cla, const bool *keep,
                          psb_classification *subset, psb_error *error) {
    psb_status status = allocate(subset, cla->nclasses, cla->nmodels, error);
    PSB_THEN(status, subset_rows(cla, keep, subset, error));
    if (status == PSB_OK && cla->other != NULL) {
        subset->other = copy_string(cla->other, &status, error);
    }
    for (size_t c = 0; c < cla->nclasses && status == PSB_OK; c++) {
        const psb_class *from = &cla->classes[c];
        psb_class *to = &subset->classes[subset->nclasses++];
        *to = (psb_class){
            .parent = from->parent, .first = subset->nmodels, .miscellaneous = from->miscellaneous};
        to->name = copy_string(from->name, &status, error);
        to->full_name = copy_string(from->full_name, &status, error);
        for (size_t i = from->first; i < from->first + from->count && status == PSB_OK; i++) {
            if (keep[i]) {
                subset->class_of[subset->nmodels] = c;
                subset->models[subset->nmodels++] = copy_string(cla->models[i], &status, error);
                to->count++;
            }
        }
    }
    if (status != PSB_OK) {
        psb_cla_free(subset);
    }
    return status;
}

/* ---- reading --------------------------------------------------------------------------- */

static psb_status read_header(reader *r, size_t *nclasses, size_t *nmodels) {
    if (next_line(r) != PSB_OK || r->nwords != 2 || !is_word(r->words[0], "PSB")) {
        return FAIL(r, "not a classification file: it does not begin with 'PSB 1'");
    }
    if (!is_word(r->words[1], "1")) {
        return FAIL(r, "version '%.*s' of the format, but only 1 is known", SHOW(r->words[1]));
    }
    psb_status status = next_line(r);
    if (status == PSB_OK && r->nwords != 2) {
        return FAIL(r, "expected the numbers of classes and models");
    }
    PSB_THEN(status, read_count(r, r->words[0], "classes", CLASS_BYTES, nclasses));
    PSB_THEN(status, read_count(r, r->words[1], "models", MODEL_BYTES, nmodels));
    if (status == PSB_OK && (*nclasses == 0 || *nmodels == 0)) {
        return FAIL(r,
                    "an empty classification, %zu classes and %zu models: want a class (NAME "
                    "PARENT COUNT, then COUNT ids, one a line), or a table or folders",
                    *nclasses, *nmodels);
    }
    if (status == PSB_OK && *nclasses > CLASSES_MOST) {
        return FAIL(r, "%zu classes, but at most %d are supported", *nclasses, CLASSES_MOST);
    }
    return status;
}

static psb_status find_parent(reader *r, word parent, psb_class *entry) {
    entry->parent = PSB_NO_CLASS;
    if (is_word(parent, "0")) {
        return PSB_OK;
    }
    psb_status status = PSB_OK;
    PSB_FREED char *name = copy_word(r, parent, &status);
    if (status == PSB_OK) {
        entry->parent = psb_names_find(&r->names, name);
        if (entry->parent == PSB_NO_NAME) {
            status = FAIL(r, "class '%.*s': its parent '%.*s' is not a class above",
                          SHOW(r->words[0]), SHOW(parent));
        }
    }
    return status;
}

/* Builds the full name and checks that no other class has it. */
static psb_status join_levels(reader *r, const psb_classification *cla, psb_class *entry) {
    psb_text full = {0};
    if (entry->parent != PSB_NO_CLASS) {
        psb_text_printf(&full, "%s___", cla->classes[entry->parent].full_name);
    }
    psb_text_add(&full, entry->name);
    psb_status status = psb_text_status(&full, r->error);
    entry->full_name = full.data;
    if (status == PSB_OK && full.length > LONGEST_FULL_NAME) {
        return FAIL(r, "class '%.*s' and the classes that it is in: names of more than %d bytes",
                    SHOW(r->words[0]), LONGEST_FULL_NAME);
    }
    size_t other = status == PSB_OK ? psb_names_find(&r->full_names, full.data) : PSB_NO_NAME;
    if (other != PSB_NO_NAME && cla->classes[other].parent == entry->parent) {
        return FAIL(r, "class '%.*s' occurs a second time under '%.*s'", SHOW(r->words[0]),
                    SHOW(r->words[1]));
    } else if (other != PSB_NO_NAME) {
        return FAIL(r,
                    "two classes have the full name %.*s, as folders a___b and a/b do: rename one",
                    (int)full.length < SHOWN ? (int)full.length : SHOWN, full.data);
    }
    return status;
}

/* Makes the line "class parent count" the classification's next class. */
static psb_status read_class(reader *r, psb_classification *cla, size_t nclasses, size_t nmodels) {
    if (r->nwords == 0) {
        return FAIL(r, "the file ends after %zu of %zu classes", cla->nclasses, nclasses);
    }
    if (r->nwords != 3) {
        return FAIL(r, "'%.*s' where a class, its parent and its number of models should be",
                    SHOW(r->words[0]));
    }
    if (is_word(r->words[0], "0")) {
        return FAIL(r, "a class cannot be named 0, which stands for 'no parent'");
    }
    psb_class *entry = &cla->classes[cla->nclasses++];
    entry->first = cla->nmodels;
    entry->miscellaneous = is_word(r->words[0], "-1");
    psb_status status = PSB_OK;
    entry->name = copy_word(r, r->words[0], &status);
    PSB_THEN(status, find_parent(r, r->words[1], entry));
    PSB_THEN(status, join_levels(r, cla, entry));
    PSB_THEN(status, read_count(r, r->words[2], "models", MODEL_BYTES, &entry->count));
    if (status == PSB_OK && entry->count > nmodels - cla->nmodels) {
        return FAIL(r, "class '%.*s' has %zu models, but of the file's %zu only %zu are left",
                    SHOW(r->words[0]), entry->count, nmodels, nmodels - cla->nmodels);
    }
    if (status == PSB_OK) {
        psb_names_add(&r->names, entry->name, cla->nclasses - 1);
        psb_names_add(&r->full_names, entry->full_name, cla->nclasses - 1);
    }
    return status;
}

/* Ids become parts of file names: they must not lead out of the models' folder. */
static psb_status check_id(const reader *r, word id) {
    return psb_name_stays_below(id.text, (size_t)id.length)
               ? PSB_OK
               : FAIL(r, "the id '%.*s' would lead out of the models' folder", SHOW(id));
}

/* Reads the models of the last class and the line after them, which stays in the reader. */
static psb_status read_models(reader *r, psb_classification *cla) {
    const psb_class *entry = &cla->classes[cla->nclasses - 1];
    psb_status status = next_line(r);
    for (size_t i = 0; i < entry->count && status == PSB_OK; i++) {
        if (r->nwords == 2 || r->nwords > 3) {
            return FAIL(r, "'%.*s' does not stand alone on its line, as a model's id must",
                        SHOW(r->words[0]));
        }
        if (r->nwords != 1) {
            return FAIL(r, "class '%.*s' ends after %zu of its %zu models", SHOWN, entry->name, i,
                        entry->count);
        }
        status = check_id(r, r->words[0]);
        if (status == PSB_OK) {
            cla->class_of[cla->nmodels] = cla->nclasses - 1;
            cla->models[cla->nmodels++] = copy_word(r, r->words[0], &status);
        }
        if (status == PSB_OK) {
            const char *id = cla->models[cla->nmodels - 1];
            if (psb_names_find(&r->ids, id) != PSB_NO_NAME) {
                return FAIL(r, "model '%.*s' occurs a second time", SHOW(r->words[0]));
            }
            psb_names_add(&r->ids, id, cla->nmodels - 1);
            status = next_line(r);
        }
    }
    if (status == PSB_OK && r->nwords == 1) {
        return FAIL(r, "'%.*s' follows the last of the %zu models of class '%.*s'",
                    SHOW(r->words[0]), entry->count, SHOWN, entry->name);
    }
    return status;
}

static psb_status read_all(reader *r, psb_classification *cla) {
    size_t nclasses = 0, nmodels = 0;
    psb_status status = read_header(r, &nclasses, &nmodels);
    PSB_THEN(status, allocate(cla, nclasses, nmodels, r->error));
    PSB_THEN(status, psb_names_reserve(&r->names, nclasses, r->error));
    PSB_THEN(status, psb_names_reserve(&r->full_names, nclasses, r->error));
    PSB_THEN(status, psb_names_reserve(&r->ids, nmodels, r->error));
    PSB_THEN(status, next_line(r));
    while (status == PSB_OK && cla->nclasses < nclasses) {
        status = read_class(r, cla, nclasses, nmodels);
        PSB_THEN(status, read_models(r, cla));
    }
    if (status == PSB_OK && r->nwords > 0) {
        return FAIL(r, "'%.*s' follows the last of the file's %zu classes", SHOW(r->words[0]),
                    nclasses);
    }
    if (status == PSB_OK && cla->nmodels != nmodels) {
        return FAIL(r, "the classes have %zu models together, but the file says %zu", cla->nmodels,
                    nmodels);
    }
    return status;
}

psb_status psb_cla_parse(const char *path, const char *data, size_t size, psb_classification *cla,
                         psb_error *error) {
    *cla = (psb_classification){0};
    if (size == 0) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "not a classification file: it is empty");
    }
    reader r = {
        .path = path, .at = data + psb_text_mark(data, size), .end = data + size, .error = error};
    psb_status status = read_all(&r, cla);
    psb_names_free(&r.names);
    psb_names_free(&r.full_names);
    psb_names_free(&r.ids);
    if (status != PSB_OK) {
        psb_cla_free(cla);
    }
    return status;
}

psb_status psb_cla_read(const char *path, psb_classification *cla, psb_error *error) {
    *cla = (psb_classification){0};
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &input, error);
    return PSB_THEN(status, psb_cla_parse(path, input.data, input.size, cla, error));
}

/* ---- writing --------------------------------------------------------------------------- */

static void format(const psb_classification *cla, psb_text *text) {
    psb_text_printf(text, "PSB 1\n%zu %zu\n", cla->nclasses, cla->nmodels);
    for (size_t c = 0; c < cla->nclasses; c++) {
        const psb_class *entry = &cla->classes[c];
        const char *parent = entry->parent == PSB_NO_CLASS ? "0" : cla->classes[entry->parent].name;
        psb_text_printf(text, "\n%s %s %zu\n", entry->name, parent, entry->count);
        for (size_t i = 0; i < entry->count; i++) {
            psb_text_add(text, cla->models[entry->first + i]);
            psb_text_add(text, "\n");
        }
    }
}

static bool same(const psb_classification *a, const psb_classification *b) {
    bool equal = a->nclasses == b->nclasses && a->nmodels == b->nmodels;
    for (size_t c = 0; c < a->nclasses && equal; c++) {
        const psb_class *x = &a->classes[c];
        const psb_class *y = &b->classes[c];
        equal = strcmp(x->name, y->name) == 0 && x->parent == y->parent && x->first == y->first &&
                x->count == y->count;
    }
    for (size_t i = 0; i < a->nmodels && equal; i++) {
        equal = strcmp(a->models[i], b->models[i]) == 0;
    }
    return equal;
}

psb_status psb_cla_write(const char *path, const psb_classification *cla, psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text text = {0};
    format(cla, &text);
    psb_status status = psb_text_status(&text, error);
    PSB_AT_END(psb_cla_free) psb_classification back = {0};
    if (status == PSB_OK) {
        /* Names from elsewhere, such as folders, need not fit the format: read the text back. */
        status = psb_cla_parse(path, text.data, text.length, &back, error);
    }
    PSB_THEN_IF(
        status, !same(cla, &back),
        psb_fail_at(
            error, PSB_ERROR_INPUT, path, 0,
            "the .cla format cannot hold these class names: write a table, as -o classes.csv"));
    return PSB_THEN(status, psb_write_file(path, text.data, text.length, error));
}
