/*
 * glTF 2.0: text (.gltf) whose buffers are data URIs or files beside it, and binary files (.glb)
 * of the same text and one buffer. The source is Khronos' specification of glTF 2.0, section 3 and
 * section 4 (GLB); positions of integers are KHR_mesh_quantization's, instances of a node's mesh
 * EXT_mesh_gpu_instancing's.
 *
 * The triangles, strips and fans of a scene's meshes are placed wherever a node says, and corners
 * that are equal after that are one vertex: glTF repeats a vertex where a normal or a texture has a
 * seam. Points, lines, materials, skins, morph targets and all else are left alone. The scene is
 * the one that the file names, else the first; where there is none, all nodes count.
 *
 * Nothing that the text says is believed. Each accessor, view and buffer is checked once, when it
 * is needed for the first time, and elements are then read where they lie. A node is visited once,
 * so that cycles and shared children are errors and no depth is too deep. What instances make of a
 * short file is limited (psb_scene_most).
 */
#include "core/memory.h"
#include "io/name.h"
#include "io/scalar.h"
#include "io/scene.h"
#include "io/siblings.h"

#include <cJSON.h>
#include <math.h>

/* ---- the document ---------------------------------------------------------------------- */

typedef enum kind { BUFFERS, VIEWS, ACCESSORS, MESHES, NODES, SCENES, KINDS } kind;

static const struct {
    const char *all, *one;
} kinds[KINDS] = {
    [BUFFERS] = {"buffers", "buffer"},
    [VIEWS] = {"bufferViews", "bufferView"},
    [ACCESSORS] = {"accessors", "accessor"},
    [MESHES] = {"meshes", "mesh"},
    [NODES] = {"nodes", "node"},
    [SCENES] = {"scenes", "scene"},
};

/* One of them, or an object within: what members are read of, and what messages name. */
typedef struct item {
    kind kind;
    size_t number;
    const cJSON *json;
} item;

/* Memory of a buffer, or the slice of it that a bufferView selects. */
typedef struct bytes {
    bool known;
    const char *at;
    size_t size, stride; /* `stride` of a view; 0: elements stand close */
    psb_buffer memory;   /* of a buffer that is not in the file itself */
} bytes;

/* Elements in a view: the first, and the bytes from each to the next. */
typedef struct elements {
    const char *at;
    size_t stride;
} elements;

typedef struct accessor {
    bool known, normalized;
    size_t components; /* numbers of an element */
    psb_scalar type;
    size_t count;
    elements dense; /* `at` is NULL where all are zeros but for the sparse ones */
    /* Elements that others take the place of, by ascending number. */
    size_t nsparse;
    psb_scalar number_type;
    elements numbers, others;
} accessor;

/* A primitive that Draco packed. */
typedef struct packed {
    psb_unpacked memory;
    accessor positions, indices;
} packed;

typedef enum mode { TRIANGLES = 4, STRIP, FAN } mode;

typedef struct primitive {
    const accessor *positions, *indices; /* `indices` may be NULL */
    mode mode;
    size_t triangles;
} primitive;

/* Those of a mesh that have triangles. */
typedef struct mesh {
    bool known;
    size_t first, count;
} mesh;

typedef struct visit {
    size_t node;
    psb_placement outer;
} visit;

typedef struct reader {
    psb_scan *scan;
    psb_mesh_buffer *out;
    psb_siblings siblings;
    const char *chunk; /* the buffer of a binary file; NULL: none */
    size_t chunk_size;
    cJSON *root;
    const cJSON **items[KINDS];
    size_t count[KINDS];
    bytes *buffers, *views;
    accessor *accessors;
    mesh *meshes;
    PSB_ARRAY(primitive) primitives;
    PSB_ARRAY(packed *) packed;
    bool *seen; /* of each node: something has named it */
    PSB_ARRAY(visit) visits;
    size_t sparse;   /* elements of all sparse accessors */
    psb_scene scene; /* its `bytes`: of the file and of all buffers so far */
} reader;

static const size_t none = SIZE_MAX;
static const char instancing[] = "EXT_mesh_gpu_instancing";
static const char draco[] = "KHR_draco_mesh_compression";

#define FAIL(r, of, format, ...)                                                                   \
    PSB_SCAN_FAIL((r)->scan, "%s %zu " format, kinds[(of)->kind].one, (of)->number, __VA_ARGS__)

static const cJSON *member(const cJSON *object, const char *name) {
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

static bool is_whole(const cJSON *number, size_t *value) {
    static const double most = 9007199254740992.0; /* 2^53 */
    double real = cJSON_IsNumber(number) ? number->valuedouble : -1;
    bool fits = real >= 0 && real <= most && real == (double)(uint64_t)real;
    *value = fits ? (size_t)real : none;
    return fits;
}

/* A whole number; `default_value` where there is no such member. */
static psb_status read_whole(const reader *r, const item *of, const char *name,
                             size_t default_value, size_t *value) {
    const cJSON *number = member(of->json, name);
    *value = default_value;
    return number == NULL || is_whole(number, value)
               ? PSB_OK
               : FAIL(r, of, "has a '%s' that is no whole number from 0 on", name);
}

static psb_status need_whole(const reader *r, const item *of, const char *name, size_t *value) {
    psb_status status = read_whole(r, of, name, none, value);
    return status != PSB_OK || *value != none ? status : FAIL(r, of, "has no '%s'", name);
}

/* The number of another item; `none` where there is no such member. */
static psb_status read_reference(const reader *r, const item *of, const char *name, kind to,
                                 size_t *number) {
    psb_status status = read_whole(r, of, name, none, number);
    return status != PSB_OK || *number == none || *number < r->count[to]
               ? status
               : FAIL(r, of, "names %s %zu, but the file has %zu", kinds[to].one, *number,
                      r->count[to]);
}

static psb_status need_reference(const reader *r, const item *of, const char *name, kind to,
                                 size_t *number) {
    psb_status status = read_reference(r, of, name, to, number);
    return status != PSB_OK || *number != none ? status : FAIL(r, of, "has no '%s'", name);
}

/* So many finite numbers; *there is false where there is no such member. */
static psb_status read_numbers(const reader *r, const item *of, const char *name, int count,
                               double *numbers, bool *there) {
    const cJSON *array = member(of->json, name), *number;
    int n = 0;
    *there = array != NULL;
    cJSON_ArrayForEach(number, array) {
        if (n == count || !cJSON_IsNumber(number) || !isfinite(number->valuedouble)) {
            n = -1;
            break;
        }
        numbers[n++] = number->valuedouble;
    }
    return array == NULL || (cJSON_IsArray(array) && n == count)
               ? PSB_OK
               : FAIL(r, of, "has a '%s' that is not %d numbers", name, count);
}

static item item_of(const reader *r, kind of, size_t number) {
    return (item){of, number, r->items[of][number]};
}

/* ---- buffers --------------------------------------------------------------------------- */

static int digit_of(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Base64, with or without the '=' that fill the last four digits. */
static psb_status decode(const reader *r, const item *of, const char *text, bytes *b) {
    size_t length = strlen(text), n = 0;
    while (length > 0 && text[length - 1] == '=') {
        length--;
    }
    psb_status status =
        psb_buffer_reserve(&b->memory, length / 4 + 1, 3, "a buffer", r->scan->error);
    unsigned char *out = b->memory.data;
    uint32_t bits = 0;
    for (size_t i = 0; i < length && status == PSB_OK; i++) {
        int digit = digit_of(text[i]);
        bits = bits << 6 | ((uint32_t)digit & 63);
        if (digit < 0) {
            status = FAIL(r, of, "has a data URI with '%s' in its base64",
                          psb_quote_text(text + i).text);
        } else if (i % 4 > 0) {
            out[n++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
        }
    }
    b->at = b->memory.data;
    b->size = n;
    return status;
}

static psb_status read_beside(reader *r, const item *of, const char *uri, bytes *b) {
    PSB_AT_END(psb_text_free) psb_text name = {0};
    psb_name_decode(&name, uri);
    psb_status status = psb_text_status(&name, r->scan->error);
    bool is_name = status == PSB_OK && name.length > 0 && strlen(name.data) == name.length;
    if (is_name && r->out->aid != NULL) {
        status = r->out->aid->read(name.data, &b->at, &b->size, r->scan->error);
    } else if (is_name) {
        status = psb_siblings_read(&r->siblings, name.data, &b->at, &b->size, r->scan->error);
    }
    PSB_THEN_IF(status, b->at == NULL,
                FAIL(r, of, "is '%s', but there is no such file in the model's folder",
                     psb_quote_text(uri).text));
    /* What lies there stays longer than until the next one is read. */
    b->memory = r->siblings.memory;
    r->siblings.memory = (psb_buffer){0};
    return status;
}

static psb_status load_buffer(reader *r, const item *of, bytes *b) {
    static const char data[] = "data:", base64[] = ";base64";
    size_t size = 0;
    const cJSON *uri = member(of->json, "uri");
    const char *text = cJSON_IsString(uri) ? uri->valuestring : NULL;
    psb_status status = need_whole(r, of, "byteLength", &size);
    if (status == PSB_OK && text == NULL) {
        b->at = r->chunk;
        b->size = r->chunk_size;
        status = of->number == 0 && r->chunk != NULL
                     ? PSB_OK
                     : FAIL(r, of, "has no '%s', and the file no binary chunk for it", "uri");
    } else if (status == PSB_OK && strncmp(text, data, sizeof data - 1) == 0) {
        const char *comma = strchr(text, ',');
        const size_t tail = sizeof base64 - 1;
        status = comma != NULL && (size_t)(comma - text) >= tail &&
                         strncmp(comma - tail, base64, tail) == 0
                     ? decode(r, of, comma + 1, b)
                     : FAIL(r, of, "has a data URI without '%s,'", base64);
        r->scene.bytes += b->size;
    } else if (status == PSB_OK) {
        status = read_beside(r, of, text, b);
        r->scene.bytes += b->size;
    }
    PSB_THEN_IF(status, b->size < size,
                FAIL(r, of, "has a byteLength of %zu, but there are %zu bytes", size, b->size));
    b->size = size;
    return status;
}

static psb_status need_buffer(reader *r, size_t number, const bytes **out) {
    bytes *b = &r->buffers[number];
    item of = item_of(r, BUFFERS, number);
    psb_status status = b->known ? PSB_OK : load_buffer(r, &of, b);
    b->known = true;
    *out = b;
    return status;
}

static psb_status need_view(reader *r, size_t number, const bytes **out) {
    bytes *view = &r->views[number];
    const bytes *buffer = NULL;
    size_t offset, at;
    *out = view;
    if (view->known) {
        return PSB_OK;
    }
    item of = item_of(r, VIEWS, number);
    psb_status status = need_reference(r, &of, "buffer", BUFFERS, &at);
    PSB_THEN(status, read_whole(r, &of, "byteOffset", 0, &offset));
    PSB_THEN(status, need_whole(r, &of, "byteLength", &view->size));
    PSB_THEN(status, read_whole(r, &of, "byteStride", 0, &view->stride));
    PSB_THEN(status, need_buffer(r, at, &buffer));
    if (status == PSB_OK && (offset > buffer->size || view->size > buffer->size - offset)) {
        return FAIL(r, &of, "has %zu bytes from byte %zu on, but buffer %zu has %zu", view->size,
                    offset, at, buffer->size);
    }
    view->at = status == PSB_OK ? buffer->at + offset : NULL;
    view->known = true;
    return status;
}

/* ---- accessors ------------------------------------------------------------------------- */

/* Where `count` elements of `size` bytes lie, which `of` has by 'bufferView' and 'byteOffset'. */
static psb_status find_elements(reader *r, const item *of, size_t count, size_t size,
                                elements *out) {
    size_t number = 0, offset = 0;
    const bytes *view = NULL;
    psb_status status = need_reference(r, of, "bufferView", VIEWS, &number);
    PSB_THEN(status, read_whole(r, of, "byteOffset", 0, &offset));
    PSB_THEN(status, need_view(r, number, &view));
    if (status != PSB_OK) {
        return status;
    }
    *out = (elements){NULL, view->stride > 0 ? view->stride : size};
    if (out->stride < size) {
        return FAIL(r, of, "has elements of %zu bytes, but the byteStride of bufferView %zu is %zu",
                    size, number, out->stride);
    }
    if (offset > view->size ||
        (count > 0 &&
         (size > view->size - offset || count - 1 > (view->size - offset - size) / out->stride))) {
        return FAIL(r, of,
                    "has %zu elements of %zu bytes from byte %zu on, every %zu bytes, but "
                    "bufferView %zu has %zu bytes",
                    count, size, offset, out->stride, number, view->size);
    }
    out->at = view->at + offset;
    return PSB_OK;
}

/* Component types are numbered as psb_scalar is. */
enum { FIRST_COMPONENT = 5120 };

static psb_status read_component(const reader *r, const item *of, psb_scalar *type) {
    size_t code = 0;
    psb_status status = need_whole(r, of, "componentType", &code);
    size_t number = code - FIRST_COMPONENT;
    bool known = code >= FIRST_COMPONENT && number <= PSB_F32 && number != PSB_I32;
    *type = known ? (psb_scalar)number : PSB_U8;
    return status != PSB_OK || known ? status
                                     : FAIL(r, of, "has the unknown componentType %zu", code);
}

static bool is_index(psb_scalar type) {
    return type == PSB_U8 || type == PSB_U16 || type == PSB_U32;
}

static inline size_t integer_at(const elements *e, psb_scalar type, size_t i) {
    return (size_t)psb_load_bits(e->at + i * e->stride, psb_scalar_bytes(type), false);
}

static psb_status read_sparse(reader *r, const item *of, size_t size, accessor *a) {
    const cJSON *sparse = member(of->json, "sparse");
    const item all = {of->kind, of->number, sparse};
    const item numbers = {of->kind, of->number, member(sparse, "indices")};
    const item others = {of->kind, of->number, member(sparse, "values")};
    if (sparse == NULL) {
        return PSB_OK;
    }
    psb_status status = need_whole(r, &all, "count", &a->nsparse);
    PSB_THEN(status, read_component(r, &numbers, &a->number_type));
    if (status == PSB_OK && !is_index(a->number_type)) {
        status =
            FAIL(r, of, "has sparse indices of a componentType that %s do not have", "indices");
    }
    PSB_THEN(status,
             find_elements(r, &numbers, a->nsparse, psb_scalar_bytes(a->number_type), &a->numbers));
    PSB_THEN(status, find_elements(r, &others, a->nsparse, size, &a->others));
    PSB_THEN_IF(status, a->nsparse > psb_scene_most(&r->scene) - r->sparse,
                FAIL(r, of, "and those before have more than %zu sparse elements",
                     psb_scene_most(&r->scene)));
    r->sparse += status == PSB_OK ? a->nsparse : 0;
    for (size_t i = 0; i < a->nsparse && status == PSB_OK; i++) {
        size_t number = integer_at(&a->numbers, a->number_type, i);
        if (number >= a->count ||
            (i > 0 && number <= integer_at(&a->numbers, a->number_type, i - 1))) {
            status = FAIL(r, of,
                          "has a sparse index %zu, which is out of order or not below its %zu "
                          "elements",
                          number, a->count);
        }
    }
    return status;
}

static psb_status read_accessor(reader *r, const item *of, accessor *a) {
    const cJSON *type = member(of->json, "type");
    const char *name = cJSON_IsString(type) ? type->valuestring : "";
    size_t view = 0;
    psb_status status = need_whole(r, of, "count", &a->count);
    PSB_THEN(status, read_component(r, of, &a->type));
    PSB_THEN(status, read_reference(r, of, "bufferView", VIEWS, &view));
    a->components = strcmp(name, "SCALAR") == 0 ? 1
                    : strcmp(name, "VEC3") == 0 ? 3
                    : strcmp(name, "VEC4") == 0 ? 4
                                                : 0;
    a->normalized = cJSON_IsTrue(member(of->json, "normalized"));
    if (status == PSB_OK && a->components == 0) {
        return FAIL(r, of, "has the type '%s', expected SCALAR, VEC3 or VEC4",
                    psb_quote_text(name).text);
    }
    size_t size = a->components * psb_scalar_bytes(a->type);
    if (status == PSB_OK && view != none) {
        status = find_elements(r, of, a->count, size, &a->dense);
    } else if (status == PSB_OK && member(of->json, "sparse") == NULL) {
        status = FAIL(r, of, "has no '%s'", "bufferView");
    } else if (status == PSB_OK && a->count > r->scene.bytes) {
        status = FAIL(r, of, "has %zu elements without a bufferView, more than the file has bytes",
                      a->count);
    }
    return PSB_THEN(status, read_sparse(r, of, size, a));
}

/* Finds an accessor of so many components: one are indices, several positions or instances. */
static psb_status need_accessor(reader *r, size_t number, size_t components, const accessor **out) {
    accessor *a = &r->accessors[number];
    item of = item_of(r, ACCESSORS, number);
    psb_status status = a->known ? PSB_OK : read_accessor(r, &of, a);
    a->known = true;
    *out = a;
    PSB_THEN_IF(status, a->components != components,
                FAIL(r, &of, "is not of the type %s",
                     components == 1   ? "SCALAR, as indices are"
                     : components == 3 ? "VEC3, as positions are"
                                       : "VEC4, as rotations are"));
    PSB_THEN_IF(status, (components > 1 ? a->type == PSB_U32 : !is_index(a->type)),
                FAIL(r, &of, "has a componentType that %s do not have",
                     components == 1   ? "indices"
                     : components == 3 ? "positions"
                                       : "rotations"));
    return status;
}

/* Where an element lies. */
static inline const char *element_at(const accessor *a, size_t i) {
    static const char zeros[4 * sizeof(float)];
    size_t low = 0, high = a->nsparse;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = integer_at(&a->numbers, a->number_type, middle) < i;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    if (low < a->nsparse && integer_at(&a->numbers, a->number_type, low) == i) {
        return a->others.at + low * a->others.stride;
    }
    return a->dense.at != NULL ? a->dense.at + i * a->dense.stride : zeros;
}

static inline double coordinate_at(const accessor *a, const char *element, size_t k) {
    static const double largest[] = {127, 255, 32767, 65535};
    double value = psb_load_real(element + k * psb_scalar_bytes(a->type), a->type, false);
    if (a->normalized && a->type <= PSB_U16) {
        value /= largest[a->type];
        value = value < -1 ? -1 : value;
    }
    return value;
}

/* ---- meshes ---------------------------------------------------------------------------- */

/* Unpacks a primitive, and makes accessors of what comes out: `positions` is the number of the one
 * that says whether they are normalized. */
static psb_status unpack(reader *r, const item *of, const item *extension, size_t positions,
                         primitive *p) {
    const item attributes = {of->kind, of->number, member(extension->json, "attributes")};
    const psb_aid *aid = r->out->aid;
    const bytes *view = NULL;
    size_t number = 0, attribute = 0;
    psb_status status = need_reference(r, extension, "bufferView", VIEWS, &number);
    PSB_THEN(status, need_whole(r, &attributes, "POSITION", &attribute));
    PSB_THEN(status, need_view(r, number, &view));
    PSB_ARRAY_ROOM(&status, &r->packed, "primitives", r->scan->error);
    packed *u = psb_new_zero(&status, 1, sizeof *u, "a primitive", r->scan->error);
    if (status != PSB_OK) {
        return status;
    }
    r->packed.items[r->packed.count++] = u;
    psb_unpacked *m = &u->memory;
    status = aid->unpack(view->at, view->size, (uint32_t)attribute, m, r->scan->error);
    PSB_THEN_IF(status, m->positions == NULL,
                FAIL(r, of, "has bytes that are not as %s has them", draco));
    psb_scalar type = (psb_scalar)(m->type - FIRST_COMPONENT);
    u->positions =
        (accessor){.known = true,
                   .normalized = cJSON_IsTrue(member(r->items[ACCESSORS][positions], "normalized")),
                   .components = 3,
                   .type = type,
                   .count = m->points,
                   .dense = {m->positions, 3 * (status == PSB_OK ? psb_scalar_bytes(type) : 1)}};
    u->indices = (accessor){.known = true,
                            .components = 1,
                            .type = PSB_U32,
                            .count = 3 * m->triangles,
                            .dense = {(const char *)m->corners, sizeof *m->corners}};
    r->scene.bytes += m->points + m->triangles;
    *p = (primitive){&u->positions, &u->indices, TRIANGLES, m->triangles};
    return status;
}

static psb_status read_primitive(reader *r, const item *of, primitive *p) {
    const item attributes = {of->kind, of->number, member(of->json, "attributes")};
    size_t number = 0, positions = 0, indices = 0;
    psb_status status = read_whole(r, of, "mode", TRIANGLES, &number);
    PSB_THEN(status, read_reference(r, &attributes, "POSITION", ACCESSORS, &positions));
    PSB_THEN(status, read_reference(r, of, "indices", ACCESSORS, &indices));
    *p = (primitive){.mode = (mode)number};
    if (status == PSB_OK && number > FAN) {
        return FAIL(r, of, "has a primitive of the unknown mode %zu", number);
    }
    if (status != PSB_OK || number < TRIANGLES || positions == none) {
        return status;
    }
    const item extension = {of->kind, of->number, member(member(of->json, "extensions"), draco)};
    if (extension.json != NULL && r->out->aid != NULL && r->out->aid->unpack != NULL) {
        return unpack(r, of, &extension, positions, p);
    }
    /* Without Draco, what a file has beside it will do. */
    if (extension.json != NULL && member(r->items[ACCESSORS][positions], "bufferView") == NULL) {
        r->out->foreign = r->out->aid == NULL;
        return FAIL(
            r, of,
            "is packed by Draco (%s), which only a psbench-import that was built with it reads",
            draco);
    }
    status = need_accessor(r, positions, 3, &p->positions);
    PSB_THEN_IF(status, indices != none, need_accessor(r, indices, 1, &p->indices));
    if (status == PSB_OK) {
        size_t corners = p->indices != NULL ? p->indices->count : p->positions->count;
        p->triangles = number == TRIANGLES ? corners / 3 : corners > 2 ? corners - 2 : 0;
    }
    return status;
}

static psb_status read_mesh(reader *r, const item *of, mesh *m) {
    const cJSON *all = member(of->json, "primitives"), *json;
    psb_status status = PSB_OK;
    m->first = r->primitives.count;
    cJSON_ArrayForEach(json, all) {
        const item one = {of->kind, of->number, json};
        primitive p;
        PSB_THEN(status, read_primitive(r, &one, &p));
        if (status != PSB_OK) {
            break;
        }
        if (p.triangles > 0) {
            PSB_APPEND(&status, &r->primitives, "primitives", r->scan->error, p);
        }
    }
    m->count = r->primitives.count - m->first;
    m->known = true;
    return status;
}

/* ---- triangles ------------------------------------------------------------------------- */

/* The vertex of a position, which is placed when it is first asked for. */
static psb_status place_vertex(reader *r, const item *of, const accessor *positions,
                               size_t position, uint32_t *vertex) {
    if (position >= positions->count) {
        return FAIL(r, of, "has the index %zu, but %zu positions", position, positions->count);
    }
    if (psb_scene_has(&r->scene, position, vertex)) {
        return PSB_OK;
    }
    const char *at = element_at(positions, position);
    double from[3];
    for (size_t k = 0; k < 3; k++) {
        from[k] = coordinate_at(positions, at, k);
    }
    return psb_scene_add(&r->scene, r->scan, position, from, vertex);
}

/* The corners of triangle t, by their numbers in the primitive: section 3.7.2.1. */
static void corners_of(mode how, size_t t, size_t corner[3]) {
    size_t odd = t % 2;
    corner[0] = how == TRIANGLES ? 3 * t : how == STRIP ? t : 0;
    corner[1] = how == TRIANGLES ? 3 * t + 1 : how == STRIP ? t + 1 + odd : t + 1;
    corner[2] = how == TRIANGLES ? 3 * t + 2 : how == STRIP ? t + 2 - odd : t + 2;
}

static psb_status place_primitive(reader *r, const item *of, const primitive *p,
                                  const psb_placement *where) {
    psb_mesh *out = &r->out->mesh;
    snprintf(r->scene.what, sizeof r->scene.what, "mesh %zu", of->number);
    psb_status status =
        psb_scene_place(&r->scene, r->scan, where, p->positions->count, p->triangles);
    for (size_t t = 0; t < p->triangles && status == PSB_OK; t++) {
        size_t corner[3];
        uint32_t vertices[3] = {0};
        corners_of(p->mode, t, corner);
        for (size_t k = 0; k < 3 && status == PSB_OK; k++) {
            size_t c = k > 0 && r->scene.mirrored ? 3 - k : k; /* the order of new vertices */
            size_t position =
                p->indices == NULL
                    ? corner[c]
                    : (size_t)psb_load_bits(element_at(p->indices, corner[c]),
                                            psb_scalar_bytes(p->indices->type), false);
            status = place_vertex(r, of, p->positions, position, &vertices[c]);
        }
        PSB_THEN(status, psb_scene_triangle(&r->scene, r->scan, vertices));
    }
    out->npolygons = out->ntriangles;
    return status;
}

static psb_status place_mesh(reader *r, size_t number, const psb_placement *where) {
    mesh *m = &r->meshes[number];
    item of = item_of(r, MESHES, number);
    psb_status status = m->known ? PSB_OK : read_mesh(r, &of, m);
    for (size_t i = 0; i < m->count && status == PSB_OK; i++) {
        status = place_primitive(r, &of, &r->primitives.items[m->first + i], where);
    }
    return status;
}

/* ---- nodes ----------------------------------------------------------------------------- */

/* Where a node lies in the one above it. */
static psb_status read_placement(const reader *r, const item *of, psb_placement *p) {
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1}, m[16];
    bool there = false;
    psb_status status = read_numbers(r, of, "translation", 3, t, &there);
    PSB_THEN(status, read_numbers(r, of, "rotation", 4, q, &there));
    PSB_THEN(status, read_numbers(r, of, "scale", 3, scale, &there));
    PSB_THEN(status, read_numbers(r, of, "matrix", 16, m, &there));
    *p = psb_placement_of_parts(t, q, scale);
    for (int i = 0; i < 12 && there; i++) {
        p->m[i % 3][i / 3] = m[4 * (i / 3) + i % 3]; /* column by column */
    }
    return status;
}

/*
 * Places a node's mesh once for each instance of its EXT_mesh_gpu_instancing, each within the node;
 * once if the node has no instances.
 */
static psb_status place_instances(reader *r, const item *of, size_t number,
                                  const psb_placement *node) {
    static const struct {
        const char *name;
        size_t components;
    } parts[3] = {{"TRANSLATION", 3}, {"ROTATION", 4}, {"SCALE", 3}};
    const cJSON *extension = member(member(of->json, "extensions"), instancing);
    const item attributes = {of->kind, of->number, member(extension, "attributes")};
    const accessor *all[3] = {NULL};
    size_t count = extension != NULL ? none : 1;
    psb_status status = PSB_OK;
    for (int k = 0; k < 3 && status == PSB_OK; k++) {
        size_t at = none;
        status = read_reference(r, &attributes, parts[k].name, ACCESSORS, &at);
        PSB_THEN_IF(status, at != none, need_accessor(r, at, parts[k].components, &all[k]));
        PSB_THEN_IF(status, all[k] != NULL && count != none && count != all[k]->count,
                    FAIL(r, of, "has %zu instances, but a %s for %zu", count, parts[k].name,
                         all[k]->count));
        count = all[k] != NULL ? all[k]->count : count;
    }
    PSB_THEN_IF(status, count == none,
                FAIL(r, of, "has an %s without TRANSLATION, ROTATION and SCALE", instancing));
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        double values[3][4] = {{0}, {0, 0, 0, 1}, {1, 1, 1}};
        for (int k = 0; k < 3; k++) {
            for (size_t c = 0; all[k] != NULL && c < parts[k].components; c++) {
                values[k][c] = coordinate_at(all[k], element_at(all[k], i), c);
            }
        }
        psb_placement p = psb_placement_of_parts(values[0], values[1], values[2]);
        p = psb_placement_within(node, &p);
        status = place_mesh(r, number, &p);
    }
    return status;
}

static psb_status add_visit(reader *r, size_t node, const psb_placement *outer) {
    psb_status status = PSB_OK;
    PSB_APPEND(&status, &r->visits, "nodes", r->scan->error, (visit){node, *outer});
    return status;
}

/* Notes a list's nodes as named, each for the first time. */
static psb_status name_nodes(reader *r, const item *of, const char *name) {
    const cJSON *json;
    cJSON_ArrayForEach(json, member(of->json, name)) {
        size_t node = 0;
        if (!is_whole(json, &node) || node >= r->count[NODES]) {
            return FAIL(r, of, "names a node that is none of the file's %zu", r->count[NODES]);
        }
        if (r->seen[node]) {
            return FAIL(r, of, "names node %zu, which is named already: nodes make a tree", node);
        }
        r->seen[node] = true;
    }
    return PSB_OK;
}

/* The same, to be visited next; the last of `visits` is the first of them. */
static psb_status visit_nodes(reader *r, const item *of, const char *name,
                              const psb_placement *outer) {
    const cJSON *json, *list = member(of->json, name);
    size_t first = r->visits.count;
    psb_status status = name_nodes(r, of, name);
    for (json = list != NULL ? list->child : NULL; json != NULL && status == PSB_OK;
         json = json->next) {
        status = add_visit(r, (size_t)json->valuedouble, outer);
    }
    visit *all = r->visits.items;
    for (size_t i = first, j = r->visits.count; i + 1 < j; i++) {
        visit other = all[--j];
        all[j] = all[i];
        all[i] = other;
    }
    return status;
}

static psb_status visit_all(reader *r) {
    psb_status status = PSB_OK;
    while (status == PSB_OK && r->visits.count > 0) {
        visit next = r->visits.items[--r->visits.count];
        item of = item_of(r, NODES, next.node);
        psb_placement p;
        size_t number = 0;
        status = read_placement(r, &of, &p);
        PSB_THEN(status, read_reference(r, &of, "mesh", MESHES, &number));
        p = psb_placement_within(&next.outer, &p);
        PSB_THEN_IF(status, number != none, place_instances(r, &of, number, &p));
        PSB_THEN(status, visit_nodes(r, &of, "children", &p));
    }
    return status;
}

/* The scene's nodes, or those that no other node names. */
static psb_status visit_roots(reader *r, const psb_placement *outer) {
    const cJSON *named = member(r->root, "scene");
    size_t scene = 0;
    if (named != NULL && (!is_whole(named, &scene) || scene >= r->count[SCENES])) {
        return PSB_SCAN_FAIL(r->scan, "its 'scene' is none of the file's %zu", r->count[SCENES]);
    }
    if (r->count[SCENES] > 0) {
        item of = item_of(r, SCENES, scene);
        return visit_nodes(r, &of, "nodes", outer);
    }
    psb_status status = PSB_OK;
    for (size_t i = 0; i < r->count[NODES] && status == PSB_OK; i++) {
        item of = item_of(r, NODES, i);
        status = name_nodes(r, &of, "children");
    }
    for (size_t i = r->count[NODES]; i-- > 0 && status == PSB_OK;) {
        status = r->seen[i] ? PSB_OK : add_visit(r, i, outer);
    }
    if (status == PSB_OK) {
        memset(r->seen, 0, r->count[NODES] * sizeof *r->seen);
    }
    return status;
}

/* ---- the file -------------------------------------------------------------------------- */

/* Beginnings of names of extensions that are read, or that leave triangles where they are. */
static const char *const understood[] = {
    draco,          instancing,      "KHR_mesh_quantization",   "KHR_materials_",
    "KHR_texture_", "KHR_lights_",   "KHR_animation_",          "KHR_xmp",
    "EXT_texture_", "EXT_lights_",   "EXT_mesh_features",       "EXT_instance_features",
    "EXT_feature_", "MSFT_texture_", "EXT_structural_metadata", "CESIUM_primitive_outline",
};

static psb_status check_root(reader *r) {
    const cJSON *version = member(member(r->root, "asset"), "version"), *name;
    if (!cJSON_IsObject(r->root)) {
        return PSB_SCAN_FAIL(r->scan, "not glTF: its JSON is not an object");
    }
    if (cJSON_IsString(version) && strncmp(version->valuestring, "2.", 2) != 0) {
        r->out->foreign = version->valuestring[0] == '1';
        return PSB_SCAN_FAIL(r->scan, "glTF of version %s, but version 2 is read",
                             psb_quote_text(version->valuestring).text);
    }
    cJSON_ArrayForEach(name, member(r->root, "extensionsRequired")) {
        size_t i = 0, count = cJSON_IsString(name) ? sizeof understood / sizeof *understood : 0;
        while (i < count && strncmp(name->valuestring, understood[i], strlen(understood[i])) != 0) {
            i++;
        }
        if (i == count && count > 0) {
            return PSB_SCAN_FAIL(r->scan, "requires %s, which is not read",
                                 psb_quote_text(name->valuestring).text);
        }
    }
    return PSB_OK;
}

/*
 * Parses the text, with memory for all its values asked for before: cJSON does not say whether it
 * failed out of memory. Its own copy has a NUL behind it, for some versions of cJSON read one
 * byte too far.
 */
static psb_status parse_text(reader *r, const char *text, size_t length) {
    enum { VALUES_MOST = 1 << 23 };
    psb_scan *s = r->scan;
    size_t values = 1;
    bool in_string = false;
    for (size_t i = 0; i < length; i++) {
        values += !in_string && (text[i] == ',' || text[i] == '[' || text[i] == '{') ? 1 : 0;
        in_string = in_string != (text[i] == '"');
        i += in_string && text[i] == '\\' ? 1 : 0;
    }
    if (values > VALUES_MOST) {
        return PSB_SCAN_FAIL(s, "its JSON has more than the %d values that are allowed",
                             VALUES_MOST);
    }
    psb_status status = psb_ask_for_memory(values * (sizeof(cJSON) + 2 * sizeof(void *)) + length,
                                           "glTF's JSON", s->error);
    PSB_FREED char *copy = psb_new_text(&status, text, length, "glTF's JSON", s->error);
    const char *end = copy;
    if (status == PSB_OK) {
        r->root = cJSON_ParseWithLengthOpts(copy, length + 1, &end, false);
        s->at = text + (end - copy);
        bool more = psb_scan_next(s);
        if (r->root == NULL || more) {
            status = more ? PSB_SCAN_FAIL(s, "its JSON is broken at '%s'", psb_scan_quote(s).text)
                          : PSB_SCAN_FAIL(s, "its JSON ends too early");
        }
    }
    return status;
}

/* A binary file: its text goes to `s`, the chunk behind that is the first buffer. */
static psb_status open_binary(reader *r, psb_scan *s) {
    enum { HEAD = 12, CHUNK_HEAD = 8, JSON = 0x4E4F534A, BIN = 0x004E4942 };
    const elements head = {s->at, 4};
    size_t size = (size_t)(s->end - s->at), at = HEAD;
    s->begin = NULL;
    if (size < HEAD + CHUNK_HEAD) {
        return PSB_SCAN_FAIL(s, "a GLB file of %zu bytes, which is less than its heads have", size);
    }
    size_t version = integer_at(&head, PSB_U32, 1), whole = integer_at(&head, PSB_U32, 2);
    if (version != 2) {
        r->out->foreign = version == 1;
        return PSB_SCAN_FAIL(s, "GLB of version %zu, but version 2 is read", version);
    }
    if (whole > size || whole < HEAD + CHUNK_HEAD) {
        return PSB_SCAN_FAIL(s, "says that it has %zu bytes, but there are %zu", whole, size);
    }
    for (int chunk = 0; at + CHUNK_HEAD <= whole && chunk < 2; chunk++) {
        const elements words = {head.at + at, 4};
        size_t length = integer_at(&words, PSB_U32, 0);
        size_t type = integer_at(&words, PSB_U32, 1);
        at += CHUNK_HEAD;
        if (length > whole - at) {
            return PSB_SCAN_FAIL(s, "chunk %d has %zu bytes, but %zu are left", chunk, length,
                                 whole - at);
        }
        if (chunk == 0 && type != JSON) {
            return PSB_SCAN_FAIL(s, "its first chunk is not JSON");
        }
        if (chunk == 0) {
            s->at = head.at + at;
            s->end = s->at + length;
        } else if (type == BIN) {
            r->chunk = head.at + at;
            r->chunk_size = length;
        }
        at += length;
    }
    return PSB_OK;
}

static psb_status make_tables(reader *r) {
    psb_error *error = r->scan->error;
    psb_status status = PSB_OK;
    for (int k = 0; k < KINDS && status == PSB_OK; k++) {
        const cJSON *all = member(r->root, kinds[k].all), *one;
        size_t n = 0;
        if (all != NULL && !cJSON_IsArray(all)) {
            /* As in version 1, where the version may be a number, or missing. */
            r->out->foreign = !cJSON_IsString(member(member(r->root, "asset"), "version"));
            return PSB_SCAN_FAIL(r->scan, "its '%s' are not an array", kinds[k].all);
        }
        cJSON_ArrayForEach(one, all) {
            r->count[k]++;
        }
        r->items[k] = psb_new(&status, r->count[k], sizeof *r->items[k], kinds[k].all, error);
        for (one = all != NULL ? all->child : NULL; one != NULL && status == PSB_OK;
             one = one->next) {
            r->items[k][n++] = one;
        }
    }
    r->buffers = psb_new_zero(&status, r->count[BUFFERS], sizeof *r->buffers, "buffers", error);
    r->views = psb_new_zero(&status, r->count[VIEWS], sizeof *r->views, "views", error);
    r->accessors =
        psb_new_zero(&status, r->count[ACCESSORS], sizeof *r->accessors, "accessors", error);
    r->meshes = psb_new_zero(&status, r->count[MESHES], sizeof *r->meshes, "meshes", error);
    r->seen = psb_new_zero(&status, r->count[NODES], sizeof *r->seen, "nodes", error);
    return status;
}

static void free_reader(reader *r) {
    for (size_t i = 0; i < r->count[BUFFERS] && r->buffers != NULL; i++) {
        psb_buffer_free(&r->buffers[i].memory);
    }
    for (int k = 0; k < KINDS; k++) {
        free(r->items[k]);
    }
    free(r->buffers);
    free(r->views);
    free(r->accessors);
    free(r->meshes);
    free(r->seen);
    free(r->primitives.items);
    for (size_t i = 0; i < r->packed.count; i++) {
        free(r->packed.items[i]->memory.positions);
        free(r->packed.items[i]->memory.corners);
        free(r->packed.items[i]);
    }
    free(r->packed.items);
    free(r->visits.items);
    psb_scene_free(&r->scene);
    psb_siblings_free(&r->siblings);
    cJSON_Delete(r->root);
}

static const char magic[] = "glTF";

static psb_status parse(psb_scan *s, psb_mesh_buffer *buffer) {
    psb_scan text = *s;
    reader r = {
        .scan = s,
        .out = buffer,
        .siblings = {.archive = buffer->archive, .path = s->path, .hash = buffer->hash},
        .scene = {.bytes = (size_t)(s->end - s->at)},
    };
    bool binary = r.scene.bytes >= sizeof magic - 1 && memcmp(s->at, magic, sizeof magic - 1) == 0;
    psb_status status = binary ? open_binary(&r, &text) : PSB_OK;
    r.scan = &text;
    while (binary && text.end > text.at && text.end[-1] == '\0') {
        text.end--; /* with which some programs fill a chunk */
    }
    PSB_THEN(status, parse_text(&r, text.at, (size_t)(text.end - text.at)));
    text.begin = NULL; /* what follows is on no line */
    s->begin = NULL;
    PSB_THEN(status, check_root(&r));
    PSB_THEN(status, make_tables(&r));
    PSB_THEN(status, psb_scene_start(&r.scene, r.scan, buffer, r.scene.bytes));
    PSB_THEN(status, visit_roots(&r, &psb_placement_none));
    PSB_THEN(status, visit_all(&r));
    buffer->hash = r.siblings.hash;
    buffer->refers = r.siblings.count > 0;
    free_reader(&r);
    return PSB_THEN_IF(status, buffer->mesh.ntriangles == 0,
                       PSB_SCAN_FAIL(s, "an empty mesh: no node of the scene has triangles"));
}

static psb_likeness looks_like(const char *data, size_t size) {
    static const char asset[] = "\"asset\"";
    psb_scan scan = {.begin = data, .at = data, .end = data + size};
    if (psb_scan_take(&scan, magic)) {
        return PSB_SURE;
    }
    psb_scan_take(&scan, "\xef\xbb\xbf");
    return psb_scan_next(&scan) && *scan.at == '{' &&
                   memmem(scan.at, (size_t)(scan.end - scan.at), asset, sizeof asset - 1) != NULL
               ? PSB_SURE
               : PSB_UNLIKE;
}

const psb_mesh_format psb_format_gltf = {
    .name = "glTF",
    .endings = {"glb", "gltf"},
    .looks_like = looks_like,
    .parse = parse,
};
