/* Compares average linkage, cuts and agreement with classes with code that follows the definitions
 * literally and with results by hand; tests that ties give the same tree every time. */
#include "core/random.h"
#include "eval/clusters.h"
#include "eval/silhouette.h"
#include "support/test.h"

enum { MOST = 40 };

static void link_all(const float *d, size_t n, psb_joint *joints) {
    size_t models[MOST];
    psb_matrix matrix = {.n = n, .data = d};
    psb_error error;
    for (size_t i = 0; i < n; i++) {
        models[i] = i;
    }
    if (psb_average_linkage(&matrix, models, n, joints, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
}

static void fill(float *d, size_t n, psb_random *random, uint64_t values) {
    for (size_t i = 0; i < n * n; i++) {
        bool diagonal = i / n == i % n;
        double value =
            values > 0 ? (double)psb_random_below(random, values) : psb_random_unit(random);
        d[i] = diagonal ? 0 : (float)value;
    }
}

/* The mean over all pairs of models of two clusters, of both directions. */
static double mean_between(const float *d, size_t n, const size_t *of, size_t a, size_t b) {
    double sum = 0, pairs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (of[i] == a && of[j] == b) {
                sum += ((double)d[i * n + j] + (double)d[j * n + i]) / 2;
                pairs++;
            }
        }
    }
    return pairs > 0 ? sum / pairs : HUGE_VAL;
}

/* Joins the nearest two of of[], whose distance it returns; the clusters keep the lower number. */
static double join_nearest(const float *d, size_t n, size_t *of) {
    double least = HUGE_VAL;
    size_t from = 0, into = 0;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            double mean = mean_between(d, n, of, a, b);
            if (mean < least) {
                least = mean;
                into = a;
                from = b;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        of[i] = of[i] == from ? into : of[i];
    }
    return least;
}

static void linkage_follows_the_definition(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_clusters", "linkage");
    for (int round = 0; round < 40; round++) {
        float d[MOST * MOST];
        psb_joint joints[MOST];
        size_t n = 2 + psb_random_below(&random, 24), of[MOST], cut[MOST];
        fill(d, n, &random, 0);
        link_all(d, n, joints);
        for (size_t i = 0; i < n; i++) {
            of[i] = i;
        }
        for (size_t j = 0; j + 1 < n; j++) {
            ASSERT_NEAR(joints[j].distance, join_nearest(d, n, of), 1e-9);
            assert_true(j == 0 || joints[j].distance >= joints[j - 1].distance);
            assert_true(joints[j].a < joints[j].b && joints[j].b < n + j);
            assert_int_equal(psb_clusters_cut(joints, n, n - j - 1, cut, NULL), PSB_OK);
            for (size_t a = 0; a < n; a++) {
                assert_true(cut[a] < n - j - 1);
                for (size_t b = 0; b < a; b++) {
                    assert_int_equal(cut[a] == cut[b], of[a] == of[b]);
                }
            }
        }
        assert_int_equal(joints[n - 2].models, n);
    }
}

/* Where many distances are equal each joint is still one of nearest clusters, and never descends.
 */
static void ties_are_joints_too(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_clusters", "ties");
    for (int round = 0; round < 40; round++) {
        float d[MOST * MOST];
        psb_joint joints[MOST], again[MOST];
        size_t n = 2 + psb_random_below(&random, MOST - 2), of[MOST];
        fill(d, n, &random, 1 + psb_random_below(&random, 3));
        link_all(d, n, joints);
        link_all(d, n, again);
        assert_memory_equal(joints, again, (n - 1) * sizeof *joints);
        for (size_t j = 0; j + 1 < n; j++) {
            psb_clusters_cut(joints, n, n - j, of, NULL);
            double least = HUGE_VAL;
            for (size_t a = 0; a < n - j; a++) {
                for (size_t b = a + 1; b < n - j; b++) {
                    least = fmin(least, mean_between(d, n, of, a, b));
                }
            }
            ASSERT_NEAR(joints[j].distance, least, 1e-9);
        }
    }
}

/* Points 0, 1, 4, 5, 10 of a line. */
static void by_hand(void **state) {
    (void)state;
    const double at[5] = {0, 1, 4, 5, 10};
    float d[25];
    psb_joint joints[4];
    size_t cluster[5];
    const size_t classes[5] = {0, 0, 1, 1, 1};
    for (size_t i = 0; i < 25; i++) {
        d[i] = (float)fabs(at[i / 5] - at[i % 5]);
    }
    link_all(d, 5, joints);
    const psb_joint expected[4] = {{0, 1, 1, 2}, {2, 3, 1, 2}, {5, 6, 4, 4}, {4, 7, 7.5, 5}};
    for (size_t j = 0; j < 4; j++) {
        assert_int_equal(joints[j].a, expected[j].a);
        assert_int_equal(joints[j].b, expected[j].b);
        assert_int_equal(joints[j].models, expected[j].models);
        ASSERT_NEAR(joints[j].distance, expected[j].distance, 0);
    }
    psb_agreement agreement;
    psb_clusters_cut(joints, 5, 3, cluster, NULL);
    assert_memory_equal(cluster, ((size_t[]){0, 0, 1, 1, 2}), sizeof cluster);
    assert_int_equal(psb_clusters_agree(classes, 2, cluster, 3, 5, &agreement, NULL), PSB_OK);
    ASSERT_NEAR(agreement.purity, 1, 0);
    /* Of 10 pairs 2 are together in both, 4 by class, 2 by cluster: (2 - .8) / (3 - .8). */
    ASSERT_NEAR(agreement.ari, 1.2 / 2.2, 1e-15);
    double of_classes = -(0.4 * log(0.4) + 0.6 * log(0.6));
    double of_clusters = -(0.8 * log(0.4) + 0.2 * log(0.2));
    ASSERT_NEAR(agreement.nmi, 2 * of_classes / (of_classes + of_clusters), 1e-14);
    psb_clusters_cut(joints, 5, 2, cluster, NULL);
    psb_clusters_agree(classes, 2, cluster, 2, 5, &agreement, NULL);
    ASSERT_NEAR(agreement.purity, 3. / 5, 1e-15);
    /* All alone, and all in one: what chance expects. */
    psb_clusters_cut(joints, 5, 5, cluster, NULL);
    psb_clusters_agree(classes, 2, cluster, 5, 5, &agreement, NULL);
    ASSERT_NEAR(agreement.ari, 0, 1e-15);
    psb_clusters_cut(joints, 5, 1, cluster, NULL);
    psb_clusters_agree(classes, 2, cluster, 1, 5, &agreement, NULL);
    ASSERT_NEAR(agreement.ari, 0, 1e-15);
    ASSERT_NEAR(agreement.nmi, 0, 1e-15);
    psb_clusters_agree(cluster, 1, cluster, 1, 5, &agreement, NULL);
    ASSERT_NEAR(agreement.ari + agreement.nmi + agreement.purity, 3, 0);
}

/* From all pairs of models and from shares, without a table of counts. */
static psb_agreement plain_agreement(const size_t *class_of, const size_t *cluster, size_t n) {
    double both = 0, by_class = 0, by_cluster = 0, neither = 0, most = 0;
    double information = 0, entropies = 0, all = (double)n;
    for (size_t i = 0; i < n; i++) {
        double same[3] = {0}, best = 0;
        for (size_t j = 0; j < n; j++) {
            bool c = class_of[i] == class_of[j], k = cluster[i] == cluster[j];
            same[0] += c;
            same[1] += k;
            same[2] += c && k;
            if (i < j) {
                both += c && k;
                by_class += c && !k;
                by_cluster += k && !c;
                neither += !c && !k;
            }
            double of_class = 0; /* models of j's class in the cluster of i */
            for (size_t l = 0; l < n && k; l++) {
                of_class += class_of[l] == class_of[j] && cluster[l] == cluster[i];
            }
            best = of_class > best ? of_class : best;
        }
        most += best / same[1];
        information += log(same[2] * all / (same[0] * same[1])) / all;
        entropies -= (log(same[0] / all) + log(same[1] / all)) / all;
    }
    double above = 2 * (both * neither - by_class * by_cluster);
    double below =
        (both + by_class) * (by_class + neither) + (both + by_cluster) * (by_cluster + neither);
    return (psb_agreement){most / all, entropies > 0 ? 2 * information / entropies : 1,
                           below > 0 ? above / below : 1};
}

static void agreement_follows_the_definition(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_clusters", "agreement");
    for (int round = 0; round < 200; round++) {
        size_t n = 2 + psb_random_below(&random, MOST - 2), class_of[MOST], cluster[MOST];
        size_t classes = 1 + psb_random_below(&random, 6),
               clusters = 1 + psb_random_below(&random, 6);
        for (size_t i = 0; i < n; i++) {
            class_of[i] = psb_random_below(&random, classes);
            cluster[i] = psb_random_below(&random, clusters);
        }
        psb_agreement found, plain = plain_agreement(class_of, cluster, n);
        assert_int_equal(psb_clusters_agree(class_of, classes, cluster, clusters, n, &found, NULL),
                         PSB_OK);
        ASSERT_NEAR(found.purity, plain.purity, 1e-12);
        ASSERT_NEAR(found.nmi, plain.nmi, 1e-12);
        ASSERT_NEAR(found.ari, plain.ari, 1e-12);
    }
}

static void refuses_what_is_no_distance(void **state) {
    (void)state;
    const float wrong[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < 3; i++) {
        float d[4] = {0, 1, wrong[i], 0};
        psb_joint joint;
        psb_matrix matrix = {.n = 2, .data = d};
        assert_int_equal(psb_average_linkage(&matrix, (size_t[]){0, 1}, 2, &joint, NULL),
                         PSB_ERROR_INPUT);
    }
}

/* By the definition, pair by pair. */
static double plain_silhouette(const float *d, size_t n, const size_t *of, size_t i) {
    double within = 0, own = 0, nearest = HUGE_VAL;
    for (size_t j = 0; j < n; j++) {
        within += j != i && of[j] == of[i] ? (double)d[i * n + j] : 0;
        own += j != i && of[j] == of[i];
        double sum = 0, count = 0;
        for (size_t l = 0; l < n; l++) { /* the class of j */
            sum += of[l] == of[j] ? (double)d[i * n + l] : 0;
            count += of[l] == of[j];
        }
        nearest = of[j] != of[i] ? fmin(nearest, sum / count) : nearest;
    }
    double most = own > 0 ? fmax(within / own, nearest) : 0;
    return most > 0 ? (nearest - within / own) / most : 0;
}

static void silhouette_agrees_with_plain_reference(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "test_clusters", "silhouette");
    for (int round = 0; round < 300; round++) {
        size_t n = 3 + psb_random_below(&random, MOST - 2),
               k = 2 + psb_random_below(&random, n - 2);
        float d[MOST * MOST];
        size_t models[MOST], label[MOST];
        double plain = 0, mean;
        fill(d, n, &random, round % 3 == 0 ? 2 : 0);
        for (size_t i = 0; i < n; i++) {
            models[i] = i;
            label[i] = i < k ? i : psb_random_below(&random, k);
        }
        for (size_t i = 0; i < n; i++) {
            plain += plain_silhouette(d, n, label, i) / (double)n;
        }
        psb_matrix matrix = {.n = n, .data = d};
        assert_int_equal(psb_silhouette(&matrix, models, label, k, n, &mean, NULL), PSB_OK);
        ASSERT_NEAR(mean, plain, 1e-13);
        assert_int_equal(psb_silhouette(&matrix, models, label, n, n, &mean, NULL), PSB_OK);
        assert_true(isnan(mean));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linkage_follows_the_definition),
        cmocka_unit_test(ties_are_joints_too),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(agreement_follows_the_definition),
        cmocka_unit_test(refuses_what_is_no_distance),
        cmocka_unit_test(silhouette_agrees_with_plain_reference),
    };
    return cmocka_run_group_tests_name("clusters", tests, NULL, NULL);
}
