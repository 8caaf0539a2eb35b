/* Makes small meshes for the tests. */
#include "support/meshes.h"

#include "descriptors/descriptor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "out of memory in a test\n");
        exit(1);
    }
    return memory;
}

static psb_mesh empty(size_t nvertices, size_t ntriangles) {
    psb_mesh mesh = {nvertices, must(malloc(nvertices * 3 * sizeof(double))), ntriangles,
                     must(malloc(ntriangles * 3 * sizeof(uint32_t))), ntriangles};
    return mesh;
}

psb_mesh test_box(double x, double y, double z) {
    static const uint32_t faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                         {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    psb_mesh mesh = empty(8, 12);
    for (int v = 0; v < 8; v++) {
        mesh.vertices[3 * v] = (v & 1 ? 0.5 : -0.5) * x;
        mesh.vertices[3 * v + 1] = (v & 2 ? 0.5 : -0.5) * y;
        mesh.vertices[3 * v + 2] = (v & 4 ? 0.5 : -0.5) * z;
    }
    for (int f = 0; f < 6; f++) {
        const uint32_t *q = faces[f];
        const uint32_t two[6] = {q[0], q[1], q[2], q[0], q[2], q[3]};
        memcpy(mesh.triangles + 6 * f, two, sizeof two);
    }
    return mesh;
}

psb_mesh test_sphere(double radius, int rings, int segments) {
    psb_mesh mesh =
        empty((size_t)(rings + 1) * (size_t)segments, 2 * (size_t)rings * (size_t)segments);
    double *v = mesh.vertices;
    for (int r = 0; r <= rings; r++) {
        for (int s = 0; s < segments; s++) {
            double polar = M_PI * r / rings, azimuth = 2.0 * M_PI * s / segments;
            *v++ = radius * sin(polar) * cos(azimuth);
            *v++ = radius * sin(polar) * sin(azimuth);
            *v++ = radius * cos(polar);
        }
    }
    uint32_t *t = mesh.triangles;
    for (int r = 0; r < rings; r++) {
        for (int s = 0; s < segments; s++) {
            uint32_t a = (uint32_t)(r * segments + s);
            uint32_t b = (uint32_t)(r * segments + (s + 1) % segments);
            uint32_t c = a + (uint32_t)segments, d = b + (uint32_t)segments;
            const uint32_t two[6] = {a, c, b, b, c, d};
            memcpy(t, two, sizeof two);
            t += 6;
        }
    }
    return mesh;
}

psb_mesh test_blob(uint64_t seed, size_t ntriangles) {
    psb_mesh mesh = empty(3 * ntriangles, ntriangles);
    psb_random random = psb_random_seeded(seed, "blob", "test");
    for (size_t t = 0; t < ntriangles; t++) {
        double centre[3];
        for (int k = 0; k < 3; k++) {
            double u = psb_random_unit(&random);
            centre[k] = (3 - k) * u * u; /* lopsided: no two axes and no two sides alike */
        }
        for (size_t v = 0; v < 3; v++) {
            mesh.triangles[3 * t + v] = (uint32_t)(3 * t + v);
            for (size_t k = 0; k < 3; k++) {
                mesh.vertices[9 * t + 3 * v + k] = centre[k] + 0.4 * psb_random_unit(&random);
            }
        }
    }
    return mesh;
}

psb_mesh test_copy(const psb_mesh *mesh) {
    psb_mesh copy = empty(mesh->nvertices, mesh->ntriangles);
    memcpy(copy.vertices, mesh->vertices, mesh->nvertices * 3 * sizeof(double));
    memcpy(copy.triangles, mesh->triangles, mesh->ntriangles * 3 * sizeof(uint32_t));
    return copy;
}

psb_mesh test_subdivide(const psb_mesh *mesh) {
    psb_mesh fine = empty(6 * mesh->ntriangles, 4 * mesh->ntriangles);
    static const uint32_t parts[12] = {0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5};
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        for (size_t k = 0; k < 3; k++) {
            double p[3];
            for (size_t v = 0; v < 3; v++) {
                p[v] = mesh->vertices[3 * (size_t)mesh->triangles[3 * t + v] + k];
                fine.vertices[18 * t + 3 * v + k] = p[v];
            }
            for (size_t v = 0; v < 3; v++) {
                fine.vertices[18 * t + 3 * (3 + v) + k] = 0.5 * (p[v] + p[(v + 1) % 3]);
            }
        }
        for (size_t i = 0; i < 12; i++) {
            fine.triangles[12 * t + i] = (uint32_t)(6 * t) + parts[i];
        }
    }
    return fine;
}

void test_shuffle(psb_mesh *mesh, uint64_t seed) {
    psb_random random = psb_random_seeded(seed, "shuffle", "test");
    for (size_t t = mesh->ntriangles; t-- > 1;) {
        size_t other = (size_t)psb_random_below(&random, t + 1);
        uint32_t kept[3];
        memcpy(kept, mesh->triangles + 3 * t, sizeof kept);
        memcpy(mesh->triangles + 3 * t, mesh->triangles + 3 * other, sizeof kept);
        memcpy(mesh->triangles + 3 * other, kept, sizeof kept);
    }
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        uint32_t *v = mesh->triangles + 3 * t;
        uint32_t old[3] = {v[0], v[1], v[2]};
        size_t turn = (size_t)psb_random_below(&random, 3);
        size_t flip = (size_t)psb_random_below(&random, 2);
        for (size_t k = 0; k < 3; k++) {
            v[k] = old[(turn + (flip ? 3 - k : k)) % 3];
        }
    }
}

void test_transform(psb_mesh *mesh, const double matrix[3][3], const double shift[3]) {
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double p[3];
        memcpy(p, mesh->vertices + 3 * v, sizeof p);
        for (size_t i = 0; i < 3; i++) {
            mesh->vertices[3 * v + i] =
                matrix[i][0] * p[0] + matrix[i][1] * p[1] + matrix[i][2] * p[2] + shift[i];
        }
    }
}

void test_rotation(double x, double y, double z, double angle, double out[3][3]) {
    double n = sqrt(x * x + y * y + z * z), c = cos(angle), s = sin(angle);
    double u[3] = {x / n, y / n, z / n};
    double cross[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = (i == j ? c : 0.0) + s * cross[i][j] + (1.0 - c) * u[i] * u[j];
        }
    }
}

double test_row_distance(const float *a, const float *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
    }
    return sqrt(sum);
}

static void check(psb_status status, const psb_error *error) {
    if (status != PSB_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

void test_describe(const char *text, const psb_mesh *mesh, const char *id, float *row) {
    psb_error error;
    psb_tables *tables;
    psb_shape *shape;
    psb_spec *spec;
    check(psb_tables_new(&tables, &error), &error);
    check(psb_shape_new(tables, &shape, &error), &error);
    check(psb_spec_parse(NULL, text, &spec, &error), &error);
    check(psb_shape_load(shape, mesh, id, &error), &error);
    check(psb_shape_describe(shape, spec, row, &error), &error);
    psb_spec_free(spec);
    psb_shape_free(shape);
    psb_tables_free(tables);
}
