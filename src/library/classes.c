/* Checks, counts, joins, cuts and converts classifications, for clients. */
#include "core/file.h"
#include "core/names.h"
#include "io/labels.h"
#include "library/parts.h"
#include "report/class_table.h"

#include <strings.h>

typedef struct work {
    const psb_observer *observer;
    size_t count;
    psb_class_set *sets; /* one for each input; then all together, if they share no model */
    psb_listing all;
    bool together;
    bool checks;    /* nothing is written, so report everything worth a look */
    size_t shared;  /* models that an earlier set has too */
    size_t missing; /* models without a file */
} work;

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static void say_classes(const work *w, const char *input, const char *what, size_t count,
                        const char *first) {
    if (count > 0) {
        psb_observer_say(w->observer, PSB_NOTE, "%s: classes %s: %zu, the first is %s", input, what,
                         count, first);
    }
}

/* Reports classes of one or two models, which averages leave out, and classes without models. */
static psb_status say_small(const work *w, const char *input, const psb_classification *cla,
                            psb_error *error) {
    size_t empty = 0, small = 0;
    const char *first_empty = NULL, *first_small = NULL;
    psb_status status = PSB_OK;
    PSB_FREED bool *above = psb_new_zero(&status, cla->nclasses, sizeof *above, "classes", error);
    for (size_t c = cla->nclasses; c-- > 0 && status == PSB_OK;) { /* children before parents */
        const psb_class *class = &cla->classes[c];
        if (class->parent != PSB_NO_CLASS) {
            above[class->parent] = true;
        }
        if (class->count == 0 && !above[c]) {
            empty++;
            first_empty = class->full_name;
        } else if (class->count > 0 && class->count <= 2 && !class->miscellaneous) {
            small++;
            first_small = class->full_name;
        }
    }
    say_classes(w, input, "without models", empty, first_empty);
    say_classes(w, input, "of one model or two, which averages leave out", small, first_small);
    return status;
}

/* ---- reading --------------------------------------------------------------------------- */

/* With --models: reports the models that have no file. */
static psb_status look_for_files(work *w, const psb_collection_options *options, const char *input,
                                 psb_error *error) {
    PSB_AT_END(psb_dataset_free) psb_dataset dataset = {0};
    psb_status status = psb_dataset_open(options, &dataset, error);
    w->missing += dataset.nmissing;
    for (size_t i = 0; i < dataset.nmissing && status == PSB_OK; i++) {
        psb_observer_fail(w->observer, "%s: model '%s' has no file below %s", input,
                          dataset.missing[i], options->models);
    }
    return status;
}

static psb_status read_set(work *w, const psb_collection_options *common, const char *input,
                           psb_error *error) {
    psb_collection_options options = *common;
    options.classes_of = input;
    psb_class_set *set = &w->sets[w->count++];
    PSB_AT_END(psb_listing_free) psb_listing listing = {0};
    psb_dataset told = {.nsides = 0};
    psb_status status = psb_dataset_list(&options, &told.archive, &set->cla, &listing, error);
    told.notes = listing.notes.data;
    psb_dataset_tell(&told, w->observer);
    psb_archive_close(told.archive);
    if (status == PSB_OK && common->models != NULL && !psb_is_folder(input)) {
        options.skip_missing = true;
        status = look_for_files(w, &options, input, error);
    }
    PSB_THEN_IF(status, w->checks, say_small(w, input, &set->cla, error));
    return PSB_THEN(status, psb_listing_add_cla(&w->all, &set->cla, error));
}

static psb_status count_shared(work *w, psb_error *error) {
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status = psb_names_reserve(&names, w->all.count, error);
    for (size_t i = 0; i < w->all.count && status == PSB_OK; i++) {
        w->shared += psb_names_find(&names, w->all.models[i].name) != PSB_NO_NAME;
        psb_names_add(&names, w->all.models[i].name, i);
    }
    return status;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Names sets by their file names, or by whole paths if two file names are equal. */
static void label_sets(work *w, const char *const *inputs) {
    bool differ = true;
    for (size_t s = 0; s < w->count; s++) {
        w->sets[s].label = last_part(inputs[s]);
        for (size_t k = 0; k < s; k++) {
            differ = differ && strcmp(w->sets[k].label, w->sets[s].label) != 0;
        }
    }
    for (size_t s = 0; s < w->count && !differ; s++) {
        w->sets[s].label = inputs[s];
    }
    w->sets[w->count].label = "together";
}

static psb_status read_all(work *w, const psb_classes_options *o, psb_error *error) {
    psb_status status = PSB_OK;
    w->sets = psb_new_zero(&status, o->ninputs + 1, sizeof *w->sets, "sets", error);
    for (size_t i = 0; i < o->ninputs && status == PSB_OK; i++) {
        status = read_set(w, &o->data, o->inputs[i], error);
    }
    PSB_THEN(status, count_shared(w, error));
    w->together = status == PSB_OK && o->ninputs > 1 && w->shared == 0;
    if (status == PSB_OK) {
        label_sets(w, o->inputs);
    }
    return w->together ? psb_listing_classify(&w->all, "all sets", 0, &w->sets[w->count].cla, error)
                       : status;
}

static void close_all(work *w) {
    for (size_t s = 0; w->sets != NULL && s < w->count + w->together; s++) {
        psb_cla_free(&w->sets[s].cla);
    }
    free(w->sets);
    psb_listing_free(&w->all);
}

/* ---- writing --------------------------------------------------------------------------- */

/* Reports models that change their place: in a .cla they stand class by class, and rows without
 * names are in the order of a file. */
static void say_moved(const work *w, const psb_classification *cla, const char *output) {
    size_t moved = 0;
    for (size_t i = 0; i < cla->nmodels && cla->row != NULL; i++) {
        moved += cla->row[i] != i;
    }
    if (moved > 0) {
        psb_observer_say(w->observer, PSB_NOTE,
                         "%s: %zu of %zu models stand elsewhere than in the input: rows without "
                         "names that are in its order are not in this one",
                         output, moved, cla->nmodels);
    }
}

static const char *const endings[] = {
    [PSB_LABELS_CSV] = ".csv", [PSB_LABELS_TSV] = ".tsv", [PSB_LABELS_LIST] = ".txt", ".cla"};
enum { CLA = PSB_LABELS_LIST + 1, FORMS };

/* Returns the index of the output's ending in `endings`, or FORMS. */
static size_t form_of(const char *output) {
    size_t form = 0;
    while (form < FORMS && !ends_with(output, endings[form])) {
        form++;
    }
    return form;
}

static psb_status write_set(const work *w, const char *output, psb_error *error) {
    size_t form = form_of(output);
    if (w->count > 1 && !w->together) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "%s: not written: %zu models are in several sets; name disjoint sets",
                        output, w->shared);
    }
    if (form == CLA) {
        const psb_classification *cla = &w->sets[w->together ? w->count : 0].cla;
        say_moved(w, cla, output);
        return psb_cla_write(output, cla, error);
    }
    psb_text text = {0};
    psb_labels_render(&w->all, (psb_labels_form)form, &text);
    return psb_write_text(PSB_OK, output, &text, error);
}

psb_status psb_classes(psb_context *psb, const psb_classes_options *o, psb_table **table,
                       psb_error *error) {
    *table = NULL;
    if (o == NULL || o->ninputs == 0 || o->inputs == NULL) {
        return psb_misuse(error, "needs a .cla, a table of labels or a folder");
    }
    if (o->output != NULL && form_of(o->output) == FORMS) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "--output %s: want a name in .cla, .csv, .tsv or .txt", o->output);
    }
    work w = {.observer = &psb->observer, .checks = o->output == NULL};
    psb_status status = read_all(&w, o, error);
    if (status == PSB_OK && w.shared > 0) {
        psb_observer_say(w.observer, PSB_NOTE, "models that are in several of the sets: %zu",
                         w.shared);
    }
    PSB_THEN_IF(status, o->output != NULL, write_set(&w, o->output, error));
    PSB_THEN(status, psb_class_table_make(w.sets, w.count + w.together, o->rows, table, error));
    if (status == PSB_OK) {
        (*table)->gaps = w.missing > 0;
    }
    close_all(&w);
    return status;
}
