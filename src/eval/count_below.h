/* Counts numbers below thresholds, all against all: the ranks within small classes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Adds to counts[k] how many of the n < 2^31 values are below threshold[k] or, with `or_equal`,
 * below or equal. No value is NaN.
 */
void psb_count_below(const float *values, size_t n, const float *threshold, size_t thresholds,
                     bool or_equal, uint32_t *counts);
