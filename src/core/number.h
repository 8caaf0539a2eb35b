/*
 * Strict reading of numbers: a text is a number as a whole, or it is none. And comparisons of
 * numbers for qsort.
 */
#ifndef PSB_CORE_NUMBER_H
#define PSB_CORE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads the number at *text; the text ends at `end` and need not be NUL-terminated. On success
 * *text points behind the number's last character, which the caller must check ("12x" gives 12 and
 * stops at x). Decimal only: no hexadecimal, infinity or NaN.
 *
 * psb_scan_double is correctly rounded: mantissas up to 2^53 with |exponent| up to 22 are exact in
 * one operation (Clinger 1990), all others go through strtod. A value too large for double becomes
 * infinity.
 */
bool psb_scan_double(const char **text, const char *end, double *value);
/* Also false if the number does not fit. */
bool psb_scan_int64(const char **text, const char *end, int64_t *value);

/* The whole NUL-terminated text, without surrounding space, is one finite number. */
bool psb_parse_double(const char *text, double *value);
bool psb_parse_int64(const char *text, int64_t *value);

/* For qsort of floats or doubles without NaN, ascending. */
int psb_by_float(const void *a, const void *b);
int psb_by_double(const void *a, const void *b);

#endif
