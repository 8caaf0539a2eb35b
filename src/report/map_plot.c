/* Draws the markers of a map, and below them the legend in columns. */
#include "report/map_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NATURAL = 640, EDGE = 14, TITLE = 34, LINE = 17, BETWEEN = 26, MARKER = 18, FOOT = 30 };
static const double text_size = 11, title_size = 14, note_size = 10;
static const char note[] = "t-SNE of the distances: nearby points are similar models; distances "
                           "between clusters have no meaning.";

typedef struct drawing {
    const psb_map_plot *plot;
    const psb_picture_style *style;
    psb_map_groups groups;
    double top, side;
    size_t columns, rows; /* columns and rows of the legend */
} drawing;

/* ---- groups ------------------------------------------------------------------------------ */

static size_t top_of(const psb_classification *cla, size_t class) {
    while (cla->classes[class].parent != PSB_NO_CLASS) {
        class = cla->classes[class].parent;
    }
    return class;
}

size_t psb_map_group_of(const psb_map_groups *groups, const psb_classification *cla, size_t class) {
    size_t top = top_of(cla, class), g = 0;
    while (g < groups->count && groups->class[g] != top) {
        g++;
    }
    return g < groups->count ? g : PSB_MAP_GROUPS;
}

static size_t models_below(const psb_classification *cla, size_t top) {
    size_t models = 0;
    for (size_t c = 0; c < cla->nclasses; c++) {
        models += top_of(cla, c) == top ? cla->classes[c].count : 0;
    }
    return models;
}

void psb_map_groups_find(const psb_classification *cla, psb_map_groups *groups) {
    *groups = (psb_map_groups){.others = cla->nmodels};
    for (size_t c = 0; c < cla->nclasses; c++) {
        if (cla->classes[c].parent != PSB_NO_CLASS || cla->classes[c].miscellaneous) {
            continue;
        }
        size_t models = models_below(cla, c), at = groups->count;
        while (at > 0 && groups->models[at - 1] < models) {
            at--;
        }
        if (models == 0 || at == PSB_MAP_GROUPS) {
            continue;
        }
        groups->count += groups->count < PSB_MAP_GROUPS;
        memmove(groups->class + at + 1, groups->class + at,
                (groups->count - 1 - at) * sizeof groups->class[0]);
        memmove(groups->models + at + 1, groups->models + at,
                (groups->count - 1 - at) * sizeof groups->models[0]);
        groups->class[at] = c;
        groups->models[at] = models;
    }
    for (size_t g = 0; g < groups->count; g++) {
        groups->others -= groups->models[g];
    }
}

/* ---- drawing ----------------------------------------------------------------------------- */

static void draw_group(cairo_t *cr, const drawing *d, size_t group, double x, double y) {
    cairo_save(cr);
    cairo_translate(cr, x, y);
    if (group == PSB_MAP_GROUPS) {
        cairo_set_source_rgb(cr, 0.65, 0.65, 0.65);
        cairo_arc(cr, 0, 0, 1.4, 0, 2 * M_PI);
        cairo_fill(cr);
    } else {
        cairo_scale(cr, 0.75, 0.75);
        psb_set_line_style(cr, d->style, group, 1);
        psb_draw_marker(cr, d->style, group, 0, 0);
    }
    cairo_restore(cr);
}

static void draw_legend(cairo_t *cr, const drawing *d) {
    const psb_classification *cla = d->plot->cla;
    double width = (d->side - EDGE) / (double)d->columns;
    for (size_t g = 0; g < d->groups.count + (d->groups.others > 0); g++) {
        bool others = g == d->groups.count;
        double x = EDGE + width * (double)(g / d->rows);
        double y = d->top + d->side + LINE * ((double)(g % d->rows) + 0.5);
        char text[160];
        snprintf(text, sizeof text, "%.120s (%zu)",
                 others ? "others" : cla->classes[d->groups.class[g]].name,
                 others ? d->groups.others : d->groups.models[g]);
        draw_group(cr, d, others ? PSB_MAP_GROUPS : g, x + 5, y);
        cairo_set_source_rgb(cr, 0, 0, 0);
        psb_draw_text(cr, d->style, x + MARKER, y, text_size, PSB_ANCHOR_START, text);
    }
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    const psb_classification *cla = d->plot->cla;
    double half = d->side / 2 - EDGE;
    psb_draw_text(cr, d->style, EDGE, TITLE / 2.0, title_size, PSB_ANCHOR_START, d->plot->title);
    for (size_t i = 0; i < cla->nmodels; i++) {
        draw_group(cr, d, psb_map_group_of(&d->groups, cla, cla->class_of[i]),
                   d->side / 2 + half * (double)d->plot->xy[2 * i],
                   d->top + d->side / 2 + half * (double)d->plot->xy[2 * i + 1]);
    }
    draw_legend(cr, d);
    cairo_set_source_rgb(cr, 0, 0, 0);
    if (d->plot->title[0] != '\0') {
        psb_draw_words(cr, d->style, EDGE, d->top + d->side + LINE * (double)d->rows + 14,
                       note_size, d->side - 2 * EDGE, note);
    }
}

/* Makes as many columns of the legend as its longest name leaves room for. */
static void lay_out(drawing *d) {
    double widest = 40;
    size_t entries = d->groups.count + (d->groups.others > 0);
    for (size_t g = 0; g < d->groups.count; g++) {
        const char *name = d->plot->cla->classes[d->groups.class[g]].name;
        widest = fmax(widest, psb_text_width(d->style, name, text_size));
    }
    d->side = psb_picture_units(d->style, NATURAL);
    d->top = d->plot->title[0] != '\0' ? TITLE : 0;
    d->columns = (size_t)fmax(1, floor(d->side / (widest + MARKER + 2 * BETWEEN)));
    d->rows = (entries + d->columns - 1) / d->columns;
    d->rows = d->rows > 0 ? d->rows : 1;
}

psb_status psb_map_plot_write(const psb_map_plot *plot, const psb_picture_style *style,
                              const char *format, const char *path, psb_error *error) {
    drawing d = {.plot = plot, .style = style};
    psb_status status = psb_picture_begin(error);
    if (status != PSB_OK) {
        return status;
    }
    psb_map_groups_find(plot->cla, &d.groups);
    lay_out(&d);
    double foot = plot->title[0] != '\0'
                      ? FOOT + psb_draw_words(NULL, style, 0, 0, note_size, d.side - 2 * EDGE, note)
                      : EDGE;
    psb_picture picture = {d.side, d.top + d.side + LINE * (double)d.rows + foot, style, draw, &d};
    return psb_picture_write(&picture, format, path, error);
}
