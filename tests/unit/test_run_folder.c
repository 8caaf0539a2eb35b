/* Lock, ledger, stamps and leftovers: what lets one run go on in the folder of another. */
#include "core/file.h"
#include "core/lock.h"
#include "pipeline/ledger.h"
#include "pipeline/memory_bound.h"
#include "pipeline/model_reports.h"
#include "pipeline/run_folder.h"
#include "support/files.h"
#include "support/test.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- lock ------------------------------------------------------------------------------ */

static void one_holder_at_a_time(void **state) {
    (void)state;
    const char *path = test_path("lock");
    psb_lock first, second;
    psb_error error;
    char expected[64];
    assert_int_equal(psb_lock_take(path, &first, &error), PSB_OK);
    assert_false(first.stale);
    assert_int_equal(psb_lock_take(path, &second, &error), PSB_ERROR_IO);
    snprintf(expected, sizeof expected, "lock: process %ld on ", (long)getpid());
    assert_non_null(strstr(error.message, expected));
    assert_non_null(strstr(error.message, " is at work in this folder"));
    psb_lock_release(&second);
    psb_lock_release(&first);
    psb_lock_release(&first);
    assert_int_equal(psb_lock_take(path, &second, &error), PSB_OK);
    assert_false(second.stale);
    psb_lock_release(&second);
}

static void a_dead_holder_is_recognised(void **state) {
    (void)state;
    const char *path = test_path("lock");
    psb_lock lock;
    char expected[64];
    pid_t child = fork();
    if (child == 0) {
        _exit(psb_lock_take(path, &lock, NULL) == PSB_OK ? 0 : 1); /* without letting go */
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_int_equal(psb_lock_take(path, &lock, NULL), PSB_OK);
    assert_true(lock.stale);
    snprintf(expected, sizeof expected, "process %ld on ", (long)child);
    assert_memory_equal(lock.holder, expected, strlen(expected));
    psb_lock_release(&lock);
    /* Anything may stand in a file. */
    test_write("lock", "\x1b[31m\xff no newline", 17);
    assert_int_equal(psb_lock_take(path, &lock, NULL), PSB_OK);
    assert_string_equal(lock.holder, "?[31m? no newline");
    psb_lock_release(&lock);
    assert_int_equal(psb_lock_take(test_path("absent/lock"), &lock, NULL), PSB_ERROR_IO);
}

/* ---- leftovers ------------------------------------------------------------------------- */

static void leftovers_go_and_nothing_else(void **state) {
    (void)state;
    const char *const kept[] = {"run/a.npy",      "run/a.tmp",       "run/.tmpabcdef",
                                "run/a.tmpabcde", "run/a.tmpabc.ef", "run/other/a.tmpabcdef"};
    const char *const left[] = {"run/a.npy.tmpAb09zZ", "run/work/ledger.tmpabcdef",
                                "run/features/x.tmp123456"};
    for (size_t i = 0; i < 4; i++) {
        const char *const folders[] = {"run", "run/other", "run/work", "run/features"};
        assert_int_equal(mkdir(test_path(folders[i]), 0777), 0);
    }
    assert_int_equal(mkdir(test_path("run/folder.tmpabcdef"), 0777), 0);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        test_write(kept[i], "", 0);
    }
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        test_write(left[i], "", 0);
    }
    psb_lock lock;
    assert_int_equal(psb_run_folder_open(test_path("run"), NULL, &lock, NULL), PSB_OK);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        assert_true(psb_is_file(test_path(kept[i])));
    }
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        assert_false(psb_is_file(test_path(left[i])));
    }
    assert_true(psb_is_folder(test_path("run/folder.tmpabcdef")));
    psb_lock_release(&lock);
}

/* ---- ledger ---------------------------------------------------------------------------- */

static const char *run_path(void) {
    static char path[512];
    snprintf(path, sizeof path, "%s", test_path("books"));
    assert_int_equal(psb_make_folder(test_path("books/work"), NULL), PSB_OK);
    return path;
}

static void entries_come_back(void **state) {
    (void)state;
    psb_ledger ledger;
    bool altered;
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_null(psb_ledger_current(&ledger, "one", 1, &altered));
    test_write("books/one", "1", 1);
    test_write("books/two", "22", 2);
    assert_int_equal(psb_ledger_enter(&ledger, "one", 1, 0.1, 2e-9, NULL), PSB_OK);
    assert_int_equal(psb_ledger_enter(&ledger, "two", 5, 0, 0, NULL), PSB_OK);
    assert_int_equal(psb_ledger_enter(&ledger, "two", UINT64_MAX, 1, 2, NULL), PSB_OK);
    assert_int_equal(psb_ledger_enter(&ledger, "absent", 1, 0, 0, NULL), PSB_ERROR_IO);
    assert_int_equal(psb_ledger_write(&ledger, NULL), PSB_OK);
    psb_ledger_free(&ledger);
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_int_equal(ledger.count, 2);
    assert_int_equal(ledger.damaged, 0);
    const psb_ledger_entry *entry = psb_ledger_current(&ledger, "one", 1, &altered);
    assert_non_null(entry);
    assert_true(entry->wall_seconds == 0.1 && entry->cpu_seconds == 2e-9);
    assert_null(psb_ledger_current(&ledger, "one", 2, &altered));
    assert_false(altered);
    assert_non_null(psb_ledger_current(&ledger, "two", UINT64_MAX, &altered));
    psb_ledger_free(&ledger);
}

static void altered_files_are_noticed(void **state) {
    (void)state;
    psb_ledger ledger;
    bool altered;
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    test_write("books/one", "1", 1);
    assert_int_equal(psb_ledger_enter(&ledger, "one", 1, 0, 0, NULL), PSB_OK);
    test_write("books/one", "1", 1); /* later, but the same */
    assert_non_null(psb_ledger_current(&ledger, "one", 1, &altered));
    test_write("books/one", "11", 2);
    assert_null(psb_ledger_current(&ledger, "one", 1, &altered));
    assert_true(altered);
    assert_int_equal(unlink(test_path("books/one")), 0);
    assert_null(psb_ledger_current(&ledger, "one", 1, &altered));
    assert_false(altered);
    psb_ledger_free(&ledger);
}

/* Any byte of a ledger changed, or its end cut off: the other lines stay, none is made up. */
static void damaged_lines_count_as_absent(void **state) {
    (void)state;
    psb_ledger ledger = {0};
    size_t size;
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    psb_ledger_free(&ledger);
    char *data = test_read(test_path("books/work/ledger"), &size);
    size_t line = (size_t)(strchr(data, '\n') - data) + 1;
    for (size_t at = 0; at < size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            data[at] = (char)(data[at] ^ 1 << bit);
            ledger = (psb_ledger){0};
            assert_int_equal(psb_ledger_parse(data, size, &ledger, NULL), PSB_OK);
            assert_int_equal(ledger.count, at == line - 1 ? 0 : 1);
            assert_true(ledger.damaged > 0);
            if (ledger.count == 1) {
                assert_string_equal(ledger.entries[0].name, at < line ? "two" : "one");
            }
            psb_ledger_free(&ledger);
            data[at] = (char)(data[at] ^ 1 << bit);
        }
        ledger = (psb_ledger){0};
        assert_int_equal(psb_ledger_parse(data, at, &ledger, NULL), PSB_OK);
        assert_int_equal(ledger.count, at >= line ? 1 : 0);
        psb_ledger_free(&ledger);
    }
    free(data);
    static char longest[5000];
    memset(longest, '\t', sizeof longest);
    assert_int_equal(psb_ledger_parse(longest, sizeof longest, &ledger, NULL), PSB_OK);
    assert_int_equal(ledger.count, 0);
    psb_ledger_free(&ledger);
}

/* ---- memory ---------------------------------------------------------------------------- */

static void memory_follows_from_the_largest_file(void **state) {
    (void)state;
    char *paths[] = {strdup(test_path("small")), strdup(test_path("large"))};
    static char bytes[6000000];
    const psb_dataset dataset = {.cla = {.nmodels = 2}, .paths = paths};
    psb_spec *spec;
    assert_int_equal(psb_spec_parse("SHELLS", &spec, NULL), PSB_OK);
    test_write("small", bytes, 10);
    test_write("large", bytes, 20);
    psb_memory_bound least = psb_memory_bound_of(&dataset, &spec, 1, 0);
    assert_int_equal(least.largest_file, 20);
    test_write("large", bytes, sizeof bytes);
    psb_memory_bound more = psb_memory_bound_of(&dataset, &spec, 1, 0);
    /* A million vertices in each of their copies, and the text. */
    assert_true(more.per_thread > least.per_thread + sizeof bytes + 1000000 * (4 * 24));
    assert_int_equal(more.shared, least.shared);
    assert_true(more.shared >= 2 * 2 * psb_spec_row_bytes(spec) + 4 * sizeof(float));
    psb_memory_bound limited = psb_memory_bound_of(&dataset, &spec, 1, 1000);
    assert_true(limited.per_thread < least.per_thread + sizeof bytes + 1000000);
    psb_spec_free(spec);
    free(paths[0]);
    free(paths[1]);
}

/* ---- failures -------------------------------------------------------------------------- */

static void failures_are_listed(void **state) {
    (void)state;
    psb_failure failures[] = {
        {0, (char[]){"7"}, (char[]){"db/m7.off"}, {PSB_ERROR_INPUT, 12, "db/m7.off:12: bad: '\t'"}},
        {3, (char[]){"x"}, (char[]){"a:b/x.off"}, {PSB_ERROR_IO, 0, "a:b/x.off: cannot open"}},
    };
    psb_features features = {.nfailures = 2, .failures = failures};
    size_t size;
    assert_int_equal(psb_failures_write(run_path(), &features, NULL), PSB_OK);
    char *text = test_read(test_path("books/failures.tsv"), &size);
    assert_string_equal(text, "id\tfile\tline\treason\n"
                              "7\tdb/m7.off\t12\tbad: '?'\n"
                              "x\ta:b/x.off\t\tcannot open\n");
    free(text);
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_holder_at_a_time),
        cmocka_unit_test(a_dead_holder_is_recognised),
        cmocka_unit_test(leftovers_go_and_nothing_else),
        cmocka_unit_test(entries_come_back),
        cmocka_unit_test(damaged_lines_count_as_absent),
        cmocka_unit_test(altered_files_are_noticed),
        cmocka_unit_test(memory_follows_from_the_largest_file),
        cmocka_unit_test(failures_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
