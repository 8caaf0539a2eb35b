/* Directions on the grid, area elements, and the field of SECTORS and SECSHEL. */
#include "core/vector.h"
#include "descriptors/area_elements.h"
#include "descriptors/direction_grid.h"
#include "descriptors/shape.h"
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

/* Value that a footprint reads from a function on the nodes. */
static double read_nodes(const psb_footprint *f, const double nodes[PSB_NODES]) {
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        assert_true(f->node[k] < PSB_NODES);
        assert_true(f->weight[k] >= 0.0);
        sum += f->weight[k] * nodes[f->node[k]];
    }
    return sum;
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
        psb_footprint f;
        psb_direction_footprint(v, &f);
        double polar = atan2(hypot(v[0], v[1]), v[2]) * 64.0 / M_PI - 0.5;
        double azimuth = atan2(v[1], v[0]) * 64.0 / (2.0 * M_PI);
        double weight[PSB_NODES] = {0.0};
        for (int k = 0; k < 4; k++) {
            weight[f.node[k]] += f.weight[k];
        }
        for (int node = 0; node < PSB_NODES; node++) {
            ASSERT_NEAR(weight[node], hat_weight(polar, azimuth, node / PSB_GRID, node % PSB_GRID),
                        1e-5);
        }
    }
}

static void footprints_know_the_axes(void **state) {
    (void)state;
    static const double axes[][3] = {{3, 0, 0}, {0, 3, 0}, {-3, 0, 0}, {0, -3, 0}};
    for (int a = 0; a < 4; a++) { /* on the equator, half way between two rows */
        psb_footprint f;
        psb_direction_footprint(axes[a], &f);
        double nodes[PSB_NODES] = {0.0};
        nodes[31 * PSB_GRID + 16 * a] = nodes[32 * PSB_GRID + 16 * a] = 1.0;
        ASSERT_NEAR(read_nodes(&f, nodes), 1.0, 1e-6);
    }
    static const double poles[][3] = {{0, 0, 2}, {0, 0, -2}, {0, 0, 0}};
    for (int p = 0; p < 3; p++) {
        psb_footprint f;
        psb_direction_footprint(poles[p], &f);
        double nodes[PSB_NODES] = {0.0};
        for (int i = 0; i < PSB_GRID; i++) {
            nodes[(p == 1 ? 63 : 0) * PSB_GRID + i] = 1.0;
        }
        ASSERT_NEAR(read_nodes(&f, nodes), 1.0, 1e-12);
    }
}

typedef struct totals {
    double area;
    double moment[3];
    double largest; /* longest edge over its limit */
    size_t count;
} totals;

static const psb_element_limits limits = {0.1, 1e-7};

static void add_totals(void *context, const psb_area_element *e) {
    totals *t = context;
    t->area += e->area;
    t->count++;
    double r = psb_norm(e->centroid), limit = limits.edge * (r < 1.0 ? sqrt(r) : r);
    double longest = 0.0, u[3], v[3], normal[3];
    for (int k = 0; k < 3; k++) {
        t->moment[k] += e->area * e->centroid[k];
        ASSERT_NEAR(e->centroid[k], (e->corner[0][k] + e->corner[1][k] + e->corner[2][k]) / 3.0,
                    1e-12);
        double edge[3];
        psb_subtract(e->corner[k], e->corner[(k + 1) % 3], edge);
        longest = fmax(longest, psb_norm(edge));
    }
    psb_subtract(e->corner[1], e->corner[0], u);
    psb_subtract(e->corner[2], e->corner[0], v);
    psb_cross(u, v, normal);
    ASSERT_NEAR(e->area, 0.5 * psb_norm(normal), 1e-9 * limit * limit);
    ASSERT_NEAR(e->size, longest / limit, 1e-6);
    t->largest = fmax(t->largest, e->size);
}

static void elements_cover_the_surface(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(3, 50);
    totals t = {0};
    psb_area_elements(&mesh, mesh.vertices, &limits, add_totals, &t);
    psb_moments moments;
    psb_error error;
    assert_int_equal(psb_moments_compute(&mesh, &moments, &error), PSB_OK);
    ASSERT_NEAR(t.area, moments.area, 1e-12 * moments.area);
    for (int k = 0; k < 3; k++) {
        ASSERT_NEAR(t.moment[k] / t.area, moments.centre[k], 1e-12);
    }
    assert_true(t.largest <= 1.0);
    assert_true(t.count > mesh.ntriangles);
    psb_mesh_free(&mesh);
}

static void count_element(void *context, const psb_area_element *element) {
    size_t *count = context;
    assert_true(element->size <= 1.0 || element->area <= limits.area);
    (*count)++;
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
    psb_area_elements(&mesh, vertices, &limits, count_element, &count);
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
    const psb_moments *m = psb_shape_moments(shape);
    double area = m->area * 0.25 / (m->mean_distance * m->mean_distance);
    ASSERT_NEAR(sum[0][0] * sqrt(4.0 * M_PI), area, 1e-9 * area);
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
            psb_footprint f;
            psb_direction_footprint(p, &f);
            double radial = fmax(0.0, 32.0 * psb_norm(p) - 0.5);
            int low = (int)fmin(radial, 32.0);
            double share = low < 32 ? radial - low : 0.0;
            for (int k = 0; k < 4; k++) {
                nodes[low][f.node[k]] += area * f.weight[k] * (1.0 - share);
                nodes[low < 32 ? low + 1 : 32][f.node[k]] += area * f.weight[k] * share;
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
            psb_harmonics_evaluate(tables->harmonics, u, y);
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
        cmocka_unit_test(elements_cover_the_surface),
        cmocka_unit_test(elements_are_few_for_extreme_triangles),
        cmocka_unit_test(field_holds_the_whole_area),
        cmocka_unit_test(field_equals_sampling),
        cmocka_unit_test(tessellation_does_not_matter),
    };
    return cmocka_run_group_tests_name("area", tests, setup, teardown);
}
