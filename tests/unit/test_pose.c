/* Compares distances over poses with meshes turned and described again, and kernels with pairs. */
#include "core/memory.h"
#include "core/random.h"
#include "core/vector.h"
#include "descriptors/descriptor.h"
#include "distance/pose.h"
#include "fields/harmonics.h"
#include "support/harmonics.h"
#include "support/meshes.h"
#include "support/test.h"

enum { FUNCTIONS = 2, LENGTH = FUNCTIONS * PSB_FULL, POSES = PSB_FLIPS * PSB_ORDERS };

/* Pose number k of 48: v[i] is sign i times coordinate order[i]. */
static void turn_point(int k, const double u[3], double v[3]) {
    for (int i = 0; i < 3; i++) {
        v[i] = (k >> i & 1 ? -1 : 1) * u[psb_orders[k / PSB_FLIPS][i]];
    }
}

/* Functions on the sphere that have no symmetry: some smooth bumps each. */
static void bumps(uint64_t seed, int pose, float row[LENGTH]) {
    psb_random random = psb_random_seeded(seed, "bumps", "test");
    for (int f = 0; f < FUNCTIONS; f++) {
        psb_coefficients sum = {{0}};
        double values[PSB_FULL];
        for (int b = 0; b < 12; b++) {
            double u[3], v[3], weight = psb_random_unit(&random), length = 0;
            for (int i = 0; i < 3; i++) {
                u[i] = psb_random_unit(&random) - 0.3;
                length += u[i] * u[i];
            }
            for (int i = 0; i < 3; i++) {
                u[i] /= sqrt(length);
            }
            turn_point(pose, u, v);
            psb_coefficients at;
            test_harmonics(v, at);
            for (int c = 0; c < PSB_COEFFICIENTS; c++) {
                sum[c][0] += weight * at[c][0];
                sum[c][1] -= weight * at[c][1];
            }
        }
        psb_harmonics_smooth(sum, 0.01);
        psb_harmonics_store(sum, PSB_FORM_FULL, values);
        for (int i = 0; i < PSB_FULL; i++) {
            row[f * PSB_FULL + i] = (float)values[i];
        }
    }
}

/* L1 of rows of L1 norm 1. */
static double plain_distance(const float *a, const float *b) {
    double norm_a = 0, norm_b = 0, sum = 0;
    for (int i = 0; i < LENGTH; i++) {
        norm_a += fabs((double)a[i]);
        norm_b += fabs((double)b[i]);
    }
    for (int i = 0; i < LENGTH; i++) {
        sum += fabs(a[i] / norm_a - b[i] / norm_b);
    }
    return sum;
}

static void a_turned_function_is_at_distance_zero(void **state) {
    (void)state;
    float row[LENGTH], turned[LENGTH];
    bumps(1, 0, row);
    for (int k = 0; k < POSES; k++) {
        bumps(1, k, turned);
        double all = psb_pose48.pair(row, turned, LENGTH);
        if (k < PSB_FLIPS) {
            assert_true(all == 0.0);
            assert_true(psb_pose8.pair(row, turned, LENGTH) == 0.0);
        } else {
            ASSERT_NEAR(all, 0.0, 1e-5);
            assert_true(psb_pose8.pair(row, turned, LENGTH) > 0.1);
        }
    }
}

/* The definition with functions turned and described again, in both directions. */
static void the_least_is_that_of_all_poses_described_again(void **state) {
    (void)state;
    float a[LENGTH], b[LENGTH], turned[LENGTH];
    for (uint64_t seed = 1; seed < 9; seed++) {
        double least[2] = {INFINITY, INFINITY};
        bumps(seed, 0, a);
        bumps(seed + 1, 0, b);
        for (int k = 0; k < POSES; k++) {
            bumps(seed + 1, k, turned);
            double forward = plain_distance(a, turned);
            bumps(seed, k, turned);
            double d = fmin(forward, plain_distance(b, turned));
            least[0] = k < PSB_FLIPS ? fmin(least[0], d) : least[0];
            least[1] = fmin(least[1], d);
        }
        assert_true(least[1] > 0.1);
        ASSERT_NEAR(psb_pose8.pair(a, b, LENGTH), least[0], 1e-5);
        ASSERT_NEAR(psb_pose48.pair(a, b, LENGTH), least[1], 1e-5);
        assert_true(psb_pose48.pair(a, b, LENGTH) == psb_pose48.pair(b, a, LENGTH));
    }
}

/* The pose that is found carries one onto the other. */
static void the_match_says_how_one_lies_on_the_other(void **state) {
    (void)state;
    float a[LENGTH], b[LENGTH];
    for (int from = 0; from < POSES; from += 5) {
        for (int to = 0; to < POSES; to += 7) {
            bumps(3, from, b);
            bumps(3, to, a);
            psb_pose_match match = psb_pose_find(a, b, LENGTH, PSB_ORDERS, 0);
            const double p[3] = {1, 2, 3};
            double in_a[3], in_b[3];
            turn_point(to, p, in_a);
            turn_point(from, p, in_b);
            for (int i = 0; i < 3; i++) {
                assert_true(match.sign[i] * in_b[match.axis[i]] == in_a[i]);
            }
            int own = 0, other = 0;
            for (int determinant = -1; determinant <= 1; determinant += 2) {
                psb_pose_match only = psb_pose_find(a, b, LENGTH, PSB_ORDERS, determinant);
                const int *axis = only.axis, *sign = only.sign;
                bool odd = ((axis[0] > axis[1]) ^ (axis[0] > axis[2]) ^ (axis[1] > axis[2])) != 0;
                assert_int_equal(sign[0] * sign[1] * sign[2] * (odd ? -1 : 1), determinant);
                own += only.distance == match.distance;
                other += only.distance > match.distance;
            }
            assert_true(own == 1 && other == 1);
        }
    }
}

/* Orders and parities of depth buffers, on images of a few points: see descriptors/dbuf.c. */
static void points(int pose, float row[PSB_DEPTH_LENGTH]) {
    psb_random random = psb_random_seeded(5, "points", "test");
    memset(row, 0, PSB_DEPTH_LENGTH * sizeof *row);
    for (int n = 0; n < 5; n++) {
        double u[3], p[3];
        for (int i = 0; i < 3; i++) {
            u[i] = 2 * psb_random_unit(&random) - 0.8;
        }
        turn_point(pose, u, p);
        float *at = row;
        for (int view = 0; view < 3; view++) {
            double x = p[view == 0 ? 1 : 0], y = p[view == 2 ? 1 : 2];
            for (int part = 0; part < 2; part++) {
                for (int i = 0; i < 16; i++) {
                    for (int j = 0; j < 16 - i; j++) {
                        double wave = cos(M_PI * i * (x + 1) / 2) * cos(M_PI * j * (y + 1) / 2);
                        *at++ += (float)(wave * (part == 1 ? p[view] : 1.0 + n));
                    }
                }
            }
        }
    }
}

static void a_turned_depth_buffer_is_at_distance_zero(void **state) {
    (void)state;
    float row[PSB_DEPTH_LENGTH], turned[PSB_DEPTH_LENGTH];
    points(0, row);
    for (int k = 0; k < POSES; k++) {
        points(k, turned);
        ASSERT_NEAR(psb_pose48.pair(row, turned, PSB_DEPTH_LENGTH), 0.0, 1e-4);
        ASSERT_NEAR(psb_pose48.pair(turned, row, PSB_DEPTH_LENGTH), 0.0, 1e-4);
        assert_true(k < PSB_FLIPS || psb_pose8.pair(row, turned, PSB_DEPTH_LENGTH) > 0.1);
    }
}

static void zeros_and_what_is_not_finite(void **state) {
    (void)state;
    float zero[PSB_FULL] = {0}, one[PSB_FULL] = {0}, other[PSB_FULL] = {0}, bad[PSB_FULL] = {0};
    one[0] = 5.0F;
    other[7] = -1e-38F;
    bad[3] = NAN;
    assert_true(psb_pose48.pair(zero, zero, PSB_FULL) == 0.0);
    assert_true(psb_pose48.pair(zero, one, PSB_FULL) == 2.0);
    assert_true(psb_pose48.pair(one, other, PSB_FULL) == 2.0);
    assert_true(isnan(psb_pose48.pair(bad, one, PSB_FULL)));
    assert_true(isnan(psb_pose48.pair(zero, bad, PSB_FULL)));
    for (size_t i = 0; i < PSB_FULL; i++) {
        one[i] = 1.0F; /* all of them would be rounded up */
    }
    assert_true(psb_pose48.pair(one, one, PSB_FULL) == 0.0);
}

/* Only the direction of a row counts, up to what rounding makes of its multiple. */
static void norms_of_rows_do_not_matter(void **state) {
    (void)state;
    float one[PSB_FULL], other[PSB_FULL], scaled[PSB_FULL];
    psb_random random = psb_random_seeded(6, "norms", "test");
    for (int trial = 0; trial < 20; trial++) {
        double factor = 0.1 + 4.0 * psb_random_unit(&random);
        for (size_t i = 0; i < PSB_FULL; i++) {
            one[i] = (float)(psb_random_unit(&random) - 0.5);
            other[i] = (float)(psb_random_unit(&random) - 0.5);
            scaled[i] = (float)(factor * (double)one[i]);
        }
        ASSERT_NEAR(psb_pose48.pair(scaled, other, PSB_FULL), psb_pose48.pair(one, other, PSB_FULL),
                    1e-3);
        ASSERT_NEAR(psb_pose8.pair(other, scaled, PSB_FULL), psb_pose8.pair(other, one, PSB_FULL),
                    1e-3);
    }
}

static void lengths_are_checked(void **state) {
    (void)state;
    static const size_t good[] = {256, 512, 2048, 8192, 816};
    static const size_t bad[] = {0, 1, 255, 544, 768, 4352, 16384, 1632};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(psb_pose48.accepts(good[i]) && psb_pose8.accepts(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(psb_pose48.accepts(bad[i]));
    }
    psb_spec *spec;
    psb_error error;
    float row[300] = {0}, out;
    psb_row_view view = {row, 1, 300, PSB_FLOAT32};
    assert_int_equal(psb_distance_matrix(&psb_pose48, &view, 1, &out, NULL, NULL, &error),
                     PSB_ERROR_USAGE);
    assert_int_equal(psb_spec_parse(NULL, "GEDT:form=magnitude,metric=pose48", &spec, &error),
                     PSB_ERROR_USAGE);
    assert_string_equal(error.message, "GEDT:form=magnitude,metric=pose48: metric pose48 does not "
                                       "take its rows of 4352 numbers: leave metric= out");
}

/* ---- tiles ------------------------------------------------------------------------------ */

enum { ROWS = 83 };

static void *memory_for(size_t bytes) {
    psb_status status = PSB_OK;
    psb_error error;
    void *memory = psb_new(&status, 1, bytes, "a test", &error);
    assert_int_equal(status, PSB_OK);
    return memory;
}

/* Some rows are all on one number, some all alike, one has nothing. */
static float *random_rows(size_t length) {
    float *rows = memory_for(ROWS * length * sizeof *rows);
    psb_random random = psb_random_seeded(4, "rows", "test");
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < length; k++) {
            double x = psb_random_unit(&random) - 0.5;
            rows[i * length + k] = (float)(i % 10 == 7 ? 0.0 : i % 10 == 8 ? 1.0 : x * x * x);
        }
        rows[i * length + i] = i % 10 == 7 && i > 7 ? (i % 20 == 7 ? -2.0F : 3.0F) : 1.0F;
        rows[7 * length + 7] = 0.0F;
    }
    return rows;
}

static psb_block block_of(const psb_pose_kernel *kernel, const float *data, size_t length,
                          size_t first, size_t n) {
    psb_row_view some = {data + first * length, n, length, PSB_FLOAT32};
    void *prepared = memory_for(psb_block_bytes(&psb_pose48, n, length));
    psb_pose48_prepare(kernel, &some, prepared);
    return (psb_block){&psb_pose48, some, prepared, NULL};
}

/* Two blocks made ready and compared by a kernel: bit by bit what pairs are. */
static void check_blocks(const psb_pose_kernel *kernel, const psb_block *a, const psb_block *b,
                         bool upper, void *scratch) {
    static float out[PSB_TILE * PSB_TILE];
    size_t length = a->rows.length;
    psb_pose48_tile(kernel, a, b, upper, scratch, out, PSB_TILE);
    for (size_t i = 0; i < a->rows.n; i += upper ? 1 : 3) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j += 2) {
            float expected =
                (float)psb_pose48.pair((const float *)a->rows.data + i * length,
                                       (const float *)b->rows.data + j * length, length);
            if (memcmp(&out[i * PSB_TILE + j], &expected, sizeof expected) != 0) {
                fail_msg("%s: %.9g, not %.9g for (%zu, %zu)", kernel->variant.name,
                         (double)out[i * PSB_TILE + j], (double)expected, i, j);
            }
        }
    }
}

/* Blocks that are no whole panels, at other places; a single row, which kernels take otherwise. */
static void check_kernels(size_t length) {
    float *rows = random_rows(length);
    void *scratch = memory_for(psb_tile_scratch(&psb_pose48, PSB_TILE, length));
    for (const psb_variant *const *k = psb_pose_kernels; *k != NULL; k++) {
        if (!psb_cpu_has((*k)->needs)) {
            print_message("no %s here\n", (*k)->name);
            continue;
        }
        const psb_pose_kernel *kernel = (const psb_pose_kernel *)*k;
        psb_block a = block_of(kernel, rows, length, 2, 37),
                  b = block_of(kernel, rows, length, 30, 53),
                  one = block_of(kernel, rows, length, 5, 1);
        check_blocks(kernel, &a, &b, false, scratch);
        check_blocks(kernel, &a, &a, true, scratch);
        check_blocks(kernel, &one, &b, false, scratch);
        free((void *)(uintptr_t)a.prepared);
        free((void *)(uintptr_t)b.prepared);
        free((void *)(uintptr_t)one.prepared);
    }
    free(scratch);
    free(rows);
}

static void every_kernel_gives_the_bits_of_a_pair(void **state) {
    (void)state;
    check_kernels(2 * PSB_FULL);
    check_kernels(PSB_DEPTH_LENGTH);
}

static void matrices_are_of_pairs(void **state) {
    (void)state;
    static float out[ROWS * ROWS], many[ROWS * ROWS];
    const psb_metric *const metrics[] = {&psb_pose8, &psb_pose48};
    float *rows = random_rows(PSB_FULL);
    psb_row_view view = {rows, ROWS, PSB_FULL, PSB_FLOAT32};
    psb_error error;
    for (int m = 0; m < 2; m++) {
        assert_int_equal(psb_distance_matrix(metrics[m], &view, 1, out, NULL, NULL, &error),
                         PSB_OK);
        assert_int_equal(psb_distance_matrix(metrics[m], &view, 3, many, NULL, NULL, &error),
                         PSB_OK);
        assert_memory_equal(out, many, sizeof out);
        for (size_t i = 0; i < ROWS; i++) {
            for (size_t j = 0; j < ROWS; j += 9) {
                double d = metrics[m]->pair(rows + i * PSB_FULL, rows + j * PSB_FULL, PSB_FULL);
                assert_true(out[i * ROWS + j] == (i == j ? 0.0F : (float)d));
                assert_true(out[i * ROWS + j] == out[j * ROWS + i] && d <= 2.0);
            }
        }
    }
    free(rows);
}

/* ---- meshes ----------------------------------------------------------------------------- */

static double mesh_distance(const char *text, const psb_mesh *a, const psb_mesh *b) {
    static float first[PSB_POSE_LONGEST], second[PSB_POSE_LONGEST];
    psb_spec *spec;
    psb_error error;
    float distance;
    assert_int_equal(psb_spec_parse(NULL, text, &spec, &error), PSB_OK);
    test_describe(text, a, "model", first);
    test_describe(text, b, "model", second);
    assert_int_equal(psb_distance(spec, first, second, psb_spec_row_bytes(spec), &distance, &error),
                     PSB_OK);
    psb_spec_free(spec);
    return distance;
}

/* A turned model, whose axes may come out with any signs and in any order, is near to itself. */
static void rotations_of_a_mesh_hardly_matter(void **state) {
    (void)state;
    static const char *const specs[] = {"GEDT:shells=8,metric=pose48",
                                        "GEDT:shells=8,metric=pose48,frame=normals",
                                        "CEGI:smooth=0.04,normals=outward,metric=pose48",
                                        "CEGI:smooth=0.04,metric=pose48,frame=normals",
                                        "EXT:pole=smallest,form=full,metric=pose48",
                                        "DBUF"};
    psb_mesh other = test_blob(70, 300);
    psb_random random = psb_random_seeded(6, "rotations", "test");
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        for (uint64_t seed = 71; seed < 74; seed++) {
            const double none[3] = {0, 0, 0};
            double turn[3][3];
            psb_mesh mesh = test_blob(seed, 300), turned = test_copy(&mesh);
            test_rotation(psb_random_unit(&random) - 0.5, psb_random_unit(&random) - 0.5,
                          psb_random_unit(&random), 6 * psb_random_unit(&random), turn);
            test_transform(&turned, turn, none);
            double typical = mesh_distance(specs[s], &mesh, &other);
            double moved = mesh_distance(specs[s], &mesh, &turned);
            if (moved > 0.02 * typical) {
                fail_msg("%s: %g of %g", specs[s], moved, typical);
            }
            psb_mesh_free(&mesh);
            psb_mesh_free(&turned);
        }
    }
    psb_mesh_free(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turned_function_is_at_distance_zero),
        cmocka_unit_test(the_least_is_that_of_all_poses_described_again),
        cmocka_unit_test(the_match_says_how_one_lies_on_the_other),
        cmocka_unit_test(a_turned_depth_buffer_is_at_distance_zero),
        cmocka_unit_test(zeros_and_what_is_not_finite),
        cmocka_unit_test(norms_of_rows_do_not_matter),
        cmocka_unit_test(lengths_are_checked),
        cmocka_unit_test(every_kernel_gives_the_bits_of_a_pair),
        cmocka_unit_test(matrices_are_of_pairs),
        cmocka_unit_test(rotations_of_a_mesh_hardly_matter),
    };
    return cmocka_run_group_tests_name("pose", tests, NULL, NULL);
}
