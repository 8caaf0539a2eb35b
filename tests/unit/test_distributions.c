/* Compares Frechet and kernel distance with closed forms and sums, occupancies with a search. */
#include "core/random.h"
#include "eval/distributions.h"
#include "eval/occupancy.h"
#include "support/test.h"

enum { MOST = 4000, LONGEST = 40 };

/* ---- Frechet distance ------------------------------------------------------------------ */

/* Rows whose mean and covariance are exact: for each number k a pair mean +- spread[k] along it. */
static psb_sample cross(const double *mean, const double *spread, size_t d, double *rows) {
    for (size_t i = 0; i < 2 * d; i++) {
        for (size_t k = 0; k < d; k++) {
            rows[i * d + k] = mean[k] + (i / 2 == k ? (i % 2 == 0 ? spread[k] : -spread[k]) : 0);
        }
    }
    return (psb_sample){2 * d, d, rows};
}

/* Axes that turn by an angle in the plane of the first two numbers. */
static void turn(double *rows, size_t n, size_t d, double angle) {
    for (size_t i = 0; i < n; i++) {
        double x = rows[i * d], y = rows[i * d + 1];
        rows[i * d] = cos(angle) * x - sin(angle) * y;
        rows[i * d + 1] = sin(angle) * x + cos(angle) * y;
    }
}

/* Of Gaussians with the same axes: the sum over the numbers of (m - m')^2 + (s - s')^2. */
static void frechet_of_parallel_gaussians(void **state) {
    (void)state;
    enum { D = 5 };
    static double rows[2][2 * D * D];
    const double means[2][D] = {{0, 1, 2, 3, 4}, {1, 1, 0, 3, 4.5}};
    const double spreads[2][D] = {{1, 2, 3, 0, 1}, {2, 2, 0, 1, 5}};
    double distance, expected = 0;
    psb_error error;
    for (size_t k = 0; k < D; k++) {
        /* Two of the 2 D rows are off by the spread. */
        double unit = sqrt(2. / (2 * D - 1)), apart = (spreads[0][k] - spreads[1][k]) * unit;
        double m = means[0][k] - means[1][k];
        expected += m * m + apart * apart;
    }
    const psb_sample samples[2] = {cross(means[0], spreads[0], D, rows[0]),
                                   cross(means[1], spreads[1], D, rows[1])};
    assert_int_equal(psb_frechet_distance(samples, &distance, &error), PSB_OK);
    ASSERT_NEAR(distance, expected, 1e-6);
    const psb_sample same[2] = {samples[0], samples[0]};
    assert_int_equal(psb_frechet_distance(same, &distance, &error), PSB_OK);
    ASSERT_NEAR(distance, 0, 1e-6);
}

/*
 * In the plane the trace of the root of a matrix of determinant q and trace t is sqrt(t + 2
 * sqrt(q)).
 */
static void frechet_of_turned_gaussians(void **state) {
    (void)state;
    static double rows[2][8];
    const double none[2] = {0, 0}, spreads[2][2] = {{1, 3}, {2, 0.5}};
    double distance, angle = 0.7;
    psb_error error;
    const psb_sample samples[2] = {cross(none, spreads[0], 2, rows[0]),
                                   cross(none, spreads[1], 2, rows[1])};
    turn(rows[1], 4, 2, angle);
    double a = 2. / 3, b = 2. * 9 / 3, p = 2. * 4 / 3, q = 2. * 0.25 / 3;
    double c = cos(angle), s = sin(angle);
    double trace = a * (p * c * c + q * s * s) + b * (p * s * s + q * c * c);
    double expected = a + b + p + q - 2 * sqrt(trace + 2 * sqrt(a * b * p * q));
    assert_int_equal(psb_frechet_distance(samples, &distance, &error), PSB_OK);
    ASSERT_NEAR(distance, expected, 1e-9);
}

/* Fewer rows than numbers: the same as of the numbers that are not 0 in all rows. */
static void zeros_behind_rows_change_nothing(void **state) {
    (void)state;
    static double few[2][30 * 4], many[2][30 * LONGEST];
    psb_random random = psb_random_seeded(3, "rows", "test");
    psb_sample samples[2], longer[2];
    double distance, other;
    psb_error error;
    for (size_t s = 0; s < 2; s++) {
        size_t n = 30 - 7 * s;
        for (size_t i = 0; i < n * 4; i++) {
            few[s][i] = psb_random_unit(&random) + (double)s;
            many[s][i / 4 * LONGEST + i % 4 * 9] = few[s][i];
        }
        samples[s] = (psb_sample){n, 4, few[s]};
        longer[s] = (psb_sample){n, LONGEST, many[s]};
    }
    assert_int_equal(psb_frechet_distance(samples, &distance, &error), PSB_OK);
    assert_int_equal(psb_frechet_distance(longer, &other, &error), PSB_OK);
    assert_true(distance > 3);
    ASSERT_NEAR(distance, other, 1e-6);
    samples[0].n = 1;
    assert_int_equal(psb_frechet_distance(samples, &distance, &error), PSB_ERROR_INPUT);
    assert_int_equal(psb_kernel_distance(samples, 1, &distance, &other, &error), PSB_ERROR_INPUT);
}

/* Many random rows come near to the distance of what they were drawn from. */
static void frechet_of_drawn_gaussians(void **state) {
    (void)state;
    static double rows[2][MOST * 3];
    const double mean[3] = {1, 0, -1}, spread[3] = {1, 2, 0.5};
    psb_random random = psb_random_seeded(4, "rows", "test");
    double distance, expected = 0;
    psb_error error;
    for (size_t i = 0; i < 2 * (size_t)MOST * 3; i++) {
        double sum = -6, k = (double)(i / (MOST * 3));
        for (int j = 0; j < 12; j++) {
            sum += psb_random_unit(&random);
        }
        rows[i / (MOST * 3)][i % (MOST * 3)] =
            k > 0 ? mean[i % 3] + spread[i % 3] * sum : sum; /* nearly normal, of variance 1 */
    }
    for (size_t k = 0; k < 3; k++) {
        expected += mean[k] * mean[k] + (spread[k] - 1) * (spread[k] - 1);
    }
    const psb_sample samples[2] = {{MOST, 3, rows[0]}, {MOST, 3, rows[1]}};
    assert_int_equal(psb_frechet_distance(samples, &distance, &error), PSB_OK);
    ASSERT_NEAR(distance, expected, 0.2);
}

/* ---- kernel distance ------------------------------------------------------------------- */

static double kernel(const double *x, const double *y, size_t d) {
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        sum += x[k] * y[k];
    }
    return pow(sum / (double)d + 1, 3);
}

/* Without one row of one set; `out` of none: SIZE_MAX. */
static double slow_kernel(const psb_sample s[2], int set, size_t out) {
    double sum[3] = {0}, count[3] = {0};
    for (int a = 0; a < 2; a++) {
        for (int b = a; b < 2; b++) {
            for (size_t i = 0; i < s[a].n; i++) {
                for (size_t j = 0; j < s[b].n; j++) {
                    if ((a == set && i == out) || (b == set && j == out) || (a == b && i == j)) {
                        continue;
                    }
                    sum[a + b] += a == b && i > j
                                      ? 0
                                      : kernel(s[a].rows + i * s[a].length,
                                               s[b].rows + j * s[b].length, s[a].length);
                    count[a + b] += a == b && i > j ? 0 : 1;
                }
            }
        }
    }
    return sum[0] / count[0] + sum[2] / count[2] - 2 * sum[1] / count[1];
}

static void kernel_distance_is_the_slow_one(void **state) {
    (void)state;
    enum { D = 6 };
    static double rows[2][200 * D];
    psb_random random = psb_random_seeded(5, "rows", "test");
    double distance, deviation, other, again, square = 0;
    psb_error error;
    for (size_t i = 0; i < 2 * 200 * D; i++) {
        rows[i / (200 * D)][i % (200 * D)] = 2 * psb_random_unit(&random) - 1;
    }
    const psb_sample samples[2] = {{150, D, rows[0]}, {17, D, rows[1]}};
    assert_int_equal(psb_kernel_distance(samples, 1, &distance, &deviation, &error), PSB_OK);
    assert_int_equal(psb_kernel_distance(samples, 3, &other, &again, &error), PSB_OK);
    assert_true(distance == other && deviation == again);
    ASSERT_NEAR(distance, slow_kernel(samples, 0, SIZE_MAX), 1e-12);
    for (int s = 0; s < 2; s++) {
        double n = (double)samples[s].n, mean = 0, sum = 0;
        for (size_t i = 0; i < samples[s].n; i++) {
            mean += slow_kernel(samples, s, i) / n;
        }
        for (size_t i = 0; i < samples[s].n; i++) {
            double d = slow_kernel(samples, s, i) - mean;
            sum += d * d;
        }
        square += sum * (n - 1) / n;
    }
    ASSERT_NEAR(deviation, sqrt(square), 1e-9);
}

/* Of one Gaussian's draws the estimate is within a few of its errors of 0, whichever sign. */
static void kernel_distance_of_alike_is_near_zero(void **state) {
    (void)state;
    static double rows[2][500 * 3];
    psb_random random = psb_random_seeded(6, "rows", "test");
    double distance, deviation;
    psb_error error;
    for (size_t i = 0; i < 2 * 500 * 3; i++) {
        rows[i / 1500][i % 1500] = psb_random_unit(&random);
    }
    const psb_sample samples[2] = {{500, 3, rows[0]}, {500, 3, rows[1]}};
    assert_int_equal(psb_kernel_distance(samples, 2, &distance, &deviation, &error), PSB_OK);
    assert_true(fabs(distance) < 4 * deviation);
}

/* ---- occupancy ------------------------------------------------------------------------- */

/* The nearest of all nodes of the ball. */
static size_t slow_node(const float *p) {
    size_t found = 0;
    double least = INFINITY;
    for (size_t i = 0; i < 28 * 28 * 28; i++) {
        double at[3] = {(double)(i / 784), (double)(i / 28 % 28), (double)(i % 28)}, d = 0,
               norm = 0;
        for (int k = 0; k < 3; k++) {
            at[k] = 2 * at[k] / 27 - 1;
            norm += at[k] * at[k];
            d += (at[k] - (double)p[k]) * (at[k] - (double)p[k]);
        }
        if (norm <= 1 && d < least) {
            least = d;
            found = i;
        }
    }
    return found;
}

static void occupancy_is_that_of_the_nearest_nodes(void **state) {
    (void)state;
    enum { POINTS = 300 };
    static double share[2][28 * 28 * 28];
    static float rows[2][POINTS * 3];
    psb_random random = psb_random_seeded(7, "points", "test");
    double expected = 0, divergence;
    psb_error error;
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < POINTS * 3; i++) {
            /* Within the ball and beyond the cube. */
            double reach = i < 60 ? 8 : i < 300 ? 2.4 : 1;
            rows[s][i] = (float)(reach * (psb_random_unit(&random) - 0.5));
        }
        for (size_t i = 0; i < POINTS; i++) {
            share[s][slow_node(rows[s] + 3 * i)] += 1. / POINTS;
        }
    }
    for (size_t i = 0; i < 28 * 28 * 28; i++) {
        double p = share[0][i], q = share[1][i], m = (p + q) / 2;
        expected += p > 0 ? p * log2(p / m) / 2 : 0;
        expected += q > 0 ? q * log2(q / m) / 2 : 0;
    }
    psb_npy a = {.rows = 3, .columns = POINTS, .element = PSB_FLOAT32, .data = rows[0]};
    psb_npy b = {.rows = 1, .columns = 3 * POINTS, .element = PSB_FLOAT32, .data = rows[1]};
    assert_int_equal(psb_occupancy_divergence(&a, &b, &divergence, &error), PSB_OK);
    ASSERT_NEAR(divergence, expected, 1e-9);
    assert_true(divergence > 0.1);
    assert_int_equal(psb_occupancy_divergence(&a, &a, &divergence, &error), PSB_OK);
    ASSERT_NEAR(divergence, 0, 1e-12);
    for (size_t i = 0; i < POINTS * 3; i++) { /* nowhere together */
        rows[0][i] = fabsf(rows[0][i]) / 4 + 0.1F;
        rows[1][i] = -rows[0][i];
    }
    assert_int_equal(psb_occupancy_divergence(&a, &b, &divergence, &error), PSB_OK);
    ASSERT_NEAR(divergence, 1, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frechet_of_parallel_gaussians),
        cmocka_unit_test(frechet_of_turned_gaussians),
        cmocka_unit_test(zeros_behind_rows_change_nothing),
        cmocka_unit_test(frechet_of_drawn_gaussians),
        cmocka_unit_test(kernel_distance_is_the_slow_one),
        cmocka_unit_test(kernel_distance_of_alike_is_near_zero),
        cmocka_unit_test(occupancy_is_that_of_the_nearest_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
