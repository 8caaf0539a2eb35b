/* Tests names beside rows: files, ids of files, and the order of rows for a classification. */
#include "core/file.h"
#include "io/ids.h"
#include "io/matrix.h"
#include "io/npy.h"
#include "support/files.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static psb_classification three(void) {
    static const char text[] = "PSB 1\n2 3\na 0 2\n812\nx\nb 0 1\nm7\n";
    psb_classification cla;
    assert_int_equal(psb_cla_parse("three.cla", text, sizeof text - 1, &cla, NULL), PSB_OK);
    return cla;
}

static void ids_of_files(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"db/8/m812/m812.off", "812"},
                                           {"m812.off", "812"},
                                           {"812.OFF", "812"},
                                           {"mug.off", "mug"},
                                           {"v1.2/a.b.off", "a.b"},
                                           {"folder.off/plain", "plain"},
                                           {"m.off", "m"},
                                           {"", ""},
                                           {".off", ".off"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char id[16];
        assert_int_equal(psb_id_of_file(pairs[i][0], id, sizeof id, NULL), PSB_OK);
        assert_string_equal(id, pairs[i][1]);
    }
    char id[4];
    assert_int_equal(psb_id_of_file("abcdefg.off", id, sizeof id, NULL), PSB_OK);
    assert_string_equal(id, "abc");
}

static void names_come_back(void **state) {
    (void)state;
    const char *path = test_path("rows");
    char *names[] = {(char[]){"one"}, (char[]){"two\n\x1b[31m"}, (char[]){""}};
    psb_ids ids;
    assert_int_equal(psb_ids_read(path, &ids, NULL), PSB_OK);
    assert_int_equal(ids.count, 0);
    assert_int_equal(psb_ids_check(path, &ids, 17, NULL), PSB_OK);
    psb_ids_free(&ids);
    assert_int_equal(psb_ids_write(path, names, 3, NULL), PSB_OK);
    assert_true(psb_holds(test_path("rows.ids"), "one\ntwo??[31m\n\n", 15));
    assert_int_equal(psb_ids_read(path, &ids, NULL), PSB_OK);
    assert_int_equal(ids.count, 3);
    assert_string_equal(ids.names[1], "two??[31m");
    assert_string_equal(ids.names[2], "");
    assert_int_equal(psb_ids_check(path, &ids, 3, NULL), PSB_OK);
    assert_int_equal(psb_ids_check(path, &ids, 4, NULL), PSB_ERROR_INPUT);
    psb_ids_free(&ids);
    assert_int_equal(psb_ids_write(path, NULL, 0, NULL), PSB_OK);
    assert_false(psb_is_file(test_path("rows.ids")));
    assert_int_equal(psb_ids_write(path, NULL, 0, NULL), PSB_OK);
}

/* The order that this text asks for, or the status. */
static psb_status order_of(const char *text, size_t **order, psb_error *error) {
    psb_classification cla = three();
    psb_ids ids;
    assert_int_equal(psb_ids_parse("rows.ids", text, strlen(text), &ids, NULL), PSB_OK);
    psb_status status = psb_ids_order("rows", &ids, &cla, order, error);
    psb_ids_free(&ids);
    psb_cla_free(&cla);
    return status;
}

static void rows_find_their_places(void **state) {
    (void)state;
    size_t *order;
    assert_int_equal(order_of("812\nx\nm7\n", &order, NULL), PSB_OK);
    assert_null(order);
    assert_int_equal(order_of("", &order, NULL), PSB_OK);
    assert_null(order);
    /* m812 is the model 812, and 7 the model m7; no line feed at the end, and those of DOS. */
    assert_int_equal(order_of("7\r\nm812\r\nx", &order, NULL), PSB_OK);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2], 0);
    free(order);
}

static void names_that_do_not_fit(void **state) {
    (void)state;
    static const char *const wrong[][2] = {{"812\nx\n", "no row for 1 of the classification's 3"},
                                           {"812\nx\nm7\ny\n", "are no models of the class"},
                                           {"812\nx\nm812\n", "occur twice: m812"},
                                           {"\n\n\n", "are no models of the class"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        size_t *order;
        psb_error error;
        assert_int_equal(order_of(wrong[i][0], &order, &error), PSB_ERROR_INPUT);
        assert_null(order);
        if (strstr(error.message, wrong[i][1]) == NULL) {
            fail_msg("%s", error.message);
        }
    }
    psb_ids ids;
    assert_int_equal(psb_ids_parse("rows.ids", "a\0b", 3, &ids, NULL), PSB_ERROR_INPUT);
}

static void rows_are_reordered(void **state) {
    (void)state;
    static const float values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const size_t order[] = {2, 0, 1};
    psb_matrix matrix;
    psb_npy npy;
    assert_int_equal(psb_matrix_write_data(test_path("m"), values, 3, NULL), PSB_OK);
    assert_int_equal(psb_matrix_read(test_path("m"), 3, &matrix, NULL), PSB_OK);
    assert_int_equal(psb_matrix_reorder(&matrix, order, order, NULL), PSB_OK);
    static const float as_matrix[] = {8, 6, 7, 2, 0, 1, 5, 3, 4};
    assert_memory_equal(matrix.data, as_matrix, sizeof as_matrix);
    psb_matrix_close(&matrix);
    assert_int_equal(psb_npy_write(test_path("n"), values, 3, 3, PSB_FLOAT32, NULL), PSB_OK);
    assert_int_equal(psb_npy_read(test_path("n"), &npy, NULL), PSB_OK);
    assert_int_equal(psb_npy_reorder(&npy, order, NULL), PSB_OK);
    static const float as_rows[] = {6, 7, 8, 0, 1, 2, 3, 4, 5};
    assert_memory_equal(npy.data, as_rows, sizeof as_rows);
    assert_int_equal(npy.rows, 3);
    psb_npy_close(&npy);
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_of_files),           cmocka_unit_test(names_come_back),
        cmocka_unit_test(rows_find_their_places), cmocka_unit_test(names_that_do_not_fit),
        cmocka_unit_test(rows_are_reordered),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
