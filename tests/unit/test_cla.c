/* Tests how classifications are read and written, and the message for each kind of damage. */
#include "io/cla.h"
#include "support/files.h"
#include "support/test.h"

static const char animals[] = "PSB 1\n"
                              "6 7\n"
                              "\n"
                              "animal 0 0\n"
                              "\n"
                              "dog animal 2\n"
                              "12\n"
                              "7\n"
                              "\n"
                              "poodle dog 1\n"
                              "m3\n"
                              "\n"
                              "plant 0 2\n"
                              "9\n"
                              "8\n"
                              "\n"
                              "fern plant 0\n"
                              "\n"
                              "-1 0 2\n"
                              "4\n"
                              "5\n";

static void read_text(const char *text, psb_classification *cla) {
    const char *path = test_write("read.cla", text, strlen(text));
    psb_error error;
    if (psb_cla_read(path, cla, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
}

static void is_class(const psb_classification *cla, size_t c, const char *full_name, size_t parent,
                     size_t first, size_t count) {
    const psb_class *entry = &cla->classes[c];
    assert_string_equal(entry->full_name, full_name);
    const char *last = entry->full_name;
    for (const char *p = last; (p = strstr(p, "___")) != NULL;) {
        p += 3;
        last = p;
    }
    assert_string_equal(entry->name, last);
    assert_true(entry->parent == parent);
    assert_int_equal(entry->first, first);
    assert_int_equal(entry->count, count);
    assert_true(entry->miscellaneous == (strcmp(last, "-1") == 0));
}

/* What psb_classification promises, whatever was read. */
static void is_consistent(const psb_classification *cla) {
    size_t next = 0;
    for (size_t c = 0; c < cla->nclasses; c++) {
        const psb_class *entry = &cla->classes[c];
        assert_true(entry->parent == PSB_NO_CLASS || entry->parent < c);
        assert_int_equal(entry->first, next);
        for (size_t i = 0; i < entry->count; i++) {
            assert_int_equal(cla->class_of[next++], c);
        }
    }
    assert_int_equal(next, cla->nmodels);
}

static void is_animals(const psb_classification *cla) {
    assert_int_equal(cla->nclasses, 6);
    assert_int_equal(cla->nmodels, 7);
    is_consistent(cla);
    is_class(cla, 0, "animal", PSB_NO_CLASS, 0, 0);
    is_class(cla, 1, "animal___dog", 0, 0, 2);
    is_class(cla, 2, "animal___dog___poodle", 1, 2, 1);
    is_class(cla, 3, "plant", PSB_NO_CLASS, 3, 2);
    is_class(cla, 4, "plant___fern", 3, 5, 0);
    is_class(cla, 5, "-1", PSB_NO_CLASS, 5, 2);
    static const char *const ids[] = {"12", "7", "m3", "9", "8", "4", "5"};
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(cla->models[i], ids[i]);
    }
}

static void reads_a_hierarchy(void **state) {
    (void)state;
    psb_classification cla;
    read_text(animals, &cla);
    is_animals(&cla);
    psb_cla_free(&cla);
    psb_cla_free(&cla);
}

/* The same with other line ends, other blank lines, tabs, and no line break at the end. */
static void space_does_not_matter(void **state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        char text[2 * sizeof animals], *out = text;
        for (const char *p = animals; *p != '\0'; p++) {
            bool blank_line = *p == '\n' && p[1] == '\n';
            if (variant == 0 && *p == '\n') {
                *out++ = '\r';
            }
            if (variant == 1 && *p == '\n') {
                *out++ = ' ';
                *out++ = '\n';
            }
            if (!(variant == 2 && blank_line)) {
                *out++ = *p == ' ' && variant == 3 ? '\t' : *p;
            }
        }
        *out = '\0';
        out[variant == 3 ? -1 : 0] = '\0';
        psb_classification cla;
        read_text(text, &cla);
        is_animals(&cla);
        psb_cla_free(&cla);
    }
}

static void writes_what_it_reads(void **state) {
    (void)state;
    psb_classification cla, back;
    read_text(animals, &cla);
    const char *path = test_path("written.cla");
    assert_int_equal(psb_cla_write(path, &cla, NULL), PSB_OK);
    assert_int_equal(psb_cla_read(path, &back, NULL), PSB_OK);
    is_animals(&back);
    psb_cla_free(&cla);
    psb_cla_free(&back);
    size_t size;
    char *text = test_read(path, &size);
    assert_string_equal(text, animals);
    free(text);
}

/* A name with a space would read back as something else: nothing is written. */
static void what_would_not_read_back_is_not_written(void **state) {
    (void)state;
    static const char *const bad[] = {"", "a b", "a\nb", "..", "a//b", "a/", "7"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        psb_classification cla;
        read_text(animals, &cla);
        free(cla.models[0]);
        cla.models[0] = strdup(bad[i]);
        const char *path = test_path("refused.cla");
        psb_error error;
        assert_int_equal(psb_cla_write(path, &cla, &error), PSB_ERROR_INPUT);
        FILE *file = fopen(path, "rb");
        assert_null(file);
        psb_cla_free(&cla);
    }
}

static void subsets_keep_order_and_classes(void **state) {
    (void)state;
    psb_classification cla, subset;
    read_text(animals, &cla);
    const bool keep[7] = {false, true, false, true, true, false, true};
    assert_int_equal(psb_cla_subset(&cla, keep, &subset, NULL), PSB_OK);
    is_consistent(&subset);
    assert_int_equal(subset.nmodels, 4);
    is_class(&subset, 0, "animal", PSB_NO_CLASS, 0, 0);
    is_class(&subset, 1, "animal___dog", 0, 0, 1);
    is_class(&subset, 2, "animal___dog___poodle", 1, 1, 0);
    is_class(&subset, 3, "plant", PSB_NO_CLASS, 1, 2);
    is_class(&subset, 4, "plant___fern", 3, 3, 0);
    is_class(&subset, 5, "-1", PSB_NO_CLASS, 3, 1);
    static const char *const ids[] = {"7", "9", "8", "5"};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(subset.models[i], ids[i]);
    }
    is_animals(&cla);
    psb_cla_free(&cla);
    psb_cla_free(&subset);
}

static void refuses(const char *path, const char *expected) {
    psb_classification cla;
    psb_error error = {0};
    psb_status status = psb_cla_read(path, &cla, &error);
    const char *message = test_without_folder(error.message, path);
    size_t length = strlen(expected) - 1; /* the file ends with a line break */
    if (status != PSB_ERROR_INPUT || error.status != status || strlen(message) != length ||
        strncmp(message, expected, length) != 0) {
        fail_msg("%s: status %d and\n%s\nexpected\n%s", path, status, message, expected);
    }
    assert_int_equal(cla.nclasses, 0);
    assert_int_equal(cla.nmodels, 0);
    assert_null(cla.classes);
    assert_null(cla.models);
    assert_null(cla.class_of);
    psb_cla_free(&cla);
    assert_int_equal(psb_cla_read(path, &cla, NULL), PSB_ERROR_INPUT);
}

static void damaged_files_are_named(void **state) {
    (void)state;
    assert_true(test_each_file("cla_bad", ".cla", refuses) >= 50);
    psb_classification cla;
    assert_int_equal(psb_cla_read(test_folder(), &cla, NULL), PSB_ERROR_IO);
    assert_int_equal(psb_cla_read(test_path("absent.cla"), &cla, NULL), PSB_ERROR_IO);
}

/* Any byte in any place: read or refused, never a crash, and messages stay on one line. */
static void every_changed_byte_is_survived(void **state) {
    (void)state;
    static const char bytes[] = "\0\n\r\t 01-9/.ax\x7f\xc3";
    char text[sizeof animals];
    for (size_t i = 0; i + 1 < sizeof animals; i++) {
        memcpy(text, animals, sizeof text);
        for (size_t b = 0; b < sizeof bytes - 1; b++) {
            text[i] = bytes[b];
            psb_classification cla;
            psb_error error = {0};
            const char *path = test_write("changed.cla", text, sizeof text - 1);
            psb_status status = psb_cla_read(path, &cla, &error);
            if (status == PSB_OK) {
                is_consistent(&cla);
            } else {
                assert_int_equal(status, PSB_ERROR_INPUT);
                assert_null(strpbrk(error.message, "\n\r\t\x7f"));
            }
            psb_cla_free(&cla);
        }
    }
}

static void is_psb(const char *root, const char *name, size_t nmodels, size_t queried) {
    char path[4096];
    snprintf(path, sizeof path, "%s/classification/v1/%s", root, name);
    psb_classification cla;
    psb_error error;
    if (psb_cla_read(path, &cla, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    is_consistent(&cla);
    assert_int_equal(cla.nmodels, nmodels);
    size_t with_models = 0;
    for (size_t c = 0; c < cla.nclasses; c++) {
        with_models += cla.classes[c].count > 0 && !cla.classes[c].miscellaneous;
    }
    assert_int_equal(with_models, queried);
    psb_classification back;
    const char *copy = test_path("copy.cla");
    assert_int_equal(psb_cla_write(copy, &cla, NULL), PSB_OK);
    assert_int_equal(psb_cla_read(copy, &back, NULL), PSB_OK);
    assert_int_equal(back.nclasses, cla.nclasses);
    for (size_t i = 0; i < nmodels; i++) {
        assert_string_equal(back.models[i], cla.models[i]);
        assert_int_equal(back.class_of[i], cla.class_of[i]);
    }
    psb_cla_free(&back);
    psb_cla_free(&cla);
}

/* Classes with models of their own, without the miscellaneous one, counted by another program. */
static void reads_the_benchmark(void **state) {
    (void)state;
    const char *root = getenv("PSB_DIR");
    if (root == NULL) {
        print_message("PSB_DIR is not set: the benchmark's classes are not counted\n");
        skip();
    }
    is_psb(root, "base/test.cla", 907, 92);
    is_psb(root, "base/train.cla", 907, 90);
    is_psb(root, "coarse1/coarse1Test.cla", 907, 38);
    is_psb(root, "coarse1/coarse1Train.cla", 907, 42);
    is_psb(root, "coarse2/coarse2Test.cla", 907, 6);
    is_psb(root, "coarse2/coarse2Train.cla", 907, 6);
    is_psb(root, "coarse3/coarse3Test.cla", 907, 2);
    is_psb(root, "coarse3/coarse3Train.cla", 907, 2);
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_hierarchy),
        cmocka_unit_test(space_does_not_matter),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(what_would_not_read_back_is_not_written),
        cmocka_unit_test(subsets_keep_order_and_classes),
        cmocka_unit_test(damaged_files_are_named),
        cmocka_unit_test(every_changed_byte_is_survived),
        cmocka_unit_test(reads_the_benchmark),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
