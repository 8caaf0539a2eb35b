/* Writes PNG through libpng, whose errors longjmp to one place. */
#include "io/png.h"

#include <png.h>
#include <zlib.h>

/* LONGEST_SIDE is far above any picture of this program. */
enum { LONGEST_SIDE = 32768, PIECE = 1 << 16 };

/* Receives libpng's error. */
typedef struct failure {
    char message[128];
} failure;

_Noreturn static void keep_message(png_structp png, png_const_charp message) {
    failure *f = png_get_error_ptr(png);
    snprintf(f->message, sizeof f->message, "%s", message);
    png_longjmp(png, 1);
}

static void ignore(png_structp png PSB_UNUSED, png_const_charp message PSB_UNUSED) {
}

static int kind_of(psb_pixel pixel) {
    switch (pixel) {
    case PSB_GRAY:
        return PNG_COLOR_TYPE_GRAY;
    case PSB_GRAY_ALPHA:
        return PNG_COLOR_TYPE_GRAY_ALPHA;
    case PSB_RGB:
        break;
    }
    return PNG_COLOR_TYPE_RGB;
}

/*
 * Uses only runs of equal bytes and codes by frequency. For distances, which look like noise, and
 * for shaded pictures, the filter takes differences from the row above; for pictures in few colors
 * it takes the bytes themselves. A search for longer matches takes three times as long and saves a
 * tenth of the bytes, which pays only for files that are read often.
 */
static void choose(png_structp png, psb_pixel pixel) {
    png_set_filter(png, PNG_FILTER_TYPE_BASE, pixel == PSB_RGB ? PNG_FILTER_NONE : PNG_FILTER_UP);
    png_set_compression_level(png, 1);
    png_set_compression_strategy(png, Z_RLE);
    png_set_compression_buffer_size(png, PIECE);
}

/* ---- few colors ------------------------------------------------------------------------- */

enum { OPAQUE = 20, ALPHAS = 3, HALF = 3 }; /* grays; alphas; grays of each alpha */

/* Maps pixels of gray and alpha to colors of a palette. */
typedef struct palette {
    int low, high; /* range of the opaque grays */
    png_color color[PSB_PNG_COLORS];
    png_byte alpha[PSB_PNG_COLORS];
} palette;

static int nearest_step(int value, int low, int high, int steps) {
    int span = high > low ? high - low : 1;
    int at = ((value - low) * (steps - 1) * 2 + span) / (2 * span);
    return at < 0 ? 0 : at >= steps ? steps - 1 : at;
}

static void set_color(palette *p, int index, int step, int steps, int alpha) {
    png_byte gray = (png_byte)(p->low + (p->high - p->low) * step / (steps - 1));
    p->color[index] = (png_color){gray, gray, gray};
    p->alpha[index] = (png_byte)alpha;
}

static void choose_palette(palette *p, const uint8_t *pixels, size_t count) {
    *p = (palette){.low = 255};
    for (size_t i = 0; i < count; i++) {
        int gray = pixels[2 * i];
        if (pixels[2 * i + 1] == 255) {
            p->low = gray < p->low ? gray : p->low;
            p->high = gray > p->high ? gray : p->high;
        }
    }
    p->low = p->low > p->high ? p->high : p->low;
    for (int k = 0; k < OPAQUE; k++) {
        set_color(p, 1 + k, k, OPAQUE, 255);
    }
    for (int k = 0; k < ALPHAS * HALF; k++) {
        set_color(p, 1 + OPAQUE + k, k % HALF, HALF, 255 * (k / HALF + 1) / (ALPHAS + 1));
    }
}

static uint8_t color_of(const palette *p, const uint8_t pixel[2]) {
    int alpha = nearest_step(pixel[1], 0, 255, ALPHAS + 2);
    int steps = alpha == ALPHAS + 1 ? OPAQUE : HALF;
    int gray = nearest_step(pixel[0], p->low, p->high, steps);
    return (uint8_t)(alpha == 0            ? 0
                     : alpha == ALPHAS + 1 ? 1 + gray
                                           : 1 + OPAQUE + (alpha - 1) * HALF + gray);
}

/* ---- files ------------------------------------------------------------------------------- */

/* Returns a row of palette indices or, without a palette, the row itself. */
static const uint8_t *row_of(const palette *p, const uint8_t *row, size_t width, uint8_t *indices) {
    for (size_t x = 0; p != NULL && x < width; x++) {
        indices[x] = color_of(p, row + 2 * x);
    }
    return p != NULL ? indices : row;
}

/* Returns false with a message in f. No variable that changes after setjmp is read after
 * longjmp. */
static bool write_picture(FILE *stream, size_t width, size_t height, psb_pixel pixel,
                          const palette *few, const uint8_t *pixels, failure *f) {
    uint8_t indices[LONGEST_SIDE];
    snprintf(f->message, sizeof f->message, "no memory");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, f, keep_message, ignore);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info != NULL && setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, stream);
        png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
                     few != NULL ? PNG_COLOR_TYPE_PALETTE : kind_of(pixel), PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        choose(png, few != NULL ? PSB_RGB : pixel);
        if (few != NULL) {
            png_set_compression_level(png, 9);
            png_set_compression_strategy(png, Z_DEFAULT_STRATEGY);
            png_set_PLTE(png, info, few->color, PSB_PNG_COLORS);
            png_set_tRNS(png, info, few->alpha, PSB_PNG_COLORS, NULL);
        }
        png_write_info(png, info);
        for (size_t y = 0; y < height; y++) {
            png_write_row(png, row_of(few, pixels + y * width * pixel, width, indices));
        }
        png_write_end(png, info);
        f->message[0] = '\0';
    }
    png_destroy_write_struct(&png, &info);
    return f->message[0] == '\0';
}

static psb_status check_size(const char *path, size_t width, size_t height, psb_error *error) {
    return width > 0 && height > 0 && width <= LONGEST_SIDE && height <= LONGEST_SIDE
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_USAGE, path, 0,
                             "a picture of %zu x %zu pixels; 1 to %d a side can be written", width,
                             height, LONGEST_SIDE);
}

static psb_status write_output(psb_output *output, size_t width, size_t height, psb_pixel pixel,
                               const palette *few, const uint8_t *pixels, psb_error *error) {
    failure f;
    /* Of a failed write, psb_output_commit says why. */
    return write_picture(output->stream, width, height, pixel, few, pixels, &f) ||
                   ferror(output->stream)
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_IO, output->path, 0, "cannot write: %s", f.message);
}

psb_status psb_png_write(const char *path, size_t width, size_t height, psb_pixel pixel,
                         const uint8_t *pixels, psb_error *error) {
    PSB_AT_END(psb_output_discard) psb_output output = {.stream = NULL};
    psb_status status = check_size(path, width, height, error);
    PSB_THEN(status, psb_output_open(path, &output, error));
    PSB_THEN(status, write_output(&output, width, height, pixel, NULL, pixels, error));
    return PSB_THEN(status, psb_output_commit(&output, error));
}

psb_status psb_png_write_small(psb_output *output, size_t width, size_t height,
                               const uint8_t *pixels, psb_error *error) {
    palette few;
    psb_status status = check_size(output->path, width, height, error);
    if (status == PSB_OK) {
        choose_palette(&few, pixels, width * height);
        status = write_output(output, width, height, PSB_GRAY_ALPHA, &few, pixels, error);
    }
    return status == PSB_OK && fflush(output->stream) != 0
               ? psb_fail_errno(error, output->path, "write")
               : status;
}

psb_status psb_png_make(size_t width, size_t height, psb_pixel pixel, const uint8_t *pixels,
                        uint8_t **png, size_t *size, psb_error *error) {
    failure f;
    char *bytes = NULL;
    *png = NULL;
    FILE *stream = open_memstream(&bytes, size);
    bool done = stream != NULL && write_picture(stream, width, height, pixel, NULL, pixels, &f);
    /* Where its last allocation fails, glibc's fclose returns 0 without any bytes. */
    if (stream != NULL && fclose(stream) == 0 && done && bytes != NULL) {
        *png = (uint8_t *)bytes;
        return PSB_OK;
    }
    free(bytes);
    return psb_fail_memory(error, "a picture", width * height * pixel);
}
