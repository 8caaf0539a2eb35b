/* Pictures as files through Cairo: the same drawing as PNG, SVG or PDF. */
#ifndef PSB_REPORT_PICTURE_H
#define PSB_REPORT_PICTURE_H

#include "psbench.h"

#include <cairo.h>

typedef struct psb_picture {
    double width, height; /* pixels; in PDF, points */
    /* Draws on white. A Cairo error that it leaves is reported by psb_picture_write. */
    void (*draw)(cairo_t *cr, const void *context);
    const void *context;
} psb_picture;

/* "png", "svg" or "pdf"; PSB_ERROR_USAGE for anything else. The bytes hold no date. */
psb_status psb_picture_write(const psb_picture *picture, const char *format, const char *path,
                             psb_error *error);

/* ---- text ------------------------------------------------------------------------------- */

/* Width of a text in the sans-serif font of that size; needs no picture. */
double psb_text_width(const char *text, double size);

/* Where text stands relative to (x, y); vertically its x-height is centred there. */
typedef enum psb_anchor { PSB_ANCHOR_START, PSB_ANCHOR_MIDDLE, PSB_ANCHOR_END } psb_anchor;

void psb_draw_text(cairo_t *cr, double x, double y, double size, psb_anchor anchor,
                   const char *text);
/* Reads upwards; anchored along the direction of reading. */
void psb_draw_text_upwards(cairo_t *cr, double x, double y, double size, psb_anchor anchor,
                           const char *text);

/*
 * Moves `count` ascending positions as little as it can, so that neighbours are at least `gap`
 * apart and all lie within low ... high; where that is impossible they are spread evenly.
 */
void psb_spread_labels(double *positions, size_t count, double gap, double low, double high);

/* ---- colours ---------------------------------------------------------------------------- */

/* Line i of a plot: a colour of Okabe and Ito's palette, which colour-blind readers can tell
   apart, a dash pattern and a marker; neighbours differ in all three. */
void psb_set_line_style(cairo_t *cr, size_t i, double width);
void psb_draw_marker(cairo_t *cr, size_t i, double x, double y);

/* 0 ... 1 from dark blue over green to yellow, ever lighter, so that it also works in grey. */
void psb_ramp_color(double value, double rgb[3]);

#endif
