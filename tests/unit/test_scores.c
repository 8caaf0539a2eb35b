/* Compares ranks, the five figures and their averages with values by hand and a plain reference. */
#include "../support/test.h"
#include "core/random.h"
#include "eval/evaluation.h"
#include "eval/ranks.h"
#include "eval/relevance.h"

#include <stdlib.h>
#include <string.h>

enum { MODELS = 48, CLASSES = 48 };

/* A classification without names, in memory of its own. */
typedef struct fixture {
    psb_class classes[CLASSES];
    size_t class_of[MODELS];
    psb_classification cla;
    float distances[MODELS * MODELS];
    psb_matrix matrix;
    psb_chosen_measure figures[PSB_MAX_CHOSEN];
    psb_evaluation evaluation;
    double (*scores)[PSB_FIGURES]; /* its values */
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
    assert_true(n <= MODELS);
    f->cla = (psb_classification){
        .nclasses = nclasses, .classes = f->classes, .nmodels = n, .class_of = f->class_of};
    f->matrix = (psb_matrix){.n = n, .data = f->distances};
}

static psb_status fixture_rank(fixture *f, int threads, psb_error *error) {
    psb_evaluation_close(&f->evaluation);
    f->evaluation = (psb_evaluation){.cla = &f->cla, .measures = f->figures, .nmethods = 1};
    assert_int_equal(psb_measures_parse("table4", f->figures, &f->evaluation.nmeasures, error),
                     PSB_OK);
    assert_int_equal(psb_evaluation_open(&f->evaluation, error), PSB_OK);
    f->scores = (double(*)[PSB_FIGURES])psb_evaluation_values(&f->evaluation, 0);
    return psb_evaluation_rank(&f->evaluation, 0, &f->matrix, threads, error);
}

static void fixture_score(fixture *f, int threads) {
    psb_error error;
    assert_int_equal(fixture_rank(f, threads, &error), PSB_OK);
}

static psb_average average(const fixture *f, psb_grouping kind, size_t which) {
    return psb_evaluation_average(&f->evaluation, 0, (psb_group){kind, which});
}

static void assert_figures(const double figure[PSB_FIGURES], double nn, double tier1, double tier2,
                           double e, double dcg) {
    const double expected[PSB_FIGURES] = {nn, tier1, tier2, e, dcg};
    for (size_t i = 0; i < PSB_FIGURES; i++) {
        ASSERT_NEAR(figure[i], expected[i], 1e-15);
    }
}

/* Three models of class 0 (0 1 2), four of class 1 (3 4 5 6). */
static void hand_worked(void **state) {
    (void)state;
    fixture f;
    fixture_make(&f, (size_t[]){3, 4}, 2);
    const float distances[7 * 7] = {
        0, 1, 5, 2, 6, 7, 8, /* relevant at 1 and 3 */
        4, 0, 3, 3, 3, 3, 3, /* ties: 2 comes before 3 4 5 6, then 0: relevant at 1 and 6 */
        9, 8, 0, 1, 2, 3, 4, /* relevant at 5 and 6 */
        1, 1, 1, 9, 1, 1, 1, /* own entry is not looked at; all tie: relevant at 4 5 6 */
        0, 0, 0, 0, 0, 0, 0, /* the same, zeros */
        5, 5, 5, 1, 2, 9, 3, /* relevant at 1 2 3 */
        1, 5, 6, 2, 3, 4, 0, /* relevant at 2 3 4 */
    };
    memcpy(f.distances, distances, sizeof distances);
    fixture_score(&f, 1);

    const double log2_3 = 1 / log2(3), log2_5 = 1 / log2(5), log2_6 = 1 / log2(6);
    /* The list has six models: E cuts off at 6, so P = 2/6, Q = 1 and E = 1/2 for R = 2. */
    assert_figures(f.scores[0], 1, 0.5, 1, 0.5, (1 + log2_3) / 2);
    assert_figures(f.scores[1], 1, 0.5, 0.5, 0.5, (1 + log2_6) / 2);
    assert_figures(f.scores[2], 0, 0, 0, 0.5, (log2_5 + log2_6) / 2);
    double last = (0.5 + log2_5 + log2_6) / (2 + log2_3);
    assert_figures(f.scores[3], 0, 0, 1, 2. / 3, last);
    assert_figures(f.scores[4], 0, 0, 1, 2. / 3, last);
    assert_figures(f.scores[5], 1, 1, 1, 2. / 3, 1);
    assert_figures(f.scores[6], 0, 2. / 3, 1, 2. / 3, (1 + log2_3 + 0.5) / (2 + log2_3));

    psb_average micro = average(&f, PSB_MICRO, 0);
    assert_int_equal(micro.queries, 7);
    assert_int_equal(micro.classes, 2);
    ASSERT_NEAR(micro.figure[PSB_NEAREST_NEIGHBOR], 3. / 7, 1e-15);
    ASSERT_NEAR(micro.figure[PSB_FIRST_TIER], (0.5 + 0.5 + 0 + 0 + 0 + 1 + 2. / 3) / 7, 1e-15);
    /* Residuals of the classes: 2 - 3 * 3/7 and 1 - 4 * 3/7, which is the same with a sign. */
    ASSERT_NEAR(micro.nearest_neighbor_error, sqrt(2. * 2 * (5. / 7) * (5. / 7)) / 7, 1e-15);
    f.evaluation.units = PSB_UNITS_QUERY;
    ASSERT_NEAR(average(&f, PSB_MICRO, 0).nearest_neighbor_error, sqrt(3. / 7 * 4 / 7 / 6), 1e-15);

    psb_average macro = average(&f, PSB_MACRO, 0);
    assert_int_equal(macro.queries, 7);
    assert_int_equal(macro.classes, 2);
    ASSERT_NEAR(macro.figure[PSB_NEAREST_NEIGHBOR], (2. / 3 + 1. / 4) / 2, 1e-15);
    ASSERT_NEAR(macro.nearest_neighbor_error, (2. / 3 - 1. / 4) / 2, 1e-15);

    psb_average class1 = average(&f, PSB_PER_CLASS, 1);
    assert_int_equal(class1.queries, 4);
    ASSERT_NEAR(class1.figure[PSB_SECOND_TIER], 1, 1e-15);
    psb_evaluation_close(&f.evaluation);
}

/* -0 and 0 are equal distances: the order is that of indices. */
static void negative_zero(void **state) {
    (void)state;
    fixture f;
    fixture_make(&f, (size_t[]){2, 2}, 2);
    const float zeros[4 * 4] = {
        9, 0, -0.0F, 9,                             /* 1 before 2 */
        9, 9, 9,     9, 9, 9, 9, 9, -0.0F, 9, 0, 9, /* 0 before 2 */
    };
    memcpy(f.distances, zeros, sizeof zeros);
    fixture_score(&f, 1);
    assert_true(f.scores[0][PSB_NEAREST_NEIGHBOR] == 1);
    assert_true(f.scores[3][PSB_NEAREST_NEIGHBOR] == 0);
    psb_evaluation_close(&f.evaluation);
}

/* Miscellaneous models are never queries but listed; small classes are scored, not averaged. */
static void who_takes_part(void **state) {
    (void)state;
    fixture f;
    fixture_make(&f, (size_t[]){3, 1, 3, 0, 2}, 5); /* 0 1 2 | 3 | 4 5 6 | | 7 8 */
    f.classes[0].miscellaneous = true;
    for (size_t i = 0; i < 9; i++) {
        for (size_t j = 0; j < 9; j++) {
            f.distances[i * 9 + j] = (float)j;
        }
    }
    fixture_score(&f, 1);
    assert_figures(f.scores[2], 0, 0, 0, 0, 0);
    assert_figures(f.scores[3], 0, 0, 0, 0, 0);
    /* 0 1 2 3 stand before the two relevant models: ranks 5 and 6 of 8. */
    assert_figures(f.scores[4], 0, 0, 0, 0.4, (1 / log2(5) + 1 / log2(6)) / 2);
    assert_figures(f.scores[7], 0, 0, 0, 2. / 9, 1. / 3);

    psb_average micro = average(&f, PSB_MICRO, 0);
    assert_int_equal(micro.queries, 3);
    assert_int_equal(micro.classes, 1);
    psb_average macro = average(&f, PSB_MACRO, 0);
    assert_int_equal(macro.queries, 3);
    assert_memory_equal(micro.figure, macro.figure, sizeof micro.figure);
    const size_t taking_part[] = {0, 0, 3, 0, 0};
    for (size_t c = 0; c < 5; c++) {
        assert_int_equal(average(&f, PSB_PER_CLASS, c).queries, taking_part[c]);
    }
    psb_evaluation_close(&f.evaluation);
}

static void nobody_takes_part(void **state) {
    (void)state;
    fixture f;
    fixture_make(&f, (size_t[]){1, 2}, 2);
    fixture_score(&f, 1);
    psb_average micro = average(&f, PSB_MICRO, 0);
    psb_average macro = average(&f, PSB_MACRO, 0);
    assert_int_equal(micro.queries, 0);
    assert_int_equal(macro.classes, 0);
    assert_figures(micro.figure, 0, 0, 0, 0, 0);
    assert_figures(macro.figure, 0, 0, 0, 0, 0);
    psb_evaluation_close(&f.evaluation);
}

/* The slow reference: the list itself, built by selection, and the definitions word by word. */

static void plain_list(const fixture *f, size_t query, size_t *list) {
    const float *row = f->distances + query * f->matrix.n;
    size_t length = 0;
    for (size_t i = 0; i < f->matrix.n; i++) {
        if (i == query) {
            continue;
        }
        size_t at = length++;
        for (; at > 0 && row[list[at - 1]] > row[i]; at--) {
            list[at] = list[at - 1];
        }
        list[at] = i;
    }
}

static void plain_scores(const fixture *f, size_t query, double figure[PSB_FIGURES]) {
    size_t list[MODELS];
    plain_list(f, query, list);
    size_t length = f->matrix.n - 1;
    size_t others = f->classes[f->class_of[query]].count - 1;
    size_t page = length < 32 ? length : 32;
    double in_tier1 = 0, in_tier2 = 0, in_page = 0, gain = 0, ideal = 0;
    for (size_t rank = 1; rank <= length; rank++) {
        double worth = rank == 1 ? 1 : 1 / log2((double)rank);
        ideal += rank <= others ? worth : 0;
        if (f->class_of[list[rank - 1]] == f->class_of[query]) {
            in_tier1 += rank <= others;
            in_tier2 += rank <= 2 * others;
            in_page += rank <= page;
            gain += worth;
        }
    }
    double precision = in_page / (double)page;
    double recall = in_page / (double)others;
    figure[PSB_NEAREST_NEIGHBOR] = f->class_of[list[0]] == f->class_of[query];
    figure[PSB_FIRST_TIER] = in_tier1 / (double)others;
    figure[PSB_SECOND_TIER] = in_tier2 / (double)others;
    figure[PSB_E_MEASURE] = in_page > 0 ? 2 / (1 / precision + 1 / recall) : 0;
    figure[PSB_DCG] = gain / ideal;
}

static void fill_random(fixture *f, psb_random *random) {
    size_t counts[CLASSES] = {0};
    size_t nclasses = 0;
    size_t models = 0;
    size_t wanted = 2 + psb_random_below(random, MODELS - 2);
    while (models < wanted) {
        counts[nclasses] = 1 + psb_random_below(random, wanted - models);
        models += counts[nclasses++];
    }
    fixture_make(f, counts, nclasses);
    /* Few values make many ties. */
    uint64_t values = 1 + psb_random_below(random, 60);
    for (size_t i = 0; i < models * models; i++) {
        f->distances[i] = 0.37F * (float)psb_random_below(random, values);
    }
}

static void agrees_with_plain_reference(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_scores", "reference");
    static fixture f;
    for (int round = 0; round < 1000; round++) {
        fill_random(&f, &random);
        fixture_score(&f, 1 + round % 4);
        for (size_t i = 0; i < f.matrix.n; i++) {
            double plain[PSB_FIGURES] = {0};
            if (f.classes[f.class_of[i]].count > 1) {
                plain_scores(&f, i, plain);
            }
            assert_figures(f.scores[i], plain[0], plain[1], plain[2], plain[3], plain[4]);
        }
        psb_evaluation_close(&f.evaluation);
    }
}

static void same_bytes_for_any_threads(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(2, "test_scores", "threads");
    static fixture f;
    double one[MODELS][PSB_FIGURES];
    fill_random(&f, &random);
    fixture_score(&f, 1);
    memcpy(one, f.scores, f.matrix.n * sizeof *one);
    for (int threads = 2; threads <= 5; threads++) {
        fixture_score(&f, threads);
        assert_memory_equal(one, f.scores, f.matrix.n * sizeof *one);
    }
    psb_evaluation_close(&f.evaluation);
}

static void refuses_what_cannot_be_ranked(void **state) {
    (void)state;
    const float wrong[] = {NAN, INFINITY, -1};
    for (size_t w = 0; w < 3; w++) {
        fixture f;
        fixture_make(&f, (size_t[]){2, 2}, 2);
        f.distances[2 * 4 + 3] = wrong[w];
        psb_error error;
        assert_int_equal(fixture_rank(&f, 2, &error), PSB_ERROR_INPUT);
        assert_non_null(strstr(error.message, "row 2, column 3"));
        psb_evaluation_close(&f.evaluation);
    }
    fixture f;
    fixture_make(&f, (size_t[]){2, 2}, 2);
    f.matrix.n = 3;
    assert_int_equal(fixture_rank(&f, 1, NULL), PSB_ERROR_INPUT);
    psb_evaluation_close(&f.evaluation);
}

/* Judged queries need not be relevant for themselves: they are left out of their list all the same.
 */
static void a_query_among_the_irrelevant_has_no_rank(void **state) {
    (void)state;
    enum { TARGETS = 300, MOST = 150 };
    psb_random random = psb_random_seeded(4, "test_scores", "self");
    psb_classification targets = {.nmodels = TARGETS};
    for (size_t relevant = 1; relevant <= MOST; relevant += relevant < 70 ? 23 : 27) {
        float row[TARGETS];
        uint32_t target[MOST];
        size_t set_of = 0, first[] = {0, relevant}, self = 2 * relevant + 1;
        bool wanted[TARGETS] = {false};
        for (size_t i = 0; i < TARGETS; i++) {
            row[i] = (float)psb_random_below(&random, 40);
        }
        for (size_t k = 0; k < relevant; k++) { /* even numbers; the query's own is odd */
            target[k] = (uint32_t)(k < relevant / 2 ? 2 * k : TARGETS - 2 * (relevant - k));
            wanted[target[k]] = true;
        }
        row[self] = 0.0F;
        psb_relevance relevance = {.queries = &targets,
                                   .targets = &targets,
                                   .set_of = &set_of,
                                   .nsets = 1,
                                   .first = first,
                                   .target = target,
                                   .self = &self};
        void *scratch = malloc(psb_ranks_scratch(&relevance));
        assert_non_null(scratch);
        psb_ranks ranks = psb_rank_relevant(&relevance, row, 0, scratch);
        assert_int_equal(ranks.relevant, relevant);
        assert_int_equal(ranks.listed, TARGETS - 1);
        size_t found = 0;
        for (size_t i = 0; i < TARGETS; i++) {
            size_t rank = 1;
            for (size_t j = 0; j < TARGETS; j++) {
                rank += j != self && (row[j] < row[i] || (row[j] == row[i] && j < i));
            }
            for (size_t k = 0; wanted[i] && k < relevant; k++) {
                found += ranks.rank[k] == rank;
            }
        }
        assert_int_equal(found, relevant);
        free(scratch);
    }
}

/* The best order has each grade as often as it is among the others: the query itself is no result.
 */
static void ideal_order_is_without_the_query(void **state) {
    (void)state;
    uint32_t target[] = {2, 3, 5, 7, 11};
    uint8_t grade[] = {1, 3, 2, 3, 1}, ideal[5];
    size_t set_of = 0, first[] = {0, 5}, self = 7;
    psb_relevance relevance = {.set_of = &set_of,
                               .nsets = 1,
                               .first = first,
                               .target = target,
                               .grade = grade,
                               .self = &self};
    psb_relevant set = psb_relevance_set(&relevance, 0);
    psb_relevant_ideal(&set, self, ideal);
    assert_memory_equal(ideal, ((uint8_t[]){3, 2, 1, 1}), 4);
    psb_relevant_ideal(&set, 6, ideal);
    assert_memory_equal(ideal, ((uint8_t[]){3, 3, 2, 1, 1}), 5);
}

static void normalized_dcg(void **state) {
    (void)state;
    psb_dcg_set set = {0, 0}, empty = {0, 0};
    psb_dcg_set_add(&set, 0.2);
    psb_dcg_set_add(&set, 0.6);
    ASSERT_NEAR(psb_normalized_dcg(0.2, &set), -0.5, 1e-15);
    ASSERT_NEAR(psb_normalized_dcg(0.4, &set), 0, 1e-15);
    ASSERT_NEAR(psb_normalized_dcg(0.6, &set), 0.5, 1e-15);
    ASSERT_NEAR(psb_normalized_dcg(0, &empty), 0, 0);
    assert_true(isnan(psb_normalized_dcg(NAN, &set)));
}

static void table_of_measures(void **state) {
    (void)state;
    assert_true(psb_measure_count() >= PSB_FIGURES);
    for (size_t i = 0; i < psb_measure_count(); i++) {
        const psb_measure *measure = psb_measure_at(i);
        assert_true(psb_measure_find(measure->name) == measure);
        /* All measures agree on the extremes; gains are not shares. */
        uint32_t best[3] = {1, 2, 3};
        psb_ranks ranks = {.rank = best, .relevant = 3, .listed = 3};
        psb_measure at_three = *measure;
        at_three.parameter = measure->at_length ? 3 : measure->parameter;
        if (!measure->as_sum && strcmp(measure->name, "f_mean") != 0) {
            ASSERT_NEAR(psb_measure_compute(&at_three, &ranks), 1, 1e-15);
        }
        psb_ranks none = {.listed = 10};
        assert_true(psb_measure_compute(measure, &none) == 0);
    }
    assert_string_equal(psb_measure_at(PSB_DCG)->name, "dcg");
    assert_null(psb_measure_find("no_such_measure"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_worked),
        cmocka_unit_test(negative_zero),
        cmocka_unit_test(who_takes_part),
        cmocka_unit_test(nobody_takes_part),
        cmocka_unit_test(agrees_with_plain_reference),
        cmocka_unit_test(same_bytes_for_any_threads),
        cmocka_unit_test(refuses_what_cannot_be_ranked),
        cmocka_unit_test(a_query_among_the_irrelevant_has_no_rank),
        cmocka_unit_test(ideal_order_is_without_the_query),
        cmocka_unit_test(normalized_dcg),
        cmocka_unit_test(table_of_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
