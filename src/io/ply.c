/*
 * The Stanford polygon format, text and binary in both byte orders: a header names the elements
 * that follow, in their order.
 *
 * Reads the properties x, y and z of `vertex` and the list vertex_indices (or vertex_index) of
 * `face`, or of `tristrips`, whatever their types and positions; skips all others. A strip's
 * triangles share two corners with the one before, and turn the other way; an index below 0 ends it
 * (the form of Stanford's scans). Coordinates in text keep all their
 * digits, even if their type is float.
 */
#include "core/memory.h"
#include "io/format.h"
#include "io/scalar.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_ELEMENTS = 32, MOST_PROPERTIES = 256 };

static const struct {
    const char *name, *other;
} types[PSB_SCALARS] = {
    [PSB_I8] = {"char", "int8"},      [PSB_U8] = {"uchar", "uint8"},
    [PSB_I16] = {"short", "int16"},   [PSB_U16] = {"ushort", "uint16"},
    [PSB_I32] = {"int", "int32"},     [PSB_U32] = {"uint", "uint32"},
    [PSB_F32] = {"float", "float32"}, [PSB_F64] = {"double", "float64"},
};

/* What a property means; X to NZ are indices of coordinates and, in a cloud, of normals. */
typedef enum role { X, Y, Z, NX, NY, NZ, CORNERS, NOTHING } role;

typedef struct property {
    psb_scalar type, count; /* count: type of a list's length */
    bool list;
    role role;
} property;

typedef enum element_kind { VERTEX, FACE, STRIPS, OTHER } element_kind;

typedef struct element {
    element_kind kind;
    psb_quote name; /* for messages */
    size_t count;
    size_t first, nproperties; /* a range of reader.properties */
    size_t bytes;              /* size of one element, or its minimum if it has lists */
    bool lists;
    bool has[NOTHING];
} element;

typedef struct reader {
    psb_scan *scan;
    psb_mesh_buffer *buffer;
    psb_encoding encoding;
    element elements[MOST_ELEMENTS];
    size_t nelements;
    property properties[MOST_PROPERTIES];
    size_t nproperties;
    size_t nvertices; /* from the header */
} reader;

/* ---- header ---------------------------------------------------------------------------- */

/* Moves to the next word of this header line; the error says that `what` is missing. */
static psb_status next_word(reader *r, const char *what) {
    return psb_scan_next_on_line(r->scan) ? PSB_OK
                                          : PSB_SCAN_FAIL(r->scan, "the line ends before %s", what);
}

static psb_status read_encoding(reader *r) {
    psb_status status = next_word(r, "the encoding");
    if (status != PSB_OK) {
        return status;
    }
    if (psb_scan_word(r->scan, "ascii")) {
        r->encoding = PSB_TEXT;
    } else if (psb_scan_word(r->scan, "binary_little_endian")) {
        r->encoding = PSB_BINARY_LITTLE;
    } else if (psb_scan_word(r->scan, "binary_big_endian")) {
        r->encoding = PSB_BINARY_BIG;
    } else {
        return psb_scan_fail_token(r->scan, "ascii, binary_little_endian or binary_big_endian");
    }
    status = next_word(r, "the version");
    return status == PSB_OK && !psb_scan_word(r->scan, "1.0")
               ? psb_scan_fail_token(r->scan, "the version 1.0")
               : status;
}

static psb_status read_element(reader *r) {
    psb_scan *s = r->scan;
    psb_status status = next_word(r, "the element's name");
    if (status != PSB_OK) {
        return status;
    }
    if (r->nelements == MOST_ELEMENTS) {
        return PSB_SCAN_FAIL(s, "more than %d elements", MOST_ELEMENTS);
    }
    element *e = &r->elements[r->nelements++];
    *e = (element){.kind = OTHER, .first = r->nproperties};
    e->name = psb_scan_quote(s);
    psb_scan name = *s;
    if (psb_scan_word(s, "vertex")) {
        e->kind = VERTEX;
    } else if (psb_scan_word(s, "face")) {
        e->kind = FACE;
    } else if (psb_scan_word(s, "tristrips")) {
        e->kind = STRIPS;
    } else {
        psb_scan_skip_token(s);
    }
    for (size_t i = 0; i + 1 < r->nelements && e->kind != OTHER; i++) {
        if (r->elements[i].kind == e->kind) {
            return PSB_SCAN_FAIL(&name, "a second element '%s'", e->name.text);
        }
    }
    int64_t count;
    status = next_word(r, "the number of elements");
    psb_scan token = *s;
    PSB_THEN_IF(status, !psb_scan_integer(s, &count) || count < 0,
                psb_scan_fail_token(&token, "a number of elements"));
    e->count = status == PSB_OK ? (size_t)count : 0;
    return status;
}

static psb_status read_type(reader *r, psb_scalar *out) {
    psb_status status = next_word(r, "a property's type");
    for (int t = 0; t < PSB_SCALARS && status == PSB_OK; t++) {
        if (psb_scan_word(r->scan, types[t].name) || psb_scan_word(r->scan, types[t].other)) {
            *out = (psb_scalar)t;
            return PSB_OK;
        }
    }
    return status == PSB_OK ? psb_scan_fail_token(r->scan, "a type of numbers") : status;
}

static role role_of(psb_scan *name, element_kind kind, bool list, bool normals) {
    static const char *const coordinates[] = {
        [X] = "x", [Y] = "y", [Z] = "z", [NX] = "nx", [NY] = "ny", [NZ] = "nz"};
    for (role c = X; c <= (normals ? NZ : Z) && kind == VERTEX && !list; c++) {
        if (psb_scan_word(name, coordinates[c])) {
            return c;
        }
    }
    bool corners = (kind == FACE || kind == STRIPS) && list &&
                   (psb_scan_word(name, "vertex_indices") || psb_scan_word(name, "vertex_index"));
    return corners ? CORNERS : NOTHING;
}

static psb_status read_property(reader *r) {
    psb_scan *s = r->scan;
    property p = {.list = false};
    if (r->nelements == 0 || r->nproperties == MOST_PROPERTIES) {
        return r->nelements == 0 ? PSB_SCAN_FAIL(s, "a property before the first element")
                                 : PSB_SCAN_FAIL(s, "more than %d properties", MOST_PROPERTIES);
    }
    psb_status status = next_word(r, "a property's type");
    psb_scan start = *s;
    if (status == PSB_OK && psb_scan_word(s, "list")) {
        p.list = true;
        status = read_type(r, &p.count);
    }
    PSB_THEN(status, read_type(r, &p.type));
    PSB_THEN(status, next_word(r, "a property's name"));
    if (status != PSB_OK) {
        return status;
    }
    element *e = &r->elements[r->nelements - 1];
    p.role = role_of(s, e->kind, p.list, r->buffer->clouds);
    if (p.list && (p.count >= PSB_F32 || (p.role == CORNERS && p.type >= PSB_F32))) {
        return PSB_SCAN_FAIL(&start, "a list needs integers for its %s",
                             p.count >= PSB_F32 ? "length" : "indices");
    }
    if (p.role != NOTHING) {
        if (e->has[p.role]) {
            return PSB_SCAN_FAIL(&start, "a property of element '%s' occurs twice", e->name.text);
        }
        e->has[p.role] = true;
    }
    e->bytes += r->encoding == PSB_TEXT ? 2 : psb_scalar_bytes(p.list ? p.count : p.type);
    e->lists = e->lists || p.list;
    e->nproperties++;
    r->properties[r->nproperties++] = p;
    return PSB_OK;
}

/* Moves past the line break of `end_header`, after which binary data begin: the same kind as the
 * first line's. */
static void skip_break(psb_scan *s) {
    const char *first = s->begin;
    while (!psb_is_break(*first)) {
        first++;
    }
    if (s->at < s->end && *s->at == '\r') {
        s->at++;
        if (first[0] == '\r' && first[1] != '\n') {
            return;
        }
    }
    if (s->at < s->end && *s->at == '\n') {
        s->at++;
    }
}

/* True for a line before the first element that begins with no known word. */
static bool is_stray(const reader *r) {
    static const char *const words[] = {"format", "element", "property", "end_header"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        psb_scan look = *r->scan;
        if (psb_scan_word(&look, words[i])) {
            return false;
        }
    }
    return r->nelements == 0;
}

static psb_status read_header_line(reader *r, bool *ended) {
    psb_scan *s = r->scan;
    /* Some programs forget the word `comment`; before the first element that does no harm. */
    if (psb_scan_word(s, "comment") || psb_scan_word(s, "obj_info") || is_stray(r)) {
        psb_scan_skip_line(s);
        return PSB_OK;
    }
    psb_status status = PSB_OK;
    if (psb_scan_word(s, "format")) {
        status = read_encoding(r);
    } else if (psb_scan_word(s, "element")) {
        status = read_element(r);
    } else if (psb_scan_word(s, "property")) {
        status = read_property(r);
        psb_scan_skip_token(s); /* the property's name */
    } else if (psb_scan_word(s, "end_header")) {
        *ended = true;
    } else {
        status = psb_scan_fail_token(s, "a word of a PLY header");
    }
    return PSB_THEN_IF(
        status, psb_scan_next_on_line(s),
        PSB_SCAN_FAIL(s, "'%s' behind the end of a header line", psb_scan_quote(s).text));
}

/* Checks each count against the rest of the file and the limits. */
static psb_status check_counts(const reader *r) {
    const psb_scan *s = r->scan;
    size_t left = (size_t)(s->end - s->at) + (r->encoding == PSB_TEXT ? 1 : 0);
    const element *of[OTHER] = {NULL};
    for (size_t i = 0; i < r->nelements; i++) {
        const element *e = &r->elements[i];
        if (e->bytes > 0 && e->count > left / e->bytes) {
            return PSB_SCAN_FAIL(s,
                                 "%zu of element '%s' need %zu bytes or more each, but %zu bytes "
                                 "are left for them",
                                 e->count, e->name.text, e->bytes, left);
        }
        left -= e->count * e->bytes;
        if (e->kind != OTHER) {
            of[e->kind] = e;
        }
    }
    const element *vertex = of[VERTEX], *face = of[FACE];
    if (vertex == NULL || !vertex->has[X] || !vertex->has[Y] || !vertex->has[Z]) {
        return PSB_SCAN_FAIL(s, "the header has no element 'vertex' with properties x, y and z");
    }
    bool faces = face != NULL && face->count > 0;
    bool strips = of[STRIPS] != NULL && of[STRIPS]->count > 0;
    if (!faces && !strips) {
        return r->buffer->clouds ? PSB_OK
                                 : PSB_SCAN_FAIL(s,
                                                 "%zu points and no faces: a point cloud, not a "
                                                 "surface",
                                                 vertex->count);
    }
    if ((faces && !face->has[CORNERS]) || (strips && !of[STRIPS]->has[CORNERS])) {
        return PSB_SCAN_FAIL(s, "the header has no list 'vertex_indices' in its element '%s'",
                             faces && !face->has[CORNERS] ? "face" : "tristrips");
    }
    if (faces && r->buffer->max_faces > 0 && face->count > r->buffer->max_faces) {
        return PSB_SCAN_FAIL(s, "%zu faces, but at most %zu are allowed", face->count,
                             r->buffer->max_faces);
    }
    return PSB_OK;
}

static psb_status read_header(reader *r) {
    psb_scan *s = r->scan;
    bool ended = false;
    psb_scan_take(s, "ply");
    if (!psb_scan_at_separator(s)) {
        return PSB_SCAN_FAIL(s, "not a PLY file: it does not begin with 'ply'");
    }
    psb_status status = PSB_OK;
    while (status == PSB_OK && !ended) {
        status = psb_scan_next(s) ? read_header_line(r, &ended)
                                  : PSB_SCAN_FAIL(s, "the file ends before 'end_header'");
        PSB_THEN_IF(status, r->encoding == PSB_PRESET && (ended || r->nelements > 0),
                    PSB_SCAN_FAIL(s, "the line 'format' is missing above"));
    }
    if (status == PSB_OK) {
        skip_break(s);
        status = check_counts(r);
    }
    return status;
}

/* ---- body ------------------------------------------------------------------------------ */

/* The reader's position in the body. */
typedef struct place {
    const element *element;
    size_t index; /* number of the element, from 0 */
} place;

static psb_status fail_truncated(const reader *r, const place *p) {
    return PSB_SCAN_FAIL(r->scan, "the file ends after %zu of %zu of element '%s'", p->index,
                         p->element->count, p->element->name.text);
}

/* Moves to the next token of text, or checks that so many bytes of binary data are left. */
static inline psb_status reach(const reader *r, const place *p, size_t bytes) {
    psb_scan *s = r->scan;
    bool there = r->encoding == PSB_TEXT ? psb_scan_next(s) : (size_t)(s->end - s->at) >= bytes;
    return there ? PSB_OK : fail_truncated(r, p);
}

static inline psb_status read_integer(const reader *r, const place *p, psb_scalar type,
                                      int64_t *value) {
    psb_scan *s = r->scan;
    psb_status status = reach(r, p, psb_scalar_bytes(type));
    if (status != PSB_OK) {
        return status;
    }
    if (r->encoding == PSB_TEXT) {
        return psb_scan_integer(s, value) ? PSB_OK : psb_scan_fail_token(s, "a whole number");
    }
    *value = psb_load_integer(s->at, type, r->encoding == PSB_BINARY_BIG);
    s->at += psb_scalar_bytes(type);
    return PSB_OK;
}

static psb_status fail_coordinate(const reader *r, size_t vertex, double value) {
    return PSB_SCAN_FAIL(r->scan, "vertex %zu has a coordinate %g", vertex, value);
}

static inline psb_status read_coordinate(const reader *r, const place *p, psb_scalar type,
                                         double *value) {
    psb_scan *s = r->scan;
    psb_status status = reach(r, p, psb_scalar_bytes(type));
    if (status != PSB_OK) {
        return status;
    }
    if (r->encoding == PSB_TEXT) {
        const char *start = s->at;
        if (!psb_scan_number(s, value) || !isfinite(*value)) {
            s->at = start;
            return psb_scan_fail_token(s, "a finite coordinate");
        }
        return PSB_OK;
    }
    *value = psb_load_real(s->at, type, r->encoding == PSB_BINARY_BIG);
    if (!isfinite(*value)) {
        return fail_coordinate(r, p->index, *value);
    }
    s->at += psb_scalar_bytes(type);
    return PSB_OK;
}

/* Reads a list's length and checks that so many numbers fit in the rest of the file. */
static inline psb_status read_length(const reader *r, const place *p, const property *list,
                                     size_t *length) {
    int64_t value = 0;
    psb_status status = read_integer(r, p, list->count, &value);
    size_t least = r->encoding == PSB_TEXT ? 2 : psb_scalar_bytes(list->type);
    size_t left = (size_t)(r->scan->end - r->scan->at);
    PSB_THEN_IF(status, (value < 0 || (uint64_t)value > left / least),
                PSB_SCAN_FAIL(r->scan,
                              "element '%s' %zu has a list of %" PRId64 " numbers, but %zu bytes "
                              "are left",
                              p->element->name.text, p->index, value, left));
    *length = (size_t)value;
    return status;
}

static psb_status skip(const reader *r, const place *p, const property *unused) {
    size_t count = 1;
    psb_status status = unused->list ? read_length(r, p, unused, &count) : PSB_OK;
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        status = reach(r, p, psb_scalar_bytes(unused->type));
        if (status == PSB_OK && r->encoding == PSB_TEXT) {
            psb_scan_skip_token(r->scan);
        } else if (status == PSB_OK) {
            r->scan->at += psb_scalar_bytes(unused->type);
        }
    }
    return status;
}

/* Reads an index of a binary file; read_length has checked that its bytes are there. */
static inline int64_t next_index(const reader *r, psb_scalar type) {
    const bool big = r->encoding == PSB_BINARY_BIG;
    const char *at = r->scan->at;
    r->scan->at += psb_scalar_bytes(type);
    if (type == PSB_I32 || type == PSB_U32) {
        uint32_t bits = (uint32_t)psb_load_bits(at, sizeof bits, big);
        return type == PSB_I32 ? (int32_t)bits : (int64_t)bits;
    }
    return psb_load_integer(at, type, big);
}

static psb_status fail_index(const reader *r, const place *p, const psb_scan *at, int64_t value) {
    return PSB_SCAN_FAIL(at, "face %zu has the index %" PRId64 ", but the file has %zu vertices",
                         p->index, value, r->nvertices);
}

static psb_status read_packed_polygon(const reader *r, const place *p, const property *list) {
    size_t corners = 0;
    psb_fan fan = {0};
    psb_status status = read_length(r, p, list, &corners);
    for (size_t i = 0; i < corners && status == PSB_OK; i++) {
        int64_t value = next_index(r, list->type);
        status = (uint64_t)value < r->nvertices
                     ? psb_fan_add(&fan, (uint32_t)value, r->scan, r->buffer)
                     : fail_index(r, p, r->scan, value);
    }
    return status;
}

static psb_status read_polygon(const reader *r, const place *p, const property *list) {
    size_t corners = 0;
    psb_fan fan = {0};
    psb_status status = read_length(r, p, list, &corners);
    for (size_t i = 0; i < corners && status == PSB_OK; i++) {
        int64_t value = 0;
        const char *before = r->scan->at; /* copying the scan would stall */
        status = read_integer(r, p, list->type, &value);
        if (status == PSB_OK && (uint64_t)value >= r->nvertices) {
            psb_scan token = *r->scan;
            token.at = before;
            psb_scan_next(&token);
            return fail_index(r, p, &token, value);
        }
        PSB_THEN(status, psb_fan_add(&fan, (uint32_t)value, r->scan, r->buffer));
    }
    return status;
}

/* Reads a list of strips. A triangle that repeats a corner only joins two strips, and is none. */
static psb_status read_strips(const reader *r, const place *p, const property *list) {
    psb_mesh *mesh = &r->buffer->mesh;
    uint32_t last[2] = {0, 0};
    size_t numbers = 0, corners = 0;
    psb_status status = read_length(r, p, list, &numbers);
    for (size_t i = 0; i < numbers && status == PSB_OK; i++) {
        int64_t value = 0;
        status = read_integer(r, p, list->type, &value);
        if (status != PSB_OK || value < 0) {
            corners = 0;
            continue;
        }
        if ((uint64_t)value >= r->nvertices) {
            return fail_index(r, p, r->scan, value);
        }
        const uint32_t index = (uint32_t)value;
        if (corners >= 2 && index != last[0] && index != last[1] && last[0] != last[1]) {
            const uint32_t turned = corners % 2;
            status = psb_grow_triangles(r->scan, r->buffer, mesh->ntriangles + 1);
            if (status == PSB_OK) {
                uint32_t *triangle = mesh->triangles + 3 * mesh->ntriangles++;
                triangle[0] = last[turned];
                triangle[1] = last[1 - turned];
                triangle[2] = index;
                mesh->npolygons++;
            }
        }
        last[0] = last[1];
        last[1] = index;
        corners++;
    }
    return status;
}

/* Where a coordinate or a part of a normal of the first vertex goes. */
static inline double *place_of(const reader *r, role what) {
    return what <= Z ? r->buffer->mesh.vertices + what
                     : (double *)r->buffer->directions.data + (what - NX);
}

static inline psb_status read_one(const reader *r, const place *p) {
    const element *e = p->element;
    psb_status status = PSB_OK;
    for (size_t i = 0; i < e->nproperties && status == PSB_OK; i++) {
        const property *next = &r->properties[e->first + i];
        if (next->role <= NZ) {
            status = read_coordinate(r, p, next->type, place_of(r, next->role) + 3 * p->index);
        } else {
            status = next->role != CORNERS     ? skip(r, p, next)
                     : e->kind == STRIPS       ? read_strips(r, p, next)
                     : r->encoding == PSB_TEXT ? read_polygon(r, p, next)
                                               : read_packed_polygon(r, p, next);
        }
    }
    return PSB_THEN_IF(status, r->encoding == PSB_TEXT && psb_scan_next_on_line(r->scan),
                       PSB_SCAN_FAIL(r->scan, "'%s' behind the properties of element '%s'",
                                     psb_scan_quote(r->scan).text, e->name.text));
}

/* Reads one coordinate of all vertices; inline, so that each type gets its own loop. */
static inline psb_status read_column(const reader *r, const char *at, const element *e,
                                     psb_scalar type, double *out) {
    const bool big = r->encoding == PSB_BINARY_BIG;
    for (size_t i = 0; i < e->count; i++) {
        out[3 * i] = psb_load_real(at + i * e->bytes, type, big);
        if (!isfinite(out[3 * i])) {
            return fail_coordinate(r, i, out[3 * i]);
        }
    }
    return PSB_OK;
}

/* Reads binary elements of equal size. */
static psb_status read_columns(const reader *r, const element *e) {
    psb_scan *s = r->scan;
    const place p = {e, (size_t)(s->end - s->at) / e->bytes};
    const char *at = s->at;
    psb_status status = p.index < e->count ? fail_truncated(r, &p) : PSB_OK;
    for (size_t i = 0; i < e->nproperties && status == PSB_OK; i++) {
        const property *next = &r->properties[e->first + i];
        double *out = next->role <= NZ ? place_of(r, next->role) : NULL;
        if (out != NULL && next->type == PSB_F32) {
            status = read_column(r, at, e, PSB_F32, out);
        } else if (out != NULL && next->type == PSB_F64) {
            status = read_column(r, at, e, PSB_F64, out);
        } else if (out != NULL) {
            status = read_column(r, at, e, next->type, out);
        }
        at += psb_scalar_bytes(next->type);
    }
    s->at += status == PSB_OK ? e->count * e->bytes : 0;
    return status;
}

static psb_status read_elements(const reader *r, const element *e) {
    psb_mesh *mesh = &r->buffer->mesh;
    psb_status status = PSB_OK;
    if (e->count == 0) {
        return PSB_OK;
    }
    if (e->kind == VERTEX) {
        status = psb_room_for_vertices(r->scan, r->buffer, e->count);
        if (e->has[NX] || e->has[NY] || e->has[NZ]) {
            PSB_THEN(status, psb_grow_points(r->scan, r->buffer, e->count));
            r->buffer->normals = e->has[NX] && e->has[NY] && e->has[NZ];
        }
        mesh->nvertices = e->count;
    } else if (e->kind == FACE) {
        status = psb_grow_triangles(r->scan, r->buffer, e->count);
        mesh->npolygons += e->count;
    }
    if (status == PSB_OK && r->encoding != PSB_TEXT && e->nproperties > 0 && !e->lists) {
        return read_columns(r, e);
    }
    /* Elements without properties take no bytes; skips any number of them. */
    place p = {e, 0};
    for (; p.index < e->count && e->nproperties > 0 && status == PSB_OK; p.index++) {
        status = read_one(r, &p);
    }
    return status;
}

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    reader r = {.scan = s, .buffer = buffer};
    psb_status status = read_header(&r);
    for (size_t i = 0; i < r.nelements && status == PSB_OK; i++) {
        r.nvertices = r.elements[i].kind == VERTEX ? r.elements[i].count : r.nvertices;
    }
    if (r.encoding != PSB_TEXT) {
        s->begin = status == PSB_OK ? NULL : s->begin;
    }
    for (size_t i = 0; i < r.nelements && status == PSB_OK; i++) {
        status = read_elements(&r, &r.elements[i]);
    }
    return status;
}

static psb_likeness looks_like(const char *data, size_t size) {
    psb_scan scan = {.begin = data, .at = data, .end = data + size};
    return psb_scan_take(&scan, "ply") && scan.at < scan.end && psb_scan_at_separator(&scan)
               ? PSB_SURE
               : PSB_UNLIKE;
}

/* ---- writing --------------------------------------------------------------------------- */

static void write(FILE *stream, const psb_mesh *mesh, psb_encoding encoding, bool single) {
    static const char *const names[] = {[PSB_TEXT] = "ascii",
                                        [PSB_BINARY_LITTLE] = "binary_little_endian",
                                        [PSB_BINARY_BIG] = "binary_big_endian"};
    const char *real = single ? "float" : "double";
    bool text = encoding == PSB_TEXT, big = encoding == PSB_BINARY_BIG;
    fprintf(stream,
            "ply\nformat %s 1.0\nelement vertex %zu\nproperty %s x\nproperty %s y\nproperty %s z\n"
            "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
            names[encoding], mesh->nvertices, real, real, real, mesh->ntriangles);
    for (size_t i = 0; i < 3 * mesh->nvertices; i++) {
        if (text) {
            psb_write_number(stream, mesh->vertices[i], single);
            fputc(i % 3 == 2 ? '\n' : ' ', stream);
        } else {
            psb_store_real(stream, mesh->vertices[i], single, big);
        }
    }
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *corner = mesh->triangles + 3 * t;
        if (text) {
            fprintf(stream, "3 %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", corner[0], corner[1],
                    corner[2]);
        } else {
            psb_store_bits(stream, 3, 1, big);
            for (int c = 0; c < 3; c++) {
                psb_store_bits(stream, corner[c], 4, big);
            }
        }
    }
}

const psb_mesh_format psb_format_ply = {
    .name = "PLY",
    .endings = {"ply"},
    .looks_like = looks_like,
    .parse = parse,
    .write = write,
    .encodings = {PSB_BINARY_LITTLE, PSB_BINARY_BIG, PSB_TEXT},
    .nencodings = 3,
};
