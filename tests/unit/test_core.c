/* Tests files that appear whole or not at all, checked memory, texts, names, random numbers. */
#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/text.h"
#include "core/watch.h"
#include "support/files.h"
#include "support/test.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- files ----------------------------------------------------------------------------- */

static void assert_holds(const char *path, const char *expected) {
    size_t size;
    char *data = test_read(path, &size);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(data, expected, size);
    free(data);
}

static void discarded_output_leaves_nothing(void **state) {
    (void)state;
    const char *folder = test_path("discard");
    assert_int_equal(mkdir(folder, 0777), 0);
    const char *path = test_write("discard/kept", "old", 3);
    psb_output output;
    assert_int_equal(psb_output_open(path, &output, NULL), PSB_OK);
    fputs("new", output.stream);
    fflush(output.stream);
    assert_holds(path, "old");
    psb_output_discard(&output);
    psb_output_discard(&output);
    assert_holds(path, "old");
    assert_int_equal(test_count_files(folder), 1);
}

/* What a signal handler does before the process ends: files in work go, others stay. */
static void abandoned_outputs_leave_nothing(void **state) {
    (void)state;
    enum { OUTPUTS = 3 };
    psb_output outputs[OUTPUTS];
    char name[OUTPUTS][32];
    for (int i = 0; i < OUTPUTS; i++) {
        snprintf(name[i], sizeof name[i], "abandoned%d", i);
        assert_int_equal(psb_output_open(test_path(name[i]), &outputs[i], NULL), PSB_OK);
    }
    assert_int_equal(psb_output_commit(&outputs[0], NULL), PSB_OK);
    psb_outputs_abandon();
    for (int i = 1; i < OUTPUTS; i++) {
        if (outputs[i].temporary != NULL) { /* it has none where files in work need no name */
            assert_int_equal(access(outputs[i].temporary, F_OK), -1);
            free(outputs[i].temporary); /* else it is the ending process's */
            outputs[i].temporary = NULL;
        }
        psb_output_discard(&outputs[i]);
        assert_int_equal(access(test_path(name[i]), F_OK), -1);
    }
    assert_int_equal(unlink(test_path(name[0])), 0);
}

static void committed_output_replaces_the_file(void **state) {
    (void)state;
    const char *folder = test_path("commit");
    assert_int_equal(mkdir(folder, 0777), 0);
    const char *path = test_write("commit/kept", "old and longer", 14);
    psb_output output;
    assert_int_equal(psb_output_open(path, &output, NULL), PSB_OK);
    fputs("new", output.stream);
    assert_holds(path, "old and longer");
    assert_int_equal(psb_output_commit(&output, NULL), PSB_OK);
    psb_output_discard(&output);
    assert_holds(path, "new");
    assert_int_equal(test_count_files(folder), 1);
    assert_int_equal(psb_write_file(path, "again", 5, NULL), PSB_OK);
    assert_holds(path, "again");
    assert_int_equal(psb_write_file(path, NULL, 0, NULL), PSB_OK);
    assert_holds(path, "");
}

static void output_is_as_public_as_the_umask_allows(void **state) {
    (void)state;
    mode_t mask = umask(027);
    const char *path = test_path("mode");
    assert_int_equal(psb_write_file(path, "x", 1, NULL), PSB_OK);
    umask(mask);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

/* How often this process set its umask, which all of its threads share. */
static int umask_calls;

mode_t umask(mode_t mask) {
    umask_calls++;
    return (mode_t)syscall(SYS_umask, mask);
}

static void *write_many(void *name) {
    for (int i = 0; i < 50; i++) {
        if (psb_write_file(name, "x", 1, NULL) != PSB_OK) {
            return name;
        }
    }
    return NULL;
}

/* To look at the umask is to set it, for every thread that makes a file at that moment. */
static void output_leaves_the_umask_alone(void **state) {
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    char paths[THREADS][512];
    umask_calls = 0;
    for (int t = 0; t < THREADS; t++) {
        char name[32];
        snprintf(name, sizeof name, "umask%d", t);
        snprintf(paths[t], sizeof paths[t], "%s", test_path(name));
        assert_int_equal(pthread_create(&threads[t], NULL, write_many, paths[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        void *failed;
        assert_int_equal(pthread_join(threads[t], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(umask_calls, 0);
}

/* A folder in the file's place: the error names it, and the temporary file is gone. */
static void output_that_cannot_be_placed(void **state) {
    (void)state;
    psb_error error;
    const char *folder = test_path("place");
    assert_int_equal(psb_make_folder(test_path("place/taken"), NULL), PSB_OK);
    const char *taken = test_path("place/taken");
    assert_int_equal(psb_write_file(taken, "x", 1, &error), PSB_ERROR_IO);
    assert_string_equal(test_without_folder(error.message, taken),
                        "taken: cannot open: Is a directory");
    assert_int_equal(test_count_files(folder), 1);
    const char *nowhere = test_path("no/such/folder/file");
    assert_int_equal(psb_write_file(nowhere, "x", 1, &error), PSB_ERROR_IO);
    assert_string_equal(test_without_folder(error.message, nowhere),
                        "file: cannot create: No such file or directory");
}

static void input_is_the_file(void **state) {
    (void)state;
    psb_input input;
    const char *path = test_write("input", "a\0b", 3);
    assert_int_equal(psb_input_open(path, &input, NULL), PSB_OK);
    assert_int_equal(input.size, 3);
    assert_memory_equal(input.data, "a\0b", 3);
    psb_input_close(&input);
    psb_input_close(&input);
    assert_int_equal(psb_input_open(test_write("none", "", 0), &input, NULL), PSB_OK);
    assert_int_equal(input.size, 0);
    assert_non_null(input.data); /* a place to count from */
    psb_input_close(&input);
    assert_int_equal(psb_input_open(test_folder(), &input, NULL), PSB_ERROR_IO);
    assert_int_equal(psb_input_open("/dev/null", &input, NULL), PSB_ERROR_IO);
    assert_int_equal(input.size, 0);
}

static void input_is_read_up_to_a_limit(void **state) {
    (void)state;
    psb_buffer buffer = {0};
    psb_error error;
    size_t size = 7;
    const char *path = test_write("five", "12345", 5);
    assert_int_equal(psb_input_read(path, 5, &buffer, &size, NULL), PSB_OK);
    assert_int_equal(size, 5);
    assert_memory_equal(buffer.data, "12345", 5);
    assert_int_equal(psb_input_read(path, 4, &buffer, &size, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "five: a file of 5 bytes, but at most 4 are allowed"));
    assert_int_equal(psb_input_read(test_write("none", "", 0), 0, &buffer, &size, NULL), PSB_OK);
    assert_int_equal(size, 0);
    assert_int_equal(psb_input_read(test_folder(), 9, &buffer, &size, NULL), PSB_ERROR_IO);
    assert_int_equal(psb_input_read(test_path("absent"), 9, &buffer, &size, NULL), PSB_ERROR_IO);
    psb_buffer_free(&buffer);
}

static void folders_are_made_with_their_parents(void **state) {
    (void)state;
    const char *deep = test_path("one/two//three/");
    assert_int_equal(psb_make_folder(deep, NULL), PSB_OK);
    assert_int_equal(psb_make_folder(deep, NULL), PSB_OK);
    assert_true(psb_is_folder(deep));
    assert_false(psb_is_file(deep));
    psb_error error;
    const char *file = test_write("one/file", "", 0);
    assert_true(psb_is_file(file));
    assert_false(psb_is_folder(file));
    assert_int_equal(psb_make_folder(file, &error), PSB_ERROR_IO);
    assert_string_equal(test_without_folder(error.message, file),
                        "file: cannot make the folder: a file has this name; give another name");
    assert_int_equal(psb_make_folder(test_path("one/file/below"), NULL), PSB_ERROR_IO);
    assert_false(psb_is_folder(test_path("absent")));
    assert_false(psb_is_file(test_path("absent")));
}

static void joined(const char *folder, const char *name, const char *expected) {
    char *path;
    assert_int_equal(psb_path_join(&path, folder, name, NULL), PSB_OK);
    assert_string_equal(path, expected);
    free(path);
}

static void paths_are_joined_by_one_slash(void **state) {
    (void)state;
    joined("a", "b", "a/b");
    joined("a/", "b", "a/b");
    joined("/", "b", "/b");
    joined("", "b", "b");
}

/* ---- memory ---------------------------------------------------------------------------- */

static void sizes_that_overflow_are_memory_errors(void **state) {
    (void)state;
    psb_status first = PSB_OK, second = PSB_OK, third = PSB_OK;
    psb_error error;
    assert_null(psb_new(&first, SIZE_MAX / 8 + 2, 8, "points", &error));
    assert_int_equal(first, PSB_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "points"));
    assert_null(psb_new(&second, SIZE_MAX, 1, "points", NULL));
    assert_int_equal(second, PSB_ERROR_MEMORY);
    assert_null(psb_new_zero(&third, SIZE_MAX, SIZE_MAX, "points", NULL));
    assert_int_equal(third, PSB_ERROR_MEMORY);
    psb_buffer buffer = {0};
    assert_int_equal(psb_buffer_reserve(&buffer, 10, 8, "points", NULL), PSB_OK);
    assert_int_equal(psb_buffer_grow(&buffer, SIZE_MAX / 4, 8, "points", NULL), PSB_ERROR_MEMORY);
    assert_int_equal(buffer.bytes, 80);
    assert_int_equal(psb_buffer_reserve(&buffer, SIZE_MAX / 4, 8, "points", NULL),
                     PSB_ERROR_MEMORY);
    assert_int_equal(buffer.bytes, 0);
    psb_buffer_free(&buffer);
}

static void memory_is_aligned_and_zeroed(void **state) {
    (void)state;
    for (size_t bytes = 0; bytes < 300; bytes += 23) {
        psb_status status = PSB_OK;
        void *memory = psb_new_zero(&status, bytes, 1, "bytes", NULL);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        for (size_t i = 0; i < bytes; i++) {
            assert_int_equal(((unsigned char *)memory)[i], 0);
        }
        free(memory);
    }
}

static void buffers_grow_and_never_shrink(void **state) {
    (void)state;
    psb_buffer buffer = {0};
    size_t growths = 0;
    for (size_t n = 1; n <= 100000; n++) {
        void *before = buffer.data;
        assert_int_equal(psb_buffer_grow(&buffer, n, sizeof n, "numbers", NULL), PSB_OK);
        growths += buffer.data != before;
        ((size_t *)buffer.data)[n - 1] = n;
    }
    assert_true(growths < 40);
    for (size_t n = 1; n <= 100000; n++) {
        assert_int_equal(((size_t *)buffer.data)[n - 1], n);
    }
    size_t bytes = buffer.bytes;
    assert_int_equal(psb_buffer_reserve(&buffer, 1, 1, "bytes", NULL), PSB_OK);
    assert_int_equal(buffer.bytes, bytes);
    psb_buffer_free(&buffer);
    psb_buffer_free(&buffer);
    psb_buffer_free(NULL);
}

/* ---- errors, text, names --------------------------------------------------------------- */

static void messages_name_file_and_line(void **state) {
    (void)state;
    psb_error error;
    assert_int_equal(psb_fail_at(&error, PSB_ERROR_INPUT, "a.off", 77, "index %d", 991),
                     PSB_ERROR_INPUT);
    assert_string_equal(error.message, "a.off:77: index 991");
    assert_int_equal(error.line, 77);
    assert_int_equal(error.status, PSB_ERROR_INPUT);
    psb_fail_at(&error, PSB_ERROR_IO, "a.off", 0, "gone");
    assert_string_equal(error.message, "a.off: gone");
    char path[2000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    /* A long path leaves room for the reason; the reason may have an end itself. */
    psb_fail_at(&error, PSB_ERROR_INPUT, path, 3, "index");
    assert_string_equal(error.message + strlen(error.message) - 12, "ppp:3: index");
    assert_memory_equal(error.message, "...ppp", 6);
    psb_fail_at(&error, PSB_ERROR_INPUT, path, 3, "%s", path);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    /* Cut between characters. */
    memcpy(path + sizeof path - 1 - 301, "\303\251", 2);
    psb_fail_at(&error, PSB_ERROR_INPUT, path, 3, "index");
    assert_memory_equal(error.message, "...ppp", 6);
    assert_int_equal(psb_fail(NULL, PSB_ERROR_USAGE, "%s", "none"), PSB_ERROR_USAGE);
}

static void text_grows(void **state) {
    (void)state;
    psb_text text = {0};
    for (int i = 0; i < 10000; i++) {
        psb_text_printf(&text, "%d,", i % 10);
    }
    psb_text_add(&text, "end");
    psb_text_add_bytes(&text, "\0x", 2);
    assert_int_equal(text.length, 20005);
    assert_memory_equal(text.data + 19996, "8,9,end\0x", 10);
    assert_int_equal(psb_text_status(&text, NULL), PSB_OK);
    psb_text_free(&text);
    psb_text_free(&text);
}

static void whole_numbers_with_commas(void **state) {
    (void)state;
    static const uint32_t numbers[] = {0, 7, 10, 905, 4294967295U};
    psb_text text = {0};
    psb_text_add_numbers(&text, numbers, 0, ',');
    assert_int_equal(text.length, 0);
    psb_text_add_numbers(&text, numbers, 5, ',');
    assert_string_equal(text.data, "0,7,10,905,4294967295");
    psb_text_free(&text);
}

/* Of all sizes, with few digits and many, and close to a tie. */
static void short_numbers_are_those_of_printf(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(3, "text", "numbers");
    for (int i = 0; i < 200000; i++) {
        double x = (double)psb_random_below(&random, i % 2 != 0 ? 200000 : 100) + 0.5;
        x *= pow(10.0, (double)psb_random_below(&random, 14) - 9.0);
        x = i % 3 == 0 ? (double)(float)(x * psb_random_unit(&random)) : i < 9 ? i - 4.0 : x;
        char expected[32];
        int digits = i % 2 != 0 ? 4 : 1 + (int)psb_random_below(&random, 9);
        x = psb_random_below(&random, 4) == 0 ? -x : x;
        snprintf(expected, sizeof expected, "%.*g", digits, x);
        psb_text text = {0};
        psb_text_add_short(&text, x, digits);
        assert_string_equal(text.data, expected);
        psb_text_free(&text);
    }
}

/* One append that cannot be done makes the whole text fail, and later ones do not revive it. */
static void text_fails_once_and_for_all(void **state) {
    (void)state;
    psb_text text = {0};
    psb_text_add(&text, "kept");
    psb_text_add_bytes(&text, "x", SIZE_MAX - 2);
    psb_text_add(&text, "not added");
    assert_string_equal(text.data, "kept");
    assert_int_equal(psb_text_status(&text, NULL), PSB_ERROR_MEMORY);
    psb_text_free(&text);
}

static void names_are_found(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    static char texts[COUNT][8];
    psb_names names = {0};
    assert_int_equal(psb_names_find(&names, "none"), PSB_NO_NAME);
    assert_int_equal(psb_names_reserve(&names, COUNT, NULL), PSB_OK);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], "n%zu", i);
        assert_int_equal(psb_names_find(&names, texts[i]), PSB_NO_NAME);
        psb_names_add(&names, texts[i], 10 * i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        char copy[8];
        snprintf(copy, sizeof copy, "n%zu", i);
        assert_int_equal(psb_names_find(&names, copy), 10 * i);
    }
    assert_int_equal(psb_names_find(&names, "n5000"), PSB_NO_NAME);
    assert_int_equal(psb_names_find(&names, ""), PSB_NO_NAME);
    assert_int_equal(names.count, COUNT);
    psb_names_free(&names);
    psb_names_free(&names);
}

/* However many names were promised, a place stays free, at which a search for another ends. */
static void absent_names_end_the_search(void **state) {
    (void)state;
    enum { MOST = 64 };
    static char texts[MOST][8];
    const struct itimerval minute = {.it_value.tv_sec = 60}, none = {.it_value.tv_sec = 0};
    for (size_t count = 1; count <= MOST; count++) {
        psb_names names = {0};
        assert_int_equal(psb_names_reserve(&names, count, NULL), PSB_OK);
        for (size_t i = 0; i < count; i++) {
            snprintf(texts[i], sizeof texts[i], "n%zu", i);
            psb_names_add(&names, texts[i], i);
        }
        setitimer(ITIMER_VIRTUAL, &minute, NULL);
        assert_int_equal(psb_names_find(&names, "absent"), PSB_NO_NAME);
        setitimer(ITIMER_VIRTUAL, &none, NULL);
        psb_names_free(&names);
    }
}

/* ---- random numbers -------------------------------------------------------------------- */

/* First outputs of xoshiro256++ from the state 1, 2, 3, 4, computed by hand from its definition. */
static void the_generator_is_xoshiro(void **state) {
    (void)state;
    psb_random random = {{1, 2, 3, 4}};
    assert_true(psb_random_u64(&random) == 41943041);
    assert_true(psb_random_u64(&random) == 58720359);
    assert_true(psb_random_u64(&random) == 3588806011781223);
}

static void seed_model_and_purpose_all_decide(void **state) {
    (void)state;
    psb_random same = psb_random_seeded(1, "812", "D2");
    psb_random all[] = {psb_random_seeded(1, "812", "D2"), psb_random_seeded(2, "812", "D2"),
                        psb_random_seeded(1, "813", "D2"), psb_random_seeded(1, "812", "axes"),
                        psb_random_seeded(1, "D2", "812")};
    uint64_t first = psb_random_u64(&same);
    assert_true(psb_random_u64(&all[0]) == first);
    for (size_t i = 1; i < 5; i++) {
        assert_true(psb_random_u64(&all[i]) != first);
    }
}

/* Also where the quotient is as large, and where the bound is as large, as can be. */
static void numbers_below_are_remainders(void **state) {
    (void)state;
    const uint64_t bounds[] = {
        1, 2, 3, 92, 905, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MAX + 2, UINT64_MAX - 1};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        psb_random drawn = psb_random_seeded(4, "text", "remainders"), random = drawn;
        uint64_t unbiased = UINT64_MAX - UINT64_MAX % bounds[b];
        for (int i = 0; i < 1000; i++) {
            uint64_t x = psb_random_u64(&random);
            while (x >= unbiased) {
                x = psb_random_u64(&random);
            }
            assert_true(psb_random_below(&drawn, bounds[b]) == x % bounds[b]);
        }
    }
}

/* Chi-squared with 9 degrees of freedom: above 40 with a probability of 8e-6, and the seed is
 * fixed. */
static void numbers_are_uniform(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(4, "uniform", "test");
    double units[10] = {0}, whole[10] = {0}, sum = 0;
    for (int i = 0; i < 100000; i++) {
        double u = psb_random_unit(&random);
        assert_true(u >= 0.0 && u < 1.0);
        units[(int)(10 * u)]++;
        sum += u;
        uint64_t below = psb_random_below(&random, 10);
        assert_true(below < 10);
        whole[below]++;
    }
    ASSERT_NEAR(sum / 1e5, 0.5, 0.005);
    double chi_units = 0, chi_whole = 0;
    for (int k = 0; k < 10; k++) {
        chi_units += (units[k] - 1e4) * (units[k] - 1e4) / 1e4;
        chi_whole += (whole[k] - 1e4) * (whole[k] - 1e4) / 1e4;
    }
    assert_true(chi_units < 40 && chi_whole < 40);
    assert_true(psb_random_below(&random, 1) == 0);
    /* Two thirds of 2^64: a plain remainder would give the lower half twice as often. */
    uint64_t bound = UINT64_MAX / 3 * 2;
    int low = 0;
    for (int i = 0; i < 10000; i++) {
        uint64_t x = psb_random_below(&random, bound);
        assert_true(x < bound);
        low += x < bound / 2;
    }
    assert_in_range(low, 4800, 5200);
}

static int clean_up(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

/* A step behind one that failed takes nothing and changes nothing. */
static void memory_is_a_step(void **state) {
    (void)state;
    psb_error error = {.status = PSB_OK};
    psb_status status = PSB_ERROR_INPUT;
    assert_null(psb_new(&status, 1, 8, "numbers", &error));
    assert_null(psb_new_text(&status, "text", 4, "a text", &error));
    assert_int_equal(status, PSB_ERROR_INPUT);
    assert_int_equal(error.status, PSB_OK);
    status = PSB_OK;
    assert_null(psb_new(&status, SIZE_MAX / 8 + 2, 8, "numbers", &error));
    assert_int_equal(status, PSB_ERROR_MEMORY);
    assert_int_equal(error.status, PSB_ERROR_MEMORY);
    status = PSB_OK;
    char *copy = psb_new_text(&status, "longer", 4, "a text", &error);
    assert_string_equal(copy, "long");
    free(copy);
    unsigned char *zeros = psb_new_zero(&status, 3, 5, "bytes", &error);
    for (int i = 0; i < 15; i++) {
        assert_int_equal(zeros[i], 0);
    }
    free(zeros);
    assert_int_equal(status, PSB_OK);
}

static void names_of_bytes(void **state) {
    (void)state;
    char *const texts[] = {"a", "ab", "abc"};
    psb_names names = {0};
    assert_int_equal(psb_names_fill(&names, texts, 3, NULL), PSB_OK);
    assert_int_equal(psb_names_find_bytes(&names, "abcd", 2), 1);
    assert_int_equal(psb_names_find_bytes(&names, "abcd", 4), PSB_NO_NAME);
    assert_int_equal(psb_names_find_bytes(&names, "a\0c", 3), PSB_NO_NAME);
    assert_int_equal(psb_names_find(&names, "abc"), 2);
    psb_names_free(&names);
}

/* ---- loops ------------------------------------------------------------------------------ */

enum { ITEMS = 200, BAD = 70, WORSE = 120, STOP_AT = 30 };

typedef struct loop_job {
    int runs[ITEMS];
    size_t forgiven, seen, stop_at;
    bool forgives;
} loop_job;

static psb_status loop_item(void *context, void *own, size_t i, psb_error *error) {
    loop_job *job = context;
    memset(own, 1, 64);
    job->runs[i]++;
    return i == BAD || i == WORSE ? psb_fail(error, PSB_ERROR_INPUT, "item %zu", i) : PSB_OK;
}

static psb_status loop_failed(void *context, void *own, size_t i, psb_error *error) {
    loop_job *job = context;
    (void)own;
    assert_int_equal(error->status, PSB_ERROR_INPUT);
    job->forgiven += i;
    return job->forgives ? PSB_OK : psb_fail(error, PSB_ERROR_IO, "judged %zu", i);
}

static int loop_progress(size_t done, size_t total, void *context) {
    loop_job *job = context;
    assert_int_equal(total, ITEMS);
    assert_int_equal(done, ++job->seen);
    return done == job->stop_at;
}

static psb_status run_loop(loop_job *job, int threads, bool judged, psb_error *error) {
    psb_loop loop = {.count = ITEMS,
                     .threads = threads,
                     .bytes = 64,
                     .name = "a test",
                     .item = loop_item,
                     .job = job,
                     .failed = judged ? loop_failed : NULL,
                     .progress = loop_progress,
                     .context = job};
    return psb_parallel(&loop, error);
}

/* Works until it is told to stop, for a minute at most; inside of a loop of its own. */
static psb_status long_item(void *context, void *own, size_t i, psb_error *error) {
    (void)context;
    (void)own;
    (void)i;
    psb_status status = PSB_OK;
    for (double end = psb_clock_wall() + 60; status == PSB_OK && psb_clock_wall() < end;) {
        status = psb_go_on(error);
    }
    return status;
}

static psb_status outer_item(void *context, void *own, size_t i, psb_error *error) {
    (void)own;
    (void)i;
    const psb_loop inner = {.count = 1, .threads = 1, .item = long_item, .job = context};
    return psb_parallel(&inner, error);
}

static psb_status never_failed(void *context, void *own, size_t i, psb_error *error) {
    (void)context;
    (void)own;
    (void)i;
    (void)error;
    fail_msg("an item that was stopped has not failed");
    return PSB_OK;
}

static int stop_at_third(size_t done, size_t total, void *context) {
    assert_int_equal(done, 0);
    assert_int_equal(total, 1);
    return ++*(int *)context == 3;
}

/* The progress of a loop is asked while its only item works, and can end it. */
static void long_items_are_stopped(void **state) {
    (void)state;
    psb_error error;
    assert_int_equal(psb_go_on(&error), PSB_OK); /* outside of loops */
    for (int nested = 0; nested < 2; nested++) {
        int asked = 0;
        const psb_loop loop = {.count = 1,
                               .threads = 2,
                               .item = nested ? outer_item : long_item,
                               .failed = never_failed,
                               .job = &asked,
                               .progress = stop_at_third,
                               .context = &asked};
        assert_int_equal(psb_parallel(&loop, &error), PSB_ERROR_INTERRUPTED);
        assert_int_equal(asked, 3);
    }
}

static void loops_end_the_same_for_any_threads(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        psb_error error;
        loop_job plain = {.forgives = false}, judged = plain, stopped = {.stop_at = STOP_AT};
        loop_job forgiving = {.forgives = true};
        assert_int_equal(run_loop(&plain, threads, false, &error), PSB_ERROR_INPUT);
        assert_string_equal(error.message, "item 70");
        assert_int_equal(run_loop(&judged, threads, true, &error), PSB_ERROR_IO);
        assert_string_equal(error.message, "judged 70");
        assert_int_equal(run_loop(&stopped, threads, false, &error), PSB_ERROR_INTERRUPTED);
        assert_int_equal(run_loop(&forgiving, threads, true, &error), PSB_OK);
        assert_int_equal(forgiving.forgiven, BAD + WORSE);
        assert_int_equal(forgiving.seen, ITEMS);
        for (int i = 0; i < ITEMS; i++) {
            assert_int_equal(forgiving.runs[i], 1);
            assert_int_equal(plain.runs[i], i <= BAD ? 1 : plain.runs[i]);
        }
        assert_int_equal(plain.runs[ITEMS - 1], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discarded_output_leaves_nothing),
        cmocka_unit_test(abandoned_outputs_leave_nothing),
        cmocka_unit_test(committed_output_replaces_the_file),
        cmocka_unit_test(output_is_as_public_as_the_umask_allows),
        cmocka_unit_test(output_leaves_the_umask_alone),
        cmocka_unit_test(output_that_cannot_be_placed),
        cmocka_unit_test(input_is_the_file),
        cmocka_unit_test(input_is_read_up_to_a_limit),
        cmocka_unit_test(folders_are_made_with_their_parents),
        cmocka_unit_test(paths_are_joined_by_one_slash),
        cmocka_unit_test(sizes_that_overflow_are_memory_errors),
        cmocka_unit_test(memory_is_aligned_and_zeroed),
        cmocka_unit_test(buffers_grow_and_never_shrink),
        cmocka_unit_test(messages_name_file_and_line),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(short_numbers_are_those_of_printf),
        cmocka_unit_test(text_fails_once_and_for_all),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(absent_names_end_the_search),
        cmocka_unit_test(whole_numbers_with_commas),
        cmocka_unit_test(the_generator_is_xoshiro),
        cmocka_unit_test(numbers_below_are_remainders),
        cmocka_unit_test(seed_model_and_purpose_all_decide),
        cmocka_unit_test(numbers_are_uniform),
        cmocka_unit_test(memory_is_a_step),
        cmocka_unit_test(names_of_bytes),
        cmocka_unit_test(loops_end_the_same_for_any_threads),
        cmocka_unit_test(long_items_are_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
