/* Compares elementary functions with the C library's, whose errors are below one unit. */
#include "core/elementary.h"
#include "core/elementary_kernel.h"
#include "core/random.h"
#include "support/test.h"

#include <float.h>

/* In units of the last place of what is expected, where that is no subnormal number. */
static double units(double actual, double expected) {
    return fabs(actual - expected) / (fmax(fabs(expected), DBL_MIN) * DBL_EPSILON / 2.0);
}

/* A unit is counted twice where the number begins with 1, and the library may be one off. */
#define EXPECT_WITHIN(most, actual, expected)                                                      \
    do {                                                                                           \
        double off_ = units((actual), (expected));                                                 \
        if (!(off_ <= 2.0 * (most) + 2.0)) {                                                       \
            fail_msg("%s is %.17g, expected %.17g", #actual, (actual), (expected));                \
        }                                                                                          \
    } while (0)

static void functions_are_those_of_the_library(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "elementary", "test");
    for (int round = 0; round < 200000; round++) {
        double unit = psb_random_unit(&random) - 0.5, other = psb_random_unit(&random) - 0.5;
        double x = ldexp(unit, (int)psb_random_below(&random, 60) - 40);
        double positive = ldexp(fabs(unit) + 1e-9, (int)psb_random_below(&random, 1800) - 900);
        EXPECT_WITHIN(1, psb_sin(x), sin(x));
        EXPECT_WITHIN(1, psb_cos(x), cos(x));
        double sine, cosine;
        psb_sine_cosine_of(x, &sine, &cosine);
        assert_true(sine == psb_sin(x) && cosine == psb_cos(x));
        EXPECT_WITHIN(1, psb_exp(1400 * unit), exp(1400 * unit));
        EXPECT_WITHIN(1, psb_exp(unit), exp(unit));
        EXPECT_WITHIN(2, psb_exp2(2000 * unit), exp2(2000 * unit));
        EXPECT_WITHIN(1, psb_log(positive), log(positive));
        EXPECT_WITHIN(1, psb_log(1.0 + unit), log(1.0 + unit));
        EXPECT_WITHIN(2, psb_log2(positive), log2(positive));
        EXPECT_WITHIN(2, psb_atan2(other, x), atan2(other, x));
        EXPECT_WITHIN(2, psb_atan2(x, other), atan2(x, other));
        EXPECT_WITHIN(4, psb_asinh(x), asinh(x));
        double power = 6.0 * other, magnitude = fabs(power * log(fabs(unit) + 1e-9));
        EXPECT_WITHIN(3 + magnitude, psb_pow(fabs(unit) + 1e-9, power),
                      pow(fabs(unit) + 1e-9, power));
    }
}

static void ends_of_the_ranges(void **state) {
    (void)state;
    for (int k = -1000; k <= 1000; k++) {
        assert_true(psb_log2(ldexp(1.0, k)) == k);
        assert_true(psb_exp2(k) == ldexp(1.0, k));
    }
    assert_true(psb_sin(0.0) == 0.0 && psb_cos(0.0) == 1.0 && psb_exp(0.0) == 1.0);
    assert_true(psb_log(1.0) == 0.0 && psb_log(0.0) == -INFINITY && isnan(psb_log(-1.0)));
    assert_true(psb_log(INFINITY) == INFINITY && isnan(psb_log(NAN)));
    assert_true(psb_exp(-INFINITY) == 0.0 && psb_exp(INFINITY) == INFINITY && isnan(psb_exp(NAN)));
    assert_true(psb_exp(-1e4) == 0.0 && psb_exp2(-1e4) == 0.0 && psb_exp2(1e4) == INFINITY);
    assert_true(psb_pow(0.0, 0.0) == 1.0 && psb_pow(0.0, 2.0) == 0.0);
    assert_true(psb_atan2(0.0, 0.0) == 0.0 && psb_atan2(0.0, -1.0) == M_PI);
    assert_true(psb_atan2(-2.0, 0.0) == -M_PI_2 && psb_atan2(3.0, 3.0) == M_PI_4);
    assert_true(isnan(psb_atan2(NAN, 1.0)) && isnan(psb_atan2(1.0, NAN)));
    assert_true(fabs(psb_sin(1e300)) <= 1.0 && fabs(psb_cos(-1e15)) <= 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_those_of_the_library),
        cmocka_unit_test(ends_of_the_ranges),
    };
    return cmocka_run_group_tests_name("elementary", tests, NULL, NULL);
}
