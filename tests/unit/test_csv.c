/* The plain CSV reader: what it splits and what it refuses. */
#include "../support/test.h"
#include "io/csv.h"

#include <string.h>

static void fields_and_lookups(void **state) {
    (void)state;
    const char text[] = "name,a,b\nfirst,1,\nsecond,-2.5,x y\n";
    psb_csv csv;
    assert_int_equal(psb_csv_parse("t.csv", text, strlen(text), &csv, NULL), PSB_OK);
    assert_int_equal(csv.nrows, 2);
    assert_int_equal(csv.ncolumns, 3);
    assert_string_equal(psb_csv_field(&csv, 0, 1), "1");
    assert_string_equal(psb_csv_field(&csv, 0, 2), "");
    assert_string_equal(psb_csv_field(&csv, 1, 2), "x y");
    assert_int_equal(psb_csv_column(&csv, "b"), 2);
    assert_int_equal(psb_csv_column(&csv, "c"), 3);
    assert_int_equal(psb_csv_row(&csv, "second"), 1);
    assert_int_equal(psb_csv_row(&csv, "name"), 2);
    psb_csv_free(&csv);
    psb_csv_free(&csv);
}

static void names_only(void **state) {
    (void)state;
    psb_csv csv;
    assert_int_equal(psb_csv_parse("t.csv", "a\n", 2, &csv, NULL), PSB_OK);
    assert_int_equal(csv.nrows, 0);
    assert_int_equal(csv.ncolumns, 1);
    psb_csv_free(&csv);
}

static void refuses(const char *text, size_t size, const char *place) {
    psb_csv csv;
    psb_error error;
    assert_int_equal(psb_csv_parse("t.csv", text, size, &csv, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, place));
    assert_null(csv.fields);
}

static void errors_name_the_line(void **state) {
    (void)state;
    refuses("", 0, "t.csv:1:");
    refuses("a,b", 3, "t.csv:1:");
    refuses("a,b\n1,2\n3", 9, "t.csv:3:");
    refuses("a,b\n1\n", 6, "t.csv:2: 1 fields");
    refuses("a,b\n1,2,3\n", 10, "t.csv:2: 3 fields");
    refuses("a,b\n\n", 5, "t.csv:2:");
    refuses("a,b\n1,\"2\"\n", 10, "t.csv:2:");
    refuses("a,b\r\n", 5, "t.csv:1:");
    refuses("a,b\n1,\0\n", 8, "t.csv:2:");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_and_lookups),
        cmocka_unit_test(names_only),
        cmocka_unit_test(errors_name_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
