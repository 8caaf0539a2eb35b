/* Tests metrics: axioms, tiles against pairs, kernels against plain sums, threads. */
#include "core/memory.h"
#include "core/random.h"
#include "distance/panels.h"
#include "support/test.h"

/* Two tiles a side, the second ragged; more numbers than a kernel takes at a time. */
enum { N = 150, LENGTH = 301 };

static float rows[N * LENGTH];

static int fill(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(9, "rows", "test");
    for (size_t i = 0; i < N; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < LENGTH; k++) {
            double x = psb_random_unit(&random) - 0.5;
            rows[i * LENGTH + k] = (float)x;
            sum += x * x;
        }
        for (size_t k = 0; k < LENGTH; k++) {
            rows[i * LENGTH + k] = (float)(rows[i * LENGTH + k] / sqrt(sum));
        }
    }
    memcpy(rows + 140 * LENGTH, rows + 3 * LENGTH, LENGTH * sizeof(float)); /* a duplicate model */
    memcpy(rows + 141 * LENGTH, rows + 3 * LENGTH, LENGTH * sizeof(float)); /* and a close one */
    rows[141 * LENGTH] += 1e-5F;
    return 0;
}

/* Others have tests of their own. */
static bool takes_rows(const psb_metric *metric) {
    return metric->element == PSB_FLOAT32 && (metric->accepts == NULL || metric->accepts(LENGTH));
}

/* Some metrics take no negative numbers. */
static const float *rows_for(const psb_metric *metric) {
    static float positive[N * LENGTH];
    for (size_t i = 0; i < N * LENGTH; i++) {
        positive[i] = fabsf(rows[i]);
    }
    return metric->no_negatives ? positive : rows;
}

static float *matrix_from(const psb_metric *metric, const float *data, int threads) {
    float *out = malloc(sizeof(float) * N * N);
    assert_non_null(out);
    psb_row_view table = {data, N, LENGTH, PSB_FLOAT32};
    psb_error error;
    if (psb_distance_matrix(metric, &table, threads, out, NULL, NULL, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    return out;
}

static float *matrix_of(const psb_metric *metric, int threads) {
    return matrix_from(metric, rows_for(metric), threads);
}

/* Rows 3, 140 and 141 are as in fill. */
static void expect_pairs(const psb_metric *metric, const float *own) {
    float *matrix = matrix_from(metric, own, 1);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            double expected = metric->pair(own + i * LENGTH, own + j * LENGTH, LENGTH);
            ASSERT_NEAR(matrix[i * N + j], expected, 1e-6 * expected);
            assert_true(matrix[i * N + j] == matrix[j * N + i]);
        }
        assert_true(matrix[i * N + i] == 0.0F);
    }
    assert_true(matrix[3 * N + 140] == 0.0F);
    assert_true(matrix[3 * N + 141] > 0.0F);
    free(matrix);
}

static void tiles_equal_pairs(void **state) {
    (void)state;
    for (size_t m = 0; m < psb_metric_count(); m++) {
        const psb_metric *metric = psb_metric_at(m);
        if (takes_rows(metric)) {
            expect_pairs(metric, rows_for(metric));
        }
    }
}

/* Rows are of any norm, also within one tile: close rows, equal ones, and multiples of a row. */
static void norms_of_rows_may_differ(void **state) {
    (void)state;
    static float scaled[N * LENGTH];
    psb_random random = psb_random_seeded(10, "norms", "test");
    for (size_t m = 0; m < psb_metric_count(); m++) {
        const psb_metric *metric = psb_metric_at(m);
        if (!takes_rows(metric)) {
            continue;
        }
        for (size_t i = 0; i < N; i++) {
            size_t of = i % 10 == 9 ? i - 1 : i; /* every tenth is a multiple of the one before */
            float factor = (float)(0.1 + 4.0 * psb_random_unit(&random));
            for (size_t k = 0; k < LENGTH; k++) {
                scaled[i * LENGTH + k] = factor * rows_for(metric)[of * LENGTH + k];
            }
        }
        memcpy(scaled + 140 * LENGTH, scaled + 3 * LENGTH, LENGTH * sizeof(float));
        memcpy(scaled + 141 * LENGTH, scaled + 3 * LENGTH, LENGTH * sizeof(float));
        scaled[141 * LENGTH] += 1e-4F;
        expect_pairs(metric, scaled);
    }
}

/* The distance of two rows in long double. */
static double distance_of(bool cosine, const float *x, const float *y) {
    long double xx = 0, yy = 0, xy = 0, apart = 0;
    for (size_t k = 0; k < LENGTH; k++) {
        long double a = x[k], b = y[k];
        xx += a * a;
        yy += b * b;
        xy += a * b;
        apart += (a - b) * (a - b);
    }
    bool directions = xx > 0 && yy > 0;
    long double same = directions ? xy / sqrtl(xx * yy) : xx == 0 && yy == 0;
    return (double)(cosine ? 1 - same : sqrtl(apart));
}

/*
 * L2 and cosine distances come from products of rounded rows: `pair` and tiles have the same bits,
 * and both are those of long double to some last places of float32. Norms are 1e-15 to 1e15; there
 * are zero rows, equal ones, and rows from 1e-7 to 1 apart.
 */
static void products_give_the_distances_of_all_rows(void **state) {
    (void)state;
    static float x[N * LENGTH];
    psb_random random = psb_random_seeded(12, "products", "test");
    for (size_t i = 0; i < N; i++) {
        double near = pow(10, -7 * psb_random_unit(&random));
        double norm = i % 3 == 0 ? pow(10, 30 * psb_random_unit(&random) - 15) : 1;
        for (size_t k = 0; k < LENGTH; k++) {
            double other = rows[(i / 8 * 8 + 1) * LENGTH + k]; /* of the eight around it */
            double own = rows[i * LENGTH + k];
            x[i * LENGTH + k] = (float)(norm * (i % 2 == 0 ? own : other + near * own));
        }
        if (i % 20 == 7) {
            memset(x + i * LENGTH, 0, LENGTH * sizeof *x);
        } else if (i % 20 == 9) {
            memcpy(x + i * LENGTH, x + (i - 2 * (i % 3)) * LENGTH, LENGTH * sizeof *x);
        }
    }
    for (int cosine = 0; cosine < 2; cosine++) {
        const psb_metric *metric = cosine == 1 ? &psb_cosine : &psb_l2;
        float *matrix = matrix_from(metric, x, 2);
        size_t close = 0;
        for (size_t i = 0; i < N * N; i++) {
            const float *a = x + i / N * LENGTH, *b = x + i % N * LENGTH;
            float paired = (float)metric->pair(a, b, LENGTH);
            double expected = distance_of(cosine == 1, a, b);
            assert_memory_equal(&matrix[i], &paired, sizeof paired);
            /* Sums of 301 products in double: rounding alone may be as large. */
            ASSERT_NEAR(matrix[i], expected, 1e-6 * expected + (cosine == 1 ? 4e-14 : 0));
            if (memcmp(a, b, LENGTH * sizeof *a) == 0) {
                assert_true(matrix[i] == 0);
            }
            close += matrix[i] > 0 && matrix[i] < 1e-3;
        }
        assert_true(close > 20);
        free(matrix);
    }
}

/* l1 and l2 written out once more, independently. */
static void pairs_are_what_they_say(void **state) {
    (void)state;
    const float a[3] = {1, -2, 3}, b[3] = {4, 2, 3};
    ASSERT_NEAR(psb_metric_find("l1")->pair(a, b, 3), 7.0, 0.0);
    ASSERT_NEAR(psb_metric_find("l2")->pair(a, b, 3), 5.0, 0.0);
    assert_null(psb_metric_find("l7"));
    const float zero[3] = {0, 0, 0}, twice[3] = {2, -4, 6}, turned[3] = {2, 1, 0};
    ASSERT_NEAR(psb_metric_find("cosine")->pair(a, twice, 3), 0.0, 1e-15);
    ASSERT_NEAR(psb_metric_find("cosine")->pair(a, turned, 3), 1.0, 1e-15);
    ASSERT_NEAR(psb_metric_find("cosine")->pair(a, b, 3), 1 - 9 / sqrt(14 * 29), 1e-15);
    ASSERT_NEAR(psb_metric_find("cosine")->pair(a, zero, 3), 1.0, 0.0);
    const float h[3] = {1, 0, 3}, k[3] = {3, 0, 1};
    ASSERT_NEAR(psb_metric_find("chi2")->pair(h, k, 3), (4. / 4 + 4. / 4) / 2, 1e-15);
    psb_row_view negative = {a, 1, 3, PSB_FLOAT32};
    psb_error error;
    float out;
    assert_int_equal(psb_distance_matrix(&psb_chi2, &negative, 1, &out, NULL, NULL, &error),
                     PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "row 0, column 1"));
}

static void triangle_inequality_holds(void **state) {
    (void)state;
    /* Cosine and chi-square distances are no metrics in that sense. */
    const psb_metric *const metrics[] = {&psb_l1, &psb_l2};
    for (size_t m = 0; m < 2; m++) {
        float *d = matrix_of(metrics[m], 1);
        for (size_t i = 0; i < N; i += 3) {
            for (size_t j = 0; j < N; j += 5) {
                for (size_t k = 0; k < N; k += 7) {
                    assert_true(d[i * N + k] <= (d[i * N + j] + d[j * N + k]) * (1.0F + 1e-6F));
                }
            }
        }
        free(d);
    }
}

static void threads_change_no_byte(void **state) {
    (void)state;
    for (int threads = 2; threads <= 4; threads++) {
        float *one = matrix_of(&psb_l2, 1), *many = matrix_of(&psb_l2, threads);
        assert_memory_equal(one, many, sizeof(float) * N * N);
        free(one);
        free(many);
    }
}

static void *memory_for(size_t bytes) {
    psb_status status = PSB_OK;
    psb_error error;
    void *memory = psb_new(&status, 1, bytes, "a test", &error);
    assert_int_equal(status, PSB_OK);
    return memory;
}

/* Some rows, ready for the metric; free what `prepared` points to. */
static psb_block block_of(const psb_metric *metric, const float *data, size_t first, size_t n) {
    psb_row_view some = {data + first * LENGTH, n, LENGTH, PSB_FLOAT32};
    return psb_block_prepare(metric, &some, memory_for(psb_block_bytes(metric, n, LENGTH)));
}

static double plain_sum(const float *x, const float *y) {
    double sum = 0.0;
    for (size_t k = 0; k < LENGTH; k++) {
        sum += fabs((double)x[k] - (double)y[k]);
    }
    return sum;
}

static void every_kernel_forms_the_same_sums(void **state) {
    (void)state;
    static double sum[PSB_TILE * PSB_TILE];
    const size_t na = 37, nb = 81, first[] = {2, 60}; /* no whole panels */
    psb_block a = block_of(&psb_l1, rows, first[0], na);
    psb_block b = block_of(&psb_l1, rows, first[1], nb);
    for (const psb_variant *const *k = psb_panel_kernels; *k != NULL; k++) {
        if (!psb_cpu_has((*k)->needs)) {
            print_message("no %s here\n", (*k)->name);
            continue;
        }
        for (int upper = 0; upper < 2; upper++) {
            const psb_block *other = upper != 0 ? &a : &b;
            psb_panels_sum(((const psb_panel_kernel *)*k)->add, &a, other, upper != 0, sum);
            for (size_t i = 0; i < na; i++) {
                for (size_t j = upper != 0 ? i + 1 : 0; j < other->rows.n; j++) {
                    double expected = plain_sum((const float *)a.rows.data + i * LENGTH,
                                                (const float *)other->rows.data + j * LENGTH);
                    if (memcmp(&sum[i * PSB_TILE + j], &expected, sizeof expected) != 0) {
                        fail_msg("%s: %.17g, not %.17g for (%zu, %zu)", (*k)->name,
                                 sum[i * PSB_TILE + j], expected, i, j);
                    }
                }
            }
        }
    }
    free((void *)(uintptr_t)a.prepared);
    free((void *)(uintptr_t)b.prepared);
}

/*
 * Tiles of other sizes, at other places and turned over: the same distances. The rows are near one
 * another, so that another order of summation shows in float32.
 */
static void distances_depend_on_their_rows_alone(void **state) {
    (void)state;
    static float out[PSB_TILE * PSB_TILE], near[N * LENGTH];
    static const size_t blocks[][4] = {{0, 1, 1, 128},    {3, 1, 140, 2},   {140, 2, 0, 8},
                                       {12, 128, 20, 1},  {13, 64, 18, 3},  {14, 7, 17, 13},
                                       {2, 100, 22, 128}, {22, 128, 2, 100}};
    for (size_t i = 0; i < N * LENGTH; i++) {
        near[i] = (float)(2 + cos((double)(i % LENGTH)) + 6e-3 * rows[i]);
    }
    for (size_t m = 0; m < psb_metric_count(); m++) {
        const psb_metric *metric = psb_metric_at(m);
        if (!takes_rows(metric)) {
            continue;
        }
        float *matrix = matrix_from(metric, near, 1);
        void *scratch = memory_for(psb_tile_scratch(metric, PSB_TILE, LENGTH));
        for (size_t t = 0; t < sizeof blocks / sizeof blocks[0]; t++) {
            size_t i0 = blocks[t][0], j0 = blocks[t][2];
            psb_block a = block_of(metric, near, i0, blocks[t][1]);
            psb_block b = block_of(metric, near, j0, blocks[t][3]);
            metric->tile(&a, &b, false, scratch, out, PSB_TILE);
            for (size_t i = 0; i < a.rows.n; i++) {
                for (size_t j = 0; j < b.rows.n; j++) {
                    if (i0 + i != j0 + j &&
                        memcmp(&out[i * PSB_TILE + j], &matrix[(i0 + i) * N + j0 + j], 4) != 0) {
                        fail_msg("%s: another distance of (%zu, %zu) in tile %zu", metric->name,
                                 i0 + i, j0 + j, t);
                    }
                }
            }
            free((void *)(uintptr_t)a.prepared);
            free((void *)(uintptr_t)b.prepared);
        }
        free(scratch);
        free(matrix);
    }
}

/* Rows so long that a band holds one block of them. */
static void long_rows_are_compared_in_bands(void **state) {
    (void)state;
    enum { ROWS = PSB_TILE + 2, LONG = 33000 };
    float *data = calloc((size_t)ROWS * LONG, sizeof *data);
    float *out = malloc(sizeof *out * ROWS * ROWS);
    assert_non_null(data);
    assert_non_null(out);
    for (size_t i = 0; i < ROWS; i++) {
        data[i * LONG + LONG - 1] = (float)i; /* a point on a line */
    }
    psb_row_view table = {data, ROWS, LONG, PSB_FLOAT32};
    psb_error error;
    assert_int_equal(psb_distance_matrix(&psb_l2, &table, 2, out, NULL, NULL, &error), PSB_OK);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < ROWS; j++) {
            ASSERT_NEAR(out[i * ROWS + j], fabs((double)i - (double)j), 1e-5);
        }
    }
    free(data);
    free(out);
}

static int stop_at_once(size_t done, size_t total, void *context) {
    (void)done;
    (void)total;
    ++*(int *)context;
    return 1;
}

static void observer_can_stop(void **state) {
    (void)state;
    static float out[N * N];
    psb_row_view table = {rows, N, LENGTH, PSB_FLOAT32};
    psb_error error;
    int calls = 0;
    assert_int_equal(psb_distance_matrix(&psb_l2, &table, 1, out, stop_at_once, &calls, &error),
                     PSB_ERROR_INTERRUPTED);
    assert_int_equal(calls, 1);
}

static void wrong_element_is_an_error(void **state) {
    (void)state;
    static float out[N * N];
    psb_row_view table = {rows, N, LENGTH, PSB_UINT8};
    psb_error error;
    assert_int_equal(psb_distance_matrix(&psb_l2, &table, 1, out, NULL, NULL, &error),
                     PSB_ERROR_USAGE);
    assert_string_equal(
        error.message,
        "metric l2 takes float32 rows, these are uint8: rows of another descriptor?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_equal_pairs),
        cmocka_unit_test(norms_of_rows_may_differ),
        cmocka_unit_test(products_give_the_distances_of_all_rows),
        cmocka_unit_test(pairs_are_what_they_say),
        cmocka_unit_test(triangle_inequality_holds),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(every_kernel_forms_the_same_sums),
        cmocka_unit_test(distances_depend_on_their_rows_alone),
        cmocka_unit_test(long_rows_are_compared_in_bands),
        cmocka_unit_test(observer_can_stop),
        cmocka_unit_test(wrong_element_is_an_error),
    };
    return cmocka_run_group_tests_name("distance", tests, fill, NULL);
}
