/* Tests which changes of a model descriptors must notice and which not, all of the table and some
 * by name. */
#include "core/random.h"
#include "core/vector.h"
#include "core/watch.h"
#include "descriptors/descriptor.h"
#include "fields/gaussian_field.h"
#include "support/meshes.h"
#include "support/test.h"

enum { LONGEST = 32768 };

static float first[LONGEST], second[LONGEST];

static psb_spec *spec_of(const char *text) {
    psb_spec *spec;
    psb_error error;
    if (psb_spec_parse(NULL, text, &spec, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    return spec;
}

static size_t length_of(const char *text) {
    psb_spec *spec = spec_of(text);
    size_t length = psb_spec_length(spec);
    psb_spec_free(spec);
    return length;
}

/* Distance between the descriptors of two meshes. */
static double change(const char *spec, const psb_mesh *a, const psb_mesh *b) {
    test_describe(spec, a, "model", first);
    test_describe(spec, b, "model", second);
    return test_row_distance(first, second, length_of(spec));
}

static void storage_is_the_papers(void **state) {
    (void)state;
    assert_int_equal(length_of("SHD"), 544);
    assert_int_equal(length_of("SHD:norms=plain"), 512);
    assert_int_equal(length_of("GEDT"), 8192);
    assert_int_equal(length_of("GEDT:form=magnitude"), 4352);
    assert_int_equal(length_of("D2"), 64);
    assert_int_equal(length_of("SHELLS"), 64);
}

static double square_of(const char *spec, const psb_mesh *mesh) {
    double sum = 0.0;
    test_describe(spec, mesh, "model", first);
    for (size_t i = 0; i < length_of(spec); i++) {
        sum += (double)first[i] * first[i];
    }
    return sum;
}

/* But those that are the kept part of a vector of norm 1, and points. */
static void float_rows_have_norm_one(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(31, 60);
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        const psb_descriptor *descriptor = psb_descriptor_at(d);
        bool part = descriptor == psb_descriptor_find("SHD") ||
                    descriptor == psb_descriptor_find("EXT") ||
                    descriptor == psb_descriptor_find("REXT") ||
                    descriptor == psb_descriptor_find("POINTS");
        if (descriptor->metric->element == PSB_FLOAT32 && !part) {
            ASSERT_NEAR(square_of(descriptor->name, &mesh), 1.0, 1e-6);
        }
    }
    psb_mesh_free(&mesh);
}

/* Squares of all numbers of 32 functions in full, and how they share out among the parts. */
typedef struct parts {
    double kept_zonal, kept_other, tail_zonal, tail_other;
} parts;

static void add_parts(psb_coefficients a, const psb_tail *tail, parts *sum) {
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            const double *c = a[psb_lm(l, m)];
            double square = c[0] * c[0] + c[1] * c[1];
            *(m == 0 ? &sum->kept_zonal : &sum->kept_other) += square;
        }
    }
    sum->tail_zonal += tail->zonal;
    sum->tail_other += tail->other;
}

/* SHD, EXT and REXT: what is scaled to norm 1 are all degrees up to 31, and then 16 are kept. */
static void norms_are_taken_before_degrees_are_cut(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(31, 60);
    psb_tables *tables;
    psb_shape *shape;
    psb_error error;
    psb_extent *extent;
    psb_coefficients *shells;
    psb_tail *tails;
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    assert_int_equal(psb_shape_load(shape, &mesh, "model", &error), PSB_OK);

    parts whole = {0}, radial = {0}, gaussian = {0};
    assert_int_equal(psb_shape_extent(shape, 4500, 0, &extent, &error), PSB_OK);
    add_parts(extent->whole, &extent->whole_tail, &whole);
    for (int s = 0; s < PSB_SHELLS; s++) {
        add_parts(extent->shell[s], &extent->shell_tail[s], &radial);
    }
    /* Full rows have both signs of m, the norm has one of them. */
    ASSERT_NEAR(square_of("EXT:form=full", &mesh),
                (whole.kept_zonal + 2 * whole.kept_other) /
                    (whole.kept_zonal + whole.kept_other + whole.tail_zonal + whole.tail_other),
                1e-6);
    ASSERT_NEAR(square_of("REXT:form=full", &mesh),
                (radial.kept_zonal + 2 * radial.kept_other) /
                    (radial.kept_zonal + radial.kept_other + radial.tail_zonal + radial.tail_other),
                1e-6);
    assert_true(radial.tail_other > 0.01 * radial.kept_other); /* not nothing */

    const psb_gaussian field = {PSB_POSE_CENTERED, PSB_SCALE_MEAN, PSB_RASTER_REFERENCE, 4.0};
    assert_int_equal(psb_gaussian_field(shape, &field, &shells, &tails, &error), PSB_OK);
    for (int s = 0; s < PSB_SHELLS; s++) {
        add_parts(shells[s], &tails[s], &gaussian);
    }
    double kept = gaussian.kept_zonal + 2 * gaussian.kept_other;
    double cut = gaussian.tail_zonal + 2 * gaussian.tail_other;
    ASSERT_NEAR(square_of("SHD", &mesh), kept / (kept + cut), 1e-6);
    ASSERT_NEAR(square_of("SHD:norms=plain", &mesh), kept / (kept + cut), 1e-6);
    assert_true(cut > 1e-3 * kept);
    psb_shape_free(shape);
    psb_tables_free(tables);
    psb_mesh_free(&mesh);
}

/* A shape that has seen other models gives the same bytes as a fresh one. */
static void models_do_not_see_each_other(void **state) {
    (void)state;
    psb_mesh small = test_blob(1, 5), large = test_blob(2, 400);
    psb_error error;
    psb_tables *tables;
    psb_shape *shape;
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        psb_spec *spec = spec_of(psb_descriptor_at(d)->name);
        const psb_mesh *order[] = {&large, &small, &large};
        for (int m = 0; m < 3; m++) {
            assert_int_equal(psb_shape_load(shape, order[m], "model", &error), PSB_OK);
            assert_int_equal(psb_shape_describe(shape, spec, first, &error), PSB_OK);
        }
        test_describe(psb_descriptor_at(d)->name, &large, "model", second);
        assert_memory_equal(first, second, psb_spec_row_bytes(spec));
        psb_spec_free(spec);
    }
    psb_shape_free(shape);
    psb_tables_free(tables);
    psb_mesh_free(&small);
    psb_mesh_free(&large);
}

static void translation_and_scale_do_not_matter(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(41, 70), moved = test_copy(&mesh);
    const double scale[3][3] = {{40, 0, 0}, {0, 40, 0}, {0, 0, 40}};
    const double shift[3] = {1000, -300, 20};
    test_transform(&moved, scale, shift);
    static const char *const specs[] = {"SHD", "GEDT", "D2", "SHELLS"};
    for (size_t s = 0; s < 4; s++) {
        double d = change(specs[s], &mesh, &moved);
        if (d > 2e-3) { /* a voxel or a pair may fall to the other side of a border */
            fail_msg("%s moves by %g", specs[s], d);
        }
    }
    psb_mesh_free(&mesh);
    psb_mesh_free(&moved);
}

static void rotation_leaves_shd_and_shells_alone(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(43, 60), turned = test_copy(&mesh), other = test_blob(44, 60);
    double turn[3][3];
    const double none[3] = {0, 0, 0};
    test_rotation(0.3, 1.0, -0.7, 0.9, turn);
    test_transform(&turned, turn, none);
    /* Turning the model turns its voxels' corners: a residue of the grid is left. */
    double residue = change("SHD", &mesh, &turned), apart = change("SHD", &mesh, &other);
    assert_true(residue < 0.05);
    assert_true(residue < 0.35 * apart);
    ASSERT_NEAR(change("SHELLS", &mesh, &turned), 0.0, 1e-6);
    psb_mesh_free(&mesh);
    psb_mesh_free(&turned);
    psb_mesh_free(&other);
}

/* GEDT aligns first, so a rotated model keeps it up to the grid's residue. */
static void alignment_undoes_rotation_for_gedt(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(45, 80), turned = test_copy(&mesh);
    double turn[3][3];
    const double none[3] = {0, 0, 0};
    test_rotation(-1.0, 0.2, 0.4, 2.0, turn);
    test_transform(&turned, turn, none);
    assert_true(change("GEDT", &mesh, &turned) < 2e-3);
    psb_mesh_free(&mesh);
    psb_mesh_free(&turned);
}

/* The distance of two meshes by the descriptor's own metric. */
static double distance(const psb_descriptor *d, const psb_mesh *a, const char *name_a,
                       const psb_mesh *b, const char *name_b) {
    psb_spec *spec = spec_of(d->name);
    test_describe(d->name, a, name_a, first);
    test_describe(d->name, b, name_b, second);
    double found = psb_spec_metric(spec)->pair(first, second, psb_spec_length(spec));
    psb_spec_free(spec);
    return found;
}

/* What the table says of the default rows: what they are invariant to moves none by a thousandth of
 * the way to another shape, what they nearly are by less than half, all else by more. */
static void rows_are_invariant_as_listed(void **state) {
    (void)state;
    static const double moves[4][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                          {{2.7, 0, 0}, {0, 2.7, 0}, {0, 0, 2.7}},
                                          {{0, 0, 0}},
                                          {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    psb_mesh mesh = test_blob(45, 80), other = test_blob(46, 12);
    for (size_t v = 0; v < mesh.nvertices; v++) { /* unlike its mirror image */
        double *at = mesh.vertices + 3 * v;
        at[0] += 3 * at[1];
    }
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        const psb_descriptor *of = psb_descriptor_at(d);
        double apart = distance(of, &mesh, "model", &other, "other");
        for (int k = 0; k < 4; k++) {
            const double shift[3] = {k == 0 ? 3.3 : 0, k == 0 ? -1.7 : 0, k == 0 ? 0.9 : 0};
            double map[3][3];
            psb_mesh moved = test_copy(&mesh);
            memcpy(map, moves[k], sizeof map);
            if (k == 2) {
                test_rotation(-1.0, 0.2, 0.4, 2.0, map);
            }
            test_transform(&moved, map, shift);
            double moves_by = distance(of, &mesh, "model", &moved, "moved") / apart;
            bool exact = of->invariant >> k & 1, nearly = of->nearly >> k & 1;
            if (exact ? moves_by > 1e-3 : nearly ? moves_by > 0.5 : moves_by < 0.5) {
                fail_msg("%s moves by %g under %d", of->name, moves_by, k);
            }
            psb_mesh_free(&moved);
        }
    }
    psb_mesh_free(&mesh);
    psb_mesh_free(&other);
}

/* GEDT with fewer shells has some of all, at another scale. */
static void fewer_shells_are_some_of_all(void **state) {
    (void)state;
    static const char *const specs[] = {"GEDT:shells=8", "GEDT:shells=16"};
    psb_mesh mesh = test_blob(46, 80);
    test_describe("GEDT", &mesh, "model", first);
    for (size_t s = 0; s < 2; s++) {
        size_t kept = (size_t)8 << s, step = 32 / kept;
        assert_int_equal(length_of(specs[s]), kept * 256);
        test_describe(specs[s], &mesh, "model", second);
        double ratio = first[step / 2 * 256] / (double)second[0];
        for (size_t i = 0; i < kept * 256; i++) {
            size_t of_all = (i / 256 * step + step / 2) * 256 + i % 256;
            ASSERT_NEAR(ratio * second[i], first[of_all], 1e-7);
        }
    }
    psb_mesh_free(&mesh);
}

/* Bytes of a light field and half of the roots of 255 times them. */
static void roots_are_of_the_same_bytes(void **state) {
    (void)state;
    static uint8_t plain[LONGEST], root[LONGEST];
    psb_mesh mesh = test_blob(47, 80);
    test_describe("LFD:moments=zernike", &mesh, "model", (float *)(void *)plain);
    test_describe("LFD:moments=zernike,root=yes", &mesh, "model", (float *)(void *)root);
    for (size_t i = 0; i < length_of("LFD"); i++) {
        double expected = i % 47 < 45    ? round(0.5 * sqrt(255.0 * plain[i]))
                          : i % 47 == 45 ? plain[i]
                                         : 0.0;
        assert_true(root[i] == expected);
    }
    psb_mesh_free(&mesh);
}

/* A long box: its longest axis is the one that the least of its area faces. */
static void the_frame_of_normals_is_theirs(void **state) {
    (void)state;
    psb_mesh box = test_box(1, 2, 5); /* areas: x 10, y 5, z 2 */
    psb_moments moments;
    psb_axes axes;
    psb_error error;
    assert_int_equal(psb_moments_compute(&box, &moments, &error), PSB_OK);
    assert_int_equal(psb_axes_compute(&box, &moments, PSB_FRAME_NORMALS, &axes, &error), PSB_OK);
    static const double share[3] = {10. / 17, 5. / 17, 2. / 17};
    for (int k = 0; k < 3; k++) {
        ASSERT_NEAR(axes.values[k], share[k], 1e-12);
        ASSERT_NEAR(fabs(axes.axis[k][k]), 1.0, 1e-12);
    }
    psb_mesh_free(&box);
}

/*
 * A shape goes from one frame to the other and back without a trace. What is aligned in the frame
 * of normals is turned with the model as well.
 */
static void frames_do_not_see_each_other(void **state) {
    (void)state;
    static const char *const names[] = {"GEDT", "EXT", "SECSHEL", "VOXEL", "CEGI"};
    psb_mesh mesh = test_blob(48, 80), turned = test_copy(&mesh);
    const double none[3] = {0, 0, 0};
    double turn[3][3];
    test_rotation(-1.0, 0.2, 0.4, 2.0, turn);
    test_transform(&turned, turn, none);
    assert_true(change("GEDT:frame=normals", &mesh, &turned) < 2e-3);
    psb_error error;
    psb_tables *tables;
    psb_shape *shape;
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    assert_int_equal(psb_shape_load(shape, &mesh, "model", &error), PSB_OK);
    for (size_t d = 0; d < sizeof names / sizeof names[0]; d++) {
        for (int frame = 0; frame < 3; frame++) {
            char text[64];
            snprintf(text, sizeof text, "%s:frame=%s", names[d],
                     frame == 1 ? "normals" : "surface");
            psb_spec *spec = spec_of(text);
            assert_int_equal(psb_shape_describe(shape, spec, first, &error), PSB_OK);
            test_describe(text, &mesh, "model", second);
            assert_memory_equal(first, second, psb_spec_row_bytes(spec));
            psb_spec_free(spec);
        }
        char normals[64];
        snprintf(normals, sizeof normals, "%s:frame=normals", names[d]);
        test_describe(normals, &mesh, "model", second);
        assert_true(test_row_distance(first, second, length_of(names[d])) > 0.1);
    }
    psb_shape_free(shape);
    psb_tables_free(tables);
    psb_mesh_free(&mesh);
    psb_mesh_free(&turned);
}

/*
 * A mirrored model: the aligned pose turns each axis by its own rule, reflections included, so the
 * mirror image has the same pose and the same descriptor.
 */
static void mirror_images_have_the_same_gedt_and_shd(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(47, 80), mirrored = test_copy(&mesh);
    const double mirror[3][3] = {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double none[3] = {0, 0, 0};
    test_transform(&mirrored, mirror, none);
    assert_true(change("GEDT", &mesh, &mirrored) < 2e-3);
    assert_true(change("SHD", &mesh, &mirrored) < 2e-2);
    psb_mesh_free(&mesh);
    psb_mesh_free(&mirrored);
}

/* A centred sphere lies in one shell and has no direction. */
static void sphere_has_the_descriptors_of_a_sphere(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(3.0, 64, 128);
    test_describe("SHELLS", &sphere, "sphere", first);
    /* All at distance 0.5, the border of bins 15 and 16; the facets lie a little inside. */
    ASSERT_NEAR(first[15] * first[15] + first[16] * first[16], 1.0, 1e-6);
    test_describe("SHD:norms=plain", &sphere, "sphere", first);
    double direction = 0.0;
    for (size_t i = 0; i < 512; i++) {
        direction += i % 16 == 0 ? 0.0 : (double)first[i] * first[i];
    }
    assert_true(sqrt(direction) < 0.1);
    /* The Gaussian is 1 at the surface, 16 voxels from the centre, and exp(-(d/4)^2) beside it. */
    double expected[32], sum = 0.0;
    for (int s = 0; s < 32; s++) {
        double r = s + 0.5, d = r - 16.0;
        expected[s] = r * exp(-d * d / 16.0);
        sum += expected[s] * expected[s];
    }
    for (int s = 8; s < 24; s++) {
        ASSERT_NEAR(first[16 * s], expected[s] / sqrt(sum), 0.06);
    }
    psb_mesh_free(&sphere);
}

/* Degrees 0 and 2 as three principal values have the norm of the two plain ones. */
static void principal_values_keep_the_norm(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(51, 90);
    test_describe("SHD", &mesh, "model", first);
    test_describe("SHD:norms=plain", &mesh, "model", second);
    for (size_t s = 0; s < 32; s++) {
        const float *p = first + 17 * s, *q = second + 16 * s;
        double principal = (double)p[0] * p[0] + (double)p[1] * p[1] + (double)p[2] * p[2];
        double plain = (double)q[0] * q[0] + (double)q[2] * q[2];
        ASSERT_NEAR(principal, plain, 1e-6);
        assert_true(p[0] <= p[1] && p[1] <= p[2]);
        ASSERT_NEAR(p[3], q[1], 1e-6);
        ASSERT_NEAR(p[4], q[3], 1e-6);
        ASSERT_NEAR(p[16], q[15], 1e-6);
    }
    psb_mesh_free(&mesh);
}

/* The exact shell histogram against counting points. */
static void shells_equal_sampling(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(53, 40);
    test_describe("SHELLS", &mesh, "model", first);
    psb_moments moments;
    psb_error error;
    assert_int_equal(psb_moments_compute(&mesh, &moments, &error), PSB_OK);
    double bins[64] = {0.0}, norm = 0.0;
    const int n = 400;
    for (size_t t = 0; t < mesh.ntriangles; t++) {
        const double *a = mesh.vertices + 9 * t, *b = a + 3, *c = a + 6;
        double u[3], v[3], normal[3];
        psb_subtract(b, a, u);
        psb_subtract(c, a, v);
        psb_cross(u, v, normal);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double x = (i + 0.5) / n, y = (j + 0.5) / n, p[3];
                if (x + y < 1.0) {
                    for (int k = 0; k < 3; k++) {
                        p[k] = a[k] + x * u[k] + y * v[k] - moments.centre[k];
                    }
                    double bin = psb_norm(p) * 0.5 / moments.mean_distance * 32.0;
                    bins[bin < 64.0 ? (int)bin : 63] += psb_norm(normal);
                }
            }
        }
    }
    for (int b = 0; b < 64; b++) {
        norm += bins[b] * bins[b];
    }
    for (int b = 0; b < 64; b++) {
        ASSERT_NEAR(first[b], bins[b] / sqrt(norm), 2e-3);
    }
    /* In parts that mostly lie within a bin. */
    for (int cuts = 0; cuts < 4; cuts++) {
        psb_mesh cut = test_subdivide(&mesh);
        psb_mesh_free(&mesh);
        mesh = cut;
    }
    test_describe("SHELLS", &mesh, "model", second);
    ASSERT_NEAR(test_row_distance(first, second, 64), 0.0, 1e-6);
    psb_mesh_free(&mesh);
}

/* D2 of a long thin rod: distances of two uniform points on a line have density 2 (1 - x). */
static void d2_of_a_rod_is_the_triangle_law(void **state) {
    (void)state;
    psb_mesh rod = test_box(1000, 0.01, 0.01);
    test_describe("D2:points=4000", &rod, "rod", first);
    /* Mean distance to the centre 0.5 makes the rod 2 long: the bins cover it exactly. */
    double expected[64], norm = 0.0;
    for (int b = 0; b < 64; b++) {
        expected[b] = 64.0 - b - 0.5;
        norm += expected[b] * expected[b];
    }
    for (int b = 0; b < 64; b++) {
        ASSERT_NEAR(first[b], expected[b] / sqrt(norm), 0.01);
    }
    psb_mesh_free(&rod);
}

/* Points depend on the model's id and the seed, and on nothing else. */
static void d2_is_seeded_per_model(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(57, 30);
    test_describe("D2", &mesh, "12", first);
    test_describe("D2", &mesh, "12", second);
    assert_memory_equal(first, second, 64 * sizeof(float));
    test_describe("D2", &mesh, "13", second);
    assert_true(test_row_distance(first, second, 64) > 1e-3);
    test_describe("D2:seed=2", &mesh, "12", second);
    assert_true(test_row_distance(first, second, 64) > 1e-3);
    psb_mesh_free(&mesh);
}

static void specs_are_read_strictly(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"SHX", "there is no descriptor 'SHX' (did you mean SHD?); there are "},
        {"GEDT:size=3", "GEDT has no parameter 'size'; it has: width, form"},
        {"SHELLS:width=1", "SHELLS has no parameter 'width'; it has none at all"},
        {"GEDT:width=4x", "GEDT:width=4x: not a number within 0.1 ... 64"},
        {"GEDT:width=-1", "GEDT:width=-1: not a number within 0.1 ... 64"},
        {"GEDT:width=nan", "GEDT:width=nan: not a number within 0.1 ... 64"},
        {"D2:points=10.5", "D2:points=10.5: not a whole number within 2 ... 100000"},
        {"EGI:smooth=-1", "EGI:smooth=-1: not a number within 0 ... 10, or fejer"},
        {"GEDT:width=fejer", "GEDT:width=fejer: not a number within 0.1 ... 64"},
        {"GEDT:form=half", "GEDT:form=half: not one of full, magnitude"},
        {"GEDT:width", "GEDT: expected parameter=value, got 'width'"},
        {"", "there is no descriptor ''; there are "},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        psb_spec *spec;
        psb_error error;
        assert_int_equal(psb_spec_parse(NULL, wrong[w].text, &spec, &error), PSB_ERROR_USAGE);
        assert_null(spec);
        assert_memory_equal(error.message, wrong[w].message, strlen(wrong[w].message));
    }
    psb_spec *spec = spec_of("gedt:form=magnitude,width=3.50");
    assert_string_equal(psb_spec_label(spec), "GEDT:width=3.5,form=magnitude");
    assert_string_equal(spec->label.stem, "GEDT-width=3.5-form=magnitude");
    psb_spec_free(spec);
    spec = spec_of("EGI:smooth=0.5");
    assert_string_equal(psb_spec_label(spec), "EGI:smooth=0.5");
    psb_spec_free(spec);
    spec = spec_of("EGI:smooth=fejer,form=magnitude"); /* a word in a number's place, the default */
    assert_string_equal(psb_spec_label(spec), "EGI:form=magnitude");
    psb_spec_free(spec);
    spec = spec_of("GEDT:width=4"); /* the default, spelled out */
    assert_string_equal(psb_spec_label(spec), "GEDT");
    psb_spec_free(spec);
}

static void lists_split_at_the_right_commas(void **state) {
    (void)state;
    psb_spec **specs;
    size_t count;
    psb_error error;
    assert_int_equal(
        psb_spec_parse_list(NULL, "SHD,GEDT:width=3,form=magnitude,D2", &specs, &count, &error),
        PSB_OK);
    assert_int_equal(count, 3);
    assert_string_equal(psb_spec_label(specs[1]), "GEDT:width=3,form=magnitude");
    assert_string_equal(psb_spec_label(specs[2]), "D2");
    for (size_t s = 0; s < count; s++) {
        psb_spec_free(specs[s]);
    }
    free(specs);
    assert_int_equal(psb_spec_parse_list(NULL, "all", &specs, &count, &error), PSB_OK);
    assert_int_equal(count, 12); /* the paper's, and none of ours */
    for (size_t s = 0; s < count; s++) {
        assert_false(psb_spec_descriptor(specs[s])->beyond);
        psb_spec_free(specs[s]);
    }
    free(specs);
    assert_int_equal(psb_spec_parse_list(NULL, "SHD,shd", &specs, &count, &error), PSB_ERROR_USAGE);
    assert_string_equal(error.message, "SHD is listed twice: name it once");
}

/* Whatever stops early says so, and leaves no model with half a field to the next descriptor. */
static void stopped_descriptors_fail(void **state) {
    (void)state;
    psb_tables *tables;
    psb_shape *shape;
    psb_error error;
    psb_mesh mesh = test_blob(31, 60);
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        const char *name = psb_descriptor_name(psb_descriptor_at(d));
        psb_spec *spec = spec_of(name);
        psb_watch stopped = {.stopped = true};
        for (int again = 0; again < 2; again++) {
            assert_int_equal(psb_shape_load(shape, &mesh, "model", &error), PSB_OK);
            psb_watch *before = psb_watch_begin(again == 0 ? &stopped : NULL);
            psb_status status =
                psb_shape_describe(shape, spec, again == 0 ? first : second, &error);
            psb_watch_begin(before);
            assert_int_equal(status, again == 0 ? PSB_ERROR_INTERRUPTED : PSB_OK);
            assert_int_equal(psb_shape_mesh(shape) == NULL, again == 0);
        }
        test_describe(name, &mesh, "model", first);
        assert_memory_equal(first, second, psb_spec_row_bytes(spec));
        psb_spec_free(spec);
    }
    psb_shape_free(shape);
    psb_tables_free(tables);
    free(mesh.vertices);
    free(mesh.triangles);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storage_is_the_papers),
        cmocka_unit_test(float_rows_have_norm_one),
        cmocka_unit_test(norms_are_taken_before_degrees_are_cut),
        cmocka_unit_test(models_do_not_see_each_other),
        cmocka_unit_test(translation_and_scale_do_not_matter),
        cmocka_unit_test(rotation_leaves_shd_and_shells_alone),
        cmocka_unit_test(alignment_undoes_rotation_for_gedt),
        cmocka_unit_test(rows_are_invariant_as_listed),
        cmocka_unit_test(fewer_shells_are_some_of_all),
        cmocka_unit_test(roots_are_of_the_same_bytes),
        cmocka_unit_test(the_frame_of_normals_is_theirs),
        cmocka_unit_test(frames_do_not_see_each_other),
        cmocka_unit_test(mirror_images_have_the_same_gedt_and_shd),
        cmocka_unit_test(sphere_has_the_descriptors_of_a_sphere),
        cmocka_unit_test(principal_values_keep_the_norm),
        cmocka_unit_test(shells_equal_sampling),
        cmocka_unit_test(d2_of_a_rod_is_the_triangle_law),
        cmocka_unit_test(d2_is_seeded_per_model),
        cmocka_unit_test(specs_are_read_strictly),
        cmocka_unit_test(lists_split_at_the_right_commas),
        cmocka_unit_test(stopped_descriptors_fail),
    };
    return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
