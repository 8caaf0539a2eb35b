/* What every unit test needs: cmocka, with the headers it wants before it, and near equality. */
#ifndef PSB_TESTS_CHECK_H
#define PSB_TESTS_CHECK_H

#include <math.h>

/* cmocka.h does not include what it uses, so it must come last. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

/* Within `tolerance`; NaN is never near. */
#define assert_near(actual, expected, tolerance)                                                   \
    do {                                                                                           \
        double actual_value = (actual);                                                            \
        double expected_value = (expected);                                                        \
        if (!(fabs(actual_value - expected_value) <= (tolerance))) {                               \
            fail_msg(#actual " is %.17g, not %.17g", actual_value, expected_value);                \
        }                                                                                          \
    } while (0)

#endif
