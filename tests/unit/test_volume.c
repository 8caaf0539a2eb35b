/* Compares raster and distance transform with slow, plain code. */
#include "core/random.h"
#include "core/vector.h"
#include "fields/distance_transform.h"
#include "support/meshes.h"
#include "support/test.h"

static bool is_set(const psb_raster *raster, int i, int j, int k) {
    return (raster->row[k][j] >> i & 1) != 0;
}

/* Largest projection difference between triangle and cube over all 13 axes: > 0 means apart. */
static double separation(double p[3][3], const double centre[3]) {
    double axes[13][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double e[3][3];
    for (int v = 0; v < 3; v++) {
        psb_subtract(p[(v + 1) % 3], p[v], e[v]);
        for (int k = 0; k < 3; k++) {
            psb_cross(axes[k], e[v], axes[4 + 3 * v + k]);
        }
    }
    psb_cross(e[0], e[1], axes[3]);
    double worst = -INFINITY;
    for (int a = 0; a < 13; a++) {
        double n = psb_norm(axes[a]);
        if (n < 1e-12) {
            continue;
        }
        double low = INFINITY, high = -INFINITY, reach = 0.0;
        for (int v = 0; v < 3; v++) {
            double d[3];
            psb_subtract(p[v], centre, d);
            low = fmin(low, psb_dot(d, axes[a]) / n);
            high = fmax(high, psb_dot(d, axes[a]) / n);
        }
        for (int k = 0; k < 3; k++) {
            reach += 0.5 * fabs(axes[a][k]) / n;
        }
        worst = fmax(worst, fmax(low - reach, -reach - high));
    }
    return worst;
}

static void check_exact_raster(const psb_fill_kernel *kernel) {
    psb_random random = psb_random_seeded(1, "raster", "test");
    static psb_raster raster;
    for (int trial = 0; trial < 40; trial++) {
        double spread = trial % 4 == 0 ? 2.4 : (trial % 4 == 1 ? 0.3 : 0.06);
        double points[9], p[3][3];
        for (int v = 0; v < 3; v++) {
            for (int k = 0; k < 3; k++) {
                double x = (psb_random_unit(&random) - 0.5) * spread + (trial % 3 - 1) * 0.3;
                x = trial % 5 == 0 && v == 2 ? points[k] : x; /* a segment */
                points[3 * v + k] = x;
                p[v][k] = 32.0 * x + 32.0;
            }
        }
        uint32_t triangle[3] = {0, 1, 2};
        psb_mesh mesh = {3, points, 1, triangle, 1};
        kernel->run(&mesh, points, &raster);
        for (int k = 0; k < PSB_VOXELS; k++) {
            for (int j = 0; j < PSB_VOXELS; j++) {
                for (int i = 0; i < PSB_VOXELS; i++) {
                    const double centre[3] = {i, j, k};
                    double apart = separation(p, centre);
                    if (fabs(apart) > 1e-7 && is_set(&raster, i, j, k) != (apart < 0.0)) {
                        fail_msg("%s: trial %d voxel %d %d %d: set %d, separation %g",
                                 kernel->variant.name, trial, i, j, k, is_set(&raster, i, j, k),
                                 apart);
                    }
                }
            }
        }
    }
}

static void raster_sets_exactly_the_cubes_met(void **state) {
    (void)state;
    for (int v = 0; psb_fill_kernels[v] != NULL; v++) {
        if (psb_cpu_has(psb_fill_kernels[v]->needs)) {
            check_exact_raster((const psb_fill_kernel *)psb_fill_kernels[v]);
        }
    }
}

static void raster_ignores_the_order_of_corners_and_faces(void **state) {
    (void)state;
    static psb_raster before, after;
    psb_mesh mesh = test_blob(21, 50);
    const double scale[3][3] = {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
    const double shift[3] = {-0.6, -0.5, -0.4};
    test_transform(&mesh, scale, shift);
    void (*const rules[])(const psb_mesh *, const double *, psb_raster *) = {psb_raster_fill,
                                                                             psb_raster_sample};
    for (int rule = 0; rule < 2; rule++) {
        rules[rule](&mesh, mesh.vertices, &before);
        test_shuffle(&mesh, 4);
        rules[rule](&mesh, mesh.vertices, &after);
        assert_memory_equal(&before, &after, sizeof before);
    }
    psb_mesh_free(&mesh);
}

/* The sampled rule as it is defined: all corners of all parts. */
static void halve(const double a[3], const double b[3], const double c[3], psb_raster *raster) {
    const double *corner[3] = {a, b, c};
    double square[3];
    int longest = 0; /* the edge that begins at this corner */
    for (int v = 0; v < 3; v++) {
        double edge[3];
        psb_subtract(corner[(v + 1) % 3], corner[v], edge);
        square[v] = psb_dot(edge, edge);
        longest = square[v] > square[longest] ? v : longest;
    }
    if (square[longest] <= 0.25) {
        for (int v = 0; v < 3; v++) {
            const double *p = corner[v];
            double i = floor(p[0] + 0.5), j = floor(p[1] + 0.5), k = floor(p[2] + 0.5);
            if (fmin(i, fmin(j, k)) >= 0.0 && fmax(i, fmax(j, k)) < PSB_VOXELS) {
                raster->row[(int)k][(int)j] |= UINT64_C(1) << (int)i;
            }
        }
        return;
    }
    const double *p = corner[longest], *q = corner[(longest + 1) % 3];
    const double *r = corner[(longest + 2) % 3];
    double middle[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (p[k] + q[k]);
    }
    halve(p, middle, r, raster);
    halve(middle, q, r, raster);
}

/* Triangles of all sizes, one over the other, partly outside. */
static void sampled_raster_has_the_corners_of_all_parts(void **state) {
    (void)state;
    enum { TRIANGLES = 60 };
    static psb_raster expected, sampled;
    double points[9 * TRIANGLES];
    uint32_t triangles[3 * TRIANGLES];
    psb_random random = psb_random_seeded(4, "sampled", "test");
    memset(&expected, 0, sizeof expected);
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        double size = t % 3 == 0 ? 1.5 : (t % 3 == 1 ? 0.3 : 0.05), p[3][3];
        for (uint32_t v = 0; v < 3; v++) {
            triangles[3 * t + v] = 3 * t + v;
            for (uint32_t k = 0; k < 3; k++) {
                double x = size * (psb_random_unit(&random) - 0.5) + 0.3 * (double)(t % 5) - 0.6;
                points[9 * t + 3 * v + k] = x;
                p[v][k] = 32.0 * x + 32.0;
            }
        }
        halve(p[0], p[1], p[2], &expected);
    }
    psb_mesh mesh = {3 * TRIANGLES, points, TRIANGLES, triangles, TRIANGLES};
    psb_raster_sample(&mesh, points, &sampled);
    assert_memory_equal(&sampled, &expected, sizeof sampled);
}

/*
 * The sampled raster lies within the exact one, and has every voxel that a triangle larger than it
 * crosses well inside: no hole.
 */
static void sampled_raster_has_no_holes(void **state) {
    (void)state;
    static psb_raster exact, sampled;
    psb_random random = psb_random_seeded(3, "sampled", "test");
    for (int trial = 0; trial < 20; trial++) {
        double points[9], p[3][3];
        for (int v = 0; v < 3; v++) {
            for (int k = 0; k < 3; k++) {
                points[3 * v + k] = 1.6 * (psb_random_unit(&random) - 0.5);
                p[v][k] = 32.0 * points[3 * v + k] + 32.0;
            }
        }
        uint32_t triangle[3] = {0, 1, 2};
        psb_mesh mesh = {3, points, 1, triangle, 1};
        psb_raster_fill(&mesh, points, &exact);
        psb_raster_sample(&mesh, points, &sampled);
        for (int k = 0; k < PSB_VOXELS; k++) {
            for (int j = 0; j < PSB_VOXELS; j++) {
                assert_true((sampled.row[k][j] & ~exact.row[k][j]) == 0);
                for (int i = 0; i < PSB_VOXELS; i++) {
                    const double centre[3] = {i, j, k};
                    if (separation(p, centre) < -0.5 && !is_set(&sampled, i, j, k)) {
                        fail_msg("trial %d: hole at voxel %d %d %d", trial, i, j, k);
                    }
                }
            }
        }
    }
}

/* Points far outside the grid, also beyond every integer, set nothing and crash nothing. */
static void raster_leaves_out_what_is_outside(void **state) {
    (void)state;
    static psb_raster raster;
    double points[9] = {1e300, 1e300, 1e300, 2e300, 1e300, 1e300, 1e300, 2e300, 1e300};
    uint32_t triangle[3] = {0, 1, 2};
    psb_mesh mesh = {3, points, 1, triangle, 1};
    psb_raster_fill(&mesh, points, &raster);
    for (int k = 0; k < PSB_VOXELS; k++) {
        for (int j = 0; j < PSB_VOXELS; j++) {
            assert_true(raster.row[k][j] == 0);
        }
    }
    /* A huge triangle through the centre fills its whole plane. */
    double plane[9] = {-1e6, -1e6, 0.0, 1e6, -1e6, 0.0, 0.0, 1e6, 0.0};
    mesh.vertices = plane;
    psb_raster_fill(&mesh, plane, &raster);
    for (int j = 0; j < PSB_VOXELS; j++) {
        assert_true(raster.row[32][j] == UINT64_MAX);
        assert_true(raster.row[31][j] == 0);
    }
}

/* That each distance is to the nearest of the voxels set. */
static void assert_squares(int set[][3], int count, int most, const psb_distance_grid *grid) {
    for (int k = 0; k < PSB_VOXELS; k++) {
        for (int j = 0; j < PSB_VOXELS; j++) {
            for (int i = 0; i < PSB_VOXELS; i++) {
                int best = most + 1;
                for (int s = 0; s < count; s++) {
                    int x = set[s][0] - i, y = set[s][1] - j, z = set[s][2] - k;
                    int d = x * x + y * y + z * z;
                    best = d < best ? d : best;
                }
                if (psb_distance_row(j, k)) {
                    assert_int_equal(grid->squared[k][j][i], best);
                }
            }
        }
    }
}

static void transform_equals_brute_force(void **state) {
    (void)state;
    static psb_raster raster;
    static psb_distance_grid grid;
    psb_random random = psb_random_seeded(2, "transform", "test");
    for (int trial = 0; trial < 4; trial++) {
        int set[200][3], count = trial < 2 ? 1 : 50 * trial;
        memset(&raster, 0, sizeof raster);
        for (int s = 0; s < count; s++) {
            for (int k = 0; k < 3; k++) {
                set[s][k] = (int)psb_random_below(&random, PSB_VOXELS);
            }
            raster.row[set[s][2]][set[s][1]] |= UINT64_C(1) << set[s][0];
        }
        const int most = trial == 1 ? PSB_DISTANCE_MOST : 60 * trial * trial;
        for (int v = 0; psb_transform_kernels[v] != NULL; v++) {
            if (psb_cpu_has(psb_transform_kernels[v]->needs)) {
                const psb_transform_kernel *kernel = (const void *)psb_transform_kernels[v];
                kernel->run(&raster, most, &grid);
                assert_squares(set, count, most, &grid);
            }
        }
    }
}

/* A segment of the sweep, by the rule as it is written. */
static void sweep_points(const double p[3], const double q[3], psb_raster *raster) {
    double d[3];
    psb_subtract(q, p, d);
    long n = (long)(1.5 * floor(psb_norm(d) + 3.0));
    for (long i = 0; i < n; i++) {
        int voxel[3];
        for (int k = 0; k < 3; k++) {
            voxel[k] = (int)(p[k] + d[k] * ((double)i / (double)(n - 1)) + 0.5);
        }
        if (voxel[0] >= 0 && voxel[0] < PSB_VOXELS && voxel[1] >= 0 && voxel[1] < PSB_VOXELS &&
            voxel[2] >= 0 && voxel[2] < PSB_VOXELS) {
            raster->row[voxel[2]][voxel[1]] |= UINT64_C(1) << voxel[0];
        }
    }
}

static void sweep(double v[3][3], psb_raster *raster) {
    double u[3], w[3];
    if (memcmp(v[0], v[1], sizeof v[0]) == 0 || memcmp(v[0], v[2], sizeof v[0]) == 0) {
        sweep_points(v[0], memcmp(v[0], v[1], sizeof v[0]) == 0 ? v[2] : v[1], raster);
        return;
    }
    psb_subtract(v[1], v[0], u);
    psb_subtract(v[2], v[0], w);
    double square = psb_dot(w, w) - psb_dot(w, u) * psb_dot(w, u) / psb_dot(u, u);
    long n = square >= 0.0 ? (long)(1.5 * floor(sqrt(square) + 3.0)) : 0;
    for (long i = 0; i < n; i++) {
        double t = (double)i / (double)(n - 1), p[3], q[3];
        for (int k = 0; k < 3; k++) {
            p[k] = v[1][k] + (v[0][k] - v[1][k]) * t;
            q[k] = v[1][k] + (v[2][k] - v[1][k]) * t;
        }
        sweep_points(p, q, raster);
    }
}

/* Triangles of all sizes, partly or wholly outside, needles, segments and points. */
static void reference_raster_is_the_sweep(void **state) {
    (void)state;
    static psb_raster expected, swept;
    psb_random random = psb_random_seeded(6, "sweep", "test");
    for (int trial = 0; trial < 400; trial++) {
        double size = trial % 4 == 0 ? 6.0 : trial % 4 == 1 ? 1.5 : trial % 4 == 2 ? 0.3 : 0.03;
        double points[9], p[3][3];
        for (int v = 0; v < 3; v++) {
            /* Some have two or three corners alike, or nearly. */
            int of = trial % 7 == 3 && v == 1 ? 0 : trial % 7 == 4 && v == 2 ? 0 : v;
            of = trial % 35 == 6 ? 0 : of;
            for (int k = 0; k < 3; k++) {
                double x = size * (psb_random_unit(&random) - 0.5) + 0.3 * (trial % 5) - 0.6;
                points[3 * v + k] = of == v ? x : points[3 * of + k];
                points[3 * v + k] += trial % 7 == 5 && v == 1 ? 1e-3 : 0.0;
                p[v][k] = 32.0 * points[3 * v + k] + 32.0;
            }
        }
        uint32_t triangle[3] = {0, 1, 2};
        psb_mesh mesh = {3, points, 1, triangle, 1};
        memset(&expected, 0, sizeof expected);
        sweep(p, &expected);
        psb_raster_sweep(&mesh, points, &swept);
        assert_memory_equal(&swept, &expected, sizeof swept);
    }
}

/* A triangle whose sweep would take more steps than there is time for, in the plane z = 0.1. */
static void reference_raster_of_huge_triangles(void **state) {
    (void)state;
    static psb_raster swept;
    double points[] = {
        -1e9,  -1e9, 0.1,  1e9, -1e9,  0.1,  0,   1e9,  0.1,    /* a plane */
        -1e9,  0,    -0.5, 1e9, 0,     -0.5, 1e9, 1e-9, -0.5,   /* a needle */
        1e300, 0,    0,    0,   1e300, 0,    0,   0,    1e300}; /* no squares in double */
    uint32_t triangles[] = {0, 1, 2, 3, 4, 5, 4, 5, 3, 5, 3, 4, 6, 7, 8};
    psb_mesh mesh = {9, points, 5, triangles, 5};
    psb_raster_sweep(&mesh, points, &swept);
    for (int k = 0; k < PSB_VOXELS; k++) {
        for (int j = 0; j < PSB_VOXELS; j++) {
            bool all = k == 35 || (k == 16 && j == 32);
            assert_true(swept.row[k][j] == (all ? UINT64_MAX : 0));
        }
    }
}

/* What it has for the name of a reference: the order of corners decides, the sampled rule's does
 * not. */
static void only_the_reference_raster_sees_the_order_of_corners(void **state) {
    (void)state;
    static psb_raster one, other;
    psb_mesh mesh = test_blob(62, 60), shuffled = test_copy(&mesh);
    test_shuffle(&shuffled, 3);
    psb_raster_sample(&mesh, mesh.vertices, &one);
    psb_raster_sample(&shuffled, shuffled.vertices, &other);
    assert_memory_equal(&one, &other, sizeof one);
    psb_raster_sweep(&mesh, mesh.vertices, &one);
    psb_raster_sweep(&shuffled, shuffled.vertices, &other);
    assert_memory_not_equal(&one, &other, sizeof one);
    psb_mesh_free(&mesh);
    psb_mesh_free(&shuffled);
}

static void empty_raster_is_far_everywhere(void **state) {
    (void)state;
    static psb_raster raster;
    static psb_distance_grid grid;
    memset(&raster, 0, sizeof raster);
    psb_distance_transform(&raster, 100, &grid);
    assert_squares(NULL, 0, 100, &grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raster_sets_exactly_the_cubes_met),
        cmocka_unit_test(raster_ignores_the_order_of_corners_and_faces),
        cmocka_unit_test(sampled_raster_has_the_corners_of_all_parts),
        cmocka_unit_test(sampled_raster_has_no_holes),
        cmocka_unit_test(raster_leaves_out_what_is_outside),
        cmocka_unit_test(reference_raster_is_the_sweep),
        cmocka_unit_test(reference_raster_of_huge_triangles),
        cmocka_unit_test(only_the_reference_raster_sees_the_order_of_corners),
        cmocka_unit_test(transform_equals_brute_force),
        cmocka_unit_test(empty_raster_is_far_everywhere),
    };
    return cmocka_run_group_tests_name("volume", tests, NULL, NULL);
}
