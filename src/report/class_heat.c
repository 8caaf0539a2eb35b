/* Draws the heat picture: classes down, methods across. */
#include "report/class_heat.h"

#include "report/table.h"

#include <math.h>
#include <stdio.h>

enum {
    CELL_WIDTH = 46,
    LEAST_CELL = 22,
    LARGEST_CELL = 80,
    CELL_HEIGHT = 15,
    EDGE = 10,
    TITLE = 34,
    GAP = 6
};
static const double text_size = 10, title_size = 13, footnote_size = 10;
static const char footnote[] =
    "Mean over the queries of each class, percent. Framed: best of the class.";

typedef struct drawing {
    const psb_evaluation *input;
    const char *title;
    const psb_picture_style *style;
    bool brief; /* shows only the last part of classes' names */
    double left, top, cell;
} drawing;

static double mean_at(const drawing *d, size_t method, psb_group class) {
    return psb_evaluation_mean(d->input, method, 0, class).value;
}

/* The class's name as the picture shows it; free() it. */
static char *name_of(const drawing *d, psb_group class) {
    const psb_class *c = &d->input->cla->classes[class.which];
    return psb_class_levels(d->brief ? c->name : c->full_name);
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
    double x = d->left + d->cell * (double)method, y = d->top + CELL_HEIGHT * (double)row;
    if (d->style->gray) {
        rgb[0] = rgb[1] = rgb[2] = 0.2 + 0.75 * value;
    } else {
        psb_ramp_color(value, rgb);
    }
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
    cairo_rectangle(cr, x, y, d->cell - 1, CELL_HEIGHT - 1);
    cairo_fill(cr);
    double light = 0.3 * rgb[0] + 0.6 * rgb[1] + 0.1 * rgb[2];
    double ink = light < 0.5 ? 1 : 0;
    cairo_set_source_rgb(cr, ink, ink, ink);
    char text[32];
    snprintf(text, sizeof text, "%.0f", 100 * value);
    psb_draw_text(cr, d->style, x + d->cell / 2, y + CELL_HEIGHT / 2.0 - 0.5, text_size,
                  PSB_ANCHOR_MIDDLE, text);
}

static void draw_frame(cairo_t *cr, const drawing *d, size_t method, size_t row) {
    cairo_set_source_rgb(cr, d->style->gray ? 0 : 0.84, d->style->gray ? 0 : 0.15, 0);
    cairo_set_line_width(cr, 2);
    cairo_rectangle(cr, d->left + d->cell * (double)method, d->top + CELL_HEIGHT * (double)row,
                    d->cell - 1, CELL_HEIGHT - 1);
    cairo_stroke(cr);
}

static void draw_row(cairo_t *cr, const drawing *d, size_t row, psb_group class) {
    cairo_set_source_rgb(cr, 0, 0, 0);
    PSB_FREED char *name = name_of(d, class);
    psb_draw_text(cr, d->style, d->left - GAP, d->top + CELL_HEIGHT * ((double)row + 0.5),
                  text_size, PSB_ANCHOR_END, name != NULL ? name : "");
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

static double width_of(const drawing *d) {
    double cells = d->left + d->cell * (double)d->input->nmethods + EDGE;
    return ceil(fmax(cells, 2 * EDGE + psb_text_width(d->style, d->title, title_size)));
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    psb_draw_text(cr, d->style, EDGE, TITLE / 2.0, title_size, PSB_ANCHOR_START, d->title);
    for (size_t k = 0; k < d->input->nmethods; k++) {
        psb_draw_text_upwards(cr, d->style, d->left + d->cell * ((double)k + 0.5), d->top - GAP,
                              text_size, PSB_ANCHOR_START, d->input->labels[k]);
    }
    size_t rows = 0;
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(d->input, &class);) {
        draw_row(cr, d, rows++, class);
    }
    cairo_set_source_rgb(cr, 0, 0, 0);
    if (d->title[0] != '\0') {
        psb_draw_words(cr, d->style, EDGE, d->top + CELL_HEIGHT * (double)rows + 16, footnote_size,
                       width_of(d) - 2 * EDGE, footnote);
    }
}

static void measure(drawing *d) {
    d->left = EDGE + GAP;
    d->top = (d->title[0] != '\0' ? TITLE : EDGE) + GAP;
    double left = 0, top = 0;
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(d->input, &class);) {
        PSB_FREED char *name = name_of(d, class);
        left = fmax(left, name != NULL ? psb_text_width(d->style, name, text_size) : 0);
    }
    for (size_t k = 0; k < d->input->nmethods; k++) {
        top = fmax(top, psb_text_width(d->style, d->input->labels[k], text_size));
    }
    d->left += ceil(left);
    d->top += ceil(top);
}

/* In a narrow picture names are brief and cells narrow; if even these do not fit, all shrinks. */
static void lay_out(drawing *d) {
    double methods = (double)d->input->nmethods, width = psb_picture_units(d->style, 0);
    d->cell = CELL_WIDTH;
    measure(d);
    if (d->style->width > 0 && width < width_of(d)) {
        d->brief = width < d->left + LEAST_CELL * methods + EDGE;
        measure(d);
    }
    if (d->style->width > 0) {
        double room = (width - d->left - EDGE) / methods;
        d->cell = fmin(fmax(LEAST_CELL, room), LARGEST_CELL);
    }
}

psb_status psb_class_heat_write(const psb_evaluation *evaluation, const char *title,
                                const psb_picture_style *style, const char *format,
                                const char *path, psb_error *error) {
    psb_picture_style fitted = *style;
    drawing d = {.input = evaluation, .title = title, .style = &fitted};
    size_t classes = psb_group_count(evaluation, PSB_PER_CLASS);
    if (classes == 0) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "no class to show: all are miscellaneous or have 2 or fewer models");
    }
    psb_status status = psb_picture_begin(error);
    if (status != PSB_OK) {
        return status;
    }
    lay_out(&d);
    if (style->width > 0 && width_of(&d) > psb_picture_units(style, 0)) {
        fitted.text = style->width / 25.4 * 72 / width_of(&d) * PSB_TEXT_UNITS;
    }
    double foot = title[0] != '\0' ? 12 + psb_draw_words(NULL, style, 0, 0, footnote_size,
                                                         width_of(&d) - 2 * EDGE, footnote)
                                   : EDGE;
    psb_picture picture = {fmax(width_of(&d), psb_picture_units(&fitted, 0)),
                           d.top + CELL_HEIGHT * (double)classes + foot, &fitted, draw, &d};
    return psb_picture_write(&picture, format, path, error);
}
