/* The heat picture: classes down, methods across. */
#include "report/class_heat.h"

#include "report/picture.h"

#include <math.h>
#include <stdio.h>

enum { CELL_WIDTH = 46, CELL_HEIGHT = 15, EDGE = 10, TITLE = 34, GAP = 6 };
static const double text_size = 10, title_size = 13, footnote_size = 10;

typedef struct drawing {
    const psb_evaluation *input;
    const char *title;
    double left, top;
} drawing;

static double mean_at(const drawing *d, size_t method, psb_group class) {
    return psb_evaluation_mean(d->input, method, 0, class).value;
}

static const char *name_of(const drawing *d, psb_group class) {
    return d->input->cla->classes[class.which].full_name;
}

static double best_of(const drawing *d, psb_group class) {
    double best = mean_at(d, 0, class);
    for (size_t k = 1; k < d->input->nmethods; k++) {
        best = mean_at(d, k, class) > best ? mean_at(d, k, class) : best;
    }
    return best;
}

static void draw_cell(cairo_t *cr, const drawing *d, size_t method, size_t row, double value) {
    double rgb[3];
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

static void draw_row(cairo_t *cr, const drawing *d, size_t row, psb_group class) {
    cairo_set_source_rgb(cr, 0, 0, 0);
    psb_draw_text(cr, d->left - GAP, d->top + CELL_HEIGHT * ((double)row + 0.5), text_size,
                  PSB_ANCHOR_END, name_of(d, class));
    for (size_t k = 0; k < d->input->nmethods; k++) {
        draw_cell(cr, d, k, row, mean_at(d, k, class));
    }
    double best = best_of(d, class);
    for (size_t k = 0; k < d->input->nmethods; k++) {
        if (mean_at(d, k, class) >= best && best > 0) {
            draw_frame(cr, d, k, row);
        }
    }
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    psb_draw_text(cr, EDGE, TITLE / 2.0, title_size, PSB_ANCHOR_START, d->title);
    for (size_t k = 0; k < d->input->nmethods; k++) {
        psb_draw_text_upwards(cr, d->left + CELL_WIDTH * ((double)k + 0.5), d->top - GAP, text_size,
                              PSB_ANCHOR_START, d->input->labels[k]);
    }
    size_t rows = 0;
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(d->input, &class);) {
        draw_row(cr, d, rows++, class);
    }
    cairo_set_source_rgb(cr, 0, 0, 0);
    psb_draw_text(cr, EDGE, d->top + CELL_HEIGHT * (double)rows + 16, footnote_size,
                  PSB_ANCHOR_START, "percent; framed: the best of a class");
}

static void lay_out(drawing *d) {
    double left = 0, top = 0;
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(d->input, &class);) {
        left = fmax(left, psb_text_width(name_of(d, class), text_size));
    }
    for (size_t k = 0; k < d->input->nmethods; k++) {
        top = fmax(top, psb_text_width(d->input->labels[k], text_size));
    }
    d->left = ceil(left) + EDGE + GAP;
    d->top = ceil(top) + TITLE + GAP;
}

psb_status psb_class_heat_write(const psb_evaluation *evaluation, const char *title,
                                const char *format, const char *path, psb_error *error) {
    drawing d = {.input = evaluation, .title = title};
    size_t classes = psb_group_count(evaluation, PSB_PER_CLASS);
    if (classes == 0) {
        return psb_fail(error, PSB_ERROR_INPUT, "no class takes part");
    }
    lay_out(&d);
    double right = d.left + CELL_WIDTH * (double)evaluation->nmethods + EDGE;
    double wanted = 2 * EDGE + psb_text_width(title, title_size);
    psb_picture picture = {ceil(fmax(right, wanted)), d.top + CELL_HEIGHT * (double)classes + 30,
                           draw, &d};
    return psb_picture_write(&picture, format, path, error);
}
