/* Compares annotations with shapes worked out by hand and with slow, literal references. */
#include "annotate/annotate.h"
#include "core/random.h"
#include "core/vector.h"
#include "support/meshes.h"
#include "support/test.h"

static psb_annotations annotate(const psb_mesh *mesh) {
    psb_annotations a;
    psb_error error;
    if (psb_annotate(mesh, &a, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    return a;
}

/* The mesh of given vertices and faces; it borrows both. */
static psb_mesh borrow(const double *vertices, size_t nvertices, const uint32_t *faces, size_t n) {
    psb_mesh mesh = {nvertices, (double *)(uintptr_t)vertices, n, (uint32_t *)(uintptr_t)faces, n};
    return mesh;
}

static size_t components_of(const psb_mesh *mesh) {
    psb_edges edges;
    size_t count;
    assert_int_equal(psb_edges_make(mesh, &edges, NULL), PSB_OK);
    assert_int_equal(psb_count_components(&edges, &count, NULL), PSB_OK);
    psb_edges_free(&edges);
    return count;
}

static double dihedral_of(const psb_mesh *mesh) {
    psb_edges edges;
    double angle;
    assert_int_equal(psb_edges_make(mesh, &edges, NULL), PSB_OK);
    assert_int_equal(psb_average_dihedral_angle(mesh, &edges, &angle, NULL), PSB_OK);
    psb_edges_free(&edges);
    return angle;
}

static double depth_of(const psb_mesh *mesh) {
    double depth;
    assert_int_equal(psb_average_depth(mesh, &depth, NULL), PSB_OK);
    return depth;
}

/* Both meshes in one; frees them. */
static psb_mesh join(psb_mesh a, psb_mesh b) {
    psb_mesh both = test_copy(&a);
    size_t nvertices = a.nvertices + b.nvertices, n = a.ntriangles + b.ntriangles;
    both.vertices = realloc(both.vertices, nvertices * 3 * sizeof *both.vertices);
    both.triangles = realloc(both.triangles, n * 3 * sizeof *both.triangles);
    assert_non_null(both.vertices);
    assert_non_null(both.triangles);
    memcpy(both.vertices + 3 * a.nvertices, b.vertices, b.nvertices * 3 * sizeof *b.vertices);
    for (size_t i = 0; i < 3 * b.ntriangles; i++) {
        both.triangles[3 * a.ntriangles + i] = b.triangles[i] + (uint32_t)a.nvertices;
    }
    both.nvertices = nvertices;
    both.ntriangles = n;
    both.npolygons = n;
    psb_mesh_free(&a);
    psb_mesh_free(&b);
    return both;
}

static const double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void box_has_its_annotations(void **state) {
    (void)state;
    psb_mesh box = test_box(6, 4, 2);
    const double shift[3] = {10, -20, 30};
    test_transform(&box, identity, shift);
    psb_annotations a = annotate(&box);
    assert_int_equal(a.polygons, 12);
    assert_int_equal(a.connected_components, 1);
    ASSERT_NEAR(a.average_dihedral_angle, M_PI / 2, 1e-14); /* 12 edges; 6 diagonals are flat */
    ASSERT_NEAR(a.average_depth, 1.0, 0.0);
    const double low[3] = {7, -22, 29}, high[3] = {13, -18, 31};
    psb_moments moments;
    assert_int_equal(psb_moments_compute(&box, &moments, NULL), PSB_OK);
    ASSERT_NEAR(a.scale, 2.0 * moments.mean_distance, 0.0);
    for (int k = 0; k < 3; k++) {
        assert_true(a.lowest[k] == low[k] && a.highest[k] == high[k]);
        ASSERT_NEAR(a.centre[k], shift[k], 1e-12);
        ASSERT_NEAR(fabs(a.axes.axis[k][k]), 1.0, 1e-12);
    }
    assert_true(a.axes.values[0] > a.axes.values[1] && a.axes.values[1] > a.axes.values[2]);
    psb_mesh_free(&box);
}

static void icosahedron_bends_alike_at_every_edge(void **state) {
    (void)state;
    const double g = (1 + sqrt(5)) / 2;
    const double v[36] = {-1, g,  0,  1, g, 0,  -1, -g, 0,  1, -g, 0, 0,  -1, g,  0,  1, g,
                          0,  -1, -g, 0, 1, -g, g,  0,  -1, g, 0,  1, -g, 0,  -1, -g, 0, 1};
    const uint32_t f[60] = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                            4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                            6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
    psb_mesh mesh = borrow(v, 12, f, 20);
    psb_annotations a = annotate(&mesh);
    ASSERT_NEAR(a.average_dihedral_angle, acos(sqrt(5) / 3), 1e-14);
    assert_int_equal(a.connected_components, 1);
    ASSERT_NEAR(a.average_depth, 1.0, 0.0);
}

/* What lies apart, and what only touches: components go by vertex index, across edges. */
static void components_by_index_and_edge(void **state) {
    (void)state;
    psb_mesh far = test_box(1, 1, 1);
    const double shift[3] = {3, 0, 0};
    test_transform(&far, identity, shift);
    psb_mesh two = join(test_box(1, 1, 1), far);
    assert_int_equal(components_of(&two), 2);
    psb_mesh separate = test_subdivide(&two); /* no two triangles share an index */
    assert_int_equal(components_of(&separate), 24);
    psb_mesh_free(&separate);
    psb_mesh_free(&two);

    const uint32_t at_vertex[6] = {0, 1, 2, 2, 3, 4}, at_edge[6] = {0, 1, 2, 2, 1, 3};
    const double v[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0};
    psb_mesh mesh = borrow(v, 5, at_vertex, 2);
    assert_int_equal(components_of(&mesh), 2);
    mesh = borrow(v, 5, at_edge, 2);
    assert_int_equal(components_of(&mesh), 1);
}

/* The rules of edges.h where a surface is not a manifold. */
static void edges_remember_the_last_face_of_each_direction(void **state) {
    (void)state;
    const double v[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    /* Around 0-1: one upwards, two downwards; the first of these is forgotten. */
    const uint32_t fin[9] = {0, 1, 2, 1, 0, 3, 1, 0, 4};
    psb_mesh mesh = borrow(v, 6, fin, 3);
    assert_int_equal(components_of(&mesh), 2);
    ASSERT_NEAR(dihedral_of(&mesh), M_PI / 2, 1e-14);
    /* Two that run the same way: the first still leads to the second, but no angle is known. */
    const uint32_t same_way[6] = {0, 1, 2, 0, 1, 3};
    mesh = borrow(v, 6, same_way, 2);
    assert_int_equal(components_of(&mesh), 1);
    assert_true(isnan(dihedral_of(&mesh)));
    /* (1, 1, 5) goes with the first edge made at 1, which is 0-1; (5, 5, 4) has no other edge. */
    const uint32_t repeated[6] = {0, 1, 2, 1, 1, 5};
    mesh = borrow(v, 6, repeated, 2);
    assert_int_equal(components_of(&mesh), 1);
    const uint32_t alone[6] = {0, 1, 2, 5, 5, 4};
    mesh = borrow(v, 6, alone, 2);
    assert_int_equal(components_of(&mesh), 2);
    mesh = borrow(v, 6, alone, 0);
    assert_int_equal(components_of(&mesh), 0);
}

/* An edge of the reference: found by walking through the list of a vertex. */
typedef struct listed_edge {
    uint32_t ends[2];
    size_t faces[2];
} listed_edge;

enum { FACES = 14, VERTICES = 7 };

/* edges.h told as a story: corner by corner, every edge looked up among those made before. */
static size_t find_or_make(listed_edge *list, size_t *count, uint32_t from, uint32_t to) {
    for (size_t e = 0; e < *count; e++) {
        bool at_from = list[e].ends[0] == from || list[e].ends[1] == from;
        bool at_to = list[e].ends[0] == to || list[e].ends[1] == to;
        bool loop = list[e].ends[0] == list[e].ends[1];
        if (at_from && at_to && (from == to || !loop)) {
            return e;
        }
    }
    list[*count] = (listed_edge){{from, to}, {PSB_NO_FACE, PSB_NO_FACE}};
    return (*count)++;
}

static void edges_equal_a_literal_reference(void **state) {
    (void)state;
    double vertices[3 * VERTICES] = {0};
    psb_random random = psb_random_seeded(1, "edges", "test");
    for (int trial = 0; trial < 2000; trial++) {
        uint32_t faces[3 * FACES];
        listed_edge list[3 * FACES];
        size_t count = 0, of_corner[3 * FACES];
        for (size_t i = 0; i < 3 * FACES; i++) {
            faces[i] = (uint32_t)psb_random_below(&random, VERTICES);
        }
        for (size_t i = 0; i < 3 * FACES; i++) {
            uint32_t from = faces[i], to = faces[i - i % 3 + (i + 1) % 3];
            size_t e = find_or_make(list, &count, from, to);
            list[e].faces[list[e].ends[0] == from ? 0 : 1] = i / 3;
            of_corner[i] = e;
        }
        psb_mesh mesh = borrow(vertices, VERTICES, faces, FACES);
        psb_edges edges;
        assert_int_equal(psb_edges_make(&mesh, &edges, NULL), PSB_OK);
        assert_int_equal(edges.count, count);
        for (size_t i = 0; i < 3 * FACES; i++) {
            const size_t *made = edges.faces[edges.of_corner[i]];
            const listed_edge *told = &list[of_corner[i]];
            int turned = told->ends[0] > told->ends[1];
            assert_int_equal(made[turned], told->faces[0]);
            assert_int_equal(made[!turned], told->faces[1]);
        }
        psb_edges_free(&edges);
    }
}

/* Two triangles at the edge 0-1, bent by `angle`. */
static psb_mesh hinge(double angle) {
    const double v[12] = {0, 0, 0, 0, 1, 0, 1, 0, 0, -cos(angle), 0, sin(angle)};
    const uint32_t f[6] = {0, 2, 1, 0, 1, 3};
    psb_mesh borrowed = borrow(v, 4, f, 2);
    return test_copy(&borrowed);
}

static void dihedral_leaves_flat_edges_out(void **state) {
    (void)state;
    psb_mesh bent = join(hinge(0.3), hinge(0.0011)), flat = join(hinge(0.3), hinge(0.0010));
    ASSERT_NEAR(dihedral_of(&bent), (0.3 + 0.0011) / 2, 1e-12);
    ASSERT_NEAR(dihedral_of(&flat), 0.3, 1e-12);
    psb_mesh_free(&bent);
    psb_mesh_free(&flat);
    psb_mesh folded = hinge(M_PI - 1e-7);
    ASSERT_NEAR(dihedral_of(&folded), M_PI - 1e-7, 1e-12);
    psb_mesh_free(&folded);
}

/* A face without area has no normal, whichever way its neighbor looks. */
static void dihedral_leaves_faces_without_area_out(void **state) {
    (void)state;
    const double v[12] = {1, 0, 0, 0, 0, 1, 0, 1, 0, 2, 0, -1}; /* 3 is on the line of 0 and 1 */
    const uint32_t down[6] = {0, 1, 2, 1, 0, 3}, up[6] = {1, 0, 2, 0, 1, 3};
    psb_mesh mesh = borrow(v, 4, down, 2);
    assert_true(isnan(dihedral_of(&mesh)));
    mesh = borrow(v, 4, up, 2);
    assert_true(isnan(dihedral_of(&mesh)));
}

static void dihedral_ignores_size_place_and_turn(void **state) {
    (void)state;
    const double v[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0.3, 0.4, 3};
    const uint32_t f[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    psb_mesh mesh = borrow(v, 4, f, 4);
    double angle = dihedral_of(&mesh), turn[3][3];
    test_rotation(1, 2, 3, 0.7, turn);
    const double sizes[4] = {1e-120, 1e-3, 1e3, 1e120};
    for (int i = 0; i < 4; i++) {
        psb_mesh copy = test_copy(&mesh);
        const double shift[3] = {sizes[i], -2 * sizes[i], 0};
        double matrix[3][3];
        for (int k = 0; k < 9; k++) {
            matrix[k / 3][k % 3] = turn[k / 3][k % 3] * sizes[i];
        }
        test_transform(&copy, matrix, shift);
        ASSERT_NEAR(dihedral_of(&copy), angle, 1e-12);
        psb_mesh_free(&copy);
    }
}

static void depth_of_convex_shapes_is_one(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(2, 20, 40);
    ASSERT_NEAR(depth_of(&sphere), 1.0, 0.0);
    /* Inside out the far side is seen instead. */
    for (size_t t = 0; t < sphere.ntriangles; t++) {
        uint32_t *f = sphere.triangles + 3 * t, kept = f[1];
        f[1] = f[2];
        f[2] = kept;
    }
    ASSERT_NEAR(depth_of(&sphere), 1.0, 0.0);
    psb_mesh_free(&sphere);
    /* Many small faces neither overlap at their edges nor leave holes. */
    psb_mesh box = test_box(1, 0.8, 0.3);
    for (int i = 0; i < 5; i++) {
        psb_mesh fine = test_subdivide(&box);
        psb_mesh_free(&box);
        box = fine;
        ASSERT_NEAR(depth_of(&box), 1.0, 0.0);
    }
    psb_mesh_free(&box);
}

/* A box within a box of twice its size is seen behind a quarter of the pixels. */
static void depth_counts_hidden_layers(void **state) {
    (void)state;
    psb_mesh nested = join(test_box(1, 2, 3), test_box(0.5, 1, 1.5));
    ASSERT_NEAR(depth_of(&nested), 1.25, 2e-3);
    psb_mesh_free(&nested);
    const uint32_t line[3] = {0, 1, 1};
    const double v[6] = {0, 0, 0, 1, 1, 1};
    psb_mesh mesh = borrow(v, 2, line, 1);
    assert_true(isnan(depth_of(&mesh)));
    mesh.ntriangles = 0;
    assert_true(isnan(depth_of(&mesh)));
}

/* Layers at one pixel, by three signs for every face. */
static int layers_at(const double *xy, const psb_mesh *mesh, double x, double y) {
    int layers = 0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        bool inside = true;
        for (size_t i = 0; i < 3; i++) {
            const double *a = xy + 2 * (size_t)mesh->triangles[3 * t + i];
            const double *b = xy + 2 * (size_t)mesh->triangles[3 * t + (i + 1) % 3];
            inside = inside && (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0.0;
        }
        layers += inside;
    }
    return layers;
}

static void depth_equals_point_in_triangle_tests(void **state) {
    (void)state;
    const double g = (1 + sqrt(5)) / 2;
    const double views[6][3] = {{0, 1, g},  {0, -1, g}, {g, 0, 1},
                                {g, 0, -1}, {1, g, 0},  {1, -g, 0}};
    psb_mesh blob = test_blob(3, 120);
    double lowest[3], highest[3], middle[3], half[3];
    psb_bounding_box(&blob, lowest, highest);
    for (int k = 0; k < 3; k++) {
        middle[k] = (lowest[k] + highest[k]) / 2;
        half[k] = (highest[k] - lowest[k]) / 2;
    }
    double *xy = malloc(blob.nvertices * 2 * sizeof *xy), layers = 0, covered = 0;
    assert_non_null(xy);
    for (int view = 0; view < 6; view++) {
        /* right = (y axis) x towards, up = towards x right */
        const double *z = views[view];
        double right[3] = {z[2], 0, -z[0]}, up[3];
        psb_cross(z, right, up);
        for (size_t v = 0; v < blob.nvertices; v++) {
            double p[3];
            psb_subtract(blob.vertices + 3 * v, middle, p);
            xy[2 * v] = psb_dot(p, right) / psb_norm(right) / psb_norm(half);
            xy[2 * v + 1] = psb_dot(p, up) / psb_norm(up) / psb_norm(half);
        }
        for (int i = 0; i < PSB_COMPLEXITY_PIXELS * PSB_COMPLEXITY_PIXELS; i++) {
            double column = i % PSB_COMPLEXITY_PIXELS + 0.5,
                   row = (i / PSB_COMPLEXITY_PIXELS) + 0.5;
            int n = layers_at(xy, &blob, 2 * column / PSB_COMPLEXITY_PIXELS - 1,
                              2 * row / PSB_COMPLEXITY_PIXELS - 1);
            layers += n;
            covered += n > 0;
        }
    }
    assert_true(layers > 1.05 * covered);
    ASSERT_NEAR(depth_of(&blob), layers / covered, 1e-12);
    free(xy);
    psb_mesh_free(&blob);
}

static void unused_vertices_do_not_count(void **state) {
    (void)state;
    psb_mesh box = test_box(1, 1, 1);
    psb_annotations before = annotate(&box);
    box.vertices = realloc(box.vertices, 27 * sizeof *box.vertices);
    assert_non_null(box.vertices);
    box.vertices[24] = box.vertices[25] = box.vertices[26] = -1.7e308;
    box.nvertices = 9;
    psb_annotations after = annotate(&box);
    assert_memory_equal(before.lowest, after.lowest, sizeof before.lowest);
    assert_memory_equal(before.highest, after.highest, sizeof before.highest);
    assert_true(before.average_depth == after.average_depth);
    assert_int_equal(before.connected_components, after.connected_components);
    psb_mesh_free(&box);
}

static void refuses_what_has_no_surface(void **state) {
    (void)state;
    const double v[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    const uint32_t f[3] = {0, 1, 2};
    psb_mesh mesh = borrow(v, 3, f, 1);
    psb_annotations a;
    psb_error error;
    assert_int_equal(psb_annotate(&mesh, &a, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "no area"));
    double depth;
    const double huge[9] = {-1.7e308, 0, 0, 1.7e308, 1.7e308, 0, 0, 1.7e308, 1.7e308};
    mesh = borrow(huge, 3, f, 1);
    assert_int_equal(psb_average_depth(&mesh, &depth, &error), PSB_ERROR_INPUT);
}

static void closed_surfaces_have_a_volume(void **state) {
    (void)state;
    psb_mesh box = test_box(6, 4, 2), far = test_box(1, 1, 1);
    psb_annotations a = annotate(&box);
    assert_true(a.watertight);
    assert_int_equal(a.vertices, 8);
    assert_int_equal(a.triangles, 12);
    ASSERT_NEAR(a.volume, 48, 1e-12);
    ASSERT_NEAR(a.area, 2 * (24 + 12 + 8), 1e-12);
    /* Turned inside out it is as large, and far from the origin, too. */
    for (size_t t = 0; t < box.ntriangles; t++) {
        uint32_t first = box.triangles[3 * t];
        box.triangles[3 * t] = box.triangles[3 * t + 1];
        box.triangles[3 * t + 1] = first;
    }
    for (size_t i = 0; i < 3 * far.nvertices; i++) {
        far.vertices[i] += 1000;
    }
    ASSERT_NEAR(annotate(&box).volume, 48, 1e-12);
    ASSERT_NEAR(annotate(&far).volume, 1, 1e-8);
    psb_mesh two = join(box, far);
    ASSERT_NEAR(annotate(&two).volume, 47, 1e-6); /* the one points inwards, the other outwards */
    assert_true(annotate(&two).watertight);
    /* A face that is missing, turned or there twice. */
    for (int how = 0; how < 3; how++) {
        psb_mesh wrong = test_sphere(1, 6, 8);
        uint32_t *last = wrong.triangles + 3 * (wrong.ntriangles - 1), first = last[0];
        wrong.ntriangles -= how == 0;
        last[0] = how == 1 ? last[1] : last[0];
        last[1] = how == 1 ? first : last[1];
        if (how == 2) {
            memcpy(wrong.triangles, last, 3 * sizeof *last);
        }
        a = annotate(&wrong);
        assert_false(a.watertight);
        assert_true(isnan(a.volume));
        psb_mesh_free(&wrong);
    }
    psb_mesh_free(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_has_its_annotations),
        cmocka_unit_test(icosahedron_bends_alike_at_every_edge),
        cmocka_unit_test(components_by_index_and_edge),
        cmocka_unit_test(edges_remember_the_last_face_of_each_direction),
        cmocka_unit_test(edges_equal_a_literal_reference),
        cmocka_unit_test(dihedral_leaves_flat_edges_out),
        cmocka_unit_test(dihedral_leaves_faces_without_area_out),
        cmocka_unit_test(dihedral_ignores_size_place_and_turn),
        cmocka_unit_test(closed_surfaces_have_a_volume),
        cmocka_unit_test(depth_of_convex_shapes_is_one),
        cmocka_unit_test(depth_counts_hidden_layers),
        cmocka_unit_test(depth_equals_point_in_triangle_tests),
        cmocka_unit_test(unused_vertices_do_not_count),
        cmocka_unit_test(refuses_what_has_no_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
