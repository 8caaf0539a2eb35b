/* Tests that copies of a mesh are found in any pose, scale and order, and changed ones are not. */
#include "core/vector.h"
#include "normalize/congruence.h"
#include "support/meshes.h"
#include "support/test.h"

static bool congruent(const psb_mesh *a, const psb_mesh *b, psb_congruence *out) {
    psb_facets left, right;
    psb_error error;
    assert_int_equal(psb_facets_make(a, &left, &error), PSB_OK);
    assert_int_equal(psb_facets_make(b, &right, &error), PSB_OK);
    bool agree = psb_congruence_prints_agree(&left.print, &right.print);
    bool found = psb_congruent(&left, &right, out);
    assert_true(agree || !found); /* what is congruent is never lost by its print */
    psb_facets_free(&left);
    psb_facets_free(&right);
    return found;
}

/* A copy turned, scaled by 3.5, moved and shuffled; rounded to 6 digits where it is told so. */
static psb_mesh moved(const psb_mesh *mesh, bool mirror, bool rounded) {
    double matrix[3][3];
    psb_mesh copy = test_copy(mesh);
    test_rotation(1, 2, -0.5, 2.1, matrix);
    for (int k = 0; k < 9; k++) {
        matrix[k / 3][k % 3] *= mirror && k < 3 ? -3.5 : 3.5;
    }
    test_transform(&copy, (const double(*)[3])matrix, (const double[3]){10, -20, 5});
    test_shuffle(&copy, 7);
    for (size_t k = 0; rounded && k < 3 * copy.nvertices; k++) {
        copy.vertices[k] = nearbyint(copy.vertices[k] * 1e5) / 1e5;
    }
    return copy;
}

static void copies_are_found(void **state) {
    (void)state;
    psb_mesh all[] = {test_box(1, 2, 3), test_sphere(1, 12, 20), test_blob(5, 200),
                      test_box(1, 1, 1)};
    for (int i = 0; i < 8; i++) {
        psb_mesh *mesh = &all[i / 2], copy = moved(mesh, false, i % 2 == 1);
        psb_congruence found;
        assert_true(congruent(mesh, &copy, &found));
        ASSERT_NEAR(found.scale, 3.5, i % 2 == 1 ? 1e-4 : 1e-12);
        assert_true(found.deviation <= (i % 2 == 1 ? 1e-4 : 1e-11));
        assert_false(found.mirrored);
        psb_mesh_free(&copy);
    }
    for (int i = 0; i < 4; i++) {
        psb_mesh_free(&all[i]);
    }
}

static void mirror_images_are_told(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(6, 100), copy = moved(&mesh, true, false);
    psb_congruence found;
    assert_true(congruent(&mesh, &copy, &found));
    assert_true(found.mirrored);
    psb_mesh_free(&copy);
    psb_mesh_free(&mesh);
}

/* Every triangle twice, in a file that shares no corners. */
static void repeated_triangles_count_once(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(8, 60);
    size_t n = mesh.ntriangles;
    double *vertices = malloc(2 * 9 * n * sizeof *vertices);
    uint32_t *triangles = malloc(2 * 3 * n * sizeof *triangles);
    assert_true(vertices != NULL && triangles != NULL);
    for (size_t k = 0; k < 2 * 3 * n; k++) {
        uint32_t from = mesh.triangles[k < 3 * n ? k : 6 * n - 1 - k]; /* the second time around */
        memcpy(vertices + 3 * k, mesh.vertices + (size_t)3 * from, 3 * sizeof *vertices);
        triangles[k] = (uint32_t)k;
    }
    psb_mesh twice = {.nvertices = 6 * n,
                      .vertices = vertices,
                      .ntriangles = 2 * n,
                      .triangles = triangles,
                      .npolygons = 2 * n};
    psb_congruence found;
    assert_true(congruent(&mesh, &twice, &found));
    ASSERT_NEAR(found.scale, 1, 1e-12);
    psb_mesh_free(&twice);
    psb_mesh_free(&mesh);
}

/* One corner of one triangle moved by a twentieth, another proportion, another tessellation. */
static void others_are_not(void **state) {
    (void)state;
    psb_congruence found;
    psb_mesh mesh = test_blob(9, 50), copy = test_copy(&mesh);
    copy.vertices[0] += 0.05;
    assert_false(congruent(&mesh, &copy, &found));
    psb_mesh box = test_box(1, 2, 3), other = test_box(1, 2, 3.02), cut = test_subdivide(&box);
    assert_false(congruent(&box, &other, &found));
    assert_false(congruent(&box, &cut, &found));
    psb_mesh_free(&cut);
    psb_mesh_free(&other);
    psb_mesh_free(&box);
    psb_mesh_free(&copy);
    psb_mesh_free(&mesh);
}

/* Two boxes at both sides of the origin, the second one turned about the line through both. */
static psb_mesh two_boxes(double angle) {
    double turn[2][3][3];
    psb_mesh part[2] = {test_box(1, 2, 3), test_box(1, 2, 3)}, both = {0};
    size_t n = part[0].nvertices, m = part[0].ntriangles;
    both = (psb_mesh){2 * n, malloc(6 * n * sizeof(double)), 2 * m,
                      malloc(6 * m * sizeof(uint32_t)), 2 * m};
    assert_true(both.vertices != NULL && both.triangles != NULL);
    for (size_t h = 0; h < 2; h++) {
        test_rotation(1, 0, 0, (double)h * angle, turn[h]);
        test_transform(&part[h], (const double(*)[3])turn[h],
                       (const double[3]){8.0 * (double)h - 4, 0, 0});
        memcpy(both.vertices + h * 3 * n, part[h].vertices, 3 * n * sizeof(double));
        for (size_t k = 0; k < 3 * m; k++) {
            both.triangles[h * 3 * m + k] = part[h].triangles[k] + (uint32_t)(h * n);
        }
        psb_mesh_free(&part[h]);
    }
    return both;
}

/* The same triangles, each as far from the centre as before. */
static void a_turned_part_is_seen(void **state) {
    (void)state;
    psb_congruence found;
    psb_mesh a = two_boxes(0), b = two_boxes(0.7);
    assert_false(congruent(&a, &b, &found));
    assert_true(congruent(&b, &b, &found));
    psb_mesh_free(&a);
    psb_mesh_free(&b);
}

static void a_mesh_without_area_is_refused(void **state) {
    (void)state;
    psb_mesh mesh = test_box(1, 2, 0), flat = test_box(1, 0, 0), huge = test_box(1e160, 1, 1);
    psb_facets facets;
    psb_error error;
    assert_int_equal(psb_facets_make(&mesh, &facets, &error), PSB_OK);
    psb_facets_free(&facets);
    assert_int_equal(psb_facets_make(&flat, &facets, &error), PSB_ERROR_INPUT);
    psb_facets_free(&facets);
    assert_int_equal(psb_facets_make(&huge, &facets, &error), PSB_ERROR_INPUT);
    psb_facets_free(&facets);
    psb_mesh_free(&mesh);
    psb_mesh_free(&flat);
    psb_mesh_free(&huge);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_found),
        cmocka_unit_test(mirror_images_are_told),
        cmocka_unit_test(repeated_triangles_count_once),
        cmocka_unit_test(others_are_not),
        cmocka_unit_test(a_turned_part_is_seen),
        cmocka_unit_test(a_mesh_without_area_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
