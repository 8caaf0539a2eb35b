/* Tests rows of SECTORS and SECSHEL; the field that they share has its own test (test_area.c). */
#include "fields/harmonics.h"
#include "support/meshes.h"
#include "support/test.h"

enum { LENGTH = PSB_SHELLS * PSB_FULL };
static float row[LENGTH], other[LENGTH];

static void normalise(double *v, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    for (size_t i = 0; i < n; i++) {
        v[i] /= sqrt(sum);
    }
}

/* All within radius 1: SECTORS before smoothing is the sum of SECSHEL's shells. */
static void sectors_are_the_sum_of_shells(void **state) {
    (void)state;
    psb_mesh box = test_box(2.0, 3.0, 2.5);
    test_describe("SECSHEL", &box, "box", row);
    test_describe("SECTORS:smooth=0", &box, "box", other);
    double sum[PSB_FULL] = {0.0};
    for (int i = 0; i < LENGTH; i++) {
        sum[i % PSB_FULL] += row[i];
    }
    normalise(sum, PSB_FULL);
    for (int i = 0; i < PSB_FULL; i++) {
        ASSERT_NEAR(other[i], sum[i], 1e-6);
    }
    psb_mesh_free(&box);
}

/* Smoothing takes exp(-t l (l + 1)) of each degree. */
static void sectors_are_smoothed_by_degree(void **state) {
    (void)state;
    const double t = 0.02;
    psb_mesh mesh = test_blob(91, 50);
    test_describe("SECTORS:smooth=0", &mesh, "model", row);
    test_describe("SECTORS:smooth=0.02", &mesh, "model", other);
    double expected[PSB_FULL];
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int i = l * l; i < (l + 1) * (l + 1); i++) {
            expected[i] = row[i] * exp(-t * l * (l + 1));
        }
    }
    normalise(expected, PSB_FULL);
    for (int i = 0; i < PSB_FULL; i++) {
        ASSERT_NEAR(other[i], expected[i], 1e-6);
    }
    psb_mesh_free(&mesh);
}

/*
 * A sphere's area lies on its own shells, at coordinate 32 * 0.5 - 0.5 half way between two, in no
 * direction. Its facets reach a little inside.
 */
static void sphere_lies_between_two_shells(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(11.0, 96, 192);
    test_describe("SECSHEL", &sphere, "sphere", row);
    for (int s = 0; s < PSB_SHELLS; s++) {
        double expected = s == 15 || s == 16 ? sqrt(0.5) : 0.0;
        ASSERT_NEAR(row[s * PSB_FULL], expected, 0.01);
    }
    test_describe("SECTORS", &sphere, "sphere", row);
    ASSERT_NEAR(row[0], 1.0, 1e-3);
    psb_mesh_free(&sphere);
}

static void pose_and_tessellation_do_not_matter(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(93, 70), cut = test_subdivide(&mesh), turned = test_copy(&mesh);
    test_shuffle(&cut, 7);
    double turn[3][3];
    const double shift[3] = {5, 6, -70};
    test_rotation(1.0, 0.2, 0.4, 2.2, turn);
    for (int k = 0; k < 3; k++) {
        turn[0][k] = -turn[0][k]; /* mirrored as well: the pose undoes it */
    }
    test_transform(&turned, turn, shift);
    static const struct {
        const char *spec;
        size_t length;
    } specs[] = {{"SECSHEL", LENGTH},
                 {"SECTORS", PSB_FULL},
                 {"SECSHEL:form=magnitude", PSB_SHELLS * PSB_COEFFICIENTS},
                 {"SECTORS:form=magnitude", PSB_COEFFICIENTS}};
    for (int s = 0; s < 4; s++) {
        test_describe(specs[s].spec, &mesh, "model", row);
        test_describe(specs[s].spec, &cut, "model", other);
        ASSERT_NEAR(test_row_distance(row, other, specs[s].length), 0.0, 1e-3);
        test_describe(specs[s].spec, &turned, "model", other);
        ASSERT_NEAR(test_row_distance(row, other, specs[s].length), 0.0, 1e-5);
    }
    psb_mesh_free(&mesh);
    psb_mesh_free(&cut);
    psb_mesh_free(&turned);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_are_the_sum_of_shells),
        cmocka_unit_test(sectors_are_smoothed_by_degree),
        cmocka_unit_test(sphere_lies_between_two_shells),
        cmocka_unit_test(pose_and_tessellation_do_not_matter),
    };
    return cmocka_run_group_tests_name("sectors", tests, NULL, NULL);
}
