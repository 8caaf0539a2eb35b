/*
 * The Point Cloud Library's PCD, version 0.7 and before: a header names fields, then come the
 * points as text, binary, or packed field by field with LZF (binary_compressed). Reads x, y, z and
 * normal_x, normal_y, normal_z, skips all other fields, and points that are not finite, which in
 * this format mean that nothing was seen there.
 */
#include "core/memory.h"
#include "io/format.h"
#include "io/scalar.h"

#include <inttypes.h>
#include <math.h>

enum { ROLES = 6, MOST_FIELDS = 64, RATIO_MOST = 264 / 3 + 1 };

typedef struct field {
    int role; /* index in `roles`; ROLES: skipped */
    char type;
    size_t size, count, at; /* bytes of a number; numbers; where the field begins in a point */
} field;

typedef struct reader {
    psb_scan *scan;
    field fields[MOST_FIELDS];
    size_t nfields, stride, count;
    size_t columns; /* numbers of a point */
    psb_quote data; /* how the points are stored */
} reader;

static const char *const roles[ROLES] = {"x", "y", "z", "normal_x", "normal_y", "normal_z"};

/* ---- header ---------------------------------------------------------------------------- */

static psb_status read_size(reader *r, size_t most, size_t *out) {
    int64_t value;
    psb_scan start = *r->scan;
    if (!psb_scan_integer(r->scan, &value) || value < 1 || (uint64_t)value > most) {
        return psb_scan_fail_token(&start, "a size in its limits");
    }
    *out = (size_t)value;
    return PSB_OK;
}

static void read_role(reader *r, field *f) {
    for (f->role = 0; f->role < ROLES && !psb_scan_word(r->scan, roles[f->role]); f->role++) {
    }
    psb_scan_skip_token(r->scan);
}

/* Reads the words of a line that has one for each field. */
static psb_status read_fields(reader *r, int what) {
    psb_scan *s = r->scan;
    psb_status status = PSB_OK;
    size_t i = 0;
    for (; status == PSB_OK && i < MOST_FIELDS && psb_scan_next_on_line(s); i++) {
        field *f = &r->fields[i];
        if (what == 'F') {
            *f = (field){.count = 1};
            read_role(r, f);
        } else if (what == 'T') {
            f->type = *s->at;
            psb_scan_skip_token(s);
        } else {
            status = read_size(r, what == 'S' ? 8 : 1 << 16, what == 'S' ? &f->size : &f->count);
        }
    }
    PSB_THEN_IF(status, psb_scan_next_on_line(s) || (what != 'F' && i != r->nfields),
                PSB_SCAN_FAIL(s, "%zu words for %zu fields, of which at most %d are read", i,
                              r->nfields, MOST_FIELDS));
    r->nfields = what == 'F' ? i : r->nfields;
    return status;
}

static psb_status read_line(reader *r, bool *ended) {
    static const struct {
        const char *word;
        int what;
    } lines[] = {{"FIELDS", 'F'}, {"SIZE", 'S'},   {"TYPE", 'T'},
                 {"COUNT", 'C'},  {"POINTS", 'P'}, {"DATA", 'D'}};
    psb_scan *s = r->scan;
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        if (!psb_scan_word(s, lines[l].word)) {
            continue;
        }
        if (lines[l].what == 'P' || lines[l].what == 'D') {
            if (!psb_scan_next_on_line(s)) {
                return PSB_SCAN_FAIL(s, "the line ends behind %s", lines[l].word);
            }
            if (lines[l].what == 'P') {
                return read_size(r, UINT32_MAX, &r->count);
            }
            r->data = psb_scan_quote(s);
            psb_scan_skip_line(s);
            s->at += s->end - s->at > 1 && s->at[0] == '\r' && s->at[1] == '\n';
            s->at += s->at < s->end;
            *ended = true;
            return PSB_OK;
        }
        return read_fields(r, lines[l].what);
    }
    psb_scan_skip_line(s); /* VERSION, WIDTH, HEIGHT, VIEWPOINT */
    return PSB_OK;
}

static psb_status read_header(reader *r) {
    bool ended = false, has[ROLES + 1] = {false};
    psb_status status = PSB_OK;
    r->scan->comment = '#';
    while (status == PSB_OK && !ended) {
        status = psb_scan_next(r->scan)
                     ? read_line(r, &ended)
                     : PSB_SCAN_FAIL(r->scan, "the file ends before the line DATA");
    }
    for (size_t i = 0; i < r->nfields && status == PSB_OK; i++) {
        field *f = &r->fields[i];
        f->at = r->stride;
        r->stride += f->size * f->count;
        r->columns += f->count;
        has[f->role] = true;
        if (f->role < ROLES &&
            (f->type != 'F' || f->count != 1 || (f->size != 4 && f->size != 8))) {
            status = PSB_SCAN_FAIL(r->scan, "the field %s is not one float of 4 or 8 bytes",
                                   roles[f->role]);
        } else if (f->size == 0) {
            status = PSB_SCAN_FAIL(r->scan, "field %zu has no SIZE", i + 1);
        }
    }
    return PSB_THEN_IF(status, !has[0] || !has[1] || !has[2] || r->count == 0,
                       PSB_SCAN_FAIL(r->scan, "the header has no POINTS, or no fields x, y and z"));
}

/* ---- points ---------------------------------------------------------------------------- */

static void add(psb_mesh_buffer *buffer, const double values[ROLES], bool normals) {
    if (isfinite(values[0]) && isfinite(values[1]) && isfinite(values[2])) {
        psb_point_add(buffer, values, normals ? values + 3 : NULL);
    }
}

static bool has_normals(const reader *r) {
    unsigned found = 0;
    for (size_t i = 0; i < r->nfields; i++) {
        found |= 1U << r->fields[i].role;
    }
    return (found & 0x38) == 0x38;
}

static psb_status read_text(reader *r, psb_mesh_buffer *buffer) {
    psb_scan *s = r->scan;
    psb_status status = r->columns * r->count / 2 > (size_t)(s->end - s->at)
                            ? PSB_SCAN_FAIL(s, "the file is too short for %zu points", r->count)
                            : psb_grow_points(s, buffer, r->count);
    for (size_t p = 0; p < r->count && status == PSB_OK; p++) {
        double values[ROLES + 1] = {0}, value = 0;
        for (size_t i = 0; i < r->nfields && status == PSB_OK; i++) {
            for (size_t c = 0; c < r->fields[i].count && status == PSB_OK; c++) {
                if (!psb_scan_next(s)) {
                    status = PSB_SCAN_FAIL(s, "the file ends after %zu of %zu points", p, r->count);
                } else if (psb_scan_word(s, "nan")) {
                    value = NAN;
                } else if (r->fields[i].role == ROLES) {
                    psb_scan_skip_token(s);
                } else if (!psb_scan_number(s, &value)) {
                    status = psb_scan_fail_token(s, "a number");
                }
                values[r->fields[i].role] = value;
            }
        }
        if (status == PSB_OK) {
            add(buffer, values, has_normals(r));
        }
    }
    return status;
}

/* Adds the points of binary data: one after the other, or field after field. */
static psb_status take_binary(reader *r, const char *data, bool by_field, psb_mesh_buffer *buffer) {
    psb_status status = psb_grow_points(r->scan, buffer, r->count);
    for (size_t p = 0; p < r->count && status == PSB_OK; p++) {
        double values[ROLES + 1] = {0};
        for (size_t i = 0; i < r->nfields; i++) {
            const field *f = &r->fields[i];
            size_t at =
                by_field ? f->at * r->count + p * f->size * f->count : p * r->stride + f->at;
            if (f->role < ROLES) {
                values[f->role] = psb_load_real(data + at, f->size == 4 ? PSB_F32 : PSB_F64, false);
            }
        }
        add(buffer, values, has_normals(r));
    }
    return status;
}

/* Unpacks LZF (Lehmann's liblzf): a byte below 32 precedes as many literal bytes and one more,
 * others a distance and length of bytes to be repeated. False unless `size` bytes come out. */
static bool unpack(const unsigned char *from, const unsigned char *end, unsigned char *to,
                   size_t size) {
    size_t made = 0;
    while (from < end) {
        size_t length = *from++;
        if (length < 32) {
            length++;
            if (length > (size_t)(end - from) || length > size - made) {
                return false;
            }
            memcpy(to + made, from, length);
            from += length;
            made += length;
            continue;
        }
        size_t back = (length & 31) << 8;
        length >>= 5;
        if (length == 7 && from < end) {
            length += *from++;
        }
        length += 2;
        if (from == end) {
            return false;
        }
        back += (size_t)*from++ + 1;
        if (back > made || length > size - made) {
            return false;
        }
        for (; length > 0; length--, made++) {
            to[made] = to[made - back];
        }
    }
    return made == size;
}

static psb_status read_packed(reader *r, psb_mesh_buffer *buffer) {
    psb_scan *s = r->scan;
    size_t left = (size_t)(s->end - s->at), size = r->stride * r->count;
    size_t packed = left >= 8 ? (size_t)psb_load_bits(s->at, 4, false) : 0;
    if (left < 8 || packed > left - 8 || psb_load_bits(s->at + 4, 4, false) != size ||
        size / RATIO_MOST > packed) {
        return PSB_SCAN_FAIL(s, "%zu points of %zu bytes are not what follows the header", r->count,
                             r->stride);
    }
    psb_status status = psb_buffer_reserve(&buffer->slots, size, 1, "unpacked points", s->error);
    const unsigned char *from = (const unsigned char *)s->at + 8;
    PSB_THEN_IF(status, !unpack(from, from + packed, buffer->slots.data, size),
                PSB_SCAN_FAIL(s, "the packed points are damaged"));
    return status == PSB_OK ? take_binary(r, buffer->slots.data, true, buffer) : status;
}

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    reader r = {.scan = s};
    psb_status status = read_header(&r);
    if (status != PSB_OK || strcmp(r.data.text, "ascii") == 0) {
        return status == PSB_OK ? read_text(&r, buffer) : status;
    }
    s->begin = NULL; /* binary data have no lines */
    if (strcmp(r.data.text, "binary_compressed") == 0) {
        return read_packed(&r, buffer);
    }
    if (strcmp(r.data.text, "binary") != 0) {
        return PSB_SCAN_FAIL(s, "DATA '%s': want ascii, binary or binary_compressed", r.data.text);
    }
    return r.count > (size_t)(s->end - s->at) / r.stride
               ? PSB_SCAN_FAIL(s, "the file is too short for %zu points", r.count)
               : take_binary(&r, s->at, false, buffer);
}

static psb_likeness looks_like(const char *data, size_t size) {
    psb_scan scan = {.begin = data, .at = data, .end = data + size, .comment = '#'};
    return psb_scan_next(&scan) && psb_scan_word(&scan, "VERSION") ? PSB_SURE : PSB_UNLIKE;
}

const psb_mesh_format psb_format_pcd = {
    .name = "PCD",
    .endings = {"pcd"},
    .points = true,
    .looks_like = looks_like,
    .parse = parse,
};
