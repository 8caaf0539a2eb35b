/* Tests the layout of Table 4, and over which descriptors normalized DCG is taken. */
#include "../support/test.h"
#include "eval/measure.h"
#include "report/published.h"
#include "report/table4.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { PUBLISHED_ROWS = 12, ROWS = 14 };

typedef struct fixture {
    psb_table4_row rows[ROWS];
    psb_table4 table4;
} fixture;

static double published(size_t row, const char *column) {
    double number = psb_published_figure(&psb_published_table4, row, column);
    assert_true(number == number);
    return number;
}

/* A run that measured exactly what the paper has, and two variants that it does not. */
static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(psb_published_table4.nrows, PUBLISHED_ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        psb_table4_row *row = &f->rows[i];
        size_t source = i % PUBLISHED_ROWS;
        row->label = i < PUBLISHED_ROWS ? psb_published_table4.rows[source].name : "GEDT:width=2";
        row->published_name = i < PUBLISHED_ROWS ? row->label : NULL;
        row->storage_bytes = (size_t)published(source, "storage_bytes");
        row->generate_seconds = 0.0125;
        row->compare_seconds = 3.5e-7;
        for (size_t m = 0; m < PSB_FIGURES; m++) {
            row->average.figure[m] = published(source, psb_measure_at(m)->name) / 100;
        }
        row->average.nearest_neighbor_error = 0.016;
        row->average.queries = 905;
    }
    f->table4 = (psb_table4){.title = "Test",
                             .rows = f->rows,
                             .nrows = PUBLISHED_ROWS,
                             .models_used = 905,
                             .models_listed = 907};
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    free(f);
    return 0;
}

static char *rendered(const psb_table4 *table4, const char *format) {
    psb_text out = {.data = NULL};
    const psb_table_format *found = psb_table_format_find(format);
    assert_int_equal(psb_table4_render(table4, found, &out, NULL), PSB_OK);
    return out.data;
}

static cJSON *parsed(const psb_table4 *table4) {
    char *text = rendered(table4, "json");
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    free(text);
    return root;
}

static const cJSON *member(const cJSON *root, int row, const char *name) {
    const cJSON *item =
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "rows"), row), name);
    assert_non_null(item);
    return item;
}

static double number(const cJSON *root, int row, const char *name) {
    assert_true(cJSON_IsNumber(member(root, row, name)));
    return member(root, row, name)->valuedouble;
}

static bool caption_has(const cJSON *root, const char *text) {
    return strstr(cJSON_GetObjectItem(root, "caption")->valuestring, text) != NULL;
}

/* The formula gives what the paper prints, as well as its rounded DCG allows. */
static void formula_of_normalized_dcg(void **state) {
    (void)state;
    psb_dcg_set set = {0, 0};
    for (size_t i = 0; i < PUBLISHED_ROWS; i++) {
        psb_dcg_set_add(&set, published(i, "dcg"));
    }
    for (size_t i = 0; i < PUBLISHED_ROWS; i++) {
        double normalized = 100 * psb_normalized_dcg(published(i, "dcg"), &set);
        ASSERT_NEAR(normalized, published(i, "normalized_dcg"), 0.16);
    }
}

static void the_papers_set(void **state) {
    const fixture *f = *state;
    cJSON *root = parsed(&f->table4);
    for (int i = 0; i < PUBLISHED_ROWS; i++) {
        ASSERT_NEAR(number(root, i, "nearest_neighbor_difference"), 0, 1e-9);
        ASSERT_NEAR(number(root, i, "dcg_difference"), 0, 1e-9);
        ASSERT_NEAR(number(root, i, "storage_bytes"), number(root, i, "storage_bytes_published"),
                    0);
        /* As printed, not recomputed. */
        ASSERT_NEAR(number(root, i, "normalized_dcg_published"),
                    published((size_t)i, "normalized_dcg"), 0);
    }
    ASSERT_NEAR(number(root, 0, "nearest_neighbor"), 65.7, 1e-9);
    ASSERT_NEAR(number(root, 0, "nearest_neighbor_error"), 1.6, 1e-9);
    ASSERT_NEAR(number(root, 11, "generate_s_published"), 0.66, 0);
    ASSERT_NEAR(number(root, 3, "models_used"), 905, 0);
    ASSERT_NEAR(number(root, 3, "models_listed"), 907, 0);
    assert_true(caption_has(root, "as in the paper"));
    assert_true(caption_has(root, "905 of 907 models"));
    cJSON_Delete(root);
}

static void variants_stay_outside_the_set(void **state) {
    fixture *f = *state;
    cJSON *without = parsed(&f->table4);
    f->table4.nrows = ROWS;
    cJSON *with = parsed(&f->table4);
    for (int i = 0; i < PUBLISHED_ROWS; i++) {
        ASSERT_NEAR(number(with, i, "normalized_dcg"), number(without, i, "normalized_dcg"), 0);
    }
    /* The first variant has the figures of row 0, but nothing beside them. */
    ASSERT_NEAR(number(with, 12, "normalized_dcg"), number(with, 0, "normalized_dcg"), 0);
    assert_true(cJSON_IsNull(member(with, 12, "dcg_published")));
    assert_true(cJSON_IsNull(member(with, 12, "dcg_difference")));
    assert_true(caption_has(with, "as in the paper"));
    cJSON_Delete(without);
    cJSON_Delete(with);
}

static void part_of_the_papers_set(void **state) {
    fixture *f = *state;
    f->rows[1] = f->rows[11];
    f->rows[1].average.figure[PSB_DCG] = 0.5;
    f->table4.nrows = 2; /* LFD: 64.3, published 64.3; SHELLS: 50, published 38.6 */
    cJSON *root = parsed(&f->table4);
    ASSERT_NEAR(number(root, 0, "normalized_dcg"), 100 * (64.3 / 57.15 - 1), 1e-9);
    ASSERT_NEAR(number(root, 0, "normalized_dcg_published"), 100 * (64.3 / 51.45 - 1), 1e-9);
    ASSERT_NEAR(number(root, 1, "normalized_dcg_difference"), 100 * (50 / 57.15 - 38.6 / 51.45),
                1e-9);
    assert_true(caption_has(root, "the mean of LFD and SHELLS;"));
    assert_true(caption_has(root, "recomputed"));
    cJSON_Delete(root);
}

/* Without published rows the set is that of the descriptors: a method that looks at all models has
   its own normalized DCG over them and changes nobody else's. */
static void what_looks_at_all_models_is_no_part_of_the_set(void **state) {
    fixture *f = *state;
    static const double dcg[] = {0.6, 0.9, 0.2};
    f->table4.nrows = 3;
    for (size_t i = 0; i < 3; i++) {
        f->rows[i].published_name = NULL;
        f->rows[i].average.figure[PSB_DCG] = dcg[i];
    }
    f->rows[1].uses = "context";
    cJSON *root = parsed(&f->table4);
    ASSERT_NEAR(number(root, 0, "normalized_dcg"), 50, 1e-9);
    ASSERT_NEAR(number(root, 1, "normalized_dcg"), 125, 1e-9);
    ASSERT_NEAR(number(root, 2, "normalized_dcg"), -50, 1e-9);
    assert_true(caption_has(root, "the mean of LFD and SHD."));
    cJSON_Delete(root);
}

static void nothing_published(void **state) {
    fixture *f = *state;
    f->table4.nrows = 3;
    for (size_t i = 0; i < 3; i++) {
        f->rows[i].published_name = i == 0 ? "no such row" : NULL;
    }
    cJSON *root = parsed(&f->table4);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += number(root, i, "normalized_dcg");
        assert_true(cJSON_IsNull(member(root, i, "storage_bytes_published")));
    }
    ASSERT_NEAR(sum, 0, 1e-9);
    assert_true(caption_has(root, "the mean of LFD, REXT and SHD."));
    cJSON_Delete(root);
    f->table4.together_seconds = 0.0315;
    char *text = rendered(&f->table4, "md");
    assert_non_null(strstr(text, "all 3 together take 31.50 ms per model"));
    free(text);
    text = rendered(&f->table4, "txt");
    assert_null(strstr(text, "pub."));
    assert_null(strstr(text, "Pentium"));
    free(text);
}

/* The file has the columns of the published table, behind the name. */
static void tsv_has_the_published_columns(void **state) {
    fixture *f = *state;
    f->table4.nrows = 1;
    f->rows[0].average.figure[PSB_DCG] = 0.643217;
    char *text = rendered(&f->table4, "tsv");
    const char *line = text + strlen("descriptor\t");
    assert_memory_equal(text, "descriptor\t", strlen("descriptor\t"));
    for (size_t j = 0; j < psb_published_table4.ncolumns; j++) {
        const char *name = psb_published_table4.columns[j];
        size_t length = strcspn(line, "\t\n");
        assert_int_equal(line[length], j + 1 < psb_published_table4.ncolumns ? '\t' : '\n');
        assert_int_equal(length, strlen(name));
        assert_memory_equal(line, name, length);
        line += length + 1;
    }
    assert_string_equal(line, "LFD\t4700\t0.012500\t0.000000350\t65.7000\t38.0000\t48.7000\t28.0000"
                              "\t64.3217\t0.0000\n");
    free(text);
}

static void unknown_costs_are_left_empty(void **state) {
    fixture *f = *state;
    f->table4.nrows = 1;
    f->rows[0].storage_bytes = 0;
    f->rows[0].generate_seconds = 0;
    f->rows[0].compare_seconds = 0;
    char *text = rendered(&f->table4, "tsv");
    assert_non_null(strstr(text, "\nLFD\t\t\t\t65.7"));
    free(text);
    text = rendered(&f->table4, "txt");
    assert_null(strstr(text, "storage"));
    assert_null(strstr(text, "together"));
    free(text);
}

/* A terminal of 120 columns shows all of it. */
static void text_is_narrow_enough(void **state) {
    const fixture *f = *state;
    char *text = rendered(&f->table4, "txt");
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") <= 120);
    }
    assert_non_null(strstr(text, "\nLFD         65.7 65.7  0.0  1.6  38.0 38.0  0.0"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(formula_of_normalized_dcg, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_papers_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(variants_stay_outside_the_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(part_of_the_papers_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_looks_at_all_models_is_no_part_of_the_set, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nothing_published, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tsv_has_the_published_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_costs_are_left_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_is_narrow_enough, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
