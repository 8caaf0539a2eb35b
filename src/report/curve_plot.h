/* Draws curves: precision over recall (the paper's Figure 2), gain over the list's length. */
#pragma once

#include "core/text.h"
#include "report/picture.h"

typedef struct psb_curve {
    const char *label;
    const double *y; /* `count` values, NaN where the curve has none */
    size_t style;    /* number of its line style, which psb_curve_styles sets */
} psb_curve;

typedef struct psb_curve_plot {
    const char *title, *note; /* the note says what was averaged, in small print; may be NULL */
    const char *x_label, *y_label;
    const double *x; /* count values, ascending */
    size_t count;
    double x_low, x_high, y_low, y_high; /* ends of the axes */
    const psb_curve *curves;
    size_t ncurves;
} psb_curve_plot;

/* Gives descriptors of the paper the same line in every plot, and other curves what is left. */
void psb_curve_styles(psb_curve *curves, size_t count);

/* The least step of 1, 2 or 5 times a power of ten that fits at most `most` times into the span. */
double psb_round_step(double span, double most);

/* Writes the plot; the legend has the curves in their order, in a narrow picture below the plot. */
psb_status psb_curve_plot_write(const psb_curve_plot *plot, const psb_picture_style *style,
                                const char *format, const char *path, psb_error *error);

/* Appends one curve as psbPlot writes it: "%f<TAB>%f" x and y a line, without NaN. */
void psb_curve_text(const double *x, const double *y, size_t count, psb_text *out);
