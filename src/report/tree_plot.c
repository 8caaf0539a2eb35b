/* Draws joints to the left of their models, whose classes have the colors of the map's. */
#include "report/tree_plot.h"

#include "report/map_plot.h"

#include <math.h>
#include <stdio.h>

enum { NATURAL = 640, EDGE = 14, TITLE = 34, LINE = 9, FOOT = 30, NAMES = 190, MOST = 30000 };
static const double text_size = 8, title_size = 14, note_size = 10;

typedef struct drawing {
    const psb_tree_plot *plot;
    const psb_picture_style *style;
    psb_map_groups groups;
    double top, width, line; /* `line`: units from a model to the next */
    double *x, *y;           /* place of each model and joint */
    size_t *order;           /* models from above to below */
    char note[200];
} drawing;

/* Places models in the tree's order: at each joint those of its first cluster come first. */
static psb_status lay_out(drawing *d, psb_error *error) {
    const psb_tree_plot *p = d->plot;
    psb_status status = PSB_OK;
    size_t n = p->n, nodes = 2 * n - 1, depth = 0, placed = 0;
    size_t *stack = psb_new(&status, nodes, sizeof *stack, "a tree", error);
    d->x = psb_new(&status, nodes, sizeof *d->x, "a tree", error);
    d->y = psb_new(&status, nodes, sizeof *d->y, "a tree", error);
    d->order = psb_new(&status, n, sizeof *d->order, "a tree", error);
    if (status != PSB_OK) {
        free(stack);
        return status;
    }
    double right = d->width - NAMES, largest = n > 1 ? p->joints[n - 2].distance : 0;
    stack[depth++] = nodes - 1;
    while (depth > 0) {
        size_t node = stack[--depth];
        if (node >= n) {
            stack[depth++] = p->joints[node - n].b;
            stack[depth++] = p->joints[node - n].a;
        } else {
            d->order[placed] = node;
            d->x[node] = right;
            d->y[node] = d->top + d->line * ((double)placed++ + 0.5);
        }
    }
    for (size_t j = 0; j + 1 < n; j++) {
        const psb_joint *joint = &p->joints[j];
        double share = largest > 0 ? joint->distance / largest : 0;
        d->x[n + j] = right - share * (right - EDGE);
        d->y[n + j] = (d->y[joint->a] + d->y[joint->b]) / 2;
    }
    snprintf(d->note, sizeof d->note,
             "Average linkage: a joint stands at the mean distance between the models of its two "
             "sides, 0 at the right, %.4g at the left.",
             largest);
    free(stack);
    return PSB_OK;
}

static void draw_joints(cairo_t *cr, const drawing *d) {
    const psb_tree_plot *p = d->plot;
    cairo_set_source_rgb(cr, 0.3, 0.3, 0.3);
    cairo_set_line_width(cr, 0.6);
    for (size_t j = 0; j + 1 < p->n; j++) {
        const psb_joint *joint = &p->joints[j];
        double x = d->x[p->n + j];
        cairo_move_to(cr, d->x[joint->a], d->y[joint->a]);
        cairo_line_to(cr, x, d->y[joint->a]);
        cairo_line_to(cr, x, d->y[joint->b]);
        cairo_line_to(cr, d->x[joint->b], d->y[joint->b]);
        cairo_stroke(cr);
    }
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    const psb_classification *cla = d->plot->cla;
    if (d->plot->title[0] != '\0') {
        psb_draw_text(cr, d->style, EDGE, TITLE / 2.0, title_size, PSB_ANCHOR_START,
                      d->plot->title);
    }
    draw_joints(cr, d);
    for (size_t i = 0; i < d->plot->n; i++) {
        size_t leaf = d->order[i], model = d->plot->models[leaf];
        size_t class = cla->class_of[model], group = psb_map_group_of(&d->groups, cla, class);
        char text[120];
        cairo_set_source_rgb(cr, 0.65, 0.65, 0.65);
        if (group < PSB_MAP_GROUPS) {
            psb_set_line_style(cr, d->style, group, 1);
        }
        cairo_set_dash(cr, NULL, 0, 0);
        cairo_rectangle(cr, d->x[leaf] + 2, d->y[leaf] - 0.4 * d->line, 6, 0.8 * d->line);
        cairo_fill(cr);
        snprintf(text, sizeof text, "%.50s  %.50s", cla->classes[class].name, cla->models[model]);
        cairo_set_source_rgb(cr, 0, 0, 0);
        if (d->line >= LINE) {
            psb_draw_text(cr, d->style, d->x[leaf] + 12, d->y[leaf], text_size, PSB_ANCHOR_START,
                          text);
        }
    }
    if (d->plot->title[0] != '\0') {
        psb_draw_words(cr, d->style, EDGE, d->top + d->line * (double)d->plot->n + 14, note_size,
                       d->width - 2 * EDGE, d->note);
    }
}

psb_status psb_tree_plot_write(const psb_tree_plot *plot, const psb_picture_style *style,
                               const char *format, const char *path, psb_error *error) {
    if (plot->n == 0 || plot->n > MOST) {
        return psb_fail(error, PSB_ERROR_USAGE, "a tree of %zu models: 1 to %d can be drawn",
                        plot->n, MOST);
    }
    drawing d = {.plot = plot, .style = style};
    psb_status status = psb_picture_begin(error);
    if (status != PSB_OK) {
        return status;
    }
    psb_map_groups_find(plot->cla, &d.groups);
    d.width = psb_picture_units(style, NATURAL);
    d.width = d.width > 2 * NAMES ? d.width : 2 * NAMES;
    d.top = plot->title[0] != '\0' ? TITLE : EDGE;
    /* Cairo draws at most 32,767 pixels; without names models stand closer. */
    d.line = fmin(LINE, (MOST - 2 * TITLE) / (double)plot->n);
    status = lay_out(&d, error);
    if (status == PSB_OK) {
        double foot = plot->title[0] != '\0' ? FOOT + psb_draw_words(NULL, style, 0, 0, note_size,
                                                                     d.width - 2 * EDGE, d.note)
                                             : EDGE;
        psb_picture picture = {d.width, d.top + d.line * (double)plot->n + foot, style, draw, &d};
        status = psb_picture_write(&picture, format, path, error);
    }
    free(d.x);
    free(d.y);
    free(d.order);
    return status;
}
