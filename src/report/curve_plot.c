/* Draws axes, curves and legend. */
#include "report/curve_plot.h"

#include "report/published.h"

#include <math.h>
#include <stdio.h>

enum {
    NATURAL = 720, /* width of the picture */
    NARROW = 480,  /* pictures narrower than this have the legend below */
    LEFT = 62,
    RIGHT = 14,
    TITLE = 40,
    NO_TITLE = 14,
    AXIS = 48, /* height of ticks and label below the plot */
    LEGEND_GAP = 16,
    LEGEND_LINE = 40,
    LEGEND_HEIGHT = 20,
    BETWEEN = 55, /* least units between ticks across; upward two thirds of it */
    MARKERS = 5,  /* about so many on each curve */
};
static const double text_size = PSB_TEXT_UNITS, note_size = 10, title_size = 14, aspect = 0.77;

typedef struct drawing {
    const psb_curve_plot *plot;
    const psb_picture_style *style;
    double top, width, height; /* frame of the axes */
    double label;              /* width of the legend's longest label */
    double legend_x, legend_y, legend_gap;
    size_t columns; /* columns of the legend */
    double note_y, note_width;
} drawing;

static double at_x(const drawing *d, double x) {
    const psb_curve_plot *plot = d->plot;
    return LEFT + d->width * (x - plot->x_low) / (plot->x_high - plot->x_low);
}

static double at_y(const drawing *d, double y) {
    const psb_curve_plot *plot = d->plot;
    return d->top + d->height * (1 - (y - plot->y_low) / (plot->y_high - plot->y_low));
}

double psb_round_step(double span, double most) {
    double least = span / most, power = pow(10, floor(log10(least)));
    double times = least / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* Draws lines at round values, and these values beside the axis. */
static void draw_ticks(cairo_t *cr, const drawing *d, bool upward) {
    double low = upward ? d->plot->y_low : d->plot->x_low;
    double high = upward ? d->plot->y_high : d->plot->x_high;
    double room = upward ? 1.5 * d->height / BETWEEN : d->width / BETWEEN;
    double step = psb_round_step(high - low, room), slack = 1e-9 * (high - low);
    int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    for (double t = ceil((low - slack) / step); t * step <= high + slack; t++) {
        char text[32];
        snprintf(text, sizeof text, "%.*f", decimals, t * step + 0.0);
        double x = upward ? LEFT : at_x(d, t * step);
        double y = upward ? at_y(d, t * step) : d->top + d->height;
        cairo_set_source_rgb(cr, 0.88, 0.88, 0.88);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, upward ? LEFT + d->width : x, upward ? y : d->top);
        cairo_stroke(cr);
        cairo_set_source_rgb(cr, 0, 0, 0);
        psb_draw_text(cr, d->style, upward ? LEFT - 8 : x, upward ? y : y + 14, text_size,
                      upward ? PSB_ANCHOR_END : PSB_ANCHOR_MIDDLE, text);
    }
}

static bool has_title(const psb_curve_plot *plot) {
    return plot->title != NULL && plot->title[0] != '\0';
}

static void draw_axes(cairo_t *cr, const drawing *d) {
    const psb_curve_plot *plot = d->plot;
    cairo_set_line_width(cr, 1);
    draw_ticks(cr, d, false);
    draw_ticks(cr, d, true);
    cairo_rectangle(cr, LEFT, d->top, d->width, d->height);
    cairo_stroke(cr);
    psb_draw_text(cr, d->style, LEFT + d->width / 2, d->top + d->height + 34, text_size,
                  PSB_ANCHOR_MIDDLE, plot->x_label);
    psb_draw_text_upwards(cr, d->style, 18, d->top + d->height / 2, text_size, PSB_ANCHOR_MIDDLE,
                          plot->y_label);
    if (has_title(plot)) {
        psb_draw_text(cr, d->style, LEFT, TITLE - 18, title_size, PSB_ANCHOR_START, plot->title);
    }
    if (has_title(plot) && plot->note != NULL) {
        psb_draw_words(cr, d->style, RIGHT, d->note_y, note_size, d->note_width, plot->note);
    }
}

static void draw_curve(cairo_t *cr, const drawing *d, const psb_curve *curve) {
    const psb_curve_plot *plot = d->plot;
    psb_set_line_style(cr, d->style, curve->style, 1.6);
    cairo_new_path(cr);
    for (size_t i = 0; i < plot->count; i++) {
        if (isnan(curve->y[i])) {
            cairo_new_sub_path(cr);
        } else {
            cairo_line_to(cr, at_x(d, plot->x[i]), at_y(d, curve->y[i]));
        }
    }
    cairo_stroke(cr);
    /* Curves mark different points, so that markers do not cover each other. */
    size_t step = plot->count / MARKERS > 0 ? plot->count / MARKERS : 1;
    for (size_t i = curve->style % step; i < plot->count; i += step) {
        if (!isnan(curve->y[i])) {
            psb_draw_marker(cr, d->style, curve->style, at_x(d, plot->x[i]), at_y(d, curve->y[i]));
        }
    }
}

static double legend_column(const drawing *d) {
    return LEGEND_LINE + 8 + d->label + LEGEND_GAP;
}

static void draw_legend(cairo_t *cr, const drawing *d) {
    for (size_t k = 0; k < d->plot->ncurves; k++) {
        const psb_curve *curve = &d->plot->curves[k];
        double x = d->legend_x + legend_column(d) * (double)(k % d->columns);
        double y = d->legend_y + d->legend_gap * (double)(k / d->columns);
        psb_set_line_style(cr, d->style, curve->style, 1.6);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + LEGEND_LINE, y);
        cairo_stroke(cr);
        psb_draw_marker(cr, d->style, curve->style, x + LEGEND_LINE / 2.0, y);
        cairo_set_source_rgb(cr, 0, 0, 0);
        psb_draw_text(cr, d->style, x + LEGEND_LINE + 8, y,
                      d->legend_gap < 13 ? d->legend_gap * 0.9 : text_size, PSB_ANCHOR_START,
                      curve->label);
    }
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    draw_axes(cr, d);
    cairo_save(cr);
    cairo_rectangle(cr, LEFT - 5, d->top - 5, d->width + 10, d->height + 10);
    cairo_clip(cr);
    for (size_t k = d->plot->ncurves; k-- > 0;) {
        draw_curve(cr, d, &d->plot->curves[k]);
    }
    cairo_restore(cr);
    draw_legend(cr, d);
}

/* Places all parts in a picture of the width `width`; returns its height. */
static double lay_out(drawing *d, double width) {
    size_t n = d->plot->ncurves;
    for (size_t i = 0; i < n; i++) {
        d->label = fmax(d->label, psb_text_width(d->style, d->plot->curves[i].label, text_size));
    }
    double column = legend_column(d), across = width - LEFT - RIGHT;
    bool below = width < NARROW || column > width / 2;
    d->top = has_title(d->plot) ? TITLE : NO_TITLE;
    d->width = below ? across : across - LEGEND_GAP - column + LEGEND_GAP;
    d->height = aspect * d->width;
    double bottom = d->top + d->height + AXIS;
    if (below) {
        double fit = floor((across + LEFT + LEGEND_GAP) / column);
        d->columns = fit > 1 ? (size_t)fit : 1;
        d->legend_x = RIGHT;
        d->legend_y = bottom + LEGEND_HEIGHT / 2.0;
        d->legend_gap = LEGEND_HEIGHT;
        bottom += LEGEND_HEIGHT * ceil((double)n / (double)d->columns);
    } else {
        d->columns = 1;
        d->legend_x = LEFT + d->width + LEGEND_GAP;
        d->legend_y = d->top + 10;
        d->legend_gap = fmin(LEGEND_HEIGHT, d->height / (double)n);
    }
    bottom += below ? note_size / 2 : 0;
    d->note_y = bottom + note_size / 2;
    d->note_width = width - 2.0 * RIGHT;
    bool note = has_title(d->plot) && d->plot->note != NULL;
    return bottom +
           (note ? psb_draw_words(NULL, d->style, 0, 0, note_size, d->note_width, d->plot->note) +
                       note_size
                 : 0);
}

psb_status psb_curve_plot_write(const psb_curve_plot *plot, const psb_picture_style *style,
                                const char *format, const char *path, psb_error *error) {
    drawing d = {.plot = plot, .style = style};
    double width = psb_picture_units(style, NATURAL);
    psb_status status = psb_picture_begin(error);
    if (status != PSB_OK) {
        return status;
    }
    psb_picture picture = {width, ceil(lay_out(&d, width)), style, draw, &d};
    return psb_picture_write(&picture, format, path, error);
}

void psb_curve_styles(psb_curve *curves, size_t count) {
    size_t others = psb_published_table4.nrows;
    for (size_t k = 0; k < count; k++) {
        size_t place = psb_published_find(&psb_published_table4, curves[k].label);
        curves[k].style = place < psb_published_table4.nrows ? place : others++;
    }
}

void psb_curve_text(const double *x, const double *y, size_t count, psb_text *out) {
    for (size_t i = 0; i < count; i++) {
        if (!isnan(y[i])) {
            psb_text_printf(out, "%f\t%f\n", x[i], y[i]);
        }
    }
}
