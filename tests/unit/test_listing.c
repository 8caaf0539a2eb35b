/* Tests names as words, listings from folders, tables and lists, and their classifications. */
#include "core/file.h"
#include "core/number.h"
#include "core/random.h"
#include "io/labels.h"
#include "io/model_folder.h"
#include "io/name.h"
#include "support/files.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- names ----------------------------------------------------------------------------- */

static char *name_of(const char *text, bool named) {
    psb_text name = {0};
    psb_name_add(&name, text, strlen(text), named);
    return name.data;
}

static void names_are_words(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"chair/chair_0001", "chair/chair_0001"},
                                           {"812", "812"},
                                           {"my chair", "my%20chair"},
                                           {"a\tb\nc", "a%09b%0Ac"},
                                           {"50% off", "50%%20off"},
                                           {"50%20", "50%2520"},
                                           {"#1/#2", "%231/#2"},
                                           {"st\xC3\xBChle", "st\xC3\xBChle"},
                                           {"\xC2\x9B\xFF\x7F", "%C2%9B%FF%7F"},
                                           {"\xED\xA0\x80\xC0\xAF", "%ED%A0%80%C0%AF"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char *name = name_of(pairs[i][0], false), *again = name_of(pairs[i][1], true);
        assert_string_equal(name, pairs[i][1]);
        assert_string_equal(again, pairs[i][1]);
        free(name);
        free(again);
    }
    psb_text class = {0};
    psb_name_add_class(&class, "0", 1, false);
    psb_name_add_class(&class, "a/b 0", 5, false);
    assert_string_equal(class.data, "%30a%2Fb%200");
    psb_text_free(&class);
}

static void names_stay_below_their_folder(void **state) {
    (void)state;
    static const char *const below[] = {"a", "a/b", "...", "a/..b/c.", ".hidden"};
    static const char *const out[] = {"", ".", "..", "/a", "a/", "a//b", "a/../b", "a/.", "../a"};
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        assert_true(psb_name_stays_below(below[i], strlen(below[i])));
    }
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++) {
        assert_false(psb_name_stays_below(out[i], strlen(out[i])));
    }
    assert_false(psb_name_stays_below(NULL, 0));
}

/* ---- classifications ------------------------------------------------------------------- */

static void add(psb_listing *listing, const char *name, const char *classes) {
    assert_int_equal(
        psb_listing_add(listing, (psb_listed){strdup(name), NULL, strdup(classes), 0}, NULL),
        PSB_OK);
}

/* The levels of a class, written down by climbing. */
static void climb(const psb_classification *cla, size_t class, char *out, size_t size) {
    char above[512] = "";
    if (cla->classes[class].parent != PSB_NO_CLASS) {
        climb(cla, cla->classes[class].parent, above, sizeof above);
    }
    snprintf(out, size, "%s%s%s", above, above[0] != '\0' ? "/" : "", cla->classes[class].name);
}

static void cut_levels(char *classes, size_t level) {
    for (char *at = classes; *at != '\0' && level > 0; at++) {
        if (*at == '/' && --level == 0) {
            *at = '\0';
            return;
        }
    }
}

static size_t number_of(const char *name) {
    int64_t number = -1;
    assert_true(psb_parse_int64(name, &number));
    return (size_t)number;
}

/* Whatever the order of the models, each is in the class that it had, down to the level. */
static void classes_are_what_was_listed(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(1, "listing", "");
    for (size_t round = 0; round < 60; round++) {
        psb_listing listing = {0};
        char kept[40][32];
        size_t count = 1 + psb_random_below(&random, 40), level = round % 4;
        for (size_t i = 0; i < count; i++) {
            char name[32];
            size_t depth = 1 + psb_random_below(&random, 3), used = 0;
            for (size_t k = 0; k < depth; k++) { /* names differ between levels, not within them */
                used += (size_t)snprintf(kept[i] + used, 32 - used, "%s%c%zu", k > 0 ? "/" : "",
                                         (char)('a' + k), (size_t)psb_random_below(&random, 2));
            }
            snprintf(name, sizeof name, "%zu", i);
            add(&listing, name, kept[i]);
        }
        psb_classification cla;
        assert_int_equal(psb_listing_classify(&listing, "random", level, &cla, NULL), PSB_OK);
        assert_int_equal(cla.nmodels, count);
        bool seen[40] = {false};
        for (size_t i = 0; i < count; i++) {
            char classes[512];
            size_t model = number_of(cla.models[i]);
            climb(&cla, cla.class_of[i], classes, sizeof classes);
            cut_levels(kept[model], level);
            assert_string_equal(classes, kept[model]);
            assert_string_equal(cla.models[i], listing.models[i].name);
            assert_false(seen[model]);
            seen[model] = true;
            assert_true(i == 0 || cla.class_of[i] != cla.class_of[i - 1] ||
                        model > number_of(cla.models[i - 1]));
        }
        psb_cla_free(&cla);
        psb_listing_free(&listing);
    }
}

static void what_a_cla_cannot_hold_is_refused(void **state) {
    (void)state;
    static const char *const bad[][2] = {{"", "is in no class"}, {"x", "a class within"}};
    for (size_t i = 0; i < 2; i++) {
        psb_listing listing = {0};
        psb_classification cla;
        psb_error error;
        add(&listing, "1", "a/b/a");
        add(&listing, "2", i == 0 ? bad[i][0] : "a/c");
        assert_int_equal(psb_listing_classify(&listing, "names", 0, &cla, &error), PSB_ERROR_INPUT);
        assert_non_null(strstr(error.message, bad[i][1]));
        assert_int_equal(cla.nmodels, 0);
        psb_listing_free(&listing);
    }
}

/* ---- tables ---------------------------------------------------------------------------- */

static void damaged_table_is_named(const char *path, const char *expected) {
    psb_listing listing = {0};
    psb_error error = {0};
    psb_status status = psb_labels_read(path, NULL, &listing, &error);
    const char *message = test_without_folder(error.message, path);
    size_t length = strlen(expected) - 1;
    if (status == PSB_OK || strlen(message) != length || strncmp(message, expected, length) != 0) {
        fail_msg("%s: status %d and\n%s\nexpected\n%s", path, (int)status, message, expected);
    }
    psb_listing_free(&listing);
}

static void damaged_tables_are_named(void **state) {
    (void)state;
    assert_true(test_each_file("labels_bad", ".csv", damaged_table_is_named) >= 12);
    assert_int_equal(test_each_file("labels_bad", ".tsv", damaged_table_is_named), 2);
}

static void table_says(const char *file, const char *split, const char *expected) {
    psb_listing listing = {0};
    psb_text text = {0};
    char path[256];
    snprintf(path, sizeof path, "tests/data/labels_good/%s", file);
    assert_int_equal(psb_labels_read(path, &(psb_labels_options){.split = split}, &listing, NULL),
                     PSB_OK);
    for (size_t i = 0; i < listing.count; i++) {
        psb_text_printf(&text, "%s %s\n", listing.models[i].name, listing.models[i].classes);
    }
    assert_string_equal(text.data, expected);
    psb_text_free(&text);
    psb_listing_free(&listing);
}

static void tables_are_read(void **state) {
    (void)state;
    table_says("plain.csv", NULL, "1 chair\n2 chair\n3 table\n");
    table_says("levels.tsv", NULL,
               "812 aircraft/airplane/biplane\n7 aircraft/airplane/jet\nb/1 animal/bird\n");
    table_says("quotes.csv", "train", "a,1 night%20stand\nb -1\n");
    table_says("list.txt", NULL,
               "chair/chair_0001 chair\nchair/armchair/chair_0002 chair/armchair\n"
               "table/t%201 table\n0/x %30\n");
    static const char parts[] = "split,id,class\ntest,a,x\ntrain,b,y\n";
    static const char *const splits[] = {"test", "train", "all"};
    for (size_t i = 0; i < 3; i++) {
        psb_listing listing = {0};
        assert_int_equal(psb_labels_parse("parts", parts, sizeof parts - 1,
                                          &(psb_labels_options){.split = splits[i]}, &listing,
                                          NULL),
                         PSB_OK);
        assert_int_equal(listing.count, i < 2 ? 1 : 2);
        assert_string_equal(listing.models[0].name, i == 1 ? "b" : "a");
        psb_listing_free(&listing);
    }
}

/* What is written is read as the same, in each form. */
static void tables_come_back(void **state) {
    (void)state;
    for (psb_labels_form form = PSB_LABELS_CSV; form <= PSB_LABELS_LIST; form++) {
        psb_listing listing = {0}, back = {0};
        psb_text text = {0};
        /* A list's first line has no comma: it would be a table's. */
        add(&listing, form == PSB_LABELS_LIST ? "a/b" : "a/b,\"1\"%20", "a");
        add(&listing, "c/d/2", "c/d");
        add(&listing, "a/3", "a");
        psb_labels_render(&listing, form, &text);
        assert_int_equal(psb_labels_parse("back", text.data, text.length, NULL, &back, NULL),
                         PSB_OK);
        for (size_t i = 0; i < 3; i++) {
            assert_string_equal(back.models[i].name, listing.models[i].name);
            assert_string_equal(back.models[i].classes, listing.models[i].classes);
        }
        psb_text_free(&text);
        psb_listing_free(&listing);
        psb_listing_free(&back);
    }
}

/* ---- folders --------------------------------------------------------------------------- */

static void make(const char *path) {
    char folder[512];
    snprintf(folder, sizeof folder, "%s", test_path(path));
    *strrchr(folder, '/') = '\0';
    assert_int_equal(psb_make_folder(folder, NULL), PSB_OK);
    test_write(path, "", 0);
}

static void folder_says(const char *folder, const char *split, psb_status expected,
                        const char *models, const char *note) {
    psb_listing listing = {0};
    psb_text text = {0};
    psb_error error;
    assert_int_equal(psb_listing_add_folder(&listing, NULL, test_path(folder), split, &error),
                     expected);
    psb_text_add(&text, expected != PSB_OK ? strstr(error.message, "holds") : "");
    for (size_t i = 0; i < listing.count && expected == PSB_OK; i++) {
        const psb_listed *m = &listing.models[i];
        psb_text_printf(&text, "%s %s%s\n", m->name, m->classes,
                        m->path == NULL        ? " (lost)"
                        : psb_is_file(m->path) ? ""
                                               : " (wrong)");
    }
    assert_string_equal(text.data, models);
    assert_true(note == NULL ? listing.notes.length == 0
                             : strstr(listing.notes.data, note) != NULL);
    psb_text_free(&text);
    psb_listing_free(&listing);
}

static void folders_are_classes(void **state) {
    (void)state;
    make("plain/chair/c2.off");
    make("plain/chair/c10.obj.gz");
    make("plain/chair/notes.txt");
    make("plain/chair/.hidden.off");
    make("plain/0/night stand/a b.STL");
    make("plain/empty/readme");
    folder_says("plain", NULL, PSB_OK,
                "0/night%20stand/a%20b %30/night%20stand\nchair/c10 chair\nchair/c2 chair\n", NULL);
    make("twins/a/x.off");
    make("twins/a/x.b.off");
    make("twins/a/x.3ds");
    make("twins/a/x.Obj");
    folder_says("twins", NULL, PSB_OK, "a/x a\na/x.b a\n",
                "names of other models are left out: 2, the first is ");
}

static void divided_sets_have_parts(void **state) {
    (void)state;
    make("inner/chair/train/c1.off");
    make("inner/chair/test/c2.off");
    make("inner/train/test/t1.off");
    make("inner/train/train/t2.off");
    make("inner/odd/o.off");
    make("outer/train/chair/c1.off");
    make("outer/test/chair/c2.off");
    make("outer/test/test/c3.off");
    make("class/vehicle/train/t1.off");
    folder_says("inner", NULL, PSB_ERROR_USAGE,
                "holds test and train, which are no classes but parts of a divided set: say which "
                "of them, or 'all'",
                NULL);
    folder_says("inner", "test", PSB_OK, "chair/test/c2 chair\ntrain/test/t1 train\n",
                "are left out: 1, the first is ");
    folder_says("inner", "all", PSB_OK,
                "chair/test/c2 chair\nchair/train/c1 chair\nodd/o odd\ntrain/test/t1 train\n"
                "train/train/t2 train\n",
                NULL);
    folder_says("outer", "test", PSB_OK, "test/chair/c2 chair\ntest/test/c3 test\n", NULL);
    folder_says("class", NULL, PSB_OK, "vehicle/train/t1 vehicle/train\n", NULL);
}

static void links_are_followed_once(void **state) {
    (void)state;
    make("links/a/x.off");
    make("elsewhere/y.off");
    assert_int_equal(symlink("../a", test_path("links/a/loop")), 0);
    assert_int_equal(symlink("..", test_path("links/a/up")), 0);
    assert_int_equal(symlink("a", test_path("links/same")), 0);
    assert_int_equal(symlink("self", test_path("links/self")), 0);
    assert_int_equal(symlink("../elsewhere", test_path("links/b")), 0);
    assert_int_equal(symlink("a/x.off", test_path("links/z.off")), 0);
    assert_int_equal(symlink("nowhere.off", test_path("links/lost.off")), 0);
    folder_says("links", NULL, PSB_OK, "lost  (lost)\nz \na/x a\nb/y b\n",
                "links reach again are left out: 3");
    psb_listing listing = {0};
    assert_int_equal(psb_listing_add_folder(&listing, NULL, test_path("links/z.off"), NULL, NULL),
                     PSB_ERROR_IO);
    assert_int_equal(psb_listing_add_folder(&listing, NULL, test_path("absent"), NULL, NULL),
                     PSB_ERROR_IO);
    psb_listing_free(&listing);
}

static void a_path_that_is_too_long_is_an_error(void **state) {
    (void)state;
    char path[300] = "long/";
    memset(path + 5, 'a', 130);
    path[135] = '/';
    memset(path + 136, 'b', 125);
    snprintf(path + 261, sizeof path - 261, ".off");
    make(path);
    psb_listing listing = {0};
    psb_error error;
    assert_int_equal(psb_listing_add_folder(&listing, NULL, test_path("long"), NULL, &error),
                     PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "a name of 256 bytes, but at most 255 are allowed"));
    psb_listing_free(&listing);
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_words),
        cmocka_unit_test(names_stay_below_their_folder),
        cmocka_unit_test(classes_are_what_was_listed),
        cmocka_unit_test(what_a_cla_cannot_hold_is_refused),
        cmocka_unit_test(damaged_tables_are_named),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(tables_come_back),
        cmocka_unit_test(folders_are_classes),
        cmocka_unit_test(divided_sets_have_parts),
        cmocka_unit_test(links_are_followed_once),
        cmocka_unit_test(a_path_that_is_too_long_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
