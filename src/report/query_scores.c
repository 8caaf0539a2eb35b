/* Scores per query and their averages, for programs. */
#include "report/query_scores.h"

#include "core/error.h"
#include "core/file.h"
#include "report/table.h"

#include <cJSON.h>

static const char *const figure_names[PSB_FIGURES] = {
    [PSB_NEAREST_NEIGHBOR] = "nearest_neighbor",
    [PSB_FIRST_TIER] = "first_tier",
    [PSB_SECOND_TIER] = "second_tier",
    [PSB_E_MEASURE] = "e_measure",
    [PSB_DCG] = "dcg",
};

psb_status psb_query_scores_render(const psb_classification *cla, const psb_query_scores *scores,
                                   psb_text *out, psb_error *error) {
    enum { MODEL, CLASS, FIRST_FIGURE, COLUMNS = FIRST_FIGURE + PSB_FIGURES };
    psb_column columns[COLUMNS] = {{.name = "model"}, {.name = "class"}};
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        columns[FIRST_FIGURE + f] = (psb_column){.name = figure_names[f], .decimals = 6};
    }
    psb_table table;
    psb_status status = psb_table_new(&table, columns, COLUMNS, cla->nmodels, error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t i = 0; i < cla->nmodels; i++) {
        psb_table_set_text(&table, i, MODEL, cla->models[i]);
        psb_table_set_text(&table, i, CLASS, cla->classes[cla->class_of[i]].full_name);
        for (size_t f = 0; f < PSB_FIGURES && scores[i].scored; f++) {
            psb_table_set_number(&table, i, FIRST_FIGURE + f, scores[i].figure[f]);
        }
    }
    psb_format_tsv.render(&table, out);
    psb_table_free(&table);
    return psb_text_status(out, error);
}

static cJSON *average_object(const psb_average *average) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "queries", (double)average->queries);
    for (int f = 0; f < PSB_FIGURES; f++) {
        cJSON_AddNumberToObject(object, figure_names[f], average->figure[f]);
    }
    cJSON_AddNumberToObject(object, "nearest_neighbor_standard_error",
                            average->nearest_neighbor_error);
    return object;
}

psb_status psb_averages_render(const psb_classification *cla, const psb_query_scores *scores,
                               psb_text *out, psb_error *error) {
    cJSON *root = cJSON_CreateObject();
    psb_average micro = psb_average_micro(cla, scores), macro = psb_average_macro(cla, scores);
    cJSON_AddItemToObject(root, "micro", average_object(&micro));
    cJSON_AddItemToObject(root, "macro", average_object(&macro));
    cJSON *classes = cJSON_AddArrayToObject(root, "classes");
    for (size_t c = 0; c < cla->nclasses; c++) {
        psb_average average = psb_average_class(cla, scores, c);
        if (average.queries > 0) {
            cJSON *object = average_object(&average);
            cJSON_AddStringToObject(object, "class", cla->classes[c].full_name);
            cJSON_AddItemToArray(classes, object);
        }
    }
    char *text = cJSON_Print(root);
    psb_status status = PSB_OK;
    if (text == NULL) {
        status = psb_fail_memory(error, "averages", 0);
    } else {
        psb_text_printf(out, "%s\n", text);
        status = psb_text_status(out, error);
    }
    cJSON_free(text);
    cJSON_Delete(root);
    return status;
}

static bool read_number(const cJSON *object, const char *name, double *value) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (cJSON_IsNumber(item)) {
        *value = item->valuedouble;
    }
    return cJSON_IsNumber(item);
}

psb_status psb_averages_read(const char *path, psb_average *micro, psb_error *error) {
    *micro = (psb_average){.queries = 0};
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    if (status != PSB_OK) {
        return status;
    }
    cJSON *root = cJSON_ParseWithLength(input.data, input.size);
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "micro");
    double queries = 0;
    bool complete =
        read_number(object, "queries", &queries) && queries >= 0 &&
        read_number(object, "nearest_neighbor_standard_error", &micro->nearest_neighbor_error);
    for (int f = 0; f < PSB_FIGURES; f++) {
        complete = complete && read_number(object, figure_names[f], &micro->figure[f]);
    }
    if (complete && queries < (double)SIZE_MAX) {
        micro->queries = (size_t)queries;
    } else {
        status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "no averages of scores");
    }
    cJSON_Delete(root);
    psb_input_close(&input);
    return status;
}
