/* Every unit test includes this: cmocka, and before it the headers that cmocka needs. */
#pragma once

/* cmocka.h does not include what it needs, so these come first. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Asserts that |actual - expected| <= tolerance; the message has both values. */
#define ASSERT_NEAR(actual, expected, tolerance)                                                   \
    do {                                                                                           \
        double actual_ = (actual), expected_ = (expected);                                         \
        if (!(fabs(actual_ - expected_) <= (tolerance))) {                                         \
            fail_msg("%s is %.17g, expected %.17g within %g", #actual, actual_, expected_,         \
                     (double)(tolerance));                                                         \
        }                                                                                          \
    } while (0)
