/* Tests pictures of models, and the PNG files that hold them. */
#include "core/random.h"
#include "io/png.h"
#include "render/render.h"
#include "render/span.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/test.h"

#include <png.h>

enum { WIDTH = 96, HEIGHT = 72 };

static void draw(const psb_mesh *mesh, psb_view view, uint8_t *pixels) {
    psb_renderer renderer = {0};
    psb_error error;
    if (psb_render(&renderer, mesh, &view, pixels, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    psb_renderer_free(&renderer);
}

static double coverage(const uint8_t *pixels, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += pixels[2 * i + 1] / 255.0;
    }
    return sum;
}

/* A sphere seen from anywhere is a disk: its area and its symmetry are known. */
static void sphere_is_a_disk(void **state) {
    (void)state;
    static uint8_t pixels[2 * WIDTH * HEIGHT];
    psb_mesh sphere = test_sphere(3.0, 60, 120);
    draw(&sphere, psb_view_make(WIDTH, HEIGHT), pixels);
    double radius = 0.94 * HEIGHT / 2;
    ASSERT_NEAR(coverage(pixels, WIDTH * HEIGHT) / (3.14159265 * radius * radius), 1.0, 0.01);
    for (size_t x = 0; x < WIDTH; x++) { /* left and right of the middle row */
        const uint8_t *row = pixels + 2 * WIDTH * (HEIGHT / 2);
        assert_in_range(row[2 * x + 1] - row[2 * (WIDTH - 1 - x) + 1] + 30, 0, 60); /* a sample */
    }
    assert_int_equal(pixels[2 * (WIDTH * HEIGHT / 2 + WIDTH / 2) + 1], 255);
    assert_int_equal(pixels[1], 0);
    psb_mesh_free(&sphere);
}

/* From the front, in its own axes, a box shows its x and y sides; y is upward. */
static void box_from_the_front(void **state) {
    (void)state;
    static uint8_t pixels[2 * HEIGHT * HEIGHT];
    psb_mesh box = test_box(1.0, 2.0, 5.0);
    draw(&box, (psb_view){HEIGHT, HEIGHT, 0.0, 0.0, false}, pixels);
    double side = 0.94 * HEIGHT;
    ASSERT_NEAR(coverage(pixels, HEIGHT * HEIGHT), side * side / 2, 0.02 * side * side);
    assert_int_equal(pixels[2 * (HEIGHT * 4 + HEIGHT / 2) + 1], 255); /* near the top */
    assert_int_equal(pixels[2 * (HEIGHT * HEIGHT / 2 + 4) + 1], 0);   /* near the left */
    psb_mesh_free(&box);
}

/* A small square before a large one hides it, whichever comes first in the file. */
static void near_hides_far(void **state) {
    (void)state;
    static uint8_t first[2 * HEIGHT * HEIGHT], second[2 * HEIGHT * HEIGHT];
    double vertices[] = {-4, -4, 0, 4, -4, 0, 0, 6, 0, -1, -1, 1, 1, -1, 1.5, 0, 1, 1};
    uint32_t far_first[] = {0, 1, 2, 3, 4, 5}, near_first[] = {3, 4, 5, 0, 1, 2};
    psb_mesh mesh = {6, vertices, 2, far_first, 2};
    psb_view view = {HEIGHT, HEIGHT, 0.0, 0.0, false};
    draw(&mesh, view, first);
    mesh.triangles = near_first;
    draw(&mesh, view, second);
    assert_memory_equal(first, second, sizeof first);
    bool two_shades = false;
    for (size_t i = 1; i < HEIGHT * HEIGHT; i++) {
        bool inside = first[2 * i + 1] == 255 && first[2 * i - 1] == 255;
        two_shades = two_shades || (inside && first[2 * i] != first[2 * i - 2]);
    }
    assert_true(two_shades);
}

enum { SOUP = 60, SAMPLES = 3, SIDE = SAMPLES * HEIGHT };

/* The triangle of a soup that is nearest at (x, y), -1 for none; -2 beside an edge or a tie. */
static int nearest_at(const psb_mesh *soup, double x, double y) {
    int best = -1;
    double depth = -INFINITY;
    for (int t = 0; t < SOUP; t++) {
        const double *p = soup->vertices + 9 * t, *q = p + 3, *r = p + 6;
        double area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
        double u = ((q[0] - x) * (r[1] - y) - (q[1] - y) * (r[0] - x)) / area;
        double v = ((r[0] - x) * (p[1] - y) - (r[1] - y) * (p[0] - x)) / area;
        double inside = fmin(fmin(u, v), 1.0 - u - v);
        double z = u * p[2] + v * q[2] + (1.0 - u - v) * r[2];
        if (fabs(inside) < 1e-6 || (inside > 0.0 && fabs(z - depth) < 1e-4)) {
            return -2;
        }
        best = inside > 0.0 && z > depth ? t : best;
        depth = inside > 0.0 && z > depth ? z : depth;
    }
    return best;
}

/* Triangles of all sizes, seen along z: each pixel against a look at all triangles from it. */
static void samples_see_the_nearest(void **state) {
    (void)state;
    static uint8_t pixels[2 * HEIGHT * HEIGHT];
    double vertices[9 * SOUP];
    uint32_t corners[3 * SOUP];
    psb_random random = psb_random_seeded(11, "soup", "triangles");
    for (uint32_t i = 0; i < 3 * SOUP; i++) {
        double size = pow(0.9, i / 3);
        for (uint32_t k = 0; k < 3; k++) {
            double middle = i < 6 ? 0.0 : sin(5.0 * (i / 3) + 2.0 * k);
            vertices[3 * i + k] = middle + size * (2.0 * psb_random_unit(&random) - 1.0);
        }
        corners[i] = i;
    }
    psb_mesh soup = {3 * SOUP, vertices, SOUP, corners, SOUP};
    double low[2] = {9, 9}, high[2] = {-9, -9};
    for (int i = 0; i < 6 * SOUP; i++) {
        low[i % 2] = fmin(low[i % 2], vertices[3 * (i / 2) + i % 2]);
        high[i % 2] = fmax(high[i % 2], vertices[3 * (i / 2) + i % 2]);
    }
    draw(&soup, (psb_view){HEIGHT, HEIGHT, 0.0, 0.0, false}, pixels);
    double step = fmax(high[0] - low[0], high[1] - low[1]) / (0.94 * SIDE);
    int gray[SOUP] = {0}, seen = 0;
    for (int pixel = 0; pixel < HEIGHT * HEIGHT; pixel++) {
        int covered = 0, unsure = 0, first = -1, same = 0;
        for (int s = 0; s < SAMPLES * SAMPLES; s++) {
            double x = pixel % HEIGHT * SAMPLES + s % SAMPLES + 0.5 - SIDE / 2.0;
            double y = SIDE / 2.0 - (pixel / HEIGHT * SAMPLES + s / SAMPLES + 0.5);
            int t = nearest_at(&soup, (low[0] + high[0]) / 2 + x * step,
                               (low[1] + high[1]) / 2 + y * step);
            first = s == 0 ? t : first;
            covered += t >= 0;
            unsure += t == -2;
            same += t == first && t >= 0;
        }
        if (unsure == 0) {
            assert_int_equal(pixels[2 * pixel + 1], covered * 255 / (SAMPLES * SAMPLES));
        }
        if (same == SAMPLES * SAMPLES) { /* flat: the same gray wherever it is seen */
            seen += gray[first] != 0;
            gray[first] = gray[first] != 0 ? gray[first] : pixels[2 * pixel];
            assert_int_equal(pixels[2 * pixel], gray[first]);
        }
    }
    assert_true(seen > HEIGHT * HEIGHT / 20);
}

/* Faces turned the other way, and in another order, give the same picture. */
static void orientation_does_not_matter(void **state) {
    (void)state;
    static uint8_t one[2 * WIDTH * HEIGHT], other[2 * WIDTH * HEIGHT];
    psb_mesh sphere = test_sphere(1.0, 8, 12), shuffled = test_copy(&sphere);
    test_shuffle(&shuffled, 5);
    psb_view view = psb_view_make(WIDTH, HEIGHT);
    view.aligned = false;
    draw(&sphere, view, one);
    draw(&shuffled, view, other);
    size_t different = 0;
    for (size_t i = 0; i < sizeof one; i++) {
        different += abs(one[i] - other[i]) > 24;
    }
    assert_true(different < WIDTH * HEIGHT / 50); /* edges may go to either neighbour */
    psb_mesh_free(&sphere);
    psb_mesh_free(&shuffled);
}

static void says_what_cannot_be_drawn(void **state) {
    (void)state;
    uint8_t pixel[2];
    psb_renderer renderer = {0};
    psb_error error;
    double vertices[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    uint32_t triangle[] = {0, 1, 2};
    psb_mesh line = {3, vertices, 1, triangle, 1};
    psb_view view = psb_view_make(1, 1);
    assert_int_equal(psb_render(&renderer, &line, &view, pixel, &error), PSB_ERROR_INPUT);
    view.width = PSB_RENDER_LONGEST_SIDE + 1;
    assert_int_equal(psb_render(&renderer, &line, &view, pixel, &error), PSB_ERROR_USAGE);
    psb_renderer_free(&renderer);
}

/* Whatever the processor has: spans of all lengths, also of depths that are no numbers. */
static void kernels_draw_the_same(void **state) {
    (void)state;
    enum { ROWS = 40, COUNT = 60, STRIDE = COUNT + PSB_SPAN_SLACK, SPANS = 4000 };
    static int32_t samples[2][ROWS * STRIDE];
    psb_random random = psb_random_seeded(5, "render", "spans");
    for (const psb_variant *const *k = psb_span_kernels; *k != NULL; k++) {
        if (!psb_cpu_has((*k)->needs)) {
            continue;
        }
        for (int i = 0; i < ROWS * STRIDE; i++) {
            samples[0][i] = samples[1][i] =
                i % 3 == 0 ? (int32_t)psb_random_below(&random, 1u << 30) : 0;
        }
        for (int i = 0; i < SPANS; i++) {
            size_t row = (size_t)psb_random_below(&random, ROWS) * STRIDE;
            float steep = i % 7 == 0 ? INFINITY : (float)psb_random_unit(&random);
            psb_span span = {.from = (int)psb_random_below(&random, COUNT),
                             .start = 4e6F * (float)psb_random_unit(&random),
                             .step = 1e5F * (steep - 0.5F),
                             .nearest = 3e6F,
                             .farthest = 1e6F,
                             .shade = 40 + i % 176};
            span.to = span.from + (int)psb_random_below(&random, (uint64_t)(COUNT - span.from) + 1);
            span.sample = samples[0] + row;
            for (int x = span.from; x < span.to; x++) {
                float depth = fmaxf(fminf(span.start + span.step * (float)x, 3e6F), 1e6F);
                int32_t key = (int32_t)depth << PSB_SHADE_BITS | span.shade;
                span.sample[x] = key > span.sample[x] ? key : span.sample[x];
            }
            span.sample = samples[1] + row;
            ((const psb_span_kernel *)*k)->draw(&span, 1);
        }
        assert_memory_equal(samples[0], samples[1], sizeof samples[0]);
    }
}

/* What was written is what libpng reads. */
static void png_reads_back(void **state) {
    (void)state;
    static const uint8_t pixels[] = {1, 2, 3, 40, 50, 60, 70, 80, 90, 255, 0, 128};
    test_folder();
    const char *path = test_path("a.png");
    psb_error error;
    assert_int_equal(psb_png_write(path, 2, 2, PSB_RGB, pixels, &error), PSB_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, 2);
    assert_int_equal(image.height, 2);
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    uint8_t back[sizeof pixels];
    assert_true(png_image_finish_read(&image, NULL, back, 0, NULL));
    assert_memory_equal(back, pixels, sizeof pixels);
    assert_int_equal(psb_png_write(test_path("b.png"), 0, 2, PSB_RGB, pixels, &error),
                     PSB_ERROR_USAGE);
    test_folder_remove();
}

/* Few colours: what is transparent stays so, opaque grays are near to what they were. */
static void few_colors_are_near(void **state) {
    (void)state;
    enum { N = 256, LIGHTEST = 200 };
    uint8_t pixels[2 * N], back[4 * N];
    for (int i = 0; i < N; i++) {
        pixels[2 * i] = (uint8_t)(60 + i % (LIGHTEST - 60 + 1));
        pixels[2 * i + 1] = (uint8_t)(i % 7 == 0 ? 0 : i % 5 == 0 ? 128 : 255);
    }
    test_folder();
    const char *path = test_path("few.png");
    psb_error error;
    psb_output output;
    assert_int_equal(psb_output_open(path, &output, &error), PSB_OK);
    assert_int_equal(psb_png_write_small(&output, N, 1, pixels, &error), PSB_OK);
    assert_int_equal(psb_output_commit(&output, &error), PSB_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_true(image.colormap_entries <= PSB_PNG_COLORS && image.colormap_entries > 0);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, back, 0, NULL));
    for (int i = 0; i < N; i++) {
        int alpha = pixels[2 * i + 1];
        ASSERT_NEAR(back[4 * i + 3], alpha, 1);
        if (alpha == 255) {
            ASSERT_NEAR(back[4 * i], pixels[2 * i], 4);
        }
    }
    test_folder_remove();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_is_a_disk),
        cmocka_unit_test(box_from_the_front),
        cmocka_unit_test(near_hides_far),
        cmocka_unit_test(samples_see_the_nearest),
        cmocka_unit_test(orientation_does_not_matter),
        cmocka_unit_test(says_what_cannot_be_drawn),
        cmocka_unit_test(kernels_draw_the_same),
        cmocka_unit_test(png_reads_back),
        cmocka_unit_test(few_colors_are_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
