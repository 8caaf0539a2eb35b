/* Unpacks with zlib, piece by piece, into memory that grows with the bytes that come out. */
#include "io/gzip.h"

#include <zlib.h>

enum { FREE_BYTES = 64 << 20, PIECE = 1 << 18, GZIP_WINDOW = 15 + 16 };
/* A packed file may unpack to so many times its size. */
enum { MOST_TIMES = 200, MOST_TIMES_OF_FILE = 50, TIMES_OF_JOINED = 8 };

bool psb_is_gzip(const char *data, size_t size) {
    return size >= 2 && memcmp(data, "\x1f\x8b", 2) == 0;
}

static size_t times(size_t size, size_t factor, size_t least, size_t most) {
    size_t product = size > SIZE_MAX / factor ? SIZE_MAX : size * factor;
    size_t limit = product > least ? product : least;
    return limit < most ? limit : most;
}

size_t psb_unpack_most(size_t size, size_t most) {
    return times(size, MOST_TIMES, FREE_BYTES, most);
}

size_t psb_gzip_most(const char last[4], size_t size, size_t most) {
    const unsigned char *byte = (const unsigned char *)last;
    size_t says =
        (size_t)byte[0] | (size_t)byte[1] << 8 | (size_t)byte[2] << 16 | (size_t)byte[3] << 24;
    size_t limit = times(size, MOST_TIMES_OF_FILE, FREE_BYTES, most);
    size_t joined = times(size, TIMES_OF_JOINED, 0, limit);
    return says > limit ? 0 : says > joined ? says : joined;
}

/* Gives the stream room for one more piece, or for a byte more than is allowed. */
static psb_status make_room(z_stream *z, psb_buffer *unpacked, size_t length, size_t limit,
                            psb_error *error) {
    size_t room = limit - length < PIECE ? limit - length + 1 : PIECE;
    psb_status status = psb_buffer_grow(unpacked, length + room, 1, "an unpacked file", error);
    z->next_out = (Bytef *)unpacked->data + length;
    z->avail_out = (uInt)room;
    return status;
}

/* Feeds the stream in pieces, as it counts bytes in 32 bits. */
static void feed(z_stream *z, const char *end) {
    const char *next = (const char *)z->next_in;
    size_t left = (size_t)(end - next);
    z->avail_in = left < PIECE ? (uInt)left : PIECE;
}

/* `joined`: several gzip files may follow one another. */
static psb_status inflate_all(z_stream *z, const char *path, const char *end, bool joined,
                              size_t limit, psb_buffer *unpacked, size_t *length,
                              psb_error *error) {
    for (;;) {
        psb_status status = make_room(z, unpacked, *length, limit, error);
        if (status != PSB_OK) {
            return status;
        }
        feed(z, end);
        int result = inflate(z, Z_NO_FLUSH);
        *length = (size_t)((char *)z->next_out - (char *)unpacked->data);
        if (*length > limit) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                               "unpacks to more than the %zu bytes that are allowed", limit);
        }
        size_t left = (size_t)(end - (const char *)z->next_in);
        if (result == Z_STREAM_END) {
            if (!joined || !psb_is_gzip((const char *)z->next_in, left)) {
                return PSB_OK;
            }
            result = inflateReset(z);
        }
        if (result == Z_MEM_ERROR) {
            return psb_fail_memory(error, "unpacking", PIECE);
        }
        if (result == Z_BUF_ERROR || (result == Z_OK && left == 0 && z->avail_out > 0)) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "the packed file ends too early");
        }
        if (result != Z_OK) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "cannot be unpacked: %s",
                               z->msg != NULL ? z->msg : "damaged");
        }
    }
}

static psb_status run(const char *path, const char *data, size_t size, bool packed_file,
                      size_t limit, psb_buffer *unpacked, size_t *length, psb_error *error) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)data};
    *length = 0;
    if (inflateInit2(&z, packed_file ? GZIP_WINDOW : -MAX_WBITS) != Z_OK) {
        return psb_fail_memory(error, "unpacking", PIECE);
    }
    psb_status status =
        inflate_all(&z, path, data + size, packed_file, limit, unpacked, length, error);
    inflateEnd(&z);
    return status;
}

psb_status psb_inflate(const char *path, const char *data, size_t size, size_t limit,
                       psb_buffer *unpacked, size_t *length, psb_error *error) {
    return run(path, data, size, false, limit, unpacked, length, error);
}

psb_status psb_gzip_unpack(const char *path, const char *data, size_t size, size_t most,
                           psb_buffer *unpacked, size_t *length, psb_error *error) {
    size_t limit = size >= 4 ? psb_gzip_most(data + size - 4, size, most) : 0;
    if (limit == 0 && size >= 4) {
        return psb_fail_at(
            error, PSB_ERROR_INPUT, path, 0,
            "says that it unpacks to more than the %zu bytes that are allowed, or is damaged",
            times(size, MOST_TIMES_OF_FILE, FREE_BYTES, most));
    }
    return run(path, data, size, true, limit, unpacked, length, error);
}
