/* Parses what a user writes for a method, [LABEL=]WHAT[:METRIC], into a path, a metric and a label.
 * All commands that take methods use this parser. */
#include "core/file.h"
#include "io/npz.h"
#include "library/methods.h"
#include "report/published.h"
#include "run/manifest.h"
#include "run/record.h"

#include <dirent.h>

/* ---- methods of a run ------------------------------------------------------------------- */

psb_status psb_methods_add_path(psb_methods *all, char *path, const psb_metric *metric,
                                psb_error *error) {
    psb_status status = path != NULL ? PSB_OK : psb_fail_memory(error, "a path", 1);
    PSB_ROOM(&status, all->paths, all->count, all->paths_room, "paths", error);
    PSB_ROOM(&status, all->asked, all->count, all->asked_room, "paths", error);
    if (status == PSB_OK) {
        all->asked[all->count] = (psb_asked){.metric = metric};
        all->paths[all->count++] = path;
    } else {
        free(path);
    }
    return status;
}

/* Adds RUN/matrices/NAME.matrix or, if the run has two sets, NAME.npy. */
static psb_status add_named(psb_methods *all, const char *run, const char *name, psb_error *error) {
    psb_status status = PSB_OK;
    char *path = psb_new_format(&status, error, "%s/matrices/%s%s", run, name, all->ending);
    return PSB_THEN(status, psb_methods_add_path(all, path, NULL, error));
}

/* Returns the row of the paper's Table 4 for the descriptor with this file name. */
static size_t place_of(const char *file) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    return psb_published_find(&psb_published_table4, name);
}

/* Sorts file names, given in alphabetical order, by the paper's table; names not in it come
 * last. */
static void sort_as_paper(struct dirent **entries, int count) {
    for (int i = 1; i < count; i++) {
        struct dirent *entry = entries[i];
        int at = i;
        for (; at > 0 && place_of(entries[at - 1]->d_name) > place_of(entry->d_name); at--) {
            entries[at] = entries[at - 1];
        }
        entries[at] = entry;
    }
}

static int is_matrix(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name &&
           (strcmp(dot, ".matrix") == 0 || strcmp(dot, ".npy") == 0);
}

/* Finds the state of the matrix of that name. If it is no file, the code that opens it reports
 * that. */
static psb_status judge(const psb_methods *all, const psb_results *results, const char *name,
                        psb_finding *found, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *file = psb_new_format(&status, error, "matrices/%s%s", name, all->ending);
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    PSB_THEN(status, psb_results_look(results, file, found, error));
    /* Without a manifest nothing is known of revisions; each matrix still has its own proof. */
    bool told = status == PSB_OK && psb_run_read_facts(results, &facts, NULL) == PSB_OK;
    const psb_descriptor_facts *of =
        told ? psb_manifest_find_stem(&facts, name, strlen(name)) : NULL;
    if (of != NULL) {
        psb_run_judge(of, found);
    }
    return status;
}

/* Adds the run's matrix that the user named; an unsound one is an error. */
static psb_status add_asked(psb_methods *all, const psb_results *results, const char *name,
                            psb_error *error) {
    psb_finding found = {.state = PSB_OUTPUT_OK};
    psb_label label;
    psb_status status = psb_run_method_label(name, &label, error);
    PSB_THEN(status, add_named(all, results->ledger.run, label.stem, error));
    if (status != PSB_OK || !psb_is_file(all->paths[all->count - 1])) {
        return status == PSB_OK ? psb_results_fail_absent(results, false, name, error) : status;
    }
    PSB_FREED char *file = psb_new_format(&status, error, "matrices/%s%s", label.stem, all->ending);
    PSB_THEN(status, psb_results_need(results, file, error));
    PSB_THEN(status, judge(all, results, label.stem, &found, error));
    return status != PSB_OK || found.state == PSB_OUTPUT_OK
               ? status
               : psb_fail_at(error, PSB_ERROR_INPUT, all->paths[all->count - 1], 0, "%s",
                             found.reason);
}

/* Adds a matrix of the run if it is sound; else reports it as left out. */
static psb_status add_found(psb_methods *all, const psb_results *results, const char *name,
                            psb_error *error) {
    psb_finding found;
    psb_status status = judge(all, results, name, &found, error);
    if (status != PSB_OK || found.state == PSB_OUTPUT_OK) {
        return status == PSB_OK ? add_named(all, results->ledger.run, name, error) : status;
    }
    PSB_FREED char *file = psb_new_format(&status, error, "matrices/%s%s", name, all->ending);
    if (status == PSB_OK) {
        psb_observer_left_out(&all->psb->observer, results->ledger.run, file, found.reason);
        all->left_out++;
    }
    return status;
}

/* True if the run has a matrix of that name, sound or not. */
static bool is_method(const psb_methods *all, const psb_results *results, const char *name) {
    psb_label label;
    psb_status status = psb_run_method_label(name, &label, NULL);
    PSB_FREED char *path = psb_new_format(&status, NULL, "%s/matrices/%s%s", results->ledger.run,
                                          label.stem, all->ending);
    return status == PSB_OK && psb_is_file(path);
}

/* ---- one method ------------------------------------------------------------------------- */

static bool is_file(const char *path) {
    return psb_is_file(path) || psb_npz_is(path);
}

/* True if something can be opened: a file, a folder, a member of an .npz, or two files "A,B". */
static bool is_there(const char *path) {
    char first[4096];
    size_t length = strcspn(path, ",");
    snprintf(first, sizeof first, "%.*s", (int)(length < sizeof first ? length : 0), path);
    return is_file(path) || psb_is_folder(path) ||
           (path[length] == ',' && is_file(first) && is_file(path + length + 1));
}

/* Adds the features of a run's method, under a metric that the user chose. */
static psb_status add_features(psb_methods *all, const psb_results *results, const char *name,
                               const psb_metric *metric, psb_error *error) {
    char *path = NULL;
    psb_status status = psb_run_method_path(results, true, name, &path, error);
    PSB_THEN(status, psb_methods_add_path(all, path, metric, error));
    if (status == PSB_OK) {
        all->asked[all->count - 1].named = true;
    }
    return status;
}

/* Finds what the features of the last method were made to be compared by. */
static psb_status find_metric(psb_methods *all, psb_error *error) {
    psb_asked *last = &all->asked[all->count - 1];
    PSB_AT_END(psb_subject_close) psb_subject subject = {0};
    psb_status status = psb_subject_find(all->paths[all->count - 1], NULL, false, &subject, error);
    if (status == PSB_OK && subject.metric != NULL) {
        /* A metric that only another client knows is none here. */
        (void)psb_metric_named(all->psb, subject.metric, &last->of_rows, NULL);
    }
    return status;
}

static bool has_features(const psb_results *results, const char *name) {
    psb_status status = PSB_OK;
    PSB_FREED char *file = psb_run_method_file(&status, true, name, NULL);
    return file != NULL && psb_ledger_find(&results->ledger, file) != NULL;
}

/* Adds a run's method or, with a metric or if the run made no matrix of them, its features; the
 * error for an unknown name lists all. */
static psb_status add_of_run(psb_methods *all, const psb_results *results, const char *name,
                             const psb_metric *metric, psb_error *error) {
    bool rows = metric == NULL && strcmp(all->ending, ".matrix") == 0 &&
                !is_method(all, results, name) && has_features(results, name);
    psb_status status = metric != NULL || rows ? add_features(all, results, name, metric, error)
                                               : add_asked(all, results, name, error);
    return status == PSB_OK && rows ? find_metric(all, error) : status;
}

/* Returns the method that a file of a run belongs to, as FOLDER/NAME.ENDING; NULL if the file is
 * another. */
static char *method_of(const psb_ledger_entry *entry, const char *folder, const char *ending,
                       psb_status *status, psb_error *error) {
    size_t before = strlen(folder);
    const char *dot = strrchr(entry->name, '.');
    return strncmp(entry->name, folder, before) == 0 && dot != NULL && strcmp(dot, ending) == 0
               ? psb_new_text(status, entry->name + before, (size_t)(dot - entry->name) - before,
                              "a name", error)
               : NULL;
}

/* Adds the rows that have a metric, of a run without matrices. */
static psb_status add_all_rows(psb_methods *all, const psb_results *results, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < results->ledger.count && all->streamed && status == PSB_OK; i++) {
        PSB_FREED char *name =
            method_of(&results->ledger.entries[i], "features/", ".npy", &status, error);
        if (name != NULL) {
            status = add_of_run(all, results, name, NULL, error);
        }
    }
    return status == PSB_OK && all->count == 0
               ? psb_fail_at(error, PSB_ERROR_IO, results->ledger.run, 0, "no matrices were kept%s",
                             all->streamed ? "" : "; name one of its methods, as RUN NAME")
               : status;
}

/* Reports the matrices that the run made and that are no longer there as left out. */
static psb_status tell_of_missing(psb_methods *all, const psb_results *results, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < results->ledger.count && status == PSB_OK; i++) {
        PSB_FREED char *name =
            method_of(&results->ledger.entries[i], "matrices/", all->ending, &status, error);
        if (name != NULL && !is_method(all, results, name)) {
            status = add_found(all, results, name, error);
        }
    }
    return status;
}

static psb_status add_all_of_run(psb_methods *all, const psb_results *results, psb_error *error) {
    const char *run = results->ledger.run;
    char *folder;
    psb_status status = psb_path_join(&folder, run, "matrices", error);
    struct dirent **entries = NULL;
    int count = status == PSB_OK ? scandir(folder, &entries, is_matrix, alphasort) : 0;
    if (status == PSB_OK && count <= 0) {
        free(entries);
        free(folder);
        status = tell_of_missing(all, results, error);
        return PSB_THEN(status, add_all_rows(all, results, error));
    }
    sort_as_paper(entries, count);
    for (int i = 0; i < count; i++) {
        if (status == PSB_OK) {
            *strrchr(entries[i]->d_name, '.') = '\0';
            status = add_found(all, results, entries[i]->d_name, error);
        }
        free(entries[i]);
    }
    PSB_THEN(status, tell_of_missing(all, results, error));
    if (status == PSB_OK && all->count == 0) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, folder, 0,
                             "no matrix is left; repeat the run's command to make them");
    }
    free(entries);
    free(folder);
    return status;
}

/* Adds methods of another run: all if `what` is RUN, one if it is RUN/NAME; sets *taken then. With
 * `must`, also if NAME is missing in the run, which is an error. */
static psb_status add_of_other(psb_methods *all, const char *what, const psb_metric *metric,
                               bool must, bool *taken, psb_error *error) {
    psb_status status = PSB_OK;
    const char *name = NULL, *ending = all->ending;
    bool whole = psb_is_folder(what) && psb_is_run(what);
    PSB_FREED char *part_of = NULL; /* the run of RUN/NAME */
    if (!whole) {
        status = psb_subject_split(what, &part_of, &name, error);
    }
    *taken = whole || (part_of != NULL && !is_there(what));
    if (*taken) {
        psb_results results;
        all->ending = ".matrix";
        PSB_THEN(status, psb_results_open(whole ? what : part_of, all->whole, &results, error));
        *taken = status != PSB_OK || whole || must || metric != NULL ||
                 is_method(all, &results, name) || has_features(&results, name);
        PSB_THEN_IF(status, *taken,
                    whole ? add_all_of_run(all, &results, error)
                          : add_of_run(all, &results, name, metric, error));
        psb_results_free(&results);
        all->ending = ending;
    }
    return status;
}

/* Adds WHAT, from which the metric was split off. */
static psb_status add_what(psb_methods *all, const psb_results *own, const char *what,
                           const psb_metric *metric, bool *taken, psb_error *error) {
    *taken = own != NULL && (is_method(all, own, what) || has_features(own, what));
    if (*taken) { /* a name in the run goes before a file of that name */
        return add_of_run(all, own, what, metric, error);
    }
    psb_status status = add_of_other(all, what, metric, false, taken, error);
    if (status == PSB_OK && !*taken && is_there(what)) {
        *taken = true;
        status = psb_results_check_file(what, all->whole, error);
        PSB_THEN(status, psb_methods_add_path(all, strdup(what), metric, error));
        PSB_THEN_IF(status, metric == NULL && psb_npy_may_be(what), find_metric(all, error));
    }
    return status;
}

/* Adds WHAT:METRIC, if the text as a whole names nothing that exists. */
static psb_status add_measured(psb_methods *all, const psb_results *own, const char *what,
                               bool *taken, psb_error *error) {
    const char *colon = strrchr(what, ':');
    const psb_metric *metric = NULL;
    psb_status status = PSB_OK;
    if (colon == NULL || colon == what) {
        return PSB_OK;
    }
    PSB_FREED char *front = psb_new_text(&status, what, (size_t)(colon - what), "a path", error);
    PSB_THEN(status, psb_metric_named(all->psb, colon + 1, &metric, error));
    bool known = metric != NULL;
    if (known) {
        PSB_THEN(status, add_what(all, own, front, metric, taken, error));
    } else {
        *taken = front != NULL && is_there(front); /* then the metric is the mistake */
    }
    return known || *taken ? status : PSB_OK;
}

/* Returns the length of LABEL in "LABEL=...", if the '=' stands before any ':' or '/'; else 0. */
static size_t label_length(const char *text) {
    size_t length = strcspn(text, "=:/");
    return text[length] == '=' && !is_there(text) ? length : 0;
}

static psb_status add_given(psb_methods *all, const psb_results *own, const char *text,
                            psb_error *error) {
    psb_status status = PSB_OK;
    size_t length = label_length(text), before = all->count;
    const char *what = text + length + (length > 0);
    bool taken = false;
    bool member = psb_npz_is(what) && !psb_is_file(what); /* also true for FILE.npz/NAME:METRIC */
    if (!member) {
        status = add_what(all, own, what, NULL, &taken, error);
    }
    PSB_THEN_IF(status, !taken, add_measured(all, own, what, &taken, error));
    PSB_THEN_IF(status, !taken && member, add_what(all, own, what, NULL, &taken, error));
    PSB_THEN_IF(status, !taken, add_of_other(all, what, NULL, true, &taken, error));
    size_t equals = strcspn(text, "="), end = strcspn(text + equals, ":");
    char *file = psb_new_text(&status, text + equals + (text[equals] != '\0'),
                              end > 0 ? end - 1 : 0, "a path", error);
    PSB_THEN_IF(status, !taken && length == 0 && is_there(file),
                psb_fail(error, PSB_ERROR_USAGE,
                         "%s: a label, before '=', may have no ':' or '/': give another", text));
    free(file);
    if (status == PSB_OK && !taken && own != NULL) {
        status = psb_results_fail_absent(own, false, what, error);
    } else if (status == PSB_OK && !taken) {
        status = psb_methods_add_path(all, strdup(what), NULL, error); /* opening it fails */
    }
    PSB_THEN_IF(
        status, length > 0 && all->count != before + 1,
        psb_fail(error, PSB_ERROR_USAGE,
                 "%s: a label is for one method, and this names %zu: write it as LABEL=RUN/NAME",
                 text, all->count - before));
    if (status == PSB_OK && length > 0) {
        psb_label label;
        char *given = psb_new_text(&status, text, length, "a label", error);
        PSB_THEN(status, psb_label_make(given, &label, error));
        all->asked[before].label = given;
    }
    return status;
}

psb_status psb_methods_find(psb_methods *all, const psb_methods_options *o, psb_error *error) {
    psb_status status = PSB_OK;
    psb_results results;
    if (all->of_run) {
        status = psb_results_open(o->queries, all->whole, &results, error);
        PSB_THEN(status, psb_results_need(&results, "models.cla", error));
    }
    if (o->exact != NULL) {
        PSB_THEN(status, psb_results_check_file(o->exact, all->whole, error));
        PSB_THEN(status, psb_methods_add_path(all, strdup(o->exact), NULL, error));
    }
    PSB_THEN_IF(status, all->of_run && o->nfiles == 0, add_all_of_run(all, &results, error));
    for (size_t i = 0; i < o->nfiles && status == PSB_OK; i++) {
        status = add_given(all, all->of_run ? &results : NULL, o->files[i], error);
    }
    if (all->of_run) {
        psb_results_free(&results);
    }
    return status;
}

/* ---- labels ----------------------------------------------------------------------------- */

/* Returns the part of a path that is `above` folders above the last part, and its *length; 0 if
 * there is none. `above` 0 means the file. */
static const char *part_of(const char *path, size_t above, size_t *length) {
    const char *end = path + strlen(path), *begin = end;
    for (;; above--) {
        for (begin = end; begin > path && begin[-1] != '/';) {
            begin--;
        }
        if (above == 0 || begin == path) {
            break;
        }
        end = begin - 1;
    }
    *length = above == 0 ? (size_t)(end - begin) : 0;
    return begin;
}

static char *stem_of(const char *path) {
    size_t length;
    const char *name = part_of(path, 0, &length), *dot = strrchr(name, '.');
    return strndup(name, dot != NULL && dot != name ? (size_t)(dot - name) : length);
}

/* Makes a label for one of several files with the same name: "LFD.npy", or the nearest folder that
 * tells it from the others, "LFD@old". free() it. */
static psb_status set_apart(const char *stem, const char *path, const char *const *others,
                            size_t count, char **label, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t above = 0; above < 64; above++) {
        size_t length, more;
        const char *part = part_of(path, above, &length);
        bool own = length > 0 && strspn(part, ".") < length; /* "." and ".." tell nothing */
        for (size_t i = 0; i < count && own; i++) {
            const char *other = part_of(others[i], above, &more);
            own = more != length || memcmp(other, part, length) != 0;
            /* Endings tell files apart only if both have one, since "SHD" alone could be either. */
            own = own && (above > 0 || (length > strlen(stem) && more > strlen(stem)));
        }
        if (own) {
            *label = above == 0
                         ? psb_new_text(&status, part, length, "a label", error)
                         : psb_new_format(&status, error, "%s@%.*s", stem, (int)length, part);
            return status;
        }
    }
    *label = psb_new_copy(&status, path, "a label", error);
    return status;
}

/* Returns the path that the run at hand has, or would have, for a method of that name. Allocates as
 * psb_new; free() it. */
static char *file_of_run(psb_status *status, const psb_methods *all, const char *name,
                         const psb_metric *metric, psb_error *error) {
    return metric != NULL
               ? psb_new_format(status, error, "%s/features/%s.npy", all->first_name, name)
               : psb_new_format(status, error, "%s/matrices/%s%s", all->first_name, name,
                                all->ending);
}

/* Sets all->stems[k], the method's label as long as it is unique: the name of its file and, if it
 * is features of a run, the metric, since the method of that name has a metric of its own. */
static psb_status name_one(psb_methods *all, size_t k, psb_error *error) {
    psb_status status = PSB_OK;
    psb_asked *asked = &all->asked[k];
    PSB_FREED char *stem = stem_of(all->paths[k]);
    if (stem == NULL) {
        return psb_fail_memory(error, "a label", strlen(all->paths[k]));
    }
    char *file = all->of_run ? file_of_run(&status, all, stem, asked->metric, error) : NULL;
    /* Compares paths first: a file that cannot be read for the moment is still the run's own. */
    asked->own =
        file != NULL && (strcmp(all->paths[k], file) == 0 || psb_is_same_file(all->paths[k], file));
    bool metric = asked->metric != NULL && (asked->own || asked->named);
    asked->rival = file != NULL && !asked->own && psb_is_file(file) ? file : NULL;
    all->stems[k] =
        psb_new_format(&status, error, "%s%s%s%s", stem, metric ? ":" : "",
                       metric ? asked->metric->name : "", all->reference != NULL ? "+co" : "");
    if (asked->rival == NULL) {
        free(file);
    }
    return status;
}

/* Sets all->labels[k]. A method of the run at hand keeps its name; others of that name say where
 * they come from. */
static psb_status label_one(psb_methods *all, size_t k, const char **others, psb_error *error) {
    psb_status status = PSB_OK;
    size_t same = 0, twins = 0;
    const psb_asked *asked = &all->asked[k];
    char *label =
        asked->label != NULL ? psb_new_copy(&status, asked->label, "a label", error) : NULL;
    if (asked->rival != NULL) {
        others[same++] = asked->rival;
    }
    for (size_t l = 0; l < all->count && asked->label == NULL && !asked->own; l++) {
        bool rival = asked->rival != NULL && all->asked[l].own; /* already in `others` */
        if (l != k && !rival && strcmp(all->stems[k], all->stems[l]) == 0) {
            bool twin = strcmp(all->paths[k], all->paths[l]) == 0;
            twins += twin;
            others[same] = all->paths[l];
            same += !twin;
        }
    }
    if (asked->label == NULL && same > 0) {
        status = set_apart(all->stems[k], all->paths[k], others, same, &label, error);
    } else if (asked->label == NULL) {
        label = psb_new_copy(&status, all->stems[k], "a label", error);
    }
    if (asked->rival != NULL && same == 1 && label != NULL && strchr(label, '/') != NULL) {
        free(label);
        label = psb_new_format(&status, error, "%s@given", all->stems[k]);
    }
    bool metric = twins > 0 && asked->metric != NULL && !asked->named;
    psb_text shown = {.data = NULL};
    psb_text_add_plain(&shown, label != NULL ? label : "");
    psb_text_printf(&shown, "%s%s", metric ? ":" : "", metric ? asked->metric->name : "");
    all->labels[k] = shown.data;
    free(label);
    return PSB_THEN(status, psb_text_status(&shown, error));
}

psb_status psb_methods_label(psb_methods *all, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED const char **others =
        psb_new(&status, all->count + 1, sizeof *others, "labels", error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = name_one(all, k, error);
    }
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = label_one(all, k, others, error);
    }
    return status;
}
