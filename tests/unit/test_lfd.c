/* Tests the light field descriptor: moments against sums over pixels, and invariances of rows. */
#include "core/random.h"
#include "core/vector.h"
#include "descriptors/descriptor.h"
#include "distance/metric.h"
#include "lightfield/cameras.h"
#include "lightfield/silhouette.h"
#include "lightfield/silhouette_features.h"
#include "support/meshes.h"
#include "support/test.h"

enum { RECORD = 47, LENGTH = PSB_VIEWS * RECORD, FOURIER = 35, CIRCULARITY = 45 };

static uint8_t first[LENGTH], second[LENGTH];

/* PSB_ERROR_INPUT where nothing of the mesh is seen. */
static psb_status try_to_describe(const char *spec, const psb_mesh *mesh, uint8_t row[LENGTH]) {
    psb_error error;
    psb_tables *tables;
    psb_shape *shape;
    psb_spec *parsed;
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    assert_int_equal(psb_spec_parse(NULL, spec, &parsed, &error), PSB_OK);
    assert_int_equal(psb_spec_row_bytes(parsed), LENGTH);
    assert_int_equal(psb_shape_load(shape, mesh, "model", &error), PSB_OK);
    psb_status status = psb_shape_describe(shape, parsed, row, &error);
    psb_spec_free(parsed);
    psb_shape_free(shape);
    psb_tables_free(tables);
    return status;
}

static void describe(const char *spec, const psb_mesh *mesh, uint8_t row[LENGTH]) {
    assert_int_equal(try_to_describe(spec, mesh, row), PSB_OK);
}

/* Bytes that differ, and by how much at most, among positions low ... high - 1 of all records. */
static int differing(int low, int high, int *largest) {
    int count = 0;
    *largest = 0;
    for (int i = 0; i < LENGTH; i++) {
        int d = abs(first[i] - second[i]);
        if (i % RECORD >= low && i % RECORD < high && d > 0) {
            count++;
            *largest = d > *largest ? d : *largest;
        }
    }
    return count;
}

static void cameras_look_at_the_origin_evenly(void **state) {
    (void)state;
    psb_camera camera[PSB_DODECAHEDRA][PSB_AXES];
    psb_lfd_cameras(camera);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        double spread[3][3] = {{0.0}};
        for (int m = 0; m < PSB_AXES; m++) {
            double back[3];
            psb_cross(camera[d][m].right, camera[d][m].up, back);
            ASSERT_NEAR(psb_norm(camera[d][m].right), 1.0, 1e-12);
            ASSERT_NEAR(psb_norm(camera[d][m].up), 1.0, 1e-12);
            ASSERT_NEAR(psb_norm(back), 1.0, 1e-12);
            ASSERT_NEAR(camera[d][m].right[1], 0.0, 1e-12); /* level */
            assert_true(camera[d][m].up[1] > 0.0);
            for (int k = 0; k < 9; k++) {
                spread[k / 3][k % 3] += back[k / 3] * back[k % 3];
            }
        }
        for (int k = 0; k < 9; k++) { /* the axes of a regular solid have no preferred direction */
            ASSERT_NEAR(spread[k / 3][k % 3], k / 3 == k % 3 ? 10.0 / 3.0 : 0.0, 1e-6);
        }
    }
}

/* Zernike's polynomials by a recurrence over n. */
static double zernike(int n, int p, double rho) {
    if (p > n || n < 0) {
        return 0.0;
    }
    if (n == 0) {
        return 1.0;
    }
    return rho * (zernike(n - 1, abs(p - 1), rho) + zernike(n - 1, p + 1, rho)) -
           zernike(n - 2, p, rho);
}

/* Function number k at a point of the 101 x 101 grid, read as the pixel by pixel definition has it.
 */
static void slow_function(psb_moment_kind kind, int k, double grid[2][102][102]) {
    int p = k / 3, n = 0;
    for (int left = k; kind == PSB_ZERNIKE; n++) {
        if (left <= n / 2) {
            p = n % 2 + 2 * left;
            break;
        }
        left -= n / 2 + 1;
    }
    for (int i = 0; i < 102; i++) {
        for (int j = 0; j < 102; j++) {
            double rho = hypot(i - 50, j - 50) / 50.0, theta = atan2(j - 50, i - 50);
            double radial = kind == PSB_ART ? cos(M_PI * (k % 3) * rho) : zernike(n, p, rho);
            grid[0][i][j] = rho < 1.0 ? radial * cos(p * theta) : 0.0;
            grid[1][i][j] = rho < 1.0 ? radial * sin(p * theta) : 0.0;
        }
    }
}

static double read_bilinearly(double grid[102][102], double x, double y) {
    int i = (int)x, j = (int)y;
    double fx = x - i, fy = y - j;
    return (1.0 - fx) * ((1.0 - fy) * grid[i][j] + fy * grid[i][j + 1]) +
           fx * ((1.0 - fy) * grid[i + 1][j] + fy * grid[i + 1][j + 1]);
}

static void fill_images(psb_bitmap image[PSB_AXES]) {
    psb_random random = psb_random_seeded(7, "moments", "test");
    memset(image, 0, PSB_AXES * sizeof *image);
    psb_bitmap_set(&image[1], 77, 200); /* number 0 stays empty */
    for (int m = 2; m < PSB_AXES; m++) {
        int left = 20 + 7 * m, bottom = 90 - 9 * m, side = 4 << m % 6;
        int top = bottom + 2 * side - m;
        for (int x = left; x < left + side; x++) {
            for (int y = bottom < 0 ? 0 : bottom; y < (top < PSB_SIDE ? top : PSB_SIDE); y++) {
                if (m % 2 == 0 || psb_random_below(&random, 3) > 0) {
                    psb_bitmap_set(&image[m], x, y);
                }
            }
        }
    }
}

static void moments_are_sums_over_pixels(void **state) {
    (void)state;
    static psb_bitmap image[PSB_MOMENT_IMAGES];
    static psb_moment_scratch scratch;
    static double grid[2][102][102], moment[PSB_MOMENT_IMAGES][PSB_MOMENTS];
    psb_silhouette_features features[PSB_MOMENT_IMAGES];
    fill_images(image);
    fill_images(image + PSB_AXES);
    double largest = 0.0, radius[2];
    for (int m = 0; m < PSB_MOMENT_IMAGES; m++) {
        psb_silhouette_measure(&image[m], &features[m]);
        largest = fmax(largest, features[m].radius);
    }
    radius[0] = largest;
    radius[1] = 1.7 * largest; /* each ten have their own */
    memset(&scratch, 0x7f, sizeof scratch);
    for (int m = 0; m < PSB_MOMENT_IMAGES; m++) {
        psb_moment_splat(&image[m], &features[m].box, features[m].centre, radius[m / PSB_AXES],
                         &scratch, m);
    }
    for (int kind = 0; kind < PSB_MOMENT_KINDS; kind++) {
        psb_moment_basis *basis;
        psb_error error;
        assert_int_equal(psb_moment_basis_new((psb_moment_kind)kind, &basis, &error), PSB_OK);
        psb_moment_magnitudes(basis, &scratch, moment);
        for (int k = 0; k < PSB_MOMENTS; k++) {
            slow_function((psb_moment_kind)kind, k + 1, grid);
            for (int m = 0; m < PSB_MOMENT_IMAGES; m++) {
                double scale = 50.0 / radius[m / PSB_AXES];
                double re = 0.0, im = 0.0;
                for (int at = 0; at < PSB_SIDE * PSB_SIDE; at++) {
                    int x = at % PSB_SIDE, y = at / PSB_SIDE;
                    if (psb_bitmap_get(&image[m], x, y)) {
                        double gx = (x - features[m].centre[0]) * scale + 50.0;
                        double gy = (y - features[m].centre[1]) * scale + 50.0;
                        re += read_bilinearly(grid[0], gx, gy);
                        im += read_bilinearly(grid[1], gx, gy);
                    }
                }
                double area = 1.0 + (double)features[m].area;
                ASSERT_NEAR(moment[m][k], hypot(re, im), psb_moment_slack * area);
                psb_moment_splat(&image[m], &features[m].box, features[m].centre,
                                 radius[m / PSB_AXES], &scratch, m);
                double exact = psb_moment_exact(basis, &scratch, k);
                ASSERT_NEAR(exact, hypot(re, im), 1e-9 * area);
            }
        }
        psb_moment_basis_free(basis);
    }
}

/* All versions for this processor leave the same numbers. */
static void folds_agree(void **state) {
    (void)state;
    static psb_moment_scratch grid, expected, other;
    for (int i = 0; i < PSB_MOMENT_PITCH; i++) {
        grid.whole[i] = cos(i);
        for (int j = 0; j < PSB_MOMENT_PITCH; j++) {
            grid.grid[i][j] = sin(i * i + 3 * j);
        }
    }
    grid.touched = (psb_pixel_box){7, 96, 11, 90};
    bool compared = false;
    for (int v = 0; psb_fold_kernels[v] != NULL; v++) {
        const psb_fold_kernel *kernel = (const void *)psb_fold_kernels[v];
        if (psb_cpu_has(kernel->variant.needs)) {
            psb_moment_scratch *result = compared ? &other : &expected;
            *result = grid;
            kernel->fold(result, 3);
            assert_memory_equal(result, &expected, sizeof grid);
            compared = true;
        }
    }
}

/* The model in pixels about the origin, in memory that the caller frees by x. */
static psb_points in_pixels(const psb_mesh *mesh) {
    size_t n = mesh->nvertices;
    double *x = malloc(3 * n * sizeof *x), low[3], high[3], side = 0.0;
    assert_non_null(x);
    for (size_t i = 0; i < 3; i++) {
        low[i] = high[i] = mesh->vertices[i];
        for (size_t v = 0; v < n; v++) {
            low[i] = fmin(low[i], mesh->vertices[3 * v + i]);
            high[i] = fmax(high[i], mesh->vertices[3 * v + i]);
        }
        side = fmax(side, high[i] - low[i]);
    }
    for (size_t k = 0; k < 3 * n; k++) {
        double middle = low[k / n] + (high[k / n] - low[k / n]) / 2.0;
        x[k] = (mesh->vertices[3 * (k % n) + k / n] - middle) / side * (PSB_SIDE / 2);
    }
    return (psb_points){n, x, x + n, x + 2 * n};
}

/* Of this model float32 alone gets a byte wrong, with AVX-512. */
static void moments_are_as_in_double(void **state) {
    (void)state;
    static psb_moment_scratch scratch;
    psb_mesh mesh = test_blob(79, 80);
    psb_points points = in_pixels(&mesh);
    psb_drawing drawing = {points, malloc(points.n * sizeof *drawing.snapped),
                           malloc(psb_draw_blocks(mesh.ntriangles) * sizeof *drawing.block), 0};
    psb_camera camera[PSB_DODECAHEDRA][PSB_AXES];
    psb_moment_basis *basis;
    psb_error error;
    psb_lfd_cameras(camera);
    assert_int_equal(psb_moment_basis_new(PSB_ART, &basis, &error), PSB_OK);
    for (size_t t = 0; t < mesh.ntriangles; t++) {
        psb_drawing_put(&drawing, t, mesh.triangles + 3 * t);
    }
    psb_drawing_close(&drawing, mesh.ntriangles);
    describe("LFD", &mesh, first);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        psb_bitmap image[PSB_AXES];
        psb_silhouette_features features[PSB_AXES];
        double radius = 0.0;
        for (int m = 0; m < PSB_AXES; m += PSB_PAIR) {
            psb_silhouette_draw(&drawing, &camera[d][m], &image[m]);
        }
        for (int m = 0; m < PSB_AXES; m++) {
            psb_silhouette_measure(&image[m], &features[m]);
            radius = fmax(radius, features[m].radius);
        }
        for (int m = 0; m < PSB_AXES; m++) {
            psb_moment_splat(&image[m], &features[m].box, features[m].centre, radius, &scratch, 0);
            for (int k = 0; k < PSB_MOMENTS; k++) {
                double value = 256.0 * psb_moment_exact(basis, &scratch, k);
                value = fmin(value / (double)features[m].area, 255.0);
                assert_int_equal(first[(d * PSB_AXES + m) * RECORD + k], (uint8_t)value);
            }
        }
    }
    psb_moment_basis_free(basis);
    free(drawing.snapped);
    free(drawing.block);
    free((void *)(uintptr_t)points.x);
    psb_mesh_free(&mesh);
}

static void variants_differ_in_moments_only(void **state) {
    (void)state;
    psb_mesh mesh = test_box(1.0, 0.4, 0.2);
    describe("LFD", &mesh, first);
    describe("LFD:moments=zernike", &mesh, second);
    int largest;
    assert_true(differing(0, FOURIER, &largest) > 1000);
    assert_int_equal(differing(FOURIER, RECORD, &largest), 0);
    psb_mesh_free(&mesh);
}

static void resize(psb_mesh *mesh, double scale, double shift) {
    const double matrix[3][3] = {{scale, 0, 0}, {0, scale, 0}, {0, 0, scale}};
    const double offset[3] = {shift, -2.0 * shift, 0.5 * shift};
    test_transform(mesh, matrix, offset);
}

/* Scaling by powers of two is exact; otherwise rounding may move a corner by 1/256 pixel. */
static void scale_and_position_do_not_matter(void **state) {
    (void)state;
    static const double scales[] = {0.125, 1024.0, 3.7, 1e8, 1e-8, 1e-100, 1e100};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        psb_mesh mesh = test_blob(51, 80), moved = test_copy(&mesh);
        resize(&moved, scales[s], s < 2 ? 0.0 : 0.3 * scales[s]);
        describe("LFD", &mesh, first);
        describe("LFD", &moved, second);
        int largest, count = differing(0, RECORD, &largest);
        if (count > (s < 2 ? 0 : LENGTH / 50) || largest > 40) {
            fail_msg("scale %g: %d bytes differ, by up to %d", scales[s], count, largest);
        }
        psb_mesh_free(&mesh);
        psb_mesh_free(&moved);
    }
}

/*
 * The images turn by half a circle. Exactly in the middle of the moments' grid the angle counts as
 * 0, which is not symmetric and moves some by 1; the contour starts at another pixel, which moves
 * some Fourier coefficients by 1 as its first pixel stands in it twice.
 */
static void inversion_keeps_nearly_all(void **state) {
    (void)state;
    const double invert[3][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, none[3] = {0, 0, 0};
    psb_mesh mesh = test_box(1.0, 0.7, 0.5);
    const double corner[3] = {0.9, 0.6, 1.1};
    memcpy(mesh.vertices + 3 * 7, corner, sizeof corner);
    psb_mesh inverted = test_copy(&mesh);
    test_transform(&inverted, invert, none);
    describe("LFD", &mesh, first);
    describe("LFD", &inverted, second);
    int region, fourier, rest;
    int regions = differing(0, FOURIER, &region), rests = differing(CIRCULARITY, RECORD, &rest);
    int fouriers = differing(FOURIER, CIRCULARITY, &fourier);
    if (regions > 350 || region > 1 || rests > 0 || fouriers > 350 || fourier > 2) {
        fail_msg("%d moments differ by up to %d, %d Fourier by %d, %d others by %d", regions,
                 region, fouriers, fourier, rests, rest);
    }
    psb_mesh_free(&mesh);
    psb_mesh_free(&inverted);
}

/* A silhouette is a union: order, orientation and repetition of faces change nothing. */
static void faces_are_a_set(void **state) {
    (void)state;
    psb_mesh mesh = test_sphere(1.0, 224, 224), shuffled = test_copy(&mesh);
    assert_true(mesh.ntriangles > 100000);
    test_shuffle(&shuffled, 3);
    describe("LFD", &mesh, first);
    describe("LFD", &shuffled, second);
    assert_memory_equal(first, second, LENGTH);
    for (int v = 0; v < PSB_VIEWS; v++) { /* round from all sides */
        ASSERT_NEAR(first[RECORD * v + CIRCULARITY], 160, 5);
        assert_int_equal(first[RECORD * v + CIRCULARITY + 1], 0);
    }
    psb_mesh_free(&mesh);
    psb_mesh_free(&shuffled);
}

static void vertices_without_faces_do_not_count(void **state) {
    (void)state;
    psb_mesh mesh = test_box(3.0, 1.0, 2.0), more = test_copy(&mesh);
    double *vertices = realloc(more.vertices, 3 * (more.nvertices + 2) * sizeof(double));
    assert_non_null(vertices);
    more.vertices = vertices;
    for (int i = 0; i < 6; i++) {
        more.vertices[3 * more.nvertices + (size_t)i] = i % 2 == 0 ? 1e300 : -1e9;
    }
    more.nvertices += 2;
    describe("LFD", &mesh, first);
    describe("LFD", &more, second);
    assert_memory_equal(first, second, LENGTH);
    psb_mesh_free(&mesh);
    psb_mesh_free(&more);
}

/* More vertices, far off, and faces that are lines from the box to them, there and back, or points.
 */
static void faces_without_area_do_not_count(void **state) {
    (void)state;
    psb_mesh mesh = test_box(3.0, 1.0, 2.0), more = test_copy(&mesh);
    double *vertices = realloc(more.vertices, 3 * (more.nvertices + 3) * sizeof(double));
    uint32_t *triangles = realloc(more.triangles, 3 * (more.ntriangles + 4) * sizeof(uint32_t));
    assert_true(vertices != NULL && triangles != NULL);
    more.vertices = vertices;
    more.triangles = triangles;
    for (int i = 0; i < 9; i++) {
        vertices[3 * more.nvertices + (size_t)i] = 1e6 * (1 + i / 3) * (i % 3 - 0.3);
    }
    const uint32_t faces[12] = {8, 9, 10, 0, 8, 8, 9, 9, 9, 8, 1, 8};
    memcpy(triangles + 3 * more.ntriangles, faces, sizeof faces);
    more.nvertices += 3;
    more.ntriangles += 4;
    describe("LFD", &mesh, first);
    describe("LFD", &more, second);
    assert_memory_equal(first, second, LENGTH);
    psb_mesh_free(&mesh);
    psb_mesh_free(&more);
}

static bool record_is_empty(const uint8_t *row, int view) {
    static const uint8_t none[RECORD] = {0};
    return memcmp(row + RECORD * view, none, RECORD) == 0;
}

/* A sheet in the plane of one camera's line of sight: this camera sees nothing. */
static void edge_on_sheets_leave_an_empty_record(void **state) {
    (void)state;
    psb_camera camera[PSB_DODECAHEDRA][PSB_AXES];
    psb_lfd_cameras(camera);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        double back[3];
        psb_cross(camera[d][d].right, camera[d][d].up, back);
        psb_mesh mesh = test_box(1.0, 1.0, 1.0);
        mesh.ntriangles = 2;
        static const uint32_t faces[6] = {0, 1, 2, 2, 1, 3};
        memcpy(mesh.triangles, faces, sizeof faces);
        for (int v = 0; v < 8; v++) {
            for (int i = 0; i < 3; i++) {
                mesh.vertices[3 * v + i] =
                    (v & 1 ? 1 : -1) * back[i] + (v & 2 ? 1 : -1) * camera[d][d].right[i];
            }
        }
        describe("LFD", &mesh, first);
        int empty = 0;
        for (int v = 0; v < PSB_VIEWS; v++) {
            empty += record_is_empty(first, v);
        }
        assert_true(record_is_empty(first, PSB_AXES * d + d));
        assert_true(empty < 5);
        psb_mesh_free(&mesh);
    }
}

/* Two boxes at the ends of a long diagonal, from large to below a pixel. */
static void parts_far_apart(void **state) {
    (void)state;
    for (double size = 0.2; size > 1e-7; size /= 10.0) {
        psb_mesh mesh = test_box(1.0, 1.0, 1.0);
        for (int v = 0; v < 8; v++) {
            for (int i = 0; i < 3; i++) {
                mesh.vertices[3 * v + i] =
                    (v & 4 ? 1.0 : -1.0) + size * (v >> (i % 2) & 1) * (i + 1);
            }
        }
        static const uint32_t faces[12] = {0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7};
        memcpy(mesh.triangles, faces, sizeof faces);
        mesh.ntriangles = 4;
        psb_status status = try_to_describe("LFD", &mesh, first);
        int empty = 0;
        for (int v = 0; v < PSB_VIEWS; v++) {
            empty += record_is_empty(first, v);
        }
        if (size > 0.1) {
            assert_true(empty < 10);
        } else if (size < 1e-3) {
            assert_int_equal(empty, PSB_VIEWS); /* nothing to see */
        }
        assert_int_equal(status, empty == PSB_VIEWS ? PSB_ERROR_INPUT : PSB_OK);
        psb_mesh_free(&mesh);
    }
}

/* A point has no area: it cannot be loaded, which is a model's failure, not a crash. */
static void a_point_is_an_error(void **state) {
    (void)state;
    psb_mesh mesh = test_box(0.0, 0.0, 0.0);
    psb_error error;
    psb_tables *tables;
    psb_shape *shape;
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    assert_int_equal(psb_shape_load(shape, &mesh, "model", &error), PSB_ERROR_INPUT);
    psb_shape_free(shape);
    psb_tables_free(tables);
    psb_mesh_free(&mesh);
}

/* Distances that an independent program found between models of the benchmark. */
static void distances_of_real_models(void **state) {
    (void)state;
    static const int ids[5] = {1118, 1119, 1121, 0, 1};
    static const int expected[5][5] = {{0, 10432, 10523, 10749, 10423},
                                       {0, 0, 5902, 10005, 11225},
                                       {0, 0, 0, 10124, 11546},
                                       {0, 0, 0, 0, 10019}};
    static uint8_t rows[5][LENGTH];
    const char *folder = getenv("PSB_DIR");
    if (folder == NULL) {
        print_message("PSB_DIR is not set: no real models are compared\n");
        skip();
    }
    for (int i = 0; i < 5; i++) {
        char path[4096];
        psb_mesh mesh;
        psb_error error;
        snprintf(path, sizeof path, "%s/db/%d/m%d/m%d.off", folder, ids[i] / 100, ids[i], ids[i]);
        if (psb_mesh_read(path, &mesh, &error) != PSB_OK) {
            fail_msg("%s", error.message);
        }
        describe("LFD", &mesh, rows[i]);
        psb_mesh_free(&mesh);
    }
    for (int i = 0; i < 5; i++) {
        for (int j = i; j < 5; j++) {
            double d = psb_lfd_metric.pair(rows[i], rows[j], LENGTH);
            ASSERT_NEAR(d, expected[i][j], 0.001 * expected[i][j]);
            assert_true(d == psb_lfd_metric.pair(rows[j], rows[i], LENGTH));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cameras_look_at_the_origin_evenly),
        cmocka_unit_test(moments_are_sums_over_pixels),
        cmocka_unit_test(folds_agree),
        cmocka_unit_test(moments_are_as_in_double),
        cmocka_unit_test(variants_differ_in_moments_only),
        cmocka_unit_test(scale_and_position_do_not_matter),
        cmocka_unit_test(inversion_keeps_nearly_all),
        cmocka_unit_test(faces_are_a_set),
        cmocka_unit_test(vertices_without_faces_do_not_count),
        cmocka_unit_test(faces_without_area_do_not_count),
        cmocka_unit_test(edge_on_sheets_leave_an_empty_record),
        cmocka_unit_test(parts_far_apart),
        cmocka_unit_test(a_point_is_an_error),
        cmocka_unit_test(distances_of_real_models),
    };
    return cmocka_run_group_tests_name("lfd", tests, NULL, NULL);
}
