/*
 * Stereolithography files, text and binary, told apart by size: a binary file states at byte 80 how
 * many triangles of 50 bytes follow, and many begin with the word `solid` as text does.
 *
 * The file repeats the corners of every triangle; equal corners are welded. Normals follow from the
 * corners and are not read; several solids are one mesh.
 */
#include "core/vector.h"
#include "io/scalar.h"
#include "io/weld.h"

#include <inttypes.h>
#include <math.h>

enum { NAME_BYTES = 80, HEAD_BYTES = 84, NORMAL_BYTES = 12, TRIANGLE_BYTES = 50 };

/* ---- binary ---------------------------------------------------------------------------- */

static uint32_t load_integer(const char *at) {
    return (uint32_t)psb_load_bits(at, sizeof(uint32_t), false);
}

/* Returns the size of a binary file by its own count; 0 if it is too short to have one. */
static uint64_t binary_size(const char *data, size_t size) {
    return size < HEAD_BYTES
               ? 0
               : HEAD_BYTES + (uint64_t)TRIANGLE_BYTES * load_integer(data + NAME_BYTES);
}

/* A triangle while it is loaded: the next one's memory is prefetched while one is welded. */
typedef struct corners {
    double xyz[3][3];
    uint64_t hash[3];
} corners;

static psb_status load_triangle(const psb_scan *s, const psb_weld *weld, size_t number,
                                corners *out) {
    const char *at = s->at + number * TRIANGLE_BYTES + NORMAL_BYTES;
    for (size_t i = 0; i < 9; i++) {
        double value = psb_load_real(at + 4 * i, PSB_F32, false);
        if (!isfinite(value)) {
            return PSB_SCAN_FAIL(s, "triangle %zu has a coordinate %g", number + 1, value);
        }
        out->xyz[i / 3][i % 3] = value;
    }
    for (size_t c = 0; c < 3; c++) {
        out->hash[c] = psb_weld_hash(weld, out->xyz[c]);
    }
    return PSB_OK;
}

static psb_status weld_triangle(const psb_scan *s, psb_weld *weld, const corners *in) {
    psb_mesh *mesh = &weld->buffer->mesh;
    uint32_t *triangle = mesh->triangles + 3 * mesh->ntriangles++;
    psb_status status = PSB_OK;
    for (size_t c = 0; c < 3 && status == PSB_OK; c++) {
        status = psb_weld_find(weld, s, in->xyz[c], in->hash[c], &triangle[c]);
    }
    return status;
}

static psb_status weld_triangles(const psb_scan *s, psb_weld *weld, size_t n) {
    corners pair[2];
    psb_status status = n > 0 ? load_triangle(s, weld, 0, &pair[0]) : PSB_OK;
    for (size_t t = 0; t < n && status == PSB_OK; t++) {
        if (t + 1 < n) {
            status = load_triangle(s, weld, t + 1, &pair[(t + 1) % 2]);
        }
        PSB_THEN(status, weld_triangle(s, weld, &pair[t % 2]));
    }
    return status;
}

static psb_status parse_binary(psb_scan *s, psb_mesh_buffer *buffer) {
    psb_weld weld;
    size_t size = (size_t)(s->end - s->at), n = load_integer(s->at + NAME_BYTES);
    s->begin = NULL;
    if (binary_size(s->at, size) > size) {
        return PSB_SCAN_FAIL(s, "%zu triangles need %" PRIu64 " bytes, but the file has %zu", n,
                             binary_size(s->at, size), size);
    }
    s->at += HEAD_BYTES;
    psb_status status = psb_grow_triangles(s, buffer, n);
    if (status == PSB_OK) {
        /* Closed surfaces have half as many vertices as triangles, surfaces with many seams
         * more. */
        status = psb_weld_start(&weld, s, buffer, n);
    }
    PSB_THEN(status, weld_triangles(s, &weld, n));
    buffer->mesh.npolygons = n;
    return status;
}

/* ---- text ------------------------------------------------------------------------------ */

static psb_status expect(psb_scan *s, const char *word) {
    if (!psb_scan_next(s)) {
        return PSB_SCAN_FAIL(s, "the file ends where '%s' should stand", word);
    }
    return psb_scan_word(s, word)
               ? PSB_OK
               : PSB_SCAN_FAIL(s, "'%s' where '%s' should stand", psb_scan_quote(s).text, word);
}

/* Moves past `endloop` and the like, which some programs write as two words. */
static bool take_end(psb_scan *s, const char *of) {
    psb_scan start = *s;
    bool parts = psb_scan_word(s, "end") && psb_scan_next_on_line(s);
    if (!parts && (psb_scan_take(s, "end") || psb_scan_take(s, "END") || psb_scan_take(s, "End"))) {
        parts = true;
    }
    if (parts && psb_scan_word(s, of)) {
        return true;
    }
    *s = start;
    return false;
}

/* Skips what follows `facet`: "normal", three numbers (some programs write nan), "outer loop". */
static psb_status skip_normal(psb_scan *s) {
    enum { NORMAL_WORDS = 4 };
    for (int i = 0; i < NORMAL_WORDS && psb_scan_next(s); i++) {
        if (psb_scan_word(s, "outer")) {
            return expect(s, "loop");
        }
        psb_scan_skip_token(s);
    }
    psb_status status = expect(s, "outer");
    return status == PSB_OK ? expect(s, "loop") : status;
}

/* Reads a facet, which is a triangle; some programs write polygons. */
static psb_status read_facet(psb_scan *s, psb_mesh_buffer *buffer, psb_weld *weld) {
    psb_fan fan = {0};
    psb_status status = skip_normal(s);
    while (status == PSB_OK && !(psb_scan_next(s) && take_end(s, "loop"))) {
        double xyz[3];
        uint32_t index = 0;
        status = expect(s, "vertex");
        PSB_THEN(status, psb_read_coordinates(s, false, xyz));
        PSB_THEN(status, psb_weld_find(weld, s, xyz, psb_weld_hash(weld, xyz), &index));
        PSB_THEN(status, psb_fan_add(&fan, index, s, buffer));
    }
    buffer->mesh.npolygons++;
    return status == PSB_OK && !(psb_scan_next(s) && take_end(s, "facet")) ? expect(s, "endfacet")
                                                                           : status;
}

static psb_status parse_text(psb_scan *s, psb_mesh_buffer *buffer, psb_weld *weld) {
    psb_status status = PSB_OK;
    psb_scan first = *s;
    /* A file without its first line is one as a whole. */
    bool open = psb_scan_next(&first) && psb_scan_word(&first, "facet");
    while (status == PSB_OK && psb_scan_next(s)) {
        if (open && psb_scan_word(s, "facet")) {
            status = read_facet(s, buffer, weld);
        } else if (open ? take_end(s, "solid") : psb_scan_word(s, "solid")) {
            open = !open;
            psb_scan_skip_line(s); /* the solid's name */
        } else {
            status = expect(s, open ? "facet" : "solid");
        }
    }
    /* Some programs omit the last `endsolid`. */
    bool missing = open && buffer->mesh.npolygons == 0;
    return status == PSB_OK && missing ? expect(s, "endsolid") : status;
}

/* ---- the format ------------------------------------------------------------------------ */

static const char comment = '#'; /* some programs write comments, which no standard knows */

static bool begins_as_text(const char *data, size_t size) {
    psb_scan scan = {.begin = data, .at = data, .end = data + size, .comment = comment};
    psb_scan_take(&scan, "\xef\xbb\xbf");
    return psb_scan_next(&scan) && (psb_scan_word(&scan, "solid") || psb_scan_word(&scan, "facet"));
}

static psb_likeness looks_like(const char *data, size_t size) {
    bool sure = size >= HEAD_BYTES && binary_size(data, size) == size;
    return sure || begins_as_text(data, size) ? PSB_SURE : PSB_UNLIKE;
}

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    size_t size = (size_t)(s->end - s->at);
    psb_weld weld;
    if (binary_size(s->at, size) != size && begins_as_text(s->at, size)) {
        psb_status status = psb_weld_start(&weld, s, buffer, 0);
        s->comment = comment;
        psb_scan_take(s, "\xef\xbb\xbf");
        return status == PSB_OK ? parse_text(s, buffer, &weld) : status;
    }
    if (size < HEAD_BYTES) {
        return PSB_SCAN_FAIL(
            s, "not an STL file: neither 'solid' nor the %d bytes that a binary one begins with",
            HEAD_BYTES);
    }
    return parse_binary(s, buffer);
}

/* Computes the unit normal, or zeros for a triangle without area, as is usual. */
static void normal_of(const double *const corner[3], double normal[3]) {
    double length = 0;
    psb_normal(corner[0], corner[1], corner[2], normal);
    for (int k = 0; k < 3; k++) {
        length = hypot(length, normal[k]);
    }
    for (int k = 0; k < 3; k++) {
        normal[k] = length > 0 && isfinite(length) ? normal[k] / length : 0;
    }
}

static void write_binary_triangle(FILE *stream, const double normal[3],
                                  const double *const corner[3]) {
    for (int k = 0; k < 3; k++) {
        psb_store_real(stream, normal[k], true, false);
    }
    for (int i = 0; i < 9; i++) {
        psb_store_real(stream, corner[i / 3][i % 3], true, false);
    }
    fwrite("\0", 1, 2, stream); /* empty attributes */
}

static void write_text_triangle(FILE *stream, const double normal[3], const double *const corner[3],
                                bool single) {
    fprintf(stream, "facet normal %.6g %.6g %.6g\n outer loop\n", normal[0], normal[1], normal[2]);
    for (int c = 0; c < 3; c++) {
        fputs("  vertex", stream);
        psb_write_coordinates(stream, corner[c], single);
    }
    fputs(" endloop\nendfacet\n", stream);
}

static void write(FILE *stream, const psb_mesh *mesh, psb_encoding encoding, bool single) {
    if (encoding == PSB_TEXT) {
        fputs("solid psbench\n", stream);
    } else {
        fprintf(stream, "%-*s", NAME_BYTES, "binary STL, written by psbench");
        psb_store_bits(stream, mesh->ntriangles, sizeof(uint32_t), false);
    }
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *index = mesh->triangles + 3 * t;
        const double *const corner[3] = {mesh->vertices + 3 * (size_t)index[0],
                                         mesh->vertices + 3 * (size_t)index[1],
                                         mesh->vertices + 3 * (size_t)index[2]};
        double normal[3];
        normal_of(corner, normal);
        if (encoding == PSB_TEXT) {
            write_text_triangle(stream, normal, corner, single);
        } else {
            write_binary_triangle(stream, normal, corner);
        }
    }
    if (encoding == PSB_TEXT) {
        fputs("endsolid psbench\n", stream);
    }
}

const psb_mesh_format psb_format_stl = {
    .name = "STL",
    .endings = {"stl"},
    .looks_like = looks_like,
    .parse = parse,
    .write = write,
    .encodings = {PSB_BINARY_LITTLE, PSB_TEXT},
    .nencodings = 2,
};
