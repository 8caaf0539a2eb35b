/* Pictures as files through Cairo: the same drawing as PNG, SVG or PDF. */
#ifndef PSB_REPORT_PICTURE_H
#define PSB_REPORT_PICTURE_H

#include "psbench.h"

#include <cairo.h>

/* Sides are in units of which ordinary text has PSB_TEXT_UNITS. */
#define PSB_TEXT_UNITS 12.0
typedef struct psb_picture {
    double width, height;
    const psb_picture_style *style;
    /* Draws on white. A Cairo error that it leaves is reported by psb_picture_write. */
    void (*draw)(cairo_t *cr, const void *context);
    const void *context;
} psb_picture;

/*
 * The first step of whoever measures text or draws: whether there is memory for it. Where
 * fontconfig gets none, it crashes, or takes another font and says nothing.
 */
psb_status psb_picture_begin(psb_error *error);

/* Units of the style's width; where it has none, those of `natural` points. */
double psb_picture_units(const psb_picture_style *style, double natural);

/*
 * "png", "svg" or "pdf"; PSB_ERROR_USAGE for anything else. The bytes hold no date. A unit is a
 * point; in PNG a pixel, or 300 pixels are an inch of the style's width. In SVG text is text.
 */
psb_status psb_picture_write(const psb_picture *picture, const char *format, const char *path,
                             psb_error *error);

/* ---- text ------------------------------------------------------------------------------- */

/* Width of a text of that size; needs no picture. */
double psb_text_width(const psb_picture_style *style, const char *text, double size);

/* Where text stands relative to (x, y); vertically its x-height is centred there. */
typedef enum psb_anchor { PSB_ANCHOR_START, PSB_ANCHOR_MIDDLE, PSB_ANCHOR_END } psb_anchor;

void psb_draw_text(cairo_t *cr, const psb_picture_style *style, double x, double y, double size,
                   psb_anchor anchor, const char *text);
/* Reads upwards; anchored along the direction of reading. */
void psb_draw_text_upwards(cairo_t *cr, const psb_picture_style *style, double x, double y,
                           double size, psb_anchor anchor, const char *text);
/* Words in lines of that width, the first at y; returns their height. A NULL `cr` measures. */
double psb_draw_words(cairo_t *cr, const psb_picture_style *style, double x, double y, double size,
                      double width, const char *text);

/* ---- colours ---------------------------------------------------------------------------- */

/*
 * Line i of a plot: a colour of Okabe and Ito's palette, which colour-blind readers can tell apart,
 * a dash pattern and a marker; neighbours differ in all three. In gray all lines are black.
 */
void psb_set_line_style(cairo_t *cr, const psb_picture_style *style, size_t i, double width);
void psb_draw_marker(cairo_t *cr, const psb_picture_style *style, size_t i, double x, double y);

/* 0 ... 1 from dark blue over green to yellow, ever lighter, so that it also works in grey. */
void psb_ramp_color(double value, double rgb[3]);

#endif
