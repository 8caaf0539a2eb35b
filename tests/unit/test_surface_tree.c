/* Tests distances to surfaces against a program that looks at all triangles from all sides. */
#include "core/vector.h"
#include "normalize/surface_points.h"
#include "normalize/surface_tree.h"
#include "support/meshes.h"
#include "support/test.h"

/* The nearest point of a triangle by thirds: the best of a fine grid of its points, then finer
 * about it. */
static double slow_distance(const double p[3], const double *const corner[3]) {
    double best = INFINITY, u = 1. / 3, v = 1. / 3;
    for (double step = 1. / 3; step > 1e-9; step /= 2) {
        double at[2] = {u, v};
        for (int i = -3; i <= 3; i++) {
            for (int j = -3; j <= 3; j++) {
                double x = at[0] + i * step / 2, y = at[1] + j * step / 2, square = 0;
                x = fmin(fmax(x, 0), 1);
                y = fmin(fmax(y, 0), 1 - x);
                for (int k = 0; k < 3; k++) {
                    double q = (1 - x - y) * corner[0][k] + x * corner[1][k] + y * corner[2][k];
                    square += (p[k] - q) * (p[k] - q);
                }
                if (square < best) {
                    best = square;
                    u = x;
                    v = y;
                }
            }
        }
    }
    return sqrt(best);
}

static double slow_distance_to(const double p[3], const psb_mesh *mesh) {
    double least = INFINITY;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const double *corner[3];
        for (size_t k = 0; k < 3; k++) {
            corner[k] = mesh->vertices + (size_t)3 * mesh->triangles[3 * t + k];
        }
        least = fmin(least, slow_distance(p, corner));
    }
    return least;
}

static psb_surface_tree *tree_of(const psb_mesh *mesh) {
    psb_surface_tree *tree;
    psb_error error;
    assert_int_equal(psb_surface_tree_new(mesh, mesh->vertices, &tree, &error), PSB_OK);
    return tree;
}

/* Points within, around and far from random triangles, in an order that makes guesses bad. */
static void distances_are_those_of_all_triangles(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "tree", "test");
    for (size_t triangles = 1; triangles < 90; triangles += 22) {
        psb_mesh blob = test_blob(triangles, triangles);
        psb_surface_tree *tree = tree_of(&blob);
        size_t guess = 0, number;
        for (int i = 0; i < 40; i++) {
            double p[3], reach = i % 4 == 0 ? 30 : 2;
            for (int k = 0; k < 3; k++) {
                p[k] = reach * (psb_random_unit(&random) - 0.5);
            }
            double found = psb_surface_tree_distance(tree, p, &guess, &number);
            ASSERT_NEAR(found, slow_distance_to(p, &blob), 1e-5);
            const double *corner[3];
            for (size_t k = 0; k < 3; k++) {
                corner[k] = blob.vertices + (size_t)3 * blob.triangles[3 * number + k];
            }
            ASSERT_NEAR(found, slow_distance(p, corner), 1e-5);
        }
        psb_surface_tree_free(tree);
        psb_mesh_free(&blob);
    }
}

/* Points of a surface are on it, also far from the origin; a sphere's are 1 from a larger one, but
 * for its facets; triangles without area are no surface. */
static void surfaces_are_where_they_are(void **state) {
    (void)state;
    const double same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, away[3] = {1000, -500, 7};
    psb_mesh blob = test_blob(3, 500), sphere = test_sphere(1, 40, 80),
             larger = test_sphere(2, 40, 80);
    test_transform(&blob, same, away);
    larger.triangles[0] = larger.triangles[1] = larger.triangles[2] = 0;
    psb_surface_tree *own = tree_of(&blob), *around = tree_of(&larger);
    double *sums = malloc((blob.ntriangles + sphere.ntriangles) * sizeof *sums);
    psb_random random = psb_content_random(&blob, 1, 0, "test");
    psb_cloud cloud;
    psb_error error;
    size_t guess = 0, number;
    assert_int_equal(psb_cloud_new(&cloud, 1000, true, &error), PSB_OK);
    psb_surface_cloud(&blob, blob.vertices, sums, &random, &cloud);
    for (size_t i = 0; i < cloud.n; i++) {
        assert_true(psb_surface_tree_distance(own, cloud.at + 3 * i, &guess, &number) == 0);
    }
    psb_surface_cloud(&sphere, sphere.vertices, sums, &random, &cloud);
    for (size_t i = 0; i < cloud.n; i++) {
        ASSERT_NEAR(psb_surface_tree_distance(around, cloud.at + 3 * i, &guess, &number), 1, 0.01);
        ASSERT_NEAR(psb_norm(cloud.at + 3 * i), 1, 0.01);
        double normal[3] = {(double)cloud.normals[3 * i], (double)cloud.normals[3 * i + 1],
                            (double)cloud.normals[3 * i + 2]};
        ASSERT_NEAR(fabs(psb_dot(normal, cloud.at + 3 * i)), 1, 0.01);
        assert_true(number != 0);
    }
    psb_cloud_free(&cloud);
    free(sums);
    psb_surface_tree_free(own);
    psb_surface_tree_free(around);
    psb_mesh_free(&blob);
    psb_mesh_free(&sphere);
    psb_mesh_free(&larger);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_all_triangles),
        cmocka_unit_test(surfaces_are_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
