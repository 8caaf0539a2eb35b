/* Reads numbers strictly: a text is a number as a whole, or an error. Also compares numbers for
 * qsort. */
#pragma once

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Reads the number at *text; the text ends at `end` and need not be NUL-terminated. On success
 * *text points behind the number's last character, which the caller must check ("12x" gives 12 and
 * stops at x). Decimal only: no hexadecimal, infinity or NaN.
 *
 * Doubles are correctly rounded: mantissas up to 2^53 with |exponent| up to 22 are exact in one
 * operation (Clinger 1990), up to 19 digits with |exponent| up to 27 are quotients or products of
 * whole numbers, all others go through strtod. A value too large for double becomes infinity. A
 * whole number that does not fit its type is not read.
 *
 * psb_scan_double and psb_scan_int64 below do the same, but convert the usual numbers of meshes
 * inline.
 */
bool psb_scan_any_double(const char **text, const char *end, double *value);
bool psb_scan_any_int64(const char **text, const char *end, int64_t *value);

/* Returns eight characters less '0', so digits are 0 to 9; the first is the lowest byte. */
static inline uint64_t psb_digits_at(const char *p) {
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return le64toh(bytes) ^ UINT64_C(0x3030303030303030);
}

/* Counts the digits before the first character that is none. */
static inline int psb_digits_count(uint64_t eight) {
    uint64_t others =
        ((eight + UINT64_C(0x7676767676767676)) | eight) & UINT64_C(0x8080808080808080);
    return others == 0 ? 8 : __builtin_ctzll(others) / 8;
}

/* Returns the value of eight digits: joins neighbors to pairs, pairs to fours, fours to all. */
static inline uint64_t psb_digits_value(uint64_t eight) {
    const uint64_t pairs = UINT64_C(0x000000ff000000ff);
    eight = eight * 10 + (eight >> 8);
    uint64_t outer = (eight & pairs) * (100 + (UINT64_C(1000000) << 32));
    uint64_t inner = ((eight >> 16) & pairs) * (1 + (UINT64_C(10000) << 32));
    return (outer + inner) >> 32;
}

/* Converts a digit, a point and up to seven digits ("-0.123456") at once. Returns false and stays
 * where it is at any other number; a character follows the number that it has read. */
static inline bool psb_scan_usual_double(const char **text, const char *end, double *value) {
    static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    const char *p = *text;
    if (end - p < 12) {
        return false;
    }
    bool negative = *p == '-';
    p += negative;
    unsigned whole = (unsigned)*p - '0';
    if (whole > 9 || p[1] != '.') {
        return false;
    }
    uint64_t eight = psb_digits_at(p + 2);
    int n = psb_digits_count(eight);
    if (n == 0 || n == 8 || (p[2 + n] | ('e' ^ 'E')) == 'e') {
        return false;
    }
    uint64_t fraction = psb_digits_value(eight << 8 * (8 - n));
    double mantissa = (double)(int64_t)(whole * (uint64_t)power[n] + fraction);
    double magnitude = mantissa / power[n];
    uint64_t bits; /* the sign as a bit: which numbers are negative, no processor foresees */
    memcpy(&bits, &magnitude, sizeof bits);
    bits |= (uint64_t)negative << 63;
    memcpy(value, &bits, sizeof bits);
    *text = p + 2 + n;
    return true;
}

/* Converts up to seven digits, as in indices, at once. Returns false and stays where it is at any
 * other number; a character follows the number that it has read. */
static inline bool psb_scan_usual_int64(const char **text, const char *end, int64_t *value) {
    const char *p = *text;
    if (end - p < 8) {
        return false;
    }
    uint64_t eight = psb_digits_at(p);
    int n = psb_digits_count(eight);
    if (n == 0 || n == 8) {
        return false;
    }
    *value = (int64_t)psb_digits_value(eight << 8 * (8 - n));
    *text = p + n;
    return true;
}

static inline bool psb_scan_double(const char **text, const char *end, double *value) {
    return psb_scan_usual_double(text, end, value) || psb_scan_any_double(text, end, value);
}

static inline bool psb_scan_int64(const char **text, const char *end, int64_t *value) {
    return psb_scan_usual_int64(text, end, value) || psb_scan_any_int64(text, end, value);
}

/* True if the whole NUL-terminated text, without surrounding space, is one finite number. */
bool psb_parse_double(const char *text, double *value);
bool psb_parse_int64(const char *text, int64_t *value);

/* Compare floats or doubles for qsort, ascending; NaN is not allowed. */
int psb_by_float(const void *a, const void *b);
int psb_by_double(const void *a, const void *b);
