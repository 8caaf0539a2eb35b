/* The heat picture: classes down, methods across. */
#include "report/class_heat.h"

#include "core/error.h"
#include "core/memory.h"
#include "report/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELL_WIDTH = 46, CELL_HEIGHT = 15, EDGE = 10, TITLE = 34, GAP = 6 };
static const double text_size = 10, title_size = 13, footnote_size = 10;

typedef struct drawing {
    const psb_evaluation *input;
    const char *title;
    size_t classes;
    size_t *group_of;
    double *means; /* methods x classes */
    double left, top;
} drawing;

static double mean_at(const drawing *d, size_t method, size_t row) {
    return d->means[method * d->classes + row];
}

static double best_of(const drawing *d, size_t row) {
    double best = mean_at(d, 0, row);
    for (size_t k = 1; k < d->input->nmethods; k++) {
        best = mean_at(d, k, row) > best ? mean_at(d, k, row) : best;
    }
    return best;
}

static void draw_cell(cairo_t *cr, const drawing *d, size_t method, size_t row) {
    double value = mean_at(d, method, row), rgb[3];
    double x = d->left + CELL_WIDTH * (double)method, y = d->top + CELL_HEIGHT * (double)row;
    psb_ramp_color(value, rgb);
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
    cairo_rectangle(cr, x, y, CELL_WIDTH - 1, CELL_HEIGHT - 1);
    cairo_fill(cr);
    double light = 0.3 * rgb[0] + 0.6 * rgb[1] + 0.1 * rgb[2];
    double ink = light < 0.5 ? 1 : 0;
    cairo_set_source_rgb(cr, ink, ink, ink);
    char text[32];
    snprintf(text, sizeof text, "%.0f", 100 * value);
    psb_draw_text(cr, x + CELL_WIDTH / 2.0, y + CELL_HEIGHT / 2.0 - 0.5, text_size,
                  PSB_ANCHOR_MIDDLE, text);
}

static void draw_frame(cairo_t *cr, const drawing *d, size_t method, size_t row) {
    cairo_set_source_rgb(cr, 0.84, 0.15, 0.0);
    cairo_set_line_width(cr, 2);
    cairo_rectangle(cr, d->left + CELL_WIDTH * (double)method, d->top + CELL_HEIGHT * (double)row,
                    CELL_WIDTH - 1, CELL_HEIGHT - 1);
    cairo_stroke(cr);
}

static void draw_row(cairo_t *cr, const drawing *d, size_t row) {
    cairo_set_source_rgb(cr, 0, 0, 0);
    psb_draw_text(cr, d->left - GAP, d->top + CELL_HEIGHT * ((double)row + 0.5), text_size,
                  PSB_ANCHOR_END, d->input->cla->classes[d->group_of[row]].full_name);
    for (size_t k = 0; k < d->input->nmethods; k++) {
        draw_cell(cr, d, k, row);
    }
    double best = best_of(d, row);
    for (size_t k = 0; k < d->input->nmethods; k++) {
        if (mean_at(d, k, row) >= best && best > 0) {
            draw_frame(cr, d, k, row);
        }
    }
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    psb_draw_text(cr, EDGE, TITLE / 2.0, title_size, PSB_ANCHOR_START, d->title);
    for (size_t k = 0; k < d->input->nmethods; k++) {
        psb_draw_text_upwards(cr, d->left + CELL_WIDTH * ((double)k + 0.5), d->top - GAP, text_size,
                              PSB_ANCHOR_START, d->input->methods[k].label);
    }
    for (size_t row = 0; row < d->classes; row++) {
        draw_row(cr, d, row);
    }
    cairo_set_source_rgb(cr, 0, 0, 0);
    psb_draw_text(cr, EDGE, d->top + CELL_HEIGHT * (double)d->classes + 16, footnote_size,
                  PSB_ANCHOR_START, "percent; framed: the best of a class");
}

/* Sums up per class; only the first of the measures is kept. */
static psb_status fill(drawing *d, psb_error *error) {
    const psb_evaluation *in = d->input;
    void *all = NULL;
    psb_status status =
        psb_alloc(&all, d->classes * in->nmeasures, sizeof(double), "class means", error);
    for (size_t k = 0; k < in->nmethods && status == PSB_OK; k++) {
        double *means = all;
        psb_group_values(in->cla, in->selected, PSB_PER_CLASS, in->methods[k].values, in->nmeasures,
                         means, NULL, d->group_of);
        for (size_t row = 0; row < d->classes; row++) {
            d->means[k * d->classes + row] = means[row * in->nmeasures];
        }
    }
    free(all);
    return status;
}

static void lay_out(drawing *d) {
    double left = 0, top = 0;
    for (size_t row = 0; row < d->classes; row++) {
        double width =
            psb_text_width(d->input->cla->classes[d->group_of[row]].full_name, text_size);
        left = width > left ? width : left;
    }
    for (size_t k = 0; k < d->input->nmethods; k++) {
        double width = psb_text_width(d->input->methods[k].label, text_size);
        top = width > top ? width : top;
    }
    d->left = ceil(left) + EDGE + GAP;
    d->top = ceil(top) + TITLE + GAP;
}

psb_status psb_class_heat_write(const psb_evaluation *evaluation, const char *title,
                                const char *format, const char *path, psb_error *error) {
    drawing d = {.input = evaluation, .title = title};
    d.classes = psb_group_count(evaluation->cla, evaluation->selected, PSB_PER_CLASS);
    if (d.classes == 0) {
        return psb_fail(error, PSB_ERROR_INPUT, "no class takes part");
    }
    void *group_of = NULL, *means = NULL;
    psb_status status = psb_alloc(&group_of, d.classes, sizeof(size_t), "classes", error);
    if (status == PSB_OK) {
        status = psb_alloc(&means, d.classes * evaluation->nmethods, sizeof(double), "class means",
                           error);
    }
    d.group_of = group_of;
    d.means = means;
    if (status == PSB_OK) {
        status = fill(&d, error);
    }
    if (status == PSB_OK) {
        lay_out(&d);
        double right = d.left + CELL_WIDTH * (double)evaluation->nmethods + EDGE;
        double wanted = 2 * EDGE + psb_text_width(title, title_size);
        psb_picture picture = {ceil(right > wanted ? right : wanted),
                               d.top + CELL_HEIGHT * (double)d.classes + 30, draw, &d};
        status = psb_picture_write(&picture, format, path, error);
    }
    free(means);
    free(group_of);
    return status;
}
