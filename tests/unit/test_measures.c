/* Tests every measure, average and curve by hand and against a plain reference, and paired tests
 * with several threads. */
#include "core/random.h"
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
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    psb_evaluation evaluation; /* of one method, fixture_open */
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

/* To be closed. */
static void fixture_open(fixture *f, const char *measures, const bool *listed, bool keep_ranks) {
    f->evaluation = (psb_evaluation){.cla = &f->cla,
                                     .measures = f->measures,
                                     .nmethods = 1,
                                     .listed = listed,
                                     .keep_ranks = keep_ranks};
    assert_int_equal(psb_measures_parse(measures, f->measures, &f->evaluation.nmeasures, NULL),
                     PSB_OK);
    assert_int_equal(psb_evaluation_open(&f->evaluation, NULL), PSB_OK);
}

static psb_mean mean_of(const fixture *f, size_t measure, psb_grouping kind, size_t which) {
    return psb_evaluation_mean(&f->evaluation, 0, measure, (psb_group){kind, which});
}

static double value_of(const char *name, const uint32_t *rank, size_t relevant, size_t listed) {
    psb_chosen_measure chosen[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    assert_int_equal(psb_measures_parse(name, chosen, &count, &error), PSB_OK);
    assert_int_equal(count, 1);
    psb_ranks ranks = {.rank = rank, .relevant = relevant, .listed = listed};
    return psb_measure_compute(&chosen[0].measure, &ranks);
}

/* The example of the NIST page: five relevant models at ranks 1 2 4 7 10, of ten listed. */
static void hand_worked(void **state) {
    (void)state;
    const uint32_t rank[] = {1, 2, 4, 7, 10};
    ASSERT_NEAR(value_of("average_precision", rank, 5, 10), (1 + 1 + 0.75 + 4. / 7 + 0.5) / 5,
                1e-15);
    ASSERT_NEAR(value_of("map@4", rank, 5, 10), (1 + 1 + 0.75) / 5, 1e-15);
    ASSERT_NEAR(value_of("map_at_r", rank, 5, 10), (1 + 1 + 0.75) / 5, 1e-15);
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
    ASSERT_NEAR(value_of("psb_ndcg@4", rank, 5, 10), 2.5 / (1 + 1 + 1 / log2(3) + 0.5), 1e-15);
    ASSERT_NEAR(value_of("reciprocal_rank", rank, 5, 10), 1, 0);
    ASSERT_NEAR(value_of("reciprocal_rank", rank + 2, 3, 10), 0.25, 0);
    /* trec_eval discounts from rank 1 on, by log2(i + 1). */
    ASSERT_NEAR(value_of("trec_ndcg_cut@2", rank + 1, 4, 10), (1 / log2(3)) / (1 + 1 / log2(3)),
                1e-15);
    ASSERT_NEAR(value_of("trec_ndcg", rank + 3, 2, 10),
                (1 / log2(8) + 1 / log2(11)) / (1 + 1 / log2(3)), 1e-15);
    assert_true(fabs(value_of("trec_ndcg_cut@4", rank + 1, 4, 10) -
                     value_of("psb_ndcg@4", rank + 1, 4, 10)) > 0.01);
    /* The whole list's share is the PSB's DCG. */
    ASSERT_NEAR(value_of("psb_ndcg@10", rank, 5, 10), value_of("dcg", rank, 5, 10), 1e-15);
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

/* What others call a measure is that measure, and goes by the name in the table. */
static void names_of_others(void **state) {
    (void)state;
    static const char theirs[] = "nn,FT,st,map,AP,Rprec,r-precision,recip_rank,mrr,P_10,P.10,P@10,"
                                 "recall_5,recall.5,R@5,recall@1,ndcg,nDCG,ndcg_cut_10,"
                                 "ndcg_cut.10,success_1,hit_rate@3,f1@7,precision_7,"
                                 "map@3,MAP@R,map_cut_5,AP_20";
    static const char *const ours[] = {"nearest_neighbor",
                                       "first_tier",
                                       "second_tier",
                                       "average_precision",
                                       "average_precision",
                                       "r_precision",
                                       "r_precision",
                                       "reciprocal_rank",
                                       "reciprocal_rank",
                                       "precision@10",
                                       "precision@10",
                                       "precision@10",
                                       "recall@5",
                                       "recall@5",
                                       "recall@5",
                                       "recall@1",
                                       "trec_ndcg",
                                       "trec_ndcg",
                                       "trec_ndcg_cut@10",
                                       "trec_ndcg_cut@10",
                                       "success@1",
                                       "success@3",
                                       "f@7",
                                       "precision@7",
                                       "map_cut@3",
                                       "map_at_r",
                                       "map_cut@5",
                                       "map_cut@20"};
    psb_chosen_measure chosen[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    assert_int_equal(psb_measures_parse(theirs, chosen, &count, &error), PSB_OK);
    assert_int_equal(count, sizeof ours / sizeof ours[0]);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(chosen[i].name, ours[i]);
    }
    /* No name is that of two measures. */
    for (size_t i = 0; i < psb_measure_count(); i++) {
        const psb_measure *m = psb_measure_at(i);
        assert_ptr_equal(psb_measure_find(m->name), m);
        for (const char *at = m->also != NULL ? m->also : ""; *at != '\0'; at += strspn(at, " ")) {
            char name[80];
            size_t length = strcspn(at, " ");
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            const psb_measure *named = psb_measure_find(name); /* "map" and "map@10" are two */
            assert_true(named == m || named->at_length != m->at_length);
            at += length;
        }
    }
    /* ranx's ndcg@10 has another discount than psb_ndcg@10, which had that name. */
    assert_int_equal(psb_measures_parse("ndcg@10", chosen, &count, &error), PSB_ERROR_USAGE);
    assert_non_null(strstr(error.message, "psb_ndcg@10"));
    assert_non_null(strstr(error.message, "trec_ndcg_cut@10"));
    const char *const wrong[] = {"P", "P_", "P_0", "P.x", "mrr@3", "recall_1x", "_10", "ndcg_5"};
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

static double trec_gain(const bool *hit, size_t listed, size_t length) {
    double sum = 0;
    for (size_t i = 1; i <= listed && i <= length; i++) {
        sum += hit[i - 1] ? 1 / log2((double)i + 1) : 0;
    }
    return sum;
}

static double first_hit(const bool *hit) {
    double rank = 1;
    for (; !*hit; hit++) {
        rank++;
    }
    return rank;
}

enum { K = 7, REFERENCES = 15 };
static const char reference_names[] =
    "average_precision,r_precision,precision@7,recall@7,f@7,cg@7,ncg@7,dcg_sum@7,psb_ndcg@7,"
    "reciprocal_rank,trec_ndcg,trec_ndcg_cut@7,success@7,map@7,map@r";

static void plain_values(const bool *hit, size_t listed, size_t others, double *out) {
    double all = (double)others, sum = 0, sum_k = 0, sum_r = 0;
    for (size_t r = 1; r <= listed; r++) {
        double precision = hit[r - 1] ? found(hit, listed, r) / (double)r : 0;
        sum += precision;
        sum_k += r <= K ? precision : 0;
        sum_r += r <= others ? precision : 0;
    }
    double p = found(hit, listed, K) / K, q = found(hit, listed, K) / all;
    bool ideal[MODELS] = {false};
    memset(ideal, 1, others);
    const double values[REFERENCES] = {
        sum / all,
        found(hit, listed, others) / all,
        p,
        q,
        p + q > 0 ? 2 * p * q / (p + q) : 0,
        found(hit, listed, K),
        found(hit, listed, K) / (double)(others < K ? others : K),
        gain(hit, listed, K),
        gain(hit, listed, K) / gain(ideal, MODELS, K),
        1 / first_hit(hit),
        trec_gain(hit, listed, MODELS) / trec_gain(ideal, MODELS, MODELS),
        trec_gain(hit, listed, K) / trec_gain(ideal, MODELS, K),
        found(hit, listed, K) > 0,
        sum_k / all,
        sum_r / all,
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
    bool takes_part[MODELS];
    for (size_t i = 0; i < f->matrix.n; i++) {
        const psb_class *class = &f->classes[f->class_of[i]];
        takes_part[i] = listed[i] && class->count >= 3 && !class->miscellaneous;
    }
    assert_memory_equal(f->evaluation.selected, takes_part, f->matrix.n);
    for (size_t m = 0; m < REFERENCES; m++) {
        double plain_micro, plain_macro;
        plain_averages(f, values, m, takes_part, &plain_micro, &plain_macro);
        psb_mean micro = mean_of(f, m, PSB_MICRO, 0), macro = mean_of(f, m, PSB_MACRO, 0);
        if (micro.queries == 0) {
            assert_true(isnan(micro.value) && isnan(macro.value));
        } else {
            ASSERT_NEAR(micro.value, plain_micro, 1e-13);
            ASSERT_NEAR(macro.value, plain_macro, 1e-13);
        }
    }
}

static void agrees_with_plain_reference(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_measures", "reference");
    static fixture f;
    for (int round = 0; round < 1000; round++) {
        bool listed[MODELS], hit[MODELS];
        fill_random(&f, &random, listed);
        fixture_open(&f, reference_names, listed, false);
        assert_int_equal(f.evaluation.nmeasures, REFERENCES);
        assert_int_equal(psb_evaluation_rank(&f.evaluation, 0, &f.matrix, 1 + round % 3, NULL),
                         PSB_OK);
        const double *values = psb_evaluation_values(&f.evaluation, 0);
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
        psb_evaluation_close(&f.evaluation);
    }
}

/* Groups and standard errors of a small set: classes of 3, 4 (miscellaneous), 3 and 2. */
static void groups_and_errors(void **state) {
    (void)state;
    static fixture f;
    fixture_make(&f, (size_t[]){3, 4, 3, 2}, 4);
    f.classes[1].miscellaneous = true;
    fixture_open(&f, "dcg", NULL, false);
    const double values[12] = {1, 0, 1, 9, 9, 9, 9, 0, 0, 0.5, 9, 9};
    memcpy(psb_evaluation_values(&f.evaluation, 0), values, sizeof values);
    assert_int_equal(psb_group_count(&f.evaluation, PSB_PER_MODEL), 6);
    assert_int_equal(psb_group_count(&f.evaluation, PSB_PER_CLASS), 2);
    psb_group group = psb_groups(PSB_PER_CLASS);
    assert_true(psb_group_next(&f.evaluation, &group) && group.which == 0);
    assert_true(psb_group_next(&f.evaluation, &group) && group.which == 2);
    assert_false(psb_group_next(&f.evaluation, &group));
    psb_mean first = mean_of(&f, 0, PSB_PER_CLASS, 0);
    assert_int_equal(first.queries, 3);
    ASSERT_NEAR(first.value, 2. / 3, 1e-15);
    ASSERT_NEAR(first.error, sqrt(2. / 9 / 2), 1e-15);
    ASSERT_NEAR(mean_of(&f, 0, PSB_PER_MODEL, 9).value, 0.5, 0);
    assert_true(isnan(mean_of(&f, 0, PSB_PER_MODEL, 9).error));
    assert_int_equal(mean_of(&f, 0, PSB_PER_CLASS, 1).queries, 0);
    psb_mean macro = mean_of(&f, 0, PSB_MACRO, 0);
    ASSERT_NEAR(macro.value, (2. / 3 + 0.5 / 3) / 2, 1e-15);
    ASSERT_NEAR(macro.error, (2. / 3 - 0.5 / 3) / 2, 1e-15);
    /* Mean 2.5 / 6; the classes' residuals sum to 0.75 and -0.75. */
    ASSERT_NEAR(mean_of(&f, 0, PSB_MICRO, 0).error, sqrt(2. * 2 * 0.75 * 0.75) / 6, 1e-15);
    psb_evaluation_close(&f.evaluation);
}

/* Normalised DCG is DCG over a mean of all methods, less 1: its standard error is over that mean,
 * too. */
static void errors_of_normalized_dcg(void **state) {
    (void)state;
    static fixture f;
    fixture_make(&f, (size_t[]){3, 3}, 2);
    f.evaluation = (psb_evaluation){.cla = &f.cla, .measures = f.measures, .nmethods = 3};
    assert_int_equal(
        psb_measures_parse("dcg,normalized_dcg", f.measures, &f.evaluation.nmeasures, NULL),
        PSB_OK);
    assert_int_equal(psb_evaluation_open(&f.evaluation, NULL), PSB_OK);
    static const double of_methods[3][6] = {
        {0.9, 0.2, 0.4, 0.6, 0.3, 0.5}, {0.1, 0.1, 0.2, 0.3, 0.1, 0.1}, {1, 1, 0.9, 0.8, 1, 1}};
    double sum = 0;
    for (size_t m = 0; m < 3; m++) {
        double *values = psb_evaluation_values(&f.evaluation, m);
        for (size_t i = 0; i < 6; i++) {
            values[2 * i] = values[2 * i + 1] = of_methods[m][i];
            sum += of_methods[m][i] / 6;
        }
    }
    psb_mean dcg = mean_of(&f, 0, PSB_MICRO, 0), normalized = mean_of(&f, 1, PSB_MICRO, 0);
    ASSERT_NEAR(normalized.value, dcg.value / (sum / 3) - 1, 1e-12);
    ASSERT_NEAR(normalized.error, dcg.error / (sum / 3), 1e-12);
    psb_evaluation_close(&f.evaluation);
}

/* Class 1 lies below class 0 and class 3 below 1; class 2 stands between them on its own. */
static void classes_inside_classes(void **state) {
    (void)state;
    static fixture f;
    fixture_make(&f, (size_t[]){3, 3, 4, 3}, 4);
    f.classes[1].parent = 0;
    f.classes[3].parent = 1;
    fixture_open(&f, "dcg", NULL, false);
    double *values = psb_evaluation_values(&f.evaluation, 0);
    for (size_t i = 0; i < 13; i++) {
        values[i] = (double)i;
    }
    const size_t own[4] = {3, 3, 4, 3}, below[4] = {9, 6, 4, 3};
    const double mean[4] = {(0 + 1 + 2 + 3 + 4 + 5 + 10 + 11 + 12) / 9., (12. + 33) / 6, 7.5, 11};
    for (size_t c = 0; c < 4; c++) {
        assert_int_equal(mean_of(&f, 0, PSB_PER_CLASS, c).queries, own[c]);
        assert_int_equal(mean_of(&f, 0, PSB_SUBTREE, c).queries, below[c]);
        ASSERT_NEAR(mean_of(&f, 0, PSB_SUBTREE, c).value, mean[c], 1e-14);
    }
    assert_int_equal(mean_of(&f, 0, PSB_SUBTREE, 0).classes, 3);
    psb_evaluation_close(&f.evaluation);
}

/* ---- standard errors -------------------------------------------------------------------- */

/* A gaussian by the sum of twelve uniform numbers. */
static double normal(psb_random *random) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += psb_random_unit(random);
    }
    return sum;
}

/*
 * The slow reference: the whole matrix of covariances of the means, e_i e_j where i and j are of
 * one unit, summed over all pairs of queries.
 */
static double plain_error(const fixture *f, const double *values, bool by_class) {
    double n = 0, sum = 0, covariance = 0, units = 0;
    for (size_t i = 0; i < f->matrix.n; i++) {
        n += f->evaluation.selected[i];
        sum += f->evaluation.selected[i] ? values[i] : 0;
    }
    for (size_t i = 0; i < f->matrix.n; i++) {
        bool first = f->evaluation.selected[i];
        for (size_t j = 0; j < f->matrix.n; j++) {
            bool together = by_class ? f->class_of[i] == f->class_of[j] : i == j;
            if (together && f->evaluation.selected[i] && f->evaluation.selected[j]) {
                covariance += (values[i] - sum / n) * (values[j] - sum / n);
                first = first && j >= i;
            }
        }
        units += first;
    }
    return units > 1 ? sqrt(units / (units - 1) * covariance) / n : NAN;
}

static void errors_agree_with_plain_reference(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_measures", "errors");
    static fixture f;
    for (int round = 0; round < 300; round++) {
        bool listed[MODELS];
        fill_random(&f, &random, listed);
        fixture_open(&f, "dcg", listed, false);
        double *values = psb_evaluation_values(&f.evaluation, 0);
        for (size_t i = 0; i < f.matrix.n; i++) {
            values[i] = psb_random_unit(&random);
        }
        for (int by_class = 0; by_class < 2; by_class++) {
            f.evaluation.units = by_class ? PSB_UNITS_CLASS : PSB_UNITS_QUERY;
            double error = mean_of(&f, 0, PSB_MICRO, 0).error;
            double plain = plain_error(&f, values, by_class);
            assert_true(isnan(error) == isnan(plain));
            assert_true(isnan(error) || fabs(error - plain) < 1e-9);
        }
        psb_evaluation_close(&f.evaluation);
    }
}

/* Where a query list leaves one query to each class, classes and queries are the same units. */
static void single_queries_are_their_own_classes(void **state) {
    (void)state;
    static fixture f;
    bool listed[MODELS] = {false};
    fixture_make(&f, (size_t[]){3, 4, 3, 5, 3}, 5);
    fixture_open(&f, "dcg", listed, false);
    for (size_t c = 0; c < 5; c++) {
        listed[f.classes[c].first + c % 3] = true;
    }
    psb_evaluation_select(&f.evaluation, listed);
    for (size_t i = 0; i < f.matrix.n; i++) {
        psb_evaluation_values(&f.evaluation, 0)[i] = (double)(i * i % 7);
    }
    psb_mean by_class = mean_of(&f, 0, PSB_MICRO, 0);
    f.evaluation.units = PSB_UNITS_QUERY;
    psb_mean by_query = mean_of(&f, 0, PSB_MICRO, 0);
    assert_int_equal(by_class.queries, 5);
    ASSERT_NEAR(by_class.error, by_query.error, 1e-15);
    ASSERT_NEAR(mean_of(&f, 0, PSB_MACRO, 0).error, by_query.error, 1e-15);
    psb_evaluation_close(&f.evaluation);
}

/* Many classes of 3 to 12 models; half of the variance of a value is its class's. */
enum { MANY = 60, MANY_MODELS = 12 * MANY };

typedef struct crowd {
    psb_class classes[MANY];
    size_t class_of[MANY_MODELS];
    psb_classification cla;
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    psb_evaluation evaluation; /* of two methods */
} crowd;

static void crowd_make_of(crowd *c, const size_t *sizes, size_t count) {
    static const char *const labels[] = {"a", "b"};
    memset(c, 0, sizeof *c);
    size_t n = 0;
    for (size_t k = 0; k < count; k++) {
        c->classes[k] = (psb_class){.parent = PSB_NO_CLASS, .first = n, .count = sizes[k]};
        for (size_t i = 0; i < c->classes[k].count; i++) {
            c->class_of[n++] = k;
        }
    }
    c->cla = (psb_classification){
        .nclasses = count, .classes = c->classes, .nmodels = n, .class_of = c->class_of};
    c->evaluation =
        (psb_evaluation){.cla = &c->cla, .measures = c->measures, .labels = labels, .nmethods = 2};
    assert_int_equal(psb_measures_parse("dcg", c->measures, &c->evaluation.nmeasures, NULL),
                     PSB_OK);
    assert_int_equal(psb_evaluation_open(&c->evaluation, NULL), PSB_OK);
}

static void crowd_make(crowd *c) {
    size_t sizes[MANY];
    for (size_t k = 0; k < MANY; k++) {
        sizes[k] = 3 + k % 10;
    }
    crowd_make_of(c, sizes, MANY);
}

static void crowd_draw(crowd *c, psb_random *random) {
    for (size_t k = 0; k < 2; k++) {
        double *values = psb_evaluation_values(&c->evaluation, k);
        double of_class = 0;
        for (size_t i = 0; i < c->cla.nmodels; i++) {
            bool first = i == c->classes[c->class_of[i]].first;
            of_class = first ? normal(random) : of_class;
            values[i] = of_class + normal(random);
        }
    }
}

/* The true mean is 0: mean +- 1.96 s.e. should hold it in 95 of 100 draws. */
static void intervals_cover_what_they_say(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_measures", "coverage");
    static crowd c;
    enum { DRAWS = 2000 };
    double covered[2] = {0, 0};
    crowd_make(&c);
    for (int draw = 0; draw < DRAWS; draw++) {
        crowd_draw(&c, &random);
        for (int units = 0; units < 2; units++) {
            c.evaluation.units = units == 0 ? PSB_UNITS_CLASS : PSB_UNITS_QUERY;
            psb_mean mean = psb_evaluation_mean(&c.evaluation, 0, 0, (psb_group){PSB_MICRO, 0});
            covered[units] += fabs(mean.value) < 1.96 * mean.error;
        }
    }
    assert_true(covered[0] > 0.92 * DRAWS && covered[0] < 0.96 * DRAWS);
    assert_true(covered[1] < 0.80 * DRAWS);
    psb_evaluation_close(&c.evaluation);
}

/* Two methods without a difference: p is below 0.05 once in twenty times. */
static void alarms_are_as_rare_as_they_say(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(2, "test_measures", "alarms");
    static crowd c;
    enum { DRAWS = 400 };
    double alarms[2] = {0, 0};
    crowd_make(&c);
    for (int draw = 0; draw < DRAWS; draw++) {
        crowd_draw(&c, &random);
        for (int units = 0; units < 2; units++) {
            psb_comparison pair;
            psb_test test = {.rounds = 199, .seed = (uint64_t)draw};
            c.evaluation.units = units == 0 ? PSB_UNITS_CLASS : PSB_UNITS_QUERY;
            assert_int_equal(
                psb_evaluation_compare(&c.evaluation, 0, PSB_MICRO, &test, &pair, NULL), PSB_OK);
            alarms[units] += pair.p < 0.05;
        }
    }
    assert_true(alarms[0] < 0.08 * DRAWS);
    assert_true(alarms[1] > 0.20 * DRAWS);
    psb_evaluation_close(&c.evaluation);
}

/* 18 classes, as even as can be and as uneven as the benchmark's: the interval of a difference
   holds the true one, 0, in 95 of 100 cases or more. Prints in how many. */
static void intervals_of_few_classes_hold(void **state) {
    (void)state;
    enum { FEW = 18, CASES = 500 };
    static const size_t sizes[][FEW] = {
        {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10},
        {5, 6, 7, 8, 9, 10, 11, 12, 13, 5, 6, 7, 8, 9, 10, 11, 12, 13},
        {50, 26, 21, 16, 14, 12, 10, 9, 8, 7, 6, 5, 5, 4, 4, 3, 3, 3},
    };
    psb_random random = psb_random_seeded(3, "test_measures", "few classes");
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        static crowd few;
        size_t held = 0, percentile = 0;
        crowd_make_of(&few, sizes[s], FEW);
        for (int i = 0; i < CASES; i++) {
            double *values = psb_evaluation_values(&few.evaluation, 0), sums[FEW], means[399];
            for (size_t c = 0, m = 0; c < FEW; c++) {
                double of_class = normal(&random);
                sums[c] = 0;
                for (size_t k = 0; k < sizes[s][c]; k++, m++) {
                    values[m] = of_class + normal(&random);
                    sums[c] += values[m];
                }
            }
            psb_test test = {.rounds = 1, .seed = 1};
            psb_comparison pair;
            assert_int_equal(
                psb_evaluation_compare(&few.evaluation, 0, PSB_MICRO, &test, &pair, NULL), PSB_OK);
            held += pair.low < 0 && pair.high > 0;
            /* What there was before: percentiles of classes drawn anew. */
            for (size_t r = 0; r < 399; r++) {
                double sum = 0, size = 0;
                for (size_t c = 0; c < FEW; c++) {
                    size_t drawn = psb_random_below(&random, FEW);
                    sum += sums[drawn];
                    size += (double)sizes[s][drawn];
                }
                means[r] = sum / size;
            }
            double low, high;
            psb_interval(means, 399, &low, &high);
            percentile += low < 0 && high > 0;
        }
        print_message("coverage with 18 classes of %zu ... %zu models: %.1f %%, of a percentile "
                      "bootstrap %.1f %%\n",
                      sizes[s][FEW - 1], sizes[s][0], 100.0 * (double)held / CASES,
                      100.0 * (double)percentile / CASES);
        assert_true((double)held >= 0.93 * CASES);
        psb_evaluation_close(&few.evaluation);
    }
}

/* Methods have the same p whichever comes first and whatever they are called. */
static void names_and_order_do_not_change_p(void **state) {
    (void)state;
    static crowd c;
    static const char *const labels[] = {"a", "b"}, *const other[] = {"copy", "x"};
    psb_random random = psb_random_seeded(4, "test_measures", "names");
    psb_comparison pair, named, turned;
    psb_test test = {.rounds = 999, .seed = 7};
    crowd_make(&c);
    crowd_draw(&c, &random);
    c.evaluation.labels = labels;
    assert_int_equal(psb_evaluation_compare(&c.evaluation, 0, PSB_MICRO, &test, &pair, NULL),
                     PSB_OK);
    c.evaluation.labels = other;
    assert_int_equal(psb_evaluation_compare(&c.evaluation, 0, PSB_MICRO, &test, &named, NULL),
                     PSB_OK);
    assert_memory_equal(&pair, &named, sizeof pair);
    double *a = psb_evaluation_values(&c.evaluation, 0),
           *b = psb_evaluation_values(&c.evaluation, 1);
    for (size_t i = 0; i < c.cla.nmodels; i++) {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
    assert_int_equal(psb_evaluation_compare(&c.evaluation, 0, PSB_MICRO, &test, &turned, NULL),
                     PSB_OK);
    assert_true(turned.p == pair.p && turned.difference == -pair.difference);
    ASSERT_NEAR(turned.low, -pair.high, 1e-12);
    psb_evaluation_close(&c.evaluation);
    for (size_t methods = 2; methods < 40; methods++) { /* three stars can be reached */
        size_t pairs = methods * (methods - 1) / 2;
        assert_true((double)pairs / (1 + (double)psb_test_rounds(methods)) < 0.001);
    }
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
    const psb_evaluation *e = &f.evaluation;
    fixture_open(&f, "dcg", NULL, true);
    assert_int_equal(psb_evaluation_rank(&f.evaluation, 0, &f.matrix, 1, NULL), PSB_OK);
    assert_int_equal(psb_pr_average(e, 0, PSB_MICRO, PSB_PR_OTHERS, curve, NULL), PSB_OK);
    /* n = 2: from level 10 on; precisions (1, 1), (1, 2/3), (1/3, 1/2). One-member rest: none. */
    assert_true(isnan(curve[8]));
    ASSERT_NEAR(curve[9], (1 + 1 + 1. / 3) / 3, 1e-15);
    ASSERT_NEAR(curve[19], (1 + 2. / 3 + 0.5) / 3, 1e-15);
    ASSERT_NEAR(curve[14], (curve[9] + curve[19]) / 2, 1e-15);
    /* With the query as first hit n = 3, and n = 2 for the class of two, which macro leaves out. */
    assert_int_equal(psb_pr_average(e, 0, PSB_MACRO, PSB_PR_WITH_QUERY, curve, NULL), PSB_OK);
    ASSERT_NEAR(curve[19], (1 + 3. / 4 + 3. / 5) / 3, 1e-15);
    assert_int_equal(psb_pr_average(e, 0, PSB_MICRO, PSB_PR_WITH_QUERY, curve, NULL), PSB_OK);
    /* Rows 3 and 4 have their partner last: ranks 4 and 4. */
    ASSERT_NEAR(curve[19], (1 + 3. / 4 + 3. / 5 + 2. / 5 + 2. / 5) / 5, 1e-15);
    psb_evaluation_close(&f.evaluation);
}

/* The vectors' elements are the measures at that length. */
static void gain_curves_are_measures(void **state) {
    (void)state;
    const uint32_t rank[] = {2, 3, 7};
    psb_ranks ranks = {.rank = rank, .relevant = 3, .listed = 9};
    static const char *const names[PSB_GAINS] = {"cg", "ncg", "dcg_sum", "psb_ndcg"};
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

/* Two methods over classes of given sizes, compared; the second method has zeros only. */
static psb_comparison compare(const double *a, const size_t *counts, size_t nclasses,
                              psb_units units, size_t rounds, uint64_t seed) {
    static fixture f;
    static const char *const labels[] = {"a", "b"};
    fixture_make(&f, counts, nclasses);
    psb_evaluation e = {
        .cla = &f.cla, .measures = f.measures, .labels = labels, .nmethods = 2, .units = units};
    assert_int_equal(psb_measures_parse("dcg", f.measures, &e.nmeasures, NULL), PSB_OK);
    assert_int_equal(psb_evaluation_open(&e, NULL), PSB_OK);
    memcpy(psb_evaluation_values(&e, 0), a, f.cla.nmodels * sizeof *a);
    psb_comparison c;
    psb_test test = {.rounds = rounds, .seed = seed};
    assert_int_equal(psb_evaluation_compare(&e, 0, PSB_MICRO, &test, &c, NULL), PSB_OK);
    psb_evaluation_close(&e);
    return c;
}

/* Of all 2^count sign patterns, the share whose mean is as far from 0. */
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
    const double d[8] = {0.3, 0.1, -0.2, 0.4, 0.25, 0.05, -0.1, 0.3};
    const size_t one_class[] = {8};
    psb_comparison c = compare(d, one_class, 1, PSB_UNITS_QUERY, 40000, 1);
    assert_int_equal(c.units, 8);
    ASSERT_NEAR(c.difference, 1.1 / 8, 1e-15);
    ASSERT_NEAR(c.p, exact_p(d, 8), 0.01);
    assert_true(c.low < c.difference && c.difference < c.high);
    /* Of units of one size the interval is Student's, here with 7 degrees of freedom. */
    double variance = 0;
    for (int i = 0; i < 8; i++) {
        variance += (d[i] - 1.1 / 8) * (d[i] - 1.1 / 8) / 7;
    }
    ASSERT_NEAR(c.high - c.low, 2 * 2.364624 * sqrt(variance / 8), 1e-6);
    psb_comparison again = compare(d, one_class, 1, PSB_UNITS_QUERY, 40000, 1);
    assert_memory_equal(&c, &again, sizeof c);
    psb_comparison other = compare(d, one_class, 1, PSB_UNITS_QUERY, 40000, 2);
    assert_true(other.p != c.p && other.low == c.low && other.high == c.high);
}

/* Whole classes are flipped: the exact test is that of their sums. One class alone says nothing. */
static void classes_are_flipped_whole(void **state) {
    (void)state;
    const size_t counts[] = {3, 4, 3, 5, 3};
    const double d[18] = {.1, .2, .3, .1, .1, .1, .1, -.1, 0, -.1, .3, .2, .1, 0, .1, .2, 0, .1};
    const double sums[5] = {.6, .4, -.2, .7, .3};
    psb_comparison c = compare(d, counts, 5, PSB_UNITS_CLASS, 40000, 1);
    assert_int_equal(c.units, 5);
    ASSERT_NEAR(c.difference, 1.8 / 18, 1e-15);
    ASSERT_NEAR(c.p, exact_p(sums, 5), 0.01);
    assert_true(c.p > 2 * compare(d, counts, 5, PSB_UNITS_QUERY, 40000, 1).p);
    psb_comparison alone = compare(d, (size_t[]){18}, 1, PSB_UNITS_CLASS, 1000, 1);
    assert_true(alone.p == 1 && isnan(alone.low) && isnan(alone.high));
}

static void equal_methods_do_not_differ(void **state) {
    (void)state;
    const double zeros[9] = {0};
    psb_comparison c = compare(zeros, (size_t[]){3, 3, 3}, 3, PSB_UNITS_CLASS, 1000, 1);
    assert_true(c.p == 1 && c.p_holm == 1 && c.low == 0 && c.high == 0);
}

static int stop_at_once(size_t done, size_t total, void *context) {
    ++*(size_t *)context;
    return done <= total;
}

static void comparisons_need_queries_and_can_be_stopped(void **state) {
    (void)state;
    static crowd c;
    psb_comparison pair;
    psb_error error;
    size_t calls = 0;
    bool none[MANY_MODELS] = {false};
    crowd_make(&c);
    psb_test test = {1000000000, 1, 1, stop_at_once, &calls};
    assert_int_equal(psb_evaluation_compare(&c.evaluation, 0, PSB_MICRO, &test, &pair, &error),
                     PSB_ERROR_INTERRUPTED);
    assert_int_equal(calls, 1);
    psb_evaluation_select(&c.evaluation, none);
    assert_int_equal(psb_evaluation_compare(&c.evaluation, 0, PSB_MICRO, &test, &pair, &error),
                     PSB_ERROR_USAGE);
    psb_evaluation_close(&c.evaluation);
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
        cmocka_unit_test(names_of_others),
        cmocka_unit_test(agrees_with_plain_reference),
        cmocka_unit_test(groups_and_errors),
        cmocka_unit_test(errors_of_normalized_dcg),
        cmocka_unit_test(classes_inside_classes),
        cmocka_unit_test(errors_agree_with_plain_reference),
        cmocka_unit_test(single_queries_are_their_own_classes),
        cmocka_unit_test(intervals_cover_what_they_say),
        cmocka_unit_test(intervals_of_few_classes_hold),
        cmocka_unit_test(names_and_order_do_not_change_p),
        cmocka_unit_test(alarms_are_as_rare_as_they_say),
        cmocka_unit_test(curve_by_hand),
        cmocka_unit_test(gain_curves_are_measures),
        cmocka_unit_test(randomisation_is_near_exact),
        cmocka_unit_test(classes_are_flipped_whole),
        cmocka_unit_test(equal_methods_do_not_differ),
        cmocka_unit_test(comparisons_need_queries_and_can_be_stopped),
        cmocka_unit_test(holm_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
