/* Reads as much of the ZIP format as np.savez writes: the directory at the end, and the members. */
#include "io/npz.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    END_BYTES = 22,       /* record after the directory */
    COMMENT_MOST = 65535, /* longest comment after that record */
    ENTRY_BYTES = 46,     /* entry of the directory, up to its names */
    LOCAL_BYTES = 30,     /* head of a member */
    STORED = 0,
    DEFLATED = 8,
    RATIO_MOST = 1040, /* bytes that deflate can make of one byte */
};

static const char ending[] = ".npz", inner[] = ".npy";

typedef struct member {
    const unsigned char *name;
    size_t name_length, packed, size, at; /* at: where the member's head begins */
    unsigned method;
    uint32_t crc;
} member;

static uint32_t number_at(const unsigned char *at, int bytes) {
    uint32_t value = 0;
    for (int k = bytes; k-- > 0;) {
        value = value << 8 | at[k];
    }
    return value;
}

/* Returns the length of the archive's path; the whole length if no member is named, 0 for other
 * paths. */
static size_t archive_length(const char *path) {
    size_t length = strlen(path), tail = sizeof ending - 1;
    if (length > tail && strcmp(path + length - tail, ending) == 0) {
        return length;
    }
    for (const char *at = strstr(path, ".npz/"); at != NULL; at = strstr(at + 1, ".npz/")) {
        psb_text file = {0};
        psb_text_add_bytes(&file, path, (size_t)(at - path) + tail);
        bool found = !file.failed && psb_is_file(file.data);
        psb_text_free(&file);
        if (found) {
            return (size_t)(at - path) + tail;
        }
    }
    return 0;
}

bool psb_npz_is(const char *path) {
    return archive_length(path) > 0;
}

/* Finds the record at the end; NULL if there is none. */
static const unsigned char *find_end(const unsigned char *data, size_t length) {
    for (size_t back = END_BYTES; back <= length && back <= END_BYTES + COMMENT_MOST; back++) {
        if (memcmp(data + length - back, "PK\5\6", 4) == 0) {
            return data + length - back;
        }
    }
    return NULL;
}

/* Reads the directory's entry at *at and moves past it; false if there is none. */
static bool next_member(const unsigned char *data, size_t end, size_t *at, member *m) {
    const unsigned char *entry = data + *at;
    if (end - *at < ENTRY_BYTES || memcmp(entry, "PK\1\2", 4) != 0) {
        return false;
    }
    size_t names = number_at(entry + 28, 2), more = number_at(entry + 30, 2);
    size_t bytes = ENTRY_BYTES + names + more + number_at(entry + 32, 2);
    if (end - *at < bytes) {
        return false;
    }
    *m = (member){entry + ENTRY_BYTES,      names,
                  number_at(entry + 20, 4), number_at(entry + 24, 4),
                  number_at(entry + 42, 4), number_at(entry + 10, 2),
                  number_at(entry + 16, 4)};
    *at += bytes;
    return true;
}

static bool is_named(const member *m, const char *name) {
    size_t length = strlen(name), tail = sizeof inner - 1;
    return m->name_length >= length && memcmp(m->name, name, length) == 0 &&
           (m->name_length == length ||
            (m->name_length == length + tail && memcmp(m->name + length, inner, tail) == 0));
}

/* Finds the member of this name or, without a name, the only member. */
static psb_status find_member(const char *path, const unsigned char *data, size_t length,
                              const char *name, member *found, psb_error *error) {
    const unsigned char *end = find_end(data, length);
    size_t at = end != NULL ? number_at(end + 16, 4) : 0, count = 0;
    psb_text names = {0};
    if (end == NULL || at > (size_t)(end - data)) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not an .npz file, or a damaged one");
    }
    for (member m; next_member(data, (size_t)(end - data), &at, &m);) {
        if (name == NULL || is_named(&m, name)) {
            *found = m;
            count++;
        }
        if (names.length < 200) {
            bool npy = m.name_length > 4 && memcmp(m.name + m.name_length - 4, inner, 4) == 0;
            psb_text_printf(&names, "%s%.*s", names.length > 0 ? ", " : "",
                            (int)(m.name_length < 64 ? m.name_length - 4 * npy : 64),
                            (const char *)m.name);
        }
    }
    const char *there = names.length > 0 ? names.data : "nothing";
    psb_status status =
        count == 1 ? PSB_OK
        : name == NULL
            ? psb_fail_at(error, PSB_ERROR_USAGE, path, 0, "holds %s: say which array, as %s/NAME",
                          there, psb_path_shown(path))
            : psb_fail_at(error, PSB_ERROR_USAGE, path, 0, "has no array '%.64s'; it has %s", name,
                          there);
    psb_text_free(&names);
    return status;
}

static bool inflate_all(const unsigned char *from, size_t packed, void *to, size_t size) {
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)from,
                       .avail_in = (unsigned)packed,
                       .next_out = to,
                       .avail_out = (unsigned)size};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        return false;
    }
    bool fine = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return fine;
}

psb_status psb_npz_parse(const char *path, const unsigned char *data, size_t length,
                         const char *name, void **bytes, size_t *size, psb_error *error) {
    member m = {0};
    *bytes = NULL;
    psb_status status = find_member(path, data, length, name, &m, error);
    if (status != PSB_OK) {
        return status;
    }
    size_t start = m.at;
    bool head =
        m.at < length && length - m.at >= LOCAL_BYTES && memcmp(data + m.at, "PK\3\4", 4) == 0;
    if (head) {
        start += LOCAL_BYTES + number_at(data + m.at + 26, 2) + number_at(data + m.at + 28, 2);
    }
    bool fits = head && start <= length && m.packed <= length - start &&
                (m.method == STORED ? m.size == m.packed
                                    : m.method == DEFLATED && m.size / RATIO_MOST <= m.packed);
    if (!fits) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "%s",
                           head && m.method != STORED && m.method != DEFLATED
                               ? "an array that is packed in a way that np.load does not write"
                               : "a damaged .npz: an array is not where its directory says");
    }
    *size = m.size;
    *bytes = psb_new(&status, m.size, 1, "an unpacked array", error);
    if (status == PSB_OK && m.method == STORED) {
        memcpy(*bytes, data + start, m.size);
    }
    bool whole = status == PSB_OK &&
                 (m.method == STORED || inflate_all(data + start, m.packed, *bytes, m.size)) &&
                 crc32_z(0, *bytes, m.size) == m.crc;
    if (status == PSB_OK && !whole) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                             "a damaged .npz: an array is not what its checksum says");
    }
    if (status != PSB_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

psb_status psb_npz_read(const char *path, void **bytes, size_t *size, psb_error *error) {
    size_t length = archive_length(path);
    psb_input input = PSB_NO_INPUT;
    psb_status status = PSB_OK;
    *bytes = NULL;
    char *archive = psb_new_text(&status, path, length, "a path", error);
    PSB_THEN(status, psb_input_open(archive, &input, error));
    PSB_THEN(status,
             psb_npz_parse(archive, (const unsigned char *)input.data, input.size,
                           path[length] == '/' ? path + length + 1 : NULL, bytes, size, error));
    psb_input_close(&input);
    free(archive);
    return status;
}
