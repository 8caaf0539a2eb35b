/* Tests reading, refusing, recognising and writing meshes of every format. */
#include "core/file.h"
#include "core/text.h"
#include "io/dataset.h"
#include "io/format.h"
#include "io/gzip.h"
#include "support/files.h"
#include "support/mesh_files.h"
#include "support/test.h"

#include <zlib.h>

static void variants_read_alike(void **state) {
    (void)state;
    assert_true(test_each_file("obj_good", ".obj", test_mesh_reads) >= 20);
    assert_true(test_each_file("ply_good", ".ply", test_mesh_reads) >= 40);
    assert_true(test_each_file("stl_good", ".stl", test_mesh_reads) >= 20);
}

static void damaged_files_are_named(void **state) {
    (void)state;
    assert_true(test_each_file("obj_bad", ".obj", test_mesh_refuses) >= 35);
    assert_true(test_each_file("ply_bad", ".ply", test_mesh_refuses) >= 70);
    assert_true(test_each_file("stl_bad", ".stl", test_mesh_refuses) >= 28);
}

/* ---- which format it is ---------------------------------------------------------------- */

static const char off[] = "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
static const char counts[] = "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
static const char groups[] = "# a comment\ng one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                          "property float y\nproperty float z\nelement face 1\n"
                          "property list uchar int vertex_indices\nend_header\n"
                          "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
static const char stl[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                          "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

static psb_status parse(const char *path, const char *data, size_t size, psb_mesh_buffer *buffer,
                        psb_error *error) {
    return psb_mesh_parse(path, data, size, buffer, error);
}

/* The triangle that all of these texts are. */
static void check_triangle(const psb_mesh *mesh) {
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corners[] = {0, 1, 2};
    const psb_mesh expected = {3, (double *)(uintptr_t)vertices, 1, (uint32_t *)(uintptr_t)corners,
                               1};
    test_meshes_are_equal(mesh, &expected);
}

static void content_decides(void **state) {
    (void)state;
    static const char *const names[] = {"a.off", "a.obj", "a.ply",  "a.stl", "a",
                                        "a.glb", "a.OFF", "a.data", ".off",  "a.obj.gz"};
    static const char *const sure[] = {off, obj, ply, stl};
    psb_mesh_buffer buffer = {0};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        for (size_t t = 0; t < sizeof sure / sizeof sure[0]; t++) {
            psb_error error = {.message = ""};
            psb_status status = parse(names[n], sure[t], strlen(sure[t]), &buffer, &error);
            assert_string_equal(error.message, "");
            assert_int_equal(status, PSB_OK);
            check_triangle(&buffer.mesh);
        }
    }
    /* These two begin as other formats may, and are taken for what they are all the same. */
    assert_int_equal(parse("a", counts, strlen(counts), &buffer, NULL), PSB_OK);
    check_triangle(&buffer.mesh);
    assert_int_equal(parse("a.obj", counts, strlen(counts), &buffer, NULL), PSB_OK);
    assert_int_equal(parse("a.off", groups, strlen(groups), &buffer, NULL), PSB_OK);
    psb_mesh_buffer_free(&buffer);
}

static void refused(const char *path, const char *data, size_t size, const char *message) {
    psb_mesh_buffer buffer = {0};
    psb_error error = {.message = ""};
    assert_int_equal(parse(path, data, size, &buffer, &error), PSB_ERROR_INPUT);
    assert_string_equal(error.message, message);
    test_mesh_is_empty(&buffer.mesh);
    psb_mesh_buffer_free(&buffer);
}

#define FORMATS "; want OFF, OBJ, PLY, STL, glTF, 3MF, COLLADA or another of docs/formats.md"

static void the_name_decides_where_content_does_not(void **state) {
    (void)state;
    refused("a", "", 0, "a: not a mesh: the file is empty");
    refused("a", "\n x y", 5, "a:2: not a mesh of a known format: it starts with 'x'" FORMATS);
    refused("a.off", "x y", 3, "a.off:1: not an OFF file: it starts with 'x'");
    refused("a.Obj", "x y", 3, "a.Obj:1: an empty mesh: the file has no faces");
    refused("a.ply", "x y", 3, "a.ply:1: not a PLY file: it does not begin with 'ply'");
    refused("a.off", "f 0 1 2", 7, "a.off:1: face index 0, but vertices count from 1");
    refused("/x.y/off", "x y", 3,
            "/x.y/off:1: not a mesh of a known format: it starts with 'x'" FORMATS);
    static const char *const vtk[] = {"# vtk DataFile Version 3.0\nx\nASCII\n",
                                      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">"};
    for (int form = 0; form < 2; form++) {
        refused(form == 0 ? "a.vtk" : "a.vtp", vtk[form], strlen(vtk[form]),
                form == 0 ? "a.vtk: a file of VTK, which is not read: save its surface as PLY or "
                            "STL, as ParaView, 'meshio convert' and PyVista do"
                          : "a.vtp: a file of VTK, which is not read: save its surface as PLY or "
                            "STL, as ParaView, 'meshio convert' and PyVista do");
    }
}

static void endings_are_found_and_left_out(void **state) {
    (void)state;
    assert_int_equal(psb_mesh_stem("db/m1.off"), 5);
    assert_int_equal(psb_mesh_stem("db.x/m1.obj.GZ"), 7);
    assert_int_equal(psb_mesh_stem("db.x/m1"), 7);
    assert_int_equal(psb_mesh_stem("db.x/.off"), 9);
    assert_string_equal(psb_mesh_ending_at(0), "off");
    size_t n = 0;
    while (psb_mesh_ending_at(n) != NULL) {
        n++;
    }
    assert_true(n > 40);
}

/* The file of an id has any ending; OFF comes first. */
static void models_are_found_by_id(void **state) {
    (void)state;
    const char *folder = test_folder();
    char *path;
    test_write("7.stl.gz", "x", 1);
    assert_int_equal(psb_dataset_find(NULL, folder, "7", &path, NULL), PSB_OK);
    assert_string_equal(path, test_path("7.stl.gz"));
    free(path);
    test_write("m7.glb", "x", 1);
    test_write("m7.obj", "x", 1);
    assert_int_equal(psb_dataset_find(NULL, folder, "7", &path, NULL), PSB_OK);
    assert_string_equal(path, test_path("m7.obj"));
    free(path);
    test_write("7.off", "x", 1);
    assert_int_equal(psb_dataset_find(NULL, folder, "7", &path, NULL), PSB_OK);
    assert_string_equal(path, test_path("7.off"));
    free(path);
    assert_int_equal(psb_dataset_find(NULL, folder, "8", &path, NULL), PSB_OK);
    assert_null(path);
}

/* ---- limits ---------------------------------------------------------------------------- */

/* Two triangles of four vertices: within a limit of two, beyond one of one. */
static void limits_hold_for_every_format(void **state) {
    (void)state;
    const double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const uint32_t corners[] = {0, 1, 2, 0, 2, 3};
    const psb_mesh mesh = {4, (double *)(uintptr_t)square, 2, (uint32_t *)(uintptr_t)corners, 2};
    static const char *const names[] = {"a.off", "a.obj", "a.ply", "a.stl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        psb_mesh_buffer buffer = {.max_faces = 2};
        psb_error error = {.message = ""};
        assert_int_equal(psb_mesh_write(test_path(names[i]), &mesh, PSB_PRESET, false, NULL),
                         PSB_OK);
        assert_int_equal(psb_mesh_load(NULL, test_path(names[i]), &buffer, NULL), PSB_OK);
        test_meshes_are_equal(&buffer.mesh, &mesh);
        /* A buffer that has the memory already is limited all the same. */
        buffer.max_faces = 1;
        assert_int_equal(psb_mesh_load(NULL, test_path(names[i]), &buffer, &error),
                         PSB_ERROR_INPUT);
        assert_non_null(strstr(error.message, " allowed"));
        test_mesh_is_empty(&buffer.mesh);
        psb_mesh_buffer_free(&buffer);
    }
    /* Faces that make no triangles count as well. */
    static const char faces[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1\nf 1\n";
    psb_mesh_buffer buffer = {.max_faces = 2};
    psb_error error;
    assert_int_equal(parse("a.obj", faces, strlen(faces), &buffer, &error), PSB_ERROR_INPUT);
    assert_string_equal(error.message, "a.obj:6: 3 faces, but at most 2 are allowed");
    psb_mesh_buffer_free(&buffer);
}

/* ---- gzip ------------------------------------------------------------------------------ */

typedef struct packed {
    unsigned char data[1 << 20];
    size_t size;
} packed;

static packed *pack(const char *data, size_t size) {
    packed *p = calloc(1, sizeof *p);
    assert_non_null(p);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
    z.next_out = p->data;
    z.avail_out = sizeof p->data;
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    p->size = z.total_out;
    deflateEnd(&z);
    return p;
}

static void packed_files_are_read(void **state) {
    (void)state;
    static const char *const texts[] = {off, counts, obj, ply, stl};
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        packed *p = pack(texts[i], strlen(texts[i]));
        assert_int_equal(parse("a", (const char *)p->data, p->size, &buffer, NULL), PSB_OK);
        check_triangle(&buffer.mesh);
        free(p);
    }
    /* Joined files are one; lines are those of the text. */
    packed *one = pack(off, 10), *two = pack(off + 10, strlen(off) - 10 - 3);
    memcpy(one->data + one->size, two->data, two->size);
    psb_error error;
    assert_int_equal(parse("a.off.gz", (char *)one->data, one->size + two->size, &buffer, &error),
                     PSB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "a.off.gz:5: a face has 3 corners, but only 4 bytes are left");
    free(one);
    free(two);
    psb_mesh_buffer_free(&buffer);
}

static void damaged_packed_files_are_refused(void **state) {
    (void)state;
    packed *p = pack(ply, strlen(ply));
    for (size_t size = 2; size < p->size; size++) {
        /* What stands in the place of its size, four bytes, may say anything. */
        const char *bytes = (const char *)p->data;
        bool much = size >= 4 && psb_gzip_most(bytes + size - 4, size, SIZE_MAX) == 0;
        refused("a.ply.gz", bytes, size,
                much ? "a.ply.gz: says that it unpacks to more than the 67108864 bytes that are "
                       "allowed, or is damaged"
                     : "a.ply.gz: the packed file ends too early");
    }
    p->data[p->size - 8] ^= 1; /* of the checksum */
    refused("a.ply.gz", (const char *)p->data, p->size,
            "a.ply.gz: cannot be unpacked: incorrect data check");
    free(p);
}

/* What unpacks to a thousand times its size takes no memory for that. */
static void bombs_are_refused(void **state) {
    (void)state;
    const size_t size = (size_t)80 << 20;
    char *zeros = calloc(size, 1);
    assert_non_null(zeros);
    packed *p = pack(zeros, size);
    free(zeros);
    refused(
        "a.off.gz", (const char *)p->data, p->size,
        "a.off.gz: says that it unpacks to more than the 67108864 bytes that are allowed, or is "
        "damaged");
    psb_mesh_buffer buffer = {.max_faces = 100};
    psb_error error;
    assert_int_equal(parse("a.off.gz", (const char *)p->data, p->size, &buffer, &error),
                     PSB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "a.off.gz: says that it unpacks to more than the 1074176 bytes that are "
                        "allowed, or is damaged");
    assert_int_equal(buffer.unpacked.bytes, 0);
    /* One that says less than it has takes no more memory than it may for what it says. */
    memset(p->data + p->size - 4, 0, 4);
    assert_int_equal(parse("a.off.gz", (const char *)p->data, p->size, &buffer, &error),
                     PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "unpacks to more than the"));
    assert_true(buffer.unpacked.bytes < 4 << 20);
    /* The announced bound is what may be taken. */
    test_write("bomb.off.gz", p->data, p->size);
    assert_true(psb_mesh_unpacked_most(NULL, test_path("bomb.off.gz"), p->size, SIZE_MAX) <
                4 << 20);
    psb_mesh_buffer_free(&buffer);
    free(p);
}

/* ---- writing --------------------------------------------------------------------------- */

static const double hard[] = {0.1,
                              -0.0,
                              1e-300,
                              5e-324,
                              1.7976931348623157e308,
                              1.0 / 3.0,
                              123456789.123456789,
                              0.30000000000000004,
                              -2.5e-7};
static const uint32_t hard_corners[] = {0, 1, 2, 2, 1, 0};
static const psb_mesh hard_mesh = {3, (double *)(uintptr_t)hard, 2,
                                   (uint32_t *)(uintptr_t)hard_corners, 2};

static void what_is_written_reads_the_same(void **state) {
    (void)state;
    static const struct {
        const char *name;
        psb_encoding encoding;
    } cases[] = {{"b.off", PSB_PRESET},     {"b.obj", PSB_TEXT}, {"b.ply", PSB_BINARY_LITTLE},
                 {"b.ply", PSB_BINARY_BIG}, {"b.ply", PSB_TEXT}, {"b.stl", PSB_TEXT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        psb_mesh mesh;
        const char *path = test_path(cases[i].name);
        assert_int_equal(psb_mesh_write(path, &hard_mesh, cases[i].encoding, false, NULL), PSB_OK);
        assert_int_equal(psb_mesh_read(path, &mesh, NULL), PSB_OK);
        test_meshes_are_equal(&mesh, &hard_mesh);
        psb_mesh_free(&mesh);
    }
}

static void floats_are_rounded_once(void **state) {
    (void)state;
    double vertices[9];
    for (int i = 0; i < 9; i++) {
        vertices[i] = i == 4 ? 3e38 : hard[i];
    }
    const psb_mesh mesh = {3, vertices, 2, hard_mesh.triangles, 2};
    static const psb_encoding encodings[] = {PSB_BINARY_LITTLE, PSB_BINARY_BIG, PSB_TEXT};
    for (int e = 0; e < 4; e++) {
        const char *path = test_path(e < 3 ? "c.ply" : "c.stl");
        psb_mesh read;
        assert_int_equal(psb_mesh_write(path, &mesh, encodings[e % 3], true, NULL), PSB_OK);
        assert_int_equal(psb_mesh_read(path, &read, NULL), PSB_OK);
        for (int i = 0; i < 9; i++) {
            assert_true((float)read.vertices[i] == (float)vertices[i]);
        }
        psb_mesh_free(&read);
    }
    psb_error error;
    const char *path = test_path("d.stl");
    assert_int_equal(psb_mesh_write(path, &hard_mesh, PSB_PRESET, false, &error), PSB_ERROR_INPUT);
    assert_string_equal(test_without_folder(error.message, path),
                        "d.stl: the coordinate 1.79769e+308 is too large for a float");
    assert_false(psb_is_file(path));
}

/* Floats around 10^8 are 8 apart. */
static void floats_that_lose_area_are_refused(void **state) {
    (void)state;
    double vertices[] = {0, 0, 0, 100, 0, 0, 0, 100, 0};
    uint32_t corners[] = {0, 1, 2};
    const psb_mesh mesh = {3, vertices, 1, corners, 1};
    psb_error error;
    const char *binary = test_path("g.stl"), *large = test_path("g.ply");
    assert_int_equal(psb_mesh_write(binary, &mesh, PSB_PRESET, false, NULL), PSB_OK);
    for (int i = 0; i < 9; i++) {
        vertices[i] += 1e8;
    }
    assert_int_equal(psb_mesh_write(large, &mesh, PSB_PRESET, false, NULL), PSB_OK);
    assert_int_equal(psb_mesh_write(binary, &mesh, PSB_TEXT, false, NULL), PSB_OK);
    assert_int_equal(psb_mesh_write(large, &mesh, PSB_PRESET, true, &error), PSB_ERROR_INPUT);
    assert_string_equal(test_without_folder(error.message, large),
                        "g.ply: floats are too coarse for this mesh: its area would be 4608 in the "
                        "place of 5000");
    assert_int_equal(psb_mesh_write(binary, &mesh, PSB_PRESET, false, &error), PSB_ERROR_INPUT);
}

static void what_is_not_written_is_said(void **state) {
    (void)state;
    psb_error error;
    const char *path = test_path("e.glb");
    assert_int_equal(psb_mesh_write(path, &hard_mesh, PSB_PRESET, false, &error), PSB_ERROR_USAGE);
    assert_string_equal(test_without_folder(error.message, path),
                        "e.glb: no mesh is written under this ending: want off, obj, ply or stl");
    path = test_path("e.stl");
    assert_int_equal(psb_mesh_write(path, &hard_mesh, PSB_BINARY_BIG, false, &error),
                     PSB_ERROR_USAGE);
    assert_string_equal(test_without_folder(error.message, path),
                        "e.stl: STL is not written as big-endian binary");
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_read_alike),
        cmocka_unit_test(damaged_files_are_named),
        cmocka_unit_test(content_decides),
        cmocka_unit_test(the_name_decides_where_content_does_not),
        cmocka_unit_test(endings_are_found_and_left_out),
        cmocka_unit_test(models_are_found_by_id),
        cmocka_unit_test(limits_hold_for_every_format),
        cmocka_unit_test(packed_files_are_read),
        cmocka_unit_test(damaged_packed_files_are_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(what_is_written_reads_the_same),
        cmocka_unit_test(floats_are_rounded_once),
        cmocka_unit_test(floats_that_lose_area_are_refused),
        cmocka_unit_test(what_is_not_written_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
