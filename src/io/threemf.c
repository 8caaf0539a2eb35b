/*
 * 3MF packages: ZIP archives of XML. The sources are the 3MF Consortium's Core Specification 1.3
 * and its Production Extension 1.1, which lets objects lie in several parts of the package.
 *
 * The root part is the one that the package's relationships name. Each item of its build places an
 * object, which is a mesh or a list of placed objects. Pictures, materials, slices and all else
 * that leaves triangles where they are is not read; an extension that may move them is an error if
 * a part requires it. Coordinates are those of the file, whatever its unit.
 *
 * Vertices and triangles are taken while a part's XML is parsed, all else from its tree. Nothing is
 * believed: what a package unpacks to is limited as for archives, and what objects repeat by
 * io/scene.h.
 */
#include "io/gzip.h"
#include "io/name.h"
#include "io/scene.h"
#include "io/xml.h"
#include "io/zip.h"

#include <inttypes.h>
#include <math.h>

/* A mesh element's rows in the arrays of all meshes. */
typedef struct mesh {
    uint32_t element;
    size_t first_vertex, vertices, first_triangle, triangles;
} mesh;

typedef struct object {
    int64_t id;
    uint32_t element;
} object;

/* A model part of the package. */
typedef struct part {
    char *path; /* for messages */
    psb_buffer bytes;
    psb_xml xml;
    size_t first_mesh, meshes, first_object, objects;
} part;

/* A file of the package. */
typedef struct member {
    psb_zip_entry entry;
    size_t part; /* 1 + its number among the parts that were read, or 0 */
} member;

typedef struct reader {
    psb_scan *scan;
    psb_mesh_buffer *out;
    psb_zip zip;
    PSB_ARRAY(member) members; /* sorted by name */
    PSB_ARRAY(part) parts;
    PSB_ARRAY(mesh) meshes;
    PSB_ARRAY(object) objects;
    PSB_ARRAY(double) coordinates;
    PSB_ARRAY(uint32_t) corners; /* vertices by their numbers among all */
    psb_scene scene;
} reader;

/* ---- vertices and triangles, as the parser meets them ------------------------------------ */

static psb_status take_vertex(reader *r, psb_xml *xml, mesh *m, const char **attributes) {
    static const char *const names[] = {"x", "y", "z"};
    psb_status status = PSB_OK;
    for (int k = 0; k < 3 && status == PSB_OK; k++) {
        const char *text = psb_xml_pair(attributes, names[k]);
        double value = 0;
        if (!psb_xml_double(text, &value) || !isfinite(value)) {
            return PSB_SCAN_FAIL(&xml->scan, "a vertex whose %s is '%s', not a finite number",
                                 names[k], psb_quote_text(text).text);
        }
        PSB_APPEND(&status, &r->coordinates, "vertices", xml->scan.error, value);
    }
    m->vertices++;
    return status == PSB_OK && r->coordinates.count / 3 > UINT32_MAX
               ? PSB_SCAN_FAIL(&xml->scan, "more than %" PRIu32 " vertices", UINT32_MAX)
               : status;
}

static psb_status take_triangle(reader *r, psb_xml *xml, mesh *m, const char **attributes) {
    static const char *const names[] = {"v1", "v2", "v3"};
    psb_status status = PSB_OK;
    for (int k = 0; k < 3 && status == PSB_OK; k++) {
        const char *text = psb_xml_pair(attributes, names[k]);
        int64_t index = -1;
        if (!psb_xml_integer(text, &index) || index < 0 || (uint64_t)index >= m->vertices) {
            return PSB_SCAN_FAIL(&xml->scan,
                                 "a triangle whose %s is '%s', but its mesh has %zu vertices",
                                 names[k], psb_quote_text(text).text, m->vertices);
        }
        PSB_APPEND(&status, &r->corners, "triangles", xml->scan.error,
                   (uint32_t)(m->first_vertex + (size_t)index));
    }
    m->triangles++;
    return status;
}

/* The mesh that the parser is in: its elements come together. */
static mesh *mesh_at(reader *r, uint32_t element, psb_status *status) {
    const part *p = &r->parts.items[r->parts.count - 1];
    mesh *last = r->meshes.count > p->first_mesh ? &r->meshes.items[r->meshes.count - 1] : NULL;
    if (last != NULL && last->element == element) {
        return last;
    }
    PSB_ARRAY_ROOM(status, &r->meshes, "meshes", r->scan->error);
    if (*status == PSB_OK) {
        last = &r->meshes.items[r->meshes.count++];
        *last = (mesh){.element = element,
                       .first_vertex = r->coordinates.count / 3,
                       .first_triangle = r->corners.count / 3};
    }
    return last;
}

static bool take(void *context, psb_xml *xml, uint32_t parent, const char *name,
                 const char **attributes, psb_status *status) {
    reader *r = context;
    bool vertex = strcmp(name, "vertex") == 0, triangle = strcmp(name, "triangle") == 0;
    uint32_t element = xml->elements.items[parent].parent;
    if ((!vertex || !psb_xml_is(xml, parent, "vertices")) &&
        (!triangle || !psb_xml_is(xml, parent, "triangles"))) {
        return false;
    }
    if (!psb_xml_is(xml, element, "mesh")) {
        return true; /* such as the vertices of a slice */
    }
    mesh *m = mesh_at(r, element, status);
    if (*status == PSB_OK) {
        *status =
            vertex ? take_vertex(r, xml, m, attributes) : take_triangle(r, xml, m, attributes);
    }
    return true;
}

/* ---- the package's files ----------------------------------------------------------------- */

static const char *without_slash(const psb_zip_entry *entry) {
    const char *name = entry->name.data;
    return name + strspn(name, "/");
}

static int by_name(const void *a, const void *b) {
    const psb_zip_entry *x = &((const member *)a)->entry, *y = &((const member *)b)->entry;
    int order = strcasecmp(without_slash(x), without_slash(y));
    return order != 0 ? order : (x->position > y->position) - (x->position < y->position);
}

static psb_status list_members(reader *r) {
    const psb_scan *s = r->scan;
    bool more = true;
    psb_status status =
        psb_zip_open(&r->zip, s->path, -1, s->at, (uint64_t)(s->end - s->at), s->error);
    PSB_THEN(status, psb_zip_next(&r->zip, &more, s->error));
    for (; status == PSB_OK && more; status = psb_zip_next(&r->zip, &more, s->error)) {
        PSB_APPEND(&status, &r->members, "files", s->error, (member){.entry = r->zip.file});
        if (status != PSB_OK) {
            break;
        }
        r->zip.file.name = (psb_text){0};
    }
    psb_sort(r->members.items, r->members.count, sizeof *r->members.items, by_name);
    return status;
}

/* Finds a file by its name in upper or lower case, the first of several; NULL if there is none. */
static member *find_member(const reader *r, const char *name) {
    size_t low = 0, high = r->members.count;
    name += strspn(name, "/");
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = strcasecmp(without_slash(&r->members.items[middle].entry), name) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    member *found = low < r->members.count ? &r->members.items[low] : NULL;
    return found != NULL && strcasecmp(without_slash(&found->entry), name) == 0 ? found : NULL;
}

/* ---- parts ----------------------------------------------------------------------------- */

/* Fails for an extension that the part requires, unless it leaves triangles as they are. */
static psb_status check_extensions(psb_xml *xml) {
    /* Parts of the names of those. */
    static const char *const harmless[] = {"/core/", "/production/", "/material/", "/trianglesets/",
                                           "/slice/"};
    const char *required = psb_xml_attribute(xml, 0, "requiredextensions");
    psb_scan s = {.at = required, .end = required != NULL ? required + strlen(required) : NULL};
    while (required != NULL && psb_scan_next(&s)) {
        char name[64];
        bool known = false;
        const char *prefix = s.at;
        psb_quote quote = psb_scan_quote(&s);
        psb_scan_skip_token(&s);
        snprintf(name, sizeof name, "xmlns:%.*s", (int)(s.at - prefix < 40 ? s.at - prefix : 40),
                 prefix);
        const char *meaning = psb_xml_attribute(xml, 0, name);
        for (size_t i = 0; i < sizeof harmless / sizeof harmless[0] && meaning != NULL; i++) {
            known = known || strstr(meaning, harmless[i]) != NULL;
        }
        if (!known) {
            return PSB_XML_FAIL(xml, 0, "requires the extension %.150s, which is not read",
                                meaning != NULL ? meaning : quote.text);
        }
    }
    return PSB_OK;
}

static int by_id(const void *a, const void *b) {
    const object *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* A resource's id, or that of an object in an attribute of that name. */
static psb_status read_id(psb_xml *xml, uint32_t element, const char *name, int64_t *id) {
    const char *text = psb_xml_attribute(xml, element, name);
    return psb_xml_integer(text, id) && *id >= 0
               ? PSB_OK
               : PSB_XML_FAIL(xml, element, "<%s> has the %s '%s', which is no number from 0 on",
                              psb_quote_text(psb_xml_name(xml, element)).text, name,
                              psb_quote_text(text).text);
}

/* Notes the part's objects, sorted by id. */
static psb_status list_objects(reader *r, part *p) {
    psb_xml *xml = &p->xml;
    psb_status status = PSB_OK;
    uint32_t resources = psb_xml_child(xml, 0, "resources");
    p->first_object = r->objects.count;
    for (uint32_t e = resources != 0 ? psb_xml_child(xml, resources, "object") : 0;
         e != 0 && status == PSB_OK; e = psb_xml_next(xml, e, "object")) {
        object o = {.element = e};
        status = read_id(xml, e, "id", &o.id);
        PSB_APPEND(&status, &r->objects, "objects", xml->scan.error, o);
    }
    p->objects = r->objects.count - p->first_object;
    object *all = p->objects > 0 ? &r->objects.items[p->first_object] : NULL;
    psb_sort(all, p->objects, sizeof *all, by_id);
    for (size_t i = 1; i < p->objects && status == PSB_OK; i++) {
        if (all[i].id == all[i - 1].id) {
            uint32_t later =
                all[i].element > all[i - 1].element ? all[i].element : all[i - 1].element;
            status = PSB_XML_FAIL(xml, later, "a second object of the id %" PRId64, all[i].id);
        }
    }
    return status;
}

/* Unpacks a file of the package and parses it; free the part's members in any case. */
static psb_status parse_member(reader *r, const psb_zip_entry *entry, psb_xml_take *on_element,
                               part *p) {
    size_t most = psb_unpack_most((size_t)r->zip.size, psb_mesh_limit(r->out));
    psb_error *error = r->scan->error;
    if (entry->size > most - r->scene.bytes) {
        return psb_fail_at(error, PSB_ERROR_INPUT, r->scan->path, 0,
                           "unpacks to more than the %zu bytes that are allowed", most);
    }
    r->scene.bytes += (size_t)entry->size;
    psb_status status = psb_zip_unpack(&r->zip, entry, &p->bytes, error);
    p->path = psb_new_format(&status, error, "%s/%s", r->scan->path, without_slash(entry));
    if (status == PSB_OK) {
        const char *data = p->bytes.data;
        const psb_scan document = {
            .path = p->path, .at = data, .end = data + entry->size, .error = error};
        status = psb_xml_parse(&p->xml, &document, on_element, r);
    }
    return status;
}

static void free_part(part *p) {
    psb_xml_free(&p->xml);
    psb_buffer_free(&p->bytes);
    free(p->path);
}

static psb_status add_part(reader *r, member *from) {
    psb_status status = PSB_OK;
    PSB_ARRAY_ROOM(&status, &r->parts, "parts", r->scan->error);
    if (status != PSB_OK) {
        return status;
    }
    part *p = &r->parts.items[r->parts.count++];
    from->part = r->parts.count;
    *p = (part){.first_mesh = r->meshes.count};
    status = parse_member(r, &from->entry, take, p);
    p->meshes = r->meshes.count - p->first_mesh;
    PSB_THEN_IF(status, !psb_xml_is(&p->xml, 0, "model"),
                PSB_XML_FAIL(&p->xml, 0, "no 3MF model: its root is <%s>",
                             psb_quote_text(psb_xml_name(&p->xml, 0)).text));
    PSB_THEN(status, check_extensions(&p->xml));
    return PSB_THEN(status, list_objects(r, p));
}

/* Finds the part that an element names by the production extension's path, else its own; sets its
 * number. */
static psb_status find_part(reader *r, size_t own, uint32_t element, size_t *number) {
    psb_xml *xml = &r->parts.items[own].xml;
    const char *name = psb_xml_attribute(xml, element, ":path");
    *number = own;
    if (name == NULL) {
        return PSB_OK;
    }
    PSB_AT_END(psb_text_free) psb_text decoded = {0};
    psb_name_decode(&decoded, name);
    psb_status status = psb_text_status(&decoded, xml->scan.error);
    member *named = status == PSB_OK && decoded.length > 0 ? find_member(r, decoded.data) : NULL;
    if (status == PSB_OK && named == NULL) {
        return PSB_XML_FAIL(xml, element, "names the part '%s', which the package does not have",
                            psb_quote_text(name).text);
    }
    PSB_THEN_IF(status, named->part == 0, add_part(r, named));
    *number = status == PSB_OK ? named->part - 1 : own;
    return status;
}

/* ---- objects --------------------------------------------------------------------------- */

/* An element's transform: rows of a matrix that points are multiplied by from the left. */
static psb_status read_transform(psb_xml *xml, uint32_t element, psb_placement *p) {
    const char *text = psb_xml_attribute(xml, element, "transform");
    psb_scan s = {.at = text, .end = text != NULL ? text + strlen(text) : NULL};
    *p = psb_placement_none;
    for (int i = 0; i < 12 && text != NULL; i++) {
        double *number = &p->m[i % 3][i / 3];
        if (!psb_scan_next(&s) || !psb_scan_number(&s, number) || !isfinite(*number)) {
            return PSB_XML_FAIL(xml, element, "has a transform that is not 12 numbers: '%s'",
                                psb_quote_text(text).text);
        }
    }
    return text == NULL || !psb_scan_next(&s)
               ? PSB_OK
               : PSB_XML_FAIL(xml, element, "has a transform of more than 12 numbers: '%s'",
                              psb_quote_text(text).text);
}

static int by_element(const void *a, const void *b) {
    const mesh *x = a, *y = b;
    return (x->element > y->element) - (x->element < y->element);
}

static psb_status place_mesh(reader *r, const part *p, uint32_t element,
                             const psb_placement *where) {
    const mesh key = {.element = element};
    const mesh *m = p->meshes > 0 ? bsearch(&key, &r->meshes.items[p->first_mesh], p->meshes,
                                            sizeof key, by_element)
                                  : NULL;
    if (m == NULL) { /* without vertices */
        return PSB_OK;
    }
    psb_status status =
        psb_scene_place(&r->scene, &p->xml.scan, where, r->coordinates.count / 3, m->triangles);
    for (size_t t = 0; t < m->triangles && status == PSB_OK; t++) {
        uint32_t vertices[3];
        for (size_t k = 0; k < 3 && status == PSB_OK; k++) {
            size_t position = r->corners.items[3 * (m->first_triangle + t) + k];
            PSB_THEN_IF(status, !psb_scene_has(&r->scene, position, &vertices[k]),
                        psb_scene_add(&r->scene, &p->xml.scan, position,
                                      r->coordinates.items + 3 * position, &vertices[k]));
        }
        PSB_THEN(status, psb_scene_triangle(&r->scene, &p->xml.scan, vertices));
    }
    r->out->mesh.npolygons = r->out->mesh.ntriangles;
    return status;
}

static psb_status place(reader *r, size_t own, uint32_t element, const psb_placement *outer,
                        size_t depth);

static psb_status place_object(reader *r, size_t own, const object *o, const psb_placement *where,
                               size_t depth) {
    part *p = &r->parts.items[own]; /* moves where parts are added */
    uint32_t element = psb_xml_child(&p->xml, o->element, "mesh");
    snprintf(r->scene.what, sizeof r->scene.what, "object %" PRId64, o->id);
    if (element != 0) {
        psb_xml_at(&p->xml, element);
        return place_mesh(r, p, element, where);
    }
    element = psb_xml_child(&p->xml, o->element, "components");
    if (element == 0) {
        for (element = psb_xml_child(&p->xml, o->element, NULL);
             element != 0 && (psb_xml_is(&p->xml, element, "metadatagroup"));) {
            element = psb_xml_next(&p->xml, element, NULL);
        }
        return PSB_XML_FAIL(&p->xml, o->element, "object %" PRId64 " is %s%.40s, which is not read",
                            o->id, element != 0 ? "a " : "neither mesh nor components",
                            element != 0 ? psb_xml_name(&p->xml, element) : "");
    }
    psb_status status = PSB_OK;
    for (uint32_t e = psb_xml_child(&p->xml, element, "component"); e != 0 && status == PSB_OK;
         e = psb_xml_next(&r->parts.items[own].xml, e, "component")) {
        status = place(r, own, e, where, depth + 1);
    }
    return status;
}

/* Places the object that an item or a component names. */
static psb_status place(reader *r, size_t own, uint32_t element, const psb_placement *outer,
                        size_t depth) {
    psb_xml *xml = &r->parts.items[own].xml;
    psb_placement p;
    object key = {0};
    size_t number = own;
    psb_status status = psb_scene_enter(&r->scene, psb_xml_at(xml, element), depth);
    PSB_THEN(status, read_id(xml, element, "objectid", &key.id));
    PSB_THEN(status, read_transform(xml, element, &p));
    PSB_THEN(status, find_part(r, own, element, &number));
    if (status != PSB_OK) {
        return status;
    }
    const part *in = &r->parts.items[number];
    const object *found = in->objects > 0 ? bsearch(&key, r->objects.items + in->first_object,
                                                    in->objects, sizeof key, by_id)
                                          : NULL;
    if (found == NULL) {
        return PSB_XML_FAIL(&r->parts.items[own].xml, element,
                            "names object %" PRId64 ", but its part has no such object", key.id);
    }
    object copy = *found; /* objects move where parts are added */
    p = psb_placement_within(outer, &p);
    return place_object(r, number, &copy, &p, depth);
}

/* ---- the package ----------------------------------------------------------------------- */

/* Finds the part that the package's relationships call its model; *name stays as it is if they do
 * not. */
static psb_status find_root(reader *r, psb_text *name) {
    static const char type[] = "/3dmodel";
    const member *relationships = find_member(r, "_rels/.rels");
    if (relationships == NULL || relationships->entry.size == 0) {
        return PSB_OK;
    }
    part p = {0};
    psb_status status = parse_member(r, &relationships->entry, NULL, &p);
    for (uint32_t e = status == PSB_OK ? psb_xml_child(&p.xml, 0, "Relationship") : 0;
         e != 0 && name->length == 0; e = psb_xml_next(&p.xml, e, "Relationship")) {
        const char *of = psb_xml_attribute(&p.xml, e, "Type");
        const char *target = psb_xml_attribute(&p.xml, e, "Target");
        size_t length = of != NULL ? strlen(of) : 0, tail = sizeof type - 1;
        if (target != NULL && length > tail && strcmp(of + length - tail, type) == 0) {
            psb_name_decode(name, target);
        }
    }
    free_part(&p);
    return PSB_THEN(status, psb_text_status(name, r->scan->error));
}

static psb_status open_package(reader *r) {
    const psb_scan *s = r->scan;
    PSB_AT_END(psb_text_free) psb_text root = {0};
    psb_status status = list_members(r);
    PSB_THEN(status, find_root(r, &root));
    if (status == PSB_OK) {
        const char *name = root.length > 0 ? root.data : "3D/3dmodel.model";
        member *model = find_member(r, name);
        status = model != NULL ? add_part(r, model)
                               : psb_fail_at(s->error, PSB_ERROR_INPUT, s->path, 0,
                                             "no 3MF package: it has no part '%s'",
                                             psb_quote_text(name).text);
    }
    return status;
}

static psb_status place_build(reader *r) {
    psb_status status = PSB_OK;
    uint32_t build = psb_xml_child(&r->parts.items[0].xml, 0, "build");
    for (uint32_t e = build != 0 ? psb_xml_child(&r->parts.items[0].xml, build, "item") : 0;
         e != 0 && status == PSB_OK; e = psb_xml_next(&r->parts.items[0].xml, e, "item")) {
        status = place(r, 0, e, &psb_placement_none, 0);
    }
    return status;
}

static void free_reader(reader *r) {
    for (size_t i = 0; i < r->parts.count; i++) {
        free_part(&r->parts.items[i]);
    }
    for (size_t i = 0; i < r->members.count; i++) {
        psb_text_free(&r->members.items[i].entry.name);
    }
    free(r->parts.items);
    free(r->members.items);
    free(r->meshes.items);
    free(r->objects.items);
    free(r->coordinates.items);
    free(r->corners.items);
    psb_scene_free(&r->scene);
    psb_zip_close(&r->zip);
}

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    reader r = {.scan = s, .out = buffer};
    s->begin = NULL; /* what follows is on no line */
    psb_status status = psb_scene_start(&r.scene, s, buffer, 0);
    PSB_THEN(status, open_package(&r));
    PSB_THEN(status, place_build(&r));
    free_reader(&r);
    return PSB_THEN_IF(status, buffer->mesh.ntriangles == 0,
                       PSB_SCAN_FAIL(s, "an empty mesh: no item of its build has triangles"));
}

static psb_likeness looks_like(const char *data, size_t size) {
    static const char head[] = "PK\3\4";
    return size >= sizeof head - 1 && memcmp(data, head, sizeof head - 1) == 0 ? PSB_POSSIBLE
                                                                               : PSB_UNLIKE;
}

const psb_mesh_format psb_format_3mf = {
    .name = "3MF",
    .endings = {"3mf"},
    .looks_like = looks_like,
    .parse = parse,
};
