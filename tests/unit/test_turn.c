/* Tests that random rotations are rotations, uniform, and depend on seed and name only. */
#include "core/vector.h"
#include "normalize/turn.h"
#include "support/test.h"

static void are_rotations(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        double r[3][3], third[3];
        psb_turn_random(seed, "m1", r);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                ASSERT_NEAR(psb_dot(r[i], r[j]), i == j ? 1 : 0, 1e-14);
            }
        }
        psb_cross(r[0], r[1], third);
        ASSERT_NEAR(psb_dot(third, r[2]), 1, 1e-14);
    }
}

static void seed_and_name_decide(void **state) {
    (void)state;
    double a[3][3], b[3][3], c[3][3], d[3][3];
    psb_turn_random(1, "m1", a);
    psb_turn_random(1, "m1", b);
    psb_turn_random(2, "m1", c);
    psb_turn_random(1, "m2", d);
    assert_memory_equal(a, b, sizeof a);
    assert_true(fabs(a[0][0] - c[0][0]) > 1e-6 && fabs(a[0][0] - d[0][0]) > 1e-6);
}

/*
 * Every entry has mean 0 and mean square 1/3, and the angle has the density (1 - cos x) / pi, by
 * which the trace 1 + 2 cos x has mean 0 and mean square 1. Five standard errors are allowed.
 */
static void are_uniform(void **state) {
    (void)state;
    enum { N = 20000 };
    double mean[9] = {0}, square[9] = {0}, trace = 0, trace_square = 0;
    for (uint64_t seed = 0; seed < N; seed++) {
        double r[3][3];
        psb_turn_random(seed, "m", r);
        for (int k = 0; k < 9; k++) {
            mean[k] += r[k / 3][k % 3] / N;
            square[k] += r[k / 3][k % 3] * r[k / 3][k % 3] / N;
        }
        double t = r[0][0] + r[1][1] + r[2][2];
        trace += t / N;
        trace_square += t * t / N;
    }
    for (int k = 0; k < 9; k++) {
        ASSERT_NEAR(mean[k], 0, 5 * sqrt(1.0 / 3 / N));
        ASSERT_NEAR(square[k], 1.0 / 3, 5 * sqrt((1.0 / 5 - 1.0 / 9) / N));
    }
    ASSERT_NEAR(trace, 0, 5 * sqrt(1.0 / N));
    ASSERT_NEAR(trace_square, 1, 5 * sqrt(2.0 / N));
}

static void meshes_keep_their_shape(void **state) {
    (void)state;
    double vertices[] = {0, 0, 0, 1, 2, 3, -4, 5, 6}, before[9], r[3][3];
    psb_mesh mesh = {.nvertices = 3, .vertices = vertices};
    memcpy(before, vertices, sizeof before);
    psb_turn_random(5, "m", r);
    psb_turn_mesh(&mesh, r);
    assert_true(vertices[0] == 0 && vertices[1] == 0 && vertices[2] == 0);
    for (int v = 1; v < 3; v++) {
        ASSERT_NEAR(psb_norm(vertices + 3 * v), psb_norm(before + 3 * v), 1e-14);
        ASSERT_NEAR(psb_dot(r[1], before + 3 * v), vertices[3 * v + 1], 1e-14);
    }
    ASSERT_NEAR(psb_dot(vertices + 3, vertices + 6), psb_dot(before + 3, before + 6), 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_rotations),
        cmocka_unit_test(seed_and_name_decide),
        cmocka_unit_test(are_uniform),
        cmocka_unit_test(meshes_keep_their_shape),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
