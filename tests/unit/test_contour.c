/* Tests contours of drawn shapes: walks, joining of parts, and Fourier coefficients. */
#include "lightfield/silhouette_features.h"
#include "support/test.h"

static psb_contour contour;

static void draw_disc(psb_bitmap *image, double x0, double y0, double radius, bool value) {
    for (int y = 0; y < PSB_SIDE; y++) {
        for (int x = 0; x < PSB_SIDE; x++) {
            if ((x - x0) * (x - x0) + (y - y0) * (y - y0) <= radius * radius) {
                if (value) {
                    psb_bitmap_set(image, x, y);
                } else {
                    image->row[y][x / 64] &= ~(UINT64_C(1) << x % 64);
                }
            }
        }
    }
}

static void draw_box(psb_bitmap *image, int left, int right, int bottom, int top) {
    for (int y = bottom; y <= top; y++) {
        for (int x = left; x <= right; x++) {
            psb_bitmap_set(image, x, y);
        }
    }
}

/* A walk is closed, stays on the image, and each step goes to one of the eight neighbours. */
static void assert_walk(const psb_bitmap *image) {
    assert_true(contour.length >= 3 && contour.length <= PSB_CONTOUR_MAX);
    assert_int_equal(contour.pixel[0], contour.pixel[contour.length - 1]);
    for (size_t i = 0; i < contour.length; i++) {
        int x = contour.pixel[i] % PSB_SIDE, y = contour.pixel[i] / PSB_SIDE;
        assert_true(psb_bitmap_get(image, x, y));
        if (i > 0) {
            int dx = x - contour.pixel[i - 1] % PSB_SIDE, dy = y - contour.pixel[i - 1] / PSB_SIDE;
            assert_true(abs(dx) <= 1 && abs(dy) <= 1 && (dx != 0 || dy != 0));
        }
    }
}

static void a_square_is_walked_once_clockwise(void **state) {
    (void)state;
    psb_bitmap image = {{{0}}};
    draw_box(&image, 60, 69, 100, 104); /* across a word's end */
    assert_true(psb_contour_walk(&image, &contour));
    assert_walk(&image);
    assert_int_equal(contour.length, 2 * (9 + 4) + 1);
    assert_int_equal(contour.pixel[0], 256 * 100 + 60);
    assert_int_equal(contour.pixel[1], 256 * 101 + 60);
    assert_int_equal(contour.pixel[4], 256 * 104 + 60);
    assert_int_equal(contour.pixel[5], 256 * 104 + 61);
}

/* Two arms that meet in the first pixel: without the exception the right one would be lost. */
static void both_arms_of_a_v_are_walked(void **state) {
    (void)state;
    psb_bitmap image = {{{0}}};
    for (int k = 0; k <= 20; k++) {
        psb_bitmap_set(&image, 100 - k, 100 + k);
        psb_bitmap_set(&image, 100 + k, 100 + k);
    }
    assert_true(psb_contour_walk(&image, &contour));
    assert_walk(&image);
    assert_int_equal(contour.length, 4 * 20 + 1);
    assert_int_equal(contour.pixel[40], contour.pixel[0]);
}

/* All images of 5 x 4 pixels: every walk ends, and only an isolated first pixel has none. */
static void every_walk_ends(void **state) {
    (void)state;
    psb_bitmap image = {{{0}}};
    for (unsigned bits = 1; bits < 1U << 20; bits++) {
        for (int y = 0; y < 4; y++) {
            image.row[y][0] = (uint64_t)(bits >> (5 * y) & 31) << 3;
        }
        int first = 0;
        while (image.row[first][0] == 0) {
            first++;
        }
        int x = __builtin_ctzll(image.row[first][0]);
        bool isolated = !psb_bitmap_get(&image, x + 1, first);
        for (int dx = -1; dx <= 1; dx++) {
            isolated = isolated && !psb_bitmap_get(&image, x + dx, first + 1);
        }
        if (psb_contour_walk(&image, &contour) == isolated) {
            fail_msg("image %x is %s", bits, isolated ? "walked" : "not walked");
        }
        if (!isolated && bits % 1024 == 0) {
            assert_walk(&image);
        }
        assert_true(contour.length <= 4 * 20 + 1);
    }
}

static void empty_and_full_images(void **state) {
    (void)state;
    psb_bitmap image = {{{0}}};
    psb_silhouette_features features;
    psb_silhouette_measure(&image, &features);
    assert_int_equal(features.area, 0);
    assert_false(psb_contour_walk(&image, &contour));
    assert_int_equal(contour.length, 0);
    memset(&image, 0xff, sizeof image);
    psb_silhouette_measure(&image, &features);
    assert_int_equal(features.area, 65536);
    ASSERT_NEAR(features.centre[0], 127.5, 0.0);
    ASSERT_NEAR(features.radius, 127.5 * sqrt(2.0), 1e-12);
    ASSERT_NEAR(features.circularity, 0.0, 0.0); /* outside the image there is no background */
    assert_true(psb_contour_trace(&image, &features.box, features.area, &contour));
    assert_int_equal(contour.length, 4 * 255 + 1);
}

/* One pixel has a circularity, but neither contour nor eccentricity. */
static void one_pixel(void **state) {
    (void)state;
    psb_bitmap image = {{{0}}};
    psb_bitmap_set(&image, 63, 200);
    psb_silhouette_features features;
    psb_silhouette_measure(&image, &features);
    assert_int_equal(features.area, 1);
    ASSERT_NEAR(features.radius, 0.0, 0.0);
    ASSERT_NEAR(features.circularity, 1.0, 0.0);
    ASSERT_NEAR(features.eccentricity, 0.0, 0.0);
    double fourier[PSB_FOURIER];
    psb_contour_trace(&image, &features.box, features.area, &contour);
    psb_contour_fourier(&contour, features.centre, fourier);
    for (int k = 0; k < PSB_FOURIER; k++) {
        ASSERT_NEAR(fourier[k], 0.0, 0.0);
    }
}

static bool on_contour(int x, int y) {
    for (size_t i = 0; i < contour.length; i++) {
        if (contour.pixel[i] == PSB_SIDE * y + x) {
            return true;
        }
    }
    return false;
}

/* Near parts are joined by dilation, far ones by way of the bounding box; both keep their rims. */
static void parts_are_joined(void **state) {
    (void)state;
    for (int gap = 1; gap <= 120; gap += gap < 8 ? 1 : 28) {
        psb_bitmap image = {{{0}}};
        draw_box(&image, 40, 59, 100, 119);
        draw_box(&image, 60 + gap, 79 + gap, 90, 109);
        psb_pixel_box box = psb_bitmap_box(&image);
        assert_true(
            psb_contour_trace(&image, &box, psb_bitmap_count_both(&image, &image), &contour));
        assert_true(on_contour(40, 119) && on_contour(40, 100) && on_contour(59, 119));
        assert_true(on_contour(79 + gap, 90) && on_contour(60 + gap, 90));
        /* What joins them is thin: the contour is the two rims and the way there and back. */
        assert_true(contour.length < (size_t)(4 * 2 * 20 + 2 * gap + 12));
        psb_bitmap edge = {{{0}}}, outside;
        for (size_t i = 0; i < contour.length; i++) {
            psb_bitmap_set(&edge, contour.pixel[i] % PSB_SIDE, contour.pixel[i] / PSB_SIDE);
        }
        psb_bitmap_outside(&edge, &outside);
        assert_int_equal(psb_bitmap_count_both(&image, &outside), 0);
    }
}

/* Specks of up to 5 % of the image are left out. */
static void specks_are_ignored(void **state) {
    (void)state;
    psb_bitmap image = {{{0}}};
    draw_box(&image, 40, 139, 100, 119);
    psb_pixel_box box = psb_bitmap_box(&image);
    assert_true(psb_contour_trace(&image, &box, psb_bitmap_count_both(&image, &image), &contour));
    size_t alone = contour.length;
    draw_box(&image, 160, 169, 130, 139); /* 100 of 2100 */
    box = psb_bitmap_box(&image);
    assert_true(psb_contour_trace(&image, &box, psb_bitmap_count_both(&image, &image), &contour));
    assert_int_equal(contour.length, alone);
    draw_box(&image, 160, 170, 130, 139); /* 110 of 2110: 94.8 % are left */
    box = psb_bitmap_box(&image);
    assert_true(psb_contour_trace(&image, &box, psb_bitmap_count_both(&image, &image), &contour));
    assert_true(contour.length > alone + 40);
}

/* The features by their definitions, pixel by pixel, in floating point. */
static void assert_features(const psb_bitmap *image) {
    double area = 0.0, rim = 0.0, radius = 0.0, uu = 0.0, vv = 0.0, uv = 0.0;
    int left = 999, right = -1, bottom = 999, top = -1;
    for (int pass = 0; pass < 2; pass++) {
        double cx = (left + right) / 2.0, cy = (bottom + top) / 2.0;
        for (int y = 0; y < PSB_SIDE; y++) {
            for (int x = 0; x < PSB_SIDE; x++) {
                if (!psb_bitmap_get(image, x, y)) {
                    continue;
                }
                if (pass == 0) {
                    left = x < left ? x : left;
                    right = x > right ? x : right;
                    bottom = y < bottom ? y : bottom;
                    top = y > top ? y : top;
                    continue;
                }
                int set = 0, near = 0;
                for (int k = 0; k < 9; k++) {
                    int i = x + k % 3 - 1, j = y + k / 3 - 1;
                    near += i >= 0 && i < PSB_SIDE && j >= 0 && j < PSB_SIDE;
                    set += psb_bitmap_get(image, i, j);
                }
                area += 1.0;
                rim += set < near;
                radius = fmax(radius, hypot(x - cx, y - cy));
                uu += (x - cx) * (x - cx);
                vv += (y - cy) * (y - cy);
                uv += (x - cx) * (y - cy);
            }
        }
    }
    psb_silhouette_features features;
    psb_silhouette_measure(image, &features);
    ASSERT_NEAR((double)features.area, area, 0.0);
    ASSERT_NEAR(features.centre[0], (left + right) / 2.0, 0.0);
    ASSERT_NEAR(features.centre[1], (bottom + top) / 2.0, 0.0);
    ASSERT_NEAR(features.radius, radius, 1e-9);
    ASSERT_NEAR(features.circularity, fmin(1.0, 4.0 * M_PI * area / (rim * rim)), 1e-12);
    double e = ((uu - vv) * (uu - vv) + 4.0 * uv * uv) / ((uu + vv) * (uu + vv));
    ASSERT_NEAR(features.eccentricity, fmin(1.0, e), 1e-12);
}

/* The transform by its definition. */
static void assert_fourier(const psb_bitmap *image) {
    psb_silhouette_features features;
    double fourier[PSB_FOURIER];
    psb_silhouette_measure(image, &features);
    assert_true(psb_contour_trace(image, &features.box, features.area, &contour));
    psb_contour_fourier(&contour, features.centre, fourier);
    double magnitude[PSB_FOURIER + 1];
    for (int k = 0; k <= PSB_FOURIER; k++) {
        double re = 0.0, im = 0.0;
        for (size_t t = 0; t < contour.length; t++) {
            double dx = contour.pixel[t] % PSB_SIDE - features.centre[0];
            double dy = contour.pixel[t] / PSB_SIDE - features.centre[1];
            double angle = 2.0 * M_PI * k * (double)t / (double)contour.length;
            re += hypot(dx, dy) * cos(angle);
            im -= hypot(dx, dy) * sin(angle);
        }
        magnitude[k] = hypot(re, im);
    }
    for (int k = 1; k <= PSB_FOURIER; k++) {
        bool counts = contour.length >= 8 && 2 * (size_t)k <= contour.length;
        ASSERT_NEAR(fourier[k - 1], counts ? magnitude[k] / magnitude[0] : 0.0, 1e-10);
    }
}

static void drawn_shapes(void **state) {
    (void)state;
    psb_bitmap disc = {{{0}}}, square = {{{0}}}, ring = {{{0}}}, two = {{{0}}}, bar = {{{0}}};
    draw_disc(&disc, 120.5, 130.0, 70.3, true);
    draw_box(&square, 0, 99, 156, 255); /* in a corner of the image */
    draw_disc(&ring, 128.0, 128.0, 90.0, true);
    draw_disc(&ring, 128.0, 128.0, 60.0, false);
    draw_disc(&two, 70.0, 100.0, 30.0, true);
    draw_disc(&two, 180.0, 140.0, 40.0, true);
    draw_box(&bar, 50, 53, 20, 21); /* a contour of 9 entries: coefficients 1 ... 4 */
    const psb_bitmap *all[] = {&disc, &square, &ring, &two, &bar};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        assert_features(all[k]);
        assert_fourier(all[k]);
    }
    /* And what geometry says of some of them. */
    psb_silhouette_features features;
    double fourier[PSB_FOURIER];
    psb_silhouette_measure(&disc, &features);
    ASSERT_NEAR((double)features.area, M_PI * 70.3 * 70.3, 60.0);
    ASSERT_NEAR(features.eccentricity, 0.0, 1e-4);
    assert_true(psb_contour_trace(&disc, &features.box, features.area, &contour));
    psb_contour_fourier(&contour, features.centre, fourier);
    for (int k = 0; k < PSB_FOURIER; k++) {
        ASSERT_NEAR(fourier[k], 0.0, 0.01); /* all points are equally far */
    }
    psb_silhouette_measure(&square, &features);
    assert_true(psb_contour_trace(&square, &features.box, features.area, &contour));
    psb_contour_fourier(&contour, features.centre, fourier);
    assert_true(fourier[3] > 5.0 * fourier[0] && fourier[3] > 5.0 * fourier[4]); /* four corners */
}

int main(void) {
    psb_contour_begin(&contour);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_square_is_walked_once_clockwise),
        cmocka_unit_test(both_arms_of_a_v_are_walked),
        cmocka_unit_test(every_walk_ends),
        cmocka_unit_test(empty_and_full_images),
        cmocka_unit_test(one_pixel),
        cmocka_unit_test(parts_are_joined),
        cmocka_unit_test(specks_are_ignored),
        cmocka_unit_test(drawn_shapes),
    };
    return cmocka_run_group_tests_name("contour", tests, NULL, NULL);
}
