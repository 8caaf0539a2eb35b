/* Compares groups of duplicates with a look at every pair of models; tests evidence of files. */
#include "core/file.h"
#include "core/random.h"
#include "io/mesh.h"
#include "studies/duplicates.h"
#include "studies/same_surface.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/test.h"

enum { ROWS = 300, LENGTH = 4 };

static float rows[ROWS][LENGTH];

static int fill(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(6, "rows", "test");
    for (int i = 0; i < ROWS * LENGTH; i++) {
        rows[i / LENGTH][i % LENGTH] = (float)psb_random_below(&random, 40);
    }
    test_folder();
    return 0;
}

static int clean(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

static psb_npy table_of(size_t n) {
    return (psb_npy){
        .rows = n, .columns = LENGTH, .element = PSB_FLOAT32, .data = rows, .converted = rows};
}

static psb_duplicates_found find(const psb_npy *npy, char *const *files, double quantile,
                                 int threads, size_t failures) {
    psb_duplicates_job job = {.path = "rows.npy",
                              .rows = npy,
                              .metric = &psb_l1,
                              .files = files,
                              .options = {.quantile = quantile, .memory = (size_t)1 << 30},
                              .threads = threads};
    psb_duplicates_found found;
    psb_error error;
    assert_int_equal(psb_duplicates_find(&job, &found, &error), PSB_OK);
    assert_int_equal(found.failures, failures);
    return found;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Labels spread over all pairs until nothing changes. */
static double slow_groups(double quantile, size_t label[ROWS], double nearest[ROWS]) {
    double sorted[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        nearest[i] = INFINITY;
        label[i] = i;
        for (size_t j = 0; j < ROWS; j++) {
            nearest[i] =
                i == j ? nearest[i] : fmin(nearest[i], psb_l1.pair(rows[i], rows[j], LENGTH));
        }
        sorted[i] = nearest[i];
    }
    qsort(sorted, ROWS, sizeof sorted[0], compare_doubles);
    double threshold = INFINITY;
    for (size_t k = ROWS; k-- > 0 && (double)(k + 1) >= quantile * ROWS;) {
        threshold = sorted[k];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < (size_t)ROWS * ROWS; k++) {
            size_t i = k / ROWS, j = k % ROWS;
            if (i != j && label[j] < label[i] &&
                psb_l1.pair(rows[i], rows[j], LENGTH) <= threshold) {
                label[i] = label[j];
                changed = true;
            }
        }
    }
    return threshold;
}

static void near_rows_are_those_of_all_pairs(void **state) {
    (void)state;
    static const double quantiles[] = {0.01, 0.1, 0.5, 1};
    psb_npy npy = table_of(ROWS);
    for (int q = 0; q < 4; q++) {
        size_t label[ROWS], members = 0;
        double nearest[ROWS], threshold = slow_groups(quantiles[q], label, nearest);
        psb_duplicates_found found = find(&npy, NULL, quantiles[q], 1, 0);
        ASSERT_NEAR(found.threshold, threshold, 0);
        for (size_t i = 0; i < ROWS; i++) {
            members += nearest[i] <= threshold;
        }
        assert_int_equal(found.count, members);
        for (size_t k = 0; k < found.count; k++) {
            const psb_duplicate *d = &found.members[k];
            ASSERT_NEAR(d->distance, nearest[d->model], 0);
            ASSERT_NEAR(psb_l1.pair(rows[d->model], rows[d->like], LENGTH), nearest[d->model], 0);
            for (size_t l = 0; l < found.count; l++) {
                const psb_duplicate *e = &found.members[l];
                assert_int_equal(d->group == e->group, label[d->model] == label[e->model]);
                assert_true(k == l || (k < l) == (d->group < e->group ||
                                                  (d->group == e->group && d->model < e->model)));
            }
        }
        psb_duplicates_found other = find(&npy, NULL, quantiles[q], 3, 0);
        assert_int_equal(other.groups, found.groups);
        for (size_t k = 0; k < found.count; k++) {
            assert_int_equal(other.members[k].like, found.members[k].like);
        }
        psb_duplicates_free(&other);
        psb_duplicates_free(&found);
    }
}

/*
 * 0, 3: one file; 1, 4: the same triangles; 2: none; 5 is as 0 by triangles alone; 6 is no mesh and
 * is left out.
 */
static void files_are_evidence(void **state) {
    (void)state;
    enum { N = 7 };
    static const char *const names[N] = {"a.off", "b.off", "c.off",      "d.off",
                                         "e.obj", "f.ply", "damaged.off"};
    double turn[3][3];
    test_rotation(1, 2, 3, 0.7, turn);
    psb_mesh blob = test_blob(1, 40), other = test_blob(2, 40), third = test_blob(3, 40);
    psb_mesh turned = test_copy(&other), again = test_copy(&blob);
    test_transform(&turned, (const double(*)[3])turn, (const double[3]){1, 2, 3});
    test_transform(&again, (const double(*)[3])turn, (const double[3]){3, 2, 1});
    const psb_mesh *meshes[N - 1] = {&blob, &other, &third, &blob, &turned, &again};
    char paths[N][300], *files[N + 1];
    for (size_t i = 0; i < N; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", test_path(names[i]));
        files[i] = paths[i];
        assert_true(i == N - 1 ||
                    psb_mesh_write(paths[i], meshes[i], PSB_PRESET, false, NULL) == PSB_OK);
    }
    assert_int_equal(psb_write_file(paths[N - 1], "OFF\n1 x\n", 8, NULL), PSB_OK);
    files[N] = NULL;
    psb_npy npy = table_of(N + 1);
    for (int threads = 1; threads < 4; threads++) {
        psb_duplicates_found found = find(&npy, files, 0, threads, 1);
        static const psb_duplicate expected[5] = {
            {.model = 0, .group = 0, .evidence = PSB_SAME_BYTES, .like = 3},
            {.model = 3, .group = 0, .evidence = PSB_SAME_BYTES, .like = 0},
            {.model = 5, .group = 0, .evidence = PSB_SAME_TRIANGLES, .like = 0},
            {.model = 1, .group = 1, .evidence = PSB_SAME_TRIANGLES, .like = 4},
            {.model = 4, .group = 1, .evidence = PSB_SAME_TRIANGLES, .like = 1}};
        assert_int_equal(found.count, 5);
        assert_int_equal(found.groups, 2);
        assert_true(isnan(found.threshold));
        for (int k = 0; k < 5; k++) {
            assert_int_equal(found.members[k].model, expected[k].model);
            assert_int_equal(found.members[k].group, expected[k].group);
            assert_int_equal(found.members[k].evidence, expected[k].evidence);
            assert_int_equal(found.members[k].like, expected[k].like);
        }
        psb_duplicates_free(&found);
    }
    psb_mesh *all[] = {&blob, &other, &third, &turned, &again};
    for (int i = 0; i < 5; i++) {
        psb_mesh_free(all[i]);
    }
}

/* Of the last ones alone: each against all others, one after the other. */
static void added_models_are_compared_with_all(void **state) {
    (void)state;
    enum { KNOWN = 250, ADDED = ROWS - KNOWN };
    psb_npy npy = table_of(ROWS);
    double nearest[ADDED], sorted[ADDED];
    for (size_t i = KNOWN; i < ROWS; i++) {
        nearest[i - KNOWN] = INFINITY;
        for (size_t j = 0; j < ROWS; j++) {
            double d = psb_l1.pair(rows[i], rows[j], LENGTH);
            nearest[i - KNOWN] = i == j ? nearest[i - KNOWN] : fmin(nearest[i - KNOWN], d);
        }
    }
    memcpy(sorted, nearest, sizeof sorted);
    qsort(sorted, ADDED, sizeof sorted[0], compare_doubles);
    psb_duplicates_job job = {.path = "rows.npy",
                              .rows = &npy,
                              .metric = &psb_l1,
                              .known = KNOWN,
                              .options = {.quantile = 0.3, .memory = (size_t)1 << 30},
                              .threads = 2};
    psb_duplicates_found found;
    assert_int_equal(psb_duplicates_find(&job, &found, NULL), PSB_OK);
    ASSERT_NEAR(found.threshold, sorted[(size_t)(0.3 * ADDED) - 1], 0);
    size_t listed = 0;
    for (size_t k = 0; k < found.count; k++) {
        const psb_duplicate *d = &found.members[k];
        bool with_added = false;
        for (size_t l = 0; l < found.count; l++) {
            with_added = with_added ||
                         (found.members[l].group == d->group && found.members[l].model >= KNOWN);
        }
        assert_true(with_added);
        if (d->model >= KNOWN) {
            listed++;
            ASSERT_NEAR(d->distance, nearest[d->model - KNOWN], 0);
            assert_true(d->distance <= found.threshold);
        }
    }
    for (size_t i = 0; i < ADDED; i++) {
        listed -= nearest[i] <= found.threshold;
    }
    assert_int_equal(listed, 0);
    psb_duplicates_free(&found);
}

/* Random triangles have no symmetry; each is cut in four. */
static void a_surface_is_known_by_other_triangles(void **state) {
    (void)state;
    double turn[3][3];
    test_rotation(1, -2, 3, 1.1, turn);
    psb_mesh blob = test_blob(1, 60), other = test_blob(2, 60), cut = test_subdivide(&blob);
    for (int k = 0; k < 9; k++) {
        turn[k / 3][k % 3] *= 2.5;
    }
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        psb_mesh copy = test_copy(&cut);
        for (int i = 0; i < 3; i++) {
            turn[i][0] *= mirrored > 0 ? -1 : 1;
        }
        test_transform(&copy, (const double(*)[3])turn, (const double[3]){4, 5, 6});
        psb_facets facets[3] = {{0}};
        const psb_mesh *meshes[3] = {&blob, &copy, &other};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(psb_facets_make(meshes[i], &facets[i], NULL), PSB_OK);
        }
        for (int k = 0; k < PSB_SURFACE_PRINTS; k++) {
            ASSERT_NEAR(facets[0].surface[k], facets[1].surface[k], 1e-9);
        }
        assert_true(psb_surface_prints_agree(facets[0].surface, facets[1].surface));
        psb_congruence how;
        bool same;
        assert_int_equal(psb_same_surface(&blob, "a", &copy, "b", &same, &how, NULL), PSB_OK);
        assert_true(same);
        assert_int_equal(how.mirrored, mirrored);
        ASSERT_NEAR(how.scale, 2.5, 0.02);
        assert_true(how.deviation <= PSB_SAME_SURFACE);
        assert_int_equal(psb_same_surface(&other, "a", &copy, "b", &same, &how, NULL), PSB_OK);
        assert_false(same);
        for (int i = 0; i < 3; i++) {
            psb_facets_free(&facets[i]);
        }
        psb_mesh_free(&copy);
    }
    psb_mesh_free(&blob);
    psb_mesh_free(&other);
    psb_mesh_free(&cut);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added_models_are_compared_with_all),
        cmocka_unit_test(a_surface_is_known_by_other_triangles),
        cmocka_unit_test(near_rows_are_those_of_all_pairs),
        cmocka_unit_test(files_are_evidence),
    };
    return cmocka_run_group_tests(tests, fill, clean);
}
