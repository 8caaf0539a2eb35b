/* Opening a classification and matrices in its order, from files or a run's folder. */
#include "cli/matrices.h"

#include "cli/choices.h"
#include "cli/context.h"
#include "core/element.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "io/ids.h"
#include "io/query_list.h"
#include "pipeline/matrix_input.h"
#include "report/published.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What options of two sets ask for; all NULL where a command has none. */
typedef struct sets {
    const char *targets, *qrels;
    bool with_query;
    const char *exact; /* goes in front of the files */
} sets;

/* ---- which files ------------------------------------------------------------------------ */

static psb_status add_path(cli_matrices *all, char *path, psb_error *error) {
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

/* RUN/matrices/NAME.matrix */
static psb_status add_named(cli_matrices *all, const char *run, const char *name,
                            psb_error *error) {
    psb_status status = PSB_OK;
    char *path = psb_new_format(&status, error, "%s/matrices/%s.matrix", run, name);
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
    return dot != NULL && dot != entry->d_name && strcmp(dot, ".matrix") == 0;
}

/* The state of RUN/matrices/NAME.matrix; what is no file is left to who opens it. */
static psb_status judge(const psb_results *results, const char *name, psb_output_state *state,
                        psb_error *error) {
    psb_status status = PSB_OK;
    char *file = psb_new_format(&status, error, "matrices/%s.matrix", name);
    if (status == PSB_OK) {
        *state = psb_results_state(results, file);
    }
    free(file);
    return status;
}

/* What was asked for by its name has to be fine. */
static psb_status add_asked(cli_matrices *all, const psb_results *results, const char *name,
                            psb_error *error) {
    psb_output_state state = PSB_OUTPUT_OK;
    psb_status status = add_named(all, results->ledger.run, name, error);
    if (status == PSB_OK && psb_is_file(all->paths[all->count - 1])) {
        status = judge(results, name, &state, error);
    }
    return state == PSB_OUTPUT_OK ? status
                                  : psb_fail_at(error, PSB_ERROR_INPUT, all->paths[all->count - 1],
                                                0, "%s", psb_output_state_reason(state));
}

/* Of all that are there, those that are fine. */
static psb_status add_found(cli_matrices *all, const psb_results *results, const char *name,
                            psb_error *error) {
    psb_output_state state = PSB_OUTPUT_OK;
    psb_status status = judge(results, name, &state, error);
    if (status != PSB_OK || state == PSB_OUTPUT_OK) {
        return status == PSB_OK ? add_named(all, results->ledger.run, name, error) : status;
    }
    cli_error("%s/matrices/%s.matrix: left out: %s", results->ledger.run, name,
              psb_output_state_reason(state));
    all->left_out++;
    return PSB_OK;
}

static psb_status add_all_of_run(cli_matrices *all, const psb_results *results, psb_error *error) {
    const char *run = results->ledger.run;
    char *folder;
    psb_status status = psb_path_join(&folder, run, "matrices", error);
    struct dirent **entries = NULL;
    int count = status == PSB_OK ? scandir(folder, &entries, is_matrix, alphasort) : 0;
    if (status == PSB_OK && count <= 0) {
        status =
            psb_fail_at(error, PSB_ERROR_IO, folder, 0, "no matrices: not the folder of a run");
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

static psb_status find_in_run(const cli_values *values, cli_matrices *all, psb_error *error) {
    int count = cli_argument_count(values);
    psb_results results;
    psb_status status = psb_results_open(cli_argument(values, 0), all->whole, &results, error);
    PSB_THEN(status, psb_results_need(&results, "models.cla", error));
    if (status == PSB_OK && count == 1) {
        status = add_all_of_run(all, &results, error);
    }
    for (int i = 1; i < count && status == PSB_OK; i++) {
        status = add_asked(all, &results, cli_argument(values, i), error);
    }
    psb_results_free(&results);
    return status;
}

static psb_status find_files(const cli_values *values, const sets *asked, cli_matrices *all,
                             psb_error *error) {
    psb_status status = PSB_OK;
    bool first = all->first_name == cli_argument(values, 0);
    if (first && psb_is_folder(all->first_name)) {
        return find_in_run(values, all, error);
    }
    if (asked->exact != NULL) {
        status = add_path(all, strdup(asked->exact), error);
    }
    for (int i = first; i < cli_argument_count(values) && status == PSB_OK; i++) {
        status = add_path(all, strdup(cli_argument(values, i)), error);
    }
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = psb_results_check_file(all->paths[k], all->whole, error);
    }
    return status;
}

static psb_status read_classification(const char *first, psb_classification *cla,
                                      psb_error *error) {
    if (!psb_is_folder(first)) {
        return psb_cla_read(first, cla, error);
    }
    char *path;
    psb_status status = psb_path_join(&path, first, "models.cla", error);
    PSB_THEN(status, psb_cla_read(path, cla, error));
    free(path);
    return status;
}

/* Queries, targets, and what is relevant for whom. */
static psb_status read_sets(const sets *asked, cli_matrices *all, psb_error *error) {
    psb_status status = read_classification(all->first_name, &all->cla, error);
    all->targets = &all->cla;
    if (status == PSB_OK && asked->targets != NULL &&
        !psb_is_same_file(all->first_name, asked->targets)) {
        status = psb_cla_read(asked->targets, &all->other, error);
        all->targets = &all->other;
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

static psb_status label(cli_matrices *all, psb_error *error) {
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
static psb_status check_metric(const cli_matrices *all, const psb_metric *metric,
                               psb_error *error) {
    bool any = metric == NULL;
    for (size_t k = 0; k < all->count; k++) {
        any = any || is_npy(all->paths[k]);
    }
    return any ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE, "--metric %s: no file of features (.npy)",
                          metric->name);
}

/*
 * The order in which the names beside a file say that its rows stand, see psb_ids_order. Without
 * names rows are taken to be in the classification's, which is said in the end. The columns of a
 * rectangle have names of their own, FILE.columns.ids.
 */
static psb_status find_order(cli_matrices *all, const char *path, const char *more,
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
        status = all->judged ? PSB_OK : check_order(path, cla, &told, error);
        all->unnamed += !told;
    }
    psb_ids_free(&ids);
    psb_text_free(&names);
    return status;
}

/* Features that are to be streamed may not fit into memory a second time. */
static psb_status reorder_features(const cli_matrices *all, size_t k, const size_t *order,
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

static psb_status open_features(cli_matrices *all, size_t k, const psb_metric *metric,
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

static psb_status open_distances(cli_matrices *all, size_t k, const psb_metric *metric,
                                 psb_error *error) {
    const char *path = all->paths[k];
    size_t *rows, *own = NULL;
    psb_status status = find_order(all, path, "", &all->cla, &rows, error);
    bool square = all->targets == &all->cla;
    if (status == PSB_OK && !square) {
        status = find_order(all, path, ".columns", all->targets, &own, error);
    }
    const size_t *columns = square ? rows : own;
    PSB_THEN(status, psb_matrix_open(path, all->cla.nmodels, all->targets->nmodels, metric,
                                     all->threads, &all->matrices[k], error));
    if (status == PSB_OK && (rows != NULL || columns != NULL)) {
        status = psb_matrix_reorder(&all->matrices[k], rows, columns, error);
    }
    free(rows);
    free(own);
    return status;
}

/* "A.npy,B.npy": features of queries and targets. */
static psb_status open_pair(cli_matrices *all, size_t k, const psb_metric *metric,
                            psb_error *error) {
    psb_matrix_sides sides = {.metric = metric,
                              .queries = &all->cla,
                              .targets = all->targets,
                              .threads = all->threads,
                              .memory = all->memory};
    psb_status status = psb_matrix_between(all->paths[k], &sides, &all->matrices[k], error);
    all->unnamed += status == PSB_OK && sides.unnamed;
    return status;
}

static psb_status open_matrix(cli_matrices *all, size_t k, const psb_metric *metric,
                              psb_error *error) {
    if (all->memory > 0) {
        all->lists[k] = all->form != PSB_LISTS_NONE ? all->form : psb_lists_detect(all->paths[k]);
    }
    if (all->lists[k] != PSB_LISTS_NONE) {
        return PSB_OK;
    }
    bool features = metric != NULL && is_npy(all->paths[k]);
    if (features && all->targets != &all->cla) {
        return open_pair(all, k, metric, error);
    }
    return features && all->streamed && !all->judged
               ? open_features(all, k, metric, error)
               : open_distances(all, k, features ? metric : NULL, error);
}

static void say_unnamed(const cli_matrices *all, const char *classification) {
    if (all->unnamed > 0 && cli_verbosity() >= 0) {
        cli_say("no names beside the rows of %zu of %zu files (FILE.ids): taken to be in the order "
                "of %s",
                all->unnamed, all->count, classification);
    }
}

static psb_status allocate(cli_matrices *all, psb_error *error) {
    static const char what[] = "matrices";
    size_t n = all->count;
    psb_status status = PSB_OK;
    all->matrices = psb_new_zero(&status, n, sizeof *all->matrices, what, error);
    all->labels = psb_new_zero(&status, n, sizeof *all->labels, what, error);
    all->stems = psb_new_zero(&status, n, sizeof *all->stems, what, error);
    all->features = psb_new_zero(&status, n, sizeof *all->features, what, error);
    all->lists = psb_new_zero(&status, n, sizeof *all->lists, what, error);
    all->selected = psb_new_zero(&status, all->cla.nmodels, sizeof *all->selected, what, error);
    return status;
}

static psb_status select_queries(const char *list, cli_matrices *all, psb_error *error) {
    psb_status status = PSB_OK;
    if (list != NULL) {
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

psb_status cli_matrices_need_queries(const cli_matrices *all, psb_error *error) {
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

static psb_status open_all(const cli_values *values, const sets *asked, const psb_metric *metric,
                           const char *list, cli_matrices *all, psb_error *error) {
    psb_status status = read_sets(asked, all, error);
    PSB_THEN(status, find_files(values, asked, all, error));
    PSB_THEN(status, check_metric(all, metric, error));
    PSB_THEN(status, allocate(all, error));
    PSB_THEN(status, label(all, error));
    PSB_THEN(status, select_queries(list, all, error));
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = open_matrix(all, k, metric, error);
    }
    if (status == PSB_OK) {
        say_unnamed(all, all->first_name);
    }
    return status;
}

static int open_with(const cli_values *values, const char *command, const sets *asked,
                     const char *name, const char *list, cli_matrices *all) {
    int count = cli_argument_count(values);
    bool first = all->first_name == NULL;
    if (count == 0 || (first && count == 1 && !psb_is_folder(cli_argument(values, 0)))) {
        return cli_usage(command, "needs a classification and a matrix, or the folder of a run");
    }
    all->first_name = first ? cli_argument(values, 0) : all->first_name;
    all->whole = cli_flag(values, "verify");
    if (!cli_threads(values, &all->threads)) {
        return CLI_USAGE;
    }
    const psb_metric *metric = NULL;
    if (name != NULL && !cli_metric(values, command, &metric)) {
        return CLI_USAGE;
    }
    psb_error error;
    return open_all(values, asked, metric, list, all, &error) == PSB_OK ? CLI_DONE
                                                                        : cli_report(&error);
}

int cli_matrices_open(const cli_values *values, const char *command, cli_matrices *all) {
    *all = (cli_matrices){.count = 0};
    return open_with(values, command, &(sets){0}, cli_value(values, "metric"),
                     cli_value(values, "query-list"), all);
}

static int open_sets(const cli_values *values, const char *command, bool streamed,
                     const char *exact, cli_matrices *all) {
    sets asked = {cli_value(values, "targets"), cli_value(values, "qrels"),
                  cli_flag(values, "with-query"), NULL};
    const char *form = cli_value(values, "lists");
    *all = (cli_matrices){.first_name = cli_value(values, "queries"), .streamed = streamed};
    if (!cli_memory(values, command, &all->memory)) {
        return CLI_USAGE;
    }
    if ((all->first_name == NULL) != (asked.targets == NULL)) {
        return cli_usage(command, "--queries and --targets go together");
    }
    all->form = form != NULL ? psb_lists_form(form) : PSB_LISTS_NONE;
    if (form != NULL && all->form == PSB_LISTS_NONE) {
        return cli_usage(command, "--lists is search, trec, shrec, shapenet or rows, not '%s'",
                         form);
    }
    asked.exact = exact;
    return open_with(values, command, &asked, cli_value(values, "metric"),
                     cli_value(values, "query-list"), all);
}

int cli_matrices_open_streamed(const cli_values *values, const char *command, cli_matrices *all) {
    return open_sets(values, command, true, NULL, all);
}

int cli_matrices_open_sets(const cli_values *values, const char *command, cli_matrices *all) {
    return open_sets(values, command, false, NULL, all);
}

int cli_matrices_open_exact(const cli_values *values, const char *command, const char *exact,
                            cli_matrices *all) {
    return open_sets(values, command, true, exact, all);
}

int cli_matrices_open_run(const cli_values *values, const char *command, cli_matrices *all) {
    *all = (cli_matrices){.count = 0};
    return open_with(values, command, &(sets){0}, NULL, NULL, all);
}

int cli_matrices_close(cli_matrices *all, int code) {
    size_t left_out = all->left_out;
    for (size_t k = 0; k < all->count; k++) {
        if (all->matrices != NULL) {
            psb_matrix_close(&all->matrices[k]);
        }
        if (all->features != NULL) {
            psb_feature_set_close(&all->features[k]);
        }
        if (all->stems != NULL) {
            free(all->stems[k]);
        }
        if (all->labels != NULL) {
            free((void *)(uintptr_t)all->labels[k]);
        }
        free(all->paths[k]);
    }
    free(all->matrices);
    free(all->features);
    free(all->lists);
    free(all->stems);
    free(all->labels);
    free(all->paths);
    free(all->selected);
    free(all->listed);
    psb_relevance_free(&all->relevance);
    psb_cla_free(&all->cla);
    psb_cla_free(&all->other);
    *all = (cli_matrices){.count = 0};
    return code == CLI_DONE && left_out > 0 ? CLI_PARTIAL : code;
}

int cli_print(psb_status status, psb_text *text, const psb_error *error) {
    if (status == PSB_OK && text->length > 0) {
        fwrite(text->data, 1, text->length, stdout);
    }
    psb_text_free(text);
    return status == PSB_OK ? CLI_DONE : cli_report(error);
}
