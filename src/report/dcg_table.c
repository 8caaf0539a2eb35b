/* Lays out normalized DCG, measured and published, over the same rows. */
#include "report/dcg_table.h"

#include "eval/evaluation.h"

#include <math.h>
#include <stdio.h>

enum { MEASURED, PUBLISHED, DIFFERENCE, KINDS, NAME_BYTES = 64 };

typedef struct work {
    const psb_dcg_table *input;
    bool for_programs;
    bool *in_paper; /* rows that the paper has */
    size_t nin_paper;
    double *numbers; /* rows x columns x KINDS, percent; NAN: none */
    psb_column *columns;
    char (*names)[NAME_BYTES];
} work;

static double *number_at(const work *w, size_t row, size_t column, int kind) {
    return &w->numbers[(row * w->input->ncolumns + column) * KINDS + (size_t)kind];
}

/* Normalizes a column's DCG, in percent, over the paper's rows, or over all if there are none. */
static void normalize(const work *w, size_t column, int kind) {
    psb_dcg_set set = {0, 0};
    for (size_t i = 0; i < w->input->nrows; i++) {
        if (w->in_paper[i] || (w->nin_paper == 0 && kind == MEASURED)) {
            psb_dcg_set_add(&set, *number_at(w, i, column, kind));
        }
    }
    for (size_t i = 0; i < w->input->nrows; i++) {
        double *value = number_at(w, i, column, kind);
        *value = 100 * psb_normalized_dcg(*value, &set);
    }
}

static void fill(work *w) {
    const psb_dcg_table *in = w->input;
    for (size_t i = 0; i < in->nrows; i++) {
        w->in_paper[i] = psb_published_find(in->published, in->labels[i]) < in->published->nrows;
        w->nin_paper += w->in_paper[i];
    }
    for (size_t j = 0; j < in->ncolumns; j++) {
        for (size_t i = 0; i < in->nrows; i++) {
            *number_at(w, i, j, MEASURED) = in->dcg[i * in->ncolumns + j];
            double *published = number_at(w, i, j, PUBLISHED);
            *published = NAN;
            if (w->in_paper[i]) {
                size_t row = psb_published_find(in->published, in->labels[i]);
                double figure = psb_published_figure(in->published, row, in->columns[j].name);
                *published = 1 + figure / 100;
            }
        }
        normalize(w, j, MEASURED);
        /* If all of the paper's twelve are here, its figures stay as printed. */
        if (w->nin_paper < in->published->nrows) {
            normalize(w, j, PUBLISHED);
        }
        for (size_t i = 0; i < in->nrows; i++) {
            if (w->nin_paper == in->published->nrows) {
                *number_at(w, i, j, PUBLISHED) = 100 * (*number_at(w, i, j, PUBLISHED) - 1);
            }
            *number_at(w, i, j, DIFFERENCE) =
                *number_at(w, i, j, MEASURED) - *number_at(w, i, j, PUBLISHED);
        }
    }
}

/*
 * The columns made of one input column. People see the published figures and the difference only if
 * the paper has one of the rows; programs find the same columns in every table.
 */
static int kinds_of(const work *w) {
    return w->nin_paper > 0 || w->for_programs ? KINDS : 1;
}

static void add_columns(work *w) {
    static const char *const suffixes[KINDS] = {"", "_published", "_difference"};
    static const char *const headings[KINDS] = {"here", "pub.", "diff"};
    w->columns[0] = (psb_column){.name = "descriptor", .heading = "descriptor"};
    for (size_t j = 0; j < w->input->ncolumns; j++) {
        for (int kind = 0; kind < kinds_of(w); kind++) {
            size_t c = 1 + j * (size_t)kinds_of(w) + (size_t)kind;
            snprintf(w->names[c], NAME_BYTES, "%s%s", w->input->columns[j].name, suffixes[kind]);
            w->columns[c] = (psb_column){
                .name = w->names[c],
                .heading = headings[kind],
                .group = w->input->columns[j].heading,
                .align = PSB_RIGHT,
                .decimals = w->for_programs ? 4 : 1,
                .numbers = kind == DIFFERENCE && !w->for_programs ? PSB_SIGNED : PSB_PLAIN};
        }
    }
}

static double largest_difference(const work *w, size_t column) {
    double largest = 0;
    for (size_t i = 0; i < w->input->nrows; i++) {
        double difference = fabs(*number_at(w, i, column, DIFFERENCE));
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

static void add_caption(const work *w, psb_text *caption) {
    const psb_dcg_table *in = w->input;
    bool beside = w->nin_paper > 0;
    psb_text_printf(caption,
                    "Normalized DCG, percent. Queries%s:", beside ? " and largest difference" : "");
    for (size_t j = 0; j < in->ncolumns; j++) {
        psb_text_printf(caption, " %s %zu", in->columns[j].heading, in->columns[j].queries);
        if (beside) {
            psb_text_printf(caption, ", %.1f", largest_difference(w, j));
        }
        psb_text_add(caption, j + 1 < in->ncolumns ? ";" : ".");
    }
    if (w->nin_paper > 0 && w->nin_paper < in->published->nrows) {
        psb_text_printf(caption,
                        " Relative to the mean of the %zu of the paper's %zu descriptors in the "
                        "run; published figures are recomputed likewise.",
                        w->nin_paper, in->published->nrows);
    }
    if (in->note != NULL) {
        psb_text_printf(caption, " %s", in->note);
    }
}

static psb_status lay_out(work *w, bool for_programs, psb_table *table, psb_text *caption,
                          psb_error *error) {
    w->for_programs = for_programs;
    const size_t kinds = (size_t)kinds_of(w), ncolumns = 1 + kinds * w->input->ncolumns;
    add_columns(w);
    add_caption(w, caption);
    psb_status status = psb_table_new(table, w->columns, ncolumns, w->input->nrows, error);
    table->title = w->input->title;
    for (size_t i = 0; i < table->nrows; i++) {
        psb_table_set_text(table, i, 0, w->input->labels[i]);
        for (size_t c = 1; c < ncolumns; c++) {
            psb_table_set_number(table, i, c,
                                 *number_at(w, i, (c - 1) / kinds, (int)((c - 1) % kinds)));
        }
    }
    return status;
}

static psb_status open_work(const psb_dcg_table *table, work *w, psb_error *error) {
    size_t ncolumns = 1 + KINDS * table->ncolumns;
    static const char what[] = "a table";
    psb_status status = PSB_OK;
    *w = (work){.input = table};
    w->in_paper = psb_new_zero(&status, table->nrows, sizeof *w->in_paper, what, error);
    w->numbers = psb_new_zero(&status, table->nrows, ncolumns * sizeof *w->numbers, what, error);
    w->columns = psb_new_zero(&status, ncolumns, sizeof *w->columns, what, error);
    w->names = psb_new_zero(&status, ncolumns, sizeof *w->names, what, error);
    if (status == PSB_OK) {
        fill(w);
    }
    return status;
}

static void close_work(work *w) {
    free(w->in_paper);
    free(w->numbers);
    free(w->columns);
    free(w->names);
}

psb_status psb_dcg_table_make(const psb_dcg_table *input, psb_table **made, psb_error *error) {
    work w;
    psb_status status = open_work(input, &w, error);
    *made = NULL;
    for (int form = 0; form < 2 && status == PSB_OK; form++) {
        psb_table table = {.cells = NULL};
        psb_text caption = {.data = NULL};
        status = lay_out(&w, form == 1, &table, &caption, error);
        status = psb_table_keep(status, &table, &caption, made, error);
    }
    close_work(&w);
    return status;
}

psb_status psb_dcg_table_render(const psb_dcg_table *input, const psb_table_format *format,
                                psb_text *out, psb_error *error) {
    psb_table *made;
    psb_status status = psb_dcg_table_make(input, &made, error);
    return psb_table_end(status, made, format, out, error);
}
