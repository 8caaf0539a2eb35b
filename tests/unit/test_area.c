/* Tests directions on the grid, area elements, and the field of SECTORS and SECSHEL. */
#include "core/vector.h"
#include "fields/area_splat.h"
#include "fields/direction_grid.h"
#include "fields/shape.h"
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

static void random_direction(psb_random *random, double v[3]) {
    for (int k = 0; k < 3; k++) {
        v[k] = 2.0 * psb_random_unit(random) - 1.0;
    }
}

static double sums[PSB_SPLAT_SUMS];

/* What the shells of a node got, the margins that belong to it included, and all of it. */
static double read_node(int j, int i, double shells[PSB_SPLAT_SHELLS]) {
    const int places[4][2] = {{j + 1, i},
                              {j + 1, i == 0 ? PSB_GRID : -1},
                              {j == 0              ? 0
                               : j == PSB_GRID - 1 ? PSB_GRID + 1
                                                   : -1,
                               (i + PSB_GRID / 2) % PSB_GRID},
                              {j == 0              ? 0
                               : j == PSB_GRID - 1 ? PSB_GRID + 1
                                                   : -1,
                               i == PSB_GRID / 2 ? PSB_GRID : -1}};
    double all = 0.0;
    memset(shells, 0, PSB_SPLAT_SHELLS * sizeof *shells);
    for (int p = 0; p < 4; p++) {
        if (places[p][0] >= 0 && places[p][1] >= 0) {
            int node = places[p][0] * PSB_SPLAT_COLUMNS + places[p][1];
            for (int s = 0; s < PSB_SPLAT_SHELLS; s++) {
                shells[s] += sums[node * PSB_SPLAT_SHELLS + s];
                all += sums[node * PSB_SPLAT_SHELLS + s];
            }
        }
    }
    return all;
}

static const psb_splat_kernel *fastest(void) {
    return psb_cpu_choose(psb_splat_kernels);
}

/* Splats one element that is next to a point, with the area 1. */
static void splat_point(const double v[3], bool tiny) {
    static psb_element_batch batch;
    batch.n = 1;
    batch.tiny = tiny;
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) {
            batch.corner[c][k][0] = (float)v[k];
        }
    }
    batch.area[0] = 1.0;
    memset(sums, 0, sizeof sums);
    fastest()->run(&batch, sums);
}

/* What a footprint should be, by the mathematical library: weight that it gives to one node. */
static double hat_weight(double polar, double azimuth, int j, int i) {
    double weight = 0.0;
    for (int beyond = -1; beyond <= 1; beyond++) { /* rows -1 and 64 are rows 0 and 63, turned */
        double row = beyond < 0 ? -1 - j : beyond > 0 ? 2 * PSB_GRID - 1 - j : j;
        double column = beyond == 0 ? i : i + PSB_GRID / 2;
        double across = fabs(remainder(azimuth - column, PSB_GRID));
        weight += fmax(0.0, 1.0 - fabs(polar - row)) * fmax(0.0, 1.0 - across);
    }
    return weight;
}

static void footprints_are_bilinear(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "direction", "test");
    for (int n = 0; n < 500; n++) {
        double v[3];
        random_direction(&random, v);
        if (n % 5 == 0) { /* near a pole */
            v[0] *= 0.02;
            v[1] *= 0.02;
        }
        splat_point(v, n % 2 == 0);
        double polar = atan2(hypot(v[0], v[1]), v[2]) * 64.0 / M_PI - 0.5;
        double azimuth = atan2(v[1], v[0]) * 64.0 / (2.0 * M_PI);
        double radial = fmin(32.0 * psb_norm(v) - 0.5, PSB_SHELLS), shells[PSB_SPLAT_SHELLS];
        for (int node = 0; node < PSB_NODES; node++) {
            double weight = hat_weight(polar, azimuth, node / PSB_GRID, node % PSB_GRID);
            ASSERT_NEAR(read_node(node / PSB_GRID, node % PSB_GRID, shells), weight, 2e-5);
            for (int s = -1; s < PSB_SHELLS; s++) {
                ASSERT_NEAR(shells[s + 1], weight * fmax(0.0, 1.0 - fabs(radial - s)), 4e-5);
            }
        }
    }
}

static void footprints_know_the_axes(void **state) {
    (void)state;
    static const double axes[][3] = {{3, 0, 0}, {0, 3, 0}, {-3, 0, 0}, {0, -3, 0}};
    double shells[PSB_SPLAT_SHELLS];
    for (int a = 0; a < 4; a++) { /* on the equator, half way between two rows */
        splat_point(axes[a], a % 2 == 0);
        for (int j = 31; j <= 32; j++) {
            ASSERT_NEAR(read_node(j, 16 * a, shells), 0.5, 1e-5);
        }
    }
    static const double poles[][3] = {{0, 0, 2}, {0, 0, -2}, {0, 0, 0}};
    for (int p = 0; p < 3; p++) {
        splat_point(poles[p], p % 2 == 0);
        double all = 0.0;
        for (int i = 0; i < PSB_GRID; i++) {
            all += read_node(p == 1 ? PSB_GRID - 1 : 0, i, shells);
        }
        ASSERT_NEAR(all, 1.0, 1e-6);
    }
}

/*
 * All versions for this processor give the same bits, whatever an element crosses, and lose
 * nothing; level elements beside steep ones as well.
 */
static void versions_agree(void **state) {
    (void)state;
    static psb_element_batch batch;
    static double expected[PSB_SPLAT_SUMS];
    psb_random random = psb_random_seeded(2, "splat", "test");
    for (int trial = 0; trial < 60; trial++) {
        batch.n = trial % 3 == 0 ? PSB_ELEMENTS : 1 + psb_random_below(&random, PSB_ELEMENTS - 1);
        batch.tiny = trial % 4 == 0;
        double area = 0.0, total = 0.0;
        for (size_t i = 0; i < batch.n; i++) {
            double spread = i % 3 == 0 ? 0.0 : trial % 5 == 0 ? 1.0 : 0.05;
            double centre[3], v[3];
            random_direction(&random, centre);
            for (int c = 0; c < 3; c++) {
                random_direction(&random, v);
                for (int k = 0; k < 3; k++) {
                    batch.corner[c][k][i] = (float)(1.2 * centre[k] + spread * v[k]);
                }
            }
            batch.area[i] = psb_random_unit(&random);
            area += batch.area[i];
        }
        memset(expected, 0, sizeof expected);
        fastest()->run(&batch, expected);
        for (size_t k = 0; k < PSB_SPLAT_SUMS; k++) {
            total += expected[k];
        }
        ASSERT_NEAR(total, area, 1e-5 * area);
        for (int k = 0; psb_splat_kernels[k] != NULL; k++) {
            if (psb_cpu_has(psb_splat_kernels[k]->needs)) {
                memset(sums, 0, sizeof sums);
                ((const psb_splat_kernel *)psb_splat_kernels[k])->run(&batch, sums);
                assert_memory_equal(sums, expected, sizeof sums);
            }
        }
    }
}

/* Elements that no mesh should have: the sums may be anything, but stay where they belong. */
static void nonsense_stays_within_bounds(void **state) {
    (void)state;
    static psb_element_batch batch;
    static const float values[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 1e-40f, 0.0f, 1.0f};
    psb_random random = psb_random_seeded(3, "splat", "test");
    batch.n = PSB_ELEMENTS;
    for (int trial = 0; trial < 50; trial++) {
        batch.tiny = trial % 2 == 0;
        for (int i = 0; i < 9 * PSB_ELEMENTS; i++) {
            batch.corner[i % 3][i / 3 % 3][i / 9] = values[psb_random_below(&random, 8)];
        }
        for (int k = 0; psb_splat_kernels[k] != NULL; k++) {
            if (psb_cpu_has(psb_splat_kernels[k]->needs)) {
                ((const psb_splat_kernel *)psb_splat_kernels[k])->run(&batch, sums);
            }
        }
    }
}

typedef struct totals {
    double area;
    double moment[3];
    double largest; /* longest edge over its limit */
    size_t count;
} totals;

static const psb_element_limits limits = {.edge = 0.1, .area = 1e-7, .tiny = 0.5};

/* An element's corners, and its longest edge over the limit. */
static double size_of(const psb_element_batch *batch, size_t i, double corner[3][3],
                      double centroid[3]) {
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        centroid[k] = 0.0;
        for (int v = 0; v < 3; v++) {
            corner[v][k] = batch->corner[v][k][i];
            centroid[k] += corner[v][k] / 3.0;
        }
    }
    for (int v = 0; v < 3; v++) {
        double edge[3];
        psb_subtract(corner[v], corner[(v + 1) % 3], edge);
        longest = fmax(longest, psb_norm(edge));
    }
    double r = psb_norm(centroid);
    return longest / (limits.edge * (r < 1.0 ? sqrt(r) : r));
}

static void add_totals(void *context, const psb_element_batch *batch) {
    totals *t = context;
    for (size_t i = 0; i < batch->n; i++) {
        double corner[3][3], centroid[3], u[3], v[3], normal[3];
        double size = size_of(batch, i, corner, centroid);
        for (int k = 0; k < 3; k++) {
            t->moment[k] += batch->area[i] * centroid[k];
        }
        psb_subtract(corner[1], corner[0], u);
        psb_subtract(corner[2], corner[0], v);
        psb_cross(u, v, normal);
        ASSERT_NEAR(batch->area[i], 0.5 * psb_norm(normal), 1e-6);
        assert_true(batch->tiny == (size <= limits.tiny) || fabs(size - limits.tiny) < 1e-4);
        t->area += batch->area[i];
        t->largest = fmax(t->largest, size);
        t->count++;
    }
}

static void elements_cover_the_surface(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(3, 50);
    const double none[3] = {0, 0, 0}, scale[3][3] = {{0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}};
    test_transform(&mesh, scale, none);
    totals t = {0};
    psb_area_elements(&mesh, mesh.vertices, &limits, add_totals, &t);
    psb_moments moments;
    psb_error error;
    assert_int_equal(psb_moments_compute(&mesh, &moments, &error), PSB_OK);
    ASSERT_NEAR(t.area, moments.area, 1e-12 * moments.area);
    for (int k = 0; k < 3; k++) {
        ASSERT_NEAR(t.moment[k] / t.area, moments.centre[k], 1e-7);
    }
    assert_true(t.largest <= 1.00001);
    assert_true(t.count > mesh.ntriangles);
    psb_mesh_free(&mesh);
}

static void count_elements(void *context, const psb_element_batch *batch) {
    size_t *count = context;
    for (size_t i = 0; i < batch->n; i++) {
        double corner[3][3], centroid[3];
        double size = size_of(batch, i, corner, centroid);
        assert_true(size <= 1.00001 || batch->area[i] <= limits.area);
        for (int v = 0; v < 3; v++) {
            assert_true(psb_norm(corner[v]) <= 2.00001);
        }
    }
    *count += batch->n;
}

/* Neither what reaches far out nor what passes through the centre needs many elements. */
static void elements_are_few_for_extreme_triangles(void **state) {
    (void)state;
    double vertices[] = {
        -1e9, 1e-14, 0.0, 1e9,  0.0,  0.0,  0.0,  2e-14, 0.0, /* a needle */
        -1.0, -1.0,  0.0, 2.0,  -1.0, 0.0,  -1.0, 2.0,   0.0, /* round the centre */
        0.0,  0.0,   0.0, 0.0,  0.0,  0.0,  0.0,  0.0,   0.0, /* a point */
        1e12, 1e12,  0.0, 3e12, 1e12, 1e12, 1e12, 3e12,  0.0, /* far away */
    };
    uint32_t corners[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    psb_mesh mesh = {12, vertices, 4, corners, 4};
    size_t count = 0;
    psb_area_elements(&mesh, vertices, &limits, count_elements, &count);
    assert_true(count > 4000 && count < 20000);
}

/* The field of a mesh, in the aligned pose. */
static psb_area_field field_of(const psb_mesh *mesh) {
    psb_error error;
    psb_area_field *field;
    assert_int_equal(psb_shape_load(shape, mesh, "model", &error), PSB_OK);
    assert_int_equal(psb_shape_area_field(shape, &field, &error), PSB_OK);
    return *field;
}

static void add(psb_coefficients sum, psb_coefficients a, double factor) {
    for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
        sum[lm][0] += factor * a[lm][0];
        sum[lm][1] += factor * a[lm][1];
    }
}

static double square(psb_coefficients a) {
    double row[PSB_FULL], sum = 0.0;
    psb_harmonics_store(a, PSB_FORM_FULL, row);
    for (int i = 0; i < PSB_FULL; i++) {
        sum += row[i] * row[i];
    }
    return sum;
}

/* L2 distance of two fields over the norm of the first. */
static double difference(psb_area_field *a, psb_area_field *b) {
    double apart = 0.0, norm = 0.0;
    for (int s = 0; s <= PSB_SHELLS; s++) {
        norm += square(s < PSB_SHELLS ? a->shell[s] : a->beyond);
        psb_coefficients rest;
        memcpy(rest, s < PSB_SHELLS ? a->shell[s] : a->beyond, sizeof rest);
        add(rest, s < PSB_SHELLS ? b->shell[s] : b->beyond, -1.0);
        apart += square(rest);
    }
    return sqrt(apart / norm);
}

static void field_holds_the_whole_area(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(5, 80);
    psb_area_field field = field_of(&mesh);
    psb_coefficients sum;
    memcpy(sum, field.beyond, sizeof sum);
    for (int s = 0; s < PSB_SHELLS; s++) {
        add(sum, field.shell[s], 1.0);
    }
    psb_moments m;
    assert_int_equal(psb_moments_compute(&mesh, &m, NULL), PSB_OK);
    double area = m.area * 0.25 / (m.mean_distance * m.mean_distance);
    ASSERT_NEAR(sum[0][0] * sqrt(4.0 * M_PI), area, 1e-6 * area);
    assert_true(field.beyond[0][0] > 0.0); /* the test has something beyond radius 1 */
    psb_mesh_free(&mesh);
}

/* Reference: a fine lattice of points on every triangle, each shared by the rule's own words. */
static void add_points(const double corner[3][3], double nodes[][PSB_NODES]) {
    const int n = 160;
    double u[3], v[3], normal[3];
    psb_subtract(corner[1], corner[0], u);
    psb_subtract(corner[2], corner[0], v);
    psb_cross(u, v, normal);
    double area = 0.5 * psb_norm(normal) / (n * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 2 * (n - i) - 1; j++) { /* centroids of n^2 equal triangles */
            double x = (i + (j % 2 == 0 ? 1.0 : 2.0) / 3.0) / n;
            double y = (j / 2 + (j % 2 == 0 ? 1.0 : 2.0) / 3.0) / n, p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = corner[0][k] + x * u[k] + y * v[k];
            }
            double polar = psb_direction_angle(p[2], hypot(p[0], p[1])) * 64.0 / M_PI - 0.5;
            double azimuth = psb_direction_angle(p[0], p[1]) * 64.0 / (2.0 * M_PI);
            double radial = fmax(0.0, 32.0 * psb_norm(p) - 0.5);
            int low = (int)fmin(radial, 32.0);
            double share = low < 32 ? radial - low : 0.0;
            for (int k = 0; k < 4; k++) {
                int row = (int)floor(polar) + k / 2, column = (int)azimuth + k % 2;
                double weight = area * (1.0 - fabs(polar - row)) * (1.0 - fabs(azimuth - column));
                column += row < 0 || row >= PSB_GRID ? PSB_GRID / 2 : 0;
                row = row < 0 ? 0 : row >= PSB_GRID ? PSB_GRID - 1 : row;
                int node = row * PSB_GRID + column % PSB_GRID;
                nodes[low][node] += weight * (1.0 - share);
                nodes[low < 32 ? low + 1 : 32][node] += weight * share;
            }
        }
    }
}

static void measure_of_nodes(const double nodes[PSB_NODES], psb_coefficients a) {
    memset(a, 0, sizeof(psb_coefficients));
    for (int n = 0; n < PSB_NODES; n++) {
        double polar = M_PI * (2 * (n / 64) + 1) / 128.0, azimuth = 2.0 * M_PI * (n % 64) / 64.0;
        double u[3] = {sin(polar) * cos(azimuth), sin(polar) * sin(azimuth), cos(polar)};
        if (nodes[n] != 0.0) {
            psb_coefficients y;
            test_harmonics(u, y);
            for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
                a[lm][0] += nodes[n] * y[lm][0];
                a[lm][1] -= nodes[n] * y[lm][1];
            }
        }
    }
}

static void field_equals_sampling(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(7, 30);
    psb_area_field field = field_of(&mesh), expected;
    const double *points;
    psb_error error;
    assert_int_equal(psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &points, &error),
                     PSB_OK);
    static double nodes[33][PSB_NODES];
    memset(nodes, 0, sizeof nodes);
    for (size_t t = 0; t < mesh.ntriangles; t++) {
        double corner[3][3];
        for (size_t v = 0; v < 3; v++) {
            memcpy(corner[v], points + 3 * (size_t)mesh.triangles[3 * t + v], sizeof corner[v]);
        }
        add_points((const double(*)[3])corner, nodes);
    }
    for (int s = 0; s <= PSB_SHELLS; s++) {
        measure_of_nodes(nodes[s], s < PSB_SHELLS ? expected.shell[s] : expected.beyond);
    }
    double d = difference(&expected, &field);
    if (d > 2e-3) {
        fail_msg("the field is %g away from sampling", d);
    }
    psb_mesh_free(&mesh);
}

/* 1e-3 is the promise for any one mesh. */
static void tessellation_does_not_matter(void **state) {
    (void)state;
    psb_mesh meshes[] = {test_blob(9, 60), test_box(2, 3, 0.7), test_sphere(1.0, 6, 9)};
    for (int m = 0; m < 3; m++) {
        psb_area_field plain = field_of(&meshes[m]);
        psb_mesh cut = test_subdivide(&meshes[m]), shuffled = test_copy(&meshes[m]);
        test_shuffle(&shuffled, 4);
        psb_area_field other = field_of(&cut);
        double d = difference(&plain, &other);
        if (d > 1e-3) {
            fail_msg("cut in four, mesh %d moves by %g", m, d);
        }
        other = field_of(&shuffled);
        d = difference(&plain, &other);
        if (d > 1e-3) {
            fail_msg("shuffled, mesh %d moves by %g", m, d);
        }
        psb_mesh_free(&cut);
        psb_mesh_free(&shuffled);
        psb_mesh_free(&meshes[m]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(footprints_are_bilinear),
        cmocka_unit_test(footprints_know_the_axes),
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(nonsense_stays_within_bounds),
        cmocka_unit_test(elements_cover_the_surface),
        cmocka_unit_test(elements_are_few_for_extreme_triangles),
        cmocka_unit_test(field_holds_the_whole_area),
        cmocka_unit_test(field_equals_sampling),
        cmocka_unit_test(tessellation_does_not_matter),
    };
    return cmocka_run_group_tests_name("area", tests, setup, teardown);
}
