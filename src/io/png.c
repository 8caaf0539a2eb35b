/* PNG through libpng, whose errors end in one place by longjmp. */
#include "io/png.h"

#include "core/error.h"
#include "core/file.h"

#include <png.h>
#include <stdlib.h>
#include <zlib.h>

/* Far above any picture that is made here. */
enum { LONGEST_SIDE = 32768, PIECE = 1 << 16 };

/* Where libpng's errors go. */
typedef struct failure {
    char message[128];
} failure;

_Noreturn static void keep_message(png_structp png, png_const_charp message) {
    failure *f = png_get_error_ptr(png);
    snprintf(f->message, sizeof f->message, "%s", message);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
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
 * Runs of equal bytes, and codes by how often a byte comes, are all that pays: of distances, which
 * look like noise, and of shaded pictures, differences to the row above; of pictures in few colours
 * the bytes themselves. A search for longer matches takes three times as long for a tenth of the
 * bytes.
 */
static void choose(png_structp png, psb_pixel pixel) {
    png_set_filter(png, PNG_FILTER_TYPE_BASE, pixel == PSB_RGB ? PNG_FILTER_NONE : PNG_FILTER_UP);
    png_set_compression_level(png, 1);
    png_set_compression_strategy(png, Z_RLE);
    png_set_compression_buffer_size(png, PIECE);
}

/* False with a message. What is changed behind setjmp is not looked at where it comes back. */
static bool write_picture(FILE *stream, size_t width, size_t height, psb_pixel pixel,
                          const uint8_t *pixels, failure *f) {
    snprintf(f->message, sizeof f->message, "no memory");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, f, keep_message, ignore);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info != NULL && setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, stream);
        png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, kind_of(pixel),
                     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        choose(png, pixel);
        png_write_info(png, info);
        for (size_t y = 0; y < height; y++) {
            png_write_row(png, pixels + y * width * pixel);
        }
        png_write_end(png, info);
        f->message[0] = '\0';
    }
    png_destroy_write_struct(&png, &info);
    return f->message[0] == '\0';
}

psb_status psb_png_write(const char *path, size_t width, size_t height, psb_pixel pixel,
                         const uint8_t *pixels, psb_error *error) {
    if (width == 0 || height == 0 || width > LONGEST_SIDE || height > LONGEST_SIDE) {
        return psb_fail_at(error, PSB_ERROR_USAGE, path, 0,
                           "a picture of %zu x %zu pixels; 1 to %d a side can be written", width,
                           height, LONGEST_SIDE);
    }
    psb_output output;
    failure f;
    psb_status status = psb_output_open(path, &output, error);
    if (status == PSB_OK && !write_picture(output.stream, width, height, pixel, pixels, &f)) {
        status = psb_fail_at(error, PSB_ERROR_IO, path, 0, "cannot write: %s", f.message);
        psb_output_discard(&output);
    }
    return status == PSB_OK ? psb_output_commit(&output, error) : status;
}

psb_status psb_png_make(size_t width, size_t height, psb_pixel pixel, const uint8_t *pixels,
                        uint8_t **png, size_t *size, psb_error *error) {
    failure f;
    char *bytes = NULL;
    *png = NULL;
    FILE *stream = open_memstream(&bytes, size);
    bool done = stream != NULL && write_picture(stream, width, height, pixel, pixels, &f);
    if (stream != NULL && fclose(stream) == 0 && done) {
        *png = (uint8_t *)bytes;
        return PSB_OK;
    }
    free(bytes);
    return psb_fail_memory(error, "a picture", width * height * pixel);
}
