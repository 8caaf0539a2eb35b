/* Values of groups by method and measure, laid out in columns. */
#include "report/evaluation.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAME_BYTES = 160 };

typedef struct layout {
    const psb_evaluation *input;
    const psb_table_format *format;
    size_t groups;
    size_t *group_of;
    double *means, *errors; /* methods x groups x measures */
    psb_column *columns;
    char (*names)[NAME_BYTES];
    size_t ncolumns;
} layout;

static bool by_method(const layout *l) {
    return l->input->grouping == PSB_MICRO || l->input->grouping == PSB_MACRO;
}

static bool with_errors(const layout *l) {
    return l->input->errors && l->input->grouping != PSB_PER_MODEL;
}

static double *mean_at(const layout *l, size_t method, size_t group, size_t measure) {
    return &l->means[(method * l->groups + group) * l->input->nmeasures + measure];
}

static double *error_at(const layout *l, size_t method, size_t group, size_t measure) {
    return &l->errors[(method * l->groups + group) * l->input->nmeasures + measure];
}

static psb_status allocate(layout *l, psb_error *error) {
    const psb_evaluation *in = l->input;
    size_t values = in->nmethods * l->groups * in->nmeasures;
    size_t columns = 2 + 2 * in->nmethods * in->nmeasures;
    void *memory[5] = {NULL};
    const size_t count[5] = {values, values, l->groups, columns, columns};
    const size_t size[5] = {sizeof(double), sizeof(double), sizeof(size_t), sizeof(psb_column),
                            NAME_BYTES};
    psb_status status = PSB_OK;
    for (int i = 0; i < 5 && status == PSB_OK; i++) {
        status = psb_alloc(&memory[i], count[i], size[i], "a table", error);
    }
    l->means = memory[0];
    l->errors = memory[1];
    l->group_of = memory[2];
    l->columns = memory[3];
    l->names = memory[4];
    return status;
}

/* DCG becomes normalized DCG: over the mean of all methods, less 1. */
static void relate_to_set(layout *l, size_t measure) {
    for (size_t g = 0; g < l->groups; g++) {
        double sum = 0;
        for (size_t k = 0; k < l->input->nmethods; k++) {
            sum += *mean_at(l, k, g, measure);
        }
        double mean = sum / (double)l->input->nmethods;
        for (size_t k = 0; k < l->input->nmethods; k++) {
            double *value = mean_at(l, k, g, measure);
            *value = mean > 0 ? *value / mean - 1 : 0;
            *error_at(l, k, g, measure) /= mean > 0 ? mean : 1;
        }
    }
}

static void fill(layout *l) {
    const psb_evaluation *in = l->input;
    for (size_t k = 0; k < in->nmethods; k++) {
        psb_group_values(in->cla, in->selected, in->grouping, in->methods[k].values, in->nmeasures,
                         mean_at(l, k, 0, 0), error_at(l, k, 0, 0), l->group_of);
    }
    for (size_t m = 0; m < in->nmeasures; m++) {
        if (in->measures[m].measure.over_set) {
            relate_to_set(l, m);
        }
    }
}

/* ---- columns ---------------------------------------------------------------------------- */

static void add_text_column(layout *l, const char *name) {
    l->columns[l->ncolumns++] = (psb_column){.name = name, .heading = name};
}

/* `method` is NULL where the rows are methods. */
static void add_number_column(layout *l, const psb_chosen_measure *measure, const char *method,
                              bool is_error) {
    char *name = l->names[l->ncolumns];
    snprintf(name, NAME_BYTES, "%s%s%s%s", method != NULL ? method : "", method != NULL ? "." : "",
             measure->name, is_error ? "_error" : "");
    int percent_decimals = l->format->for_programs ? 6 : 1;
    int plain_decimals = l->format->for_programs ? 6 : 3;
    l->columns[l->ncolumns++] = (psb_column){
        .name = name,
        .heading = is_error ? "s.e." : measure->title,
        .group = method,
        .align = PSB_RIGHT,
        .decimals = measure->measure.as_percent ? percent_decimals : plain_decimals,
    };
}

static void add_columns(layout *l) {
    const psb_evaluation *in = l->input;
    bool methods_are_rows = by_method(l);
    if (methods_are_rows) {
        add_text_column(l, "matrix");
    } else {
        add_text_column(l, "class");
        if (in->grouping == PSB_PER_MODEL) {
            add_text_column(l, "model");
        }
    }
    for (size_t k = 0; k < (methods_are_rows ? 1 : in->nmethods); k++) {
        const char *method = methods_are_rows || in->nmethods == 1 ? NULL : in->methods[k].label;
        for (size_t m = 0; m < in->nmeasures; m++) {
            add_number_column(l, &in->measures[m], method, false);
            if (with_errors(l)) {
                add_number_column(l, &in->measures[m], method, true);
            }
        }
    }
}

/* ---- cells ------------------------------------------------------------------------------ */

static size_t set_numbers(const layout *l, psb_table *table, size_t row, size_t column,
                          size_t method, size_t group) {
    for (size_t m = 0; m < l->input->nmeasures; m++) {
        bool percent = l->input->measures[m].measure.as_percent && !l->format->for_programs;
        double unit = percent ? 100 : 1;
        psb_table_set_number(table, row, column++, unit * *mean_at(l, method, group, m));
        if (with_errors(l)) {
            psb_table_set_number(table, row, column++, unit * *error_at(l, method, group, m));
        }
    }
    return column;
}

static void set_group_name(const layout *l, psb_table *table, size_t row) {
    const psb_classification *cla = l->input->cla;
    size_t which = l->group_of[row];
    if (l->input->grouping == PSB_PER_MODEL) {
        psb_table_set_text(table, row, 0, cla->classes[cla->class_of[which]].full_name);
        psb_table_set_text(table, row, 1, cla->models[which]);
    } else {
        psb_table_set_text(table, row, 0, cla->classes[which].full_name);
    }
}

static void set_cells(const layout *l, psb_table *table) {
    for (size_t row = 0; row < table->nrows; row++) {
        if (by_method(l)) {
            psb_table_set_text(table, row, 0, l->input->methods[row].label);
            set_numbers(l, table, row, 1, row, 0);
            continue;
        }
        size_t column = l->input->grouping == PSB_PER_MODEL ? 2 : 1;
        set_group_name(l, table, row);
        for (size_t k = 0; k < l->input->nmethods; k++) {
            column = set_numbers(l, table, row, column, k, row);
        }
    }
}

static void add_caption(const layout *l, psb_text *caption) {
    const psb_evaluation *in = l->input;
    size_t queries = psb_group_count(in->cla, in->selected, PSB_PER_MODEL);
    size_t classes = psb_group_count(in->cla, in->selected, PSB_PER_CLASS);
    bool percent = false, over_set = false;
    for (size_t m = 0; m < in->nmeasures; m++) {
        percent = percent || in->measures[m].measure.as_percent;
        over_set = over_set || in->measures[m].measure.over_set;
    }
    psb_text_printf(caption, "%s%zu queries of %zu classes.",
                    percent && !l->format->for_programs ? "Percent; " : "", queries, classes);
    if (in->grouping == PSB_MACRO) {
        psb_text_add(caption, " Means over classes.");
    }
    if (over_set) {
        psb_text_printf(caption, " Normalized DCG is taken over the %zu matri%s given.",
                        in->nmethods, in->nmethods == 1 ? "x" : "ces");
    }
}

static psb_status render(layout *l, psb_text *out, psb_error *error) {
    psb_text caption = {.data = NULL};
    psb_table table;
    fill(l);
    add_columns(l);
    add_caption(l, &caption);
    psb_status status = psb_text_status(&caption, error);
    if (status == PSB_OK) {
        size_t rows = by_method(l) ? l->input->nmethods : l->groups;
        status = psb_table_new(&table, l->columns, l->ncolumns, rows, error);
    }
    if (status == PSB_OK) {
        table.caption = caption.data;
        set_cells(l, &table);
        l->format->render(&table, out);
        psb_table_free(&table);
        status = psb_text_status(out, error);
    }
    psb_text_free(&caption);
    return status;
}

psb_status psb_evaluation_render(const psb_evaluation *evaluation, const psb_table_format *format,
                                 psb_text *out, psb_error *error) {
    layout l = {.input = evaluation, .format = format};
    l.groups = psb_group_count(evaluation->cla, evaluation->selected, evaluation->grouping);
    if (l.groups == 0) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "no query takes part: averages are over classes of more than 2 models that "
                        "are not miscellaneous");
    }
    psb_status status = allocate(&l, error);
    if (status == PSB_OK) {
        status = render(&l, out, error);
    }
    free(l.means);
    free(l.errors);
    free(l.group_of);
    free(l.columns);
    free(l.names);
    return status;
}
