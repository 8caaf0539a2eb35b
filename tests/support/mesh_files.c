/* Compares meshes with text and byte by byte. */
#include "support/mesh_files.h"

#include "core/text.h"
#include "support/files.h"
#include "support/test.h"

/* Returns a mesh as text, in the form of NAME.expected. */
static char *mesh_text(const psb_mesh *mesh) {
    psb_text text = {0};
    psb_text_printf(&text, "%zu vertices\n", mesh->nvertices);
    for (size_t v = 0; v < mesh->nvertices; v++) {
        const double *p = mesh->vertices + 3 * v;
        psb_text_printf(&text, "%.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    psb_text_printf(&text, "%zu triangles\n", mesh->ntriangles);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        psb_text_printf(&text, "%u %u %u\n", v[0], v[1], v[2]);
    }
    psb_text_printf(&text, "%zu polygons\n", mesh->npolygons);
    assert_false(text.failed);
    return text.data;
}

void test_mesh_reads(const char *path, const char *expected) {
    psb_mesh mesh;
    psb_error error;
    if (psb_mesh_read(path, &mesh, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    char *text = mesh_text(&mesh);
    if (strcmp(text, expected) != 0) {
        fail_msg("%s reads as\n%s\nexpected\n%s", path, text, expected);
    }
    free(text);
    psb_mesh_free(&mesh);
}

void test_mesh_is_empty(const psb_mesh *mesh) {
    assert_int_equal(mesh->nvertices, 0);
    assert_int_equal(mesh->ntriangles, 0);
    assert_int_equal(mesh->npolygons, 0);
}

void test_mesh_refuses(const char *path, const char *expected) {
    psb_mesh mesh;
    psb_error error = {0};
    psb_status status = psb_mesh_read(path, &mesh, &error);
    const char *message = test_without_folder(error.message, path);
    size_t length = strlen(expected) - 1; /* the file ends with a line break */
    if (status != PSB_ERROR_INPUT || error.status != status || strlen(message) != length ||
        strncmp(message, expected, length) != 0) {
        fail_msg("%s: status %d and\n%s\nexpected\n%s", path, status, message, expected);
    }
    test_mesh_is_empty(&mesh);
    assert_null(mesh.vertices);
    assert_null(mesh.triangles);
    psb_mesh_free(&mesh);
    assert_int_equal(psb_mesh_read(path, &mesh, NULL), PSB_ERROR_INPUT);
}

void test_meshes_are_equal(const psb_mesh *a, const psb_mesh *b) {
    assert_int_equal(a->nvertices, b->nvertices);
    assert_int_equal(a->ntriangles, b->ntriangles);
    assert_memory_equal(a->vertices, b->vertices, 3 * a->nvertices * sizeof *a->vertices);
    assert_memory_equal(a->triangles, b->triangles, 3 * a->ntriangles * sizeof *a->triangles);
}

void test_mesh_keeps_promises(const psb_mesh *mesh) {
    assert_true(mesh->ntriangles > 0);
    for (size_t v = 0; v < 3 * mesh->nvertices; v++) {
        assert_true(isfinite(mesh->vertices[v]));
    }
    for (size_t v = 0; v < 3 * mesh->ntriangles; v++) {
        assert_true(mesh->triangles[v] < mesh->nvertices);
    }
}
