/* Tests lock, ledger, stamps and leftovers, by which one run continues in the folder of another. */
#include "core/file.h"
#include "core/lock.h"
#include "proof/folder.h"
#include "proof/ledger.h"
#include "proof/results.h"
#include "run/memory_bound.h"
#include "run/model_reports.h"
#include "run/plan.h"
#include "run/record.h"
#include "support/files.h"
#include "support/test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

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
    /* Anything may stand behind the first word. */
    test_write("lock", "process \x1b[31m no newline", 24);
    assert_int_equal(psb_lock_take(path, &lock, NULL), PSB_OK);
    assert_string_equal(lock.holder, "process ?[31m no newline");
    psb_lock_release(&lock);
    assert_int_equal(psb_lock_take(test_path("absent/lock"), &lock, NULL), PSB_ERROR_IO);
}

static void assert_refused(const char *name, const char *path, const char *message) {
    psb_lock lock;
    psb_error error;
    assert_int_equal(psb_lock_take(test_path(name), &lock, &error), PSB_ERROR_IO);
    assert_non_null(strstr(error.message, message));
    psb_lock_release(&lock);
    psb_input kept;
    assert_int_equal(psb_input_open(path, &kept, NULL), PSB_OK);
    assert_int_equal(kept.size, 6);
    assert_memory_equal(kept.data, "thesis", 6);
    psb_input_close(&kept);
}

/* What a link leads to, or what bears the lock's name and is none, is not emptied. */
static void what_is_no_lock_is_kept(void **state) {
    (void)state;
    char thesis[512];
    snprintf(thesis, sizeof thesis, "%s", test_write("thesis", "thesis", 6));
    assert_int_equal(symlink("thesis", test_path("linked")), 0);
    assert_refused("linked", thesis, "linked: a link, but a lock is a file of its own");
    assert_refused("thesis", thesis, "thesis: not a lock of this program");
    assert_int_equal(unlink(test_path("linked")), 0);
    assert_int_equal(symlink("absent", test_path("linked")), 0);
    assert_refused("linked", thesis, "a link");
    assert_false(psb_is_file(test_path("absent")));
}

static void a_folder_of_other_things_is_refused(void **state) {
    (void)state;
    psb_lock lock;
    psb_error error;
    assert_int_equal(mkdir(test_path("papers"), 0777), 0);
    assert_int_equal(psb_run_folder_open(test_path("papers"), NULL, &lock, NULL), PSB_OK);
    psb_lock_release(&lock);
    test_write("papers/thesis", "thesis", 6); /* beside a run anything may lie */
    assert_int_equal(psb_run_folder_open(test_path("papers"), NULL, &lock, NULL), PSB_OK);
    psb_lock_release(&lock);
    assert_int_equal(unlink(test_path("papers/.lock")), 0);
    assert_int_equal(psb_run_folder_open(test_path("papers"), NULL, &lock, &error),
                     PSB_ERROR_USAGE);
    assert_non_null(strstr(error.message, "papers: the folder has other contents"));
    psb_lock_release(&lock);
    assert_int_equal(test_count_files(test_path("papers")), 1);
    test_write("papers/run.json", "{}", 2); /* an older run's */
    assert_int_equal(psb_run_folder_open(test_path("papers"), NULL, &lock, NULL), PSB_OK);
    psb_lock_release(&lock);
}

/* ---- leftovers ------------------------------------------------------------------------- */

static void leftovers_go_and_nothing_else(void **state) {
    (void)state;
    const char *const kept[] = {"run/a.npy",
                                "run/a.tmpabcdef",
                                "run/.psbench.tmpabcde",
                                "run/.psbench.tmpabcdefg",
                                "run/.psbench.tmpabc.ef",
                                "run/other/.psbench.tmpabcdef"};
    const char *const left[] = {"run/.psbench.tmpAb09zZ", "run/work/.psbench.tmpabcdef",
                                "run/features/.psbench.tmp123456",
                                "run/report/thumbnails/.psbench.tmp123456"};
    const char *const folders[] = {"run",          "run/other",  "run/work",
                                   "run/features", "run/report", "run/report/thumbnails"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        assert_int_equal(mkdir(test_path(folders[i]), 0777), 0);
    }
    assert_int_equal(mkdir(test_path("run/.psbench.tmpfolder"), 0777), 0);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        test_write(kept[i], "", 0);
    }
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        test_write(left[i], "", 0);
    }
    test_write("run/.lock", "", 0);
    psb_lock lock;
    assert_int_equal(psb_run_folder_open(test_path("run"), NULL, &lock, NULL), PSB_OK);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        assert_true(psb_is_file(test_path(kept[i])));
    }
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        assert_false(psb_is_file(test_path(left[i])));
    }
    assert_true(psb_is_folder(test_path("run/.psbench.tmpfolder")));
    psb_lock_release(&lock);
}

/* ---- ledger ---------------------------------------------------------------------------- */

static const char *run_path(void) {
    static char path[512];
    snprintf(path, sizeof path, "%s", test_path("books"));
    assert_int_equal(psb_make_folder(test_path("books/work"), NULL), PSB_OK);
    return path;
}

/* The entry of a file that is as it was, whose look must not fail. */
static const psb_ledger_entry *current(psb_ledger *ledger, const char *name, uint64_t key,
                                       bool *altered) {
    const psb_ledger_entry *entry = NULL;
    assert_int_equal(psb_ledger_current(ledger, name, key, &entry, altered, NULL), PSB_OK);
    return entry;
}

static psb_kept look(psb_ledger *ledger, const psb_ledger_entry *entry, bool whole) {
    psb_kept kept = PSB_KEPT_ABSENT;
    assert_int_equal(psb_ledger_look(ledger, entry, whole, &kept, NULL), PSB_OK);
    return kept;
}

static void entries_come_back(void **state) {
    (void)state;
    psb_ledger ledger;
    bool altered;
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_null(current(&ledger, "one", 1, &altered));
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
    const psb_ledger_entry *entry = current(&ledger, "one", 1, &altered);
    assert_non_null(entry);
    assert_true(entry->wall_seconds == 0.1 && entry->cpu_seconds == 2e-9);
    assert_null(current(&ledger, "one", 2, &altered));
    assert_false(altered);
    assert_non_null(current(&ledger, "two", UINT64_MAX, &altered));
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
    assert_non_null(current(&ledger, "one", 1, &altered));
    test_write("books/one", "11", 2);
    assert_null(current(&ledger, "one", 1, &altered));
    assert_true(altered);
    assert_int_equal(unlink(test_path("books/one")), 0);
    assert_null(current(&ledger, "one", 1, &altered));
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
    char *data = test_read(test_path("books/provenance.tsv"), &size);
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

static void write_ledger(const char *name, const char *lines[], size_t count) {
    psb_text text = {0};
    for (size_t i = 0; i < count; i++) {
        size_t begin = text.length;
        psb_text_printf(&text, "%s\t", lines[i]);
        psb_text_printf(&text, "%016llx\n",
                        (unsigned long long)XXH64(text.data + begin, text.length - begin, 0));
    }
    test_write(name, text.data, text.length);
    psb_text_free(&text);
}

/* A file that is replaced is there by its old bytes and by its new ones, also where the command was
   killed between; by no others, and not by the old ones any more once it has ended. */
static void a_file_is_replaced(void **state) {
    (void)state;
    psb_ledger ledger;
    psb_text text = {0};
    psb_input before;
    psb_text_add(&text, "new");
    unlink(test_path("books/provenance.tsv"));
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    test_write("books/one", "older", 5);
    assert_int_equal(psb_ledger_enter(&ledger, "one", 1, 0, 0, NULL), PSB_OK);
    assert_int_equal(psb_ledger_replace(&ledger, "one", &text, NULL), PSB_OK);
    psb_ledger_free(&ledger);

    /* The ledger as it was written before the file. */
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_int_equal(psb_input_open(test_path("books/one"), &before, NULL), PSB_OK);
    assert_true(before.size == 3 && memcmp(before.data, "new", 3) == 0);
    psb_input_close(&before);
    const psb_ledger_entry *one = psb_ledger_find(&ledger, "one");
    assert_int_equal(look(&ledger, one, false), PSB_KEPT_SAME);
    test_write("books/one", "older", 5);
    assert_int_equal(look(&ledger, one, true), PSB_KEPT_SAME);
    test_write("books/one", "other", 5);
    assert_int_equal(look(&ledger, one, false), PSB_KEPT_CHANGED);

    test_write("books/one", "older", 5);
    assert_int_equal(psb_ledger_replace(&ledger, "one", &text, NULL), PSB_OK);
    assert_int_equal(psb_ledger_write(&ledger, NULL), PSB_OK);
    psb_ledger_free(&ledger);
    psb_text_free(&text);
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_int_equal(ledger.damaged, 0);
    one = psb_ledger_find(&ledger, "one");
    assert_int_equal(look(&ledger, one, false), PSB_KEPT_SAME);
    test_write("books/one", "older", 5);
    assert_int_equal(look(&ledger, one, false), PSB_KEPT_CHANGED);
    psb_ledger_free(&ledger);
}

/* What a folder is for, sets and commands come back; commands that made nothing any more go. */
static void lists_and_commands_come_back(void **state) {
    (void)state;
    static char endless[20000];
    memset(endless, 'x', sizeof endless - 1);
    char *list_name = (char[]){"a\tlist.cla"};
    const psb_ledger_list list = {7, 3, 1, list_name}, other = {8, 4, 1, list_name};
    psb_ledger ledger;
    bool altered;
    unlink(test_path("books/provenance.tsv"));
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    test_write("books/one", "1", 1);
    test_write("books/two", "22", 2);
    assert_int_equal(psb_ledger_begin(&ledger, &list, "old", NULL), PSB_OK);
    assert_int_equal(psb_ledger_enter(&ledger, "one", 1, 0, 0, NULL), PSB_OK);
    assert_int_equal(psb_ledger_enter(&ledger, "two", 1, 0, 0, NULL), PSB_OK);
    assert_int_equal(psb_ledger_begin(&ledger, &other, endless, NULL), PSB_OK);
    psb_ledger_use(&ledger, 2);
    assert_non_null(current(&ledger, "one", 1, &altered));
    assert_int_equal(psb_ledger_write(&ledger, NULL), PSB_OK);
    psb_ledger_free(&ledger);
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_int_equal(ledger.damaged, 0);
    assert_true(ledger.list.hash == 8 && ledger.list.count == 4 && ledger.list.set == 2);
    assert_string_equal(ledger.list.classification, "a?list.cla");
    const psb_ledger_entry *one = psb_ledger_find(&ledger, "one");
    const psb_ledger_entry *two = psb_ledger_find(&ledger, "two");
    assert_true(one->set == 2 && two->set == 1);
    assert_string_equal(psb_ledger_command_of(&ledger, one), endless);
    assert_string_equal(psb_ledger_command_of(&ledger, two), "old");
    assert_int_equal(psb_ledger_begin(&ledger, &other, endless, NULL), PSB_OK);
    assert_non_null(current(&ledger, "two", 1, &altered));
    assert_int_equal(psb_ledger_write(&ledger, NULL), PSB_OK);
    psb_ledger_free(&ledger);
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_int_equal(ledger.ncommands, 1);
    psb_ledger_free(&ledger);
}

/* Large files by size, time and a sample; whole where the time is another, or that is asked for. */
static void large_files_are_sampled(void **state) {
    (void)state;
    enum { BYTES = 80 << 20, BETWEEN = (1 << 20) + 100 };
    psb_ledger ledger;
    bool altered;
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    test_write("books/large", "", 0);
    assert_int_equal(truncate(test_path("books/large"), BYTES), 0);
    assert_int_equal(psb_ledger_enter(&ledger, "large", 1, 0, 0, NULL), PSB_OK);
    const psb_ledger_entry *entry = psb_ledger_find(&ledger, "large");
    const off_t places[] = {0, BYTES - 1, BETWEEN};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        assert_int_equal(look(&ledger, entry, true), PSB_KEPT_SAME);
        assert_int_equal(look(&ledger, entry, false), PSB_KEPT_SAME);
        FILE *file = fopen(test_path("books/large"), "r+");
        assert_int_equal(fseeko(file, places[i], SEEK_SET), 0);
        fputc(1, file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(look(&ledger, entry, true), PSB_KEPT_CHANGED);
        assert_int_equal(look(&ledger, entry, false), PSB_KEPT_CHANGED);
        assert_null(current(&ledger, "large", 1, &altered));
        assert_true(altered);
        const struct timespec as_before = {entry->stamp.time / 1000000000,
                                           entry->stamp.time % 1000000000};
        const struct timespec times[] = {as_before, as_before};
        assert_int_equal(utimensat(AT_FDCWD, test_path("books/large"), times, 0), 0);
        assert_int_equal(look(&ledger, entry, false),
                         places[i] == BETWEEN ? PSB_KEPT_SAME : PSB_KEPT_CHANGED);
        file = fopen(test_path("books/large"), "r+");
        assert_int_equal(fseeko(file, places[i], SEEK_SET), 0);
        fputc(0, file);
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(truncate(test_path("books/large"), BYTES - 1), 0);
    assert_int_equal(look(&ledger, entry, false), PSB_KEPT_CHANGED);
    psb_ledger_free(&ledger);
    unlink(test_path("books/large"));
}

/* Files are removed by what the ledger says: no name leads elsewhere. */
static void no_name_leads_out(void **state) {
    (void)state;
    static const char rest[] = "\t0123456789abcdef\t1\t1\t0123456789abcdef\t0\t0"
                               "\t0123456789abcdef\t0123456789abcdef\t0123456789abcdef";
    const char *const names[] = {"mine", "../outside", "/etc/passwd", "a/../../outside", ""};
    char text[5][256];
    const char *lines[5];
    for (size_t i = 0; i < 5; i++) {
        snprintf(text[i], sizeof text[i], "file\t%s%s", names[i], rest);
        lines[i] = text[i];
    }
    psb_ledger ledger;
    run_path();
    write_ledger("books/provenance.tsv", lines, 5);
    test_write("books/mine", "1", 1);
    test_write("outside", "1", 1);
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_int_equal(ledger.count, 1);
    assert_int_equal(ledger.damaged, 4);
    assert_int_equal(psb_ledger_remove_files(&ledger, NULL), PSB_OK);
    assert_false(psb_is_file(test_path("books/mine")));
    assert_true(psb_is_file(test_path("outside")));
    psb_ledger_free(&ledger);
}

/* A folder of version 0.1.0 is refused by everything that opens a ledger. */
static void folders_of_the_oldest_version_are_refused(void **state) {
    (void)state;
    psb_results results;
    psb_error error;
    unlink(test_path("books/provenance.tsv"));
    run_path();
    test_write("books/models.cla", "PSB 1\n0 0\n", 10);
    test_write("books/work/ledger", "", 0);
    assert_int_equal(psb_results_open(run_path(), false, &results, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "0.1.0"));
    psb_results_free(&results);
    assert_int_equal(psb_results_check_file(test_path("books/models.cla"), false, &error),
                     PSB_ERROR_INPUT);
    assert_int_equal(unlink(test_path("books/work/ledger")), 0);
}

/* What the machine does not let be seen is an error, and no state of the file. */
static void what_cannot_be_seen_is_no_state(void **state) {
    (void)state;
    const psb_ledger_list list = {1, 1, 1, (char[]){"c.cla"}};
    psb_results results = {.whole = false};
    psb_finding found;
    psb_error error;
    char name[400] = ""; /* too long for any file system, also where root asks */
    memset(name, 'x', sizeof name - 1);
    assert_int_equal(psb_ledger_open(run_path(), false, &results.ledger, &error), PSB_OK);
    assert_int_equal(psb_ledger_begin(&results.ledger, &list, "run", NULL), PSB_OK);
    assert_int_equal(psb_results_look(&results, name, &found, &error), PSB_ERROR_IO);
    psb_results_free(&results);
}

/* ---- memory ---------------------------------------------------------------------------- */

static void memory_follows_from_the_largest_file(void **state) {
    (void)state;
    char *paths[] = {strdup(test_path("small")), strdup(test_path("large"))};
    static char bytes[6000000];
    const psb_dataset dataset = {.cla = {.nmodels = 2}, .paths = paths};
    psb_spec *spec;
    assert_int_equal(psb_spec_parse(NULL, "SHELLS", &spec, NULL), PSB_OK);
    test_write("small", bytes, 10);
    test_write("large", bytes, 20);
    psb_memory_bound least = psb_memory_bound_of(&dataset, &spec, 1, 0, 0, true);
    assert_int_equal(least.largest_file, 20);
    test_write("large", bytes, sizeof bytes);
    psb_memory_bound more = psb_memory_bound_of(&dataset, &spec, 1, 0, 0, true);
    /* A million vertices in each of their copies, and the text. */
    assert_true(more.per_thread > least.per_thread + sizeof bytes + 1000000 * (4 * 24));
    assert_int_equal(more.shared, least.shared);
    assert_true(more.shared >= 2 * 2 * psb_spec_row_bytes(spec) + 4 * sizeof(float));
    psb_memory_bound limited = psb_memory_bound_of(&dataset, &spec, 1, 1000, 0, true);
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
    psb_ledger ledger;
    size_t size;
    assert_int_equal(psb_ledger_open(run_path(), false, &ledger, NULL), PSB_OK);
    assert_int_equal(psb_failures_write(&ledger, &features, NULL), PSB_OK);
    psb_ledger_free(&ledger);
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

/* A run that says that these revisions made its rows of GEDT and LFD, and has a file for T3. */
static void say_revisions(const char *folder, int gedt, int lfd) {
    psb_ledger ledger;
    psb_text text = {0};
    psb_plan plan;
    char path[512], features[64];
    snprintf(path, sizeof path, "%s", test_path(folder));
    snprintf(features, sizeof features, "%s/features", folder);
    assert_int_equal(psb_make_folder(test_path(features), NULL), PSB_OK);
    assert_int_equal(psb_plan_make(NULL, "T3", &plan, NULL), PSB_OK);
    psb_text_add(&text, "{\"descriptors\":[{\"label\":\"T3\",\"revision\":1}");
    for (size_t m = 0; m < plan.nspecs; m++) {
        const char *label = plan.specs[m]->label.text;
        int revision = strncmp(label, "GEDT", 4) == 0  ? gedt
                       : strncmp(label, "LFD", 3) == 0 ? lfd
                                                       : 1;
        psb_text_printf(&text, ",{\"label\":\"%s\",\"revision\":%d}", label, revision);
    }
    psb_text_add(&text, "]}");
    psb_plan_free(&plan);
    assert_int_equal(psb_ledger_open(path, false, &ledger, NULL), PSB_OK);
    assert_int_equal(psb_ledger_save(&ledger, "run.json", &text, NULL), PSB_OK);
    assert_int_equal(psb_ledger_save(&ledger, "features/T3.npy", &text, NULL), PSB_OK);
    assert_int_equal(psb_ledger_write(&ledger, NULL), PSB_OK);
    psb_ledger_free(&ledger);
    psb_text_free(&text);
}

/* Rows of a sum are comparable only where those of each member are. */
static void rows_of_two_revisions_are_told_apart(void **state) {
    (void)state;
    char one[512], two[512];
    psb_error error;
    say_revisions("alike1", 3, 2);
    say_revisions("alike2", 3, 2);
    snprintf(one, sizeof one, "%s", test_path("alike1/features/T3.npy"));
    snprintf(two, sizeof two, "%s", test_path("alike2/features/T3.npy"));
    assert_int_equal(psb_run_check_alike(one, two, &error), PSB_OK);
    say_revisions("alike2", 2, 2);
    assert_int_equal(psb_run_check_alike(one, two, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "rows that revision 2 of GEDT"));
    say_revisions("alike2", 3, 1);
    assert_int_equal(psb_run_check_alike(two, one, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "rows that revision 2 of LFD"));
    assert_int_equal(psb_run_check_alike(one, test_path("alike2/run.json"), &error), PSB_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_holder_at_a_time),
        cmocka_unit_test(a_dead_holder_is_recognised),
        cmocka_unit_test(what_is_no_lock_is_kept),
        cmocka_unit_test(a_folder_of_other_things_is_refused),
        cmocka_unit_test(leftovers_go_and_nothing_else),
        cmocka_unit_test(entries_come_back),
        cmocka_unit_test(damaged_lines_count_as_absent),
        cmocka_unit_test(altered_files_are_noticed),
        cmocka_unit_test(a_file_is_replaced),
        cmocka_unit_test(lists_and_commands_come_back),
        cmocka_unit_test(large_files_are_sampled),
        cmocka_unit_test(no_name_leads_out),
        cmocka_unit_test(folders_of_the_oldest_version_are_refused),
        cmocka_unit_test(what_cannot_be_seen_is_no_state),
        cmocka_unit_test(memory_follows_from_the_largest_file),
        cmocka_unit_test(failures_are_listed),
        cmocka_unit_test(rows_of_two_revisions_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
