/* Opening a classification and matrices in its order, from files or a run's folder. */
#include "cli/matrices.h"

#include "cli/run_command.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "eval/neighbor_measures.h"
#include "io/neighbors.h"
#include "io/query_list.h"
#include "pipeline/matrix_input.h"
#include "report/published.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    psb_text path = {.data = NULL};
    psb_text_printf(&path, "%s/matrices/%s.matrix", run, name);
    psb_status status = psb_text_status(&path, error);
    if (status != PSB_OK) {
        psb_text_free(&path);
        return status;
    }
    return add_path(all, path.data, error);
}

/* Where the paper's Table 4 has the descriptor of this file name. */
static size_t place_of(const psb_csv *order, const char *file) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    return psb_csv_row(order, name);
}

/* From the alphabet's order to the paper's, what it does not have behind. */
static void sort_as_paper(const psb_csv *order, struct dirent **entries, int count) {
    for (int i = 1; i < count; i++) {
        struct dirent *entry = entries[i];
        int at = i;
        for (; at > 0 && place_of(order, entries[at - 1]->d_name) > place_of(order, entry->d_name);
             at--) {
            entries[at] = entries[at - 1];
        }
        entries[at] = entry;
    }
}

static int is_matrix(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name && strcmp(dot, ".matrix") == 0;
}

static psb_status add_all_of_run(cli_matrices *all, const char *run, psb_error *error) {
    char *folder;
    psb_csv csv;
    psb_status status = psb_published_table4(&csv, error);
    if (status != PSB_OK) {
        return status;
    }
    status = psb_path_join(&folder, run, "matrices", error);
    struct dirent **entries = NULL;
    int count = status == PSB_OK ? scandir(folder, &entries, is_matrix, alphasort) : 0;
    if (status == PSB_OK && count <= 0) {
        status =
            psb_fail_at(error, PSB_ERROR_IO, folder, 0, "no matrices: not the folder of a run");
    }
    sort_as_paper(&csv, entries, count);
    for (int i = 0; i < count; i++) {
        if (status == PSB_OK) {
            *strrchr(entries[i]->d_name, '.') = '\0';
            status = add_named(all, run, entries[i]->d_name, error);
        }
        free(entries[i]);
    }
    free(entries);
    free(folder);
    psb_csv_free(&csv);
    return status;
}

static psb_status find_files(const cli_values *values, cli_matrices *all, psb_error *error) {
    const char *first = cli_argument(values, 0);
    int count = cli_argument_count(values);
    bool run = psb_is_folder(first);
    if (run && count == 1) {
        return add_all_of_run(all, first, error);
    }
    psb_status status = PSB_OK;
    for (int i = 1; i < count && status == PSB_OK; i++) {
        const char *name = cli_argument(values, i);
        status = run ? add_named(all, first, name, error) : add_path(all, strdup(name), error);
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
    if (status == PSB_OK) {
        status = psb_cla_read(path, cla, error);
        free(path);
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
    for (size_t k = 0; k < all->count; k++) {
        size_t same = 0;
        for (size_t l = 0; l < all->count; l++) {
            same += strcmp(all->stems[k], all->stems[l]) == 0;
        }
        all->labels[k] = same == 1 ? all->stems[k] : all->paths[k];
    }
    return PSB_OK;
}

/* ---- contents --------------------------------------------------------------------------- */

/*
 * A matrix does not say which models it is about, but a run's folder does: where DIR/x/FILE has a
 * DIR/models.cla, the models must be the classification's, in its order.
 */
static psb_status check_order(const char *path, const psb_classification *cla, psb_error *error) {
    psb_text beside = {.data = NULL};
    const char *slash = strrchr(path, '/');
    psb_text_printf(&beside, "%.*s/../models.cla", slash != NULL ? (int)(slash - path) : 1,
                    slash != NULL ? path : ".");
    psb_status status = psb_text_status(&beside, error);
    psb_classification own = {0};
    if (status == PSB_OK && psb_is_file(beside.data)) {
        status = psb_cla_read(beside.data, &own, error);
        for (size_t i = 0; i < own.nmodels && i < cla->nmodels && status == PSB_OK; i++) {
            if (strcmp(own.models[i], cla->models[i]) != 0) {
                status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                     "row %zu is model %.40s, says %s; in the classification it is "
                                     "model %.40s",
                                     i, own.models[i], beside.data, cla->models[i]);
            }
        }
        psb_cla_free(&own);
    }
    psb_text_free(&beside);
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

static psb_status open_matrix(cli_matrices *all, size_t k, const psb_metric *metric,
                              psb_error *error) {
    if (all->memory > 0 && psb_neighbors_is_list(all->paths[k])) {
        all->is_list[k] = true;
        return PSB_OK;
    }
    if (all->memory > 0 && metric != NULL && is_npy(all->paths[k])) {
        psb_status opened =
            psb_feature_set_open(all->paths[k], all->cla.nmodels, metric, &all->features[k], error);
        return opened == PSB_OK ? check_order(all->paths[k], &all->cla, error) : opened;
    }
    psb_status status =
        psb_matrix_open(all->paths[k], all->cla.nmodels, is_npy(all->paths[k]) ? metric : NULL,
                        all->threads, &all->matrices[k], error);
    return status == PSB_OK ? check_order(all->paths[k], &all->cla, error) : status;
}

static psb_status allocate(cli_matrices *all, psb_error *error) {
    void *memory[6] = {NULL};
    const size_t size[6] = {sizeof(psb_matrix), sizeof(char *),          sizeof(char *),
                            sizeof(bool),       sizeof(psb_feature_set), sizeof(bool)};
    const size_t count[6] = {all->count,       all->count, all->count,
                             all->cla.nmodels, all->count, all->count};
    psb_status status = PSB_OK;
    for (int i = 0; i < 6 && status == PSB_OK; i++) {
        status = psb_alloc_zero(&memory[i], count[i], size[i], "matrices", error);
    }
    all->matrices = memory[0];
    all->labels = memory[1];
    all->stems = memory[2];
    all->selected = memory[3];
    all->features = memory[4];
    all->is_list = memory[5];
    return status;
}

static psb_status select_queries(const char *list, cli_matrices *all, psb_error *error) {
    psb_status status = PSB_OK;
    if (list != NULL) {
        void *listed;
        status = psb_alloc_zero(&listed, all->cla.nmodels, sizeof(bool), "a query list", error);
        all->listed = listed;
        if (status == PSB_OK) {
            status = psb_query_list_read(list, &all->cla, all->listed, error);
        }
    }
    if (status == PSB_OK) {
        all->queries = psb_select_queries(&all->cla, all->listed, all->selected);
    }
    return status;
}

psb_status cli_matrices_need_queries(const cli_values *values, const cli_matrices *all,
                                     psb_error *error) {
    return all->queries > 0
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, cli_argument(values, 0), 0,
                             "no class takes part: averages are over classes of more than 2 models "
                             "that are not miscellaneous%s",
                             all->listed != NULL ? ", and over queries that are listed" : "");
}

static psb_status open_all(const cli_values *values, const psb_metric *metric, const char *list,
                           cli_matrices *all, psb_error *error) {
    psb_status status = read_classification(cli_argument(values, 0), &all->cla, error);
    if (status == PSB_OK) {
        status = find_files(values, all, error);
    }
    if (status == PSB_OK) {
        status = check_metric(all, metric, error);
    }
    if (status == PSB_OK) {
        status = allocate(all, error);
    }
    if (status == PSB_OK) {
        status = label(all, error);
    }
    if (status == PSB_OK) {
        status = select_queries(list, all, error);
    }
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = open_matrix(all, k, metric, error);
    }
    return status;
}

static int open_with(const cli_values *values, const char *command, const char *name,
                     const char *list, size_t memory, cli_matrices *all) {
    *all = (cli_matrices){.memory = memory};
    int count = cli_argument_count(values);
    if (count == 0 || (count == 1 && !psb_is_folder(cli_argument(values, 0)))) {
        return cli_usage(command, "needs a classification and a matrix, or the folder of a run");
    }
    if (!cli_threads(values, &all->threads)) {
        return CLI_USAGE;
    }
    const psb_metric *metric = name != NULL ? psb_metric_find(name) : NULL;
    if (name != NULL && metric == NULL) {
        return cli_usage(command, "there is no metric '%s'", name);
    }
    psb_error error;
    return open_all(values, metric, list, all, &error) == PSB_OK ? CLI_DONE : cli_report(&error);
}

int cli_matrices_open(const cli_values *values, const char *command, cli_matrices *all) {
    return open_with(values, command, cli_value(values, "metric"), cli_value(values, "query-list"),
                     0, all);
}

int cli_matrices_open_streamed(const cli_values *values, const char *command, cli_matrices *all) {
    size_t memory;
    *all = (cli_matrices){.count = 0};
    if (!cli_memory(values, command, &memory)) {
        return CLI_USAGE;
    }
    return open_with(values, command, cli_value(values, "metric"), cli_value(values, "query-list"),
                     memory, all);
}

int cli_matrices_open_run(const cli_values *values, const char *command, cli_matrices *all) {
    return open_with(values, command, NULL, NULL, 0, all);
}

void cli_matrices_close(cli_matrices *all) {
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
        free(all->paths[k]);
    }
    free(all->matrices);
    free(all->features);
    free(all->is_list);
    free(all->stems);
    free(all->labels);
    free(all->paths);
    free(all->selected);
    free(all->listed);
    psb_cla_free(&all->cla);
    *all = (cli_matrices){.count = 0};
}

static psb_status measure_features(const cli_matrices *all, const psb_chosen_measure *measures,
                                   size_t count, size_t k, double *values, psb_error *error) {
    cli_stages stages = {0};
    psb_observer observer = {.progress = cli_show_stage, .context = &stages};
    psb_memory_plan plan;
    psb_status status =
        psb_measure_features(&all->cla, &all->features[k], measures, count, all->threads,
                             all->memory, &observer, values, &plan, error);
    if (status == PSB_OK && cli_verbosity() > 0) {
        cli_say_plan(&plan);
    }
    return status;
}

psb_status cli_matrices_measure_known(const cli_matrices *all, const psb_chosen_measure *measures,
                                      size_t count, size_t k, double **values, psb_error *error) {
    void *memory;
    psb_status status =
        psb_alloc(&memory, all->cla.nmodels, count * sizeof(double), "scores", error);
    *values = memory;
    if (status == PSB_OK && all->is_list[k]) {
        status = psb_measure_neighbors(all->paths[k], &all->cla, measures, count, *values, error);
    } else if (status == PSB_OK && all->features[k].npy.rows > 0) {
        status = measure_features(all, measures, count, k, *values, error);
    } else if (status == PSB_OK) {
        status = psb_measure_queries(&all->cla, &all->matrices[k], measures, count, all->threads,
                                     *values, error);
    }
    return status;
}

psb_status cli_matrices_measure(const cli_matrices *all, const psb_chosen_measure *measures,
                                size_t count, size_t k, double **values, psb_error *error) {
    psb_status status = cli_matrices_measure_known(all, measures, count, k, values, error);
    return status == PSB_OK ? psb_measures_need(all->paths[k], &all->cla, all->selected, measures,
                                                count, *values, error)
                            : status;
}

int cli_print(psb_status status, psb_text *text, const psb_error *error) {
    if (status == PSB_OK && text->length > 0) {
        fwrite(text->data, 1, text->length, stdout);
    }
    psb_text_free(text);
    return status == PSB_OK ? CLI_DONE : cli_report(error);
}
