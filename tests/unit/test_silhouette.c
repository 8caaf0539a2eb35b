/* Compares bitmaps with code for single pixels, the rasteriser with edge functions at pixels. */
#include "core/random.h"
#include "lightfield/silhouette_kernel.h"
#include "support/test.h"

#define EACH_PIXEL(x, y)                                                                           \
    for (int y = 0; y < PSB_SIDE; y++)                                                             \
        for (int x = 0; x < PSB_SIDE; x++)

static psb_bitmap noise(psb_random *random, int density) {
    psb_bitmap bitmap = {{{0}}};
    int left = (int)psb_random_below(random, 200), bottom = (int)psb_random_below(random, 200);
    int width = 1 + (int)psb_random_below(random, (uint64_t)(PSB_SIDE - left));
    int height = 1 + (int)psb_random_below(random, (uint64_t)(PSB_SIDE - bottom));
    EACH_PIXEL(x, y) {
        if (x >= left && x < left + width && y >= bottom && y < bottom + height &&
            (int)psb_random_below(random, 100) < density) {
            psb_bitmap_set(&bitmap, x, y);
        }
    }
    return bitmap;
}

static void assert_same(const psb_bitmap *actual, const psb_bitmap *expected) {
    EACH_PIXEL(x, y) {
        if (psb_bitmap_get(actual, x, y) != psb_bitmap_get(expected, x, y)) {
            fail_msg("pixel (%d, %d) is %d", x, y, psb_bitmap_get(actual, x, y));
        }
    }
}

static void rows_and_counts(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "bitmap", "test");
    for (int trial = 0; trial < 60; trial++) {
        psb_bitmap a = noise(&random, 1 + trial * 2), b = noise(&random, 70);
        psb_pixel_box box = {PSB_SIDE, -1, PSB_SIDE, -1};
        size_t count = 0, both = 0, rim = 0;
        EACH_PIXEL(x, y) {
            if (psb_bitmap_get(&a, x, y)) {
                box.left = x < box.left ? x : box.left;
                box.right = x > box.right ? x : box.right;
                box.bottom = y < box.bottom ? y : box.bottom;
                box.top = y;
                count++;
                both += psb_bitmap_get(&b, x, y);
                bool bare = false;
                for (int i = x - 1; i <= x + 1; i++) {
                    for (int j = y - 1; j <= y + 1; j++) {
                        bool within = i >= 0 && i < PSB_SIDE && j >= 0 && j < PSB_SIDE;
                        bare = bare || (within && !psb_bitmap_get(&a, i, j));
                    }
                }
                rim += bare;
            }
        }
        psb_pixel_box found = psb_bitmap_box(&a);
        assert_memory_equal(&found, &box, sizeof box);
        assert_int_equal(psb_bitmap_count_both(&a, &a), count);
        assert_int_equal(psb_bitmap_count_both(&a, &b), both);
        for (int k = 0; psb_rim_kernels[k] != NULL; k++) {
            const psb_rim_kernel *kernel = (const void *)psb_rim_kernels[k];
            if (psb_cpu_has(kernel->variant.needs)) {
                size_t counted;
                kernel->run(&a, &box, &counted);
                assert_int_equal(counted, rim);
            }
        }
        psb_bitmap again = {{{0}}};
        for (int y = 0; y < PSB_SIDE; y++) {
            uint16_t ends[PSB_SIDE];
            int n = psb_row_runs(a.row[y], ends);
            assert_int_equal(n % 2, 0);
            for (int e = 0; e < n; e += 2) {
                assert_true(e == 0 || ends[e] > ends[e - 1]);
                for (int x = ends[e]; x < ends[e + 1]; x++) {
                    psb_bitmap_set(&again, x, y);
                }
            }
        }
        assert_same(&again, &a);
    }
}

static void dilations(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(2, "bitmap", "test");
    for (int trial = 0; trial < 20; trial++) {
        psb_bitmap a = noise(&random, 1 + trial), square = {{{0}}}, wide = {{{0}}}, out;
        EACH_PIXEL(x, y) {
            for (int dx = -2; dx <= 2; dx++) {
                for (int dy = -2; dy <= 2; dy++) {
                    if (psb_bitmap_get(&a, x + dx, y + dy)) {
                        if (abs(dx) < 2 && abs(dy) < 2) {
                            psb_bitmap_set(&square, x, y);
                        }
                        if (abs(dx) + abs(dy) < 4) {
                            psb_bitmap_set(&wide, x, y);
                        }
                    }
                }
            }
        }
        psb_bitmap_dilate(&a, &out);
        assert_same(&out, &square);
        psb_bitmap_dilate_wide(&a, &out);
        assert_same(&out, &wide);
    }
}

/* Flood filling with a stack. */
static void slow_outside(const psb_bitmap *wall, psb_bitmap *outside) {
    static int stack[4 * PSB_SIDE * PSB_SIDE + 4 * PSB_SIDE][2];
    int n = 0;
    memset(outside, 0, sizeof *outside);
    for (int k = 0; k < PSB_SIDE; k++) {
        const int border[4][2] = {{k, 0}, {k, PSB_SIDE - 1}, {0, k}, {PSB_SIDE - 1, k}};
        memcpy(stack[n], border, sizeof border);
        n += 4;
    }
    while (n > 0) {
        int x = stack[n - 1][0], y = stack[n - 1][1];
        n--;
        if (x < 0 || x >= PSB_SIDE || y < 0 || y >= PSB_SIDE || psb_bitmap_get(wall, x, y) ||
            psb_bitmap_get(outside, x, y)) {
            continue;
        }
        psb_bitmap_set(outside, x, y);
        const int next[4][2] = {{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}};
        memcpy(stack[n], next, sizeof next);
        n += 4;
    }
}

/* A corridor that winds inwards, one pixel wide: the worst case for filling by rows. */
static psb_bitmap spiral(void) {
    psb_bitmap bitmap = {{{0}}};
    int x = 1, y = 1, dx = 1, dy = 0, reach = PSB_SIDE - 3;
    for (int leg = 0; reach > 0; leg++) {
        for (int k = 0; k < reach; k++, x += dx, y += dy) {
            psb_bitmap_set(&bitmap, x, y);
        }
        int turned = dx;
        dx = -dy;
        dy = turned;
        reach -= leg % 2 == 0 && leg > 0 ? 2 : 0;
    }
    return bitmap;
}

static void outside_is_what_the_border_reaches(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(3, "bitmap", "test");
    for (int trial = 0; trial < 40; trial++) {
        psb_bitmap wall = trial == 0 ? spiral() : noise(&random, 20 + trial), fast, slow;
        slow_outside(&wall, &slow);
        for (int k = 0; psb_outside_kernels[k] != NULL; k++) {
            const psb_outside_kernel *kernel = (const void *)psb_outside_kernels[k];
            if (psb_cpu_has(kernel->variant.needs)) {
                kernel->run(&wall, &fast);
                assert_same(&fast, &slow);
            }
        }
    }
}

/* Whether a pixel can be thinned away: its ring is walked and its runs of set pixels counted. */
static bool slow_deletable(const psb_bitmap *b, int x, int y) {
    static const int ring[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                   {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    bool set[8];
    int neighbours = 0, runs = 0, gap = -1;
    for (int k = 0; k < 8; k++) {
        set[k] = psb_bitmap_get(b, x + ring[k][0], y + ring[k][1]);
        neighbours += set[k];
        gap = set[k] ? gap : k;
    }
    bool touches = false; /* of the run that is being followed */
    for (int k = 1; k <= 8 && gap >= 0; k++) {
        int at = (gap + k) % 8;
        touches = set[at] && (touches || at % 2 == 0);
        runs += touches && !set[(at + 1) % 8];
    }
    return runs <= 1 && neighbours != 1;
}

static void slow_thin(psb_bitmap *b, const psb_bitmap *core) {
    static const int side[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
    bool changed = true;
    while (changed) {
        changed = false;
        for (int k = 0; k < 4; k++) {
            psb_bitmap next = *b;
            EACH_PIXEL(x, y) {
                if (psb_bitmap_get(b, x, y) && !psb_bitmap_get(core, x, y) &&
                    !psb_bitmap_get(b, x + side[k][0], y + side[k][1]) && slow_deletable(b, x, y)) {
                    next.row[y][x / 64] &= ~(UINT64_C(1) << x % 64);
                    changed = true;
                }
            }
            *b = next;
        }
    }
}

static void thinning(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(4, "bitmap", "test");
    for (int trial = 0; trial < 8; trial++) {
        psb_bitmap core = noise(&random, trial < 4 ? 1 : 30), first, slow;
        if (trial < 4) {
            psb_bitmap_dilate_wide(&core, &slow);
        } else {
            slow = noise(&random, 90);
        }
        for (int y = 0; y < PSB_SIDE; y++) {
            for (int w = 0; w < PSB_WORDS; w++) {
                slow.row[y][w] |= core.row[y][w];
            }
        }
        first = slow;
        slow_thin(&slow, &core);
        assert_int_equal(psb_bitmap_count_both(&slow, &core), psb_bitmap_count_both(&core, &core));
        for (int k = 0; psb_thin_kernels[k] != NULL; k++) {
            const psb_thin_kernel *kernel = (const void *)psb_thin_kernels[k];
            if (psb_cpu_has(kernel->variant.needs)) {
                psb_bitmap fast = first;
                kernel->run(&fast, &core);
                assert_same(&fast, &slow);
            }
        }
    }
}

/* Positive to the left of the way from a to b. */
static int64_t edge_function(psb_snapped a, psb_snapped b, int64_t x, int64_t y) {
    int64_t ax = a & 0xffff, ay = a >> 16, bx = b & 0xffff, by = b >> 16;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

/* The rule as it is stated: left edges and a level edge at the bottom belong to the triangle. */
static bool covers(psb_snapped a, psb_snapped b, psb_snapped c, int column, int row) {
    const int64_t centre = PSB_SUBPIXELS / 2 + PSB_SNAP_OFFSET;
    int64_t x = PSB_SUBPIXELS * column + centre, y = PSB_SUBPIXELS * row + centre;
    int64_t area = edge_function(a, b, c & 0xffff, c >> 16);
    psb_snapped corner[4] = {a, area > 0 ? b : c, area > 0 ? c : b, a};
    for (int k = 0; k < 3; k++) { /* counterclockwise: left edges go down, bottom ones right */
        psb_snapped from = corner[k], to = corner[k + 1];
        bool left = to >> 16 < from >> 16;
        bool bottom = to >> 16 == from >> 16 && (to & 0xffff) > (from & 0xffff);
        int64_t side = edge_function(from, to, x, y);
        if (side < 0 || (side == 0 && !left && !bottom)) {
            return false;
        }
    }
    return area != 0;
}

/* A random place near `at`, on a grid of `grain` / 256 pixel, as a projected coordinate. */
static uint32_t random_place(psb_random *random, int64_t at, uint64_t size, uint32_t grain) {
    int64_t limit = PSB_SIDE * PSB_SUBPIXELS - 512;
    int64_t p = at + (int64_t)psb_random_below(random, size) - (int64_t)size / 2;
    p = p < 0 ? 0 : p > limit ? limit : p;
    return (uint32_t)p / grain * grain + PSB_SNAP_OFFSET;
}

enum { MOST = 1100 }; /* triangles of a test's drawing */

/* A drawing of points at projected coordinates: the first view sees x and y, the second y and z. */
typedef struct canvas_points {
    double at[3][3 * MOST];
    psb_snapped_pair snapped[3 * MOST];
    psb_draw_block block[(MOST + PSB_DRAW_BLOCK - 1) / PSB_DRAW_BLOCK];
    psb_drawing drawing;
} canvas_points;

static const psb_camera two_views[PSB_PAIR] = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                                               {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

static double unsnapped(uint32_t place) {
    return ((double)place - PSB_SNAP_OFFSET) / PSB_SUBPIXELS - PSB_SIDE / 2;
}

static void put_point(canvas_points *c, size_t k, const uint32_t place[3]) {
    for (int i = 0; i < 3; i++) {
        c->at[i][k] = unsnapped(place[i]);
    }
}

static void close_drawing(canvas_points *c, size_t npoints, const uint32_t *index, size_t n) {
    c->drawing = (psb_drawing){{npoints, c->at[0], c->at[1], c->at[2]}, c->snapped, c->block, 0};
    for (size_t t = 0; t < n; t++) {
        psb_drawing_put(&c->drawing, t, index + 3 * t);
    }
    psb_drawing_close(&c->drawing, n);
}

/* Sets the pixels of a triangle whose corners are at most `reach` pixels from each other. */
static void cover(psb_snapped a, psb_snapped b, psb_snapped c, int reach, psb_bitmap *image) {
    int x0 = (int)(a & 0xffff) / PSB_SUBPIXELS, y0 = (int)(a >> 16) / PSB_SUBPIXELS;
    for (int y = y0 - reach < 0 ? 0 : y0 - reach; y <= y0 + reach && y < PSB_SIDE; y++) {
        for (int x = x0 - reach < 0 ? 0 : x0 - reach; x <= x0 + reach && x < PSB_SIDE; x++) {
            if (covers(a, b, c, x, y)) {
                psb_bitmap_set(image, x, y);
            }
        }
    }
}

/*
 * Triangles from far below a pixel to the whole image, many with corners on pixel centres. Every
 * other time all over one another, so that most blocks are covered.
 */
static void triangles_cover_what_edge_functions_say(void **state) {
    (void)state;
    static canvas_points c;
    static uint32_t place[3 * MOST][3], index[3 * MOST];
    psb_random random = psb_random_seeded(5, "raster", "test");
    for (int trial = 0; trial < 150; trial++) {
        uint64_t size = UINT64_C(8) << (trial % 15);
        uint32_t grain = trial % 3 == 0 ? 128 : trial % 3 == 1 ? 16 : 1;
        size_t count = size > 8192 ? 3 : trial % 4 == 1 ? MOST : 300;
        for (size_t t = 0; t < count; t++) {
            int64_t at[3];
            for (int i = 0; i < 3; i++) {
                at[i] = (int64_t)psb_random_below(&random, trial % 2 == 0 ? 65000 : 8000);
            }
            for (size_t k = 3 * t; k < 3 * t + 3; k++) {
                for (int i = 0; i < 3; i++) {
                    place[k][i] = random_place(&random, at[i], size, grain);
                }
                put_point(&c, k, place[k]);
                index[k] = (uint32_t)k;
            }
            if (t % 7 == 3) { /* without area */
                index[3 * t + 2] = index[3 * t + 1];
            }
        }
        psb_bitmap expected[PSB_PAIR] = {{{{0}}}};
        for (size_t t = 0; t < PSB_PAIR * count; t++) {
            size_t view = t / count;
            psb_snapped at[3];
            for (size_t k = 0; k < 3; k++) {
                const uint32_t *corner = place[index[3 * (t % count) + k]];
                at[k] = corner[view + 1] << 16 | corner[view];
            }
            cover(at[0], at[1], at[2], (int)(size / PSB_SUBPIXELS) + 3, &expected[view]);
        }
        close_drawing(&c, 3 * count, index, count);
        for (int k = 0; psb_silhouette_kernels[k] != NULL; k++) {
            if (psb_cpu_has(psb_silhouette_kernels[k]->needs)) {
                psb_bitmap image[PSB_PAIR];
                psb_silhouette_draw_with((const psb_silhouette_kernel *)psb_silhouette_kernels[k],
                                         &c.drawing, two_views, image);
                assert_same(&image[0], &expected[0]);
                assert_same(&image[1], &expected[1]);
            }
        }
    }
}

/* A fan around a point: every pixel of the whole belongs to exactly one triangle. */
static void shared_edges_leave_no_gap_and_no_overlap(void **state) {
    (void)state;
    static canvas_points c;
    psb_random random = psb_random_seeded(6, "raster", "test");
    for (int trial = 0; trial < 20; trial++) {
        enum { SPOKES = 40 };
        uint32_t grain = trial % 2 == 0 ? 64 : 1, centre[3] = {0};
        for (int i = 0; i < 2; i++) {
            centre[i] = random_place(&random, 32768, 8000, grain);
        }
        put_point(&c, SPOKES, centre);
        for (size_t k = 0; k < SPOKES; k++) { /* convex: on a circle far around the middle */
            double angle = 2.0 * M_PI * (double)k / SPOKES;
            psb_snapped at = psb_snap(128.0 + 100.0 * cos(angle), 128.0 + 100.0 * sin(angle));
            const uint32_t place[3] = {at & 0xffff, at >> 16, 0};
            put_point(&c, k, place);
        }
        size_t sum = 0;
        uint32_t all[3 * SPOKES];
        psb_bitmap image[PSB_PAIR];
        for (uint32_t k = 0; k < SPOKES; k++) {
            const uint32_t one[3] = {SPOKES, k, (k + 1) % SPOKES};
            memcpy(all + 3 * k, one, sizeof one);
            close_drawing(&c, SPOKES + 1, one, 1);
            psb_silhouette_draw(&c.drawing, two_views, image);
            sum += psb_bitmap_count_both(image, image);
        }
        close_drawing(&c, SPOKES + 1, all, SPOKES);
        psb_silhouette_draw(&c.drawing, two_views, image);
        assert_int_equal(psb_bitmap_count_both(image, image), sum);
        ASSERT_NEAR((double)sum, SPOKES / 2.0 * sin(2.0 * M_PI / SPOKES) * 1e4, 40.0);
    }
}

static void projection_snaps_to_the_nearest_step(void **state) {
    (void)state;
    const double x[3] = {0.0, 10.0, -110.0}, y[3] = {0.0, 0.5 / 256.0, 3.0}, z[3] = {0.0, 5.0, 7.0};
    const psb_camera view[PSB_PAIR] = {{{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
                                       {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}}};
    psb_snapped_pair snapped[3];
    psb_bitmap image[PSB_PAIR];
    psb_drawing drawing = {{3, x, y, z}, snapped, NULL, 0};
    psb_silhouette_draw(&drawing, view, image);
    for (int i = 0; i < 3; i++) {
        psb_snapped first = psb_snapped_in(snapped[i], 0), second = psb_snapped_in(snapped[i], 1);
        assert_int_equal(first & 0xffff, (int)((x[i] + 128.0) * 256.0) + PSB_SNAP_OFFSET);
        assert_int_equal(first >> 16, (int)((z[i] + 128.0) * 256.0) + PSB_SNAP_OFFSET);
        assert_int_equal(second & 0xffff, (int)((y[i] + 128.0) * 256.0 + 0.5) + PSB_SNAP_OFFSET);
        assert_int_equal(second >> 16, (int)((-x[i] + 128.0) * 256.0) + PSB_SNAP_OFFSET);
    }
    assert_int_equal(psb_snap(1.49 / 256.0, 1.51 / 256.0),
                     (PSB_SNAP_OFFSET + 2) << 16 | (PSB_SNAP_OFFSET + 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_counts),
        cmocka_unit_test(dilations),
        cmocka_unit_test(outside_is_what_the_border_reaches),
        cmocka_unit_test(thinning),
        cmocka_unit_test(triangles_cover_what_edge_functions_say),
        cmocka_unit_test(shared_edges_leave_no_gap_and_no_overlap),
        cmocka_unit_test(projection_snaps_to_the_nearest_step),
    };
    return cmocka_run_group_tests_name("silhouette", tests, NULL, NULL);
}
