/* Tests distances as .matrix, .npy and text, features with a metric, and errors in all of them. */
#include "proof/matrix_input.h"
#include "support/files.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path;

static int make_path(void **state) {
    (void)state;
    path = test_path("input");
    return 0;
}

static int remove_path(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

static void put(const void *data, size_t size) {
    psb_error error;
    assert_int_equal(psb_write_file(path, data, size, &error), PSB_OK);
}

static void put_npy(const char *type, size_t rows, size_t columns, const void *data, size_t size) {
    char file[512] = "\x93NUMPY\1\0";
    int n = snprintf(file + 10, 200, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu)}",
                     type, rows, columns);
    memset(file + 10 + n, ' ', (size_t)(118 - n));
    file[8] = 118;
    file[127] = '\n';
    memcpy(file + 128, data, size);
    put(file, 128 + size);
}

static psb_status read_as(size_t n, const char *metric, psb_matrix *matrix, psb_error *error) {
    return psb_matrix_open(path, n, n, metric != NULL ? psb_metric_find(metric) : NULL, 1, matrix,
                           error);
}

static void expect(size_t n, const char *metric, const float *expected) {
    psb_matrix matrix;
    psb_error error = {.message = ""};
    if (read_as(n, metric, &matrix, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(matrix.n, n);
    assert_memory_equal(matrix.data, expected, n * n * sizeof(float));
    psb_matrix_close(&matrix);
}

static void expect_error(size_t n, const char *metric, const char *words) {
    psb_matrix matrix;
    psb_error error = {.message = ""};
    assert_int_equal(read_as(n, metric, &matrix, &error), PSB_ERROR_INPUT);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, words);
    }
    psb_matrix_close(&matrix);
}

static const float distances[4] = {0, 1.5F, 0.25F, 0};

static void every_form(void **state) {
    (void)state;
    put(distances, sizeof distances);
    expect(2, NULL, distances);
    put_npy("<f4", 2, 2, distances, sizeof distances);
    expect(2, NULL, distances);
    const double wide[4] = {0, 1.5, 0.25, 0};
    put_npy("<f8", 2, 2, wide, sizeof wide);
    expect(2, NULL, distances);
    const char *const texts[] = {
        "0 1.5\n0.25 0\n",
        "0\t1.5\r\n0.25\t0",
        "# by hand\n\n 0, 1.5\n2.5e-1, 0 \n\n",
        "% SHREC\n0;1.5\n.25;0\n\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put(texts[i], strlen(texts[i]));
        expect(2, NULL, distances);
    }
}

static void features(void **state) {
    (void)state;
    const float rows[6] = {0, 3, 1, 4, 3, 1};
    put_npy("<f4", 2, 3, rows, sizeof rows);
    expect(2, "l1", (float[4]){0, 4, 4, 0});
    expect(2, "l2", (float[4]){0, 4, 4, 0});
    expect(2, "chi2", (float[4]){0, 2, 2, 0});
    expect_error(3, "l1", "rows of 2 models, but the classification has 3");
    const float negative[4] = {1, 2, 3, -1};
    put_npy("<f4", 2, 2, negative, sizeof negative);
    expect_error(2, "chi2", "row 1, column 1");
    put(distances, sizeof distances);
    expect_error(2, "l1", "metric l1 is for features: leave it out");
}

static void wrong_contents(void **state) {
    (void)state;
    put_npy("<f4", 2, 2, distances, sizeof distances);
    expect_error(3, NULL, "a matrix of 2 x 2, but the classification has 3 models");
    const float nan_one[4] = {0, NAN, 0, 0}, minus_one[4] = {0, 0, -1, 0};
    put_npy("<f4", 2, 2, nan_one, sizeof nan_one);
    expect_error(2, NULL, "row 0, column 1");
    put_npy("<f4", 2, 2, minus_one, sizeof minus_one);
    expect_error(2, NULL, "row 1, column 0");
    const double huge[4] = {0, 1e300, 0, 0};
    put_npy("<f8", 2, 2, huge, sizeof huge);
    expect_error(2, NULL, "row 0, column 1");
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"0.00000 1.00\n2 0\n", ":1: row 0 has 2 numbers, expected 3"},
        {"0 1 2 3\n1 0 2 3\n0 0 0 0\n", ":1: row 0 has more than the 3"},
        {"0 1 2\n1 0 2\n# end\n", "2 rows, expected 3"},
        {"0 1 2\n1 0 2\n1 2 0\n1 2 3\n", "more than the 3 rows"},
        {"0 1 2\n1 0 -2\n1 2 0\n", ":2: row 1, column 2 is '-2'"},
        {"0 1 2\n1 0 nan\n1 2 0\n", "row 1, column 2 is 'nan'"},
        {"0 1 2\n1 0 1e39\n1 2 0\n", "row 1, column 2 is '1e39'"},
        {"0 1 2\n1 0 2x\n1 2 0\n", "row 1, column 2 is '2x'"},
        {"0 1\n", "cannot hold 3 x 3"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        put(wrong[i].text, strlen(wrong[i].text));
        expect_error(3, NULL, wrong[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(features),
        cmocka_unit_test(wrong_contents),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
