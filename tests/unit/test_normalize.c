/* Tests surface integrals against analytic shapes and plain sampling, axes and poses by rules. */
#include "core/elementary.h"
#include "core/random.h"
#include "core/vector.h"
#include "normalize/pose.h"
#include "normalize/triangle_integrals.h"
#include "support/meshes.h"
#include "support/test.h"

static psb_moments moments_of(const psb_mesh *mesh) {
    psb_moments moments;
    psb_error error;
    if (psb_moments_compute(mesh, &moments, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    return moments;
}

static psb_axes axes_of(const psb_mesh *mesh) {
    psb_moments moments = moments_of(mesh);
    psb_axes axes;
    psb_error error;
    assert_int_equal(psb_axes_compute(mesh, &moments, PSB_FRAME_SURFACE, &axes, &error), PSB_OK);
    return axes;
}

/* A cube of side 2: area 24, variance 5/9 along each axis (two faces at 1, four of variance 1/3).
 */
static void cube_has_its_moments(void **state) {
    (void)state;
    psb_mesh cube = test_box(2, 2, 2);
    const double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double shift[3] = {100, -7, 0.25};
    test_transform(&cube, identity, shift);
    psb_moments m = moments_of(&cube);
    ASSERT_NEAR(m.area, 24.0, 1e-12);
    for (int i = 0; i < 3; i++) {
        ASSERT_NEAR(m.centre[i], shift[i], 1e-12);
        for (int j = 0; j < 3; j++) {
            ASSERT_NEAR(m.covariance[i][j], i == j ? 5.0 / 9.0 : 0.0, 1e-12);
        }
    }
    /* Mean of sqrt(1 + x^2 + y^2) over the square [-1, 1]^2. */
    double sum = 0.0;
    const int n = 2000;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double x = (i + 0.5) / n, y = (j + 0.5) / n;
            sum += sqrt(1.0 + x * x + y * y);
        }
    }
    ASSERT_NEAR(m.mean_distance, sum / ((double)n * n), 1e-7);
    ASSERT_NEAR(m.rms_distance, sqrt(5.0 / 3.0), 1e-12);
    psb_mesh_free(&cube);
}

static void put_triangle(double p[3][3], size_t t, psb_corners to) {
    for (size_t i = 0; i < 9; i++) {
        to[i / 3][i % 3][t] = p[i / 3][i % 3];
    }
}

/* Closed form and quadrature against brute-force subdivision, for triangles near and far. */
static void distance_integral_equals_brute_force(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(7, "triangles", "test");
    for (int trial = 0; trial < 60; trial++) {
        double p[3][3];
        double away = trial % 3 == 0 ? 0.0 : (trial % 3 == 1 ? 2.0 : 12.0);
        for (int v = 0; v < 3; v++) {
            for (int k = 0; k < 3; k++) {
                p[v][k] = psb_random_unit(&random) - 0.5 + (k == 0 ? away : 0.0);
            }
            if (trial % 5 == 0) {
                p[v][2] = 0.0; /* the origin in the triangle's plane */
            }
        }
        const int n = 600;
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n - i; j++) {
                for (int half = 0; half < (j < n - i - 1 ? 2 : 1); half++) {
                    double a = (i + (half ? 2 : 1) / 3.0) / n, b = (j + (half ? 2 : 1) / 3.0) / n;
                    double q[3];
                    for (int k = 0; k < 3; k++) {
                        q[k] = p[0][k] + a * (p[1][k] - p[0][k]) + b * (p[2][k] - p[0][k]);
                    }
                    sum += psb_norm(q);
                }
            }
        }
        double area = psb_triangle_area(p[0], p[1], p[2]);
        double expected = sum * area / ((double)n * n);
        double integral;
        psb_corners alone = {{{0.0}}};
        put_triangle(p, 0, alone);
        psb_triangle_distance_integrals(alone, 1, &integral);
        ASSERT_NEAR(integral, expected, 2e-5 * expected);
    }
}

/* Flat triangles, far and near ones take their ways side by side; each integral stays the same. */
static void integrals_of_many_are_those_of_each(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "many", "integral");
    psb_corners all = {{{0.0}}}, alone = {{{0.0}}};
    double expected[PSB_TRIANGLES], actual[PSB_TRIANGLES];
    for (size_t n = 1; n <= PSB_TRIANGLES; n++) {
        for (size_t t = 0; t < n; t++) {
            double p[3][3], away = t % 3 == 0 ? 12.0 : 0.0;
            for (int i = 0; i < 9; i++) {
                p[i / 3][i % 3] = psb_random_unit(&random) - 0.5 + (i % 3 == 0 ? away : 0.0);
            }
            if (t % 4 == 1) { /* no area */
                memcpy(p[2], p[t % 2], sizeof p[2]);
            }
            put_triangle(p, t, all);
            put_triangle(p, 0, alone);
            psb_triangle_distance_integrals(alone, 1, &expected[t]);
            assert_true(t % 4 == 1 ? expected[t] == 0.0 : expected[t] > 0.0);
        }
        psb_triangle_distance_integrals(all, n, actual);
        assert_memory_equal(actual, expected, n * sizeof *actual);
    }
}

/* Every kernel has the bits of the plain one, the last, and holds for far triangles alone. */
static void rules_do_not_depend_on_the_processor(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "rule", "test");
    for (int round = 0; round < 100; round++) {
        psb_corners corners;
        double results[2][2][PSB_TRIANGLES];
        int last = 0;
        for (size_t i = 0; i < 9 * PSB_TRIANGLES; i++) {
            size_t t = i % PSB_TRIANGLES, coordinate = i / PSB_TRIANGLES;
            corners[coordinate / 3][coordinate % 3][t] =
                psb_random_unit(&random) + (t % 2 == 0 && coordinate % 3 == 0 ? 12.0 : 0.0);
        }
        while (psb_rule_kernels[last + 1] != NULL) {
            last++;
        }
        for (int v = last; v >= 0; v--) {
            const psb_rule_kernel *kernel = (const psb_rule_kernel *)psb_rule_kernels[v];
            if (psb_cpu_has(kernel->variant.needs)) {
                kernel->run(corners, results[v < last][0], results[v < last][1]);
                assert_memory_equal(results[v < last], results[0], sizeof results[0]);
            }
        }
        for (size_t t = 0; t < PSB_TRIANGLES; t++) {
            assert_true((results[0][1][t] >= 0.0) == (t % 2 == 0));
        }
    }
}

/* Every kernel has the bits of the formula with functions that take one number. */
static void antiderivatives_do_not_depend_on_the_processor(void **state) {
    (void)state;
    enum { N = 64 };
    psb_random random = psb_random_seeded(1, "antiderivative", "test");
    for (int round = 0; round < 200; round++) {
        double h[N], d[N], t[N], value[N];
        for (int i = 0; i < N; i++) {
            h[i] = i % 5 == 0 ? 0.0 : ldexp(psb_random_unit(&random), -i % 20);
            d[i] = ldexp(1.0 - psb_random_unit(&random), -i % 30);
            t[i] = i % 7 == 0 ? 0.0 : psb_random_unit(&random) - 0.5;
        }
        for (const psb_variant *const *v = psb_antiderivative_kernels; *v != NULL; v++) {
            if (!psb_cpu_has((*v)->needs)) {
                continue;
            }
            ((const psb_antiderivative_kernel *)*v)->run(N, h, d, t, value);
            for (int i = 0; i < N; i++) {
                double r2 = h[i] * h[i] + d[i] * d[i], s = sqrt(r2 + t[i] * t[i]);
                double smooth =
                    d[i] * (0.5 * t[i] * s + (0.5 * r2 + h[i] * h[i]) * psb_asinh(t[i] / sqrt(r2)));
                double cone =
                    h[i] * h[i] * h[i] * (psb_atan2(h[i] * t[i], d[i] * s) - psb_atan2(t[i], d[i]));
                assert_true(value[i] == (smooth + cone) / 3.0);
            }
        }
    }
}

static void integrals_ignore_tessellation(void **state) {
    (void)state;
    psb_mesh coarse = test_blob(3, 40), fine = test_subdivide(&coarse);
    psb_moments a = moments_of(&coarse), b = moments_of(&fine);
    ASSERT_NEAR(a.area, b.area, 1e-12 * a.area);
    ASSERT_NEAR(a.mean_distance, b.mean_distance, 1e-7);
    for (int i = 0; i < 3; i++) {
        ASSERT_NEAR(a.centre[i], b.centre[i], 1e-12);
        for (int j = 0; j < 3; j++) {
            ASSERT_NEAR(a.covariance[i][j], b.covariance[i][j], 1e-12);
        }
    }
    psb_mesh_free(&coarse);
    psb_mesh_free(&fine);
}

/* A small model far away, a huge one and a tiny one keep their digits. */
static void moments_keep_digits_at_any_size(void **state) {
    (void)state;
    static const double sizes[] = {1e8, 1e-8, 1e60, 1e-60};
    psb_mesh plain = test_blob(5, 30);
    psb_moments expected = moments_of(&plain);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        psb_mesh mesh = test_copy(&plain);
        const double scale[3][3] = {{sizes[s], 0, 0}, {0, sizes[s], 0}, {0, 0, sizes[s]}};
        const double none[3] = {0, 0, 0};
        test_transform(&mesh, scale, none);
        psb_moments m = moments_of(&mesh);
        ASSERT_NEAR(m.mean_distance / sizes[s], expected.mean_distance, 1e-12);
        ASSERT_NEAR(m.covariance[0][1] / sizes[s] / sizes[s], expected.covariance[0][1], 1e-12);
        psb_mesh_free(&mesh);
    }
    psb_mesh_free(&plain);
}

static void surface_without_area_is_an_error(void **state) {
    (void)state;
    psb_mesh line = test_box(1, 0, 0), point = test_box(0, 0, 0);
    psb_moments moments;
    psb_error error;
    assert_int_equal(psb_moments_compute(&line, &moments, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "no area"));
    assert_int_equal(psb_moments_compute(&point, &moments, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "no area"));
    psb_mesh_free(&line);
    psb_mesh_free(&point);
}

/* Positive side: clipped by hand. */
static void positive_area_is_clipped(void **state) {
    (void)state;
    ASSERT_NEAR(psb_triangle_positive_area(2.0, 1, 2, 3), 2.0, 0.0);
    ASSERT_NEAR(psb_triangle_positive_area(2.0, -1, -2, 0), 0.0, 0.0);
    ASSERT_NEAR(psb_triangle_positive_area(2.0, 1, -1, -1), 0.5, 1e-15);
    ASSERT_NEAR(psb_triangle_positive_area(2.0, -1, 1, 1), 1.5, 1e-15);
    ASSERT_NEAR(psb_triangle_positive_area(2.0, -1, 0, 1), 1.0, 1e-15);
}

/* Axes turn with the model, point to the larger side, and are orthonormal. */
static void axes_follow_a_rotation(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(11, 60);
    psb_axes before = axes_of(&mesh);
    double turn[3][3];
    const double shift[3] = {3, -2, 9};
    test_rotation(1, 2, -0.5, 1.1, turn);
    test_transform(&mesh, turn, shift);
    psb_axes after = axes_of(&mesh);
    for (int i = 0; i < 3; i++) {
        ASSERT_NEAR(after.values[i], before.values[i], 1e-12);
        for (int k = 0; k < 3; k++) {
            double turned = psb_dot(turn[k], before.axis[i]);
            ASSERT_NEAR(after.axis[i][k], turned, 1e-9);
        }
    }
    psb_mesh_free(&mesh);
}

static void aligned_pose_obeys_its_rules(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(13, 80);
    psb_moments before = moments_of(&mesh);
    psb_axes axes = axes_of(&mesh);
    psb_pose pose = psb_pose_make(PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &before, &axes);
    psb_pose_apply(&pose, mesh.vertices, mesh.nvertices, mesh.vertices);
    psb_moments after = moments_of(&mesh);
    ASSERT_NEAR(after.mean_distance, 0.5, 1e-12);
    double positive[3] = {0, 0, 0};
    for (size_t t = 0; t < mesh.ntriangles; t++) {
        const double *p[3];
        for (size_t v = 0; v < 3; v++) {
            p[v] = mesh.vertices + 3 * (size_t)mesh.triangles[3 * t + v];
        }
        double area = psb_triangle_area(p[0], p[1], p[2]);
        for (int k = 0; k < 3; k++) {
            positive[k] += psb_triangle_positive_area(area, p[0][k], p[1][k], p[2][k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        ASSERT_NEAR(after.centre[k], 0.0, 1e-12);
        ASSERT_NEAR(after.covariance[k][(k + 1) % 3], 0.0, 1e-12);
        assert_true(positive[k] > 0.5 * after.area);
        assert_true(k == 0 || after.covariance[k][k] < after.covariance[k - 1][k - 1]);
    }
    psb_mesh_free(&mesh);
}

/* A cube has no principal axes: they must be the file's own, not LAPACK's mood. */
static void equal_eigenvalues_follow_the_file(void **state) {
    (void)state;
    psb_mesh cube = test_box(2, 2, 2), square = test_box(1, 3, 3);
    psb_axes a = axes_of(&cube), b = axes_of(&square);
    static const int order[3] = {1, 2, 0}; /* the box is thin along x */
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            ASSERT_NEAR(a.axis[i][k], i == k, 1e-9);
            ASSERT_NEAR(b.axis[i][k], k == order[i], 1e-9);
        }
    }
    psb_mesh_free(&cube);
    psb_mesh_free(&square);
}

/*
 * A spindle and a disc around an axis n that is no coordinate axis. The two axes across n have one
 * eigenvalue. The first of them is the projection of the coordinate axis k that lies least along n,
 * e_k - n_k n, since that projection is the longest; the second is at a right angle to both.
 */
static void axes_across_a_body_of_revolution_follow_the_file(void **state) {
    (void)state;
    static const double turns[][4] = {{1, 2, 0.5, 0.7}, {-1, 0.3, 2, 1.1}, {0.2, -1, 1, 2.5}};
    for (int trial = 0; trial < 6; trial++) {
        const double *turn = turns[trial / 2], none[3] = {0, 0, 0};
        bool disc = trial % 2 != 0;
        const double stretch[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, disc ? 0.3 : 2.0}};
        double rotation[3][3], across[2][3], n[3];
        psb_mesh body = test_sphere(1.0, 8, 12);
        test_transform(&body, stretch, none);
        test_rotation(turn[0], turn[1], turn[2], turn[3], rotation);
        test_transform(&body, rotation, none);
        int least = 0;
        for (int k = 0; k < 3; k++) {
            n[k] = rotation[k][2];
            least = fabs(n[k]) < fabs(n[least]) ? k : least;
        }
        for (int i = 0; i < 3; i++) {
            across[0][i] = ((i == least) - n[least] * n[i]) / sqrt(1 - n[least] * n[least]);
        }
        psb_cross(n, across[0], across[1]);
        psb_axes axes = axes_of(&body);
        int first = disc ? 0 : 1;
        ASSERT_NEAR(fabs(psb_dot(axes.axis[disc ? 2 : 0], n)), 1.0, 1e-12);
        for (int i = 0; i < 2; i++) {
            ASSERT_NEAR(fabs(psb_dot(axes.axis[first + i], across[i])), 1.0, 1e-12);
            ASSERT_NEAR(psb_norm(axes.axis[first + i]), 1.0, 1e-12);
        }
        psb_mesh_free(&body);
    }
}

/* A flat model has no side to prefer along its normal, which then points along +z. */
static void flat_model_turns_its_normal_to_the_positive_side(void **state) {
    (void)state;
    psb_mesh flat = test_blob(17, 20);
    const double flatten[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
    const double shift[3] = {0, 0, 5};
    test_transform(&flat, flatten, shift);
    psb_axes axes = axes_of(&flat);
    ASSERT_NEAR(axes.axis[2][2], 1.0, 1e-12);
    psb_mesh_free(&flat);
}

static void nothing_but_the_distance_is_left_out(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(2.0, 9, 14);
    psb_moments all, rest;
    psb_error error;
    assert_int_equal(psb_moments_compute(&sphere, &all, &error), PSB_OK);
    assert_int_equal(psb_moments_without_distance(&sphere, &rest, &error), PSB_OK);
    assert_true(all.mean_distance > 0.0 && rest.mean_distance == 0.0);
    all.mean_distance = 0.0;
    assert_memory_equal(&all, &rest, sizeof all);
    psb_mesh_free(&sphere);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_but_the_distance_is_left_out),
        cmocka_unit_test(cube_has_its_moments),
        cmocka_unit_test(distance_integral_equals_brute_force),
        cmocka_unit_test(integrals_of_many_are_those_of_each),
        cmocka_unit_test(rules_do_not_depend_on_the_processor),
        cmocka_unit_test(antiderivatives_do_not_depend_on_the_processor),
        cmocka_unit_test(integrals_ignore_tessellation),
        cmocka_unit_test(moments_keep_digits_at_any_size),
        cmocka_unit_test(surface_without_area_is_an_error),
        cmocka_unit_test(positive_area_is_clipped),
        cmocka_unit_test(axes_follow_a_rotation),
        cmocka_unit_test(aligned_pose_obeys_its_rules),
        cmocka_unit_test(equal_eigenvalues_follow_the_file),
        cmocka_unit_test(axes_across_a_body_of_revolution_follow_the_file),
        cmocka_unit_test(flat_model_turns_its_normal_to_the_positive_side),
    };
    return cmocka_run_group_tests_name("normalize", tests, NULL, NULL);
}
