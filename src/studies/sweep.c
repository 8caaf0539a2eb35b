/* Writes tables, plots and notes of a sweep, and checks that a test list is scored only once. */
#include "studies/sweep.h"

#include "core/names.h"
#include "report/curve_plot.h"
#include "run/record.h"

#include <math.h>
#include <stdio.h>

/* ---- the choice ------------------------------------------------------------------------ */

static psb_mean mean_of(const psb_evaluation *e, size_t method, size_t figure) {
    return psb_evaluation_mean(e, method, figure, (psb_group){PSB_MICRO, 0});
}

size_t psb_sweep_best(const psb_evaluation *e, size_t variants) {
    size_t best = 0;
    for (size_t v = 1; v < variants; v++) {
        best = mean_of(e, v, PSB_DCG).value > mean_of(e, best, PSB_DCG).value ? v : best;
    }
    return best;
}

psb_status psb_sweep_note(const psb_sweep *sweep, psb_error *error) {
    const char *chosen = sweep->specs[psb_sweep_best(sweep->e, sweep->nspecs)]->label.text;
    PSB_AT_END(psb_results_free) psb_results results = {0};
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_status status = psb_results_open(sweep->run, false, &results, error);
    PSB_THEN(status, psb_run_read_facts(&results, &facts, error));
    bool noted = status == PSB_OK && facts.chosen != NULL && strcmp(facts.chosen, chosen) == 0;
    if (status == PSB_OK && !noted) {
        facts.chosen = chosen;
        facts.chosen_by = "the best mean DCG over the training list";
        facts.chosen_at = sweep->when;
        status = psb_run_facts_render(&facts, &text, error);
        PSB_THEN(status,
                 psb_results_save(sweep->run, "run.json", &text, sweep->command_line, error));
    }
    return status;
}

psb_status psb_check_apart(const psb_classification *one, const char *name,
                           const psb_classification *other, psb_error *error) {
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status = psb_names_fill(&names, other->models, other->nmodels, error);
    for (size_t i = 0; i < one->nmodels && status == PSB_OK; i++) {
        PSB_THEN_IF(
            status, psb_names_find(&names, one->models[i]) != PSB_NO_NAME,
            psb_fail_at(error, PSB_ERROR_USAGE, name, 0,
                        "model %.40s is in both lists: training and test lists must be disjoint",
                        one->models[i]));
    }
    return status;
}

psb_status psb_sweep_check_test(const char *run, const psb_spec *chosen, psb_error *error) {
    PSB_AT_END(psb_ledger_free) psb_ledger ledger = {0};
    PSB_AT_END(psb_text_free) psb_text own = {0};
    psb_text_printf(&own, "matrices/%s.matrix", chosen->label.stem);
    psb_status status = psb_text_status(&own, error);
    PSB_THEN(status, psb_ledger_open(run, false, &ledger, error));
    for (size_t i = 0; i < ledger.count && status == PSB_OK; i++) {
        const char *name = ledger.entries[i].name;
        if (strncmp(name, "matrices/", 9) == 0 && strncmp(name, own.data, own.length) != 0) {
            status = psb_fail_at(error, PSB_ERROR_USAGE, run, 0,
                                 "has scored %.100s, and the training list now chooses %.100s: a "
                                 "test list is scored once; another sweep needs another folder",
                                 name + 9, chosen->label.text);
        }
    }
    return status;
}

/* ---- tables ---------------------------------------------------------------------------- */

static const psb_column columns[] = {
    {"variant", "variant", NULL, PSB_LEFT, 0, PSB_PLAIN},
    {"set", "set", NULL, PSB_LEFT, 0, PSB_PLAIN},
    {"nearest_neighbor", "nearest neighbor", NULL, PSB_RIGHT, 2, PSB_PLAIN},
    {"first_tier", "first tier", NULL, PSB_RIGHT, 2, PSB_PLAIN},
    {"second_tier", "second tier", NULL, PSB_RIGHT, 2, PSB_PLAIN},
    {"e_measure", "E-measure", NULL, PSB_RIGHT, 2, PSB_PLAIN},
    {"dcg", "DCG", NULL, PSB_RIGHT, 2, PSB_PLAIN},
    {"dcg_error", "s.e.", NULL, PSB_RIGHT, 2, PSB_PLAIN},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], FIRST_FIGURE = 2 };

/* Sorts the variants from the best to the worst, by insertion, as there are at most some
 * hundred. */
static size_t *sort(const psb_sweep *sweep, psb_status *status, psb_error *error) {
    const psb_evaluation *e = sweep->e;
    size_t *order = psb_new(status, sweep->nspecs, sizeof *order, "variants", error);
    for (size_t i = 0; *status == PSB_OK && i < sweep->nspecs; i++) {
        size_t at = i;
        double dcg = mean_of(e, i, PSB_DCG).value;
        for (; at > 0 && mean_of(e, order[at - 1], PSB_DCG).value < dcg; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

static void fill(const psb_sweep *sweep, const size_t *order, psb_table *table) {
    const psb_evaluation *e = sweep->e;
    for (size_t r = 0; r < table->nrows; r++) {
        bool test = r == sweep->nspecs;
        size_t v = order[test ? 0 : r];
        psb_table_set_text(table, r, 0, sweep->specs[v]->label.text);
        psb_table_set_text(table, r, 1, test ? "test" : "train");
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            double value = test ? sweep->test->figure[f] : mean_of(e, v, f).value;
            psb_table_set_number(table, r, FIRST_FIGURE + f, 100 * value);
        }
        if (!test) {
            psb_table_set_number(table, r, COLUMNS - 1, 100 * mean_of(e, v, PSB_DCG).error);
        }
    }
}

static psb_status write_tables(const psb_sweep *sweep, psb_table **made, psb_error *error) {
    psb_table table = {0};
    psb_text caption = {0};
    psb_status status = PSB_OK;
    PSB_FREED size_t *order = sort(sweep, &status, error);
    psb_text_printf(&caption,
                    "Percent; means over queries; s.e.: standard error of DCG, with classes as "
                    "units. Chosen by DCG on the training list: %s.%s",
                    sweep->specs[psb_sweep_best(sweep->e, sweep->nspecs)]->label.text,
                    sweep->test != NULL ? " The test list was scored for it alone, once." : "");
    PSB_THEN(status, psb_text_status(&caption, error));
    PSB_THEN(status,
             psb_table_new(&table, columns, COLUMNS, sweep->nspecs + (sweep->test != NULL), error));
    if (status == PSB_OK) {
        fill(sweep, order, &table);
    }
    status = psb_table_keep(status, &table, &caption, made, error);
    return PSB_THEN(status,
                    psb_run_save_table(sweep->run, "sweep", *made, sweep->command_line, error));
}

/* ---- plots ----------------------------------------------------------------------------- */

/* A plot of one parameter of one descriptor: DCG over its values, one curve for each setting of the
 * others. */
typedef struct plot {
    const psb_sweep *sweep;
    const psb_descriptor *descriptor;
    size_t param;
    double *x, *y; /* nx numbers; ncurves x nx numbers */
    size_t nx, ncurves;
    psb_curve *curves;
    psb_text *labels;
} plot;

static bool is_of(const plot *p, size_t v) {
    return p->sweep->specs[v]->descriptor == p->descriptor;
}

static double value_of(const plot *p, size_t v) {
    return p->sweep->specs[v]->params.value[p->param];
}

static void find_values(plot *p) {
    for (size_t v = 0; v < p->sweep->nspecs; v++) {
        size_t at = 0;
        while (at < p->nx && p->x[at] < value_of(p, v)) {
            at++;
        }
        if (is_of(p, v) && (at == p->nx || p->x[at] > value_of(p, v))) {
            memmove(p->x + at + 1, p->x + at, (p->nx++ - at) * sizeof *p->x);
            p->x[at] = value_of(p, v);
        }
    }
}

/* Appends all other parameters that differ from the default: "shells=8". */
static void label_others(const plot *p, size_t v, psb_text *label) {
    psb_params defaults;
    psb_params_set_defaults(p->descriptor, &defaults);
    const psb_params *params = &p->sweep->specs[v]->params;
    psb_text_add(label, p->descriptor->name);
    for (size_t k = 0; k < p->descriptor->nparams; k++) {
        if (k != p->param && params->value[k] != defaults.value[k]) {
            psb_text_printf(label, " %s=", p->descriptor->params[k].name);
            psb_param_format(&p->descriptor->params[k], params->value[k], label);
        }
    }
}

static void fill_curves(plot *p) {
    for (size_t v = 0; v < p->sweep->nspecs; v++) {
        psb_text label = {0};
        size_t c = 0, at = 0;
        if (!is_of(p, v)) {
            continue;
        }
        label_others(p, v, &label);
        while (c < p->ncurves && !label.failed && strcmp(p->labels[c].data, label.data) != 0) {
            c++;
        }
        if (c == p->ncurves) {
            p->labels[p->ncurves++] = label;
            p->curves[c] = (psb_curve){label.data, p->y + c * p->nx, 0};
            for (size_t i = 0; i < p->nx; i++) {
                p->y[c * p->nx + i] = NAN;
            }
        } else {
            psb_text_free(&label);
        }
        while (p->x[at] != value_of(p, v)) {
            at++;
        }
        p->y[c * p->nx + at] = 100 * mean_of(p->sweep->e, v, PSB_DCG).value;
    }
}

static psb_status draw(const plot *p, psb_error *error) {
    double low = 100, high = 0;
    for (size_t i = 0; i < p->ncurves * p->nx; i++) {
        low = p->y[i] < low ? p->y[i] : low;
        high = p->y[i] > high ? p->y[i] : high;
    }
    const char *param = p->descriptor->params[p->param].name;
    psb_status status = PSB_OK;
    PSB_FREED char *title = psb_new_format(&status, error, "%s: %s", p->descriptor->name, param);
    PSB_FREED char *name =
        psb_new_format(&status, error, "sweep-%s-%s.svg", p->descriptor->name, param);
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s", p->sweep->run, name);
    psb_curve_plot drawn = {.title = title,
                            .note = p->descriptor->params[p->param].help,
                            .x_label = param,
                            .y_label = "mean DCG over the training list, percent",
                            .x = p->x,
                            .count = p->nx,
                            .x_low = p->x[0],
                            .x_high = p->x[p->nx - 1],
                            .y_low = floor(low),
                            .y_high = floor(high) + 1,
                            .curves = p->curves,
                            .ncurves = p->ncurves};
    psb_curve_styles(p->curves, p->ncurves);
    PSB_THEN(status, psb_curve_plot_write(&drawn, &(psb_picture_style){0}, "svg", path, error));
    return PSB_THEN(status, psb_results_enter(p->sweep->run, (const char *const *)&name, NULL, 1,
                                              p->sweep->command_line, error));
}

static psb_status plot_parameter(const psb_sweep *sweep, const psb_descriptor *descriptor,
                                 size_t param, psb_error *error) {
    size_t n = sweep->nspecs;
    plot p = {.sweep = sweep, .descriptor = descriptor, .param = param};
    psb_status status = PSB_OK;
    p.x = psb_new(&status, n, sizeof *p.x, "a plot", error);
    p.curves = psb_new(&status, n, sizeof *p.curves, "a plot", error);
    p.labels = psb_new_zero(&status, n, sizeof *p.labels, "a plot", error);
    if (status == PSB_OK) {
        find_values(&p);
    }
    if (p.nx > 1) {
        p.y = psb_new(&status, n, p.nx * sizeof *p.y, "a plot", error);
        if (status == PSB_OK) {
            fill_curves(&p);
        }
        for (size_t c = 0; c < p.ncurves; c++) {
            PSB_THEN(status, psb_text_status(&p.labels[c], error));
        }
        PSB_THEN(status, draw(&p, error));
    }
    for (size_t c = 0; c < p.ncurves; c++) {
        psb_text_free(&p.labels[c]);
    }
    free(p.x);
    free(p.y);
    free(p.curves);
    free(p.labels);
    return status;
}

psb_status psb_sweep_write(const psb_sweep *sweep, psb_table **made, psb_error *error) {
    psb_status status = write_tables(sweep, made, error);
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        const psb_descriptor *descriptor = psb_descriptor_at(d);
        for (size_t k = 0; k < descriptor->nparams && status == PSB_OK; k++) {
            status = plot_parameter(sweep, descriptor, k, error);
        }
    }
    return status;
}
