/* Makes Cairo surfaces of the three formats, and draws text. */
#include "report/picture.h"

#include "core/file.h"
#include "report/markup.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>

enum { DOTS_PER_INCH = 300, POINTS_PER_INCH = 72, LIBRARIES_TAKE = 64 << 20 };

psb_status psb_picture_begin(psb_error *error) {
    return psb_ask_for_memory(LIBRARIES_TAKE, "a picture", error);
}

/* Points in a unit. */
static double scale_of(const psb_picture_style *style) {
    double text = style->text > 0 ? style->text : style->width > 0 ? 8 : PSB_TEXT_UNITS;
    return text / PSB_TEXT_UNITS;
}

double psb_picture_units(const psb_picture_style *style, double natural) {
    double points = style->width > 0 ? style->width / 25.4 * POINTS_PER_INCH : natural;
    return points / scale_of(style);
}

/* ---- files ------------------------------------------------------------------------------ */

/* Where Cairo's bytes go: to `stream`, but an SVG to `svg` first, for the `labels` behind it. */
typedef struct sink {
    FILE *stream;
    psb_text svg, labels;
} sink;

static cairo_status_t put(void *to, const unsigned char *data, unsigned length) {
    return fwrite(data, 1, length, ((sink *)to)->stream) == length ? CAIRO_STATUS_SUCCESS
                                                                   : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t keep(void *to, const unsigned char *data, unsigned length) {
    psb_text_add_bytes(&((sink *)to)->svg, (const char *)data, length);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *new_png(double width, double height, sink *to PSB_UNUSED) {
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width), (int)ceil(height));
}

/* Cairo draws text as outlines, which nobody can search; SVG pictures gather text by this key. */
static const cairo_user_data_key_t labels_key;

static cairo_surface_t *new_svg(double width, double height, sink *to) {
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(keep, to, width, height);
    cairo_surface_set_user_data(surface, &labels_key, &to->labels, NULL);
    return surface;
}

static cairo_surface_t *new_pdf(double width, double height, sink *to) {
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(put, to, width, height);
    /* Cairo leaves out an empty date, so the same picture has the same bytes. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    return surface;
}

static cairo_status_t finish_png(cairo_surface_t *surface, sink *to) {
    return cairo_surface_write_to_png_stream(surface, put, to);
}

static cairo_status_t finish_pdf(cairo_surface_t *surface, sink *to PSB_UNUSED) {
    cairo_surface_finish(surface);
    return cairo_surface_status(surface);
}

static cairo_status_t finish_svg(cairo_surface_t *surface, sink *to) {
    static const char end[] = "</svg>\n";
    cairo_status_t status = finish_pdf(surface, to);
    psb_text *svg = &to->svg;
    if (status != CAIRO_STATUS_SUCCESS || svg->length < sizeof end) {
        return status;
    }
    svg->length -= sizeof end - 1; /* takes off Cairo's own end */
    psb_text_take(svg, &to->labels);
    psb_text_add(svg, end);
    return svg->failed ? CAIRO_STATUS_NO_MEMORY
                       : put(to, (const unsigned char *)svg->data, (unsigned)svg->length);
}

static const struct {
    const char *name;
    cairo_surface_t *(*create)(double width, double height, sink *to);
    cairo_status_t (*finish)(cairo_surface_t *surface, sink *to);
} formats[] = {
    {"png", new_png, finish_png},
    {"svg", new_svg, finish_svg},
    {"pdf", new_pdf, finish_pdf},
};

static psb_status judge(cairo_status_t drawn, const char *path, psb_error *error) {
    return drawn == CAIRO_STATUS_SUCCESS
               ? PSB_OK
               : psb_fail_at(error,
                             drawn == CAIRO_STATUS_NO_MEMORY ? PSB_ERROR_MEMORY : PSB_ERROR_IO,
                             path, 0, "cannot draw: %s", cairo_status_to_string(drawn));
}

static psb_status draw(const psb_picture *picture, double scale, cairo_surface_t *surface,
                       const char *path, psb_error *error) {
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_scale(cr, scale, scale);
    picture->draw(cr, picture->context);
    cairo_show_page(cr);
    psb_status status = judge(cairo_status(cr), path, error);
    cairo_destroy(cr);
    return status;
}

psb_status psb_picture_write(const psb_picture *picture, const char *format, const char *path,
                             psb_error *error) {
    size_t f = 0;
    while (f < sizeof formats / sizeof formats[0] && strcmp(formats[f].name, format) != 0) {
        f++;
    }
    if (f == sizeof formats / sizeof formats[0]) {
        return psb_fail(error, PSB_ERROR_USAGE, "pictures are png, svg or pdf, not '%.20s'",
                        format);
    }
    psb_output output;
    psb_status status = psb_output_open(path, &output, error);
    if (status != PSB_OK) {
        return status;
    }
    double scale = scale_of(picture->style);
    if (f == 0 && picture->style->width > 0) {
        scale *= (double)DOTS_PER_INCH / POINTS_PER_INCH;
    }
    sink to = {.stream = output.stream};
    cairo_surface_t *surface =
        formats[f].create(picture->width * scale, picture->height * scale, &to);
    status = psb_picture_begin(error); /* again, behind what the surface took */
    PSB_THEN(status, draw(picture, scale, surface, path, error));
    PSB_THEN(status, judge(formats[f].finish(surface, &to), path, error));
    cairo_surface_destroy(surface);
    psb_text_free(&to.svg);
    psb_text_free(&to.labels);
    PSB_THEN(status, psb_output_commit(&output, error));
    if (status != PSB_OK) {
        psb_output_discard(&output);
    }
    return status;
}

/* ---- text ------------------------------------------------------------------------------- */

static const char *font_of(const psb_picture_style *style) {
    return style->font != NULL ? style->font : "sans-serif";
}

static void set_font(cairo_t *cr, const psb_picture_style *style, double size) {
    cairo_select_font_face(cr, font_of(style), CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
    /* Without hints a text is as wide as it was measured, in whatever scale it is drawn. */
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
}

double psb_text_width(const psb_picture_style *style, const char *text, double size) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(surface);
    cairo_text_extents_t extents;
    set_font(cr, style, size);
    cairo_text_extents(cr, text, &extents);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return extents.x_advance;
}

static void add_svg_text(psb_text *out, cairo_t *cr, const psb_picture_style *style, double y,
                         double size, psb_anchor anchor, const char *text) {
    static const char *const anchors[] = {
        [PSB_ANCHOR_START] = "start", [PSB_ANCHOR_MIDDLE] = "middle", [PSB_ANCHOR_END] = "end"};
    cairo_matrix_t m;
    double r = 0, g = 0, b = 0;
    cairo_get_matrix(cr, &m);
    cairo_pattern_get_rgba(cairo_get_source(cr), &r, &g, &b, NULL);
    psb_text_printf(out,
                    "<text transform=\"matrix(%g %g %g %g %g %g)\" y=\"%g\" font-size=\"%g\" "
                    "text-anchor=\"%s\" fill=\"#%02x%02x%02x\" font-family=\"",
                    m.xx, m.yx, m.xy, m.yy, m.x0, m.y0, y, size, anchors[anchor],
                    (unsigned)lround(255 * r), (unsigned)lround(255 * g),
                    (unsigned)lround(255 * b));
    psb_markup_text(out, font_of(style));
    psb_markup_within(out, "\">", text, "</text>\n");
}

static void show_text(cairo_t *cr, const psb_picture_style *style, double size, psb_anchor anchor,
                      const char *text) {
    cairo_text_extents_t extents, x_height;
    set_font(cr, style, size);
    cairo_text_extents(cr, text, &extents);
    cairo_text_extents(cr, "x", &x_height);
    psb_text *labels = cairo_surface_get_user_data(cairo_get_target(cr), &labels_key);
    if (labels != NULL) {
        add_svg_text(labels, cr, style, x_height.height / 2, size, anchor, text);
        return;
    }
    double shift = anchor == PSB_ANCHOR_START ? 0 : anchor == PSB_ANCHOR_END ? 1 : 0.5;
    cairo_move_to(cr, -shift * extents.x_advance, x_height.height / 2);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

static void draw_turned(cairo_t *cr, const psb_picture_style *style, double x, double y,
                        double size, psb_anchor anchor, const char *text, double angle) {
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, angle);
    show_text(cr, style, size, anchor, text);
    cairo_restore(cr);
}

void psb_draw_text(cairo_t *cr, const psb_picture_style *style, double x, double y, double size,
                   psb_anchor anchor, const char *text) {
    draw_turned(cr, style, x, y, size, anchor, text, 0);
}

void psb_draw_text_upwards(cairo_t *cr, const psb_picture_style *style, double x, double y,
                           double size, psb_anchor anchor, const char *text) {
    draw_turned(cr, style, x, y, size, anchor, text, -1.5707963267948966);
}

double psb_draw_words(cairo_t *cr, const psb_picture_style *style, double x, double y, double size,
                      double width, const char *text) {
    const double leading = 1.35 * size;
    char line[256] = "";
    double height = 0;
    for (size_t length = 0; *text != '\0' || line[0] != '\0'; text += length) {
        char longer[sizeof line];
        length = strcspn(text, " ");
        int all = snprintf(longer, sizeof longer, "%s%s%.*s", line, line[0] != '\0' ? " " : "",
                           (int)length, text);
        bool fits = length > 0 && all > 0 && (size_t)all < sizeof longer &&
                    psb_text_width(style, longer, size) <= width;
        length += text[length] == ' ';
        if (fits || (line[0] == '\0' && length > 0)) {
            memcpy(line, longer, sizeof line);
            continue;
        }
        if (cr != NULL) {
            psb_draw_text(cr, style, x, y + height, size, PSB_ANCHOR_START, line);
        }
        height += leading;
        line[0] = '\0';
        length = 0;
    }
    return height;
}

/* ---- colors ---------------------------------------------------------------------------- */

static void set_rgb(cairo_t *cr, unsigned color) {
    cairo_set_source_rgb(cr, (color >> 16) / 255.0, (color >> 8 & 255) / 255.0,
                         (color & 255) / 255.0);
}

void psb_set_line_style(cairo_t *cr, const psb_picture_style *style, size_t i, double width) {
    /* Okabe and Ito 2008, without the yellow that vanishes on white, and five more of Tol's. */
    static const unsigned colors[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0x000000, 0xe69f00,
                                      0x56b4e9, 0x882255, 0x84842a, 0xaa4499, 0x8c564b, 0x332288};
    static const struct {
        int count;
        double length[4];
    } dashes[] = {{0, {0}}, {2, {6, 2.5}}, {2, {1.5, 2}}, {4, {8, 2, 1.5, 2}}};
    unsigned color = colors[i % (sizeof colors / sizeof colors[0])];
    size_t dash = i % (sizeof dashes / sizeof dashes[0]);
    set_rgb(cr, style->gray ? 0 : color);
    cairo_set_dash(cr, dashes[dash].length, dashes[dash].count, 0);
    cairo_set_line_width(cr, width);
}

void psb_draw_marker(cairo_t *cr, const psb_picture_style *style, size_t i, double x, double y) {
    static const struct {
        int count;
        double point[4][2];
    } shapes[] = {
        {4, {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}}},
        {3, {{0, -4}, {3.5, 3}, {-3.5, 3}}},
        {4, {{0, -4.2}, {4.2, 0}, {0, 4.2}, {-4.2, 0}}},
        {3, {{0, 4}, {3.5, -3}, {-3.5, -3}}},
    };
    enum { SHAPES = sizeof shapes / sizeof shapes[0], KINDS = SHAPES + 1 };
    size_t kind = i % KINDS;
    cairo_new_path(cr);
    if (kind == SHAPES) {
        cairo_arc(cr, x, y, 3.3, 0, 6.283185307179586);
    }
    for (int k = 0; kind < SHAPES && k < shapes[kind].count; k++) {
        cairo_line_to(cr, x + shapes[kind].point[k][0], y + shapes[kind].point[k][1]);
    }
    cairo_close_path(cr);
    if (style->gray && i / KINDS % 2 == 1) { /* no color tells lines of one marker apart */
        cairo_save(cr);
        cairo_set_source_rgb(cr, 1, 1, 1);
        cairo_fill_preserve(cr);
        cairo_restore(cr);
        cairo_set_dash(cr, NULL, 0, 0);
        cairo_set_line_width(cr, 1);
        cairo_stroke(cr);
    } else {
        cairo_fill(cr);
    }
}

void psb_ramp_color(double value, double rgb[3]) {
    static const double stops[][3] = {{0.18, 0.16, 0.42}, {0.20, 0.36, 0.55}, {0.16, 0.54, 0.55},
                                      {0.35, 0.72, 0.45}, {0.75, 0.86, 0.35}, {0.99, 0.95, 0.62}};
    enum { LAST = sizeof stops / sizeof stops[0] - 1 };
    double x = (value > 0 ? value < 1 ? value : 1 : 0) * LAST;
    size_t k = x < LAST ? (size_t)x : LAST - 1;
    for (int c = 0; c < 3; c++) {
        rgb[c] = stops[k][c] + (x - (double)k) * (stops[k + 1][c] - stops[k][c]);
    }
}
