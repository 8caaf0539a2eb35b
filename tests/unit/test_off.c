/* Tests OFF: every accepted variant gives the same mesh, every damaged file its own message. */
#include "core/file.h"
#include "core/text.h"
#include "io/off.h"
#include "support/files.h"
#include "support/mesh_files.h"
#include "support/test.h"

#include <sys/stat.h>

static void variants_read_alike(void **state) {
    (void)state;
    assert_true(test_each_file("off_good", ".off", test_mesh_reads) >= 40);
}

static void damaged_files_are_named(void **state) {
    (void)state;
    assert_true(test_each_file("off_bad", ".off", test_mesh_refuses) >= 55);
}

static void io_error(const char *path, const char *expected) {
    psb_mesh mesh;
    psb_error error;
    assert_int_equal(psb_mesh_read(path, &mesh, &error), PSB_ERROR_IO);
    assert_string_equal(test_without_folder(error.message, path), expected);
    test_mesh_is_empty(&mesh);
}

static void what_is_no_file_is_refused(void **state) {
    (void)state;
    io_error(test_path("absent.off"), "absent.off: cannot open: No such file or directory");
    io_error("/dev/zero", "zero: a device, where a file is wanted");
    const char *folder = test_path("folder.off");
    assert_int_equal(mkdir(folder, 0777), 0);
    io_error(folder, "folder.off: a folder, where a file is wanted");
    const char *pipe = test_path("pipe.off");
    assert_int_equal(mkfifo(pipe, 0666), 0);
    io_error(pipe, "pipe.off: a pipe (write it to a file first), where a file is wanted");
}

static const char tetrahedron[] = "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 2.5\n"
                                  "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2";

/* Copies to memory of just that size, so that a sanitizer sees every byte read beyond it. */
static psb_status parse_exact(const char *data, size_t size, psb_mesh_buffer *buffer,
                              psb_error *error) {
    char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    psb_status status = psb_off_parse("t.off", copy, size, buffer, error);
    free(copy);
    return status;
}

/* Cut anywhere, the file is refused, with a message and an empty mesh in a buffer that stays good.
 */
static void every_truncation_is_refused(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    for (size_t size = 0; size < sizeof tetrahedron - 1; size++) {
        psb_error error = {0};
        psb_status status = parse_exact(tetrahedron, size, &buffer, &error);
        /* What is left of the last index can be a number, as 2 is of 25; here it never is. */
        assert_int_equal(status, PSB_ERROR_INPUT);
        assert_true(strncmp(error.message, "t.off:", 6) == 0);
        test_mesh_is_empty(&buffer.mesh);
    }
    assert_int_equal(parse_exact(tetrahedron, sizeof tetrahedron - 1, &buffer, NULL), PSB_OK);
    assert_int_equal(buffer.mesh.ntriangles, 4);
    psb_mesh_buffer_free(&buffer);
    psb_mesh_buffer_free(NULL);
}

/* Any byte in any place: read or refused, and what is read keeps the promises of psb_mesh. */
static void every_changed_byte_is_survived(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    char text[sizeof tetrahedron];
    for (size_t i = 0; i + 1 < sizeof tetrahedron; i++) {
        memcpy(text, tetrahedron, sizeof text);
        for (int c = 0; c < 256; c++) {
            text[i] = (char)c;
            psb_error error = {0};
            psb_status status = parse_exact(text, sizeof text - 1, &buffer, &error);
            const psb_mesh *mesh = &buffer.mesh;
            if (status != PSB_OK) {
                assert_int_equal(status, PSB_ERROR_INPUT);
                test_mesh_is_empty(mesh);
                for (const char *m = error.message; *m != '\0'; m++) {
                    assert_in_range(*m, ' ', '~');
                }
                continue;
            }
            test_mesh_keeps_promises(mesh);
        }
    }
    psb_mesh_buffer_free(&buffer);
}

/* A buffer goes from model to model: large, damaged, small; each as if it were the first. */
static void buffers_are_reused(void **state) {
    (void)state;
    psb_mesh_buffer buffer = {0};
    psb_text large = {0};
    psb_text_printf(&large, "OFF 3000 1 0\n");
    for (int v = 0; v < 3000; v++) {
        psb_text_printf(&large, "%d %d 0\n", v, v * v);
    }
    psb_text_printf(&large, "3000");
    for (int v = 0; v < 3000; v++) {
        psb_text_printf(&large, " %d", v);
    }
    assert_int_equal(psb_off_parse("t.off", large.data, large.length, &buffer, NULL), PSB_OK);
    assert_int_equal(buffer.mesh.nvertices, 3000);
    assert_int_equal(buffer.mesh.ntriangles, 2998);
    assert_int_equal(buffer.mesh.npolygons, 1);
    assert_int_equal(buffer.mesh.triangles[3 * 2997], 0);
    assert_int_equal(buffer.mesh.triangles[3 * 2997 + 1], 2998);
    assert_int_equal(buffer.mesh.triangles[3 * 2997 + 2], 2999);
    const double *vertices = buffer.mesh.vertices;
    assert_int_equal(psb_off_parse("t.off", large.data, large.length / 2, &buffer, NULL),
                     PSB_ERROR_INPUT);
    test_mesh_is_empty(&buffer.mesh);
    assert_int_equal(psb_mesh_load(NULL, test_path("absent.off"), &buffer, NULL), PSB_ERROR_IO);
    test_mesh_is_empty(&buffer.mesh);
    assert_int_equal(parse_exact(tetrahedron, sizeof tetrahedron - 1, &buffer, NULL), PSB_OK);
    assert_ptr_equal(buffer.mesh.vertices, vertices);
    assert_int_equal(buffer.mesh.nvertices, 4);
    assert_int_equal(buffer.mesh.ntriangles, 4);
    psb_text_free(&large);
    psb_mesh_buffer_free(&buffer);
}

static void freeing_twice_is_allowed(void **state) {
    (void)state;
    psb_mesh mesh;
    assert_int_equal(psb_mesh_read("tests/data/off_good/plain.off", &mesh, NULL), PSB_OK);
    psb_mesh_free(&mesh);
    psb_mesh_free(&mesh);
    psb_mesh_free(NULL);
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

/* What a limit of faces refuses, at each limit that it implies, and that earlier models have no
 * say.
 */
static void limits_hold_before_memory_is_taken(void **state) {
    (void)state;
    static const char large[] = "OFF 4 2 0 0 0 0 1 0 0 0 1 0 1 1 0\n4 0 1 2 3\n3 0 1 2\n";
    const struct {
        const char *text;
        size_t limit;
        const char *message; /* NULL: it is within the limit */
    } cases[] = {
        {large, 0, NULL},
        {large, 3, NULL},
        {large, 2, "t.off:3: the polygons make more than the 2 triangles that are allowed"},
        {"OFF 3 2 0 0 0 0 1 0 0 0 1 0\n3 0 1 2\n3 0 1 2\n", 2, NULL},
        {"OFF 3 2 0 0 0 0 1 0 0 0 1 0\n3 0 1 2\n3 0 1 2\n", 1,
         "t.off:1: 2 faces, but at most 1 are allowed"},
        {large, 1, "t.off:1: 4 vertices, but at most 3 are allowed"},
    };
    psb_mesh_buffer buffer = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        psb_error error = {.message = ""};
        buffer.max_faces = cases[i].limit;
        psb_status status =
            psb_off_parse("t.off", cases[i].text, strlen(cases[i].text), &buffer, &error);
        assert_int_equal(status, cases[i].message == NULL ? PSB_OK : PSB_ERROR_INPUT);
        assert_string_equal(error.message, cases[i].message != NULL ? cases[i].message : "");
        if (status == PSB_OK) {
            size_t faces = psb_mesh_faces(&buffer.mesh);
            assert_int_equal(faces, cases[i].text == large ? 3 : 2);
        }
    }
    psb_mesh_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_hold_before_memory_is_taken),
        cmocka_unit_test(variants_read_alike),
        cmocka_unit_test(damaged_files_are_named),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_changed_byte_is_survived),
        cmocka_unit_test(buffers_are_reused),
        cmocka_unit_test(freeing_twice_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
