/* Lays out the means of groups, by method and measure, in columns. */
#include "report/measure_table.h"

#include <stdio.h>

enum { NAME_BYTES = 160 };

typedef struct layout {
    const psb_measure_table *input;
    const psb_evaluation *evaluation;
    bool for_programs;
    psb_column *columns;
    char (*names)[NAME_BYTES];
    size_t ncolumns;
    size_t groups; /* number of groups that have queries */
} layout;

static bool by_method(const layout *l) {
    return l->input->grouping == PSB_MICRO || l->input->grouping == PSB_MACRO;
}

static bool with_errors(const layout *l) {
    return l->input->errors && l->input->grouping != PSB_PER_MODEL;
}

/* ---- columns ---------------------------------------------------------------------------- */

static void add_text_column(layout *l, const char *name) {
    l->columns[l->ncolumns++] = (psb_column){.name = name, .heading = name};
}

/* `method` is NULL if the rows are methods, or if there is only one. */
static void add_number_column(layout *l, const psb_chosen_measure *measure, const char *method,
                              bool is_error) {
    char *name = l->names[l->ncolumns];
    snprintf(name, NAME_BYTES, "%s%s%s%s", method != NULL ? method : "", method != NULL ? "." : "",
             measure->name, is_error ? "_error" : "");
    int percent_decimals = l->for_programs ? 6 : 1;
    int plain_decimals = l->for_programs ? 6 : 3;
    l->columns[l->ncolumns++] = (psb_column){
        .name = name,
        .heading = is_error ? "s.e." : measure->title,
        .group = method,
        .align = PSB_RIGHT,
        .numbers = !is_error && by_method(l) ? PSB_RATED : PSB_PLAIN,
        .decimals = measure->measure.as_sum ? plain_decimals : percent_decimals,
    };
}

static void add_columns(layout *l) {
    const psb_evaluation *e = l->evaluation;
    bool methods_are_rows = by_method(l);
    if (methods_are_rows) {
        add_text_column(l, "matrix");
    } else {
        add_text_column(l, "class");
        if (l->input->grouping == PSB_PER_MODEL) {
            add_text_column(l, "model");
        }
    }
    for (size_t k = 0; k < (methods_are_rows ? 1 : e->nmethods); k++) {
        const char *method = methods_are_rows || e->nmethods == 1 ? NULL : e->labels[k];
        for (size_t m = 0; m < e->nmeasures; m++) {
            add_number_column(l, &e->measures[m], method, false);
            if (with_errors(l)) {
                add_number_column(l, &e->measures[m], method, true);
            }
        }
    }
}

/* ---- cells ------------------------------------------------------------------------------ */

static size_t set_numbers(const layout *l, psb_table *table, size_t row, size_t column,
                          size_t method, psb_group group) {
    for (size_t m = 0; m < l->evaluation->nmeasures; m++) {
        bool percent = !l->evaluation->measures[m].measure.as_sum && !l->for_programs;
        double unit = percent ? 100 : 1;
        psb_mean mean = psb_evaluation_mean(l->evaluation, method, m, group);
        psb_table_set_number(table, row, column++, unit * mean.value);
        if (with_errors(l)) {
            psb_table_set_number(table, row, column++, unit * mean.error);
        }
    }
    return column;
}

static size_t set_group_name(const layout *l, psb_table *table, size_t row, psb_group group) {
    const psb_classification *cla = l->evaluation->cla;
    bool model = group.kind == PSB_PER_MODEL;
    size_t class = model ? cla->class_of[group.which] : group.which;
    psb_table_set_class(table, row, 0, cla->classes[class].full_name, l->for_programs);
    if (model) {
        psb_table_set_name(table, row, 1, cla->models[group.which]);
    }
    return model ? 2 : 1;
}

static void set_cells(const layout *l, psb_table *table) {
    psb_group group = psb_groups(l->input->grouping);
    for (size_t row = 0; row < table->nrows; row++) {
        if (by_method(l)) {
            psb_table_set_text(table, row, 0, l->evaluation->labels[row]);
            set_numbers(l, table, row, 1, row, (psb_group){l->input->grouping, 0});
        } else if (psb_group_next(l->evaluation, &group)) {
            size_t column = set_group_name(l, table, row, group);
            for (size_t k = 0; k < l->evaluation->nmethods; k++) {
                column = set_numbers(l, table, row, column, k, group);
            }
        }
    }
}

static void add_errors_caption(const layout *l, psb_text *caption) {
    bool alone = l->input->grouping == PSB_PER_CLASS;
    bool classes =
        l->input->grouping == PSB_MACRO || (l->evaluation->units == PSB_UNITS_CLASS && !alone);
    psb_text_printf(caption, " s.e.: standard error%s.",
                    classes ? ", clustered by class" : " over queries");
}

void psb_add_absent(const psb_evaluation *e, psb_text *caption) {
    if (e->without > 0) {
        psb_text_printf(caption, " INCOMPLETE: %zu more quer%s no list and %s left out.",
                        e->without, e->without == 1 ? "y has" : "ies have",
                        e->without == 1 ? "is" : "are");
    }
    if (e->zeros > 0) {
        psb_text_printf(caption, " %zu list%s missing and count%s as 0.", e->zeros,
                        e->zeros == 1 ? " is" : "s are", e->zeros == 1 ? "s" : "");
    }
}

static void add_caption(const layout *l, psb_text *caption) {
    const psb_evaluation *e = l->evaluation;
    psb_mean all = psb_evaluation_mean(e, 0, 0, (psb_group){PSB_MICRO, 0});
    bool percent = false, over_set = false;
    for (size_t m = 0; m < e->nmeasures; m++) {
        percent = percent || !e->measures[m].measure.as_sum;
        over_set = over_set || e->measures[m].measure.over_set;
    }
    psb_text_printf(caption, "%s%zu queries of %zu classes.",
                    percent && !l->for_programs ? "Percent; " : "", all.queries, all.classes);
    size_t few = 0;
    for (size_t c = 0; c < e->cla->nclasses && e->own != NULL; c++) {
        const psb_class *class = &e->cla->classes[c];
        few += class->count < PSB_LEAST_CLASS && !class->miscellaneous ? class->count : 0;
    }
    if (few > 0) {
        psb_text_printf(caption, " Models in classes of fewer than %d are no queries: %zu.",
                        PSB_LEAST_CLASS, few);
    }
    psb_add_absent(e, caption);
    if (l->input->grouping == PSB_MACRO) {
        psb_text_add(caption, " Means over classes.");
    }
    if (with_errors(l)) {
        add_errors_caption(l, caption);
    }
    if (over_set) {
        psb_text_printf(caption, " Normalized DCG: relative to the mean of %zu method%s.",
                        e->nmethods, e->nmethods == 1 ? "" : "s");
    }
}

/* Allocates the columns; PSB_ERROR_INPUT if no query takes part. */
static psb_status open_layout(const psb_measure_table *input, layout *l, psb_error *error) {
    const psb_evaluation *e = input->evaluation;
    size_t columns = 2 + 2 * e->nmethods * e->nmeasures;
    *l = (layout){.input = input, .evaluation = e, .groups = psb_group_count(e, input->grouping)};
    if (l->groups == 0) {
        return psb_fail(
            error, PSB_ERROR_INPUT,
            "no query to average over: all classes are miscellaneous or have 2 or fewer models");
    }
    psb_status status = PSB_OK;
    l->columns = psb_new(&status, columns, sizeof *l->columns, "a table", error);
    l->names = psb_new(&status, columns, sizeof *l->names, "a table", error);
    return status;
}

static void close_layout(layout *l) {
    free(l->columns);
    free(l->names);
}

static psb_status lay_out(layout *l, bool for_programs, psb_table *table, psb_text *caption,
                          psb_error *error) {
    l->for_programs = for_programs;
    l->ncolumns = 0;
    add_columns(l);
    add_caption(l, caption);
    size_t rows = by_method(l) ? l->evaluation->nmethods : l->groups;
    psb_status status = psb_table_new(table, l->columns, l->ncolumns, rows, error);
    set_cells(l, table);
    return status;
}

psb_status psb_measure_table_make(const psb_measure_table *input, psb_table **made,
                                  psb_error *error) {
    layout l;
    psb_status status = open_layout(input, &l, error);
    *made = NULL;
    for (int form = 0; form < 2 && status == PSB_OK; form++) {
        psb_table table = {.cells = NULL};
        psb_text caption = {.data = NULL};
        status = lay_out(&l, form == 1, &table, &caption, error);
        status = psb_table_keep(status, &table, &caption, made, error);
    }
    close_layout(&l);
    return status;
}
