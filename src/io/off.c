/*
 * Object File Format, read in one pass over the file's bytes.
 *
 * The format (Geomview's manual, "OFF Files") is a stream of numbers. Line breaks matter only at
 * the end of a color of unknown length: after a face's indices, and after a vertex of the kinds
 * with a C. Deviations of files on the web are allowed if they are unambiguous: no keyword, no edge
 * count, counts glued to the keyword ("OFF490 518 0"), any line end, colors or normals after the
 * coordinates that the keyword does not announce.
 */
#include "io/off.h"

#include "io/format.h"

#include <inttypes.h>
#include <math.h>

/* Shortest possible texts: "0 0 0\n" for a vertex, "0\n" for a face, " 0" for an index. */
enum { VERTEX_BYTES = 6, FACE_BYTES = 2, INDEX_BYTES = 2 };

enum { COLOUR_MOST = 4 };

/* The numbers that follow each vertex's coordinates, according to the keyword. */
typedef struct vertex_kind {
    bool colour;      /* 3 or 4 numbers, up to the end of the line */
    bool homogeneous; /* a fourth coordinate, by which the others are divided */
    int others;       /* how many numbers of normals and texture coordinates */
} vertex_kind;

typedef struct counts {
    size_t vertices, faces;
} counts;

/* ---- header ---------------------------------------------------------------------------- */

/* Reads [ST][C][N][4]OFF, or nothing if the file starts with its counts. */
static psb_status read_keyword(psb_scan *r, vertex_kind *kind) {
    psb_scan_take(r, "\xef\xbb\xbf"); /* some editors put a byte order mark before UTF-8 */
    if (!psb_scan_next(r)) {
        return PSB_SCAN_FAIL(r, "not an OFF file: nothing but space");
    }
    const char *start = r->at;
    bool texture = psb_scan_take(r, "ST");
    kind->colour = psb_scan_take(r, "C");
    bool normal = psb_scan_take(r, "N");
    kind->others = (normal ? 3 : 0) + (texture ? 2 : 0);
    kind->homogeneous = psb_scan_take(r, "4");
    bool any_dimension = psb_scan_take(r, "n");
    if (psb_scan_take(r, "OFF") && (psb_scan_at_separator(r) || (*r->at >= '0' && *r->at <= '9'))) {
        if (any_dimension) {
            return PSB_SCAN_FAIL(r, "OFF with any number of dimensions (nOFF) is not supported");
        }
        if (psb_scan_next_on_line(r) && psb_scan_take(r, "BINARY")) {
            return PSB_SCAN_FAIL(r, "binary OFF is not supported");
        }
        return PSB_OK;
    }
    r->at = start;
    *kind = (vertex_kind){0};
    psb_scan count = *r;
    int64_t ignored;
    if (!psb_scan_integer(&count, &ignored)) {
        return PSB_SCAN_FAIL(r, "not an OFF file: it starts with '%s'", psb_scan_quote(r).text);
    }
    return PSB_OK;
}

/* Reads a positive count of things of `bytes` or more each; `most` is the caller's limit, 0 for
 * none. */
static psb_status read_count(psb_scan *r, const char *things, size_t bytes, size_t most,
                             size_t *count) {
    if (!psb_scan_next(r)) {
        return PSB_SCAN_FAIL(r, "the file ends before its number of %s", things);
    }
    int64_t value;
    psb_scan token = *r;
    if (!psb_scan_integer(&token, &value)) {
        return PSB_SCAN_FAIL(r, "'%s' is not a number of %s", psb_scan_quote(r).text, things);
    }
    if (value <= 0) {
        return value < 0 ? PSB_SCAN_FAIL(r, "the number of %s is %" PRId64, things, value)
                         : PSB_SCAN_FAIL(r, "an empty mesh: the file has no %s", things);
    }
    /* The last line needs no line break, hence one byte more. */
    size_t left = (size_t)(token.end - token.at) + 1;
    if ((uint64_t)value > left / bytes) {
        return PSB_SCAN_FAIL(r,
                             "%" PRId64 " %s need %zu bytes or more each, but %zu bytes are left",
                             value, things, bytes, left - 1);
    }
    if (value > UINT32_MAX) {
        return PSB_SCAN_FAIL(r, "%" PRId64 " %s, but at most %" PRIu32 " are supported", value,
                             things, UINT32_MAX);
    }
    if (most > 0 && (uint64_t)value > most) {
        return PSB_SCAN_FAIL(r, "%" PRId64 " %s, but at most %zu are allowed", value, things, most);
    }
    *count = (size_t)value;
    r->at = token.at;
    return PSB_OK;
}

/* Skips the number of edges: the next token on the counts' line, or alone on the next line. Many
 * files have a wrong one, and nothing needs it; without it, the vertices follow. */
static psb_status skip_edge_count(psb_scan *r) {
    double ignored;
    if (psb_scan_next_on_line(r)) {
        return psb_scan_number(r, &ignored) ? PSB_OK : psb_scan_fail_token(r, "a number of edges");
    }
    psb_scan below = *r;
    if (psb_scan_next(&below) && psb_scan_number(&below, &ignored) &&
        !psb_scan_next_on_line(&below)) {
        *r = below;
    }
    return PSB_OK;
}

static psb_status read_header(psb_scan *r, size_t max_faces, vertex_kind *kind, counts *n) {
    psb_status status = read_keyword(r, kind);
    PSB_THEN(status, read_count(r, "vertices", VERTEX_BYTES, PSB_MESH_VERTICES_PER_FACE * max_faces,
                                &n->vertices));
    PSB_THEN(status, read_count(r, "faces", FACE_BYTES, max_faces, &n->faces));
    PSB_THEN(status, skip_edge_count(r));
    /* Each count was checked against the file's size, so that this sum cannot overflow. */
    size_t left = (size_t)(r->end - r->at) + 1;
    if (status == PSB_OK && VERTEX_BYTES * n->vertices + FACE_BYTES * n->faces > left) {
        status =
            PSB_SCAN_FAIL(r, "%zu vertices and %zu faces do not fit in the %zu bytes that are left",
                          n->vertices, n->faces, left - 1);
    }
    return status;
}

/* ---- body ------------------------------------------------------------------------------ */

/* Reports "the file ends after 5 of 8 vertices", where `what` is "vertices". */
static psb_status fail_truncated(const psb_scan *r, size_t done, size_t all, const char *what) {
    return PSB_SCAN_FAIL(r, "the file ends after %zu of %zu %s", done, all, what);
}

/* Moves past a number that is not used, and so may be none. */
static bool take_unused(psb_scan *r) {
    static const char *const words[] = {"nan",       "-nan", "+nan", "nan(ind)",
                                        "-nan(ind)", "inf",  "-inf", "+inf"};
    double ignored;
    bool known = psb_scan_number(r, &ignored);
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !known; i++) {
        known = psb_scan_word(r, words[i]);
    }
    return known;
}

/* Skips `least` ... `most` numbers up to the end of the line. */
static psb_status skip_numbers(psb_scan *r, int least, int most, const char *after) {
    int n = 0;
    for (; psb_scan_next_on_line(r); n++) {
        if (!take_unused(r)) {
            return psb_scan_fail_token(r, "a number");
        }
        if (n == most) {
            return PSB_SCAN_FAIL(r, "more than %d numbers after %s", most, after);
        }
    }
    if (n < least) {
        return PSB_SCAN_FAIL(r, "%d numbers after %s, expected %d to %d", n, after, least, most);
    }
    return PSB_OK;
}

/* Divides homogeneous coordinates by the fourth. */
static psb_status divide(const psb_scan *r, double xyz[3], double w) {
    if (w == 0) {
        return PSB_SCAN_FAIL(r, "a vertex at infinity: its fourth coordinate is 0");
    }
    for (int k = 0; k < 3; k++) {
        double quotient = xyz[k] / w;
        if (!isfinite(quotient)) {
            return PSB_SCAN_FAIL(r, "the coordinate %g / %g is not finite", xyz[k], w);
        }
        xyz[k] = quotient;
    }
    return PSB_OK;
}

static psb_status read_vertex(psb_scan *r, const vertex_kind *kind, size_t done, size_t all,
                              double xyz[3]) {
    double w = 1;
    for (int k = 0; k < (kind->homogeneous ? 4 : 3); k++) {
        if (!psb_scan_next(r)) {
            return fail_truncated(r, done, all, "vertices");
        }
        const char *start = r->at;
        double *value = k < 3 ? &xyz[k] : &w;
        if (!psb_scan_number(r, value) || !isfinite(*value)) {
            r->at = start;
            return psb_scan_fail_token(r, "a finite coordinate");
        }
        if (k == 0) {
            k += psb_scan_usual_numbers(r, 2, xyz + 1);
        }
    }
    if (kind->homogeneous && divide(r, xyz, w) != PSB_OK) {
        return PSB_ERROR_INPUT;
    }
    if (kind->colour) {
        return skip_numbers(r, kind->others + 3, kind->others + 4, "a vertex's coordinates");
    }
    for (int k = 0; k < kind->others; k++) {
        if (!psb_scan_next(r)) {
            return fail_truncated(r, done, all, "vertices");
        }
        if (!take_unused(r)) {
            return psb_scan_fail_token(r, "a number");
        }
    }
    return PSB_OK;
}

static psb_status read_vertices(psb_scan *r, const vertex_kind *kind, size_t n, double *vertices) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        status = read_vertex(r, kind, i, n, vertices + 3 * i);
    }
    return status;
}

/* Returns the scan at an earlier place, for messages. Hot functions keep only the place: copying
 * the whole psb_scan would stall on the place written just before. */
static psb_scan back_at(const psb_scan *r, const char *place) {
    psb_scan back = *r;
    back.at = place;
    return back;
}

/* Reads a face's number of corners, and makes room for the fan of triangles. */
static psb_status read_corners(psb_scan *r, psb_mesh_buffer *buffer, size_t *corners) {
    const char *start = r->at;
    int64_t value;
    if (!psb_scan_integer(r, &value)) {
        return psb_scan_fail_token(r, "a face's number of corners");
    }
    if (value < 0) {
        const psb_scan token = back_at(r, start);
        return PSB_SCAN_FAIL(&token, "a face has %" PRId64 " corners", value);
    }
    size_t left = (size_t)(r->end - r->at);
    if ((uint64_t)value > left / INDEX_BYTES) {
        const psb_scan token = back_at(r, start);
        return PSB_SCAN_FAIL(&token, "a face has %" PRId64 " corners, but only %zu bytes are left",
                             value, left);
    }
    *corners = (size_t)value;
    return value < 3 ? PSB_OK
                     : psb_grow_triangles(r, buffer, buffer->mesh.ntriangles + *corners - 2);
}

static psb_status read_index(psb_scan *r, int64_t *value) {
    return psb_scan_integer(r, value) ? PSB_OK : psb_scan_fail_token(r, "a vertex's index");
}

/* Turns a polygon into a fan around its first corner; one with fewer than three corners becomes
 * nothing. */
static psb_status read_face(psb_scan *r, psb_mesh_buffer *buffer, const counts *n, size_t done) {
    if (!psb_scan_next(r)) {
        return fail_truncated(r, done, n->faces, "faces");
    }
    psb_mesh *mesh = &buffer->mesh;
    size_t corners = 0;
    psb_status status = read_corners(r, buffer, &corners);
    uint32_t first = 0, previous = 0;
    const char *at = r->at;
    for (size_t i = 0; i < corners && status == PSB_OK; i++) {
        int64_t value = 0;
        const char *start = at;
        if (!psb_scan_usual_integer(r, &at, &value)) {
            r->at = at;
            if (!psb_scan_next(r)) {
                return fail_truncated(r, done, n->faces, "faces");
            }
            int64_t any = 0; /* the address of `value` would keep it from a register */
            start = r->at;
            status = read_index(r, &any);
            value = any;
            at = r->at;
        }
        r->at = at;
        if (status == PSB_OK && (value < 0 || (uint64_t)value >= n->vertices)) {
            const psb_scan token = back_at(r, start);
            return PSB_SCAN_FAIL(&token, "face index %" PRId64 ", but the file has %zu vertices",
                                 value, n->vertices);
        }
        uint32_t index = (uint32_t)value;
        if (i == 0) {
            first = index;
        } else if (i > 1) {
            uint32_t *triangle = mesh->triangles + 3 * mesh->ntriangles++;
            triangle[0] = first;
            triangle[1] = previous;
            triangle[2] = index;
        }
        previous = index;
    }
    PSB_THEN_IF(status, corners > 3, psb_fan_note(r, buffer, corners));
    return PSB_THEN_IF(status, r->at == r->end || !psb_is_break(*r->at),
                       skip_numbers(r, 0, COLOUR_MOST, "a face's indices"));
}

static psb_status read_faces(psb_scan *r, psb_mesh_buffer *buffer, const counts *n) {
    buffer->mesh.ntriangles = buffer->nfans = 0;
    psb_status status = psb_grow_triangles(r, buffer, n->faces);
    for (size_t i = 0; i < n->faces && status == PSB_OK; i++) {
        status = read_face(r, buffer, n, i);
    }
    if (status == PSB_OK && buffer->mesh.ntriangles == 0) {
        status =
            PSB_SCAN_FAIL(r, "an empty mesh: none of its %zu faces has three corners", n->faces);
    }
    return status;
}

static psb_status read_body(psb_scan *r, const vertex_kind *kind, const counts *n,
                            psb_mesh_buffer *buffer) {
    psb_status status = read_vertices(r, kind, n->vertices, buffer->mesh.vertices);
    return status == PSB_OK ? read_faces(r, buffer, n) : status;
}

/* Counts the numbers on the next line that has any, up to MOST_NUMBERS, and moves past them; -1 if
 * another word is among them. */
enum { MOST_NUMBERS = 16 };
static int count_numbers(psb_scan *r) {
    int n = 0;
    for (bool more = psb_scan_next(r); more && n < MOST_NUMBERS; more = psb_scan_next_on_line(r)) {
        if (!take_unused(r)) {
            return -1;
        }
        n++;
    }
    return n;
}

/* Moves to the first of n lines that has more or fewer than `numbers` numbers; false if none
 * has. */
static bool find_other_line(psb_scan *r, size_t n, int numbers) {
    for (size_t i = 0; i < n; i++) {
        psb_scan line = *r;
        if (count_numbers(&line) != numbers) {
            psb_scan_next(r);
            return true;
        }
        *r = line;
    }
    return false;
}

/*
 * Reads the body of a file whose keyword announces coordinates only. If all vertices' lines have as
 * many numbers as with colors, normals or both, and the faces then fit, reads them so. Otherwise
 * line breaks do not matter. But if then a line has other than three numbers, nothing may follow
 * the last face: it would be the rest of vertices whose numbers were taken for faces.
 */
static psb_status read_plain_body(psb_scan *r, const counts *n, psb_mesh_buffer *buffer) {
    psb_error second;
    psb_scan again = *r, line = *r;
    int numbers = count_numbers(&line);
    line = *r;
    bool alike = numbers > 3 && !find_other_line(&line, n->vertices, numbers);
    bool known = alike && (numbers == 6 || numbers == 7 || numbers == 9 || numbers == 10);
    line = *r;
    if (known) {
        vertex_kind more = {.others = numbers - 3};
        psb_status status = read_body(r, &more, n, buffer);
        if (status != PSB_ERROR_INPUT) {
            return status;
        }
    }
    vertex_kind plain = {0};
    again.error = &second;
    psb_status status = read_vertices(&again, &plain, n->vertices, buffer->mesh.vertices);
    bool doubtful = status == PSB_OK;
    if (status == PSB_OK) {
        status = read_faces(&again, buffer, n);
        doubtful = status == PSB_ERROR_INPUT ? alike || numbers == 3
                                             : status == PSB_OK && psb_scan_next(&again);
    }
    if (known && (doubtful || status == PSB_ERROR_INPUT)) {
        return PSB_ERROR_INPUT; /* `error` is that of the first reading */
    }
    if (doubtful && find_other_line(&line, n->vertices, 3)) {
        return PSB_SCAN_FAIL(&line,
                             "other than 3 numbers on a vertex's line, and the faces do not fit");
    }
    if (status != PSB_OK && r->error != NULL) {
        *r->error = second;
    }
    return status;
}

psb_status psb_off_parse(const char *path, const char *data, size_t size, psb_mesh_buffer *buffer,
                         psb_error *error) {
    psb_mesh *mesh = &buffer->mesh;
    mesh->nvertices = mesh->ntriangles = mesh->npolygons = 0;
    if (size == 0) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not an OFF file: it is empty");
    }
    psb_scan r = {path, data, data, data + size, .comment = '#', .error = error};
    vertex_kind kind = {0};
    counts n = {0};
    psb_status status = read_header(&r, buffer->max_faces, &kind, &n);
    PSB_THEN(status, psb_room_for_vertices(&r, buffer, n.vertices));
    if (status == PSB_OK && kind.colour) {
        /* Some programs write the C for colors of faces alone. */
        psb_scan line = r;
        kind.colour = count_numbers(&line) != 3 + (kind.homogeneous ? 1 : 0) + kind.others;
    }
    if (status == PSB_OK) {
        bool plain = !kind.colour && !kind.homogeneous && kind.others == 0;
        status = plain ? read_plain_body(&r, &n, buffer) : read_body(&r, &kind, &n, buffer);
    }
    if (status == PSB_OK) {
        mesh->nvertices = n.vertices;
        mesh->npolygons = n.faces;
    } else {
        mesh->ntriangles = 0;
    }
    return status;
}

/* ---- the format ------------------------------------------------------------------------ */

static psb_likeness looks_like(const char *data, size_t size) {
    psb_scan r = {"", data, data, data + size, .comment = '#'};
    psb_scan_take(&r, "\xef\xbb\xbf");
    psb_scan_next(&r);
    const char *start = r.at;
    vertex_kind kind;
    if (read_keyword(&r, &kind) != PSB_OK) {
        return PSB_UNLIKE;
    }
    return r.at == start ? PSB_POSSIBLE : PSB_SURE;
}

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    return psb_off_parse(s->path, s->begin, (size_t)(s->end - s->begin), buffer, s->error);
}

static void write(FILE *stream, const psb_mesh *mesh, psb_encoding encoding PSB_UNUSED,
                  bool single) {
    fprintf(stream, "OFF\n%zu %zu 0\n", mesh->nvertices, mesh->ntriangles);
    for (size_t i = 0; i < 3 * mesh->nvertices; i++) {
        psb_write_number(stream, mesh->vertices[i], single);
        fputc(i % 3 == 2 ? '\n' : ' ', stream);
    }
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        fprintf(stream, "3 %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", corner[0], corner[1], corner[2]);
    }
}

const psb_mesh_format psb_format_off = {
    .name = "OFF",
    .endings = {"off"},
    .looks_like = looks_like,
    .parse = parse,
    .write = write,
    .encodings = {PSB_TEXT},
    .nencodings = 1,
};
