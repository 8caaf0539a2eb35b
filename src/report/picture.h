/* Pictures as files through Cairo: the same drawing as PNG, SVG or PDF. */
#pragma once

#include "psbench.h"

#include <cairo.h>

/* Lengths are in units: ordinary text has the size PSB_TEXT_UNITS. */
#define PSB_TEXT_UNITS 12.0
typedef struct psb_picture {
    double width, height;
    const psb_picture_style *style;
    /* Draws on white. psb_picture_write reports the Cairo error that it leaves, if any. */
    void (*draw)(cairo_t *cr, const void *context);
    const void *context;
} psb_picture;

/*
 * Checks that there is memory to measure text or draw; call it first. Without memory fontconfig
 * crashes, or takes another font and says nothing.
 */
psb_status psb_picture_begin(psb_error *error);

/* The style's width in units or, if it has none, `natural` points in units. */
double psb_picture_units(const psb_picture_style *style, double natural);

/*
 * Writes "png", "svg" or "pdf"; PSB_ERROR_USAGE for anything else. The bytes hold no date. A unit
 * is 1/12 of the style's text, by default 12 points, or 8 if the style has a width. In PNG a point
 * is a pixel, or with a width an inch has 300 pixels. In SVG text is text.
 */
psb_status psb_picture_write(const psb_picture *picture, const char *format, const char *path,
                             psb_error *error);

/* ---- text ------------------------------------------------------------------------------- */

/* The width of a text of the font size `size`; needs no picture. */
double psb_text_width(const psb_picture_style *style, const char *text, double size);

/* Which point of a text stands at (x, y); vertically its x-height is centered there. */
typedef enum psb_anchor { PSB_ANCHOR_START, PSB_ANCHOR_MIDDLE, PSB_ANCHOR_END } psb_anchor;

void psb_draw_text(cairo_t *cr, const psb_picture_style *style, double x, double y, double size,
                   psb_anchor anchor, const char *text);
/* Draws text that reads upwards; the anchor counts along the direction of reading. */
void psb_draw_text_upwards(cairo_t *cr, const psb_picture_style *style, double x, double y,
                           double size, psb_anchor anchor, const char *text);
/* Draws words in lines of `width`, the first at y; returns their height. A NULL `cr` measures. */
double psb_draw_words(cairo_t *cr, const psb_picture_style *style, double x, double y, double size,
                      double width, const char *text);

/* ---- colors ---------------------------------------------------------------------------- */

/*
 * Sets the style of line i of a plot: one of twelve colors, a dash pattern and a marker; neighbors
 * differ in all three, so color-blind readers can distinguish them. In gray all lines are black.
 */
void psb_set_line_style(cairo_t *cr, const psb_picture_style *style, size_t i, double width);
void psb_draw_marker(cairo_t *cr, const psb_picture_style *style, size_t i, double x, double y);

/* Sets the color of a value 0 ... 1: from dark blue over green to yellow, ever lighter. */
void psb_ramp_color(double value, double rgb[3]);
