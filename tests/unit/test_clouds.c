/* Tests that points are read alike from every form, and that damage is an error. */
#include "io/cloud.h"
#include "io/mesh.h"
#include "support/meshes.h"
#include "support/test.h"

#include <string.h>

enum { POINTS = 5 };

static const float at[POINTS][3] = {
    {0, 0, 0}, {1, 0.5F, -2}, {0.25F, 4, 1}, {-3, 0.125F, 7}, {1e-3F, 2, 3}};
static const float normal[3] = {0.6F, 0, -0.8F};

typedef struct bytes {
    char data[2000];
    size_t size;
} bytes;

static void put(bytes *b, const void *data, size_t size) {
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_text(bytes *b, const char *text) {
    put(b, text, strlen(text));
}

/* Numbers as text, with normals if asked for, and what stands between and behind them. */
static void put_lines(bytes *b, bool normals, const char *between, const char *behind) {
    for (int i = 0; i < POINTS; i++) {
        char line[200];
        int n = snprintf(line, sizeof line, "%.9g%s%.9g%s%.9g", (double)at[i][0], between,
                         (double)at[i][1], between, (double)at[i][2]);
        put(b, line, (size_t)n);
        if (normals) {
            n = snprintf(line, sizeof line, "%s%.9g%s%.9g%s%.9g", between, (double)normal[0],
                         between, (double)normal[1], between, (double)normal[2]);
            put(b, line, (size_t)n);
        }
        put_text(b, behind);
    }
}

static psb_status parse(const char *name, const bytes *b, bool clouds, psb_mesh_buffer *buffer,
                        psb_error *error) {
    *buffer = (psb_mesh_buffer){.clouds = clouds};
    return psb_mesh_parse(name, b->data, b->size, buffer, error);
}

/* The points, and nothing else; only where clouds are asked for. */
static void check(const char *name, const bytes *b, bool normals) {
    psb_mesh_buffer buffer;
    psb_error error;
    assert_int_equal(parse(name, b, true, &buffer, &error), PSB_OK);
    assert_int_equal(buffer.mesh.nvertices, POINTS);
    assert_int_equal(buffer.mesh.ntriangles, 0);
    assert_int_equal(buffer.normals, normals);
    for (size_t i = 0; i < 3 * (size_t)POINTS; i++) {
        assert_true((float)buffer.mesh.vertices[i] == at[i / 3][i % 3]);
        if (normals) {
            ASSERT_NEAR(((const double *)buffer.directions.data)[i], normal[i % 3], 1e-6);
        }
    }
    psb_mesh_buffer_free(&buffer);
    assert_int_equal(parse(name, b, false, &buffer, &error), PSB_ERROR_INPUT);
    psb_mesh_buffer_free(&buffer);
}

static void refuse(const char *name, const bytes *b, const char *why) {
    psb_mesh_buffer buffer;
    psb_error error = {.message = ""};
    assert_int_equal(parse(name, b, true, &buffer, &error), PSB_ERROR_INPUT);
    if (strstr(error.message, why) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, why);
    }
    psb_mesh_buffer_free(&buffer);
}

static void texts(void **state) {
    (void)state;
    static const char *const between[] = {" ", ",", "\t", " ; "};
    for (size_t s = 0; s < 4; s++) {
        for (int normals = 0; normals < 2; normals++) {
            bytes b = {.size = 0};
            put_text(&b, s == 1 ? "5\n# x y z\n" : "");
            put_lines(&b, normals > 0, between[s], s == 2 ? "\r\n" : "\n");
            check(s == 1 ? "a.pts" : s == 2 ? "a.txt" : "a.xyz", &b, normals > 0);
        }
    }
    bytes colors = {.size = 0}, few = {.size = 0}, word = {.size = 0};
    put_lines(&colors, false, " ", " 255 0 17\n"); /* three numbers that are no normal */
    check("a.xyz", &colors, false);
    put_text(&few, "6\n");
    put_lines(&few, false, " ", "\n");
    refuse("a.pts", &few, "5 points, but the first line says 6");
    put_text(&word, "1 2 x\n");
    refuse("a.xyz", &word, "'x' is not a finite number");
    word.size -= 2;
    refuse("a.xyz", &word, "2 of a point's 3 coordinates");
}

static void plys(void **state) {
    (void)state;
    for (int form = 0; form < 4; form++) {
        bool binary = form & 1, normals = form & 2;
        bytes b = {.size = 0};
        put_text(&b, binary ? "ply\nformat binary_little_endian 1.0\n" : "ply\nformat ascii 1.0\n");
        put_text(&b, "element vertex 5\nproperty float x\nproperty float y\nproperty float z\n");
        put_text(&b, normals ? "property float nx\nproperty float ny\nproperty float nz\n" : "");
        put_text(&b, "end_header\n");
        if (!binary) {
            put_lines(&b, normals, " ", "\n");
        }
        for (int i = 0; i < POINTS && binary; i++) {
            put(&b, at[i], sizeof at[i]);
            put(&b, normal, normals ? sizeof normal : 0);
        }
        check("a.ply", &b, normals);
    }
}

static void arrays(void **state) {
    (void)state;
    for (int columns = 3; columns <= 6; columns += 3) {
        bytes b = {.size = 0};
        char head[200];
        snprintf(head, sizeof head, "{'descr': '<f4', 'fortran_order': False, 'shape': (5, %d), }",
                 columns);
        put(&b, "\x93NUMPY\x01\x00\x76\x00", 10);
        put(&b, head, strlen(head));
        while (b.size < 128) {
            put(&b, b.size < 127 ? " " : "\n", 1);
        }
        for (int i = 0; i < POINTS; i++) {
            put(&b, at[i], sizeof at[i]);
            put(&b, normal, columns == 6 ? sizeof normal : 0);
        }
        check("a.npy", &b, columns == 6);
        b.size -= 4;
        refuse("a.npy", &b, "bytes follow the header");
    }
}

/* The header of a PCD with a color between y and z, whose first point is not there. */
static bytes pcd(const char *data) {
    bytes b = {.size = 0};
    put_text(&b, "# .PCD v0.7\nVERSION 0.7\nFIELDS x y rgb z\nSIZE 4 4 1 4\nTYPE F F U F\n"
                 "COUNT 1 1 2 1\nWIDTH 6\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 6\nDATA ");
    put_text(&b, data);
    put_text(&b, "\n");
    return b;
}

static void pcds(void **state) {
    (void)state;
    const float none[3] = {NAN, NAN, NAN};
    bytes text = pcd("ascii"), binary = pcd("binary"), packed = pcd("binary_compressed"),
          raw = {.size = 0};
    for (int i = -1; i < POINTS; i++) {
        const float *p = i < 0 ? none : at[i];
        char line[100];
        snprintf(line, sizeof line, "%.9g %.9g 7 7 %.9g\n", (double)p[0], (double)p[1],
                 (double)p[2]);
        put_text(&text, line);
        put(&binary, p, 8);
        put(&binary, "\7\7", 2);
        put(&binary, p + 2, 4);
    }
    check("a.pcd", &text, false);
    check("a", &binary, false); /* by its content */
    for (size_t f = 0; f < 4; f++) {
        for (int i = -1; i < POINTS; i++) {
            const float *p = i < 0 ? none : at[i];
            put(&raw, f == 2 ? (const void *)"\7\7" : f == 3 ? p + 2 : p + f, f == 2 ? 2 : 4);
        }
    }
    /* Packed: literals, but for the colors, which are one byte and eleven copies of it. */
    unsigned sizes[2] = {0, (unsigned)raw.size};
    bytes lzf = {.size = 0};
    for (size_t i = 0; i < raw.size;) {
        if (i == 49) {
            put(&lzf, "\xe0\x02\x00", 3); /* 7 + 2 + 2 bytes from 1 before */
            i += 11;
        } else {
            put(&lzf, "\0", 1);
            put(&lzf, raw.data + i++, 1);
        }
    }
    sizes[0] = (unsigned)lzf.size;
    bytes whole = packed;
    put(&whole, sizes, sizeof sizes);
    put(&whole, lzf.data, lzf.size);
    check("a.pcd", &whole, false);
    for (size_t cut = 1; cut < lzf.size; cut += 9) { /* no part of it is the whole */
        bytes damaged = packed;
        sizes[0] = (unsigned)(lzf.size - cut);
        put(&damaged, sizes, sizeof sizes);
        put(&damaged, lzf.data, lzf.size - cut);
        refuse("a.pcd", &damaged, "damaged");
    }
    binary.size--;
    refuse("a.pcd", &binary, "too short for 6 points");
    bytes other = pcd("zipped");
    refuse("a.pcd", &other, "'zipped'");
}

/* Of more points each is taken as often as others; of as many all, in their order. */
static void some_are_taken(void **state) {
    (void)state;
    enum { MANY = 40, TAKEN = 10, ROUNDS = 4000 };
    double points[3 * MANY];
    size_t count[MANY] = {0};
    for (size_t i = 0; i < 3 * (size_t)MANY; i++) {
        points[i] = (double)(i / 3);
    }
    psb_random random = psb_random_seeded(1, "clouds", "test");
    psb_cloud cloud;
    psb_error error;
    assert_int_equal(psb_cloud_new(&cloud, TAKEN, false, &error), PSB_OK);
    for (int round = 0; round < ROUNDS; round++) {
        psb_cloud_take(points, NULL, MANY, &random, &cloud);
        for (size_t i = 0; i < TAKEN; i++) {
            assert_true(i == 0 || cloud.at[3 * i] > cloud.at[3 * i - 3]);
            count[(size_t)cloud.at[3 * i]]++;
        }
    }
    for (size_t i = 0; i < MANY; i++) {
        ASSERT_NEAR((double)count[i] * MANY / (ROUNDS * TAKEN), 1, 0.15);
    }
    psb_cloud_take(points, NULL, TAKEN, &random, &cloud);
    assert_memory_equal(cloud.at, points, 3 * TAKEN * sizeof *points);
    psb_cloud_free(&cloud);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts), cmocka_unit_test(plys),           cmocka_unit_test(arrays),
        cmocka_unit_test(pcds),  cmocka_unit_test(some_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
