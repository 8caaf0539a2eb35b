/* Local heads and bytes, then the directory, then its end. */
#include "support/zip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Not cmocka's: fuzzers write archives, too. */
static void must(bool done) {
    if (!done) {
        abort();
    }
}

static void add_number(psb_text *out, uint64_t value, size_t bytes) {
    for (; bytes > 0; bytes--, value >>= 8) {
        char byte = (char)value;
        psb_text_add_bytes(out, &byte, 1);
    }
}

/* What a local head and the directory's entry share. */
static void add_fields(psb_text *out, const test_member *m, size_t packed, bool deflate) {
    uint32_t crc = (uint32_t)crc32_z(0, (const unsigned char *)m->bytes, m->size);
    add_number(out, 20, 2);
    add_number(out, 0, 2);
    add_number(out, deflate ? 8 : 0, 2);
    add_number(out, 0, 4);
    add_number(out, crc, 4);
    add_number(out, packed, 4);
    add_number(out, m->size, 4);
    add_number(out, strlen(m->name), 2);
    add_number(out, 0, 2);
}

static unsigned char *pack(const test_member *m, size_t *packed) {
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)m->bytes,
                       .avail_in = (unsigned)m->size};
    size_t room = m->size + 1024;
    unsigned char *out = malloc(room);
    must(out != NULL);
    must(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_out = out;
    stream.avail_out = (unsigned)room;
    must(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    *packed = room - stream.avail_out;
    deflateEnd(&stream);
    return out;
}

void test_zip_add(psb_text *out, const test_member *members, size_t count, bool deflate) {
    psb_text directory = {0};
    size_t begin = out->length;
    for (size_t i = 0; i < count; i++) {
        const test_member *m = &members[i];
        size_t packed = m->size, at = out->length - begin;
        unsigned char *bytes = deflate ? pack(m, &packed) : NULL;
        psb_text_add(out, "PK\3\4");
        add_fields(out, m, packed, deflate);
        psb_text_add(out, m->name);
        psb_text_add_bytes(out, bytes != NULL ? (const char *)bytes : m->bytes, packed);
        free(bytes);
        psb_text_add(&directory, "PK\1\2");
        add_number(&directory, 20, 2);
        add_fields(&directory, m, packed, deflate);
        add_number(&directory, 0, 10);
        add_number(&directory, at, 4);
        psb_text_add(&directory, m->name);
    }
    size_t at = out->length - begin;
    psb_text_add_bytes(out, directory.data, directory.length);
    psb_text_add(out, "PK\5\6");
    add_number(out, 0, 4);
    add_number(out, count, 2);
    add_number(out, count, 2);
    add_number(out, directory.length, 4);
    add_number(out, at, 4);
    add_number(out, 0, 2);
    must(!directory.failed && !out->failed);
    psb_text_free(&directory);
}
