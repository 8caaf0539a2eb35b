/* Tests labels, colours, tier and distance images, classifications in each other's order, and DCG
 * tables. */
#include "eval/align.h"
#include "report/curve_plot.h"
#include "report/dcg_table.h"
#include "report/matrix_image.h"
#include "report/picture.h"
#include "report/published.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least of 1, 2, 5, 10, 20, ... that does. */
static void steps_are_round(void **state) {
    (void)state;
    for (double span = 0.0013; span < 1e7; span *= 1.37) {
        for (double most = 2; most < 12; most++) {
            double least = 0;
            for (int power = -8; power < 9 && least == 0; power++) {
                for (int k = 1; k <= 5; k = k == 2 ? 5 : k + 1) {
                    double step = k * pow(10, power);
                    least = least == 0 && span / step <= most * (1 + 1e-12) ? step : least;
                }
            }
            ASSERT_NEAR(psb_round_step(span, most) / least, 1, 1e-9);
        }
    }
}

/* Whoever stands beside it, a descriptor has its line; others share none. */
static void lines_stay(void **state) {
    (void)state;
    psb_curve all[] = {
        {"LFD", NULL, 9}, {"mine", NULL, 9}, {"GEDT", NULL, 9}, {"GEDT:width=3", NULL, 9}};
    psb_curve two[] = {{"GEDT", NULL, 9}, {"LFD", NULL, 9}};
    psb_curve_styles(all, 4);
    psb_curve_styles(two, 2);
    assert_int_equal(all[0].style, 0);
    assert_int_equal(all[0].style, two[1].style);
    assert_int_equal(all[2].style, two[0].style);
    assert_true(all[1].style >= 12 && all[3].style >= 12 && all[1].style != all[3].style);
}

/* Every line keeps to the width, and all words are there: as many lines as a count of words says.
 */
static void words_in_lines(void **state) {
    (void)state;
    const psb_picture_style style = {.width = 0};
    double word = psb_text_width(&style, "word", 10), space = psb_text_width(&style, " ", 10);
    double three = 3 * word + 2.5 * space,
           line = psb_draw_words(NULL, &style, 0, 0, 10, three, "word");
    assert_true(line > 10);
    ASSERT_NEAR(psb_draw_words(NULL, &style, 0, 0, 10, three, "word word word"), line, 1e-9);
    ASSERT_NEAR(psb_draw_words(NULL, &style, 0, 0, 10, three, "word word word word"), 2 * line,
                1e-9);
    ASSERT_NEAR(psb_draw_words(NULL, &style, 0, 0, 10, word / 2, "word word word"), 3 * line, 1e-9);
    ASSERT_NEAR(psb_draw_words(NULL, &style, 0, 0, 10, word, ""), 0, 1e-9);
}

static void ramp_gets_lighter(void **state) {
    (void)state;
    double last = 0;
    for (int i = 0; i <= 20; i++) {
        double rgb[3];
        psb_ramp_color(i / 20.0, rgb);
        double light = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
        assert_true(light > last);
        last = light;
    }
}

/* Two classes of 3 and 2, row 0 ranks 3 1 4 2. */
static void tiers_by_hand(void **state) {
    (void)state;
    psb_class classes[2] = {{.name = "a", .first = 0, .count = 3},
                            {.name = "b", .first = 3, .count = 2, .miscellaneous = true}};
    size_t class_of[5] = {0, 0, 0, 1, 1};
    psb_classification cla = {2, classes, 5, NULL, class_of, NULL, NULL, false};
    float d[25] = {0, 2, 4, 1, 3};
    d[15] = 1; /* row 3: nearest is 1, the lowest index of distance 0 */
    psb_matrix matrix = {.n = 5, .data = d};
    psb_matrix_image image = {PSB_TIER_IMAGE, "t", &cla, &matrix, 0, 1, 0};
    uint32_t *pixels;
    size_t first, rows;
    assert_int_equal(psb_matrix_image_pixels(&image, &pixels, &first, &rows, NULL), PSB_OK);
    assert_int_equal(rows, 5);
    const uint32_t row0[5] = {0, 0xdc1e1e, 0x3c6ee6, 0, 0x3c6ee6};
    assert_memory_equal(pixels, row0, sizeof row0);
    const uint32_t row3[5] = {0xffffff, 0, 0xffffff, 0, 0xffffff};
    assert_memory_equal(pixels + 15, row3, sizeof row3);
    free(pixels);
    image.kind = PSB_DISTANCE_IMAGE;
    image.first_class = 1;
    assert_int_equal(psb_matrix_image_pixels(&image, &pixels, &first, &rows, NULL), PSB_OK);
    assert_int_equal(first, 3);
    assert_int_equal(rows, 2);
    assert_int_equal(pixels[0], 0);
    free(pixels);
    image.first_class = 0;
    assert_int_equal(psb_matrix_image_pixels(&image, &pixels, &first, &rows, NULL), PSB_OK);
    assert_int_equal(pixels[1], 0x808080); /* 2 of at most 4 */
    assert_int_equal(pixels[2], 0xffffff);
    free(pixels);
}

static psb_classification make_cla(const char *models, const size_t *counts, size_t nclasses,
                                   size_t misc) {
    psb_classification cla = {.nclasses = nclasses, .nmodels = strlen(models)};
    cla.classes = calloc(nclasses, sizeof *cla.classes);
    cla.models = calloc(cla.nmodels, sizeof *cla.models);
    cla.class_of = calloc(cla.nmodels, sizeof *cla.class_of);
    assert_true(cla.classes != NULL && cla.models != NULL && cla.class_of != NULL);
    size_t n = 0;
    for (size_t c = 0; c < nclasses; c++) {
        cla.classes[c] =
            (psb_class){strdup("c"), strdup("c"), PSB_NO_CLASS, n, counts[c], c == misc};
        for (size_t i = 0; i < counts[c]; i++, n++) {
            cla.class_of[n] = c;
            cla.models[n] = strndup(models + n, 1);
        }
    }
    return cla;
}

static void alignment(void **state) {
    (void)state;
    psb_classification source = make_cla("abcd", (size_t[]){4}, 1, 9);
    psb_classification target = make_cla("dxcba", (size_t[]){2, 2, 1}, 3, 2);
    static const float d[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    psb_matrix matrix = {.n = 4, .data = d}, aligned_matrix;
    static const struct {
        psb_miscellaneous how;
        size_t models;
        bool misc[3];
    } cases[] = {
        {PSB_MISC_LISTED, 4, {false, false, true}},
        {PSB_MISC_LEFT_OUT, 3, {false, false, true}},
        {PSB_MISC_CLASS, 4, {false, false, false}},
        {PSB_MISC_SWAPPED, 4, {false, true, false}},
    };
    for (size_t k = 0; k < 4; k++) {
        psb_classification aligned;
        size_t *from;
        assert_int_equal(psb_cla_align(&target, &source, cases[k].how, &aligned, &from, NULL),
                         PSB_OK);
        assert_int_equal(aligned.nmodels, cases[k].models);
        for (size_t c = 0; c < 3; c++) {
            assert_int_equal(aligned.classes[c].miscellaneous, cases[k].misc[c]);
        }
        assert_string_equal(aligned.models[0], "d");
        assert_int_equal(from[0], 3);
        assert_int_equal(psb_matrix_align(&matrix, from, aligned.nmodels, &aligned_matrix, NULL),
                         PSB_OK);
        assert_true(aligned_matrix.data[1] == 14); /* from d to c */
        psb_matrix_close(&aligned_matrix);
        free(from);
        psb_cla_free(&aligned);
    }
    psb_cla_free(&source);
    psb_cla_free(&target);
}

/* Of the paper's twelve only two, and a third row that it has not: over the two, both kinds. */
static void subset_of_the_paper(void **state) {
    (void)state;
    const psb_dcg_column columns[] = {{"base_92", "base", 7}};
    const char *const labels[] = {"LFD", "mine", "SHELLS"};
    const double dcg[] = {0.6, 0.9, 0.4};
    psb_dcg_table table = {NULL, NULL, &psb_published_table6, columns, 1, labels, 3, dcg};
    psb_text out = {0};
    assert_int_equal(psb_dcg_table_render(&table, &psb_format_tsv, &out, NULL), PSB_OK);
    /* 0.6 and 0.4 over 0.5; 1.213 and 0.727 over 0.97. */
    assert_string_equal(out.data, "descriptor\tbase_92\tbase_92_published\tbase_92_difference\n"
                                  "LFD\t20.0000\t25.0515\t-5.0515\n"
                                  "mine\t80.0000\t\t\n"
                                  "SHELLS\t-20.0000\t-25.0515\t5.0515\n");
    psb_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_round),     cmocka_unit_test(lines_stay),
        cmocka_unit_test(words_in_lines),      cmocka_unit_test(ramp_gets_lighter),
        cmocka_unit_test(tiers_by_hand),       cmocka_unit_test(alignment),
        cmocka_unit_test(subset_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
