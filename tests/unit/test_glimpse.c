/* Compares pictures of rows with harmonics by their textbook formula; a point appears in place. */
#include "core/element.h"
#include "core/memory.h"
#include "core/random.h"
#include "descriptors/glimpse.h"
#include "support/harmonics.h"
#include "support/test.h"

static psb_small_picture picture;

static void draw(const char *text, const void *row) {
    psb_error error;
    psb_spec *spec = NULL;
    assert_int_equal(psb_spec_parse(NULL, text, &spec, &error), PSB_OK);
    assert_int_equal(psb_glimpse_make(spec, row, &picture, &error), PSB_OK);
    psb_spec_free(spec);
}

static void store(psb_coefficients a, float *row) {
    double values[PSB_FULL];
    psb_harmonics_store(a, PSB_FORM_FULL, values);
    for (int i = 0; i < PSB_FULL; i++) {
        row[i] = (float)values[i];
    }
}

/* Sum of a_lm Y_lm(u) over all orders of a real function. */
static double sum_at(psb_coefficients a, const double u[3]) {
    psb_coefficients y;
    double sum = 0.0;
    test_harmonics(u, y);
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            const double *c = a[psb_lm(l, m)], *v = y[psb_lm(l, m)];
            sum += (m > 0 ? 2.0 : 1.0) * (c[0] * v[0] - c[1] * v[1]);
        }
    }
    return sum;
}

static void maps_are_sums_of_harmonics(void **state) {
    (void)state;
    enum { W = PSB_SMALL_SIDE, H = PSB_SMALL_SIDE / 2 };
    static double expected[H * W];
    psb_coefficients a;
    float row[PSB_FULL];
    psb_random random = psb_random_seeded(7, "", "glimpse");
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            a[psb_lm(l, m)][0] = psb_random_unit(&random) - 0.5;
            a[psb_lm(l, m)][1] = m > 0 ? psb_random_unit(&random) - 0.5 : 0.0;
        }
    }
    store(a, row);
    draw("EGI", row);
    assert_int_equal(picture.width, W);
    assert_int_equal(picture.height, H);
    double low = INFINITY, high = -INFINITY;
    for (int j = 0; j < H; j++) {
        for (int i = 0; i < W; i++) {
            double polar = M_PI * (j + 0.5) / H, azimuth = 2.0 * M_PI * (i + 0.5) / W;
            double u[3] = {sin(polar) * cos(azimuth), sin(polar) * sin(azimuth), cos(polar)};
            expected[j * W + i] = sum_at(a, u);
            low = fmin(low, expected[j * W + i]);
            high = fmax(high, expected[j * W + i]);
        }
    }
    for (int i = 0; i < H * W; i++) {
        ASSERT_NEAR(picture.gray[i], 255.0 * (high - expected[i]) / (high - low), 0.51);
    }
}

/* A point on one of 32 spheres is the darkest spot where the third axis is looked along. */
static void a_point_is_seen_where_it_is(void **state) {
    (void)state;
    enum { SPHERE = 20 };
    static const double u[3] = {0.6, 0.64, 0.48};
    static float row[PSB_SHELLS * PSB_FULL];
    psb_coefficients a;
    test_harmonics(u, a);
    for (size_t i = 0; i < PSB_COEFFICIENTS; i++) {
        a[i][1] = -a[i][1];
    }
    store(a, row + SPHERE * PSB_FULL);
    draw("GEDT", row);
    size_t darkest = 0;
    for (size_t i = 0; i < picture.width * picture.height; i++) {
        darkest = picture.gray[i] < picture.gray[darkest] ? i : darkest;
    }
    double radius = (SPHERE + 0.5) / PSB_SHELLS;
    ASSERT_NEAR((double)(darkest % picture.width), 64.0 * (1.0 + radius * u[0]), 2.5);
    ASSERT_NEAR((double)(darkest / picture.width), 64.0 * (1.0 - radius * u[1]), 2.5);
}

static void bars_are_as_high_as_their_bins(void **state) {
    (void)state;
    float row[64];
    for (int b = 0; b < 64; b++) {
        row[b] = (float)(b + 1) / 64.0F;
    }
    draw("SHELLS", row);
    for (size_t x = 0; x < picture.width; x++) {
        size_t dark = 0;
        for (size_t y = 0; y < picture.height; y++) {
            dark += picture.gray[y * picture.width + x] < 128;
        }
        assert_int_equal(dark, 2 * (x / 2 + 1));
    }
}

static void lines_are_darker_where_numbers_are_larger(void **state) {
    (void)state;
    static uint8_t row[4700];
    for (size_t i = 0; i < sizeof row; i++) {
        row[i] = (uint8_t)(i / 47);
    }
    draw("LFD", row);
    assert_int_equal(picture.height, 100);
    for (size_t y = 1; y < picture.height; y++) {
        assert_true(picture.gray[y * picture.width] < picture.gray[(y - 1) * picture.width]);
        assert_int_equal(picture.gray[y * picture.width],
                         picture.gray[(y + 1) * picture.width - 1]);
    }
}

static void each_of_the_twelve_has_a_picture(void **state) {
    (void)state;
    for (size_t d = 0; d < psb_descriptor_count(); d++) {
        const psb_descriptor *descriptor = psb_descriptor_at(d);
        psb_spec *spec;
        psb_status status = psb_spec_parse(NULL, descriptor->name, &spec, NULL);
        void *row = psb_new_zero(&status, 1, psb_spec_row_bytes(spec), "a row", NULL);
        psb_spec_free(spec);
        assert_int_equal(status, PSB_OK);
        draw(descriptor->name, row);
        free(row);
        if (!descriptor->beyond) {
            assert_in_range(picture.width, 1, PSB_SMALL_SIDE);
            assert_in_range(picture.height, 1, PSB_SMALL_SIDE);
            assert_non_null(picture.caption);
        }
    }
    draw("SHD:norms=plain", (float[PSB_SHELLS * PSB_DEGREES]){0.0F});
    assert_int_equal(picture.width, PSB_SMALL_SIDE);
    static const float magnitudes[PSB_SHELLS * PSB_COEFFICIENTS];
    draw("GEDT:form=magnitude", magnitudes);
    assert_int_equal(picture.height, PSB_SMALL_SIDE);
    draw("CEGI:form=magnitude", magnitudes);
    assert_int_equal(picture.width, PSB_SMALL_SIDE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_sums_of_harmonics),
        cmocka_unit_test(a_point_is_seen_where_it_is),
        cmocka_unit_test(bars_are_as_high_as_their_bins),
        cmocka_unit_test(lines_are_darker_where_numbers_are_larger),
        cmocka_unit_test(each_of_the_twelve_has_a_picture),
    };
    return cmocka_run_group_tests_name("glimpse", tests, NULL, NULL);
}
