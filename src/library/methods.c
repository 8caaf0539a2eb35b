/* Opening classes and, in their order, matrices, features and lists: of files, a run, or memory. */
#include "library/methods.h"

#include "core/element.h"
#include "core/error.h"
#include "core/file.h"
#include "core/linear.h"
#include "core/memory.h"
#include "io/ids.h"
#include "io/listing.h"
#include "io/query_list.h"
#include "pipeline/derived.h"
#include "pipeline/matrix_input.h"
#include "pipeline/results.h"
#include "pipeline/run_record.h"
#include "report/published.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which files ------------------------------------------------------------------------ */

static psb_status add_path(psb_methods *all, char *path, psb_error *error) {
    char **paths = realloc(all->paths, (all->count + 1) * sizeof *paths);
    if (paths == NULL || path == NULL) {
        free(path);
        all->paths = paths != NULL ? paths : all->paths;
        return psb_fail_memory(error, "paths", all->count * sizeof *paths);
    }
    all->paths = paths;
    all->paths[all->count++] = path;
    return PSB_OK;
}

/* RUN/matrices/NAME.matrix, or NAME.npy of two sets */
static psb_status add_named(psb_methods *all, const char *run, const char *name, psb_error *error) {
    psb_status status = PSB_OK;
    char *path = psb_new_format(&status, error, "%s/matrices/%s%s", run, name, all->ending);
    PSB_THEN(status, add_path(all, path, error));
    return status;
}

/* Where the paper's Table 4 has the descriptor of this file name. */
static size_t place_of(const char *file) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    return psb_published_find(&psb_published_table4, name);
}

/* From the alphabet's order to the paper's, what it does not have behind. */
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

/* The state of the matrix of that name; what is no file is left to who opens it. */
static psb_status judge(const psb_methods *all, const psb_results *results, const char *name,
                        psb_output_state *state, psb_error *error) {
    psb_status status = PSB_OK;
    char *file = psb_new_format(&status, error, "matrices/%s%s", name, all->ending);
    if (status == PSB_OK) {
        *state = psb_results_state(results, file);
    }
    free(file);
    return status;
}

/* What was asked for by its name has to be fine. */
static psb_status add_asked(psb_methods *all, const psb_results *results, const char *name,
                            psb_error *error) {
    psb_output_state state = PSB_OUTPUT_OK;
    char stem[256];
    psb_derived_stem(name, stem);
    psb_status status = add_named(all, results->ledger.run, stem, error);
    if (status == PSB_OK && psb_is_file(all->paths[all->count - 1])) {
        status = judge(all, results, stem, &state, error);
    } else if (status == PSB_OK) {
        status = psb_results_fail_matrix(results, name, error);
    }
    return state == PSB_OUTPUT_OK ? status
                                  : psb_fail_at(error, PSB_ERROR_INPUT, all->paths[all->count - 1],
                                                0, "%s", psb_output_state_reason(state));
}

/* Of all that are there, those that are fine. */
static psb_status add_found(psb_methods *all, const psb_results *results, const char *name,
                            psb_error *error) {
    psb_output_state state = PSB_OUTPUT_OK;
    psb_status status = judge(all, results, name, &state, error);
    if (status != PSB_OK || state == PSB_OUTPUT_OK) {
        return status == PSB_OK ? add_named(all, results->ledger.run, name, error) : status;
    }
    char *file = psb_new_format(&status, error, "matrices/%s%s", name, all->ending);
    if (status == PSB_OK) {
        psb_observer_left_out(&all->psb->observer, results->ledger.run, file,
                              psb_output_state_reason(state));
        all->left_out++;
    }
    free(file);
    return status;
}

static psb_status add_all_of_run(psb_methods *all, const psb_results *results, psb_error *error) {
    const char *run = results->ledger.run;
    char *folder;
    psb_status status = psb_path_join(&folder, run, "matrices", error);
    struct dirent **entries = NULL;
    int count = status == PSB_OK ? scandir(folder, &entries, is_matrix, alphasort) : 0;
    if (status == PSB_OK && count <= 0) {
        status = psb_fail_at(error, PSB_ERROR_IO, run, 0, "the run kept no matrices");
    }
    sort_as_paper(entries, count);
    for (int i = 0; i < count; i++) {
        if (status == PSB_OK) {
            *strrchr(entries[i]->d_name, '.') = '\0';
            status = add_found(all, results, entries[i]->d_name, error);
        }
        free(entries[i]);
    }
    if (status == PSB_OK && all->count == 0) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, folder, 0,
                             "no matrix is left; the run's command, given again, makes them");
    }
    free(entries);
    free(folder);
    return status;
}

static psb_status find_in_run(const psb_methods_options *o, psb_methods *all, psb_error *error) {
    psb_results results;
    psb_status status = psb_results_open(o->queries, all->whole, &results, error);
    PSB_THEN(status, psb_results_need(&results, "models.cla", error));
    if (status == PSB_OK && o->nfiles == 0) {
        status = add_all_of_run(all, &results, error);
    }
    for (size_t i = 0; i < o->nfiles && status == PSB_OK; i++) {
        status = add_asked(all, &results, o->files[i], error);
    }
    psb_results_free(&results);
    return status;
}

/* A file, a folder of lists or, of another run, all matrices. */
static psb_status add_given(psb_methods *all, const char *path, psb_error *error) {
    psb_status status = PSB_OK;
    char *ledger = psb_new_format(&status, error, "%s/provenance.tsv", path);
    bool run = status == PSB_OK && psb_is_file(ledger);
    free(ledger);
    if (!run) {
        return status == PSB_OK ? add_path(all, strdup(path), error) : status;
    }
    psb_results results;
    status = psb_results_open(path, all->whole, &results, error);
    all->ending = ".matrix";
    PSB_THEN(status, add_all_of_run(all, &results, error));
    psb_results_free(&results);
    return status;
}

static psb_status find_files(const psb_methods_options *o, psb_methods *all, psb_error *error) {
    psb_status status = PSB_OK;
    if (o->queries != NULL && psb_is_folder(o->queries)) {
        return find_in_run(o, all, error);
    }
    if (o->exact != NULL) {
        status = add_path(all, strdup(o->exact), error);
    }
    for (size_t i = 0; i < o->nfiles && status == PSB_OK; i++) {
        status = add_given(all, o->files[i], error);
    }
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = psb_results_check_file(all->paths[k], all->whole, error);
    }
    return status;
}

static psb_status copy_classes(const psb_classification *from, psb_classification *to,
                               psb_error *error) {
    psb_status status = PSB_OK;
    bool *keep = psb_new(&status, from->nmodels, sizeof *keep, "models", error);
    if (status == PSB_OK) {
        memset(keep, 1, from->nmodels);
        status = psb_cla_subset(from, keep, to, error);
    }
    free(keep);
    return status;
}

/* RUN/NAME.cla. */
static psb_status read_of_run(const char *run, const char *name, psb_classification *cla,
                              psb_error *error) {
    char *path;
    psb_status status = psb_path_join(&path, run, name, error);
    PSB_THEN(status, psb_cla_read(path, cla, error));
    free(path);
    return status;
}

/* What a run's folder says by itself: both sides, where it is of two sets. */
static psb_status read_run(const psb_methods_options *asked, psb_methods *all, psb_error *error) {
    const char *run = asked->queries;
    psb_text queries = {0};
    psb_text_printf(&queries, "%s/queries.cla", run);
    psb_status status = psb_text_status(&queries, error);
    bool two = status == PSB_OK && psb_is_file(queries.data);
    psb_text_free(&queries);
    all->ending = two ? ".npy" : ".matrix";
    if (two && all->memory == 0) {
        return psb_run_refuse_sides(run, error);
    }
    PSB_THEN(status, read_of_run(run, two ? "queries.cla" : "models.cla", &all->cla, error));
    if (two && asked->targets == NULL) {
        PSB_THEN(status, read_of_run(run, "targets.cla", &all->other, error));
        all->targets = &all->other;
    }
    return status;
}

/* Queries, targets, and what is relevant for whom. */
static psb_status read_sets(const psb_methods_options *asked, psb_methods *all, psb_error *error) {
    all->targets = &all->cla;
    psb_status status =
        asked->queries == NULL          ? copy_classes(&asked->models->set.cla, &all->cla, error)
        : psb_is_folder(asked->queries) ? read_run(asked, all, error)
                                        : psb_cla_read(asked->queries, &all->cla, error);
    if (status == PSB_OK && asked->targets != NULL &&
        !psb_is_same_file(all->first_name, asked->targets)) {
        status = psb_cla_read(asked->targets, &all->other, error);
        all->targets = &all->other;
    }
    if (status == PSB_OK && asked->level > 0) {
        status = psb_listing_cut(&all->cla, all->first_name, asked->level, &all->uncut_cla, error);
        if (status == PSB_OK && all->targets == &all->other) {
            status = psb_listing_cut(&all->other,
                                     asked->targets != NULL ? asked->targets : all->first_name,
                                     asked->level, &all->uncut_other, error);
        }
    }
    all->judged = all->targets == &all->other || asked->with_query || asked->qrels != NULL;
    if (status == PSB_OK && asked->qrels != NULL) {
        status = psb_relevance_by_qrels(asked->qrels, &all->cla, all->targets, asked->with_query,
                                        &all->relevance, error);
    } else if (status == PSB_OK && all->judged) {
        status = psb_relevance_by_class(&all->cla, all->targets, asked->with_query, &all->relevance,
                                        error);
    }
    return status;
}

/* ---- labels ----------------------------------------------------------------------------- */

static char *stem_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));
}

static psb_status label(psb_methods *all, psb_error *error) {
    for (size_t k = 0; k < all->count; k++) {
        all->stems[k] = stem_of(all->paths[k]);
        if (all->stems[k] == NULL) {
            return psb_fail_memory(error, "a label", strlen(all->paths[k]));
        }
    }
    psb_status status = PSB_OK;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        size_t same = 0;
        for (size_t l = 0; l < all->count; l++) {
            same += strcmp(all->stems[k], all->stems[l]) == 0;
        }
        psb_text label = {.data = NULL};
        psb_text_add_plain(&label, same == 1 ? all->stems[k] : all->paths[k]);
        all->labels[k] = label.data;
        status = psb_text_status(&label, error);
    }
    return status;
}

/* ---- contents --------------------------------------------------------------------------- */

/*
 * A matrix does not say which models it is about, but a run's folder does: where DIR/x/FILE has a
 * DIR/models.cla, the models must be the classification's, in its order. *told where it has.
 */
static psb_status check_order(const char *path, const psb_classification *cla, bool *told,
                              psb_error *error) {
    psb_status status = PSB_OK;
    const char *slash = strrchr(path, '/');
    char *beside =
        psb_new_format(&status, error, "%.*s/../models.cla",
                       slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    psb_classification own = {0};
    *told = status == PSB_OK && psb_is_file(beside);
    if (*told) {
        status = psb_cla_read(beside, &own, error);
        for (size_t i = 0; i < own.nmodels && i < cla->nmodels && status == PSB_OK; i++) {
            if (strcmp(own.models[i], cla->models[i]) != 0) {
                status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                     "row %zu is model %.40s, says %s; in the classification it is "
                                     "model %.40s",
                                     i, own.models[i], beside, cla->models[i]);
            }
        }
        psb_cla_free(&own);
    }
    free(beside);
    return status;
}

static bool is_npy(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".npy") == 0;
}

/* A metric without features to apply it to is a mistake. */
static psb_status check_metric(const psb_methods *all, const psb_metric *metric, psb_error *error) {
    bool any = metric == NULL;
    for (size_t k = 0; k < all->count; k++) {
        any = any || is_npy(all->paths[k]);
    }
    return any ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE, "metric %s: no file of features (.npy)",
                          metric->name);
}

/* What rows are that have no names: in the order of the file of a side that was cut, else none. */
static psb_ids names_of(const psb_methods *all, const psb_classification *side) {
    const psb_classification *uncut = side == &all->other ? &all->uncut_other : &all->uncut_cla;
    return (psb_ids){.count = uncut->nmodels, .names = uncut->models};
}

/*
 * The order in which the names beside a file say that its rows stand, see psb_ids_order. Without
 * names rows are taken to be in the classification's, which is said in the end. The columns of a
 * rectangle have names of their own, FILE.columns.ids.
 */
static psb_status find_order(psb_methods *all, const char *path, const char *more,
                             const psb_classification *cla, size_t **order, psb_error *error) {
    psb_ids ids = {0};
    psb_text names = {0};
    bool told = false;
    *order = NULL;
    psb_text_printf(&names, "%s%s", path, more);
    psb_status status = psb_text_status(&names, error);
    PSB_THEN(status, psb_ids_read(names.data, &ids, error));
    if (status == PSB_OK && ids.count > 0) {
        status = psb_ids_order(path, &ids, cla, order, error);
    } else if (status == PSB_OK) {
        psb_ids listed = names_of(all, cla);
        status = all->judged
                     ? PSB_OK
                     : check_order(path, listed.count > 0 ? &all->uncut_cla : cla, &told, error);
        all->unnamed += !told;
        PSB_THEN(status, psb_ids_order(path, &listed, cla, order, error));
    }
    psb_ids_free(&ids);
    psb_text_free(&names);
    return status;
}

/* Features that are to be streamed may not fit into memory a second time. */
static psb_status reorder_features(const psb_methods *all, size_t k, const size_t *order,
                                   psb_error *error) {
    psb_npy *npy = &all->features[k].npy;
    size_t bytes = npy->rows * npy->columns * psb_element_bytes(npy->element);
    if (bytes > all->memory) {
        return psb_fail_at(
            error, PSB_ERROR_USAGE, all->paths[k], 0,
            "its rows are in another order than the classification, and in the right "
            "one their %zu bytes do not fit into %zu of memory",
            bytes, all->memory);
    }
    return psb_npy_reorder(npy, order, error);
}

static psb_status open_features(psb_methods *all, size_t k, const psb_metric *metric,
                                psb_error *error) {
    size_t *order;
    psb_status status = find_order(all, all->paths[k], "", &all->cla, &order, error);
    PSB_THEN(status, psb_feature_set_open(all->paths[k], all->cla.nmodels, metric,
                                          &all->features[k], error));
    if (status == PSB_OK && order != NULL) {
        status = reorder_features(all, k, order, error);
    }
    free(order);
    return status;
}

/* Row i is far from itself, or everything is equally far: that can be ranked, but hardly is meant.
 */
static void warn_of_doubts(const psb_methods *all, const psb_matrix *m, const char *name) {
    size_t columns = psb_matrix_columns(m), end = m->n * columns, far = 0, equal;
    bool square = all->targets == &all->cla;
    while (square && far < m->n && m->data[far * columns + far] == 0) {
        far++;
    }
    if (square && far < m->n) {
        psb_observer_say(&all->psb->observer, PSB_WARNING,
                         "%s: row %zu, column %zu is %g, where a model's distance to itself is 0: "
                         "are these distances?",
                         name, far, far, (double)m->data[far * columns + far]);
    }
    size_t first = square; /* behind the diagonal's first */
    for (equal = first; equal < end && (m->data[equal] == m->data[first] ||
                                        (square && equal % (columns + 1) == 0));) {
        equal++;
    }
    if (equal == end && end > first + 1) {
        psb_observer_say(&all->psb->observer, PSB_WARNING,
                         "%s: all distances are %g, as row 0, column %zu: ranks are the order of "
                         "the classification",
                         name, (double)m->data[first], first);
    }
}

static psb_status open_distances(psb_methods *all, size_t k, const psb_metric *metric,
                                 psb_error *error) {
    const char *path = all->paths[k];
    size_t *rows, *own = NULL, unnamed = all->unnamed;
    psb_status status = find_order(all, path, "", &all->cla, &rows, error);
    bool square = all->targets == &all->cla;
    if (status == PSB_OK && !square) {
        status = find_order(all, path, ".columns", all->targets, &own, error);
    }
    all->unnamed = all->unnamed > unnamed ? unnamed + 1 : unnamed; /* one file, on both sides */
    const size_t *columns = square ? rows : own;
    PSB_THEN(status, psb_matrix_open(path, all->cla.nmodels, all->targets->nmodels, metric,
                                     all->threads, &all->matrices[k], error));
    if (status == PSB_OK && (rows != NULL || columns != NULL)) {
        status = psb_matrix_reorder(&all->matrices[k], rows, columns, error);
    }
    if (status == PSB_OK) {
        warn_of_doubts(all, &all->matrices[k], path);
    }
    free(rows);
    free(own);
    return status;
}

/* "A.npy,B.npy": features of queries and targets. */
static psb_status open_pair(psb_methods *all, size_t k, const psb_metric *metric,
                            psb_error *error) {
    psb_matrix_sides sides = {.metric = metric,
                              .queries = &all->cla,
                              .targets = all->targets,
                              .query_names = names_of(all, &all->cla),
                              .target_names = names_of(all, all->targets),
                              .threads = all->threads,
                              .memory = all->memory};
    psb_status status = psb_matrix_between(all->paths[k], &sides, &all->matrices[k], error);
    all->unnamed += status == PSB_OK && sides.unnamed;
    return status;
}

/* Lists that count rows mean those of the files, which a cut may have moved. */
static psb_status check_rows(const psb_methods *all, size_t k, psb_error *error) {
    bool counts = all->lists[k] == PSB_LISTS_ROWS ||
                  (all->lists[k] == PSB_LISTS_SEARCH && psb_neighbors_by_row(all->paths[k]));
    const psb_classification *sides[] = {&all->cla, all->targets};
    psb_status status = PSB_OK;
    for (size_t s = 0; s < 2 && counts && status == PSB_OK; s++) {
        psb_ids listed = names_of(all, sides[s]);
        size_t *order;
        status = psb_ids_order(all->first_name, &listed, sides[s], &order, error);
        if (status == PSB_OK && order != NULL) {
            status = psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                                 "lists of rows instead of names, and a class of that level is in "
                                 "several places of the classification");
        }
        free(order);
    }
    return status;
}

static psb_status open_matrix(psb_methods *all, size_t k, const psb_metric *metric,
                              psb_error *error) {
    if (all->memory > 0) {
        all->lists[k] = all->form != PSB_LISTS_NONE ? all->form : psb_lists_detect(all->paths[k]);
    }
    if (all->lists[k] != PSB_LISTS_NONE) {
        return check_rows(all, k, error);
    }
    bool features = metric != NULL && is_npy(all->paths[k]);
    if (features && all->targets != &all->cla) {
        return open_pair(all, k, metric, error);
    }
    return features && all->streamed && !all->judged
               ? open_features(all, k, metric, error)
               : open_distances(all, k, features ? metric : NULL, error);
}

static void say_unnamed(const psb_methods *all, const char *classification) {
    if (all->unnamed > 0) {
        psb_observer_say(&all->psb->observer, PSB_NOTE,
                         "no names beside the rows of %zu of %zu files (FILE.ids): taken to be in "
                         "the order of %s",
                         all->unnamed, all->count, classification);
    }
}

/* Room for what belongs to each of `count` methods, of which there were `before`. */
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
                           "nothing is relevant for any of the queries%s",
                           all->listed != NULL ? " that are listed" : "");
    }
    return all->queries > 0
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, all->first_name, 0,
                             "no class takes part: averages are over classes of more than 2 models "
                             "that are not miscellaneous%s",
                             all->listed != NULL ? ", and over queries that are listed" : "");
}

static psb_status open_all(const psb_methods_options *o, psb_methods *all, psb_error *error) {
    const psb_metric *metric = NULL;
    psb_status status =
        o->metric != NULL ? psb_metric_named(all->psb, o->metric, NULL, &metric, error) : PSB_OK;
    const char *first = o->queries != NULL ? o->queries : o->models->name;
    all->first_name = psb_new_text(&status, first, strlen(first), "a name", error);
    PSB_THEN(status, read_sets(o, all, error));
    PSB_THEN(status, find_files(o, all, error));
    PSB_THEN(status, check_metric(all, metric, error));
    PSB_THEN(status, make_room(all, 0, all->count, error));
    PSB_THEN(status, label(all, error));
    PSB_THEN(status, select_queries(o->query_list, all, error));
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = open_matrix(all, k, metric, error);
    }
    for (size_t k = 0; k < all->count && o->folder != NULL && status == PSB_OK; k++) {
        status = all->features[k].npy.rows > 0
                     ? PSB_OK
                     : psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                                   "a folder of parts is for features, and this is none");
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

static psb_status gather(psb_context *psb, const psb_methods_options *o, bool lists, bool streamed,
                         psb_methods **methods, psb_error *error) {
    *methods = NULL;
    if (o == NULL || (o->queries == NULL) == (o->models == NULL) || (o->nfiles > 0 && !o->files)) {
        return psb_misuse(error, "methods need either a collection of models, or the file or run "
                                 "with the queries");
    }
    psb_status status = PSB_OK;
    psb_methods *all = psb_new_zero(&status, 1, sizeof *all, "methods", error);
    if (status != PSB_OK) {
        return status;
    }
    all->psb = psb;
    all->threads = psb->threads;
    all->whole = o->verify;
    all->streamed = streamed;
    all->parts = (psb_query_parts){.folder = o->folder,
                                   .part = {.index = o->part, .count = o->parts},
                                   .complete = o->complete};
    all->memory = !lists ? 0 : o->memory > 0 ? o->memory : PSB_STREAM_MEMORY;
    status = find_form(o->lists, &all->form, error);
    PSB_THEN(status, psb_linear_enter(error));
    if (status == PSB_OK) {
        status = open_all(o, all, error);
        psb_linear_leave();
    }
    if (status != PSB_OK) {
        psb_methods_free(all);
        return status;
    }
    *methods = all;
    return PSB_OK;
}

psb_status psb_methods_gather(psb_context *psb, const psb_methods_options *options, bool lists,
                              psb_methods **methods, psb_error *error) {
    return gather(psb, options, lists, false, methods, error);
}

psb_status psb_methods_open(psb_context *psb, const psb_methods_options *options,
                            psb_methods **methods, psb_error *error) {
    return gather(psb, options, true, true, methods, error);
}

/* ---- from memory ------------------------------------------------------------------------ */

/* One more, without contents. */
static psb_status add_label(psb_methods *all, const char *label, psb_error *error) {
    psb_status status = label != NULL ? PSB_OK : psb_misuse(error, "a method needs a label");
    size_t k = all->count;
    PSB_THEN(status, make_room(all, k, k + 1, error));
    PSB_THEN(status, add_path(all, strdup(label != NULL ? label : ""), error));
    if (status == PSB_OK) {
        all->stems[k] = psb_new_text(&status, label, strlen(label), "a label", error);
        all->labels[k] = psb_new_text(&status, label, strlen(label), "a label", error);
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
    psb_ids row_names = matrix->ids.count > 0 ? matrix->ids : names_of(all, &all->cla);
    psb_ids column_names =
        matrix->column_ids.count > 0 ? matrix->column_ids : names_of(all, all->targets);
    PSB_THEN(status, psb_ids_order("a matrix", &row_names, &all->cla, &rows, error));
    if (status == PSB_OK && !square) {
        status = psb_ids_order("a matrix", &column_names, all->targets, &own, error);
    }
    const size_t *columns = square ? rows : own;
    if (status == PSB_OK && (rows != NULL || columns != NULL)) {
        status = psb_matrix_reorder(&copy, rows, columns, error);
    }
    PSB_THEN(status, add_label(all, label, error));
    if (status == PSB_OK) {
        all->matrices[k] = copy;
        warn_of_doubts(all, &copy, label);
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
    if (status == PSB_OK) {
        status = psb_methods_add_matrix(all, matrix, label, error);
    }
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
        if (all->lists != NULL) { /* the last that there is room for */
            psb_matrix_close(&all->matrices[k]);
            psb_feature_set_close(&all->features[k]);
            free(all->stems[k]);
            free((void *)(uintptr_t)all->labels[k]);
        }
        free(all->paths[k]);
    }
    free(all->matrices);
    free(all->features);
    free(all->lists);
    free(all->stems);
    free((void *)(uintptr_t)all->labels);
    free(all->paths);
    free(all->selected);
    free(all->listed);
    free(all->first_name);
    psb_relevance_free(&all->relevance);
    psb_cla_free(&all->cla);
    psb_cla_free(&all->other);
    psb_cla_free(&all->uncut_cla);
    psb_cla_free(&all->uncut_other);
    free(all);
}
