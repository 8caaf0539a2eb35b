/* Converts texts to numbers. Typical numbers take one exact operation, numbers with more digits
 * take integer arithmetic, and strtod does the rest. */
#include "core/number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    EXACT_POWER = 22,      /* 10^22 is the largest power of ten that is a double */
    LONG_POWER = 27,       /* 5^27 is the largest power of five below 2^64 */
    SAFE_DIGITS = 19,      /* decimal digits that always fit in 64 bits */
    DECISIVE_DIGITS = 768, /* the digits after these only tell "above" from "equal" */
};

/* No text of possible length has enough digits to bring a larger exponent back into range. */
static const int64_t exponent_limit = INT64_MAX / 4;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool scan_sign(const char **text, const char *end) {
    const char *p = *text;
    if (p < end && (*p == '-' || *p == '+')) {
        *text = p + 1;
        return *p == '-';
    }
    return false;
}

/* Appends a run of digits to *mantissa, modulo 2^64, and returns the end of the run. */
static inline const char *scan_digits(const char *p, const char *end, uint64_t *mantissa) {
    static const uint32_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    uint64_t m = *mantissa;
    while (end - p >= 8) {
        uint64_t eight = psb_digits_at(p);
        int n = psb_digits_count(eight);
        if (n > 0) { /* zeros in front fill the digits up to eight */
            m = m * power[n] + psb_digits_value(eight << 8 * (8 - n));
        }
        p += n;
        if (n < 8) {
            *mantissa = m;
            return p;
        }
    }
    for (; p < end && is_digit(*p); p++) {
        m = 10 * m + (uint64_t)(*p - '0');
    }
    *mantissa = m;
    return p;
}

/* Reads "e" and a number and adds it to *exponent. Returns p if no number follows ("1e" is 1, then
 * e). */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent) {
    const char *digits = p + 1;
    bool negative = scan_sign(&digits, end);
    if (digits == end || !is_digit(*digits)) {
        return p;
    }
    int64_t value = 0;
    for (p = digits; p < end && is_digit(*p); p++) {
        if (value < exponent_limit / 10 - 1) {
            value = 10 * value + (*p - '0');
        }
    }
    *exponent += negative ? -value : value;
    return p;
}

/*
 * Converts the digits in first ... last (which may contain one point, not counted) times
 * 10^exponent. The text for strtod has neither a point nor a separator, so the locale's LC_NUMERIC
 * does not matter. Its length is bounded: digits too far behind to decide the rounding are replaced
 * by one nonzero digit.
 */
static double convert(const char *first, const char *last, int64_t exponent) {
    char copy[DECISIVE_DIGITS + 32];
    size_t n = 0;
    bool rest = false;
    for (const char *p = first; p < last; p++) {
        if (*p == '.' || (n == 0 && *p == '0')) {
            continue;
        }
        if (n < DECISIVE_DIGITS) {
            copy[n++] = *p;
        } else {
            rest = rest || *p != '0';
            exponent++;
        }
    }
    if (n == 0) {
        return 0;
    }
    if (rest) {
        copy[n++] = '1';
        exponent--;
    }
    /* 9999 is far outside the range of double, yet strtod can still count with it. */
    int bounded = exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : (int)exponent;
    snprintf(copy + n, sizeof copy - n, "e%d", bounded);
    return strtod(copy, NULL);
}

/* Returns mantissa x 10^exponent, correctly rounded, for mantissa > 0 and |exponent| <= LONG_POWER.
 * The leading 63 bits of an exact quotient or product, and whether any bit follows, decide. */
static double convert_long(uint64_t mantissa, int exponent) {
    uint64_t five = 1; /* becomes 5^|exponent| */
    for (int k = abs(exponent); k > 0; k--) {
        five *= 5;
    }
    int shift = __builtin_clzll(mantissa), five_shift = __builtin_clzll(five);
    mantissa <<= shift;
    five <<= five_shift;
    uint64_t bits, rest;
    if (exponent < 0) {
        unsigned __int128 dividend = (unsigned __int128)mantissa << 63;
        bits = (uint64_t)(dividend / five);
        rest = (uint64_t)(dividend % five);
        shift = five_shift - shift - 63;
    } else {
        unsigned __int128 product = (unsigned __int128)mantissa * five;
        bits = (uint64_t)(product >> 64);
        rest = (uint64_t)product;
        shift = 64 - shift - five_shift;
    }
    return ldexp((double)(bits | (rest != 0)), shift + exponent);
}

bool psb_scan_any_double(const char **text, const char *end, double *value) {
    static const double power[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = *text;
    bool negative = scan_sign(&p, end);
    uint64_t mantissa = 0;
    const char *first = p;
    for (; p < end && is_digit(*p); p++) { /* few digits stand before a point */
        mantissa = 10 * mantissa + (uint64_t)(*p - '0');
    }
    ptrdiff_t digits = p - first;
    int64_t exponent = 0;
    if (p < end && *p == '.') {
        const char *fraction = p + 1;
        p = scan_digits(fraction, end, &mantissa);
        digits += p - fraction;
        exponent = fraction - p;
    }
    if (digits == 0) {
        return false;
    }
    const char *last = p;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p = scan_exponent(p, end, &exponent);
    }
    double magnitude;
    if (digits <= SAFE_DIGITS && mantissa <= UINT64_C(1) << 53 && exponent >= -EXACT_POWER &&
        exponent <= EXACT_POWER) {
        magnitude =
            exponent < 0 ? (double)mantissa / power[-exponent] : (double)mantissa * power[exponent];
    } else if (digits <= SAFE_DIGITS && mantissa > 0 && exponent >= -LONG_POWER &&
               exponent <= LONG_POWER) {
        magnitude = convert_long(mantissa, (int)exponent);
    } else {
        magnitude = convert(first, last, exponent);
    }
    *value = negative ? -magnitude : magnitude;
    *text = p;
    return true;
}

bool psb_scan_any_int64(const char **text, const char *end, int64_t *value) {
    const char *p = *text;
    bool negative = scan_sign(&p, end);
    const char *first = p;
    uint64_t magnitude = 0;
    p = scan_digits(p, end, &magnitude);
    if (p == first) {
        return false;
    }
    if (p - first > SAFE_DIGITS) {
        /* More digits than that fit only if the first ones are zeros. */
        while (first < p && *first == '0') {
            first++;
        }
    }
    uint64_t limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    if (p - first > SAFE_DIGITS || magnitude > limit) {
        return false;
    }
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    *text = p;
    return true;
}

bool psb_parse_double(const char *text, double *value) {
    const char *end = text + strlen(text);
    double parsed;
    if (!psb_scan_double(&text, end, &parsed) || text != end || !isfinite(parsed)) {
        return false;
    }
    *value = parsed;
    return true;
}

bool psb_parse_int64(const char *text, int64_t *value) {
    const char *end = text + strlen(text);
    int64_t parsed;
    if (!psb_scan_int64(&text, end, &parsed) || text != end) {
        return false;
    }
    *value = parsed;
    return true;
}

int psb_by_float(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int psb_by_double(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
