/* Axes, curves and legend. */
#include "report/curve_plot.h"

#include "report/picture.h"

#include <math.h>
#include <stdio.h>

enum {
    LEFT = 62,
    TOP = 40,
    WIDTH = 520,
    HEIGHT = 400,
    BOTTOM = 66,
    LEGEND_GAP = 16,
    LEGEND_LINE = 40,
    TICKS = 5,
    MARKERS = 5, /* per curve */
};
static const double text_size = 12, note_size = 10, title_size = 14;

typedef struct drawing {
    const psb_curve_plot *plot;
    const size_t *order; /* of the legend */
} drawing;

static double at_x(const psb_curve_plot *plot, double x) {
    return LEFT + WIDTH * (x - plot->x_low) / (plot->x_high - plot->x_low);
}

static double at_y(const psb_curve_plot *plot, double y) {
    return TOP + HEIGHT * (1 - (y - plot->y_low) / (plot->y_high - plot->y_low));
}

static void draw_tick_text(cairo_t *cr, double x, double y, psb_anchor anchor, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    psb_draw_text(cr, x, y, text_size, anchor, text);
}

static void draw_axes(cairo_t *cr, const psb_curve_plot *plot) {
    cairo_set_line_width(cr, 1);
    for (int t = 0; t <= TICKS; t++) {
        double part = (double)t / TICKS;
        double x = LEFT + WIDTH * part, y = TOP + HEIGHT * (1 - part);
        cairo_set_source_rgb(cr, 0.88, 0.88, 0.88);
        cairo_move_to(cr, x, TOP);
        cairo_line_to(cr, x, TOP + HEIGHT);
        cairo_move_to(cr, LEFT, y);
        cairo_line_to(cr, LEFT + WIDTH, y);
        cairo_stroke(cr);
        cairo_set_source_rgb(cr, 0, 0, 0);
        draw_tick_text(cr, x, TOP + HEIGHT + 14, PSB_ANCHOR_MIDDLE,
                       plot->x_low + part * (plot->x_high - plot->x_low));
        draw_tick_text(cr, LEFT - 8, y, PSB_ANCHOR_END,
                       plot->y_low + part * (plot->y_high - plot->y_low));
    }
    cairo_rectangle(cr, LEFT, TOP, WIDTH, HEIGHT);
    cairo_stroke(cr);
    psb_draw_text(cr, LEFT + WIDTH / 2.0, TOP + HEIGHT + 34, text_size, PSB_ANCHOR_MIDDLE,
                  plot->x_label);
    psb_draw_text_upwards(cr, 18, TOP + HEIGHT / 2.0, text_size, PSB_ANCHOR_MIDDLE, plot->y_label);
    psb_draw_text(cr, LEFT, TOP - 18, title_size, PSB_ANCHOR_START, plot->title);
    if (plot->note != NULL) {
        psb_draw_text(cr, LEFT, TOP + HEIGHT + 54, note_size, PSB_ANCHOR_START, plot->note);
    }
}

static void draw_curve(cairo_t *cr, const psb_curve_plot *plot, size_t which) {
    const double *y = plot->curves[which].y;
    psb_set_line_style(cr, which, 1.6);
    cairo_new_path(cr);
    for (size_t i = 0; i < plot->count; i++) {
        if (isnan(y[i])) {
            cairo_new_sub_path(cr);
        } else {
            cairo_line_to(cr, at_x(plot, plot->x[i]), at_y(plot, y[i]));
        }
    }
    cairo_stroke(cr);
    /* Curves mark different points, so that markers do not cover each other. */
    size_t step = plot->count / MARKERS > 0 ? plot->count / MARKERS : 1;
    for (size_t i = which % step; i < plot->count; i += step) {
        if (!isnan(y[i])) {
            psb_draw_marker(cr, which, at_x(plot, plot->x[i]), at_y(plot, y[i]));
        }
    }
}

static void draw_legend(cairo_t *cr, const drawing *d) {
    double x = LEFT + WIDTH + LEGEND_GAP;
    double gap = d->plot->ncurves > 20 ? HEIGHT / (double)d->plot->ncurves : 20;
    for (size_t k = 0; k < d->plot->ncurves; k++) {
        double y = TOP + 10 + gap * (double)k;
        psb_set_line_style(cr, d->order[k], 1.6);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + LEGEND_LINE, y);
        cairo_stroke(cr);
        psb_draw_marker(cr, d->order[k], x + LEGEND_LINE / 2.0, y);
        cairo_set_source_rgb(cr, 0, 0, 0);
        psb_draw_text(cr, x + LEGEND_LINE + 8, y, gap < 13 ? gap * 0.9 : text_size,
                      PSB_ANCHOR_START, d->plot->curves[d->order[k]].label);
    }
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    draw_axes(cr, d->plot);
    cairo_save(cr);
    cairo_rectangle(cr, LEFT - 5, TOP - 5, WIDTH + 10, HEIGHT + 10);
    cairo_clip(cr);
    for (size_t k = d->plot->ncurves; k-- > 0;) {
        draw_curve(cr, d->plot, d->order[k]);
    }
    cairo_restore(cr);
    draw_legend(cr, d);
}

static double height_of(const psb_curve_plot *plot, size_t which) {
    double sum = 0;
    for (size_t i = 0; i < plot->count; i++) {
        sum += isnan(plot->curves[which].y[i]) ? 0 : plot->curves[which].y[i];
    }
    return sum;
}

/* By insertion: a plot has a dozen curves. Equal ones stay as given. */
static void sort_legend(const psb_curve_plot *plot, size_t *order) {
    for (size_t i = 0; i < plot->ncurves; i++) {
        size_t at = i;
        for (; at > 0 && height_of(plot, order[at - 1]) < height_of(plot, i); at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

psb_status psb_curve_plot_write(const psb_curve_plot *plot, const char *format, const char *path,
                                psb_error *error) {
    psb_status status = PSB_OK;
    size_t *order = psb_new(&status, plot->ncurves, sizeof *order, "a legend", error);
    if (status != PSB_OK) {
        return status;
    }
    sort_legend(plot, order);
    double legend = 0;
    for (size_t i = 0; i < plot->ncurves; i++) {
        double width = psb_text_width(plot->curves[i].label, text_size);
        legend = width > legend ? width : legend;
    }
    drawing d = {plot, order};
    psb_picture picture = {ceil(LEFT + WIDTH + LEGEND_GAP + LEGEND_LINE + 8 + legend + 14),
                           TOP + HEIGHT + BOTTOM, draw, &d};
    status = psb_picture_write(&picture, format, path, error);
    free(order);
    return status;
}

void psb_curve_text(const double *x, const double *y, size_t count, psb_text *out) {
    for (size_t i = 0; i < count; i++) {
        if (!isnan(y[i])) {
            psb_text_printf(out, "%f\t%f\n", x[i], y[i]);
        }
    }
}
