/* Tests that a turned, scaled and shifted mesh is aligned again, by the same map every time. */
#include "core/vector.h"
#include "normalize/turn.h"
#include "studies/alignment.h"
#include "support/meshes.h"
#include "support/test.h"

/* A figure without symmetries: a bent arm of boxes, finely cut. */
static psb_mesh arm(void) {
    static const double size[3][3] = {{2, 0.3, 0.4}, {0.5, 1.2, 0.3}, {0.3, 0.3, 0.9}};
    static const double at[3][3] = {{0, 0, 0}, {0.8, 0.7, 0.1}, {-0.9, 0.1, 0.6}};
    static const double same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    psb_mesh all = test_box(1, 1, 1), boxes = test_subdivide(&all);
    psb_mesh_free(&all);
    all = test_subdivide(&boxes);
    psb_mesh_free(&boxes);
    size_t nv = all.nvertices, nt = all.ntriangles;
    psb_mesh whole = {.nvertices = 3 * nv, .ntriangles = 3 * nt};
    whole.vertices = malloc(9 * nv * sizeof(double));
    whole.triangles = malloc(9 * nt * sizeof(uint32_t));
    assert_true(whole.vertices != NULL && whole.triangles != NULL);
    for (size_t b = 0; b < 3; b++) {
        for (size_t k = 0; k < 3 * nv; k++) {
            whole.vertices[3 * nv * b + k] = all.vertices[k] * size[b][k % 3] + at[b][k % 3];
        }
        for (size_t k = 0; k < 3 * nt; k++) {
            whole.triangles[3 * nt * b + k] = all.triangles[k] + (uint32_t)(nv * b);
        }
    }
    test_transform(&whole, same, (const double[3]){5, -3, 2});
    psb_mesh_free(&all);
    return whole;
}

/* A copy moved by the seed's rotation, scale and shift; mirrored in x first where it is told so. */
static psb_mesh moved(const psb_mesh *mesh, uint64_t seed, bool mirror, double matrix[3][3],
                      double *scale) {
    psb_random random = psb_random_seeded(seed, "moved", "test");
    psb_mesh copy = test_copy(mesh);
    psb_turn_random(seed, "moved", matrix);
    *scale = 0.1 + 10 * psb_random_unit(&random);
    double shift[3];
    for (int k = 0; k < 9; k++) {
        matrix[k / 3][k % 3] *= mirror && k % 3 == 0 ? -*scale : *scale;
        shift[k % 3] = 100 * psb_random_unit(&random) - 50;
    }
    test_transform(&copy, (const double(*)[3])matrix, shift);
    return copy;
}

static psb_alignment align(const psb_mesh *a, const psb_mesh *b, bool mirror) {
    psb_alignment found;
    psb_error error;
    assert_int_equal(psb_alignment_find(a, "a", b, "b", mirror, &found, &error), PSB_OK);
    return found;
}

/* Of what is found beside what was done, in degrees: both are linear maps of the same scale. */
static double angle(const psb_alignment *found, double matrix[3][3], double scale) {
    double square = 0;
    for (int k = 0; k < 9; k++) {
        double d = (found->matrix[k / 3][k % 3] - matrix[k / 3][k % 3]) / scale;
        square += d * d;
    }
    return 2 * asin(fmin(sqrt(square / 8), 1)) * 180 / acos(-1);
}

/* The file's order of triangles decides which points are drawn, so shuffled ones come out nearly.
 */
static void what_was_moved_comes_back(void **state) {
    (void)state;
    psb_mesh mesh = arm();
    for (uint64_t seed = 0; seed < 10; seed++) {
        double matrix[3][3], scale;
        psb_mesh copy = moved(&mesh, seed, false, matrix, &scale);
        psb_alignment exact = align(&mesh, &copy, seed % 2 == 1);
        assert_false(exact.mirrored);
        assert_true(angle(&exact, matrix, scale) < 1e-5);
        ASSERT_NEAR(exact.scale / scale, 1, 1e-7);
        assert_true(exact.residual < 1e-6);
        test_shuffle(&copy, seed);
        psb_alignment near = align(&mesh, &copy, false);
        assert_true(angle(&near, matrix, scale) < 1);
        ASSERT_NEAR(near.scale / scale, 1, 0.01);
        assert_true(near.residual <= near.before);
        psb_mesh_free(&copy);
    }
    psb_mesh_free(&mesh);
}

/* A mirror image needs a reflection, and only where that is allowed there is one. */
static void mirror_images(void **state) {
    (void)state;
    psb_mesh mesh = arm();
    double matrix[3][3], scale;
    psb_mesh copy = moved(&mesh, 3, true, matrix, &scale);
    psb_alignment with = align(&mesh, &copy, true), without = align(&mesh, &copy, false);
    assert_true(with.mirrored && angle(&with, matrix, scale) < 1e-5);
    double normal[3];
    psb_cross(without.matrix[0], without.matrix[1], normal);
    assert_true(!without.mirrored && psb_dot(normal, without.matrix[2]) > 0);
    assert_true(without.distance > with.distance && without.residual > 10 * with.residual);
    psb_mesh_free(&copy);
    psb_mesh_free(&mesh);
}

/* Two different models: steps only ever help, the matrix is a similarity, and every time the same.
 */
static void other_models(void **state) {
    (void)state;
    psb_mesh a = arm(), b = test_blob(4, 300);
    psb_alignment found = align(&a, &b, false), again = align(&a, &b, false);
    assert_memory_equal(&found.matrix, &again.matrix, sizeof found.matrix);
    assert_true(found.steps > 0 && found.residual < found.before);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double dot = psb_dot(found.matrix[i], found.matrix[k]);
            ASSERT_NEAR(dot / (found.scale * found.scale), i == k ? 1 : 0, 1e-9);
        }
    }
    double corner[3];
    memcpy(corner, a.vertices + 3, sizeof corner);
    psb_alignment_apply(&found, &a);
    for (int i = 0; i < 3; i++) {
        ASSERT_NEAR(a.vertices[3 + i], psb_dot(found.matrix[i], corner) + found.matrix[i][3],
                    1e-12);
    }
    psb_mesh_free(&a);
    psb_mesh_free(&b);
}

static void what_has_no_area_is_named(void **state) {
    (void)state;
    double vertices[9] = {0};
    uint32_t triangle[3] = {0, 1, 2};
    psb_mesh point = {.nvertices = 3, .vertices = vertices, .ntriangles = 1, .triangles = triangle};
    psb_mesh box = test_box(1, 2, 3);
    psb_alignment found;
    psb_error error;
    assert_int_equal(psb_alignment_find(&box, "a", &point, "b", false, &found, &error),
                     PSB_ERROR_INPUT);
    assert_true(strncmp(error.message, "b: ", 3) == 0);
    psb_mesh_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_moved_comes_back),
        cmocka_unit_test(mirror_images),
        cmocka_unit_test(other_models),
        cmocka_unit_test(what_has_no_area_is_named),
    };
    return cmocka_run_group_tests_name("alignment", tests, NULL, NULL);
}
