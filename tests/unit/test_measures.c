/* Every measure, average and curve, by hand and against a plain reference; paired tests. */
#include "core/random.h"
#include "eval/average.h"
#include "eval/curve.h"
#include "eval/significance.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { MODELS = 40 };

/* A classification without names, in memory of its own. */
typedef struct fixture {
    psb_class classes[MODELS];
    size_t class_of[MODELS];
    psb_classification cla;
    float distances[MODELS * MODELS];
    psb_matrix matrix;
    bool selected[MODELS];
} fixture;

static void fixture_make(fixture *f, const size_t *counts, size_t nclasses) {
    memset(f, 0, sizeof *f);
    size_t n = 0;
    for (size_t c = 0; c < nclasses; c++) {
        f->classes[c] = (psb_class){.parent = PSB_NO_CLASS, .first = n, .count = counts[c]};
        for (size_t i = 0; i < counts[c]; i++) {
            f->class_of[n++] = c;
        }
    }
    f->cla = (psb_classification){
        .nclasses = nclasses, .classes = f->classes, .nmodels = n, .class_of = f->class_of};
    f->matrix = (psb_matrix){.n = n, .data = f->distances};
}

static double value_of(const char *name, const uint32_t *rank, size_t relevant, size_t listed) {
    psb_chosen_measure chosen[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    assert_int_equal(psb_measures_parse(name, chosen, &count, &error), PSB_OK);
    assert_int_equal(count, 1);
    psb_ranks ranks = {rank, relevant, listed};
    return psb_measure_compute(&chosen[0].measure, &ranks);
}

/* The example of the NIST page: five relevant models at ranks 1 2 4 7 10, of ten listed. */
static void hand_worked(void **state) {
    (void)state;
    const uint32_t rank[] = {1, 2, 4, 7, 10};
    ASSERT_NEAR(value_of("average_precision", rank, 5, 10), (1 + 1 + 0.75 + 4. / 7 + 0.5) / 5,
                1e-15);
    ASSERT_NEAR(value_of("r_precision", rank, 5, 10), 3. / 5, 1e-15);
    ASSERT_NEAR(value_of("precision@4", rank, 5, 10), 3. / 4, 1e-15);
    ASSERT_NEAR(value_of("precision@20", rank, 5, 10), 5. / 20, 1e-15);
    ASSERT_NEAR(value_of("recall@4", rank, 5, 10), 3. / 5, 1e-15);
    ASSERT_NEAR(value_of("f@4", rank, 5, 10), 2 / (4. / 3 + 5. / 3), 1e-15);
    ASSERT_NEAR(value_of("f@1", rank + 1, 4, 10), 0, 0);
    ASSERT_NEAR(value_of("cg@7", rank, 5, 10), 4, 0);
    ASSERT_NEAR(value_of("ncg@3", rank, 5, 10), 2. / 3, 1e-15);
    ASSERT_NEAR(value_of("ncg@7", rank, 5, 10), 4. / 5, 1e-15);
    ASSERT_NEAR(value_of("dcg_sum@4", rank, 5, 10), 1 + 1 + 0.5, 1e-15);
    ASSERT_NEAR(value_of("ndcg@4", rank, 5, 10), 2.5 / (1 + 1 + 1 / log2(3) + 0.5), 1e-15);
    /* The whole list's share is the PSB's DCG. */
    ASSERT_NEAR(value_of("ndcg@10", rank, 5, 10), value_of("dcg", rank, 5, 10), 1e-15);
}

static void names_of_measures(void **state) {
    (void)state;
    psb_chosen_measure chosen[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    assert_int_equal(psb_measures_parse("dcg,precision@7,table4", chosen, &count, &error), PSB_OK);
    assert_int_equal(count, 7);
    assert_string_equal(chosen[1].name, "precision@7");
    assert_string_equal(chosen[1].title, "precision at 7");
    assert_int_equal(psb_measures_parse("all", chosen, &count, &error), PSB_OK);
    assert_int_equal(count, psb_measure_count());
    const char *const wrong[] = {
        "",      "dcg,",         "precision", "precision@", "precision@0",
        "dcg@3", "precision@1x", "nothing",   "@5",         "all,all,all,all,all"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(psb_measures_parse(wrong[i], chosen, &count, &error), PSB_ERROR_USAGE);
    }
}

/* ---- the plain reference ---------------------------------------------------------------- */

/* hit[r - 1]: the model at rank r is of the query's class. The list is built by selection. */
static size_t plain_hits(const fixture *f, size_t query, bool *hit) {
    bool taken[MODELS] = {false};
    taken[query] = true;
    const float *row = f->distances + query * f->matrix.n;
    for (size_t r = 0; r + 1 < f->matrix.n; r++) {
        size_t best = MODELS;
        for (size_t i = 0; i < f->matrix.n; i++) {
            if (!taken[i] && (best == MODELS || row[i] < row[best])) {
                best = i;
            }
        }
        taken[best] = true;
        hit[r] = f->class_of[best] == f->class_of[query];
    }
    return f->matrix.n - 1;
}

static double found(const bool *hit, size_t listed, size_t length) {
    double sum = 0;
    for (size_t r = 0; r < listed && r < length; r++) {
        sum += hit[r];
    }
    return sum;
}

static double gain(const bool *hit, size_t listed, size_t length) {
    double sum = 0;
    for (size_t i = 1; i <= listed && i <= length; i++) {
        sum += hit[i - 1] ? (i == 1 ? 1 : 1 / log2((double)i)) : 0;
    }
    return sum;
}

static double ideal_gain(size_t relevant, size_t length) {
    bool hit[MODELS] = {false};
    memset(hit, 1, relevant);
    return gain(hit, MODELS, length);
}

enum { K = 7, REFERENCES = 9 };
static const char reference_names[] =
    "average_precision,r_precision,precision@7,recall@7,f@7,cg@7,ncg@7,dcg_sum@7,ndcg@7";

static void plain_values(const bool *hit, size_t listed, size_t others, double *out) {
    double all = (double)others, sum = 0;
    for (size_t r = 1; r <= listed; r++) {
        sum += hit[r - 1] ? found(hit, listed, r) / (double)r : 0;
    }
    double p = found(hit, listed, K) / K, q = found(hit, listed, K) / all;
    const double values[REFERENCES] = {
        sum / all,
        found(hit, listed, others) / all,
        p,
        q,
        p + q > 0 ? 2 * p * q / (p + q) : 0,
        found(hit, listed, K),
        found(hit, listed, K) / (double)(others < K ? others : K),
        gain(hit, listed, K),
        gain(hit, listed, K) / ideal_gain(others, K),
    };
    memcpy(out, values, sizeof values);
}

/* Ties, asymmetry, classes of every size, sometimes a miscellaneous one and a query list. */
static void fill_random(fixture *f, psb_random *random, bool *listed) {
    size_t counts[MODELS] = {0}, nclasses = 0, models = 0;
    size_t wanted = 2 + psb_random_below(random, MODELS - 2);
    while (models < wanted) {
        counts[nclasses] = 1 + psb_random_below(random, wanted - models);
        models += counts[nclasses++];
    }
    fixture_make(f, counts, nclasses);
    f->classes[psb_random_below(random, nclasses)].miscellaneous = psb_random_below(random, 2);
    uint64_t values = 1 + psb_random_below(random, 60);
    for (size_t i = 0; i < models * models; i++) {
        f->distances[i] = 0.37F * (float)psb_random_below(random, values);
    }
    bool every = psb_random_below(random, 2);
    for (size_t i = 0; i < models; i++) {
        listed[i] = every || psb_random_below(random, 2);
    }
}

/* Sums, by class, of one measure. */
static void plain_averages(const fixture *f, const double *values, size_t measure,
                           const bool *takes_part, double *micro, double *macro) {
    double sum = 0, count = 0, class_sum = 0, classes = 0;
    for (size_t c = 0; c < f->cla.nclasses; c++) {
        double own_sum = 0, own = 0;
        for (size_t i = 0; i < f->matrix.n; i++) {
            if (f->class_of[i] == c && takes_part[i]) {
                own_sum += values[i * REFERENCES + measure];
                own++;
            }
        }
        sum += own_sum;
        count += own;
        class_sum += own > 0 ? own_sum / own : 0;
        classes += own > 0;
    }
    *micro = count > 0 ? sum / count : 0;
    *macro = classes > 0 ? class_sum / classes : 0;
}

static void check_averages(const fixture *f, const bool *listed, const double *values) {
    bool takes_part[MODELS], selected[MODELS];
    for (size_t i = 0; i < f->matrix.n; i++) {
        const psb_class *class = &f->classes[f->class_of[i]];
        takes_part[i] = listed[i] && class->count >= 3 && !class->miscellaneous;
    }
    psb_select_queries(&f->cla, listed, selected);
    assert_memory_equal(selected, takes_part, f->matrix.n);
    double micro[REFERENCES] = {0}, macro[REFERENCES] = {0};
    psb_group_values(&f->cla, selected, PSB_MICRO, values, REFERENCES, micro, NULL, NULL);
    psb_group_values(&f->cla, selected, PSB_MACRO, values, REFERENCES, macro, NULL, NULL);
    for (size_t m = 0; m < REFERENCES; m++) {
        double plain_micro, plain_macro;
        plain_averages(f, values, m, takes_part, &plain_micro, &plain_macro);
        ASSERT_NEAR(micro[m], plain_micro, 1e-13);
        ASSERT_NEAR(macro[m], plain_macro, 1e-13);
    }
}

static void agrees_with_plain_reference(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_measures", "reference");
    psb_chosen_measure chosen[PSB_MAX_CHOSEN];
    size_t count;
    assert_int_equal(psb_measures_parse(reference_names, chosen, &count, NULL), PSB_OK);
    assert_int_equal(count, REFERENCES);
    static fixture f;
    for (int round = 0; round < 1000; round++) {
        bool listed[MODELS], hit[MODELS];
        double values[MODELS * REFERENCES];
        fill_random(&f, &random, listed);
        assert_int_equal(
            psb_measure_queries(&f.cla, &f.matrix, chosen, count, 1 + round % 3, values, NULL),
            PSB_OK);
        for (size_t i = 0; i < f.matrix.n; i++) {
            const psb_class *class = &f.classes[f.class_of[i]];
            double plain[REFERENCES] = {0};
            if (class->count > 1 && !class->miscellaneous) {
                plain_values(hit, plain_hits(&f, i, hit), class->count - 1, plain);
            }
            for (size_t m = 0; m < REFERENCES; m++) {
                ASSERT_NEAR(values[i * REFERENCES + m], plain[m], 1e-13);
            }
        }
        check_averages(&f, listed, values);
    }
}

/* Groups and standard errors of a small set: classes of 3, 4 (miscellaneous), 3 and 2. */
static void groups_and_errors(void **state) {
    (void)state;
    static fixture f;
    fixture_make(&f, (size_t[]){3, 4, 3, 2}, 4);
    f.classes[1].miscellaneous = true;
    const double values[12] = {1, 0, 1, 9, 9, 9, 9, 0, 0, 0.5, 9, 9};
    assert_int_equal(psb_select_queries(&f.cla, NULL, f.selected), 6);
    assert_int_equal(psb_group_count(&f.cla, f.selected, PSB_PER_MODEL), 6);
    assert_int_equal(psb_group_count(&f.cla, f.selected, PSB_PER_CLASS), 2);
    double mean[6], error[6];
    size_t group_of[6];
    psb_group_values(&f.cla, f.selected, PSB_PER_CLASS, values, 1, mean, error, group_of);
    assert_int_equal(group_of[1], 2);
    ASSERT_NEAR(mean[0], 2. / 3, 1e-15);
    ASSERT_NEAR(error[0], sqrt(2. / 9 / 3), 1e-15);
    psb_group_values(&f.cla, f.selected, PSB_PER_MODEL, values, 1, mean, error, group_of);
    assert_int_equal(group_of[5], 9);
    ASSERT_NEAR(mean[5], 0.5, 0);
    psb_group_values(&f.cla, f.selected, PSB_MACRO, values, 1, mean, error, NULL);
    ASSERT_NEAR(mean[0], (2. / 3 + 0.5 / 3) / 2, 1e-15);
    ASSERT_NEAR(error[0], (2. / 3 - 0.5 / 3) / 2 / sqrt(2), 1e-15);
}

/* ---- curves ----------------------------------------------------------------------------- */

/* Class 0 1 2 and class 3 4: rows put the relevant models of 0, 1 and 2 at ranks 1 2, 1 3, 3 4. */
static void curve_by_hand(void **state) {
    (void)state;
    static fixture f;
    fixture_make(&f, (size_t[]){3, 2}, 2);
    const float d[25] = {0, 1, 2, 3, 4, 1, 0, 3, 2, 4, 8, 9, 0, 1, 2, 1, 2, 3, 0, 4, 1, 2, 3, 4, 0};
    memcpy(f.distances, d, sizeof d);
    double curve[PSB_RECALL_LEVELS];
    psb_error error;
    assert_int_equal(
        psb_pr_average(&f.cla, &f.matrix, NULL, PSB_MICRO, PSB_PR_OTHERS, curve, &error), PSB_OK);
    /* n = 2: from level 10 on; precisions (1, 1), (1, 2/3), (1/3, 1/2). One-member rest: none. */
    assert_true(isnan(curve[8]));
    ASSERT_NEAR(curve[9], (1 + 1 + 1. / 3) / 3, 1e-15);
    ASSERT_NEAR(curve[19], (1 + 2. / 3 + 0.5) / 3, 1e-15);
    ASSERT_NEAR(curve[14], (curve[9] + curve[19]) / 2, 1e-15);
    /* With the query as first hit n = 3, and n = 2 for the class of two, which macro leaves out. */
    assert_int_equal(
        psb_pr_average(&f.cla, &f.matrix, NULL, PSB_MACRO, PSB_PR_WITH_QUERY, curve, &error),
        PSB_OK);
    ASSERT_NEAR(curve[19], (1 + 3. / 4 + 3. / 5) / 3, 1e-15);
    assert_int_equal(
        psb_pr_average(&f.cla, &f.matrix, NULL, PSB_MICRO, PSB_PR_WITH_QUERY, curve, &error),
        PSB_OK);
    /* Rows 3 and 4 have their partner last: ranks 4 and 4. */
    ASSERT_NEAR(curve[19], (1 + 3. / 4 + 3. / 5 + 2. / 5 + 2. / 5) / 5, 1e-15);
}

/* The vectors' elements are the measures at that length. */
static void gain_curves_are_measures(void **state) {
    (void)state;
    const uint32_t rank[] = {2, 3, 7};
    psb_ranks ranks = {rank, 3, 9};
    static const char *const names[PSB_GAINS] = {"cg", "ncg", "dcg_sum", "ndcg"};
    for (psb_gain g = 0; g < PSB_GAINS; g++) {
        double curve[9];
        psb_gain_query(&ranks, g, 9, curve);
        for (size_t k = 1; k <= 9; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s@%zu", names[g], k);
            ASSERT_NEAR(curve[k - 1], value_of(name, rank, 3, 9), 1e-14);
        }
    }
}

/* ---- paired tests ----------------------------------------------------------------------- */

/* Of all 2^8 sign patterns, the share whose mean is as far from 0. */
static double exact_p(const double *d, size_t count) {
    double observed = 0;
    size_t as_far = 0;
    for (size_t i = 0; i < count; i++) {
        observed += d[i];
    }
    for (unsigned signs = 0; signs < 1U << count; signs++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += signs >> i & 1 ? d[i] : -d[i];
        }
        as_far += fabs(sum) >= fabs(observed) - 1e-12;
    }
    return (double)as_far / (double)(1U << count);
}

static void randomisation_is_near_exact(void **state) {
    (void)state;
    const double zero[8] = {0};
    const double d[8] = {0.3, 0.1, -0.2, 0.4, 0.25, 0.05, -0.1, 0.3};
    psb_comparison c;
    assert_int_equal(psb_compare_paired(d, zero, 8, 40000, 1, "a", "b", &c, NULL), PSB_OK);
    ASSERT_NEAR(c.difference, 1.1 / 8, 1e-15);
    ASSERT_NEAR(c.p, exact_p(d, 8), 0.01);
    assert_true(c.low < c.difference && c.difference < c.high);
    /* The bootstrap's interval is near that of the normal approximation. */
    double variance = 0;
    for (int i = 0; i < 8; i++) {
        variance += (d[i] - 1.1 / 8) * (d[i] - 1.1 / 8) / 8;
    }
    ASSERT_NEAR(c.high - c.low, 2 * 1.96 * sqrt(variance / 8), 0.02);
    psb_comparison again, other;
    assert_int_equal(psb_compare_paired(d, zero, 8, 40000, 1, "a", "b", &again, NULL), PSB_OK);
    assert_memory_equal(&c, &again, sizeof c);
    assert_int_equal(psb_compare_paired(d, zero, 8, 40000, 2, "a", "b", &other, NULL), PSB_OK);
    assert_true(other.p != c.p || other.low != c.low || other.high != c.high);
}

static void equal_methods_do_not_differ(void **state) {
    (void)state;
    const double a[5] = {0.1, 0.2, 0.3, 0.4, 0.5};
    psb_comparison c;
    assert_int_equal(psb_compare_paired(a, a, 5, 1000, 1, "a", "b", &c, NULL), PSB_OK);
    assert_true(c.p == 1 && c.low == 0 && c.high == 0);
    assert_int_equal(psb_compare_paired(a, a, 0, 1000, 1, "a", "b", &c, NULL), PSB_ERROR_USAGE);
}

static void holm_by_hand(void **state) {
    (void)state;
    psb_comparison c[4] = {{.p = 0.01}, {.p = 0.04}, {.p = 0.03}, {.p = 0.5}};
    assert_int_equal(psb_correct_holm(c, 4, NULL), PSB_OK);
    ASSERT_NEAR(c[0].p_holm, 0.04, 1e-15);
    ASSERT_NEAR(c[2].p_holm, 0.09, 1e-15);
    ASSERT_NEAR(c[1].p_holm, 0.09, 1e-15); /* 0.08, but not below its predecessor */
    ASSERT_NEAR(c[3].p_holm, 0.5, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_worked),
        cmocka_unit_test(names_of_measures),
        cmocka_unit_test(agrees_with_plain_reference),
        cmocka_unit_test(groups_and_errors),
        cmocka_unit_test(curve_by_hand),
        cmocka_unit_test(gain_curves_are_measures),
        cmocka_unit_test(randomisation_is_near_exact),
        cmocka_unit_test(equal_methods_do_not_differ),
        cmocka_unit_test(holm_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
