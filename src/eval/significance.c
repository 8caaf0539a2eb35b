/* Paired randomisation test, bootstrap interval, Holm's correction. */
#include "eval/significance.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sum_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

/* The sum with every sign drawn anew, 64 of them from one random number. */
static double flipped_sum(const double *values, size_t count, psb_random *random) {
    double sum = 0;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        bits = i % 64 == 0 ? psb_random_u64(random) : bits >> 1;
        sum += bits & 1 ? values[i] : -values[i];
    }
    return sum;
}

static double randomisation_p(const double *values, size_t count, size_t rounds,
                              psb_random *random) {
    /* Sums in another order differ by rounding; equal ones must count as equal. */
    double magnitude = 0;
    for (size_t i = 0; i < count; i++) {
        magnitude += fabs(values[i]);
    }
    double limit = fabs(sum_of(values, count)) - 1e-12 * magnitude;
    size_t as_far = 0;
    for (size_t r = 0; r < rounds; r++) {
        as_far += fabs(flipped_sum(values, count, random)) >= limit;
    }
    return (double)(1 + as_far) / (double)(1 + rounds);
}

/* Value below which the share q of the sorted values lies, linear between them. */
static double percentile(const double *sorted, size_t count, double q) {
    double x = q * (double)(count - 1);
    size_t low = (size_t)x;
    size_t high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (x - (double)low) * (sorted[high] - sorted[low]);
}

static void bootstrap(const double *values, size_t count, size_t rounds, psb_random *random,
                      double *means, psb_comparison *out) {
    for (size_t r = 0; r < rounds; r++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += values[psb_random_below(random, count)];
        }
        means[r] = sum / (double)count;
    }
    qsort(means, rounds, sizeof *means, compare_doubles);
    out->low = percentile(means, rounds, 0.025);
    out->high = percentile(means, rounds, 0.975);
}

psb_status psb_compare_paired(const double *a, const double *b, size_t count, size_t rounds,
                              uint64_t seed, const char *name_a, const char *name_b,
                              psb_comparison *comparison, psb_error *error) {
    *comparison = (psb_comparison){.p = 1, .p_holm = 1};
    if (count == 0 || rounds == 0) {
        return psb_fail(error, PSB_ERROR_USAGE, "a comparison needs queries and rounds");
    }
    void *memory;
    psb_status status = psb_alloc(&memory, count + rounds, sizeof(double), "a comparison", error);
    if (status != PSB_OK) {
        return status;
    }
    double *differences = memory;
    for (size_t i = 0; i < count; i++) {
        differences[i] = a[i] - b[i];
    }
    psb_random random = psb_random_seeded(seed, name_a, name_b);
    comparison->difference = sum_of(differences, count) / (double)count;
    comparison->p = comparison->p_holm = randomisation_p(differences, count, rounds, &random);
    bootstrap(differences, count, rounds, &random, differences + count, comparison);
    free(memory);
    return PSB_OK;
}

static int compare_p(const void *a, const void *b) {
    const psb_comparison *x = *(psb_comparison *const *)a;
    const psb_comparison *y = *(psb_comparison *const *)b;
    return (x->p > y->p) - (x->p < y->p);
}

psb_status psb_correct_holm(psb_comparison *comparisons, size_t count, psb_error *error) {
    void *memory;
    psb_status status = psb_alloc(&memory, count, sizeof(psb_comparison *), "comparisons", error);
    if (status != PSB_OK) {
        return status;
    }
    psb_comparison **sorted = memory;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &comparisons[i];
    }
    qsort(sorted, count, sizeof *sorted, compare_p);
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        double corrected = sorted[i]->p * (double)(count - i);
        largest = corrected > largest ? corrected : largest;
        sorted[i]->p_holm = largest < 1 ? largest : 1;
    }
    free(memory);
    return PSB_OK;
}
