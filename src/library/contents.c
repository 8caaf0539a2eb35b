/* Reads matrices, features and lists of methods, and sorts them in the order of the classes. */
#include "core/element.h"
#include "core/file.h"
#include "core/vector.h"
#include "io/npz.h"
#include "library/methods.h"
#include "proof/matrix_input.h"
#include "run/record.h"
#include "stream/cohort_levels.h"

/* A matrix does not name its models, but a run's folder does: if DIR/x/FILE has a DIR/models.cla,
 * checks that this has the classification's models in the order of its file. *told: it exists. */
static psb_status check_order(const char *path, const psb_classification *cla, bool *told,
                              psb_error *error) {
    psb_status status = PSB_OK;
    const char *slash = strrchr(path, '/');
    PSB_FREED char *beside =
        psb_new_format(&status, error, "%.*s/../models.cla",
                       slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    psb_classification own = {0};
    *told = false;
    PSB_THEN(status, psb_file_is_there(beside, told, error));
    if (*told) {
        status = psb_results_read_cla(beside, &own, error);
        for (size_t i = 0; i < cla->nmodels && status == PSB_OK; i++) {
            size_t row = cla->row != NULL ? cla->row[i] : i;
            if (row < own.nmodels && strcmp(own.models[row], cla->models[i]) != 0) {
                status = psb_fail_at(
                    error, PSB_ERROR_INPUT, path, 0,
                    "row %zu is model %.40s by %s, but model %.40s in the classification; give "
                    "that list as the classes, or names beside the rows (FILE.ids)",
                    row, own.models[row], beside, cla->models[i]);
            }
        }
        psb_cla_free(&own);
    }
    return status;
}

/* Refuses a metric if no method has features to apply it to. */
psb_status psb_methods_check_metric(const psb_methods *all, const psb_metric *metric,
                                    psb_error *error) {
    bool any = metric == NULL;
    for (size_t k = 0; k < all->count; k++) {
        any = any || psb_npy_may_be(all->paths[k]);
    }
    return any ? PSB_OK
               : psb_fail(
                     error, PSB_ERROR_USAGE,
                     "metric %s is for features (.npy, .npz, .csv, .tsv, .txt), and %s is none: "
                     "name some, or leave the metric out",
                     metric->name, all->count > 0 ? all->paths[0] : "an empty list");
}

/*
 * Finds the order of a file's rows (psb_ids_order) from names within it, else from names beside it;
 * without names they are in the order of the classes' file, which a note tells at the end. The
 * columns of a rectangle have names of their own, FILE.columns.ids.
 */
static psb_status find_order(psb_methods *all, const char *path, const char *more,
                             const psb_ids *within, const psb_classification *cla, size_t **order,
                             psb_error *error) {
    PSB_AT_END(psb_ids_free) psb_ids ids = {0};
    PSB_AT_END(psb_text_free) psb_text names = {0};
    bool told = false;
    *order = NULL;
    if (within->count > 0) {
        return psb_ids_order(path, within, cla, order, error);
    }
    psb_text_printf(&names, "%s%s", path, more);
    psb_status status = psb_text_status(&names, error);
    PSB_THEN(status, psb_ids_read(names.data, &ids, error));
    if (status == PSB_OK && ids.count == 0) {
        status = all->judged ? PSB_OK : check_order(path, cla, &told, error);
        all->unnamed += !told;
    }
    return PSB_THEN(status, psb_ids_order(path, &ids, cla, order, error));
}

/* Sorts the features' rows; fails if a second copy of them does not fit into memory. */
static psb_status reorder_features(const psb_methods *all, size_t k, const size_t *order,
                                   psb_error *error) {
    psb_npy *npy = &all->features[k].npy;
    size_t bytes = npy->rows * npy->columns * psb_element_bytes(npy->element);
    if (bytes > all->memory) {
        return psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                           "its rows are in another order than the classification, and in the "
                           "right one their %zu bytes do not fit into %zu of memory",
                           bytes, all->memory);
    }
    return psb_npy_reorder(npy, order, error);
}

/* Finds the levels of the features' rows, now in the order of the models, from the reference's
 * rows. */
static psb_status find_levels(const psb_methods *all, size_t k, psb_error *error) {
    psb_feature_set *set = &all->features[k];
    psb_rows *rows = NULL;
    psb_status status =
        psb_rows_of_reference(all->psb, all->reference, all->paths[k], &rows, error);
    if (status != PSB_OK) {
        return status;
    }
    status = psb_within(rows->path, psb_metric_fit(set->metric, &rows->npy, error), error);
    const psb_cohort_member member = {set->metric, psb_npy_rows(&set->npy),
                                      psb_npy_rows(&rows->npy)};
    const psb_cohort cohort = {.path = rows->path,
                               .members = &member,
                               .count = 1,
                               .names = rows->ids.names != NULL ? all->cla.models : NULL,
                               .reference_names = rows->ids.names,
                               .same = rows->ids.names == NULL &&
                                       psb_is_same_file(all->paths[k], rows->path),
                               .threads = all->threads};
    PSB_THEN(status, psb_npy_check_alike(rows->path, &rows->npy, all->paths[k], &set->npy, error));
    set->level = psb_new(&status, set->npy.rows, sizeof *set->level, "a cohort", error);
    PSB_THEN(status,
             psb_within(all->paths[k], psb_cohort_levels(&cohort, set->level, error), error));
    psb_rows_free(rows);
    return status;
}

/* Returns whether there are several rows, and all have the same bytes. */
static bool are_alike(const psb_npy *npy) {
    size_t bytes = npy->columns * psb_element_bytes(npy->element), i = 1;
    while (i < npy->rows && memcmp((const char *)npy->data + i * bytes, npy->data, bytes) == 0) {
        i++;
    }
    return npy->rows > 1 && i == npy->rows;
}

static psb_status open_features(psb_methods *all, size_t k, const psb_metric *metric,
                                psb_error *error) {
    PSB_FREED size_t *order = NULL;
    PSB_AT_END(psb_ids_free) psb_ids ids = {0};
    const char *path = all->paths[k];
    psb_npy *npy = &all->features[k].npy;
    psb_status status =
        psb_feature_set_open(path, all->cla.nmodels, metric, &all->features[k], error);
    PSB_THEN(status, psb_ids_of_rows(path, npy, &ids, error));
    PSB_THEN(status, find_order(all, path, "", &ids, &all->cla, &order, error));
    if (status == PSB_OK && are_alike(npy)) {
        psb_observer_say(&all->psb->observer, PSB_WARNING,
                         "%s: all rows are the same, so all distances are 0: ranks are the order "
                         "of the classification",
                         path);
    }
    PSB_THEN_IF(status, order != NULL, reorder_features(all, k, order, error));
    return PSB_THEN_IF(status, all->reference != NULL, find_levels(all, k, error));
}

/* True if row i's distance to itself is larger than rounding explains, as it is for 1 - cosine. */
static bool is_far(const float *row, size_t columns, size_t i) {
    double most = 0;
    for (size_t j = 0; j < columns && row[i] != 0; j++) {
        most = psb_max(most, (double)row[j]);
    }
    return (double)row[i] > 1e-5 * most;
}

/* Warns of distances that can be ranked, but that are hardly meant: a row is far from itself, or
 * all are equal. */
static void warn_of_doubts(const psb_methods *all, const psb_matrix *m, const char *name) {
    size_t columns = psb_matrix_columns(m), end = m->n * columns, far = 0, equal;
    bool square = all->targets == &all->cla;
    while (square && far < m->n && !is_far(m->data + far * columns, columns, far)) {
        far++;
    }
    if (square && far < m->n) {
        psb_observer_say(&all->psb->observer, PSB_WARNING,
                         "%s: row %zu, column %zu is %g, where a model's distance to itself is 0: "
                         "are these distances? Write similarities as 1 - s",
                         name, far, far, (double)m->data[far * columns + far]);
    }
    size_t first = square; /* for a square, after the first diagonal entry */
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

void psb_methods_tell_chance(const psb_methods *all, const psb_chance *chance, const char *name) {
    psb_luck luck = psb_chance_judge(chance);
    if (luck != PSB_LUCK_NONE) {
        psb_observer_say(&all->psb->observer, PSB_WARNING,
                         "%s: %s than chance (nearest neighbor %.1f %%, chance %.1f %%): %s?", name,
                         luck == PSB_LUCK_SAME ? "no better" : "worse",
                         100 * chance->hits / (double)chance->queries,
                         100 * chance->expected / (double)chance->queries,
                         luck == PSB_LUCK_SAME
                             ? "are its rows in the models' order, and its classes kinds of shapes"
                             : "are these distances");
    }
}

/* Warns of distances that can be ranked, but are hardly meant. */
void psb_methods_warn(const psb_methods *all, const psb_matrix *m, const char *name) {
    psb_chance chance = {0};
    warn_of_doubts(all, m, name);
    psb_chance_add_matrix(&chance, &all->relevance, m, all->selected);
    psb_methods_tell_chance(all, &chance, name);
}

static psb_status open_distances(psb_methods *all, size_t k, const psb_metric *metric,
                                 psb_error *error) {
    const char *path = all->paths[k];
    size_t *rows = NULL, *own = NULL, unnamed = all->unnamed;
    psb_matrix *m = &all->matrices[k];
    bool square = all->targets == &all->cla;
    psb_status status = psb_matrix_open(path, all->cla.nmodels, all->targets->nmodels, metric,
                                        all->threads, m, error);
    PSB_THEN_IF(status, square, psb_matrix_name_rows(path, m, error));
    PSB_THEN(status, find_order(all, path, "", &m->ids, &all->cla, &rows, error));
    PSB_THEN_IF(status, !square || m->column_ids.count > 0,
                find_order(all, path, ".columns", &m->column_ids, all->targets, &own, error));
    all->unnamed = all->unnamed > unnamed ? unnamed + 1 : unnamed; /* count the file once */
    const size_t *columns = !square || m->column_ids.count > 0 ? own : rows;
    PSB_THEN_IF(status, rows != NULL || columns != NULL,
                psb_matrix_reorder(&all->matrices[k], rows, columns, error));
    if (status == PSB_OK) {
        psb_methods_warn(all, &all->matrices[k], path);
    }
    free(rows);
    free(own);
    return status;
}

/* Opens "A.npy,B.npy": features of the queries and of the targets. */
static psb_status open_pair(psb_methods *all, size_t k, const psb_metric *metric,
                            psb_error *error) {
    psb_matrix_sides sides = {.metric = metric,
                              .queries = &all->cla,
                              .targets = all->targets,
                              .threads = all->threads,
                              .memory = all->memory};
    const char *comma = strchr(all->paths[k], ',');
    psb_status status = PSB_OK;
    if (comma != NULL) {
        PSB_FREED char *first =
            psb_new_text(&status, all->paths[k], (size_t)(comma - all->paths[k]), "a path", error);
        PSB_THEN(status, psb_run_check_alike(first, comma + 1, error));
    }
    PSB_THEN(status, psb_matrix_between(all->paths[k], &sides, &all->matrices[k], error));
    if (status == PSB_OK) {
        psb_methods_warn(all, &all->matrices[k], all->paths[k]);
    }
    all->unnamed += status == PSB_OK && sides.unnamed;
    return status;
}

/* Adds to the error of a run's file how many models its run has, if the classification has another
 * number. */
static psb_status tell_of_run(const psb_methods *all, const char *path, psb_status status,
                              psb_error *error) {
    PSB_AT_END(psb_results_free) psb_results results = {.whole = false};
    PSB_AT_END(psb_cla_free) psb_classification cla = {0};
    PSB_FREED char *name = NULL;
    if (status == PSB_ERROR_INPUT && error != NULL &&
        psb_results_of_file(path, &results, &name, NULL) == PSB_OK && name != NULL &&
        psb_run_read_models(&results, &cla, NULL) == PSB_OK && cla.nmodels != all->cla.nmodels) {
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used, " (%.*smodels.cla has %zu)",
                 psb_results_before(path, name), path, cla.nmodels);
    }
    return status;
}

psb_status psb_methods_open_one(psb_methods *all, size_t k, const psb_metric *metric,
                                psb_error *error) {
    psb_list_form form = all->form != PSB_LISTS_NONE ? all->form : psb_lists_detect(all->paths[k]);
    if (all->memory == 0 && form != PSB_LISTS_NONE) {
        return psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                           "ranked lists: name distances (.matrix, .npy), or features with a "
                           "metric, as rows.npy:l1");
    }
    all->lists[k] = form;
    if (all->lists[k] != PSB_LISTS_NONE && all->reference == NULL) {
        return PSB_OK;
    }
    bool features = metric != NULL && psb_npy_may_be(all->paths[k]);
    if (all->reference != NULL && !(features && all->streamed && !all->judged)) {
        return psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                           "--reference is for features (.npy) with a metric, of one set with "
                           "classes: leave it out, or --queries, --targets and --qrels");
    }
    if (all->asked[k].metric != NULL && !features) {
        return psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                           "metric %s is for features: leave it out for a matrix of distances",
                           metric->name);
    }
    if (features && all->targets != &all->cla) {
        return open_pair(all, k, metric, error);
    }
    psb_status status = features && all->streamed && !all->judged
                            ? open_features(all, k, metric, error)
                            : open_distances(all, k, features ? metric : NULL, error);
    return tell_of_run(all, all->paths[k], status, error);
}
