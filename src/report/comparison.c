/* Tests pairs of methods, and finds the classes behind the differences. */
#include "report/comparison.h"

#include "report/measure_table.h"

#include <stdio.h>

typedef struct work {
    const psb_comparison_table *input;
    const psb_evaluation *evaluation;
    const psb_table_format *format;
    double unit; /* 100 if people see percent, else 1 */
    size_t npairs;
    psb_comparison *pairs;
} work;

/* ---- the table of pairs ----------------------------------------------------------------- */

static void set_pair(const work *w, psb_table *table, size_t p) {
    const psb_comparison *c = &w->pairs[p];
    const psb_group group = {w->input->grouping, 0};
    psb_table_set_text(table, p, 0, w->evaluation->labels[c->a]);
    psb_table_set_text(table, p, 1, w->evaluation->labels[c->b]);
    const double numbers[] = {
        w->unit * psb_evaluation_mean(w->evaluation, c->a, 0, group).value,
        w->unit * psb_evaluation_mean(w->evaluation, c->b, 0, group).value,
        w->unit * c->difference,
        w->unit * c->low,
        w->unit * c->high,
        c->p,
        c->p_holm,
    };
    for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
        psb_table_set_number(table, p, 2 + j, numbers[j]);
    }
    bool certain = c->p_holm < PSB_TEST_LEVEL;
    psb_table_set_text(table, p, 9, !certain ? "no" : c->difference > 0 ? "A" : "B");
}

static void add_caption(const work *w, psb_text *caption) {
    const psb_evaluation *e = w->evaluation;
    psb_mean all = psb_evaluation_mean(e, 0, 0, (psb_group){PSB_MICRO, 0});
    bool macro = w->input->grouping == PSB_MACRO;
    psb_text_printf(caption, "%s%s over %zu %s", w->unit > 1 ? "Percent; " : "",
                    e->measures[0].title, macro ? all.classes : all.queries,
                    macro ? "classes" : "queries");
    if (!macro) {
        psb_text_printf(caption, " of %zu classes%s", all.classes,
                        e->units == PSB_UNITS_CLASS ? ", clustered by class" : "");
    }
    psb_text_add(caption, ".");
    psb_add_absent(e, caption);
    psb_text_printf(caption,
                    " Interval: 95 %%, Student's t. p: paired randomization test, two-sided, %zu "
                    "rounds (p is at least %.2g), seed %llu; Holm-corrected for %zu comparison%s. "
                    "Better: corrected p < %.2f.",
                    w->input->test->rounds, 1 / (1 + (double)w->input->test->rounds),
                    (unsigned long long)w->input->test->seed, w->npairs, w->npairs == 1 ? "" : "s",
                    PSB_TEST_LEVEL);
}

static psb_status render_pairs(const work *w, psb_text *out, psb_error *error) {
    int digits = w->format->for_programs ? 6 : w->unit > 1 ? 2 : 4;
    const psb_column columns[] = {
        {"a", "A", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"b", "B", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"mean_a", "A", "mean", PSB_RIGHT, digits, PSB_PLAIN},
        {"mean_b", "B", "mean", PSB_RIGHT, digits, PSB_PLAIN},
        {"difference", "A - B", NULL, PSB_RIGHT, digits, PSB_SIGNED},
        {"low", "from", "interval", PSB_RIGHT, digits, PSB_SIGNED},
        {"high", "to", "interval", PSB_RIGHT, digits, PSB_SIGNED},
        {"p", "p", NULL, PSB_RIGHT, w->format->for_programs ? 8 : 4, PSB_PLAIN},
        {"p_holm", "corrected", NULL, PSB_RIGHT, w->format->for_programs ? 8 : 4, PSB_PLAIN},
        {"better", "better", NULL, PSB_LEFT, 0, PSB_PLAIN},
    };
    psb_table table;
    psb_text caption = {.data = NULL};
    add_caption(w, &caption);
    psb_status status =
        psb_table_new(&table, columns, sizeof columns / sizeof columns[0], w->npairs, error);
    for (size_t p = 0; p < table.nrows; p++) {
        set_pair(w, &table, p);
    }
    return psb_table_finish(status, &table, &caption, w->format, out, error);
}

/* ---- the classes ------------------------------------------------------------------------ */

typedef struct gain {
    size_t class;
    double a, b;
} gain;

static int compare_gains(const void *x, const void *y) {
    const gain *a = x, *b = y;
    double p = a->a - a->b, q = b->a - b->b;
    return p != q ? (p < q) - (p > q) : (a->class > b->class) - (a->class < b->class);
}

static void set_class(const work *w, psb_table *table, size_t row, const gain *g) {
    const psb_class *class = &w->evaluation->cla->classes[g->class];
    psb_table_set_class(table, row, 0, class->full_name, w->format->for_programs);
    psb_table_set_number(table, row, 1, (double)class->count);
    psb_table_set_number(table, row, 2, w->unit * g->a);
    psb_table_set_number(table, row, 3, w->unit * g->b);
    psb_table_set_number(table, row, 4, w->unit * (g->a - g->b));
}

/* Appends the first and the last of the sorted classes, on which method 0 gains and loses most. */
static psb_status render_gains(const work *w, size_t method, const gain *gains, size_t count,
                               psb_text *out, psb_error *error) {
    size_t shown = w->input->classes < count / 2 ? w->input->classes : count / 2;
    const psb_column columns[] = {
        {"class", "class", NULL, PSB_LEFT, 0, PSB_PLAIN},
        {"models", "models", NULL, PSB_RIGHT, 0, PSB_PLAIN},
        {"a", w->evaluation->labels[0], NULL, PSB_RIGHT, 1, PSB_PLAIN},
        {"b", w->evaluation->labels[method], NULL, PSB_RIGHT, 1, PSB_PLAIN},
        {"difference", "A - B", NULL, PSB_RIGHT, 1, PSB_SIGNED},
    };
    char title[300];
    snprintf(title, sizeof title, "Classes on which %.100s gains and loses most against %.100s",
             w->evaluation->labels[0], w->evaluation->labels[method]);
    psb_table table;
    psb_status status = psb_table_new(&table, columns, 5, 2 * shown, error);
    table.title = title;
    for (size_t i = 0; i < table.nrows / 2; i++) {
        set_class(w, &table, i, &gains[i]);
        set_class(w, &table, shown + i, &gains[count - shown + i]);
    }
    psb_text_add(out, "\n");
    return psb_table_finish(status, &table, &(psb_text){0}, w->format, out, error);
}

static psb_status render_classes(const work *w, psb_text *out, psb_error *error) {
    const psb_evaluation *e = w->evaluation;
    size_t count = psb_group_count(e, PSB_PER_CLASS);
    psb_status status = PSB_OK;
    PSB_FREED gain *gains = psb_new(&status, count, sizeof *gains, "classes", error);
    for (size_t k = 1; k < e->nmethods && status == PSB_OK; k++) {
        gain *next = gains;
        for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(e, &class);) {
            *next++ = (gain){class.which, psb_evaluation_mean(e, 0, 0, class).value,
                             psb_evaluation_mean(e, k, 0, class).value};
        }
        qsort(gains, count, sizeof(gain), compare_gains);
        status = render_gains(w, k, gains, count, out, error);
    }
    return status;
}

psb_status psb_comparison_render(const psb_comparison_table *input, const psb_table_format *format,
                                 psb_text *out, psb_error *error) {
    const psb_evaluation *e = input->evaluation;
    if (e->nmethods < 2) {
        return psb_fail(error, PSB_ERROR_USAGE, "a comparison needs two matrices or more");
    }
    bool percent = !e->measures[0].measure.as_sum && !format->for_programs;
    work w = {.input = input, .evaluation = e, .format = format, .unit = percent ? 100 : 1};
    w.npairs = e->nmethods * (e->nmethods - 1) / 2;
    psb_status status = PSB_OK;
    w.pairs = psb_new(&status, w.npairs, sizeof *w.pairs, "comparisons", error);
    PSB_THEN(status, psb_evaluation_compare(e, 0, input->grouping, input->test, w.pairs, error));
    PSB_THEN(status, render_pairs(&w, out, error));
    PSB_THEN_IF(status, !format->for_programs && input->classes > 0,
                render_classes(&w, out, error));
    free(w.pairs);
    return status;
}
