/* Paired randomisation test, bootstrap interval, Holm's correction. */
#include "eval/significance.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

/* What all pairs share. */
typedef struct work {
    const psb_evaluation *evaluation;
    size_t measure;
    psb_grouping grouping;
    const psb_test *test;
    psb_comparison *pairs;
    size_t done, total; /* rounds */
    bool stopped;
} work;

/* A pair's differences, summed within each unit, and how many each has. */
typedef struct units {
    size_t count;
    double *sums, *sizes;
    double *signs; /* of the test: see sum_signs */
    double *means; /* of the bootstrap: rounds */
} units;

/* After each so many rounds, as a pair may have millions; false where the work is to stop. */
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

/* Sums of four neighbouring values with the signs that four bits say, for all sixteen. */
enum { FOUR = 4, SIGNS = 1 << FOUR };

static size_t signs_of(size_t values) {
    return (values + FOUR - 1) / FOUR * SIGNS;
}

static void sum_signs(const double *values, size_t count, double *signs) {
    for (size_t i = 0; i < count; i += FOUR) {
        for (unsigned bits = 0; bits < SIGNS; bits++) {
            double sum = 0;
            for (unsigned k = 0; k < FOUR && i + k < count; k++) {
                sum += bits >> k & 1 ? values[i + k] : -values[i + k];
            }
            *signs++ = sum;
        }
    }
}

/* The sum with every sign drawn anew, 64 of them from one random number. */
static double flipped_sum(const double *signs, size_t count, psb_random *random) {
    double sum = 0;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i += FOUR) {
        bits = i % 64 == 0 ? psb_random_u64(random) : bits >> FOUR;
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

/* Value below which the share q of the sorted values lies, linear between them. */
static double percentile(const double *sorted, size_t count, double q) {
    double x = q * (double)(count - 1);
    size_t low = (size_t)x;
    size_t high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (x - (double)low) * (sorted[high] - sorted[low]);
}

void psb_interval(double *values, size_t count, double *low, double *high) {
    qsort(values, count, sizeof *values, compare_doubles);
    *low = percentile(values, count, 0.025);
    *high = percentile(values, count, 0.975);
}

/* False where it was stopped. */
static bool bootstrap(work *w, const units *u, psb_random *random, psb_comparison *out) {
    size_t rounds = w->test->rounds;
    psb_random_range range = psb_random_range_of(u->count);
    for (size_t r = 0; r < rounds; r++) {
        if (!go_on(w, r)) {
            return false;
        }
        double sum = 0, size = 0;
        for (size_t i = 0; i < u->count; i++) {
            size_t drawn = psb_random_in(random, &range);
            sum += u->sums[drawn];
            size += u->sizes[drawn];
        }
        u->means[r] = sum / size;
    }
    psb_interval(u->means, rounds, &out->low, &out->high);
    if (u->count <= 1) {
        out->low = out->high = (double)NAN;
    }
    return true;
}

static psb_status compare(void *job, void *own, size_t p, psb_error *error) {
    work *w = job;
    psb_comparison *pair = &w->pairs[p];
    size_t models = w->evaluation->cla->nmodels;
    double *sums = own;
    double *signs = sums + 2 * models;
    units u = {0, sums, sums + models, signs, signs + signs_of(models)};
    find_units(w, pair, &u);
    const char *const *labels = w->evaluation->labels;
    psb_random random = psb_random_seeded(w->test->seed, labels[pair->a], labels[pair->b]);
    pair->units = u.count;
    pair->difference = sum_of(u.sums, u.count) / sum_of(u.sizes, u.count);
    pair->p = randomisation_p(w, &u, &random);
    return bootstrap(w, &u, &random, pair) ? PSB_OK
                                           : psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted");
}

psb_status psb_evaluation_compare(const psb_evaluation *e, size_t measure, psb_grouping grouping,
                                  const psb_test *test, psb_comparison *pairs, psb_error *error) {
    if (psb_group_count(e, PSB_MICRO) == 0 || test->rounds == 0) {
        return psb_fail(error, PSB_ERROR_USAGE, "a comparison needs queries and rounds");
    }
    if (test->rounds > UINT32_MAX) {
        return psb_fail(error, PSB_ERROR_USAGE, "%zu rounds, but at most %u are supported",
                        test->rounds, UINT32_MAX);
    }
    size_t count = 0;
    for (size_t a = 0; a < e->nmethods; a++) {
        for (size_t b = a + 1; b < e->nmethods; b++) {
            pairs[count++] = (psb_comparison){.a = a, .b = b};
        }
    }
    size_t models = e->cla->nmodels;
    work w = {e, measure, grouping, test, pairs, 0, 2 * count * test->rounds, false};
    psb_loop loop = {.count = count,
                     .threads = test->threads,
                     .bytes = (2 * models + signs_of(models) + test->rounds) * sizeof(double),
                     .name = "a comparison",
                     .item = compare,
                     .job = &w};
    psb_status status = psb_parallel(&loop, error);
    return PSB_THEN(status, psb_correct_holm(pairs, count, error));
}

static int compare_p(const void *a, const void *b) {
    const psb_comparison *x = *(psb_comparison *const *)a;
    const psb_comparison *y = *(psb_comparison *const *)b;
    return (x->p > y->p) - (x->p < y->p);
}

psb_status psb_correct_holm(psb_comparison *comparisons, size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    psb_comparison **sorted = psb_new(&status, count, sizeof *sorted, "comparisons", error);
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
    free(sorted);
    return PSB_OK;
}
