/* Paired randomization test, interval by Student's t, Holm's correction. */
#include "eval/significance.h"

#include "core/number.h"
#include "core/random.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

/* What all pairs share. */
typedef struct work {
    const psb_evaluation *evaluation;
    size_t measure;
    psb_grouping grouping;
    const psb_test *test;
    psb_comparison *pairs;
    size_t done, total;  /* rounds of all pairs */
    atomic_bool stopped; /* read by a pair that ends while other pairs may set it */
} work;

/* A pair's units: the difference summed within each, and the size of each. */
typedef struct units {
    size_t count;
    double *sums, *sizes;
    double *signs; /* table of signed sums: see sum_signs */
} units;

/* Reports progress every ROUNDS_AT_ONCE rounds; returns false if the user interrupted. */
enum { ROUNDS_AT_ONCE = 256 };

static bool go_on(work *w, size_t round) {
    if (round % ROUNDS_AT_ONCE != 0) {
        return true;
    }
    bool goes_on;
#pragma omp critical(psb_significance)
    {
        size_t rest = w->test->rounds - round;
        w->done += rest < ROUNDS_AT_ONCE ? rest : ROUNDS_AT_ONCE;
        w->stopped = w->stopped || (w->test->progress != NULL &&
                                    w->test->progress(w->done, w->total, w->test->context) != 0);
        goes_on = !w->stopped;
    }
    return goes_on;
}

static double sum_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

/* ---- units ------------------------------------------------------------------------------ */

static void add_class(const work *w, const psb_comparison *pair, psb_group class, units *u) {
    const psb_evaluation *e = w->evaluation;
    const psb_class *own = &e->cla->classes[class.which];
    const double *a = psb_evaluation_values(e, pair->a) + w->measure;
    const double *b = psb_evaluation_values(e, pair->b) + w->measure;
    double sum = 0, size = 0;
    for (size_t i = own->first; i < own->first + own->count; i++) {
        if (e->selected[i]) {
            sum += a[i * e->nmeasures] - b[i * e->nmeasures];
            size++;
        }
        if (size > 0 && e->units == PSB_UNITS_QUERY) {
            u->sums[u->count] = sum;
            u->sizes[u->count++] = size;
            sum = size = 0;
        }
    }
    if (size > 0) {
        u->sums[u->count] = sum;
        u->sizes[u->count++] = size;
    }
}

static void find_units(const work *w, const psb_comparison *pair, units *u) {
    const psb_evaluation *e = w->evaluation;
    u->count = 0;
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(e, &class);) {
        if (w->grouping == PSB_MACRO) {
            u->sums[u->count] = psb_evaluation_mean(e, pair->a, w->measure, class).value -
                                psb_evaluation_mean(e, pair->b, w->measure, class).value;
            u->sizes[u->count++] = 1;
        } else {
            add_class(w, pair, class, u);
        }
    }
}

/* ---- the test --------------------------------------------------------------------------- */

/* For every eight neighboring values: their sums with all 256 choices of signs. */
enum { EIGHT = 8, SIGNS = 1 << EIGHT };

static size_t signs_of(size_t values) {
    return (values + EIGHT - 1) / EIGHT * SIGNS;
}

static void sum_signs(const double *values, size_t count, double *signs) {
    for (size_t i = 0; i < count; i += EIGHT) {
        for (unsigned bits = 0; bits < SIGNS; bits++) {
            double sum = 0;
            for (unsigned k = 0; k < EIGHT && i + k < count; k++) {
                sum += bits >> k & 1 ? values[i + k] : -values[i + k];
            }
            *signs++ = sum;
        }
    }
}

/* Draws every sign anew, 64 of them from one random number, and returns the sum. */
static double flipped_sum(const double *signs, size_t count, psb_random *random) {
    double sum = 0;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i += EIGHT) {
        bits = i % 64 == 0 ? psb_random_u64(random) : bits >> EIGHT;
        sum += signs[bits % SIGNS];
        signs += SIGNS;
    }
    return sum;
}

static double randomisation_p(work *w, const units *u, psb_random *random) {
    /* Sums in another order differ by rounding; equal ones must count as equal. */
    double magnitude = 0;
    for (size_t i = 0; i < u->count; i++) {
        magnitude += fabs(u->sums[i]);
    }
    double limit = fabs(sum_of(u->sums, u->count)) - 1e-12 * magnitude;
    size_t as_far = 0;
    sum_signs(u->sums, u->count, u->signs);
    for (size_t r = 0; r < w->test->rounds && go_on(w, r); r++) {
        as_far += fabs(flipped_sum(u->signs, u->count, random)) >= limit;
    }
    return (double)(1 + as_far) / (double)(1 + w->test->rounds);
}

/* The value below which the share q of the sorted values lies, linear between values. */
static double percentile(const double *sorted, size_t count, double q) {
    double x = q * (double)(count - 1);
    size_t low = (size_t)x;
    size_t high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (x - (double)low) * (sorted[high] - sorted[low]);
}

void psb_interval(double *values, size_t count, double *low, double *high) {
    qsort(values, count, sizeof *values, psb_by_double);
    *low = percentile(values, count, 0.025);
    *high = percentile(values, count, 0.975);
}

/* ---- the interval ----------------------------------------------------------------------- */

enum { STEPS = 4000 };

/*
 * The t with P(|T| < t) = 0.95, for degrees of freedom that need not be whole: with T = sqrt(df)
 * tan(angle) the density of the angle is proportional to cos^(df - 1).
 */
static double quantile_t(double df) {
    const double normal = 1.959963984540054;
    if (df > 500) {
        return normal + (normal * normal * normal + normal) / (4 * df);
    }
    double sums[STEPS + 1] = {0}, step = acos(0.0) / STEPS;
    for (size_t i = 0; i < STEPS; i++) { /* Simpson's rule for each step */
        double at = (double)i * step;
        double ends = pow(cos(at), df - 1) + pow(fabs(cos(at + step)), df - 1);
        sums[i + 1] = sums[i] + (ends + 4 * pow(cos(at + step / 2), df - 1)) / 6;
    }
    size_t i = 0;
    while (sums[i + 1] < 0.95 * sums[STEPS]) {
        i++;
    }
    double part = (0.95 * sums[STEPS] - sums[i]) / (sums[i + 1] - sums[i]);
    return sqrt(df) * tan(((double)i + part) * step);
}

/*
 * The interval mean -+ t s.e. of a mean over unequal units (Bell and McCaffrey 2002; Imbens and
 * Kolesar 2016). The residual of a unit with the share h of all queries is divided by sqrt(1 - h).
 * The degrees of freedom are those of a variance estimate from units that each differ by a common
 * effect; for units of equal size, their number less 1.
 */
static void find_interval(const units *u, psb_comparison *out) {
    out->low = out->high = (double)NAN;
    if (u->count < 2) {
        return; /* one unit says nothing of how much units differ */
    }
    double n = sum_of(u->sizes, u->count), squares = 0, shift = 0;
    double sum = 0, first = 0, second = 0; /* of squared sizes a; of a c; of a c^2 */
    for (size_t g = 0; g < u->count; g++) {
        double h = u->sizes[g] / n, residual = u->sums[g] - out->difference * u->sizes[g];
        double a = u->sizes[g] * u->sizes[g], c = h / (1 - h);
        squares += residual * residual / (1 - h);
        shift += h * c;
        sum += a;
        first += a * c;
        second += a * c * c;
    }
    /* Entry g, k of the matrix is shift - c_g - c_k, and 1 / (1 - h_g) more if g = k. */
    double trace = 0, trace_of_square = shift * shift * sum * sum - 4 * shift * sum * first +
                                        2 * sum * second + 2 * first * first;
    for (size_t g = 0; g < u->count; g++) {
        double h = u->sizes[g] / n, a = u->sizes[g] * u->sizes[g];
        double rest = shift - 2 * h / (1 - h), more = 1 / (1 - h);
        trace += (rest + more) * a;
        trace_of_square += (2 * rest + more) * more * a * a;
    }
    double range = quantile_t(fmax(1, trace * trace / trace_of_square)) * sqrt(squares) / n;
    out->low = out->difference - range;
    out->high = out->difference + range;
}

static psb_status compare(void *job, void *own, size_t p, psb_error *error) {
    work *w = job;
    psb_comparison *pair = &w->pairs[p];
    size_t models = w->evaluation->cla->nmodels;
    double *sums = own;
    double *signs = sums + 2 * models;
    units u = {0, sums, sums + models, signs};
    find_units(w, pair, &u);
    /* All pairs of a set share their draws, whatever its methods are called. */
    char set[48];
    snprintf(set, sizeof set, "%zu models in %zu classes", models, w->evaluation->cla->nclasses);
    psb_random random = psb_random_seeded(w->test->seed, set, "comparison");
    pair->units = u.count;
    pair->difference = sum_of(u.sums, u.count) / sum_of(u.sizes, u.count);
    find_interval(&u, pair);
    pair->p = randomisation_p(w, &u, &random);
    return w->stopped ? psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted") : PSB_OK;
}

/* Compares `count` pairs, of which the caller has set a and b. */
static psb_status compare_pairs(const psb_evaluation *e, size_t measure, psb_grouping grouping,
                                const psb_test *test, psb_comparison *pairs, size_t count,
                                psb_error *error) {
    if (psb_group_count(e, PSB_MICRO) == 0 || test->rounds == 0) {
        return psb_fail(error, PSB_ERROR_USAGE, "a comparison needs queries and rounds");
    }
    if (test->rounds > UINT32_MAX) {
        return psb_fail(error, PSB_ERROR_USAGE, "%zu rounds, but at most %u are supported",
                        test->rounds, UINT32_MAX);
    }
    size_t models = e->cla->nmodels;
    work w = {e, measure, grouping, test, pairs, 0, count * test->rounds, false};
    psb_loop loop = {.count = count,
                     .threads = test->threads,
                     .bytes = (2 * models + signs_of(models)) * sizeof(double),
                     .name = "a comparison",
                     .item = compare,
                     .job = &w};
    psb_status status = psb_parallel(&loop, error);
    return PSB_THEN(status, psb_correct_holm(pairs, count, error));
}

psb_status psb_evaluation_compare(const psb_evaluation *e, size_t measure, psb_grouping grouping,
                                  const psb_test *test, psb_comparison *pairs, psb_error *error) {
    size_t count = 0;
    for (size_t a = 0; a < e->nmethods; a++) {
        for (size_t b = a + 1; b < e->nmethods; b++) {
            pairs[count++] = (psb_comparison){.a = a, .b = b};
        }
    }
    return compare_pairs(e, measure, grouping, test, pairs, count, error);
}

psb_status psb_evaluation_compare_with(const psb_evaluation *e, size_t one, size_t measure,
                                       psb_grouping grouping, const psb_test *test,
                                       psb_comparison *pairs, psb_error *error) {
    size_t count = 0;
    for (size_t b = 0; b < e->nmethods; b++) {
        if (b != one) {
            pairs[count++] = (psb_comparison){.a = one, .b = b};
        }
    }
    return compare_pairs(e, measure, grouping, test, pairs, count, error);
}

static int compare_p(const void *a, const void *b) {
    const psb_comparison *x = *(psb_comparison *const *)a;
    const psb_comparison *y = *(psb_comparison *const *)b;
    return (x->p > y->p) - (x->p < y->p);
}

size_t psb_test_rounds(size_t methods) {
    size_t pairs = methods > 1 ? methods * (methods - 1) / 2 : 1;
    size_t rounds = PSB_TEST_ROUNDS_A_PAIR * pairs;
    return rounds > PSB_TEST_ROUNDS ? rounds : PSB_TEST_ROUNDS;
}

psb_status psb_correct_holm(psb_comparison *comparisons, size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED psb_comparison **sorted =
        psb_new(&status, count, sizeof *sorted, "comparisons", error);
    if (status != PSB_OK) {
        return status;
    }
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
    return PSB_OK;
}
