/* Pairs of methods, their tests, and the classes behind the differences. */
#include "report/comparison.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct work {
    const psb_evaluation *input;
    const psb_comparison_options *options;
    const psb_table_format *format;
    double unit;    /* of percent, for people */
    size_t units;   /* queries or classes: what is paired */
    double *values; /* methods x units, the first measure */
    size_t npairs;
    psb_comparison *pairs; /* (0,1) (0,2) ... (1,2) ... */
} work;

/* Values of all methods for each query or class, one method after the other. */
static psb_status group(const psb_evaluation *in, psb_grouping grouping, double **values,
                        size_t *group_of, size_t *count, psb_error *error) {
    *count = psb_group_count(in->cla, in->selected, grouping);
    void *grouped = NULL, *all = NULL;
    psb_status status = psb_alloc(&grouped, in->nmethods * *count, sizeof(double), "scores", error);
    if (status == PSB_OK) {
        status = psb_alloc(&all, *count * in->nmeasures, sizeof(double), "scores", error);
    }
    for (size_t k = 0; k < in->nmethods && status == PSB_OK; k++) {
        psb_group_values(in->cla, in->selected, grouping, in->methods[k].values, in->nmeasures, all,
                         NULL, group_of);
        for (size_t i = 0; i < *count; i++) {
            ((double *)grouped)[k * *count + i] = ((double *)all)[i * in->nmeasures];
        }
    }
    free(all);
    if (status != PSB_OK) {
        free(grouped);
        grouped = NULL;
    }
    *values = grouped;
    return status;
}

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return count > 0 ? sum / (double)count : 0;
}

/* The methods of pair p. */
static void locate(size_t p, size_t methods, size_t *a, size_t *b) {
    *a = 0;
    while (p >= methods - 1 - *a) {
        p -= methods - 1 - *a;
        ++*a;
    }
    *b = *a + 1 + p;
}

static psb_status test_pairs(work *w, psb_error *error) {
    const psb_evaluation *in = w->input;
    psb_status status = PSB_OK;
    int threads = w->options->threads;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t p = 0; p < w->npairs; p++) {
        size_t a, b;
        locate(p, in->nmethods, &a, &b);
        psb_error own;
        psb_status mine = psb_compare_paired(
            w->values + a * w->units, w->values + b * w->units, w->units, w->options->rounds,
            w->options->seed, in->methods[a].label, in->methods[b].label, &w->pairs[p], &own);
        if (mine != PSB_OK) {
#pragma omp critical(psb_comparison)
            {
                status = mine;
                if (error != NULL) {
                    *error = own;
                }
            }
        }
    }
    return status == PSB_OK ? psb_correct_holm(w->pairs, w->npairs, error) : status;
}

/* ---- the table of pairs ----------------------------------------------------------------- */

static void set_pair(const work *w, psb_table *table, size_t p) {
    size_t a, b;
    locate(p, w->input->nmethods, &a, &b);
    const psb_comparison *c = &w->pairs[p];
    psb_table_set_text(table, p, 0, w->input->methods[a].label);
    psb_table_set_text(table, p, 1, w->input->methods[b].label);
    const double numbers[] = {
        w->unit * mean_of(w->values + a * w->units, w->units),
        w->unit * mean_of(w->values + b * w->units, w->units),
        w->unit * c->difference,
        w->unit * c->low,
        w->unit * c->high,
        c->p,
        c->p_holm,
    };
    for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
        psb_table_set_number(table, p, 2 + j, numbers[j]);
    }
    bool certain = c->p_holm < 0.05;
    psb_table_set_text(table, p, 9, !certain ? "no" : c->difference > 0 ? "A" : "B");
}

static void add_caption(const work *w, psb_text *caption) {
    psb_text_printf(
        caption,
        "%s%s over %zu %s. Interval: 95 %% bootstrap. p: paired randomisation test, two-sided, "
        "%zu rounds (p cannot be below %.2g), seed %llu; corrected for %zu comparison%s after "
        "Holm. Better: by corrected p < 0.05.",
        w->unit > 1 ? "Percent; " : "", w->input->measures[0].title, w->units,
        w->input->grouping == PSB_MACRO ? "classes" : "queries", w->options->rounds,
        1 / (1 + (double)w->options->rounds), (unsigned long long)w->options->seed, w->npairs,
        w->npairs == 1 ? "" : "s");
}

static psb_status render_pairs(const work *w, psb_text *out, psb_error *error) {
    int digits = w->format->for_programs ? 6 : w->unit > 1 ? 2 : 4;
    const psb_column columns[] = {
        {"a", "A", NULL, PSB_LEFT, 0, false},
        {"b", "B", NULL, PSB_LEFT, 0, false},
        {"mean_a", "A", "mean", PSB_RIGHT, digits, false},
        {"mean_b", "B", "mean", PSB_RIGHT, digits, false},
        {"difference", "A - B", NULL, PSB_RIGHT, digits, true},
        {"low", "from", "interval", PSB_RIGHT, digits, true},
        {"high", "to", "interval", PSB_RIGHT, digits, true},
        {"p", "p", NULL, PSB_RIGHT, w->format->for_programs ? 8 : 4, false},
        {"p_holm", "corrected", NULL, PSB_RIGHT, w->format->for_programs ? 8 : 4, false},
        {"better", "better", NULL, PSB_LEFT, 0, false},
    };
    psb_table table;
    psb_text caption = {.data = NULL};
    add_caption(w, &caption);
    psb_status status = psb_text_status(&caption, error);
    if (status == PSB_OK) {
        status =
            psb_table_new(&table, columns, sizeof columns / sizeof columns[0], w->npairs, error);
    }
    if (status == PSB_OK) {
        table.caption = caption.data;
        for (size_t p = 0; p < w->npairs; p++) {
            set_pair(w, &table, p);
        }
        w->format->render(&table, out);
        psb_table_free(&table);
        status = psb_text_status(out, error);
    }
    psb_text_free(&caption);
    return status;
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
    const psb_class *class = &w->input->cla->classes[g->class];
    psb_table_set_text(table, row, 0, class->full_name);
    psb_table_set_number(table, row, 1, (double)class->count);
    psb_table_set_number(table, row, 2, w->unit * g->a);
    psb_table_set_number(table, row, 3, w->unit * g->b);
    psb_table_set_number(table, row, 4, w->unit * (g->a - g->b));
}

/* The first and the last of the sorted classes. */
static psb_status render_gains(const work *w, size_t method, const gain *gains, size_t count,
                               psb_text *out, psb_error *error) {
    size_t shown = w->options->classes < count / 2 ? w->options->classes : count / 2;
    const psb_column columns[] = {
        {"class", "class", NULL, PSB_LEFT, 0, false},
        {"models", "models", NULL, PSB_RIGHT, 0, false},
        {"a", w->input->methods[0].label, NULL, PSB_RIGHT, 1, false},
        {"b", w->input->methods[method].label, NULL, PSB_RIGHT, 1, false},
        {"difference", "A - B", NULL, PSB_RIGHT, 1, true},
    };
    char title[300];
    snprintf(title, sizeof title, "Classes on which %.100s gains and loses most against %.100s",
             w->input->methods[0].label, w->input->methods[method].label);
    psb_table table;
    psb_status status = psb_table_new(&table, columns, 5, 2 * shown, error);
    if (status == PSB_OK) {
        table.title = title;
        for (size_t i = 0; i < shown; i++) {
            set_class(w, &table, i, &gains[i]);
            set_class(w, &table, shown + i, &gains[count - shown + i]);
        }
        psb_text_add(out, "\n");
        w->format->render(&table, out);
        psb_table_free(&table);
        status = psb_text_status(out, error);
    }
    return status;
}

static psb_status render_classes(const work *w, psb_text *out, psb_error *error) {
    const psb_evaluation *in = w->input;
    double *means = NULL;
    size_t count;
    void *group_of = NULL, *gains = NULL;
    psb_status status = psb_alloc(&group_of, in->cla->nclasses, sizeof(size_t), "classes", error);
    if (status == PSB_OK) {
        status = psb_alloc(&gains, in->cla->nclasses, sizeof(gain), "classes", error);
    }
    if (status == PSB_OK) {
        status = group(in, PSB_PER_CLASS, &means, group_of, &count, error);
    }
    for (size_t k = 1; k < in->nmethods && status == PSB_OK; k++) {
        for (size_t c = 0; c < count; c++) {
            ((gain *)gains)[c] = (gain){((size_t *)group_of)[c], means[c], means[k * count + c]};
        }
        qsort(gains, count, sizeof(gain), compare_gains);
        status = render_gains(w, k, gains, count, out, error);
    }
    free(means);
    free(gains);
    free(group_of);
    return status;
}

psb_status psb_comparison_render(const psb_evaluation *evaluation,
                                 const psb_comparison_options *options,
                                 const psb_table_format *format, psb_text *out, psb_error *error) {
    if (evaluation->nmethods < 2) {
        return psb_fail(error, PSB_ERROR_USAGE, "a comparison needs two matrices or more");
    }
    bool percent = evaluation->measures[0].measure.as_percent && !format->for_programs;
    work w = {.input = evaluation, .options = options, .format = format, .unit = percent ? 100 : 1};
    w.npairs = evaluation->nmethods * (evaluation->nmethods - 1) / 2;
    psb_grouping paired = evaluation->grouping == PSB_MACRO ? PSB_PER_CLASS : PSB_PER_MODEL;
    psb_status status = group(evaluation, paired, &w.values, NULL, &w.units, error);
    void *pairs = NULL;
    if (status == PSB_OK) {
        status = psb_alloc_zero(&pairs, w.npairs, sizeof(psb_comparison), "comparisons", error);
    }
    w.pairs = pairs;
    if (status == PSB_OK) {
        status = test_pairs(&w, error);
    }
    if (status == PSB_OK) {
        status = render_pairs(&w, out, error);
    }
    if (status == PSB_OK && !format->for_programs && options->classes > 0) {
        status = render_classes(&w, out, error);
    }
    free(pairs);
    free(w.values);
    return status;
}
