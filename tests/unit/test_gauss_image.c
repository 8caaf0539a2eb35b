/* Tests EGI and CEGI: the measure of the normals, and the changes that it must or must not see. */
#include "core/vector.h"
#include "fields/gauss_image.h"
#include "support/harmonics.h"
#include "support/meshes.h"
#include "support/test.h"

static psb_tables *tables;
static psb_shape *shape;

static int setup(void **state) {
    (void)state;
    psb_error error;
    return psb_tables_new(&tables, &error) == PSB_OK &&
                   psb_shape_new(tables, &shape, &error) == PSB_OK
               ? 0
               : -1;
}

static int teardown(void **state) {
    (void)state;
    psb_shape_free(shape);
    psb_tables_free(tables);
    return 0;
}

typedef struct images {
    psb_coefficients real, imaginary;
} images;

static images image_of(const psb_mesh *mesh, psb_normals normals, double phase) {
    images result;
    psb_error error;
    assert_int_equal(psb_shape_load(shape, mesh, "model", &error), PSB_OK);
    assert_int_equal(
        psb_gauss_image(shape, normals, phase, &result.real, &result.imaginary, &error), PSB_OK);
    return result;
}

static void assert_same(psb_coefficients a, psb_coefficients b, double tolerance) {
    for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
        ASSERT_NEAR(a[lm][0], b[lm][0], tolerance);
        ASSERT_NEAR(a[lm][1], b[lm][1], tolerance);
    }
}

/* Area of the surface in the units of the pose. */
static double posed_area(void) {
    psb_moments m;
    assert_int_equal(psb_moments_compute(psb_shape_mesh(shape), &m, NULL), PSB_OK);
    return m.area * 0.25 / (m.mean_distance * m.mean_distance);
}

static void mass_is_the_area(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(61, 300); /* more than two batches */
    for (int normals = 0; psb_normals_names[normals] != NULL; normals++) {
        images g = image_of(&mesh, (psb_normals)normals, 0.0);
        ASSERT_NEAR(g.real[0][0] * sqrt(4.0 * M_PI), posed_area(), 1e-9);
        ASSERT_NEAR(g.imaginary[0][0], 0.0, 1e-12);
    }
    psb_mesh_free(&mesh);
}

static void add_point(psb_coefficients sum, const double u[3], double weight) {
    psb_coefficients y;
    test_harmonics(u, y);
    for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
        sum[lm][0] += weight * y[lm][0];
        sum[lm][1] -= weight * y[lm][1];
    }
}

/* The definition, face by face, in all three conventions. */
static images reference(psb_normals normals, double phase) {
    images sum = {{{0.0}}, {{0.0}}};
    const double *points;
    const psb_axes *axes;
    psb_error error;
    assert_int_equal(psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &points, &error),
                     PSB_OK);
    assert_int_equal(psb_shape_axes(shape, &axes, &error), PSB_OK);
    double across[3];
    psb_cross(axes->axis[0], axes->axis[1], across);
    double mirror = psb_dot(across, axes->axis[2]);
    const psb_mesh *mesh = psb_shape_mesh(shape);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        const double *p = points + 3 * (size_t)v[0];
        double a[3], b[3], n[3], opposite[3];
        psb_subtract(points + 3 * (size_t)v[1], p, a);
        psb_subtract(points + 3 * (size_t)v[2], p, b);
        psb_cross(a, b, n);
        double length = psb_norm(n), area = 0.5 * length;
        for (int k = 0; k < 3; k++) {
            n[k] *= mirror / length;
            opposite[k] = -n[k];
        }
        double d = psb_dot(n, p);
        double here = normals == PSB_NORMALS_BOTH       ? 0.5
                      : normals == PSB_NORMALS_ORIENTED ? 1.0
                      : d > 0.0                         ? 1.0
                                                        : 0.0;
        add_point(sum.real, n, here * area * cos(phase * d));
        add_point(sum.imaginary, n, here * area * sin(phase * d));
        add_point(sum.real, opposite, (1.0 - here) * area * cos(-phase * d));
        add_point(sum.imaginary, opposite, (1.0 - here) * area * sin(-phase * d));
    }
    return sum;
}

static void image_is_the_sum_over_faces(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(63, 150);
    for (int normals = 0; psb_normals_names[normals] != NULL; normals++) {
        images g = image_of(&mesh, (psb_normals)normals, 2.5);
        images expected = reference((psb_normals)normals, 2.5);
        assert_same(g.real, expected.real, 1e-9);
        assert_same(g.imaginary, expected.imaginary, 1e-9);
    }
    psb_mesh_free(&mesh);
}

static void flip_faces(psb_mesh *mesh, size_t every) {
    for (size_t t = 0; t < mesh->ntriangles; t += every) {
        uint32_t corner = mesh->triangles[3 * t];
        mesh->triangles[3 * t] = mesh->triangles[3 * t + 1];
        mesh->triangles[3 * t + 1] = corner;
    }
}

static void only_oriented_normals_see_the_order_of_corners(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(65, 90), flipped = test_copy(&mesh);
    flip_faces(&flipped, 3);
    for (int normals = 0; psb_normals_names[normals] != NULL; normals++) {
        images a = image_of(&mesh, (psb_normals)normals, 1.0);
        images b = image_of(&flipped, (psb_normals)normals, 1.0);
        if (normals == PSB_NORMALS_ORIENTED) {
            assert_true(fabs(a.real[psb_lm(1, 0)][0] - b.real[psb_lm(1, 0)][0]) > 1e-2);
            flip_faces(&flipped, 3); /* and back */
            b = image_of(&flipped, (psb_normals)normals, 1.0);
            flip_faces(&flipped, 3);
        }
        assert_same(a.real, b.real, 1e-12);
        assert_same(a.imaginary, b.imaginary, 1e-12);
    }
    psb_mesh_free(&mesh);
    psb_mesh_free(&flipped);
}

/* Faces through the centre of mass have no outside: both directions get half. */
static void planes_through_the_centre_count_on_both_sides(void **state) {
    (void)state;
    double vertices[] = {-1, -2, 0, 1, -2, 0, 0, 4, 0};
    uint32_t corners[] = {0, 1, 2};
    psb_mesh mesh = {3, vertices, 1, corners, 1};
    images outward = image_of(&mesh, PSB_NORMALS_OUTWARD, 3.0);
    images both = image_of(&mesh, PSB_NORMALS_BOTH, 3.0);
    assert_same(outward.real, both.real, 1e-12);
    assert_same(outward.imaginary, both.imaginary, 1e-12);
}

static float first[512], second[512];

static double change(const char *spec, size_t length, const psb_mesh *a, const psb_mesh *b) {
    test_describe(spec, a, "model", first);
    test_describe(spec, b, "model", second);
    return test_row_distance(first, second, length);
}

static void cegi_without_phase_is_egi(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(67, 80);
    static const char *const pairs[][2] = {
        {"EGI", "CEGI:phase=0"},
        {"EGI:normals=outward,smooth=0.1", "CEGI:normals=outward,smooth=0.1,phase=0"},
        {"EGI:normals=oriented", "CEGI:normals=oriented,phase=0"},
    };
    for (int p = 0; p < 3; p++) {
        test_describe(pairs[p][0], &mesh, "model", first);
        test_describe(pairs[p][1], &mesh, "model", second);
        ASSERT_NEAR(test_row_distance(first, second, 256), 0.0, 1e-7);
        for (int i = 256; i < 512; i++) {
            assert_true(second[i] == 0.0f);
        }
    }
    psb_mesh_free(&mesh);
}

static void translation_scale_and_tessellation_do_not_matter(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(69, 120), moved = test_copy(&mesh);
    const double scale[3][3] = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    const double shift[3] = {70, -300, 20};
    test_transform(&moved, scale, shift);
    psb_mesh cut = test_subdivide(&mesh), shuffled = test_copy(&mesh);
    test_shuffle(&shuffled, 8);
    const psb_mesh *others[] = {&moved, &cut, &shuffled};
    for (int o = 0; o < 3; o++) {
        ASSERT_NEAR(change("EGI", 256, &mesh, others[o]), 0.0, 1e-6);
        ASSERT_NEAR(change("CEGI", 512, &mesh, others[o]), 0.0, 1e-6);
        ASSERT_NEAR(change("CEGI:normals=outward", 512, &mesh, others[o]), 0.0, 1e-6);
    }
    psb_mesh_free(&mesh);
    psb_mesh_free(&moved);
    psb_mesh_free(&cut);
    psb_mesh_free(&shuffled);
}

/* The pose turns each axis by its own rule: a mirror image has the same image, in any form. */
static void rotation_and_mirrors_do_not_matter(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(71, 80), turned = test_copy(&mesh);
    double turn[3][3];
    const double none[3] = {0, 0, 0};
    test_rotation(0.3, -1.0, 0.5, 1.9, turn);
    for (int k = 0; k < 3; k++) {
        turn[2][k] = -turn[2][k]; /* and a reflection */
    }
    test_transform(&turned, turn, none);
    ASSERT_NEAR(change("EGI", 256, &mesh, &turned), 0.0, 1e-5);
    ASSERT_NEAR(change("CEGI", 512, &mesh, &turned), 0.0, 1e-5);
    ASSERT_NEAR(change("EGI:form=magnitude", 136, &mesh, &turned), 0.0, 1e-5);
    psb_mesh_free(&mesh);
    psb_mesh_free(&turned);
}

/* The image of both sides has no odd degrees; CEGI keeps them in its imaginary part only. */
static void both_sides_split_by_parity(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(73, 80);
    images g = image_of(&mesh, PSB_NORMALS_BOTH, M_PI);
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            const double *zero = (l % 2 == 0 ? g.imaginary : g.real)[psb_lm(l, m)];
            assert_true(zero[0] == 0.0 && zero[1] == 0.0);
        }
    }
    psb_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_the_area),
        cmocka_unit_test(image_is_the_sum_over_faces),
        cmocka_unit_test(only_oriented_normals_see_the_order_of_corners),
        cmocka_unit_test(planes_through_the_centre_count_on_both_sides),
        cmocka_unit_test(cegi_without_phase_is_egi),
        cmocka_unit_test(translation_scale_and_tessellation_do_not_matter),
        cmocka_unit_test(rotation_and_mirrors_do_not_matter),
        cmocka_unit_test(both_sides_split_by_parity),
    };
    return cmocka_run_group_tests_name("gauss_image", tests, setup, teardown);
}
