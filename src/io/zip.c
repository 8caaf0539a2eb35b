/* Finds the directory from the archive's end, then walks over its records. */
#include "io/zip.h"

#include "io/gzip.h"
#include "io/name.h"
#include "io/plain_text.h"
#include "io/scalar.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

/* Bytes of the records without their names and extra fields. */
enum { LOCAL = 30, CENTRAL = 46, END = 22, LOCATOR = 20, END64 = 56, COMMENT_MOST = 65535 };

static const char of_local[] = "PK\3\4", of_central[] = "PK\1\2", of_end[] = "PK\5\6",
                  of_locator[] = "PK\6\7", of_end64[] = "PK\6\6";
enum { MARK = 4 };

static unsigned u16(const char *at) {
    return (unsigned)psb_load_bits(at, 2, false);
}

static uint32_t u32(const char *at) {
    return (uint32_t)psb_load_bits(at, 4, false);
}

static uint64_t u64(const char *at) {
    return psb_load_bits(at, 8, false);
}

/* Reads exactly `size` bytes; false if they are not there. */
static bool read_at(int handle, void *out, size_t size, uint64_t at) {
    ssize_t got = 1;
    size_t done = 0;
    for (; done < size && got > 0; done += got > 0 ? (size_t)got : 0) {
        got = pread(handle, (char *)out + done, size - done, (off_t)(at + done));
    }
    return done == size;
}

/* Gets bytes of the archive; false if they are not there. */
static bool get(const psb_zip *zip, void *out, size_t size, uint64_t at) {
    if (zip->handle >= 0) {
        return read_at(zip->handle, out, size, at);
    }
    bool there = at <= zip->size && size <= zip->size - at;
    if (there) {
        memcpy(out, zip->data + at, size);
    }
    return there;
}

bool psb_zip_is(int handle) {
    char mark[MARK];
    return read_at(handle, mark, MARK, 0) &&
           (memcmp(mark, of_local, MARK) == 0 || memcmp(mark, of_end, MARK) == 0);
}

static psb_status fail(const psb_zip *zip, const char *why, psb_error *error) {
    return psb_fail_at(error, PSB_ERROR_INPUT, zip->path, 0, "the archive cannot be read: %s", why);
}

/* ---- the directory --------------------------------------------------------------------- */

/* Finds the record at the archive's end: its position, and a copy in `record`. */
static psb_status find_end(psb_zip *zip, uint64_t *position, char record[END], psb_error *error) {
    uint64_t size = zip->size;
    size_t length = size < END + COMMENT_MOST ? (size_t)size : END + COMMENT_MOST;
    psb_status status = psb_buffer_reserve(&zip->directory, length + 1, 1, "an archive", error);
    if (status != PSB_OK) {
        return status;
    }
    const char *tail = zip->directory.data;
    errno = 0;
    if (!get(zip, zip->directory.data, length, size - length)) {
        return errno != 0 ? psb_fail_errno(error, zip->path, "read")
                          : fail(zip, "it shrinks", error);
    }
    for (size_t at = length < END ? 0 : length - END + 1; at-- > 0;) {
        if (memcmp(tail + at, of_end, MARK) == 0 && u16(tail + at + 20) <= length - at - END) {
            memcpy(record, tail + at, END);
            *position = size - length + at;
            return PSB_OK;
        }
    }
    return fail(zip, "a ZIP archive without a directory at its end: was it cut short?", error);
}

psb_status psb_zip_open(psb_zip *zip, const char *path, int handle, const char *data, uint64_t size,
                        psb_error *error) {
    char end[END] = "", locator[LOCATOR], end64[END64];
    uint64_t at = 0;
    *zip = (psb_zip){.path = path, .data = data, .handle = handle, .size = size};
    psb_status status = find_end(zip, &at, end, error);
    if (status != PSB_OK) {
        return status;
    }
    uint64_t length = u32(end + 12), begin = u32(end + 16);
    bool parts = u16(end + 4) != 0 && u16(end + 4) != UINT16_MAX;
    if (at >= LOCATOR && get(zip, locator, LOCATOR, at - LOCATOR) &&
        memcmp(locator, of_locator, MARK) == 0 && u64(locator + 8) < at &&
        get(zip, end64, END64, u64(locator + 8)) && memcmp(end64, of_end64, MARK) == 0) {
        at = u64(locator + 8);
        length = u64(end64 + 40);
        begin = u64(end64 + 48);
        parts = u32(end64 + 16) != 0;
    }
    if (parts) {
        return fail(zip, "it is one of several parts", error);
    }
    if (length > at || begin > at - length) {
        return fail(zip, "its directory is not where it says", error);
    }
    zip->shift = (int64_t)(at - length - begin);
    status = psb_buffer_reserve(&zip->directory, (size_t)length + 1, 1, "an archive", error);
    PSB_THEN_IF(status, !get(zip, zip->directory.data, (size_t)length, at - length),
                psb_fail_errno(error, path, "read"));
    zip->end = status == PSB_OK ? (size_t)length : 0;
    return status;
}

void psb_zip_close(psb_zip *zip) {
    psb_buffer_free(&zip->directory);
    psb_text_free(&zip->file.name);
}

/* ---- names ----------------------------------------------------------------------------- */

/* The upper half of code page 437. */
static const uint16_t page437[] = {
    0xc7,   0xfc,   0xe9,   0xe2,   0xe4,   0xe0,   0xe5,   0xe7,   0xea,   0xeb,   0xe8,   0xef,
    0xee,   0xec,   0xc4,   0xc5,   0xc9,   0xe6,   0xc6,   0xf4,   0xf6,   0xf2,   0xfb,   0xf9,
    0xff,   0xd6,   0xdc,   0xa2,   0xa3,   0xa5,   0x20a7, 0x192,  0xe1,   0xed,   0xf3,   0xfa,
    0xf1,   0xd1,   0xaa,   0xba,   0xbf,   0x2310, 0xac,   0xbd,   0xbc,   0xa1,   0xab,   0xbb,
    0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557,
    0x255d, 0x255c, 0x255b, 0x2510, 0x2514, 0x2534, 0x252c, 0x251c, 0x2500, 0x253c, 0x255e, 0x255f,
    0x255a, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256c, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559,
    0x2558, 0x2552, 0x2553, 0x256b, 0x256a, 0x2518, 0x250c, 0x2588, 0x2584, 0x258c, 0x2590, 0x2580,
    0x3b1,  0xdf,   0x393,  0x3c0,  0x3a3,  0x3c3,  0xb5,   0x3c4,  0x3a6,  0x398,  0x3a9,  0x3b4,
    0x221e, 0x3c6,  0x3b5,  0x2229, 0x2261, 0xb1,   0x2265, 0x2264, 0x2320, 0x2321, 0xf7,   0x2248,
    0xb0,   0x2219, 0xb7,   0x221a, 0x207f, 0xb2,   0x25a0, 0xa0};

static void add_437(psb_text *out, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)name[i];
        char utf8[4];
        psb_text_add_bytes(out, utf8,
                           psb_utf8_put(byte < 0x80 ? byte : page437[byte - 0x80], utf8));
    }
}

/* Returns a field among the extra ones; its length is 0 if it is not there. */
static const char *find_extra(const char *extra, size_t size, unsigned kind, size_t *length) {
    for (size_t at = 0; at + 4 <= size;) {
        *length = u16(extra + at + 2);
        if (*length > size - at - 4) {
            break;
        }
        if (u16(extra + at) == kind) {
            return extra + at + 4;
        }
        at += 4 + *length;
    }
    *length = 0;
    return extra;
}

static void decode_name(psb_text *out, unsigned flags, bool windows, const char *name,
                        size_t length, const char *extra, size_t extra_length) {
    enum { UTF8_FLAG = 1 << 11, UNICODE_PATH = 0x7075, BEFORE_PATH = 5 };
    size_t more;
    const char *unicode = find_extra(extra, extra_length, UNICODE_PATH, &more);
    out->length = 0;
    if ((flags & UTF8_FLAG) == 0 && more > BEFORE_PATH && unicode[0] == 1 &&
        u32(unicode + 1) == (uint32_t)crc32(0, (const Bytef *)name, (uInt)length)) {
        psb_text_add_bytes(out, unicode + BEFORE_PATH, more - BEFORE_PATH);
    } else if ((flags & UTF8_FLAG) != 0 || psb_name_is_utf8(name, length)) {
        psb_text_add_bytes(out, name, length);
    } else {
        add_437(out, name, length);
    }
    /* Some programs for Windows write '\' between folders, which the format forbids. */
    if (windows && out->length > 0 && !out->failed && memchr(out->data, '/', out->length) == NULL) {
        for (char *at = out->data; (at = strchr(at, '\\')) != NULL; at++) {
            *at = '/';
        }
    }
}

/* ---- the records ----------------------------------------------------------------------- */

/* Replaces the sizes and the position that do not fit in 32 bits by those of ZIP64's field. */
static void widen(psb_zip_entry *file, uint64_t *position, const char *extra, size_t extra_length) {
    uint64_t *const values[] = {&file->size, &file->packed, position};
    size_t length, at = 0;
    const char *wide = find_extra(extra, extra_length, 1, &length);
    for (int i = 0; i < 3; i++) {
        if (*values[i] == UINT32_MAX && at + 8 <= length) {
            *values[i] = u64(wide + at);
            at += 8;
        }
    }
}

psb_status psb_zip_next(psb_zip *zip, bool *more, psb_error *error) {
    enum { UNIX = 3, MACOS = 19, FAT = 0, NTFS = 10, ENCRYPTED = 1, DOS_FOLDER = 1 << 4 };
    const char *at = (const char *)zip->directory.data + zip->at;
    size_t left = zip->end - zip->at;
    psb_zip_entry *file = &zip->file;
    *more = left > 0;
    if (left == 0) {
        return PSB_OK;
    }
    if (left < CENTRAL || memcmp(at, of_central, MARK) != 0) {
        return fail(zip, "its directory is damaged", error);
    }
    unsigned host = u16(at + 4) >> 8, flags = u16(at + 8);
    size_t name = u16(at + 28), extra = u16(at + 30), comment = u16(at + 32);
    if (name + extra + comment > left - CENTRAL) {
        return fail(zip, "its directory is damaged", error);
    }
    const char *text = at + CENTRAL;
    uint64_t position = u32(at + 42);
    unsigned kind = (host == UNIX || host == MACOS) ? u32(at + 38) >> 16 & S_IFMT : 0;
    file->method = u16(at + 10);
    file->crc = u32(at + 16);
    file->packed = u32(at + 20);
    file->size = u32(at + 24);
    file->encrypted = (flags & ENCRYPTED) != 0;
    file->hash = XXH64(text, name, 0);
    widen(file, &position, text + name, extra);
    if (position > INT64_MAX / 2 || file->packed > INT64_MAX / 2) {
        return fail(zip, "its directory is damaged", error);
    }
    file->position = (int64_t)position + zip->shift;
    decode_name(&file->name, flags, host == FAT || host == NTFS, text, name, text + name, extra);
    psb_status status = psb_text_status(&file->name, error);
    if (status == PSB_OK) {
        file->special = kind != 0 && kind != S_IFREG && kind != S_IFDIR;
        file->folder = kind == S_IFDIR || (kind == 0 && (u32(at + 38) & DOS_FOLDER) != 0) ||
                       (file->name.length > 0 && file->name.data[file->name.length - 1] == '/');
    }
    zip->at += CENTRAL + name + extra + comment;
    return status;
}

uint64_t psb_zip_hash_at(int handle, int64_t position) {
    char head[LOCAL], name[UINT16_MAX];
    return read_at(handle, head, LOCAL, (uint64_t)position) && memcmp(head, of_local, MARK) == 0 &&
                   read_at(handle, name, u16(head + 26), (uint64_t)position + LOCAL)
               ? XXH64(name, u16(head + 26), 0)
               : 0;
}

/* ---- one file -------------------------------------------------------------------------- */

psb_status psb_zip_unpack(const psb_zip *zip, const psb_zip_entry *file, psb_buffer *bytes,
                          psb_error *error) {
    enum { STORED = 0, DEFLATED = 8, RATIO_MOST = 1040 }; /* bytes that deflate makes of one */
    char head[LOCAL];
    if (file->encrypted || (file->method != STORED && file->method != DEFLATED)) {
        return fail(zip, "a file in it is encrypted, or neither stored nor deflated", error);
    }
    uint64_t at = (uint64_t)file->position, packed = file->packed;
    bool there = get(zip, head, LOCAL, at) && memcmp(head, of_local, MARK) == 0;
    at += there ? LOCAL + u16(head + 26) + u16(head + 28) : 0;
    if (!there || at > zip->size || packed > zip->size - at ||
        (file->method == STORED ? file->size != packed : file->size / RATIO_MOST > packed)) {
        return fail(zip, "a file in it is not where its directory says", error);
    }
    const char *from = zip->data + at;
    size_t size = (size_t)file->size, done = size;
    psb_status status = psb_buffer_reserve(bytes, size + 1, 1, "an unpacked file", error);
    if (status == PSB_OK && file->method == STORED) {
        memcpy(bytes->data, from, size);
    } else if (status == PSB_OK) {
        status = psb_inflate(zip->path, from, (size_t)packed, size, bytes, &done, error);
    }
    return status != PSB_OK || (done == size && crc32_z(0, bytes->data, size) == file->crc)
               ? status
               : fail(zip, "a file in it is not what its checksum says", error);
}
