/* Compares distances between sets of points with all pairs and a slow assignment; tests points of a
 * surface. */
#include "core/memory.h"
#include "core/random.h"
#include "descriptors/points.h"
#include "distance/points.h"
#include "normalize/surface_points.h"
#include "support/meshes.h"
#include "support/test.h"

#include <float.h>

enum { MOST = 2048 };

static const size_t counts[] = {1, 2, 15, 16, 17, 33, 100, 257, 2048};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* Points of a bent strip, or of few different coordinates: many distances are equal, or 0. */
static void fill(uint64_t seed, size_t n, bool few, float *at) {
    psb_random random = psb_random_seeded(seed, "points", "test");
    for (size_t i = 0; i < 3 * n; i++) {
        double u = psb_random_unit(&random);
        at[i] = few ? (float)(int)(4 * u) : i % 3 == 2 ? at[i - 1] * at[i - 2] : (float)u;
    }
}

/* ---- slow references ------------------------------------------------------------------- */

static double between(const float *a, const float *b) {
    double dx = (double)a[0] - b[0], dy = (double)a[1] - b[1], dz = (double)a[2] - b[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

/* Of one direction: the mean square, the mean and the largest of the distances to the nearest. */
static void slow_direction(const float *a, const float *b, size_t n, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (size_t i = 0; i < n; i++) {
        double least = INFINITY;
        for (size_t j = 0; j < n; j++) {
            least = fmin(least, between(a + 3 * i, b + 3 * j));
        }
        out[0] += least * least / (double)n;
        out[1] += least / (double)n;
        out[2] = fmax(out[2], least);
    }
}

/* The Hungarian method, row by row; columns and rows count from 1. */
static double slow_assignment(const float *a, const float *b, int n) {
    static double u[MOST + 1], v[MOST + 1], least[MOST + 1];
    static int row[MOST + 1], way[MOST + 1];
    static bool used[MOST + 1];
    memset(u, 0, sizeof u);
    memset(v, 0, sizeof v);
    memset(row, 0, sizeof row);
    for (int i = 1; i <= n; i++) {
        int j0 = 0;
        row[0] = i;
        for (int j = 0; j <= n; j++) {
            least[j] = INFINITY;
            used[j] = false;
        }
        do {
            int i0 = row[j0], j1 = 0;
            double delta = INFINITY;
            used[j0] = true;
            for (int j = 1; j <= n; j++) {
                double reduced = between(a + 3 * (i0 - 1), b + 3 * (j - 1)) - u[i0] - v[j];
                if (!used[j] && reduced < least[j]) {
                    least[j] = reduced;
                    way[j] = j0;
                }
                if (!used[j] && least[j] < delta) {
                    delta = least[j];
                    j1 = j;
                }
            }
            for (int j = 0; j <= n; j++) {
                u[row[j]] += used[j] ? delta : 0;
                v[j] -= used[j] ? delta : 0;
                least[j] -= used[j] ? 0 : delta;
            }
            j0 = j1;
        } while (row[j0] != 0);
        for (; j0 != 0; j0 = way[j0]) {
            row[j0] = row[way[j0]];
        }
    }
    double sum = 0;
    for (int j = 1; j <= n; j++) {
        sum += between(a + 3 * (row[j] - 1), b + 3 * (j - 1));
    }
    return sum / n;
}

/* ---- metrics --------------------------------------------------------------------------- */

static void chamfer_is_that_of_all_pairs(void **state) {
    (void)state;
    static float a[3 * MOST], b[3 * MOST];
    for (int c = 0; c < 2 * COUNTS; c++) {
        size_t n = counts[c / 2];
        double there[3], back[3];
        fill(7, n, c % 2 == 1, a);
        fill(8, n, c % 2 == 1, b);
        slow_direction(a, b, n, there);
        slow_direction(b, a, n, back);
        ASSERT_NEAR(psb_cd.pair(a, b, 3 * n), there[0] + back[0], 1e-6);
        ASSERT_NEAR(psb_cd_l1.pair(a, b, 3 * n), (there[1] + back[1]) / 2, 1e-6);
        ASSERT_NEAR(psb_hausdorff.pair(a, b, 3 * n), fmax(there[2], back[2]), 1e-6);
    }
}

/*
 * Values that others' documentation prints: of kaolin.metrics.pointcloud.chamfer_distance,
 * scipy.spatial.distance.directed_hausdorff (the larger of both ways), scipy.stats's
 * wasserstein_distance and wasserstein_distance_nd.
 */
static void published_examples(void **state) {
    (void)state;
    static const struct {
        const psb_metric *metric;
        size_t n;
        float a[12], b[12];
        double published;
    } examples[] = {
        {&psb_cd,
         2,
         {8.8977F, 4.1709F, 1.2839F, 8.5640F, 7.7767F, 9.4214F},
         {6.9340F, 6.1152F, 3.4435F, 0.1032F, 9.8181F, 11.3350F},
         72.5838},
        {&psb_cd,
         2,
         {0.5431F, 6.4495F, 11.4914F, 3.2126F, 8.0865F, 3.1018F},
         {11.4006F, 2.2154F, 7.9589F, 4.2586F, 1.4133F, 7.2606F},
         151.0809},
        {&psb_hausdorff,
         4,
         {1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0},
         {2, 0, 0, 0, 2, 0, -2, 0, 0, 0, -4, 0},
         3},
        {&psb_emd, 3, {0, 0, 0, 1, 0, 0, 3, 0, 0}, {5, 0, 0, 6, 0, 0, 8, 0, 0}, 5},
        {&psb_emd, 2, {0, 2, 3, 1, 2, 5}, {3, 2, 3, 4, 2, 5}, 3},
    };
    for (size_t e = 0; e < sizeof examples / sizeof examples[0]; e++) {
        ASSERT_NEAR(examples[e].metric->pair(examples[e].a, examples[e].b, 3 * examples[e].n),
                    examples[e].published, 6e-5);
    }
}

/* Tiles go by boxes and pairs by all points: the bits are the same, whichever way round. */
static void tiles_have_the_bits_of_pairs(void **state) {
    (void)state;
    static const psb_metric *const metrics[] = {&psb_cd, &psb_cd_l1, &psb_hausdorff, &psb_emd,
                                                &psb_emd_auction};
    enum { SETS = 5 };
    static float rows[SETS * 3 * MOST], out[SETS * SETS];
    for (int c = 0; c < COUNTS; c++) {
        size_t length = 3 * counts[c];
        for (size_t s = 0; s < SETS; s++) {
            fill(s, counts[c], s % 2 == 1, rows + s * length);
        }
        memcpy(rows + 4 * length, rows + 2 * length, length * sizeof *rows);
        for (int m = 0; m < 5; m++) {
            psb_row_view view = {rows, SETS, length, PSB_FLOAT32};
            psb_error error;
            assert_int_equal(psb_distance_matrix(metrics[m], &view, 2, out, NULL, NULL, &error),
                             PSB_OK);
            for (size_t i = 0; i < SETS; i++) {
                for (size_t j = 0; j < SETS; j++) {
                    const float *x = rows + i * length, *y = rows + j * length;
                    assert_true(out[i * SETS + j] == (float)metrics[m]->pair(x, y, length));
                    assert_true(out[i * SETS + j] == (float)metrics[m]->pair(y, x, length));
                }
            }
            assert_true(out[2 * SETS + 4] == 0);
        }
    }
}

/*
 * With limits, at a distance of the row or just below it: what is within either limit has the bits
 * of pairs, all else is above both. Sets that differ more and more, so that some are ruled out by
 * the nearest points, some by prices and some not at all; and small ones that are far from all
 * others, so that bounds by boxes are nearly their distances.
 */
static void limits_leave_what_is_within_them(void **state) {
    (void)state;
    static const psb_metric *const metrics[] = {&psb_cd, &psb_cd_l1, &psb_hausdorff, &psb_emd,
                                                &psb_emd_auction};
    enum { SETS = 24, POINTS = 100, LENGTH = 3 * POINTS };
    static float rows[SETS * LENGTH], whole[SETS * SETS], got[SETS * SETS], limits[2][SETS];
    psb_row_view view = {rows, SETS, LENGTH, PSB_FLOAT32};
    psb_random random = psb_random_seeded(9, "limits", "test");
    for (size_t s = 0; s < SETS; s++) {
        fill(s, POINTS, s % 4 == 1, rows + s * LENGTH);
        for (size_t i = 0; i < LENGTH && s % 3 != 0; i++) {
            rows[s * LENGTH + i] *= i % 3 == s % 3 ? 1 + 0.05F * (float)s : 1;
        }
        for (size_t i = 0; i < LENGTH && s >= 18; i++) {
            rows[s * LENGTH + i] = 1e-5F * rows[s * LENGTH + i] + (float)s;
        }
    }
    for (int m = 0; m < 5; m++) {
        psb_status status = PSB_OK;
        psb_error error;
        size_t spared = 0;
        void *memory = psb_new(&status, 1, psb_block_bytes(metrics[m], SETS, LENGTH), "", &error);
        void *scratch = psb_new(&status, 1, psb_tile_scratch(metrics[m], SETS, LENGTH), "", &error);
        assert_int_equal(status, PSB_OK);
        psb_block a = psb_block_prepare(metrics[m], &view, memory), b = a;
        metrics[m]->tile(&a, &b, false, scratch, whole, SETS);
        for (size_t s = 0; s < 2 * (size_t)SETS; s++) {
            float *limit = &limits[s % 2][s / 2];
            *limit = whole[s / 2 * SETS + psb_random_below(&random, SETS)];
            *limit = s % 3 == 0 ? nextafterf(*limit, 0) : s % 5 == 0 ? 0 : *limit;
        }
        for (int sides = 1; sides < 4; sides++) {
            a.limit = sides & 1 ? limits[0] : NULL;
            b.limit = sides & 2 ? limits[1] : NULL;
            metrics[m]->tile(&a, &b, false, scratch, got, SETS);
            for (size_t k = 0; k < SETS * SETS; k++) {
                float own = sides & 1 ? limits[0][k / SETS] : 0;
                float other = sides & 2 ? limits[1][k % SETS] : 0;
                bool far = whole[k] > fmaxf(own, other);
                assert_true(far ? got[k] > fmaxf(own, other) && got[k] <= FLT_MAX
                                : got[k] == whole[k]);
                spared += got[k] != whole[k];
            }
        }
        assert_true(spared > 100);
        free(memory);
        free(scratch);
    }
}

/* More boxes than are measured at once. */
static void many_points_have_many_boxes(void **state) {
    (void)state;
    enum { MANY = 5000 };
    static float at[2][3 * MANY], squares[MANY];
    static uint32_t nearest[MANY];
    psb_status status = PSB_OK;
    psb_error error;
    void *sets[2];
    for (int s = 0; s < 2; s++) {
        fill(20 + (uint64_t)s, MANY, false, at[s]);
        sets[s] = psb_new(&status, 1, psb_points_bytes(MANY), "points", &error);
        assert_int_equal(status, PSB_OK);
        psb_points_prepare(at[s], MANY, sets[s]);
    }
    psb_points_nearest(sets[0], sets[1], squares, nearest);
    for (size_t i = 0; i < MANY; i++) {
        double least = INFINITY;
        for (size_t j = 0; j < MANY; j++) {
            least = fmin(least, between(at[0] + 3 * i, at[1] + 3 * j));
        }
        ASSERT_NEAR(sqrt((double)squares[i]), least, 1e-6);
        ASSERT_NEAR(between(at[0] + 3 * i, at[1] + 3 * (size_t)nearest[i]), least, 1e-6);
    }
    free(sets[0]);
    free(sets[1]);
}

static void the_map_is_the_best(void **state) {
    (void)state;
    static float a[3 * MOST], b[3 * MOST];
    for (int c = 0; c < 2 * (COUNTS - 1); c++) {
        size_t n = counts[c / 2];
        fill(11, n, c % 2 == 1, a);
        fill(12, n, c % 2 == 1, b);
        double best = slow_assignment(a, b, (int)n);
        ASSERT_NEAR(psb_emd.pair(a, b, 3 * n), best, 1e-6 * best + 1e-12);
    }
    /* A set and the same elsewhere: each point goes as far. */
    fill(13, MOST, false, a);
    for (size_t i = 0; i < 3 * MOST; i++) {
        b[i] = a[3 * (MOST - 1 - i / 3) + i % 3] + (i % 3 == 0 ? 2 : 0);
    }
    ASSERT_NEAR(psb_emd.pair(a, b, 3 * MOST), 2, 1e-6);
    /* All in one place, but for one point that is far. */
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    b[0] = 4096;
    ASSERT_NEAR(psb_emd.pair(a, b, 3 * MOST), 2, 1e-12);
    assert_true(psb_emd.accepts(3 * 10000));
    assert_false(psb_emd.accepts(3 * 10001));
    assert_false(psb_cd.accepts(3 * MOST + 1));
}

/* The distance of the auction's map is between the least and 1 % more, the bound below the least.
 */
static void the_gap_holds(void **state) {
    (void)state;
    static float a[3 * MOST], b[3 * MOST];
    size_t above = 0;
    for (int c = 0; c < 4 * COUNTS; c++) {
        size_t n = counts[c / 4];
        fill(11, n, c % 2 == 1, a);
        fill(12, n, c % 2 == 1, b);
        for (size_t i = 0; i < 3 * n && c % 4 > 1; i++) {
            b[i] = a[i] + 0.01F * b[i]; /* nearly the same */
        }
        double best = psb_emd.pair(a, b, 3 * n), found = psb_emd_auction.pair(a, b, 3 * n);
        double gap = psb_emd_gap(a, b, 3 * n);
        assert_true(found >= best * (1 - 1e-6) && found <= 1.01 * best && gap >= 0 && gap <= 0.01);
        assert_true(found <= best * (1 + gap) * (1 + 1e-6));
        above += found > best;
    }
    assert_true(above > 2);
    assert_true(psb_emd_gap(a, a, 3 * MOST) == 0);
}

static void what_overflows_is_an_error(void **state) {
    (void)state;
    static const psb_metric *const metrics[] = {&psb_cd, &psb_cd_l1, &psb_hausdorff, &psb_emd,
                                                &psb_emd_auction};
    const float rows[2][6] = {{0, 0, 0, 1, 0, 0}, {3e38F, 0, 0, -3e38F, 0, 0}};
    psb_row_view view = {rows, 2, 6, PSB_FLOAT32};
    for (int m = 0; m < 5; m++) {
        float out[4];
        psb_error error;
        assert_int_equal(psb_distance_matrix(metrics[m], &view, 1, out, NULL, NULL, &error),
                         PSB_ERROR_INPUT);
    }
}

/* ---- points of a surface --------------------------------------------------------------- */

/* A box of 1 x 2 x 5, of which each side gets points by its area, to less than one. */
static void points_are_by_area(void **state) {
    (void)state;
    static float row[3 * MOST], other[3 * MOST];
    psb_mesh box = test_box(1, 2, 5);
    size_t count[3] = {0};
    test_describe("POINTS:pose=file", &box, "model", row);
    test_describe("POINTS:pose=file", &box, "model", other);
    assert_memory_equal(row, other, sizeof row);
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * MOST; i++) {
        low[i % 3] = fminf(low[i % 3], row[i]);
        high[i % 3] = fmaxf(high[i % 3], row[i]);
    }
    for (size_t i = 0; i < MOST; i++) {
        for (size_t k = 0; k < 3; k++) {
            count[k] += row[3 * i + k] == low[k] || row[3 * i + k] == high[k];
        }
    }
    static const double share[3] = {10. / 17, 5. / 17, 2. / 17};
    for (size_t k = 0; k < 3; k++) {
        ASSERT_NEAR((double)count[k], share[k] * MOST, 12); /* sides are of two triangles each */
    }
    psb_mesh_free(&box);
}

/* Whether two rows share random numbers: whether any point of one is where the other has it, moved
 * by as much as the box. */
static bool share_chance(const float *a, const float *b) {
    size_t equal = 0;
    for (size_t i = 0; i < 3 * MOST; i += 3) {
        equal +=
            fabsf(a[i] - b[i]) + fabsf(a[i + 1] - b[i + 1]) + fabsf(a[i + 2] - b[i + 2]) < 1e-2F;
    }
    return equal > MOST / 4;
}

/* Chance depends on what a mesh holds and on its side, and not on its name. */
static void chance_is_of_content_and_side(void **state) {
    (void)state;
    static float row[3 * MOST], other[3 * MOST];
    static const char *const specs[] = {"POINTS:pose=file", "SPIN"};
    const double scale[3][3] = {{1.002, 0, 0}, {0, 1.002, 0}, {0, 0, 1.002}}, none[3] = {0};
    psb_mesh box = test_box(1, 2, 5), larger = test_copy(&box), reversed = test_copy(&box);
    test_transform(&larger, scale, none);
    for (size_t k = 0; k < 3; k++) { /* the same surface with its first triangle last */
        size_t last = 3 * (box.ntriangles - 1);
        reversed.triangles[k] = box.triangles[last + k];
        reversed.triangles[last + k] = box.triangles[k];
    }
    for (size_t s = 0; s < 2; s++) {
        test_describe(specs[s], &box, "model", row);
        test_describe(specs[s], &box, "another", other);
        assert_memory_equal(row, other, sizeof row); /* behind a shorter row lies the one before */
    }
    test_describe(specs[0], &box, "model", row);
    test_describe(specs[0], &larger, "model", other);
    assert_false(share_chance(row, other));
    test_describe(specs[0], &reversed, "model", other);
    assert_false(share_chance(row, other));
    psb_random first = psb_content_random(&box, 1, 1, "points"),
               again = psb_content_random(&box, 1, 1, "points"),
               second = psb_content_random(&box, 1, 2, "points");
    uint64_t drawn = psb_random_u64(&first);
    assert_true(drawn == psb_random_u64(&again) && drawn != psb_random_u64(&second));
    psb_mesh_free(&reversed);
    psb_mesh_free(&larger);
    psb_mesh_free(&box);
}

/* Sets low and high to the box of a row of points. */
static void find_box(const float *row, double low[3], double high[3]) {
    for (size_t i = 0; i < 3 * MOST; i++) {
        low[i % 3] = i < 3 ? (double)row[i] : fmin(low[i % 3], (double)row[i]);
        high[i % 3] = i < 3 ? (double)row[i] : fmax(high[i % 3], (double)row[i]);
    }
}

/* Sphere and box do not depend on place and size; the file's frame has both. */
static void frames_are_what_they_say(void **state) {
    (void)state;
    static float row[3 * MOST];
    double low[3], high[3];
    const double scale[3][3] = {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}, shift[3] = {7, -3, 2};
    psb_mesh box = test_box(2, 3, 6), moved = test_copy(&box); /* a diagonal of 7 */
    test_transform(&moved, scale, shift);
    static const struct {
        const char *spec;
        double half[3], shift[3]; /* of the moved box in that frame */
    } frames[] = {{"POINTS", {2. / 7, 3. / 7, 6. / 7}, {0, 0, 0}},
                  {"POINTS:pose=box", {1. / 6, 1. / 4, 1. / 2}, {0, 0, 0}},
                  {"POINTS:pose=file", {4, 6, 12}, {7, -3, 2}}};
    for (size_t f = 0; f < 3; f++) {
        test_describe(frames[f].spec, &moved, "model", row);
        find_box(row, low, high);
        for (size_t k = 0; k < 3; k++) {
            ASSERT_NEAR((high[k] - low[k]) / 2, frames[f].half[k], 1e-6);
            ASSERT_NEAR((high[k] + low[k]) / 2, frames[f].shift[k], 1e-6);
        }
    }
    /* In the aligned one the longest side comes first, wherever the file has it. */
    double turn[3][3];
    const double none[3] = {0, 0, 0};
    test_rotation(0.3, 1.0, -0.7, 0.9, turn);
    test_transform(&moved, turn, none);
    test_describe("POINTS:pose=aligned", &moved, "model", row);
    find_box(row, low, high);
    ASSERT_NEAR((high[0] - low[0]) / (high[2] - low[2]), 3, 1e-3);
    ASSERT_NEAR((high[1] - low[1]) / (high[2] - low[2]), 1.5, 1e-3);
    psb_mesh_free(&moved);
    psb_mesh_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chamfer_is_that_of_all_pairs),
        cmocka_unit_test(published_examples),
        cmocka_unit_test(tiles_have_the_bits_of_pairs),
        cmocka_unit_test(limits_leave_what_is_within_them),
        cmocka_unit_test(many_points_have_many_boxes),
        cmocka_unit_test(the_map_is_the_best),
        cmocka_unit_test(the_gap_holds),
        cmocka_unit_test(what_overflows_is_an_error),
        cmocka_unit_test(points_are_by_area),
        cmocka_unit_test(chance_is_of_content_and_side),
        cmocka_unit_test(frames_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
