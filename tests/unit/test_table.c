/* Tests the table renderers on a small table that has everything a table can have. */
#include "../support/test.h"
#include "report/table.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

static const psb_column columns[] = {
    {"name", "name", NULL, PSB_LEFT, 0, PSB_PLAIN},
    {"rate", "here", "hit rate", PSB_RIGHT, 1, PSB_PLAIN},
    {"change", "diff", "hit rate", PSB_RIGHT, 1, PSB_SIGNED},
    {"n", "models", NULL, PSB_RIGHT, 0, PSB_PLAIN},
};

static psb_table sample(void) {
    psb_table table;
    assert_int_equal(psb_table_new(&table, columns, 4, 3, NULL), PSB_OK);
    table.title = "A title";
    table.caption = "A caption.";
    psb_table_set_text(&table, 0, 0, "plain");
    psb_table_set_number(&table, 0, 1, 65.749);
    psb_table_set_number(&table, 0, 2, -0.04);
    psb_table_set_number(&table, 0, 3, 905);
    psb_table_set_text(&table, 1, 0, "a|b\tc");
    psb_table_set_number(&table, 1, 1, 100);
    psb_table_set_number(&table, 1, 2, 12.25);
    psb_table_set_text(&table, 2, 0, "\xc3\xa9t\xc3\xa9 of 2004"); /* two letters of two bytes */
    psb_table_set_text(&table, 2, 1, NULL);
    psb_table_set_number(&table, 2, 2, -0.06);
    psb_table_set_number(&table, 2, 3, 7);
    return table;
}

static char *rendered(const psb_table_format *format) {
    psb_table table = sample();
    psb_text out = {.data = NULL};
    format->render(&table, &out);
    assert_false(out.failed);
    psb_table_close(&table);
    return out.data;
}

static void check(const char *format, const char *expected) {
    char *text = rendered(psb_table_format_find(format));
    assert_string_equal(text, expected);
    free(text);
}

static void text(void **state) {
    (void)state;
    psb_table table = sample();
    psb_table_set_text(&table, 1, 0, "a|b c"); /* nothing here minds a pipe */
    psb_text out = {.data = NULL};
    psb_format_text.render(&table, &out);
    assert_string_equal(out.data, "A title\n"
                                  "\n"
                                  "              hit rate\n"
                                  "name          here  diff  models\n"
                                  "-----------  -----------  ------\n"
                                  "plain         65.7   0.0     905\n"
                                  "a|b c        100.0 +12.2\n"
                                  "\xc3\xa9t\xc3\xa9 of 2004         -0.1       7\n"
                                  "\n"
                                  "A caption.\n");
    psb_text_free(&out);
    psb_table_close(&table);
}

/* Every field is what a reader of RFC 4180 gets back. */
static void csv(void **state) {
    (void)state;
    psb_table table = sample();
    psb_table_set_text(&table, 1, 0, "a, \"b\"\nc");
    psb_text out = {.data = NULL};
    psb_format_csv.render(&table, &out);
    assert_string_equal(out.data, "name,rate,change,n\n"
                                  "plain,65.7,0.0,905\n"
                                  "\"a, \"\"b\"\"\nc\",100.0,+12.2,\n"
                                  "\xc3\xa9t\xc3\xa9 of 2004,,-0.1,7\n");
    psb_text_free(&out);
    psb_table_close(&table);
}

static void tsv(void **state) {
    (void)state;
    check("tsv", "name\trate\tchange\tn\n"
                 "plain\t65.7\t0.0\t905\n"
                 "a|b c\t100.0\t+12.2\t\n"
                 "\xc3\xa9t\xc3\xa9 of 2004\t\t-0.1\t7\n");
}

static void markdown(void **state) {
    (void)state;
    check("md", "**A title**\n"
                "\n"
                "| name | hit rate here | hit rate diff | models |\n"
                "|:---|---:|---:|---:|\n"
                "| plain | 65.7 | 0.0 | 905 |\n"
                "| a\\|b\tc | 100.0 | +12.2 |  |\n"
                "| \xc3\xa9t\xc3\xa9 of 2004 |  | -0.1 | 7 |\n"
                "\n"
                "A caption.\n");
}

static void json(void **state) {
    (void)state;
    char *text = rendered(&psb_format_json);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    assert_string_equal(cJSON_GetObjectItem(root, "caption")->valuestring, "A caption.");
    const cJSON *rows = cJSON_GetObjectItem(root, "rows");
    assert_int_equal(cJSON_GetArraySize(rows), 3);
    const cJSON *first = cJSON_GetArrayItem(rows, 0);
    assert_true(cJSON_GetObjectItem(first, "rate")->valuedouble == 65.749); /* every digit */
    assert_true(cJSON_GetObjectItem(first, "change")->valuedouble == -0.04);
    const cJSON *second = cJSON_GetArrayItem(rows, 1);
    assert_string_equal(cJSON_GetObjectItem(second, "name")->valuestring, "a|b\tc");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(second, "n")));
    cJSON_Delete(root);
    free(text);
}

/* Long captions are broken between words, and not a word is lost. */
static void captions_are_wrapped(void **state) {
    (void)state;
    char caption[1200] = "";
    for (int i = 0; i < 150; i++) {
        strncat(caption, i % 7 == 0 ? "longer " : "word ", sizeof caption - strlen(caption) - 1);
    }
    psb_table table = sample();
    table.caption = caption;
    psb_text out = {.data = NULL};
    psb_format_text.render(&table, &out);
    size_t words = 0;
    for (const char *line = strstr(out.data, "\n\nlonger") + 2; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        assert_true(length > 0 && length <= 100);
        for (size_t i = 0; i < length; i++) {
            words += line[i] == ' ';
        }
        words++;
        line += length + 1;
    }
    assert_int_equal(words, 150);
    psb_text_free(&out);
    psb_table_close(&table);
}

static void formats_by_name(void **state) {
    (void)state;
    for (size_t i = 0; i < psb_table_format_count(); i++) {
        const psb_table_format *format = psb_table_format_at(i);
        assert_true(psb_table_format_find(format->name) == format);
    }
    assert_null(psb_table_format_find("xls"));
}

static void classes_have_their_levels_for_people(void **state) {
    (void)state;
    static const psb_column column[] = {{"class", "class", NULL, PSB_LEFT, 0, PSB_PLAIN}};
    static const char *const names[] = {"air___plane___jet", "%30___office%20chair", "_a__b_",
                                        "st%C3%BChle%0A%7F%2"};
    static const char *const people[] = {"air / plane / jet", "0 / office chair", "_a__b_",
                                         "st%C3%BChle%0A%7F%2"};
    for (int programs = 0; programs < 2; programs++) {
        psb_table table;
        assert_int_equal(psb_table_new(&table, column, 1, 4, NULL), PSB_OK);
        for (size_t i = 0; i < 4; i++) {
            psb_table_set_class(&table, i, 0, names[i], programs);
            assert_string_equal(psb_table_cell(&table, i, 0)->text, (programs ? names : people)[i]);
        }
        psb_table_close(&table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(tsv),
        cmocka_unit_test(csv),
        cmocka_unit_test(markdown),
        cmocka_unit_test(json),
        cmocka_unit_test(captions_are_wrapped),
        cmocka_unit_test(formats_by_name),
        cmocka_unit_test(classes_have_their_levels_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
