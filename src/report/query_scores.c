/* Writes scores per query and their averages, for programs. */
#include "report/query_scores.h"

#include "report/json.h"
#include "report/table.h"

psb_status psb_query_scores_render(const psb_evaluation *e, size_t method, psb_text *out,
                                   psb_error *error) {
    enum { MODEL, CLASS, FIRST_FIGURE, COLUMNS = FIRST_FIGURE + PSB_FIGURES };
    psb_column columns[COLUMNS] = {{.name = "model"}, {.name = "class"}};
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        columns[FIRST_FIGURE + f] = (psb_column){.name = e->measures[f].name, .decimals = 6};
    }
    const psb_classification *cla = e->cla;
    const double *values = psb_evaluation_values(e, method);
    psb_table table;
    psb_status status = psb_table_new(&table, columns, COLUMNS, cla->nmodels, error);
    for (size_t i = 0; i < table.nrows; i++) {
        psb_table_set_text(&table, i, MODEL, cla->models[i]);
        const psb_class *class = &cla->classes[cla->class_of[i]];
        psb_table_set_text(&table, i, CLASS, class->full_name);
        for (size_t f = 0; f < PSB_FIGURES && !class->miscellaneous; f++) {
            psb_table_set_number(&table, i, FIRST_FIGURE + f, values[i * e->nmeasures + f]);
        }
    }
    return psb_table_finish(status, &table, &(psb_text){0}, &psb_format_tsv, out, error);
}

/* Adds an average as a member of an object or, if `name` is NULL, an element of an array. */
static cJSON *add_average(psb_json *json, cJSON *parent, const char *name, const psb_evaluation *e,
                          size_t method, psb_group group) {
    psb_average average = psb_evaluation_average(e, method, group);
    cJSON *object = psb_json_add_object(json, parent, name);
    psb_json_add_number(json, object, "queries", (double)average.queries);
    for (int f = 0; f < PSB_FIGURES; f++) {
        psb_json_add_number(json, object, e->measures[f].name, average.figure[f]);
    }
    psb_json_add_number(json, object, "nearest_neighbor_standard_error",
                        average.nearest_neighbor_error);
    return object;
}

psb_status psb_averages_render(const psb_evaluation *e, size_t method, psb_text *out,
                               psb_error *error) {
    psb_json json = {0};
    cJSON *root = psb_json_add_object(&json, NULL, NULL);
    add_average(&json, root, "micro", e, method, (psb_group){PSB_MICRO, 0});
    add_average(&json, root, "macro", e, method, (psb_group){PSB_MACRO, 0});
    cJSON *classes = psb_json_add_array(&json, root, "classes");
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(e, &class);) {
        cJSON *object = add_average(&json, classes, NULL, e, method, class);
        psb_json_add_string(&json, object, "class", e->cla->classes[class.which].full_name);
    }
    psb_json_finish(&json, out);
    return psb_text_status(out, error);
}
