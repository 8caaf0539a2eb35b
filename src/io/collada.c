/*
 * COLLADA 1.4 and 1.5: the polygons of the geometries that the nodes of a scene place. The source
 * is Khronos' specification of COLLADA 1.5; a skew is RenderMan's.
 *
 * Triangles, polylists, polygons, strips and fans are read, and transforms in their order. A skin
 * lies in its bind shape, a morph is its base mesh; materials, lines and all else are left alone.
 * The scene is the one that the file names, else the first; where there is none, each geometry
 * counts once. Coordinates are those of the file, whatever its unit and whichever axis is up.
 *
 * A geometry is read from its text when it is first placed. What the text says is not believed:
 * indices, strides and counts are checked against what is there, what nodes repeat is limited
 * (io/scene.h), and what would be left out in silence is an error: other files, splines' and breps'
 * surfaces, holes of polygons.
 */
#include "core/elementary.h"
#include "core/memory.h"
#include "core/vector.h"
#include "io/name.h"
#include "io/scene.h"
#include "io/xml.h"

#include <inttypes.h>
#include <math.h>

/* An element with an id, for psb_xml elements sorted by it. */
typedef struct named {
    const char *id, *name;
    uint32_t parent, element;
} named;

/* Positions of a source, in `coordinates`. */
typedef struct source {
    size_t first, count;
} source;

typedef struct geometry {
    size_t first_polygon, polygons, first_corner;
} geometry;

typedef struct reader {
    psb_xml xml;
    psb_mesh_buffer *out;
    psb_scene scene;
    PSB_ARRAY(named) ids;
    uint32_t *known; /* of each element: 1 + its number in `sources` or `geometries`; 0: not read */
    PSB_ARRAY(source) sources;
    PSB_ARRAY(geometry) geometries;
    PSB_ARRAY(double) coordinates;
    PSB_ARRAY(uint32_t) sizes;   /* corners of each polygon */
    PSB_ARRAY(uint32_t) corners; /* positions by their numbers among all */
} reader;

#define FAIL(r, element, ...) PSB_XML_FAIL(&(r)->xml, (element), __VA_ARGS__)

static psb_quote quoted_name(const reader *r, uint32_t element) {
    return psb_quote_text(psb_xml_name(&r->xml, element));
}

/* ---- ids ------------------------------------------------------------------------------- */

/* By id, then kind of element, then parent. */
static int by_id(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    order = order != 0 ? order : strcmp(x->name, y->name);
    order = order != 0 ? order : (x->parent > y->parent) - (x->parent < y->parent);
    return order != 0 ? order : (x->element > y->element) - (x->element < y->element);
}

static psb_status list_ids(reader *r) {
    psb_status status = PSB_OK;
    for (uint32_t e = 0; e < r->xml.elements.count && status == PSB_OK; e++) {
        const char *id = psb_xml_attribute(&r->xml, e, "id");
        if (id == NULL) {
            continue;
        }
        PSB_APPEND(&status, &r->ids, "ids", r->xml.scan.error,
                   (named){id, psb_xml_name(&r->xml, e), r->xml.elements.items[e].parent, e});
    }
    psb_sort(r->ids.items, r->ids.count, sizeof *r->ids.items, by_id);
    return status;
}

/* The first of the sorted ids that is not before `key`. */
static size_t first_from(const reader *r, const named *key) {
    size_t low = 0, high = r->ids.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = by_id(&r->ids.items[middle], key) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

static bool is_of(const reader *r, size_t at, const char *id, const char *name) {
    return at < r->ids.count && strcmp(r->ids.items[at].id, id) == 0 &&
           strcmp(r->ids.items[at].name, name) == 0;
}

/* Finds an element by id and kind, one below `parent` before others: ids that should be unique are
 * often so within a mesh only. Sets *found to 0 if there is none. */
static psb_status find_id(reader *r, uint32_t from, const char *id, const char *name,
                          uint32_t parent, uint32_t *found) {
    named key = {id, name, parent, 0};
    size_t at = first_from(r, &key);
    *found = 0;
    if (is_of(r, at, id, name) && r->ids.items[at].parent == parent) {
        *found = r->ids.items[at].element;
        return PSB_OK;
    }
    key.parent = 0;
    at = first_from(r, &key);
    if (is_of(r, at, id, name) && is_of(r, at + 1, id, name)) {
        return FAIL(r, from, "names '%s', which is the id of several elements <%s>",
                    psb_quote_text(id).text, name);
    }
    *found = is_of(r, at, id, name) ? r->ids.items[at].element : 0;
    return PSB_OK;
}

/* Follows a reference that is an attribute of `from` to an element of one of two kinds (the second
 * may be NULL). */
static psb_status follow(reader *r, uint32_t from, const char *attribute, const char *name,
                         const char *other, uint32_t *found) {
    const char *url = psb_xml_attribute(&r->xml, from, attribute);
    /* The mesh of an input, the source of an accessor. */
    uint32_t above = r->xml.elements.items[r->xml.elements.items[from].parent].parent;
    *found = 0;
    if (url == NULL || url[0] != '#') {
        return FAIL(r, from, "<%s> names '%s', which is not in this file: other files are not read",
                    quoted_name(r, from).text, psb_quote_text(url).text);
    }
    PSB_AT_END(psb_text_free) psb_text decoded = {0};
    psb_name_decode(&decoded, url + 1);
    psb_status status = psb_text_status(&decoded, r->xml.scan.error);
    for (int k = 0; k < (decoded.length > 0 ? 4 : 2) && status == PSB_OK && *found == 0; k++) {
        const char *kind = k % 2 == 0 ? name : other;
        status = kind != NULL ? find_id(r, from, k < 2 ? url + 1 : decoded.data, kind, above, found)
                              : PSB_OK;
    }
    return status == PSB_OK && *found == 0
               ? FAIL(r, from, "<%s> names '%s', but the file has no <%s> of this id",
                      quoted_name(r, from).text, psb_quote_text(url).text, name)
               : status;
}

/* ---- numbers --------------------------------------------------------------------------- */

/* A whole number; `default_value` if there is no such attribute, an error if that is SIZE_MAX. */
static psb_status read_whole(reader *r, uint32_t element, const char *name, size_t default_value,
                             size_t *value) {
    const char *text = psb_xml_attribute(&r->xml, element, name);
    int64_t number = -1;
    *value = default_value;
    if (text == NULL && default_value != SIZE_MAX) {
        return PSB_OK;
    }
    if (!psb_xml_integer(text, &number) || number < 0 || number > UINT32_MAX) {
        return FAIL(r, element, "<%s> has the %s '%s', which is no whole number from 0 on",
                    quoted_name(r, element).text, name, psb_quote_text(text).text);
    }
    *value = (size_t)number;
    return PSB_OK;
}

/* Where a source's accessor finds positions: at `offset` of each `stride` numbers. */
typedef struct accessor {
    uint32_t array;
    size_t count, stride, offset, parts[3];
} accessor;

/* Parameters without a name are not read; where none has one, the first three are. */
static psb_status read_parameters(reader *r, uint32_t element, accessor *a) {
    size_t all = 0, names = 0;
    for (uint32_t e = psb_xml_child(&r->xml, element, "param"); e != 0;
         e = psb_xml_next(&r->xml, e, "param")) {
        const char *name = psb_xml_attribute(&r->xml, e, "name");
        if (name != NULL && name[0] != '\0' && names < 3) {
            a->parts[names++] = all;
        }
        all++;
    }
    for (size_t k = 0; k < 3 && names == 0; k++) {
        a->parts[k] = k;
    }
    if ((names > 0 && names < 3) || a->stride <= a->parts[2]) {
        return FAIL(r, element, "positions of %zu numbers, expected 3",
                    names > 0 && names < 3 ? names : a->stride);
    }
    return PSB_OK;
}

static psb_status read_accessor(reader *r, uint32_t element, accessor *a) {
    uint32_t common = psb_xml_child(&r->xml, element, "technique_common");
    uint32_t e = common != 0 ? psb_xml_child(&r->xml, common, "accessor") : 0;
    if (e == 0) {
        return FAIL(r, element, "a source without an accessor: '%s'",
                    psb_quote_text(psb_xml_attribute(&r->xml, element, "id")).text);
    }
    psb_status status = read_whole(r, e, "count", SIZE_MAX, &a->count);
    PSB_THEN(status, read_whole(r, e, "stride", 1, &a->stride));
    PSB_THEN(status, read_whole(r, e, "offset", 0, &a->offset));
    PSB_THEN(status, follow(r, e, "source", "float_array", "int_array", &a->array));
    return PSB_THEN(status, read_parameters(r, e, a));
}

/* Appends the positions of a source. */
static psb_status read_source(reader *r, uint32_t element, source *out) {
    accessor a = {0};
    psb_status status = read_accessor(r, element, &a);
    psb_scan text = psb_xml_text(&r->xml, a.array);
    *out = (source){.first = r->coordinates.count / 3};
    for (size_t k = 0; k < a.offset && psb_scan_next(&text); k++) {
        psb_scan_skip_token(&text);
    }
    for (size_t i = 0; i < a.count && status == PSB_OK; i++) {
        double xyz[3] = {0};
        for (size_t k = 0, part = 0; k < a.stride && status == PSB_OK; k++) {
            bool there = psb_scan_next(&text);
            if (!there && part < 3) {
                status =
                    FAIL(r, a.array, "has no numbers left for position %zu of %zu", i, a.count);
            } else if (part < 3 && a.parts[part] == k) {
                status = psb_scan_number(&text, &xyz[part])
                             ? PSB_OK
                             : FAIL(r, a.array, "'%s' is not a number, in position %zu",
                                    psb_scan_quote(&text).text, i);
                part++;
            } else {
                psb_scan_skip_token(&text);
            }
        }
        for (size_t k = 0; k < 3; k++) {
            PSB_APPEND(&status, &r->coordinates, "positions", r->xml.scan.error, xyz[k]);
        }
    }
    out->count = r->coordinates.count / 3 - out->first;
    return status == PSB_OK && r->coordinates.count / 3 > UINT32_MAX
               ? FAIL(r, element, "more than %" PRIu32 " positions", UINT32_MAX)
               : status;
}

static psb_status need_source(reader *r, uint32_t element, source *out) {
    if (r->known[element] != 0) {
        *out = r->sources.items[r->known[element] - 1];
        return PSB_OK;
    }
    psb_status status = read_source(r, element, out);
    PSB_APPEND(&status, &r->sources, "sources", r->xml.scan.error, *out);
    r->known[element] = (uint32_t)r->sources.count; /* after a failure nobody asks */
    return status;
}

/* ---- polygons -------------------------------------------------------------------------- */

/* How a primitive's indices make polygons. */
typedef enum shape { TRIANGLES, POLYLIST, POLYGONS, STRIPS, FANS } shape;

static const char *const shapes[] = {"triangles", "polylist", "polygons",
                                     "tristrips", "trifans",  NULL};

/* Numbers of a primitive's <p>: of each `stride`, the one at `offset` names a position. */
typedef struct indices {
    size_t stride, offset;
    source positions;
} indices;

/* Finds the positions among the primitive's inputs. */
static psb_status read_inputs(reader *r, uint32_t element, indices *in) {
    uint32_t vertices = 0, positions = 0;
    psb_status status = PSB_OK;
    *in = (indices){.stride = 1};
    PSB_XML_EACH(e, &r->xml, element, "input", status) {
        const char *semantic = psb_xml_attribute(&r->xml, e, "semantic");
        size_t offset;
        status = read_whole(r, e, "offset", 0, &offset);
        in->stride = offset >= in->stride ? offset + 1 : in->stride;
        if (status == PSB_OK && semantic != NULL && strcmp(semantic, "VERTEX") == 0) {
            in->offset = offset;
            vertices = e;
        }
    }
    if (status == PSB_OK && vertices == 0) {
        return FAIL(r, element, "<%s> has no input of VERTEX", quoted_name(r, element).text);
    }
    PSB_THEN(status, follow(r, vertices, "source", "vertices", NULL, &vertices));
    for (uint32_t e = status == PSB_OK ? psb_xml_child(&r->xml, vertices, "input") : 0;
         e != 0 && positions == 0; e = psb_xml_next(&r->xml, e, "input")) {
        const char *semantic = psb_xml_attribute(&r->xml, e, "semantic");
        positions = semantic != NULL && strcmp(semantic, "POSITION") == 0 ? e : 0;
    }
    if (status == PSB_OK && positions == 0) {
        return FAIL(r, vertices, "<%s> has no input of POSITION", quoted_name(r, vertices).text);
    }
    PSB_THEN(status, follow(r, positions, "source", "source", NULL, &positions));
    return PSB_THEN(status, need_source(r, positions, &in->positions));
}

/* Appends one corner: the next `stride` numbers; *there is false where the text ends. */
static psb_status read_corner(reader *r, uint32_t element, const indices *in, psb_scan *text,
                              bool *there) {
    int64_t index = -1;
    psb_status status = PSB_OK;
    *there = psb_scan_next(text);
    for (size_t k = 0; k < in->stride && *there; k++) {
        int64_t number = 0;
        if (!psb_scan_next(text) || !psb_scan_integer(text, &number)) {
            return FAIL(r, element, "<%s> has '%s' where an index is expected",
                        quoted_name(r, element).text, psb_scan_quote(text).text);
        }
        index = k == in->offset ? number : index;
    }
    if (*there && (index < 0 || (uint64_t)index >= in->positions.count)) {
        return FAIL(r, element, "index %" PRId64 ", but there are %zu positions", index,
                    in->positions.count);
    }
    if (*there) {
        PSB_APPEND(&status, &r->corners, "corners", r->xml.scan.error,
                   (uint32_t)(in->positions.first + (size_t)index));
    }
    return status;
}

static psb_status add_polygon(reader *r, size_t corners) {
    psb_status status = PSB_OK;
    PSB_APPEND(&status, &r->sizes, "polygons", r->xml.scan.error, (uint32_t)corners);
    return status;
}

/* Turns the corners from `first` on, which are a strip or a fan, into triangles. */
static psb_status make_triangles(reader *r, size_t first, bool strip) {
    size_t given = r->corners.count, triangles = given > first + 2 ? given - first - 2 : 0;
    psb_status status = PSB_OK;
    for (size_t t = 0; t < triangles && status == PSB_OK; t++) {
        size_t odd = strip ? t % 2 : 0;
        const size_t corner[3] = {strip ? t : 0, t + 1 + odd, t + 2 - odd};
        for (size_t k = 0; k < 3; k++) {
            PSB_APPEND(&status, &r->corners, "corners", r->xml.scan.error,
                       r->corners.items[first + corner[k]]);
        }
        PSB_THEN(status, add_polygon(r, 3));
    }
    if (status == PSB_OK) { /* the triangles take the place of what they were made from */
        r->corners.count = first + 3 * triangles;
        memmove(r->corners.items + first, r->corners.items + given,
                3 * triangles * sizeof *r->corners.items);
    }
    return status;
}

/* Reads all corners of a <p> and makes what they are: one polygon, a strip, a fan, or triangles. */
static psb_status read_p(reader *r, uint32_t p, shape how, const indices *in) {
    psb_scan text = psb_xml_text(&r->xml, p);
    size_t first = r->corners.count;
    bool there = true;
    psb_status status = PSB_OK;
    while (there && status == PSB_OK) {
        status = read_corner(r, p, in, &text, &there);
    }
    size_t count = r->corners.count - first;
    if (status == PSB_OK && how == TRIANGLES && count % 3 != 0) {
        return FAIL(r, p, "%zu corners, which are not triangles", count);
    }
    if (how == STRIPS || how == FANS) {
        return PSB_THEN(status, make_triangles(r, first, how == STRIPS));
    }
    size_t corners = how == TRIANGLES ? 3 : count;
    for (size_t n = how == TRIANGLES ? count / 3 : 1; n > 0 && status == PSB_OK; n--) {
        status = add_polygon(r, corners);
    }
    return status;
}

/* A polylist: <vcount> has the number of corners of each polygon. */
static psb_status read_polylist(reader *r, uint32_t element, const indices *in) {
    uint32_t sizes = psb_xml_child(&r->xml, element, "vcount");
    uint32_t p = psb_xml_child(&r->xml, element, "p");
    if (sizes == 0 || p == 0) {
        return p == 0 && sizes == 0 ? PSB_OK : FAIL(r, element, "a polylist without vcount or p");
    }
    psb_scan counts = psb_xml_text(&r->xml, sizes), text = psb_xml_text(&r->xml, p);
    psb_status status = PSB_OK;
    bool there = true;
    while (status == PSB_OK && psb_scan_next(&counts)) {
        int64_t count = -1;
        if (!psb_scan_integer(&counts, &count) || count < 0 || count > UINT32_MAX) {
            return FAIL(r, sizes, "'%s' is not a number of corners", psb_scan_quote(&counts).text);
        }
        for (int64_t k = 0; k < count && there && status == PSB_OK; k++) {
            status = read_corner(r, p, in, &text, &there);
        }
        PSB_THEN(status, add_polygon(r, (size_t)count));
    }
    if (status == PSB_OK && (!there || psb_scan_next(&text))) {
        return FAIL(r, p, "has %s indices than vcount says", there ? "more" : "fewer");
    }
    return status;
}

static psb_status read_primitive(reader *r, uint32_t element, shape how) {
    indices in;
    size_t count = 0, before = r->sizes.count, pieces = 0;
    psb_status status = read_whole(r, element, "count", 0, &count);
    uint32_t p = psb_xml_child(&r->xml, element, "p");
    uint32_t holes = how == POLYGONS ? psb_xml_child(&r->xml, element, "ph") : 0;
    if (status == PSB_OK && holes != 0) {
        return FAIL(r, holes, "a polygon with holes (<ph>), which is not read");
    }
    if (status == PSB_OK && p == 0) {
        return count == 0
                   ? PSB_OK
                   : FAIL(r, element, "<%s> has a count of %zu, but no <p>", shapes[how], count);
    }
    PSB_THEN(status, read_inputs(r, element, &in));
    PSB_THEN_IF(status, how == POLYLIST, read_polylist(r, element, &in));
    for (; how != POLYLIST && p != 0 && status == PSB_OK; p = psb_xml_next(&r->xml, p, "p")) {
        status = read_p(r, p, how, &in);
        pieces++;
    }
    pieces = how == TRIANGLES || how == POLYLIST ? r->sizes.count - before : pieces;
    return status == PSB_OK && pieces != count
               ? FAIL(r, element, "<%s> has a count of %zu, but there are %zu", shapes[how], count,
                      pieces)
               : status;
}

static psb_status read_mesh(reader *r, uint32_t element) {
    psb_status status = PSB_OK;
    if (psb_xml_attribute(&r->xml, element, "convex_hull_of") != NULL) {
        return FAIL(r, element, "the convex hull of another geometry, which is not read");
    }
    PSB_XML_EACH(e, &r->xml, element, NULL, status) {
        for (int how = TRIANGLES; shapes[how] != NULL && status == PSB_OK; how++) {
            if (psb_xml_is(&r->xml, e, shapes[how])) {
                status = read_primitive(r, e, (shape)how);
            }
        }
    }
    return status;
}

static psb_status read_geometry(reader *r, uint32_t element, geometry *g) {
    psb_status status = PSB_OK;
    *g = (geometry){.first_polygon = r->sizes.count, .first_corner = r->corners.count};
    PSB_XML_EACH(e, &r->xml, element, NULL, status) {
        if (psb_xml_is(&r->xml, e, "mesh") || psb_xml_is(&r->xml, e, "convex_mesh")) {
            status = read_mesh(r, e);
        } else if (psb_xml_is(&r->xml, e, "brep")) {
            status = FAIL(r, e, "a boundary representation (<brep>), which is not read");
        }
    }
    g->polygons = r->sizes.count - g->first_polygon;
    return status;
}

static psb_status need_geometry(reader *r, uint32_t element, geometry *g) {
    if (r->known[element] != 0) {
        *g = r->geometries.items[r->known[element] - 1];
        return PSB_OK;
    }
    psb_status status = read_geometry(r, element, g);
    PSB_APPEND(&status, &r->geometries, "geometries", r->xml.scan.error, *g);
    r->known[element] = (uint32_t)r->geometries.count; /* after a failure nobody asks */
    return status;
}

static psb_status place_geometry(reader *r, uint32_t element, const psb_placement *where) {
    geometry g;
    psb_status status = need_geometry(r, element, &g);
    const char *id = psb_xml_attribute(&r->xml, element, "id");
    const psb_scan *scan = psb_xml_at(&r->xml, element);
    snprintf(r->scene.what, sizeof r->scene.what, "geometry '%s'", psb_quote_text(id).text);
    PSB_THEN(status, psb_scene_place(&r->scene, scan, where, r->coordinates.count / 3, 0));
    size_t first = g.first_corner;
    for (size_t p = 0; p < g.polygons && status == PSB_OK; p++) {
        size_t count = r->sizes.items[g.first_polygon + p];
        psb_fan fan = {0};
        status = psb_scene_check(&r->scene, scan, count > 2 ? count - 2 : 0);
        for (size_t k = 0; k < count && status == PSB_OK; k++) {
            /* Where the placement mirrors, the order turns. */
            size_t position = r->corners.items[first + (r->scene.mirrored ? count - 1 - k : k)];
            uint32_t vertex = 0;
            PSB_THEN_IF(status, !psb_scene_has(&r->scene, position, &vertex),
                        psb_scene_add(&r->scene, scan, position,
                                      r->coordinates.items + 3 * position, &vertex));
            PSB_THEN(status, psb_fan_add(&fan, vertex, scan, r->out));
        }
        r->out->mesh.npolygons++;
        first += count;
    }
    return status;
}

/* ---- nodes ----------------------------------------------------------------------------- */

/* Scales to length 1; what has no length stays. */
static void make_unit(double v[3]) {
    double length = psb_norm(v);
    if (length > 0) {
        psb_divide(v, length);
    }
}

static const double radians = 3.14159265358979323846 / 180;

/* v: an axis and an angle in degrees. */
static psb_placement rotation(const double v[4]) {
    double axis[3] = {v[0], v[1], v[2]};
    make_unit(axis);
    const double half = radians * v[3] / 2, s = psb_sin(half);
    const double q[4] = {s * axis[0], s * axis[1], s * axis[2], psb_cos(half)};
    return psb_placement_of_parts((const double[3]){0}, q, (const double[3]){1, 1, 1});
}

/* v: an angle in degrees and two axes. Points move along the second, so that the first turns
 * towards it by the angle. False if it would turn as far as the second, or beyond. */
static bool skew(const double v[7], psb_placement *p) {
    double a[3] = {v[1], v[2], v[3]}, b[3] = {v[4], v[5], v[6]}, across[3];
    make_unit(a);
    make_unit(b);
    double along = psb_dot(a, b);
    for (int k = 0; k < 3; k++) {
        across[k] = a[k] - along * b[k];
    }
    double rest = psb_norm(across);
    *p = psb_placement_none;
    if (!(rest > 1e-9)) {
        return false;
    }
    double angle = psb_atan2(along, rest) + radians * v[0];
    double shift = psb_sin(angle) / psb_cos(angle) - along / rest;
    make_unit(across);
    for (int i = 0; i < 9; i++) {
        p->m[i / 3][i % 3] += shift * b[i / 3] * across[i % 3];
    }
    return fabs(angle) < radians * 90 - 1e-9;
}

/* v: an eye, the point that it looks at, and the direction that is up for it; it looks along -z.
 * False if it looks nowhere, or along what is up. */
static bool look_at(const double v[9], psb_placement *p) {
    double back[3], up[3] = {v[6], v[7], v[8]}, right[3];
    psb_subtract(v, v + 3, back);
    make_unit(back);
    make_unit(up);
    psb_cross(up, back, right);
    bool spans = psb_dot(right, right) > 1e-18;
    make_unit(right);
    psb_cross(back, right, up);
    for (int k = 0; k < 3; k++) {
        p->m[k][0] = right[k];
        p->m[k][1] = up[k];
        p->m[k][2] = back[k];
        p->m[k][3] = v[k];
    }
    return spans;
}

static psb_placement matrix(const double v[12]) {
    psb_placement p;
    for (int i = 0; i < 12; i++) {
        p.m[i / 4][i % 4] = v[i];
    }
    return p;
}

/* Multiplies *p by the element's transform; leaves it where the element is none. */
static psb_status read_transform(reader *r, uint32_t e, psb_placement *p) {
    static const struct {
        const char *name;
        int numbers;
    } transforms[] = {{"translate", 3}, {"rotate", 4}, {"scale", 3},
                      {"matrix", 16},   {"skew", 7},   {"lookat", 9}};
    double v[16];
    size_t t = 0;
    while (t < sizeof transforms / sizeof transforms[0] &&
           !psb_xml_is(&r->xml, e, transforms[t].name)) {
        t++;
    }
    if (t == sizeof transforms / sizeof transforms[0]) {
        return PSB_OK;
    }
    psb_status status = psb_xml_numbers(&r->xml, e, transforms[t].numbers, v);
    if (status != PSB_OK) {
        return status;
    }
    static const double one[3] = {1, 1, 1}, straight[4] = {0, 0, 0, 1}, nowhere[3];
    psb_placement other;
    if ((t == 4 && !skew(v, &other)) || (t == 5 && !look_at(v, &other))) {
        return FAIL(r, e, "<%s> has axes that make no transform", transforms[t].name);
    }
    const psb_placement inner = t == 0   ? psb_placement_of_parts(v, straight, one)
                                : t == 1 ? rotation(v)
                                : t == 2 ? psb_placement_of_parts(nowhere, straight, v)
                                : t == 3 ? matrix(v)
                                         : other;
    *p = psb_placement_within(p, &inner);
    return PSB_OK;
}

/* Places what a controller deforms: a skin's mesh in its bind shape, a morph's base mesh. */
static psb_status place_controlled(reader *r, uint32_t element, const psb_placement *outer,
                                   size_t depth) {
    psb_placement p = *outer;
    double v[16];
    uint32_t skin = psb_xml_child(&r->xml, element, "skin");
    uint32_t by = skin != 0 ? skin : psb_xml_child(&r->xml, element, "morph"), to = 0;
    psb_status status = psb_scene_enter(&r->scene, psb_xml_at(&r->xml, element), depth);
    if (status == PSB_OK && by == 0) {
        return FAIL(r, element, "a controller that is neither skin nor morph");
    }
    uint32_t bind = skin != 0 ? psb_xml_child(&r->xml, skin, "bind_shape_matrix") : 0;
    if (status == PSB_OK && bind != 0) {
        status = psb_xml_numbers(&r->xml, bind, 16, v);
        const psb_placement inner = status == PSB_OK ? matrix(v) : psb_placement_none;
        p = psb_placement_within(outer, &inner);
    }
    PSB_THEN(status, follow(r, by, "source", "geometry", "controller", &to));
    if (status != PSB_OK) {
        return status;
    }
    return psb_xml_is(&r->xml, to, "geometry") ? place_geometry(r, to, &p)
                                               : place_controlled(r, to, &p, depth + 1);
}

static psb_status place_node(reader *r, uint32_t element, const psb_placement *outer,
                             size_t depth) {
    psb_placement p = *outer;
    psb_status status = psb_scene_enter(&r->scene, psb_xml_at(&r->xml, element), depth);
    PSB_XML_EACH(e, &r->xml, element, NULL, status) {
        uint32_t to = 0;
        if (psb_xml_is(&r->xml, e, "node")) {
            status = place_node(r, e, &p, depth + 1);
        } else if (psb_xml_is(&r->xml, e, "instance_node")) {
            status = follow(r, e, "url", "node", NULL, &to);
            PSB_THEN(status, place_node(r, to, &p, depth + 1));
        } else if (psb_xml_is(&r->xml, e, "instance_geometry")) {
            status = follow(r, e, "url", "geometry", NULL, &to);
            PSB_THEN(status, place_geometry(r, to, &p));
        } else if (psb_xml_is(&r->xml, e, "instance_controller")) {
            status = follow(r, e, "url", "controller", NULL, &to);
            PSB_THEN(status, place_controlled(r, to, &p, depth + 1));
        } else {
            status = read_transform(r, e, &p);
        }
    }
    return status;
}

/* ---- the file -------------------------------------------------------------------------- */

static psb_status place_scene(reader *r) {
    uint32_t all = psb_xml_child(&r->xml, 0, "scene"), scene = 0;
    uint32_t instance = all != 0 ? psb_xml_child(&r->xml, all, "instance_visual_scene") : 0;
    psb_status status = PSB_OK;
    if (instance != 0) {
        status = follow(r, instance, "url", "visual_scene", NULL, &scene);
    } else {
        all = psb_xml_child(&r->xml, 0, "library_visual_scenes");
        scene = all != 0 ? psb_xml_child(&r->xml, all, "visual_scene") : 0;
    }
    if (status != PSB_OK || scene != 0) {
        return status != PSB_OK ? status : place_node(r, scene, &psb_placement_none, 0);
    }
    for (uint32_t l = psb_xml_child(&r->xml, 0, "library_geometries"); l != 0;
         l = psb_xml_next(&r->xml, l, "library_geometries")) {
        PSB_XML_EACH(e, &r->xml, l, "geometry", status) {
            status = place_geometry(r, e, &psb_placement_none);
        }
    }
    return status;
}

static psb_status check_root(reader *r) {
    const char *version = psb_xml_attribute(&r->xml, 0, "version");
    if (!psb_xml_is(&r->xml, 0, "COLLADA")) {
        return FAIL(r, 0, "not COLLADA: its root is <%s>", quoted_name(r, 0).text);
    }
    return version == NULL || strncmp(version, "1.4", 3) == 0 || strncmp(version, "1.5", 3) == 0
               ? PSB_OK
               : FAIL(r, 0, "COLLADA of version %s, but 1.4 and 1.5 are read",
                      psb_quote_text(version).text);
}

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    reader r = {.out = buffer};
    psb_status status = psb_xml_parse(&r.xml, s, NULL, NULL);
    PSB_THEN(status, check_root(&r));
    PSB_THEN(status, list_ids(&r));
    PSB_THEN(status, psb_scene_start(&r.scene, s, buffer, (size_t)(s->end - s->at)));
    r.known = psb_new_zero(&status, r.xml.elements.count, sizeof *r.known, "elements", s->error);
    PSB_THEN(status, place_scene(&r));
    free(r.known);
    free(r.ids.items);
    free(r.sources.items);
    free(r.geometries.items);
    free(r.coordinates.items);
    free(r.sizes.items);
    free(r.corners.items);
    psb_scene_free(&r.scene);
    psb_xml_free(&r.xml);
    s->begin = NULL;
    return PSB_THEN_IF(status, buffer->mesh.ntriangles == 0,
                       PSB_SCAN_FAIL(s, "an empty mesh: no node of the scene has polygons"));
}

static psb_likeness looks_like(const char *data, size_t size) {
    static const char root[] = "<COLLADA";
    enum { LOOKED_AT = 1 << 14 }; /* bytes in which the root begins */
    psb_scan s = {.begin = data, .at = data, .end = data + size};
    psb_scan_take(&s, "\xef\xbb\xbf");
    return psb_scan_next(&s) && *s.at == '<' &&
                   memmem(data, size < LOOKED_AT ? size : LOOKED_AT, root, sizeof root - 1) != NULL
               ? PSB_SURE
               : PSB_UNLIKE;
}

const psb_mesh_format psb_format_collada = {
    .name = "COLLADA",
    .endings = {"dae"},
    .looks_like = looks_like,
    .parse = parse,
};
