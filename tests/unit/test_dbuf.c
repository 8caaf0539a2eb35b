/* Compares DBUF with a slow renderer and the cosine transform by its definition. */
#include "descriptors/descriptor.h"
#include "distance/pose.h"
#include "local/depth_buffer.h"
#include "support/meshes.h"
#include "support/test.h"

enum { SIDE = PSB_DEPTH_SIDE, PIXELS = PSB_DEPTH_PIXELS, LENGTH = PSB_DEPTH_LENGTH };

/* A mesh's vertices in its aligned pose; free the mesh. */
static psb_mesh aligned(const psb_mesh *mesh) {
    psb_mesh out = test_copy(mesh);
    psb_tables *tables;
    psb_shape *shape;
    const double *points;
    psb_error error;
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    assert_int_equal(psb_shape_load(shape, mesh, "model", &error), PSB_OK);
    assert_int_equal(psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &points, &error),
                     PSB_OK);
    memcpy(out.vertices, points, 3 * mesh->nvertices * sizeof *points);
    psb_shape_free(shape);
    psb_tables_free(tables);
    return out;
}

/* Depth of a triangle at the image's point (x, y), by barycentric coordinates; NAN outside. */
static double depth_at(const double *const p[3], const int axes[3], double x, double y) {
    double weight[3], sum = 0, z = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = p[(k + 1) % 3], *b = p[(k + 2) % 3];
        weight[k] = (a[axes[0]] - x) * (b[axes[1]] - y) - (a[axes[1]] - y) * (b[axes[0]] - x);
        sum += weight[k];
    }
    for (int k = 0; k < 3 && sum != 0; k++) { /* 0: it is seen from its side */
        weight[k] /= sum;
        z += weight[k] * p[k][axes[2]];
    }
    return sum != 0 && weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0 ? z : NAN;
}

/* What is seen of each pixel, triangle by triangle, and the vertices. */
static void render(const psb_mesh *mesh, const int axes[3], double *largest, double *least) {
    for (int i = 0; i < PIXELS; i++) {
        double x = (i % SIDE + 0.5) / 64 - 1, y = (i / SIDE + 0.5) / 64 - 1;
        largest[i] = -INFINITY;
        least[i] = INFINITY;
        for (size_t t = 0; t < mesh->ntriangles; t++) {
            const double *p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + (size_t)k];
                if (fabs(p[k][axes[0]] - x) < 1. / 128 && fabs(p[k][axes[1]] - y) < 1. / 128) {
                    largest[i] = fmax(largest[i], p[k][axes[2]]);
                    least[i] = fmin(least[i], p[k][axes[2]]);
                }
            }
            double z = depth_at(p, axes, x, y);
            largest[i] = fmax(largest[i], z); /* of a number and NAN the number */
            least[i] = fmin(least[i], z);
        }
    }
}

static void slopes(const double *seen, double sign, double *out) {
    static double depth[SIDE][SIDE];
    for (int i = 0; i < PIXELS; i++) {
        depth[i / SIDE][i % SIDE] =
            isfinite(seen[i]) ? fmin(fmax(32 * (1 + sign * seen[i]), 0), 64) : 0;
    }
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            int left = x > 0 ? x - 1 : x, right = x < SIDE - 1 ? x + 1 : x;
            int down = y > 0 ? y - 1 : y, up = y < SIDE - 1 ? y + 1 : y;
            double dx = (depth[y][right] - depth[y][left]) / (right - left);
            double dy = (depth[up][x] - depth[down][x]) / (up - down);
            out[y * SIDE + x] = fmin(hypot(dx, dy), 3);
        }
    }
}

static double transform(const double *positive, const double *negative, double sign, int u, int v) {
    double sum = 0, norm = (u > 0 ? 2. : 1.) * (v > 0 ? 2. : 1.);
    static double wave[16][SIDE];
    for (int f = 0; f < 16 && wave[0][0] == 0; f++) {
        for (int i = SIDE - 1; i >= 0; i--) {
            wave[15 - f][i] = cos(M_PI * (i + 0.5) * (15 - f) / SIDE);
        }
    }
    for (int i = 0; i < PIXELS; i++) {
        sum += wave[u][i % SIDE] * wave[v][i / SIDE] * (positive[i] + sign * negative[i]) / 2;
    }
    return sum * sqrt(norm) / SIDE;
}

/* The row of a mesh as it lies, of L2 norm 1. */
static void describe_slowly(const psb_mesh *mesh, float row[LENGTH]) {
    static double seen[2][PIXELS], slope[2][PIXELS], values[LENGTH];
    double *next = values, norm = 0;
    for (int view = 0; view < 3; view++) {
        const int axes[3] = {view == 0 ? 1 : 0, view == 2 ? 1 : 2, view};
        render(mesh, axes, seen[0], seen[1]);
        slopes(seen[0], 1, slope[0]);
        slopes(seen[1], -1, slope[1]);
        for (int part = 0; part < 2; part++) {
            for (int u = 0; u < 16; u++) {
                for (int v = 0; u + v < 16; v++) {
                    *next = transform(slope[0], slope[1], part == 0 ? 1 : -1, u, v);
                    norm += *next * *next;
                    next++;
                }
            }
        }
    }
    assert_true(next == values + LENGTH);
    for (int i = 0; i < LENGTH; i++) {
        row[i] = (float)(values[i] / sqrt(norm));
    }
}

static void rows_are_those_of_a_slow_renderer(void **state) {
    (void)state;
    psb_mesh meshes[] = {test_blob(3, 40), test_box(1, 1.7, 4), test_sphere(2, 9, 13)};
    for (int m = 0; m < 3; m++) {
        float fast[LENGTH], slow[LENGTH];
        psb_mesh posed = aligned(&meshes[m]);
        test_describe("DBUF", &meshes[m], "model", fast);
        describe_slowly(&posed, slow);
        /* A point on an edge is on one side of it here and on the other there. */
        assert_true(test_row_distance(fast, slow, LENGTH) < (m == 0 ? 1e-5 : 0.02));
        psb_mesh_free(&posed);
        psb_mesh_free(&meshes[m]);
    }
}

/* Fine triangles leave no gaps and reach no farther than the whole. */
static void cut_triangles_look_the_same(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(8, 60), posed = aligned(&mesh), fine = test_subdivide(&posed);
    static double seen[4][PIXELS];
    for (int axis = 0; axis < 3; axis++) {
        int others = 0;
        psb_depth_buffer_fill(&posed, posed.vertices, axis, seen[0], seen[1]);
        psb_depth_buffer_fill(&fine, fine.vertices, axis, seen[2], seen[3]);
        for (int i = 0; i < PIXELS; i++) {
            assert_true(seen[0][i] == -INFINITY ? seen[1][i] == INFINITY
                                                : seen[0][i] >= seen[1][i]);
            others += seen[0][i] != seen[2][i] && !(fabs(seen[0][i] - seen[2][i]) < 1e-12);
        }
        assert_true(others < 200); /* the new vertices on edges count for their pixels */
    }
    psb_mesh_free(&mesh);
    psb_mesh_free(&posed);
    psb_mesh_free(&fine);
}

/* Two models, one of them in each of the 48 poses: the metric finds the least without turning. */
static void the_metric_finds_the_least_of_48_descriptions(void **state) {
    (void)state;
    static const double none[3] = {0, 0, 0};
    psb_mesh meshes[] = {test_blob(5, 25), test_blob(6, 25)};
    psb_mesh a = aligned(&meshes[0]), b = aligned(&meshes[1]);
    float row_a[LENGTH], row_b[LENGTH], turned_row[LENGTH];
    describe_slowly(&a, row_a);
    describe_slowly(&b, row_b);
    double least = INFINITY;
    for (int k = 0; k < PSB_FLIPS * PSB_ORDERS; k++) {
        double turn[3][3] = {{0}};
        for (int i = 0; i < 3; i++) {
            turn[i][psb_orders[k / PSB_FLIPS][i]] = k >> i & 1 ? -1 : 1;
        }
        psb_mesh turned = test_copy(&b);
        test_transform(&turned, turn, none);
        describe_slowly(&turned, turned_row);
        ASSERT_NEAR(psb_pose48.pair(row_b, turned_row, LENGTH), 0.0, 1e-5);
        double norm[2] = {0}, sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            norm[0] += fabs((double)row_a[i]);
            norm[1] += fabs((double)turned_row[i]);
        }
        for (int i = 0; i < LENGTH; i++) {
            sum += fabs(row_a[i] / norm[0] - turned_row[i] / norm[1]);
        }
        least = fmin(least, sum);
        psb_mesh_free(&turned);
    }
    ASSERT_NEAR(psb_pose48.pair(row_a, row_b, LENGTH), least, 1e-5);
    for (int m = 0; m < 2; m++) {
        psb_mesh_free(&meshes[m]);
    }
    psb_mesh_free(&a);
    psb_mesh_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_a_slow_renderer),
        cmocka_unit_test(cut_triangles_look_the_same),
        cmocka_unit_test(the_metric_finds_the_least_of_48_descriptions),
    };
    return cmocka_run_group_tests_name("dbuf", tests, NULL, NULL);
}
