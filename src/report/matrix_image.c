/* Draws images of matrices: the colors of the cells, then lines and labels around them. */
#include "report/matrix_image.h"

#include "eval/ranks.h"

#include <math.h>

enum {
    WHITE = 0xffffff,
    BLACK = 0x000000,
    RED = 0xdc1e1e,
    BLUE = 0x3c6ee6,
    DARK = 0x505050,  /* for RED in gray pictures */
    LIGHT = 0xb4b4b4, /* for BLUE in gray pictures */
    EDGE = 8,
    GAP = 5, /* gap between the labels and the image */
    TITLE = 30,
    SUITABLE = 720, /* side of an image whose `cell` is 0 */
    LARGEST_SIDE = 2000,
    LARGEST_CELL = 12,
    LABEL = 9,  /* height of a label */
    SCALE = 90, /* length of the scale of distances */
};
static const double text_size = 8, legend_size = 10, title_size = 13;

/* ---- cells ------------------------------------------------------------------------------ */

typedef struct window {
    const psb_matrix_image *image;
    size_t first, rows;
    uint32_t *pixels;
} window;

static float largest_distance(const psb_matrix *matrix) {
    float largest = 0;
    for (size_t i = 0; i < matrix->n * matrix->n; i++) {
        largest = matrix->data[i] > largest ? matrix->data[i] : largest;
    }
    return largest;
}

void psb_distance_colors(const float *distances, size_t n, float largest, uint32_t *colors) {
    for (size_t i = 0; i < n; i++) {
        double share = largest > 0 ? (double)distances[i] / (double)largest : 0;
        colors[i] = (uint32_t)lround(255 * share) * 0x010101;
    }
}

void psb_tier_colors(const psb_classification *cla, size_t query, const uint32_t *list,
                     size_t listed, uint32_t *colors) {
    size_t relevant = psb_cla_relevant(cla, query);
    for (size_t i = 0; i < cla->nmodels; i++) {
        colors[i] = WHITE;
    }
    for (size_t r = 0; r < listed && r < 2 * relevant; r++) {
        colors[list[r]] = r < relevant ? RED : BLUE;
    }
    if (listed > 0) {
        colors[list[0]] = BLACK;
    }
    colors[query] = BLACK;
}

static psb_status fill(const window *w, psb_error *error) {
    const psb_matrix *matrix = w->image->matrix;
    float largest = largest_distance(matrix);
    psb_status status = PSB_OK;
    PSB_FREED void *scratch = psb_new(&status, matrix->n, PSB_RANK_ALL_BYTES, "a list", error);
    PSB_FREED uint32_t *colors = psb_new(&status, matrix->n, sizeof *colors, "an image", error);
    for (size_t i = 0; i < w->rows && status == PSB_OK; i++) {
        size_t query = w->first + i;
        const float *row = matrix->data + query * matrix->n;
        if (w->image->kind == PSB_TIER_IMAGE) {
            psb_tier_colors(w->image->cla, query, psb_rank_all(row, matrix->n, query, scratch),
                            matrix->n - 1, colors);
        } else {
            psb_distance_colors(row, matrix->n, largest, colors);
        }
        memcpy(w->pixels + i * w->rows, colors + w->first, w->rows * sizeof *colors);
    }
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
    const psb_picture_style *style;
    double cell, side, margin, top;
    size_t nlabels;
    size_t *labelled; /* classes whose label has room at their rows */
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

/* Lines are thin and half transparent: at one pixel a model they must not hide what is below. */
static void draw_lines(cairo_t *cr, const drawing *d) {
    const psb_classification *cla = d->w.image->cla;
    cairo_set_line_width(cr, 1);
    double alpha = d->cell > 2 ? 0.8 : 0.3;
    if (d->w.image->kind == PSB_TIER_IMAGE) {
        cairo_set_source_rgba(cr, 0.45, 0.45, 0.45, alpha);
    } else if (d->style->gray) {
        cairo_set_source_rgba(cr, 1, 1, 1, alpha);
    } else {
        cairo_set_source_rgba(cr, 1, 0.75, 0.1, alpha); /* seen on any gray */
    }
    for (size_t c = d->w.image->first_class; c <= d->w.image->last_class; c++) {
        double at = d->cell * (double)(cla->classes[c].first - d->w.first);
        double pixel = d->cell > 2 ? at : at - 0.5;
        if (cla->classes[c].count > 0 && at > 0) {
            cairo_move_to(cr, pixel, 0);
            cairo_line_to(cr, pixel, d->side);
            cairo_move_to(cr, 0, pixel);
            cairo_line_to(cr, d->side, pixel);
        }
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
        double middle = class_middle(d, class);
        psb_draw_text(cr, d->style, -GAP, middle, text_size, PSB_ANCHOR_END, class->name);
        psb_draw_text_upwards(cr, d->style, middle, -GAP, text_size, PSB_ANCHOR_START, class->name);
    }
}

/* Draws what the grays stand for, from 0 to the largest distance of the whole matrix. */
static void draw_scale(cairo_t *cr, const drawing *d, double x, double y) {
    char largest[32];
    snprintf(largest, sizeof largest, "%.3g", (double)largest_distance(d->w.image->matrix));
    psb_draw_text(cr, d->style, x, y, legend_size, PSB_ANCHOR_START, "distance 0");
    x += psb_text_width(d->style, "distance 0", legend_size) + 6;
    cairo_pattern_t *grays = cairo_pattern_create_linear(x, 0, x + SCALE, 0);
    cairo_pattern_add_color_stop_rgb(grays, 0, 0, 0, 0);
    cairo_pattern_add_color_stop_rgb(grays, 1, 1, 1, 1);
    cairo_rectangle(cr, x, y - 5, SCALE, 10);
    cairo_save(cr);
    cairo_set_source(cr, grays);
    cairo_fill_preserve(cr);
    cairo_restore(cr);
    cairo_set_line_width(cr, 0.5);
    cairo_stroke(cr);
    cairo_pattern_destroy(grays);
    psb_draw_text(cr, d->style, x + SCALE + 6, y, legend_size, PSB_ANCHOR_START, largest);
}

static uint32_t shown(const drawing *d, uint32_t color) {
    return !d->style->gray ? color : color == RED ? DARK : color == BLUE ? LIGHT : color;
}

static void draw_tiers(cairo_t *cr, const drawing *d, double x, double y) {
    static const struct {
        uint32_t color;
        const char *text;
    } tiers[] = {{BLACK, "query, nearest"}, {RED, "first tier"}, {BLUE, "second tier"}};
    for (int k = 0; k < 3; k++) {
        uint32_t c = shown(d, tiers[k].color);
        cairo_set_source_rgb(cr, (c >> 16) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0);
        cairo_rectangle(cr, x, y - 5, 10, 10);
        cairo_fill(cr);
        cairo_set_source_rgb(cr, 0, 0, 0);
        psb_draw_text(cr, d->style, x + 15, y, legend_size, PSB_ANCHOR_START, tiers[k].text);
        x += 15 + psb_text_width(d->style, tiers[k].text, legend_size) + 16;
    }
}

static void draw(cairo_t *cr, const void *context) {
    const drawing *d = context;
    const char *title = d->w.image->title;
    double y = TITLE / 2.0 + 3, x = EDGE;
    if (title[0] != '\0') {
        psb_draw_text(cr, d->style, x, y, title_size, PSB_ANCHOR_START, title);
        x += psb_text_width(d->style, title, title_size) + 24;
        (d->w.image->kind == PSB_TIER_IMAGE ? draw_tiers : draw_scale)(cr, d, x, y);
    }
    cairo_translate(cr, d->margin, d->top);
    draw_cells(cr, d);
    draw_lines(cr, d);
    draw_labels(cr, d);
}

typedef struct candidate {
    size_t class, count;
} candidate;

static int larger_first(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    return x->count != y->count   ? (x->count < y->count ? 1 : -1)
           : x->class != y->class ? (x->class < y->class ? -1 : 1)
                                  : 0;
}

/* A class has its label at its rows, or none if labels of larger classes take the room. */
static void choose_labels(drawing *d, candidate *classes, size_t n) {
    const psb_class *all = d->w.image->cla->classes;
    qsort(classes, n, sizeof *classes, larger_first);
    d->nlabels = 0;
    for (size_t c = 0; c < n; c++) {
        size_t k = 0;
        double middle = class_middle(d, &all[classes[c].class]);
        while (k < d->nlabels && fabs(class_middle(d, &all[d->labelled[k]]) - middle) >= LABEL) {
            k++;
        }
        if (k == d->nlabels) {
            d->labelled[d->nlabels++] = classes[c].class;
        }
    }
    d->margin = 0;
    for (size_t k = 0; k < d->nlabels; k++) {
        const char *name = all[d->labelled[k]].name;
        d->margin = fmax(d->margin, ceil(psb_text_width(d->style, name, text_size)) + GAP);
    }
    d->margin += EDGE;
}

/* Sets the pixels of a distance: as many as suit the rows, and a label of the smallest class. */
static void choose_cell(drawing *d, size_t smallest) {
    double n = (double)d->w.rows, suitable = fmin(floor(SUITABLE / n), LARGEST_CELL);
    double labelled = fmin(ceil(LABEL / (double)smallest), floor(LARGEST_SIDE / n));
    d->cell = d->w.image->cell > 0 ? d->w.image->cell : fmax(1, fmax(suitable, labelled));
    d->side = d->cell * n;
}

static void fit(drawing *d) {
    if (d->style->width > 0) {
        d->side = fmax(psb_picture_units(d->style, 0) - d->margin - EDGE, LABEL);
        d->cell = d->side / (double)d->w.rows;
    }
}

static psb_status lay_out(drawing *d, psb_error *error) {
    const psb_matrix_image *image = d->w.image;
    psb_status status = PSB_OK;
    size_t n = 0, smallest = d->w.rows;
    PSB_FREED candidate *classes =
        psb_new(&status, image->cla->nclasses, sizeof *classes, "labels", error);
    for (size_t c = image->first_class; c <= image->last_class && status == PSB_OK; c++) {
        size_t count = image->cla->classes[c].count;
        if (count > 0) {
            classes[n++] = (candidate){c, count};
            smallest = count < smallest ? count : smallest;
        }
    }
    if (status == PSB_OK) {
        choose_cell(d, smallest);
        fit(d);
        choose_labels(d, classes, n);
        fit(d);
        d->top = d->margin + (image->title[0] != '\0' ? TITLE : 0);
    }
    return status;
}

/* An image of few classes may be narrower than the title and legend above it. */
static double width_of(const drawing *d) {
    enum { LEGEND = 280 };
    const char *title = d->w.image->title;
    double above = psb_text_width(d->style, title, title_size) + LEGEND + 3 * EDGE;
    return fmax(d->margin + d->side + EDGE, title[0] != '\0' ? ceil(above) : 0);
}

psb_status psb_matrix_image_write(const psb_matrix_image *image, const psb_picture_style *style,
                                  const char *format, const char *path, psb_error *error) {
    drawing d = {.w.image = image, .style = style};
    psb_status status = psb_matrix_image_pixels(image, &d.w.pixels, &d.w.first, &d.w.rows, error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t i = 0; i < d.w.rows * d.w.rows; i++) {
        d.w.pixels[i] = shown(&d, d.w.pixels[i]);
    }
    d.labelled = psb_new(&status, image->cla->nclasses, sizeof *d.labelled, "labels", error);
    PSB_THEN(status, psb_picture_begin(error));
    PSB_THEN(status, lay_out(&d, error));
    if (status == PSB_OK) {
        psb_picture picture = {width_of(&d), d.top + d.side + EDGE, style, draw, &d};
        status = psb_picture_write(&picture, format, path, error);
    }
    free(d.labelled);
    free(d.w.pixels);
    return status;
}
