/* Images of matrices: the colours of the cells, then lines and labels around them. */
#include "report/matrix_image.h"

#include "eval/ranks.h"
#include "report/picture.h"

#include <math.h>
#include <string.h>

enum {
    WHITE = 0xffffff,
    BLACK = 0x000000,
    RED = 0xdc1e1e,
    BLUE = 0x3c6ee6,
    LEADER = 26, /* from the labels to the image */
    EDGE = 8,
    TITLE = 30,
    SUITABLE = 720, /* side of an image whose cells are left to the program */
    LARGEST_CELL = 12,
};
static const double label_gap = 11.5, largest_text = 10, title_size = 13;

/* ---- cells ------------------------------------------------------------------------------ */

typedef struct window {
    const psb_matrix_image *image;
    size_t first, rows;
    uint32_t *pixels;
} window;

float psb_largest_distance(const psb_matrix *matrix) {
    float largest = 0;
    for (size_t i = 0; i < matrix->n * matrix->n; i++) {
        largest = matrix->data[i] > largest ? matrix->data[i] : largest;
    }
    return largest;
}

void psb_distance_colors(const psb_matrix *matrix, size_t query, float largest, uint32_t *colors) {
    const float *row = matrix->data + query * matrix->n;
    for (size_t i = 0; i < matrix->n; i++) {
        double share = largest > 0 ? (double)row[i] / (double)largest : 0;
        colors[i] = (uint32_t)lround(255 * share) * 0x010101;
    }
}

void psb_tier_colors(const psb_classification *cla, size_t query, const uint32_t *list,
                     uint32_t *colors) {
    size_t relevant = psb_cla_relevant(cla, query), others = cla->nmodels - 1;
    for (size_t r = 0; r < others; r++) {
        colors[list[r]] = r < relevant ? RED : r < 2 * relevant ? BLUE : WHITE;
    }
    if (others > 0) {
        colors[list[0]] = BLACK;
    }
    colors[query] = BLACK;
}

static psb_status fill(const window *w, psb_error *error) {
    const psb_matrix *matrix = w->image->matrix;
    float largest = psb_largest_distance(matrix);
    psb_status status = PSB_OK;
    void *scratch = psb_new(&status, matrix->n, PSB_RANK_ALL_BYTES, "a list", error);
    uint32_t *colors = psb_new(&status, matrix->n, sizeof *colors, "an image", error);
    for (size_t i = 0; i < w->rows && status == PSB_OK; i++) {
        size_t query = w->first + i;
        if (w->image->kind == PSB_TIER_IMAGE) {
            psb_tier_colors(
                w->image->cla, query,
                psb_rank_all(matrix->data + query * matrix->n, matrix->n, query, scratch), colors);
        } else {
            psb_distance_colors(matrix, query, largest, colors);
        }
        memcpy(w->pixels + i * w->rows, colors + w->first, w->rows * sizeof *colors);
    }
    free(colors);
    free(scratch);
    return status;
}

psb_status psb_matrix_image_pixels(const psb_matrix_image *image, uint32_t **pixels, size_t *first,
                                   size_t *rows, psb_error *error) {
    const psb_class *last = &image->cla->classes[image->last_class];
    window w = {.image = image, .first = image->cla->classes[image->first_class].first};
    w.rows = last->first + last->count - w.first;
    psb_status status = PSB_OK;
    w.pixels = psb_new(&status, w.rows, w.rows * sizeof *w.pixels, "an image", error);
    PSB_THEN(status, fill(&w, error));
    if (status != PSB_OK) {
        free(w.pixels);
        return status;
    }
    *pixels = w.pixels;
    *first = w.first;
    *rows = w.rows;
    return PSB_OK;
}

/* ---- the picture ------------------------------------------------------------------------ */

typedef struct drawing {
    window w;
    int cell;
    size_t nlabels;
    size_t *labelled; /* classes with models */
    double *rows;     /* their labels' places along an axis, from the image's corner */
    double side, margin, text;
} drawing;

static void draw_cells(cairo_t *cr, const drawing *d) {
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)d->w.rows, (int)d->w.rows);
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
        unsigned char *data = cairo_image_surface_get_data(surface);
        size_t stride = (size_t)cairo_image_surface_get_stride(surface);
        for (size_t i = 0; i < d->w.rows; i++) {
            memcpy(data + i * stride, d->w.pixels + i * d->w.rows, d->w.rows * sizeof(uint32_t));
        }
        cairo_surface_mark_dirty(surface);
    }
    cairo_save(cr);
    cairo_scale(cr, d->cell, d->cell);
    cairo_set_source_surface(cr, surface, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(surface);
}

/* Thin and half transparent: at one pixel a model a line must not hide what it stands on. */
static void draw_lines(cairo_t *cr, const drawing *d) {
    cairo_set_line_width(cr, 1);
    double alpha = d->cell > 2 ? 0.8 : 0.3;
    if (d->w.image->kind == PSB_TIER_IMAGE) {
        cairo_set_source_rgba(cr, 0.45, 0.45, 0.45, alpha);
    } else {
        cairo_set_source_rgba(cr, 1, 0.75, 0.1, alpha); /* seen on any grey */
    }
    for (size_t k = 1; k < d->nlabels; k++) {
        const psb_class *class = &d->w.image->cla->classes[d->labelled[k]];
        double at = d->cell * (double)(class->first - d->w.first);
        double pixel = d->cell > 2 ? at : at - 0.5;
        cairo_move_to(cr, pixel, 0);
        cairo_line_to(cr, pixel, d->side);
        cairo_move_to(cr, 0, pixel);
        cairo_line_to(cr, d->side, pixel);
    }
    cairo_stroke(cr);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_rectangle(cr, -0.5, -0.5, d->side + 1, d->side + 1);
    cairo_stroke(cr);
}

static double class_middle(const drawing *d, const psb_class *class) {
    return d->cell * ((double)(class->first - d->w.first) + (double)class->count / 2);
}

static void draw_labels(cairo_t *cr, const drawing *d) {
    for (size_t k = 0; k < d->nlabels; k++) {
        const psb_class *class = &d->w.image->cla->classes[d->labelled[k]];
        double middle = class_middle(d, class), label = d->rows[k];
        cairo_set_source_rgb(cr, 0.6, 0.6, 0.6);
        cairo_set_line_width(cr, 0.6);
        cairo_move_to(cr, -2, middle);
        cairo_line_to(cr, 4 - LEADER, label);
        cairo_move_to(cr, middle, -2);
        cairo_line_to(cr, label, 4 - LEADER);
        cairo_stroke(cr);
        cairo_set_source_rgb(cr, 0, 0, 0);
        psb_draw_text(cr, 1 - LEADER, label, d->text, PSB_ANCHOR_END, class->name);
        psb_draw_text_upwards(cr, label, 1 - LEADER, d->text, PSB_ANCHOR_START, class->name);
    }
}

static void draw_legend(cairo_t *cr, const drawing *d) {
    static const struct {
        uint32_t color;
        const char *text;
    } tiers[] = {{BLACK, "query, nearest"}, {RED, "first tier"}, {BLUE, "second tier"}};
    double y = -d->margin - TITLE / 2.0 + 6, x = -d->margin + EDGE;
    psb_draw_text(cr, x, y, title_size, PSB_ANCHOR_START, d->w.image->title);
    x += psb_text_width(d->w.image->title, title_size) + 24;
    for (int k = 0; k < 3 && d->w.image->kind == PSB_TIER_IMAGE; k++) {
        uint32_t c = tiers[k].color;
        cairo_set_source_rgb(cr, (c >> 16) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0);
        cairo_rectangle(cr, x, y - 5, 10, 10);
        cairo_fill(cr);
        cairo_set_source_rgb(cr, 0, 0, 0);
        psb_draw_text(cr, x + 15, y, largest_text, PSB_ANCHOR_START, tiers[k].text);
        x += 15 + psb_text_width(tiers[k].text, largest_text) + 16;
    }
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    cairo_translate(cr, d->margin, d->margin + TITLE);
    draw_cells(cr, d);
    draw_lines(cr, d);
    draw_labels(cr, d);
    draw_legend(cr, d);
}

static void choose_cell(drawing *d) {
    double suitable = floor(SUITABLE / (double)d->w.rows);
    double limited = suitable > LARGEST_CELL ? LARGEST_CELL : suitable;
    d->cell = d->w.image->cell > 0 ? d->w.image->cell : limited > 1 ? (int)limited : 1;
    d->side = d->cell * (double)d->w.rows;
}

static void place_labels(drawing *d) {
    const psb_classification *cla = d->w.image->cla;
    double widest = 0;
    d->nlabels = 0;
    for (size_t c = d->w.image->first_class; c <= d->w.image->last_class; c++) {
        if (cla->classes[c].count > 0) {
            d->rows[d->nlabels] = class_middle(d, &cla->classes[c]);
            d->labelled[d->nlabels++] = c;
        }
    }
    /* Where labels are crowded they leave some room free, so that most stand near their classes. */
    double room = 0.94 * d->side / (double)d->nlabels;
    double gap = room < label_gap ? room : label_gap;
    d->text = largest_text * gap / label_gap;
    psb_spread_labels(d->rows, d->nlabels, gap, d->text / 2, d->side - d->text / 2);
    for (size_t k = 0; k < d->nlabels; k++) {
        double width = psb_text_width(cla->classes[d->labelled[k]].name, d->text);
        widest = width > widest ? width : widest;
    }
    d->margin = ceil(widest) + LEADER + EDGE;
}

/* A small range of classes may be narrower than its title. */
static double width_of(const drawing *d) {
    double tiers = d->w.image->kind == PSB_TIER_IMAGE ? 280 : 0;
    double title = EDGE + psb_text_width(d->w.image->title, title_size) + tiers + 2 * EDGE;
    double image = d->margin + d->side + EDGE;
    return ceil(image > title ? image : title);
}

psb_status psb_matrix_image_write(const psb_matrix_image *image, const char *format,
                                  const char *path, psb_error *error) {
    drawing d = {.w.image = image};
    psb_status status = psb_matrix_image_pixels(image, &d.w.pixels, &d.w.first, &d.w.rows, error);
    if (status != PSB_OK) {
        return status;
    }
    d.rows = psb_new(&status, image->cla->nclasses, sizeof *d.rows, "labels", error);
    d.labelled = psb_new(&status, image->cla->nclasses, sizeof *d.labelled, "labels", error);
    if (status == PSB_OK) {
        choose_cell(&d);
        place_labels(&d);
        psb_picture picture = {width_of(&d), d.margin + TITLE + d.side + EDGE, draw, &d};
        status = psb_picture_write(&picture, format, path, error);
    }
    free(d.rows);
    free(d.labelled);
    free(d.w.pixels);
    return status;
}
