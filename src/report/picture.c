/* Cairo surfaces of the three formats, text, and the spreading of labels. */
#include "report/picture.h"

#include "core/file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <string.h>

/* ---- files ------------------------------------------------------------------------------ */

static cairo_status_t put(void *stream, const unsigned char *data, unsigned length) {
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *new_png(const psb_picture *picture, FILE *stream) {
    (void)stream;
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)picture->width,
                                      (int)picture->height);
}

static cairo_surface_t *new_svg(const psb_picture *picture, FILE *stream) {
    return cairo_svg_surface_create_for_stream(put, stream, picture->width, picture->height);
}

static cairo_surface_t *new_pdf(const psb_picture *picture, FILE *stream) {
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(put, stream, picture->width, picture->height);
    /* An empty date is left out: the same picture is the same bytes. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    return surface;
}

static cairo_status_t finish_png(cairo_surface_t *surface, FILE *stream) {
    return cairo_surface_write_to_png_stream(surface, put, stream);
}

static cairo_status_t finish_vector(cairo_surface_t *surface, FILE *stream) {
    (void)stream;
    cairo_surface_finish(surface);
    return cairo_surface_status(surface);
}

static const struct {
    const char *name;
    cairo_surface_t *(*create)(const psb_picture *picture, FILE *stream);
    cairo_status_t (*finish)(cairo_surface_t *surface, FILE *stream);
} formats[] = {
    {"png", new_png, finish_png},
    {"svg", new_svg, finish_vector},
    {"pdf", new_pdf, finish_vector},
};

static cairo_status_t draw(const psb_picture *picture, cairo_surface_t *surface) {
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_set_source_rgb(cr, 0, 0, 0);
    picture->draw(cr, picture->context);
    cairo_show_page(cr);
    cairo_status_t status = cairo_status(cr);
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
    cairo_surface_t *surface = formats[f].create(picture, output.stream);
    cairo_status_t drawn = draw(picture, surface);
    if (drawn == CAIRO_STATUS_SUCCESS) {
        drawn = formats[f].finish(surface, output.stream);
    }
    cairo_surface_destroy(surface);
    if (drawn != CAIRO_STATUS_SUCCESS) {
        psb_output_discard(&output);
        return psb_fail_at(error, PSB_ERROR_IO, path, 0, "cannot draw: %s",
                           cairo_status_to_string(drawn));
    }
    return psb_output_commit(&output, error);
}

/* ---- text ------------------------------------------------------------------------------- */

static void set_font(cairo_t *cr, double size) {
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

double psb_text_width(const char *text, double size) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(surface);
    cairo_text_extents_t extents;
    set_font(cr, size);
    cairo_text_extents(cr, text, &extents);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return extents.x_advance;
}

static void show_text(cairo_t *cr, double size, psb_anchor anchor, const char *text) {
    cairo_text_extents_t extents, x_height;
    set_font(cr, size);
    cairo_text_extents(cr, text, &extents);
    cairo_text_extents(cr, "x", &x_height);
    double shift = anchor == PSB_ANCHOR_START ? 0 : anchor == PSB_ANCHOR_END ? 1 : 0.5;
    cairo_move_to(cr, -shift * extents.x_advance, x_height.height / 2);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

void psb_draw_text(cairo_t *cr, double x, double y, double size, psb_anchor anchor,
                   const char *text) {
    cairo_save(cr);
    cairo_translate(cr, x, y);
    show_text(cr, size, anchor, text);
    cairo_restore(cr);
}

void psb_draw_text_upwards(cairo_t *cr, double x, double y, double size, psb_anchor anchor,
                           const char *text) {
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, -1.5707963267948966);
    show_text(cr, size, anchor, text);
    cairo_restore(cr);
}

/*
 * Least squares under order constraints: with z[i] = p[i] - i gap, the best non-decreasing z comes
 * from pooling neighbours that are out of order into their mean.
 */
void psb_spread_labels(double *positions, size_t count, double gap, double low, double high) {
    if (count > 1 && gap * (double)(count - 1) > high - low) {
        gap = (high - low) / (double)(count - 1);
    }
    for (size_t i = 0; i < count; i++) {
        positions[i] -= gap * (double)i;
    }
    for (size_t end = 1; end < count; end++) {
        /* The block that ends here swallows blocks in front of it until all are in order. */
        double sum = positions[end];
        size_t first = end;
        while (first > 0 && positions[first - 1] > sum / (double)(end - first + 1)) {
            sum += positions[--first];
        }
        for (size_t i = first; i <= end; i++) {
            positions[i] = sum / (double)(end - first + 1);
        }
    }
    double top = high - gap * (double)(count - (count > 0));
    for (size_t i = 0; i < count; i++) {
        double z = positions[i] < low ? low : positions[i] > top ? top : positions[i];
        positions[i] = z + gap * (double)i;
    }
}

/* ---- colours ---------------------------------------------------------------------------- */

void psb_set_line_style(cairo_t *cr, size_t i, double width) {
    /* Okabe and Ito 2008, without the yellow that vanishes on white. */
    static const unsigned colors[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                      0x000000, 0xe69f00, 0x56b4e9};
    static const struct {
        int count;
        double length[4];
    } dashes[] = {{0, {0}}, {2, {6, 2.5}}, {2, {1.5, 2}}, {4, {8, 2, 1.5, 2}}};
    unsigned color = colors[i % (sizeof colors / sizeof colors[0])];
    size_t dash = i % (sizeof dashes / sizeof dashes[0]);
    cairo_set_source_rgb(cr, (color >> 16) / 255.0, (color >> 8 & 255) / 255.0,
                         (color & 255) / 255.0);
    cairo_set_dash(cr, dashes[dash].length, dashes[dash].count, 0);
    cairo_set_line_width(cr, width);
}

void psb_draw_marker(cairo_t *cr, size_t i, double x, double y) {
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
    cairo_fill(cr);
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
