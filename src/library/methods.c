/* Opens classes, and methods in their order: matrices, features and lists from files, a run, or
 * memory. */
#include "library/methods.h"

#include "core/file.h"
#include "io/ids.h"
#include "io/listing.h"
#include "io/query_list.h"
#include "library/call.h"
#include "run/record.h"

static psb_status copy_classes(const psb_classification *from, psb_classification *to,
                               psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED bool *keep = psb_new(&status, from->nmodels, sizeof *keep, "models", error);
    if (status == PSB_OK) {
        memset(keep, 1, from->nmodels);
        status = psb_cla_subset(from, keep, to, error);
    }
    return status;
}

/* Reads RUN/SIDE.cla, after checking that it is as the run left it. */
static psb_status read_of_run(const char *run, const char *side, psb_classification *cla,
                              psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s.cla", run, side);
    PSB_THEN(status, psb_results_check_file(path, false, error));
    return PSB_THEN(status, psb_run_cla_read(run, side, cla, error));
}

psb_status psb_check_classes(const char *path, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *file =
        psb_new_format(&status, error, psb_is_run(path) ? "%s/models.cla" : "%s", path);
    return PSB_THEN(status, psb_results_check_file(file, false, error));
}

/* Reads classes from a run, .cla, table or folder; notes what was left out of a folder. */
static psb_status read_classes(const psb_methods_options *asked, const psb_methods *all,
                               const char *path, psb_classification *cla, psb_error *error) {
    const psb_collection_options of = {.classes_of = path,
                                       .split = asked->split,
                                       .id_column = asked->id_column,
                                       .class_column = asked->class_column};
    psb_dataset set = {.nsides = 0};
    PSB_AT_END(psb_listing_free) psb_listing listing = {0};
    psb_status status = psb_check_classes(path, error);
    PSB_THEN(status, psb_dataset_list(&of, &set.archive, cla, &listing, error));
    set.notes = listing.notes.data;
    psb_dataset_tell(&set, &all->psb->observer);
    psb_archive_close(set.archive);
    return status;
}

/* Reads the classes of a run; if it has two sets, those of queries and targets. */
static psb_status read_run(const psb_methods_options *asked, psb_methods *all, psb_error *error) {
    const char *run = asked->queries;
    psb_status status = PSB_OK;
    bool two = false;
    char *queries = psb_new_format(&status, error, "%s/queries.cla", run);
    PSB_THEN(status, psb_file_is_there(queries, &two, error));
    free(queries);
    all->ending = two ? ".npy" : ".matrix";
    if (two && all->memory == 0) {
        return psb_run_refuse_sides(run, error);
    }
    PSB_THEN(status, read_of_run(run, two ? "queries" : "models", &all->cla, error));
    if (two && asked->targets == NULL) {
        PSB_THEN(status, read_of_run(run, "targets", &all->other, error));
        all->targets = &all->other;
    }
    return status;
}

/* Reads queries and targets, and which targets are relevant for each query. */
static psb_status read_sets(const psb_methods_options *asked, psb_methods *all, psb_error *error) {
    all->targets = &all->cla;
    all->of_run = asked->queries != NULL && psb_is_run(asked->queries);
    psb_status status = asked->queries == NULL
                            ? copy_classes(&asked->models->set.cla, &all->cla, error)
                        : all->of_run ? read_run(asked, all, error)
                                      : read_classes(asked, all, asked->queries, &all->cla, error);
    if (status == PSB_OK && asked->targets != NULL &&
        !psb_is_same_file(all->first_name, asked->targets)) {
        status = read_classes(asked, all, asked->targets, &all->other, error);
        all->targets = &all->other;
    }
    if (status == PSB_OK && asked->level > 0) {
        status = psb_listing_cut(&all->cla, all->first_name, asked->level, error);
        PSB_THEN_IF(status, all->targets == &all->other,
                    psb_listing_cut(&all->other,
                                    asked->targets != NULL ? asked->targets : all->first_name,
                                    asked->level, error));
    }
    all->judged = all->targets == &all->other || asked->with_query || asked->qrels != NULL;
    if (status == PSB_OK && asked->qrels != NULL) {
        status = psb_relevance_by_qrels(asked->qrels, &all->cla, all->targets, asked->with_query,
                                        &all->relevance, error);
    } else if (status == PSB_OK) {
        status = psb_relevance_by_class(&all->cla, all->targets, asked->with_query, &all->relevance,
                                        error);
    }
    return status;
}

static void say_unnamed(const psb_methods *all, const char *classification) {
    if (all->unnamed > 0) {
        psb_observer_say(
            &all->psb->observer, PSB_NOTE,
            "rows of %zu of %zu files have no names (FILE.ids): taken in the order of %s%s",
            all->unnamed, all->count, classification, all->of_run ? "/models.cla" : "");
    }
}

/* Grows an array with an entry for each method from `before` to `count` entries. */
#define MAKE_ROOM(field)                                                                           \
    do {                                                                                           \
        void *memory = psb_new_zero(&status, count, sizeof *all->field, "methods", error);         \
        if (status == PSB_OK && before > 0) {                                                      \
            memcpy(memory, all->field, before * sizeof *all->field);                               \
        }                                                                                          \
        if (status == PSB_OK) {                                                                    \
            free((void *)(uintptr_t)all->field);                                                   \
            all->field = memory;                                                                   \
        }                                                                                          \
    } while (0)

static psb_status make_room(psb_methods *all, size_t before, size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    MAKE_ROOM(matrices);
    MAKE_ROOM(labels);
    MAKE_ROOM(stems);
    MAKE_ROOM(features);
    MAKE_ROOM(lists);
    return status;
}

static psb_status select_queries(const char *list, psb_methods *all, psb_error *error) {
    psb_status status = PSB_OK;
    all->selected =
        psb_new_zero(&status, all->cla.nmodels, sizeof *all->selected, "queries", error);
    if (status == PSB_OK && list != NULL) {
        all->listed =
            psb_new_zero(&status, all->cla.nmodels, sizeof *all->listed, "a query list", error);
        PSB_THEN(status, psb_query_list_read(list, &all->cla, all->listed, error));
    }
    if (status == PSB_OK) {
        all->queries = all->judged ? psb_select_judged(&all->relevance, all->listed, all->selected)
                                   : psb_select_queries(&all->cla, all->listed, all->selected);
    }
    return status;
}

psb_status psb_methods_need_queries(const psb_methods *all, psb_error *error) {
    if (all->queries == 0 && all->judged) {
        return psb_fail_at(error, PSB_ERROR_INPUT, all->first_name, 0,
                           "nothing is relevant for any of the queries%s: do ids differ?",
                           all->listed != NULL ? " that are listed" : "");
    }
    return all->queries > 0
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, all->first_name, 0,
                             "no %s has more than 2 models (class -1 aside), as averages need",
                             all->listed != NULL ? "listed query's class" : "class");
}

static psb_status open_all(const psb_methods_options *o, psb_methods *all, psb_error *error) {
    const psb_metric *metric = NULL;
    psb_status status =
        o->metric != NULL ? psb_metric_named(all->psb, o->metric, &metric, error) : PSB_OK;
    const char *first = o->queries != NULL ? o->queries : o->models->name;
    all->first_name = psb_new_copy(&status, first, "a name", error);
    PSB_THEN(status, read_sets(o, all, error));
    PSB_THEN(status, psb_methods_find(all, o, error));
    PSB_THEN(status, psb_methods_check_metric(all, metric, error));
    PSB_THEN(status, make_room(all, 0, all->count, error));
    PSB_THEN(status, psb_methods_label(all, error));
    PSB_THEN(status, select_queries(o->query_list, all, error));
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        const psb_asked *asked = &all->asked[k];
        status = psb_methods_open_one(all, k,
                                      asked->metric != NULL ? asked->metric
                                      : metric != NULL      ? metric
                                                            : asked->of_rows,
                                      error);
    }
    for (size_t k = 0; k < all->count && o->folder != NULL && status == PSB_OK; k++) {
        status = all->features[k].npy.rows > 0
                     ? PSB_OK
                     : psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                                   "not features, as parts need: leave out the folder");
    }
    if (status == PSB_OK) {
        say_unnamed(all, all->first_name);
    }
    return status;
}

static psb_status find_form(const char *name, psb_list_form *form, psb_error *error) {
    *form = name != NULL ? psb_lists_form(name) : PSB_LISTS_NONE;
    return name == NULL || *form != PSB_LISTS_NONE
               ? PSB_OK
               : psb_fail(
                     error, PSB_ERROR_USAGE,
                     "lists are of the form search, trec, shrec, shapenet or rows, not '%.80s'",
                     name);
}

/* Makes RUN and NAME of "RUN/NAME" in the place of the classes; free both of *run and *files. */
static psb_status split_first(psb_methods_options *of, char **run, const char ***files,
                              psb_error *error) {
    const char *name = NULL;
    psb_status status =
        of->queries != NULL ? psb_subject_split(of->queries, run, &name, error) : PSB_OK;
    if (status != PSB_OK || *run == NULL) {
        return status;
    }
    *files = psb_new(&status, of->nfiles + 1, sizeof **files, "methods", error);
    if (status == PSB_OK) {
        (*files)[0] = name;
        for (size_t i = 0; i < of->nfiles; i++) {
            (*files)[i + 1] = of->files[i];
        }
        of->queries = *run;
        of->files = *files;
        of->nfiles++;
    }
    return status;
}

psb_status psb_methods_open(psb_context *psb, const psb_methods_options *o, psb_methods **methods,
                            psb_error *error) {
    *methods = NULL;
    if (o == NULL || (o->queries == NULL) == (o->models == NULL) || (o->nfiles > 0 && !o->files)) {
        return psb_misuse(error, "methods need either a collection of models, or the file or run "
                                 "with the queries");
    }
    psb_status status = PSB_OK;
    psb_methods *all = psb_new_zero(&status, 1, sizeof *all, "methods", error);
    psb_methods_options of = *o;
    PSB_FREED const char **files = NULL;
    PSB_FREED char *run = NULL;
    if (status != PSB_OK) {
        return status;
    }
    all->psb = psb;
    all->threads = psb->threads;
    all->whole = o->verify;
    all->streamed = o->sources == PSB_ALL_SOURCES;
    all->reference = o->reference;
    all->parts = (psb_query_parts){.folder = o->folder,
                                   .part = {.index = o->part, .count = o->parts},
                                   .complete = o->complete};
    all->memory = o->sources == PSB_MATRICES ? 0 : o->memory > 0 ? o->memory : PSB_STREAM_MEMORY;
    status = find_form(o->lists, &all->form, error);
    PSB_THEN(status, split_first(&of, &run, &files, error));
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    PSB_THEN(status, open_all(&of, all, error));
    if (status != PSB_OK) {
        psb_methods_free(all);
        return status;
    }
    *methods = all;
    return PSB_OK;
}

/* ---- from memory ------------------------------------------------------------------------ */

/* Adds a method without contents. */
static psb_status add_label(psb_methods *all, const char *label, psb_error *error) {
    psb_status status = label != NULL ? PSB_OK : psb_misuse(error, "a method needs a label");
    size_t k = all->count;
    PSB_THEN(status, make_room(all, k, k + 1, error));
    PSB_THEN(status, psb_methods_add_path(all, strdup(label != NULL ? label : ""), NULL, error));
    if (status == PSB_OK) {
        all->stems[k] = psb_new_copy(&status, label, "a label", error);
        all->labels[k] = psb_new_copy(&status, label, "a label", error);
    }
    return status;
}

static psb_status check_count(const psb_methods *all, size_t n, size_t columns, psb_error *error) {
    return n == all->cla.nmodels && columns == all->targets->nmodels
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE,
                          "%zu x %zu, but there are %zu queries and %zu "
                          "targets",
                          n, columns, all->cla.nmodels, all->targets->nmodels);
}

psb_status psb_methods_add_matrix(psb_methods *all, const psb_matrix *matrix, const char *label,
                                  psb_error *error) {
    size_t *rows = NULL, *own = NULL, k = all->count;
    bool square = all->targets == &all->cla;
    psb_matrix copy = {.n = matrix->n, .data = matrix->data, .columns = matrix->columns};
    psb_status status = check_count(all, matrix->n, psb_matrix_columns(matrix), error);
    PSB_THEN(status, psb_ids_order("a matrix", &matrix->ids, &all->cla, &rows, error));
    PSB_THEN_IF(status, !square,
                psb_ids_order("a matrix", &matrix->column_ids, all->targets, &own, error));
    const size_t *columns = square ? rows : own;
    PSB_THEN_IF(status, rows != NULL || columns != NULL,
                psb_matrix_reorder(&copy, rows, columns, error));
    PSB_THEN(status, add_label(all, label, error));
    if (status == PSB_OK) {
        all->matrices[k] = copy;
        psb_methods_warn(all, &copy, label);
    } else {
        psb_matrix_close(&copy);
    }
    free(rows);
    free(own);
    return status;
}

psb_status psb_methods_add_rows(psb_methods *all, const psb_rows *rows, const char *metric,
                                const char *label, psb_error *error) {
    psb_matrix *matrix;
    psb_status status = psb_distances(all->psb, rows, metric, &matrix, error);
    PSB_THEN(status, psb_methods_add_matrix(all, matrix, label, error));
    if (status == PSB_OK && all->matrices[all->count - 1].owned == NULL) {
        all->matrices[all->count - 1].owned = matrix->owned;
        matrix->owned = NULL;
    }
    psb_matrix_free(matrix);
    return status;
}

size_t psb_methods_count(const psb_methods *all) {
    return all->count;
}

size_t psb_methods_left_out(const psb_methods *all) {
    return all->left_out;
}

void psb_methods_free(psb_methods *all) {
    if (all == NULL) {
        return;
    }
    for (size_t k = 0; k < all->count; k++) {
        if (all->lists != NULL) { /* the last array that make_room makes */
            psb_matrix_close(&all->matrices[k]);
            psb_feature_set_close(&all->features[k]);
            free(all->stems[k]);
            free((void *)(uintptr_t)all->labels[k]);
        }
        free(all->paths[k]);
        free(all->asked[k].label);
        free(all->asked[k].rival);
    }
    free(all->matrices);
    free(all->features);
    free(all->lists);
    free(all->stems);
    free((void *)(uintptr_t)all->labels);
    free(all->paths);
    free(all->asked);
    free(all->selected);
    free(all->listed);
    free(all->first_name);
    psb_relevance_free(&all->relevance);
    psb_cla_free(&all->cla);
    psb_cla_free(&all->other);
    free(all);
}
