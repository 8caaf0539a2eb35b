/*
 * Wavefront OBJ: reads the `v` and `f` lines and skips everything else (normals, textures,
 * materials, groups, curves), so that several objects are one mesh.
 *
 * The format is described in appendix B1 of Wavefront's Advanced Visualizer manual. Indices count
 * from 1, or, if negative, backwards from the last vertex. A vertex's fourth number is a weight for
 * curves, or the first of a color: it and the rest of the line are skipped.
 */
#include "core/memory.h"
#include "io/format.h"

#include <inttypes.h>

typedef struct reader {
    psb_scan *scan;
    psb_mesh_buffer *buffer;
    size_t largest;      /* largest index in faces that stand above the vertex */
    psb_scan largest_at; /* where the file has that index */
} reader;

/* Checks the first word; `v`, `vn` and `vt` must precede a number. */
static psb_likeness looks_like(const char *data, size_t size) {
    static const char *const with_numbers[] = {"v", "vn", "vt"};
    static const char *const own[] = {"mtllib", "usemtl"};
    static const char *const others[] = {"o", "g", "s", "f", "vp"};
    psb_scan scan = {.begin = data, .at = data, .end = data + size, .comment = '#'};
    psb_scan_take(&scan, "\xef\xbb\xbf");
    psb_scan_next(&scan);
    for (size_t i = 0; i < sizeof with_numbers / sizeof with_numbers[0]; i++) {
        double ignored;
        if (psb_scan_word(&scan, with_numbers[i])) {
            return psb_scan_next_on_line(&scan) && psb_scan_number(&scan, &ignored) ? PSB_SURE
                                                                                    : PSB_UNLIKE;
        }
    }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (psb_scan_word(&scan, own[i])) {
            return PSB_SURE;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (psb_scan_word(&scan, others[i])) {
            return PSB_POSSIBLE;
        }
    }
    return PSB_UNLIKE;
}

static psb_status read_vertex(reader *r) {
    psb_mesh *mesh = &r->buffer->mesh;
    psb_status status = psb_grow_vertices(r->scan, r->buffer, mesh->nvertices + 1);
    PSB_THEN(status, psb_read_coordinates(r->scan, true, mesh->vertices + 3 * mesh->nvertices));
    mesh->nvertices++;
    return status;
}

/* Skips "/5", "/5/7" or "//7" after a vertex's index. */
static bool skip_others(psb_scan *s) {
    int64_t ignored;
    for (int k = 0; k < 2 && s->at < s->end && *s->at == '/'; k++) {
        s->at++;
        if (s->at < s->end && *s->at != '/') {
            psb_scan_int64(&s->at, s->end, &ignored);
        }
    }
    return psb_scan_at_separator(s);
}

/* Reports what is wrong with the index `value`, which begins at the scan's position. */
static psb_status fail_index(const psb_scan *token, int64_t value, size_t nvertices) {
    if (value == 0) {
        return PSB_SCAN_FAIL(token, "face index 0, but vertices count from 1");
    }
    if (value < 0) {
        return PSB_SCAN_FAIL(token, "face index %" PRId64 ", but %zu vertices stand above", value,
                             nvertices);
    }
    return PSB_SCAN_FAIL(token, "face index %" PRId64 ", but at most %" PRIu32 " are supported",
                         value, UINT32_MAX);
}

/* Turns the corner's number in the file, which stands at `start`, into an index from 0. */
static psb_status find_index(reader *r, const char *start, int64_t value, uint32_t *index) {
    const size_t n = r->buffer->mesh.nvertices;
    const uint64_t back = 0 - (uint64_t)value; /* distance backwards if value < 0 */
    psb_scan *s = r->scan;
    if (value == 0 || (value < 0 && back > n) || value > UINT32_MAX) {
        psb_scan token = *s;
        token.at = start;
        return fail_index(&token, value, n);
    }
    size_t found = value > 0 ? (size_t)value - 1 : n - (size_t)back;
    if (found >= n && found >= r->largest) {
        r->largest = found;
        r->largest_at = *s;
        r->largest_at.at = start;
    }
    *index = (uint32_t)found;
    return PSB_OK;
}

/* Reads a corner's number, with or without those of texture and normal. */
static psb_status read_corner(psb_scan *s, int64_t *value) {
    const char *start = s->at; /* copying the scan would stall */
    if (psb_scan_int64(&s->at, s->end, value) && skip_others(s)) {
        return PSB_OK;
    }
    psb_scan token = *s;
    token.at = start;
    return psb_scan_fail_token(&token, "a face's corner");
}

static psb_status read_face(reader *r) {
    psb_mesh *mesh = &r->buffer->mesh;
    psb_scan *s = r->scan;
    psb_fan fan = {0};
    psb_status status = PSB_OK;
    for (const char *at = s->at; status == PSB_OK; s->at = at) {
        uint32_t index = 0;
        int64_t value = 0;
        const char *start = at;
        if (!psb_scan_usual_integer(s, &at, &value)) {
            if (!psb_scan_next_on_line(s)) {
                break;
            }
            int64_t any = 0; /* the address of `value` would keep it from a register */
            start = s->at;
            status = read_corner(s, &any);
            value = any;
            at = s->at;
        }
        PSB_THEN(status, find_index(r, start, value, &index));
        PSB_THEN(status, psb_fan_add(&fan, index, s, r->buffer));
    }
    mesh->npolygons++;
    return status;
}

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    s->comment = '#';
    s->continued = true;
    psb_scan_take(s, "\xef\xbb\xbf");
    reader r = {.scan = s, .buffer = buffer};
    psb_status status = PSB_OK;
    while (status == PSB_OK && psb_scan_next(s)) {
        if (psb_scan_word(s, "v")) {
            status = read_vertex(&r);
        } else if (psb_scan_word(s, "f") || psb_scan_word(s, "fo")) { /* version 2: `fo` */
            status = read_face(&r);
        }
        if (status == PSB_OK) {
            psb_scan_skip_line(s);
        }
    }
    size_t n = buffer->mesh.nvertices;
    return PSB_THEN_IF(status, r.largest_at.path != NULL && r.largest >= n,
                       PSB_SCAN_FAIL(&r.largest_at, "face index %zu, but the file has %zu vertices",
                                     r.largest + 1, n));
}

static void write(FILE *stream, const psb_mesh *mesh, psb_encoding encoding PSB_UNUSED,
                  bool single) {
    for (size_t i = 0; i < mesh->nvertices; i++) {
        fputc('v', stream);
        psb_write_coordinates(stream, mesh->vertices + 3 * i, single);
    }
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        fprintf(stream, "f %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", (uint64_t)corner[0] + 1,
                (uint64_t)corner[1] + 1, (uint64_t)corner[2] + 1);
    }
}

const psb_mesh_format psb_format_obj = {
    .name = "OBJ",
    .endings = {"obj"},
    .looks_like = looks_like,
    .parse = parse,
    .write = write,
    .encodings = {PSB_TEXT},
    .nencodings = 1,
};
