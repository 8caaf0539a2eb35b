/*
 * Tests glTF: what files made by hand are read as, or how they are refused; random scenes against a
 * slow reference; and how many instances and values a small file may ask for.
 */
#include "core/random.h"
#include "core/text.h"
#include "io/format.h"
#include "support/files.h"
#include "support/mesh_files.h"
#include "support/test.h"

#include <math.h>

static void files_are_read(void **state) {
    (void)state;
    assert_true(test_each_file("gltf_good", ".gltf", test_mesh_reads) >= 33);
    assert_true(test_each_file("gltf_good", ".glb", test_mesh_reads) >= 5);
}

static void damaged_files_are_named(void **state) {
    (void)state;
    assert_true(test_each_file("gltf_bad", ".gltf", test_mesh_refuses) >= 75);
    assert_true(test_each_file("gltf_bad", ".glb", test_mesh_refuses) >= 11);
}

static void content_decides(void **state) {
    (void)state;
    static const char *const names[] = {"a.off", "a.stl", "a", "a.fbx", "a.vrm"};
    static const char *const files[] = {"tests/data/gltf_good/binary.glb",
                                        "tests/data/gltf_good/triangle.gltf"};
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
        size_t size;
        char *data = test_read(files[i % 2], &size);
        assert_int_equal(psb_mesh_parse(names[i / 2], data, size, &buffer, NULL), PSB_OK);
        assert_int_equal(buffer.mesh.ntriangles, 1);
        assert_false(buffer.refers);
        free(data);
    }
    psb_mesh_buffer_free(&buffer);
    assert_true(psb_mesh_may_refer("a.glb") && psb_mesh_may_refer("a.GLTF.gz"));
}

/* ---- scenes made at random ------------------------------------------------------------- */

enum { NODES = 12, MESHES = 3, POSITIONS = 20, CORNERS = 30, TRIANGLES_MOST = 2000 };

typedef struct part {
    float positions[POSITIONS][3];
    size_t corners[CORNERS];
    size_t ncorners, mode, index_bytes; /* 0 index_bytes: each position once */
} part;

typedef struct scene {
    part meshes[MESHES];
    int mesh[NODES], parent[NODES]; /* -1: none; parents come first */
    double move[NODES][3], turn[NODES][4], size[NODES][3];
    psb_text bytes, json;
} scene;

static double some(psb_random *random) {
    return (double)psb_random_below(random, 2001) / 1000.0 - 1.0;
}

static void make_scene(psb_random *random, scene *s) {
    memset(s, 0, sizeof *s);
    for (int m = 0; m < MESHES; m++) {
        part *p = &s->meshes[m];
        static const size_t sizes[] = {0, 1, 2, 4};
        p->index_bytes = sizes[psb_random_below(random, 4)];
        p->mode = 4 + psb_random_below(random, 3);
        p->ncorners = p->index_bytes == 0 ? POSITIONS : psb_random_below(random, CORNERS + 1);
        for (int i = 0; i < POSITIONS; i++) {
            for (int k = 0; k < 3; k++) {
                p->positions[i][k] = (float)some(random);
            }
        }
        for (size_t i = 0; i < p->ncorners; i++) {
            p->corners[i] = p->index_bytes == 0 ? i : psb_random_below(random, POSITIONS);
        }
    }
    for (int n = 0; n < NODES; n++) {
        s->mesh[n] = (int)psb_random_below(random, MESHES + 1) - 1;
        s->parent[n] = (int)psb_random_below(random, (uint64_t)n + 1) - 1;
        for (int k = 0; k < 4; k++) {
            s->turn[n][k] = some(random);
            s->move[n][k % 3] = 5 * some(random);
            s->size[n][k % 3] = 0.5005 + some(random); /* never 0 */
        }
    }
    s->mesh[0] = 0;
}

static void add_bytes(psb_text *bytes, uint64_t value, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char byte = (char)(value >> 8 * i);
        psb_text_add_bytes(bytes, &byte, 1);
    }
}

static void add_numbers(psb_text *json, const char *name, const double *numbers, int count) {
    psb_text_printf(json, ",\"%s\":[", name);
    for (int k = 0; k < count; k++) {
        psb_text_printf(json, "%s%.17g", k > 0 ? "," : "", numbers[k]);
    }
    psb_text_add(json, "]");
}

static void add_children(psb_text *json, const scene *s, int parent, const char *name) {
    const char *between = "";
    psb_text_printf(json, ",\"%s\":[", name);
    for (int n = 0; n < NODES; n++) {
        if (s->parent[n] == parent) {
            psb_text_printf(json, "%s%d", between, n);
            between = ",";
        }
    }
    psb_text_add(json, "]");
}

/* Two accessors for each mesh, and two views; what lies between is full of other bytes. */
static void write_parts(scene *s, psb_text *views, psb_text *accessors) {
    static const int types[] = {[1] = 5121, [2] = 5123, [4] = 5125};
    for (int m = 0; m < MESHES; m++) {
        const part *p = &s->meshes[m];
        psb_text_printf(views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteStride\":16,",
                        &","[m == 0], s -> bytes.length);
        for (int i = 0; i < 4 * POSITIONS; i++) {
            uint32_t bits = 0x7FC00000; /* NaN */
            if (i % 4 < 3) {
                memcpy(&bits, &p->positions[i / 4][i % 4], sizeof bits);
            }
            add_bytes(&s->bytes, bits, 4);
        }
        psb_text_printf(views, "\"byteLength\":%d},{\"buffer\":0,\"byteOffset\":%zu,",
                        16 * POSITIONS, s->bytes.length);
        psb_text_printf(
            accessors,
            "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},"
            "{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}",
            &","[m == 0], 2 * m, POSITIONS, 2 * m + 1,
            p->index_bytes > 0 ? types[p->index_bytes] : 5121, p->ncorners);
        for (size_t i = 0; i < p->ncorners; i++) {
            add_bytes(&s->bytes, p->corners[i], p->index_bytes);
        }
        psb_text_printf(views, "\"byteLength\":%zu}", p->ncorners * p->index_bytes);
    }
}

/* As GLB. */
static void write_scene(scene *s, psb_text *file) {
    psb_text views = {0}, accessors = {0}, *json = &s->json;
    write_parts(s, &views, &accessors);
    psb_text_add(json, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"name\":\"\"");
    add_children(json, s, -1, "nodes");
    psb_text_add(json, "}],\"nodes\":[");
    for (int n = 0; n < NODES; n++) {
        psb_text_printf(json, "%s{\"name\":\"\"", &","[n == 0]);
        add_numbers(json, "translation", s->move[n], 3);
        add_numbers(json, "rotation", s->turn[n], 4);
        add_numbers(json, "scale", s->size[n], 3);
        add_children(json, s, n, "children");
        if (s->mesh[n] >= 0) {
            psb_text_printf(json, ",\"mesh\":%d", s->mesh[n]);
        }
        psb_text_add(json, "}");
    }
    psb_text_add(json, "],\"meshes\":[");
    for (int m = 0; m < MESHES; m++) {
        psb_text_printf(json, "%s{\"primitives\":[{\"mode\":%zu,\"attributes\":{\"POSITION\":%d}",
                        &","[m == 0], s -> meshes[m].mode, 2 * m);
        if (s->meshes[m].index_bytes > 0) {
            psb_text_printf(json, ",\"indices\":%d", 2 * m + 1);
        }
        psb_text_add(json, "}]}");
    }
    psb_text_printf(json,
                    "],\"bufferViews\":[%s],\"accessors\":[%s],\"buffers\":[{\"byteLength\":%zu}]}",
                    views.data, accessors.data, s->bytes.length);
    psb_text_add(file, "glTF");
    add_bytes(file, 2, 4);
    add_bytes(file, 28 + json->length + s->bytes.length, 4);
    add_bytes(file, json->length, 4);
    psb_text_add(file, "JSON");
    psb_text_add_bytes(file, json->data, json->length);
    add_bytes(file, s->bytes.length, 4);
    psb_text_add_bytes(file, "BIN", 4);
    psb_text_add_bytes(file, s->bytes.data, s->bytes.length);
    psb_text_free(&views);
    psb_text_free(&accessors);
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

/* A point where node n has it, step by step up to the root, turned without a matrix. */
static void move_up(const scene *s, int n, double point[3]) {
    for (; n >= 0; n = s->parent[n]) {
        const double *q = s->turn[n];
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        double axis[3] = {q[0] / length, q[1] / length, q[2] / length}, once[3], twice[3];
        for (int k = 0; k < 3; k++) {
            point[k] *= s->size[n][k];
        }
        cross(axis, point, once);
        for (int k = 0; k < 3; k++) {
            once[k] += q[3] / length * point[k];
        }
        cross(axis, once, twice);
        for (int k = 0; k < 3; k++) {
            point[k] += 2 * twice[k] + s->move[n][k];
        }
    }
}

typedef struct soup {
    double corner[TRIANGLES_MOST][3][3];
    size_t count;
} soup;

/* Node n's triangles, then those of the nodes below it. */
static void gather(const scene *s, int n, bool mirrored, soup *out) {
    mirrored = mirrored != (s->size[n][0] * s->size[n][1] * s->size[n][2] < 0);
    const part *p = s->mesh[n] >= 0 ? &s->meshes[s->mesh[n]] : NULL;
    for (size_t i = 2; p != NULL && i < p->ncorners; i++) {
        size_t of[3] = {i - 2, i - 1, i};
        if (p->mode == 4 && i % 3 != 2) {
            continue;
        }
        if (p->mode == 5 && i % 2 == 1) {
            of[1] = i;
            of[2] = i - 1;
        }
        of[0] = p->mode == 6 ? 0 : of[0];
        for (int c = 0; c < 3; c++) {
            const float *from = p->positions[p->corners[of[mirrored ? (3 - c) % 3 : c]]];
            double *point = out->corner[out->count][c];
            for (int k = 0; k < 3; k++) {
                point[k] = (double)from[k];
            }
            move_up(s, n, point);
        }
        out->count++;
    }
    for (int child = 0; child < NODES; child++) {
        if (s->parent[child] == n) {
            gather(s, child, mirrored, out);
        }
    }
}

static void random_scenes_are_placed(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    soup *expected = calloc(1, sizeof *expected);
    psb_mesh_buffer buffer = {0};
    assert_true(s != NULL && expected != NULL);
    psb_random random = psb_random_seeded(1, "gltf", "scenes");
    for (int trial = 0; trial < 300; trial++) {
        psb_text file = {0};
        make_scene(&random, s);
        s->meshes[0].ncorners = s->meshes[0].ncorners > 3 ? s->meshes[0].ncorners : 3;
        write_scene(s, &file);
        expected->count = 0;
        for (int n = 0; n < NODES; n++) {
            if (s->parent[n] < 0) {
                gather(s, n, false, expected);
            }
        }
        psb_error error = {.message = ""};
        psb_status status = psb_mesh_parse("a.glb", file.data, file.length, &buffer, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(status, PSB_OK);
        assert_int_equal(buffer.mesh.ntriangles, expected->count);
        test_mesh_keeps_promises(&buffer.mesh);
        for (size_t i = 0; i < 9 * expected->count; i++) {
            uint32_t vertex = buffer.mesh.triangles[i / 3];
            double is = buffer.mesh.vertices[3 * (size_t)vertex + i % 3];
            ASSERT_NEAR(is, expected->corner[i / 9][i / 3 % 3][i % 3], 1e-9);
        }
        psb_text_free(&file);
        psb_text_free(&s->bytes);
        psb_text_free(&s->json);
    }
    psb_mesh_buffer_free(&buffer);
    free(s);
    free(expected);
}

/* ---- what small files may ask for ------------------------------------------------------ */

/* `triangles` triangles of three positions, placed by each of `nodes` nodes. */
static void many(psb_text *text, size_t triangles, size_t nodes, bool chain) {
    psb_text_add(text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (size_t i = 0; i < nodes; i++) {
        psb_text_printf(text, "%s{\"translation\":[1,0,0]", &","[i == 0]);
        if (chain && i + 1 < nodes) {
            psb_text_printf(text, ",\"children\":[%zu]}", i + 1);
        } else {
            psb_text_add(text, ",\"mesh\":0}");
        }
    }
    psb_text_printf(
        text,
        "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5121,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5121,\"count\":%zu,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":9},{\"buffer\":1,\"byteLength\":%zu}],"
        "\"buffers\":[{\"byteLength\":9,\"uri\":\"data:;base64,AAAAAQAAAAEA\"},"
        "{\"byteLength\":%zu,\"uri\":\"data:;base64,",
        3 * triangles, 3 * triangles, 3 * triangles);
    for (size_t i = 0; i < triangles; i++) {
        psb_text_add(text, "AAEC");
    }
    psb_text_add(text, "\"}]}");
    assert_false(text->failed);
}

static void no_depth_is_too_deep(void **state) {
    (void)state;
    psb_text text = {0};
    psb_mesh_buffer buffer = {0};
    many(&text, 1, 100000, true);
    assert_int_equal(psb_mesh_parse("a.gltf", text.data, text.length, &buffer, NULL), PSB_OK);
    assert_int_equal(buffer.mesh.nvertices, 3);
    assert_true(buffer.mesh.vertices[0] == 100000.0 && buffer.mesh.vertices[3] == 100001.0);
    psb_text_free(&text);
    psb_mesh_buffer_free(&buffer);
}

static void instances_are_limited(void **state) {
    (void)state;
    psb_text text = {0};
    psb_mesh_buffer buffer = {0};
    psb_error error = {.message = ""};
    many(&text, 1500, 2, false);
    assert_int_equal(psb_mesh_parse("a.gltf", text.data, text.length, &buffer, NULL), PSB_OK);
    assert_int_equal(buffer.mesh.ntriangles, 3000);
    buffer.max_faces = 2999;
    assert_int_equal(psb_mesh_parse("a.gltf", text.data, text.length, &buffer, &error),
                     PSB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "a.gltf: the polygons make more than the 2999 triangles that "
                        "are allowed");
    psb_text_free(&text);
    text = (psb_text){0};
    buffer.max_faces = 0;
    many(&text, 1500, 2797, false); /* 2^22 / 1500 = 2796.2 */
    assert_int_equal(psb_mesh_parse("a.gltf", text.data, text.length, &buffer, &error),
                     PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "a.gltf: mesh 0 makes more than 4194304 triangles"));
    test_mesh_is_empty(&buffer.mesh);
    psb_text_free(&text);
    psb_mesh_buffer_free(&buffer);
}

/* Of JSON a value takes far more memory than bytes. */
static void values_are_limited(void **state) {
    (void)state;
    enum { VALUES = 1 << 23 };
    static const char head[] = "{\"asset\":[", tail[] = "0]}";
    size_t size = sizeof head - 1 + 2 * VALUES + sizeof tail - 1;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, head, sizeof head - 1);
    for (size_t i = 0; i < VALUES; i++) {
        memcpy(text + sizeof head - 1 + 2 * i, "0,", 2);
    }
    memcpy(text + sizeof head - 1 + 2 * (size_t)VALUES, tail, sizeof tail);
    psb_mesh_buffer buffer = {0};
    psb_error error = {.message = ""};
    assert_int_equal(psb_mesh_parse("a.gltf", text, size, &buffer, &error), PSB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "a.gltf:1: its JSON has more than the 8388608 values that are allowed");
    free(text);
    psb_mesh_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),       cmocka_unit_test(damaged_files_are_named),
        cmocka_unit_test(content_decides),      cmocka_unit_test(random_scenes_are_placed),
        cmocka_unit_test(no_depth_is_too_deep), cmocka_unit_test(instances_are_limited),
        cmocka_unit_test(values_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
