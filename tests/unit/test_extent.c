/* EXT and REXT: exact areas by cell, the expected largest distance, and what they must not notice.
 */
#include "core/random.h"
#include "core/vector.h"
#include "descriptors/shape.h"
#include "support/meshes.h"
#include "support/test.h"

enum { EXT_LENGTH = 136, REXT_LENGTH = 32 * 136 };

static float first[REXT_LENGTH], second[REXT_LENGTH];

static double change(const char *spec, size_t length, const psb_mesh *a, const psb_mesh *b) {
    test_describe(spec, a, "model", first);
    test_describe(spec, b, "model", second);
    return test_row_distance(first, second, length);
}

/* Both descriptors, 1e-3 in L2: the surface decides, not its triangles. */
static void tessellation_does_not_matter(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(61, 120), fine = test_subdivide(&mesh);
    assert_true(change("EXT", EXT_LENGTH, &mesh, &fine) < 1e-3);
    assert_true(change("REXT", REXT_LENGTH, &mesh, &fine) < 1e-3);
    test_shuffle(&mesh, 5);
    assert_true(change("EXT", EXT_LENGTH, &mesh, &fine) < 1e-3);
    assert_true(change("REXT", REXT_LENGTH, &mesh, &fine) < 1e-3);
    psb_mesh_free(&mesh);
    psb_mesh_free(&fine);
}

static void sphere_has_one_coefficient(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(1.0, 96, 192);
    test_describe("EXT:points=100000000", &sphere, "sphere", first);
    ASSERT_NEAR(first[0], 1.0, 1e-4);
    for (int i = 1; i < EXT_LENGTH; i++) {
        ASSERT_NEAR(first[i], 0.0, 1e-2); /* facets, and slices of 1/128 */
    }
    psb_mesh_free(&sphere);
}

/* Cells share out the whole area, whichever axis is the pole. */
static void cells_hold_the_area(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(63, 80);
    psb_moments moments;
    psb_error error;
    assert_int_equal(psb_moments_compute(&mesh, &moments, &error), PSB_OK);
    psb_pose pose = psb_pose_make(PSB_POSE_CENTERED, PSB_SCALE_MEAN, &moments, NULL);
    double *points = malloc(3 * mesh.nvertices * sizeof *points);
    assert_non_null(points);
    psb_pose_apply(&pose, mesh.vertices, mesh.nvertices, points);
    psb_cell_areas cells = {0};
    for (int pole = 0; pole < 3; pole++) {
        assert_int_equal(psb_cell_areas_fill(&mesh, points, pole, 1e-6, &cells, &error), PSB_OK);
        const double *area = cells.area.data;
        double sum = 0.0;
        for (size_t c = 0; c < PSB_CELLS * cells.slices; c++) {
            assert_true(area[c] >= 0.0);
            sum += area[c];
        }
        double expected = moments.area * pose.scale * pose.scale;
        ASSERT_NEAR(sum, expected, 1e-6 * expected);
    }
    psb_buffer_free(&cells.area);
    free(points);
    psb_mesh_free(&mesh);
}

/*
 * The closed form against what it stands for: many draws of a sparse random set of points, for one
 * node whose area by distance is known.
 */
static void expectation_equals_drawing_points(void **state) {
    (void)state;
    psb_cell_areas cells = {.slices = PSB_BALL_SLICES};
    psb_error error;
    assert_int_equal(
        psb_buffer_reserve(&cells.area, PSB_CELLS * cells.slices, sizeof(double), "cells", &error),
        PSB_OK);
    double *area = cells.area.data;
    memset(area, 0, PSB_CELLS * cells.slices * sizeof *area);
    static const struct {
        size_t slice;
        double area;
    } holds[] = {{20, 0.004}, {21, 0.002}, {70, 0.003}, {101, 0.001}};
    const double density = 400.0;
    enum { ROW = 30, COLUMN = 10 }; /* seen by node (ROW, COLUMN) among others */
    for (int h = 0; h < 4; h++) {
        area[((size_t)ROW * PSB_GRID + COLUMN) * cells.slices + holds[h].slice] = holds[h].area;
    }
    double *whole = malloc(PSB_NODES * sizeof *whole);
    double *shells = malloc((size_t)PSB_SHELLS * PSB_NODES * sizeof *shells);
    double *row = malloc(PSB_GRID * cells.slices * sizeof *row);
    assert_true(whole != NULL && shells != NULL && row != NULL);
    psb_extent_distances(&cells, density, row, whole, shells);
    psb_random random = psb_random_seeded(1, "points", "test");
    const int draws = 200000;
    double mean = 0.0;
    for (int d = 0; d < draws; d++) {
        double farthest = 0.0;
        for (int h = 0; h < 4; h++) {
            /* Poisson by products of uniform numbers (Knuth). */
            double limit = exp(-density * holds[h].area), product = psb_random_unit(&random);
            while (product > limit) {
                double u = psb_random_unit(&random);
                double r = psb_slice_radius(holds[h].slice) * (1.0 - u) +
                           psb_slice_radius(holds[h].slice + 1) * u;
                farthest = fmax(farthest, r);
                product *= psb_random_unit(&random);
            }
        }
        mean += farthest / draws;
    }
    ASSERT_NEAR(whole[(size_t)ROW * PSB_GRID + COLUMN], mean, 2e-3);
    ASSERT_NEAR(whole[(size_t)(ROW + 10) * PSB_GRID + COLUMN], 0.0, 0.0);
    free(row);
    free(shells);
    free(whole);
    psb_buffer_free(&cells.area);
}

/* With points beyond number: each node's distance is the outermost non-empty shell's. */
static void outermost_shell_is_the_extent(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(1.0, 12, 24); /* facets: many distances, all below 1 */
    psb_cell_areas cells = {0};
    psb_error error;
    const double half[3][3] = {{0.6, 0, 0}, {0, 0.5, 0}, {0, 0, 0.9}};
    const double none[3] = {0, 0, 0};
    test_transform(&sphere, half, none);
    assert_int_equal(psb_cell_areas_fill(&sphere, sphere.vertices, 2, 1e-9, &cells, &error),
                     PSB_OK);
    double *whole = malloc(PSB_NODES * sizeof *whole);
    double *shells = malloc((size_t)PSB_SHELLS * PSB_NODES * sizeof *shells);
    double *row = malloc(PSB_GRID * cells.slices * sizeof *row);
    assert_true(whole != NULL && shells != NULL && row != NULL);
    psb_extent_distances(&cells, 1e12, row, whole, shells);
    for (size_t j = 0; j < PSB_GRID; j++) {
        for (size_t i = 0; i < PSB_GRID; i++) {
            double outermost = 0.0;
            for (size_t s = 0; s < PSB_SHELLS; s++) {
                double r = shells[(j * PSB_SHELLS + s) * PSB_GRID + i];
                outermost = r > 0.0 ? r : outermost;
            }
            ASSERT_NEAR(whole[j * PSB_GRID + i], outermost, 1e-9);
            /* And it is the ellipsoid's, up to a facet and a slice. */
            double polar = M_PI * (2.0 * (double)j + 1.0) / 128.0;
            double azimuth = 2.0 * M_PI * (double)i / 64.0;
            double u[3] = {sin(polar) * cos(azimuth) / 0.6, sin(polar) * sin(azimuth) / 0.5,
                           cos(polar) / 0.9};
            ASSERT_NEAR(outermost, 1.0 / psb_norm(u), 0.07);
        }
    }
    free(row);
    free(shells);
    free(whole);
    psb_buffer_free(&cells.area);
    psb_mesh_free(&sphere);
}

/* The pose turns every axis to its larger side, so a mirror image has the same rows. */
static void mirror_images_are_equal(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(67, 90), mirrored = test_copy(&mesh);
    const double mirror[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    const double none[3] = {0, 0, 0};
    test_transform(&mirrored, mirror, none);
    assert_true(change("EXT", EXT_LENGTH, &mesh, &mirrored) < 1e-3);
    assert_true(change("REXT", REXT_LENGTH, &mesh, &mirrored) < 1e-3);
    psb_mesh_free(&mesh);
    psb_mesh_free(&mirrored);
}

/*
 * Turning an axis over multiplies coefficients by -1 or conjugates them: magnitudes and the sum
 * |Re| + |Im| stay, full coefficients do not.
 */
static void forms_under_turned_axes(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(3, "forms", "test");
    psb_coefficients a, turned[3];
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            double *c = a[psb_lm(l, m)];
            c[0] = psb_random_unit(&random) - 0.5;
            c[1] = m > 0 ? psb_random_unit(&random) - 0.5 : 0.0;
            /* z -> -z; y -> -y; x -> -x (azimuth -> pi - azimuth) */
            double flip = (l + m) % 2 == 0 ? 1.0 : -1.0, half = m % 2 == 0 ? 1.0 : -1.0;
            const double images[3][2] = {
                {flip * c[0], flip * c[1]}, {c[0], -c[1]}, {half * c[0], -half * c[1]}};
            for (int k = 0; k < 3; k++) {
                memcpy(turned[k][psb_lm(l, m)], images[k], sizeof images[k]);
            }
        }
    }
    static const psb_form forms[] = {PSB_FORM_MAGNITUDE, PSB_FORM_SUM};
    for (int f = 0; f < 2; f++) {
        double before[PSB_FULL], after[PSB_FULL];
        psb_harmonics_store(a, forms[f], before);
        for (int k = 0; k < 3; k++) {
            psb_harmonics_store(turned[k], forms[f], after);
            for (size_t i = 0; i < psb_form_length(forms[f]); i++) {
                ASSERT_NEAR(after[i], before[i], 1e-15);
            }
        }
    }
}

/* A needle far thinner than a cell still counts, by its area. */
static void thin_parts_are_not_missed(void **state) {
    (void)state;
    psb_mesh needle = test_box(4, 1e-5, 1e-5), rod = test_box(4, 1e-3, 1e-3);
    assert_true(change("EXT", EXT_LENGTH, &needle, &rod) < 0.05);
    psb_mesh_free(&needle);
    psb_mesh_free(&rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tessellation_does_not_matter),
        cmocka_unit_test(sphere_has_one_coefficient),
        cmocka_unit_test(cells_hold_the_area),
        cmocka_unit_test(expectation_equals_drawing_points),
        cmocka_unit_test(outermost_shell_is_the_extent),
        cmocka_unit_test(mirror_images_are_equal),
        cmocka_unit_test(forms_under_turned_axes),
        cmocka_unit_test(thin_parts_are_not_missed),
    };
    return cmocka_run_group_tests_name("extent", tests, NULL, NULL);
}
