/*
 * Tests that equal geometry has equal rows in every format, with files written by code of this
 * test, not psbench's. Models are ten of the Princeton Shape Benchmark's if PSB_DIR is set, else
 * built-in ones.
 */
#include "core/text.h"
#include "descriptors/descriptor.h"
#include "io/dataset.h"
#include "io/format.h"
#include "support/mesh_files.h"
#include "support/meshes.h"
#include "support/test.h"
#include "synth/synth.h"

enum { MODELS = 10, MOST_SPECS = 16, LONGEST_ROW = 16384 };

/* ---- writers --------------------------------------------------------------------------- */

static void add_bytes(psb_text *out, const void *data, size_t size, bool turned) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        char byte = (char)bytes[turned ? size - 1 - i : i];
        psb_text_add_bytes(out, &byte, 1);
    }
}

/* With the words that other programs write, and normals and texture coordinates that mean nothing.
 */
static void write_obj(const psb_mesh *mesh, psb_text *out) {
    psb_text_printf(out, "# by hand\nmtllib none.mtl\no shape\n");
    for (size_t v = 0; v < mesh->nvertices; v++) {
        const double *p = mesh->vertices + 3 * v;
        psb_text_printf(out, "v %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    psb_text_printf(out, "vn 0 0 1\nvt 0.5 0.5\nusemtl grey\ns off\n");
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *c = mesh->triangles + 3 * t;
        if (t % 2 == 0) {
            psb_text_printf(out, "f %u//1 %u/1/1 %u/1\n", c[0] + 1, c[1] + 1, c[2] + 1);
        } else {
            long long n = (long long)mesh->nvertices;
            psb_text_printf(out, "f %lld %lld \\\n %lld\n", c[0] - n, c[1] - n, c[2] - n);
        }
    }
}

static void write_ply_text(const psb_mesh *mesh, psb_text *out) {
    psb_text_printf(out,
                    "ply\nformat ascii 1.0\ncomment by hand\nelement vertex %zu\n"
                    "property float64 z\nproperty uchar red\nproperty float64 y\n"
                    "property float64 x\nelement face %zu\n"
                    "property list uchar int vertex_indices\nend_header\n",
                    mesh->nvertices, mesh->ntriangles);
    for (size_t v = 0; v < mesh->nvertices; v++) {
        const double *p = mesh->vertices + 3 * v;
        psb_text_printf(out, "%.17g 255 %.17g %.17g\n", p[2], p[1], p[0]);
    }
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *c = mesh->triangles + 3 * t;
        psb_text_printf(out, "3 %u %u %u\n", c[0], c[1], c[2]);
    }
}

static void write_ply_binary(const psb_mesh *mesh, bool big, psb_text *out) {
    psb_text_printf(out,
                    "ply\nformat binary_%s_endian 1.0\nelement vertex %zu\nproperty double x\n"
                    "property double y\nproperty double z\nproperty short flags\nelement face %zu\n"
                    "property uchar kind\nproperty list ushort uint vertex_index\nend_header\n",
                    big ? "big" : "little", mesh->nvertices, mesh->ntriangles);
    const uint16_t flags = 7, corners = 3;
    for (size_t v = 0; v < mesh->nvertices; v++) {
        for (size_t k = 0; k < 3; k++) {
            add_bytes(out, &mesh->vertices[3 * v + k], sizeof(double), big);
        }
        add_bytes(out, &flags, sizeof flags, big);
    }
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        psb_text_add_bytes(out, "k", 1);
        add_bytes(out, &corners, sizeof corners, big);
        for (size_t c = 0; c < 3; c++) {
            add_bytes(out, &mesh->triangles[3 * t + c], sizeof(uint32_t), big);
        }
    }
}

static void write_ply_little(const psb_mesh *mesh, psb_text *out) {
    write_ply_binary(mesh, false, out);
}

static void write_ply_big(const psb_mesh *mesh, psb_text *out) {
    write_ply_binary(mesh, true, out);
}

static void write_stl_text(const psb_mesh *mesh, psb_text *out) {
    psb_text_printf(out, "solid by hand\n");
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        psb_text_printf(out, "facet normal 0 0 0\nouter loop\n");
        for (size_t c = 0; c < 3; c++) {
            const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + c];
            psb_text_printf(out, "vertex %.17g %.17g %.17g\n", p[0], p[1], p[2]);
        }
        psb_text_printf(out, "endloop\nendfacet\n");
    }
    psb_text_printf(out, "endsolid by hand\n");
}

static void write_stl_binary(const psb_mesh *mesh, psb_text *out) {
    static const char head[80] = "solid by hand", rest[12];
    uint32_t n = (uint32_t)mesh->ntriangles;
    psb_text_add_bytes(out, head, sizeof head);
    add_bytes(out, &n, sizeof n, false);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        psb_text_add_bytes(out, rest, sizeof rest);
        for (size_t i = 0; i < 9; i++) {
            float value = (float)mesh->vertices[3 * (size_t)mesh->triangles[3 * t + i / 3] + i % 3];
            add_bytes(out, &value, sizeof value, false);
        }
        psb_text_add_bytes(out, rest, 2);
    }
}

/* The host of these tests has little-endian numbers, as all have that psbench is built for. */
static const struct {
    const char *name;
    void (*write)(const psb_mesh *mesh, psb_text *out);
    bool same_mesh; /* the very bytes; else only equal corners */
    bool rounds;    /* to single precision */
} writers[] = {
    {"OBJ", write_obj, true, false},
    {"PLY, text", write_ply_text, true, false},
    {"PLY, little-endian", write_ply_little, true, false},
    {"PLY, big-endian", write_ply_big, true, false},
    {"STL, text", write_stl_text, false, false},
    {"STL, binary", write_stl_binary, false, true},
};

/* ---- rows ------------------------------------------------------------------------------ */

typedef struct describer {
    psb_tables *tables;
    psb_shape *shape;
    psb_spec **specs;
    size_t nspecs;
} describer;

typedef struct rows {
    float row[MOST_SPECS][LONGEST_ROW];
} rows;

static void describe(const describer *d, const psb_mesh *mesh, rows *out) {
    memset(out, 0, sizeof *out);
    assert_int_equal(psb_shape_load(d->shape, mesh, "shape", NULL), PSB_OK);
    for (size_t s = 0; s < d->nspecs; s++) {
        assert_true(psb_spec_row_bytes(d->specs[s]) <= sizeof out->row[s]);
        assert_int_equal(psb_shape_describe(d->shape, d->specs[s], out->row[s], NULL), PSB_OK);
    }
}

/* Largest difference, in parts of the largest number. */
static double difference(const float *a, const float *b, size_t n) {
    double worst = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
        largest = fmax(largest, fabs((double)b[i]));
    }
    return largest > 0 ? worst / largest : worst;
}

/*
 * Rows of a shape whose seams were welded: sums over vertices and triangles end in other last
 * digits. Not for D2: it picks points by sums of areas, so that the last digit moves one to the
 * next triangle, and its distance from bin to bin; nor for the light field, whose pixels are whole.
 */
static void compare_welded(const describer *d, const char *what, const rows *a, const rows *b) {
    for (size_t s = 0; s < d->nspecs; s++) {
        const char *name = psb_spec_label(d->specs[s]);
        if (strcmp(name, "D2") != 0 && psb_spec_element(d->specs[s]) == PSB_FLOAT32) {
            double apart = difference(a->row[s], b->row[s], psb_spec_length(d->specs[s]));
            if (apart > 1e-4) {
                fail_msg("%s of %s: %g apart", name, what, apart);
            }
        }
    }
}

static void check_model(const describer *d, const char *name, const psb_mesh *mesh) {
    static rows expected, rounded, found;
    psb_mesh floats = test_copy(mesh);
    for (size_t i = 0; i < 3 * mesh->nvertices; i++) {
        floats.vertices[i] = (double)(float)mesh->vertices[i];
    }
    describe(d, mesh, &expected);
    describe(d, &floats, &rounded);
    psb_mesh_free(&floats);
    for (size_t w = 0; w < sizeof writers / sizeof writers[0]; w++) {
        psb_text file = {0};
        psb_mesh_buffer buffer = {0};
        psb_error error;
        writers[w].write(mesh, &file);
        assert_false(file.failed);
        if (psb_mesh_parse(name, file.data, file.length, &buffer, &error) != PSB_OK) {
            fail_msg("%s: %s", writers[w].name, error.message);
        }
        assert_int_equal(buffer.mesh.ntriangles, mesh->ntriangles);
        describe(d, &buffer.mesh, &found);
        if (writers[w].same_mesh) {
            test_meshes_are_equal(&buffer.mesh, mesh);
            assert_memory_equal(&found, &expected, sizeof found);
        } else {
            char what[128];
            snprintf(what, sizeof what, "%s as %s", name, writers[w].name);
            compare_welded(d, what, &found, writers[w].rounds ? &rounded : &expected);
        }
        psb_mesh_buffer_free(&buffer);
        psb_text_free(&file);
    }
}

/* ---- models ---------------------------------------------------------------------------- */

static void read_built_in(size_t i, psb_mesh_buffer *buffer) {
    psb_text off = {0};
    assert_int_equal(psb_synth_model(PSB_SYNTH_SEED, i * 29, &off, NULL), PSB_OK);
    assert_int_equal(psb_mesh_parse("built-in", off.data, off.length, buffer, NULL), PSB_OK);
    psb_text_free(&off);
}

static void read_real(const char *folder, size_t i, psb_mesh_buffer *buffer) {
    char db[4096], id[8];
    char *path = NULL;
    snprintf(db, sizeof db, "%s/db", folder);
    snprintf(id, sizeof id, "%zu", 30 + 181 * i);
    assert_int_equal(psb_dataset_find(NULL, db, id, &path, NULL), PSB_OK);
    assert_non_null(path);
    assert_int_equal(psb_mesh_load(NULL, path, buffer, NULL), PSB_OK);
    free(path);
}

static void equal_shapes_have_equal_rows(void **state) {
    (void)state;
    const char *folder = getenv("PSB_DIR");
    describer d;
    psb_mesh_buffer buffer = {0};
    assert_int_equal(psb_tables_new(&d.tables, NULL), PSB_OK);
    assert_int_equal(psb_shape_new(d.tables, &d.shape, NULL), PSB_OK);
    assert_int_equal(psb_spec_parse_list(NULL, "all", &d.specs, &d.nspecs, NULL), PSB_OK);
    assert_true(d.nspecs <= MOST_SPECS);
    for (size_t i = 0; i < MODELS; i++) {
        char name[32];
        snprintf(name, sizeof name, "model %zu", i);
        if (folder != NULL) {
            read_real(folder, i, &buffer);
        } else {
            read_built_in(i, &buffer);
        }
        check_model(&d, name, &buffer.mesh);
    }
    psb_mesh_buffer_free(&buffer);
    for (size_t s = 0; s < d.nspecs; s++) {
        psb_spec_free(d.specs[s]);
    }
    free(d.specs);
    psb_shape_free(d.shape);
    psb_tables_free(d.tables);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_shapes_have_equal_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
