/* Finished rows over several openings: kept, told apart, mended; never a wrong one. */
#include "core/file.h"
#include "core/sources.h"
#include "pipeline/store.h"
#include "support/files.h"
#include "support/test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODELS = 4 };

static char *ids[MODELS] = {(char[]){"a"}, (char[]){"b"}, (char[]){"c"}, (char[]){"d"}};
static char *paths[MODELS];
static const psb_dataset dataset = {.cla = {.nmodels = MODELS, .models = ids}, .paths = paths};
static psb_text told;

static void keep_line(void *context, psb_level level, const char *text) {
    (void)context;
    (void)level;
    psb_text_printf(&told, "%s\n", text);
}

static const psb_observer observer = {.say = keep_line};

static void write_model(size_t model, const char *text) {
    char name[16];
    snprintf(name, sizeof name, "%s.off", ids[model]);
    test_write(name, text, strlen(text));
}

static int set_up(void **state) {
    (void)state;
    for (size_t i = 0; i < MODELS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s.off", ids[i]);
        paths[i] = strdup(test_path(name));
        write_model(i, ids[i]);
    }
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    for (size_t i = 0; i < MODELS; i++) {
        free(paths[i]);
    }
    psb_text_free(&told);
    test_folder_remove();
    return 0;
}

static psb_spec *spec_of(const char *text) {
    psb_spec *spec;
    assert_int_equal(psb_spec_parse(text, &spec, NULL), PSB_OK);
    return spec;
}

/* A row that nothing but the model's contents decides. */
static void make_row(size_t model, float *row, size_t length, psb_stamp *stamp) {
    assert_int_equal(psb_stamp_read(paths[model], stamp, NULL), PSB_OK);
    for (size_t i = 0; i < length; i++) {
        row[i] = (float)(stamp->hash % 100003) + (float)i;
    }
}

/*
 * Opens the store of one spec, checks that the rows it has are right, computes the others. Returns
 * which were there, as bits.
 */
static unsigned go_on(psb_spec *spec, bool verify) {
    psb_store store;
    psb_error error;
    size_t length = psb_spec_length(spec);
    float *row = malloc(length * sizeof *row), *loaded = malloc(length * sizeof *row);
    unsigned there = 0;
    psb_text_free(&told);
    psb_text_add(&told, "");
    if (psb_store_open(test_path("work"), &dataset, &spec, 1, verify, &observer, &store, &error) !=
        PSB_OK) {
        fail_msg("%s", error.message);
    }
    for (size_t i = 0; i < MODELS; i++) {
        psb_stamp stamp;
        make_row(i, row, length, &stamp);
        if (psb_store_at(&store, 0, i)->offset != 0) {
            there |= 1U << i;
        } else {
            store.models[i] = (psb_stored_model){stamp.hash, 1, 0.5};
            assert_int_equal(psb_store_append(&store, 0, i, &stamp, 2, row, NULL), PSB_OK);
        }
        assert_true(store.models[i].hash == stamp.hash);
        assert_int_equal(psb_store_load(&store, 0, &i, &ids[i], 1, loaded, &error), PSB_OK);
        assert_memory_equal(loaded, row, length * sizeof *row);
    }
    assert_int_equal(psb_store_sync(&store, NULL), PSB_OK);
    psb_store_close(&store);
    free(row);
    free(loaded);
    return there;
}

static void rows_are_kept(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS"), *other = spec_of("D2");
    assert_int_equal(go_on(spec, false), 0);
    assert_int_equal(go_on(spec, false), 15);
    assert_int_equal(go_on(spec, true), 15);
    assert_int_equal(go_on(other, false), 0);
    assert_int_equal(go_on(spec, false), 15);
    assert_string_equal(told.data, "");
    psb_spec_free(spec);
    psb_spec_free(other);
}

static void changed_models_are_noticed(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS");
    struct stat before, after;
    go_on(spec, false);
    write_model(1, "another size");
    assert_int_equal(go_on(spec, false), 15 - 2);
    assert_string_equal(told.data, "1 model changed since: computed again (b)\n");
    assert_int_equal(go_on(spec, false), 15);
    /* The same bytes at another time are the same model. */
    write_model(2, "c");
    assert_int_equal(go_on(spec, false), 15);
    /* Other bytes of the same size: seen by the time, or where that is set back, by the bytes. */
    assert_int_equal(stat(paths[3], &before), 0);
    write_model(3, "D");
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, paths[3], times, 0), 0);
    assert_int_equal(stat(paths[3], &after), 0);
    psb_stamp stamp;
    assert_int_equal(psb_stamp_read(paths[3], &stamp, NULL), PSB_OK);
    assert_int_equal(go_on(spec, true), 15 - 8);
    assert_string_equal(told.data, "1 model changed since: computed again (d)\n");
    write_model(3, "E");
    assert_int_equal(go_on(spec, false), 15 - 8);
    /* Back to what it was: its first row counts again. */
    write_model(3, "D");
    assert_int_equal(go_on(spec, false), 15);
    psb_spec_free(spec);
}

static void other_makers_are_noticed(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS");
    go_on(spec, false);
    char first_line[64], same_program[128], reasons[3][256];
    snprintf(first_line, sizeof first_line, "psbench " PSB_VERSION " (%s)", psb_row_sources);
    snprintf(same_program, sizeof same_program, "%s\nSHELLS\nother=1\n", first_line);
    const char *const others[] = {"psbench 0.0.9 (1234)\nSHELLS\n", same_program, ""};
    snprintf(reasons[0], sizeof reasons[0],
             "SHELLS: made by psbench 0.0.9 (1234), this is %s: computed again\n", first_line);
    snprintf(reasons[1], sizeof reasons[1], "SHELLS: its parameters changed: computed again\n");
    snprintf(reasons[2], sizeof reasons[2], "SHELLS: made by , this is %s: computed again\n",
             first_line);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        psb_chunk first = {.name = "", .payload = others[k], .payload_length = strlen(others[k])};
        psb_buffer buffer = {0};
        size_t used;
        assert_int_equal(psb_chunk_build(&first, &buffer, &used, NULL), PSB_OK);
        test_write("work/SHELLS.rows", buffer.data, used);
        assert_int_equal(go_on(spec, false), 0);
        assert_string_equal(told.data, reasons[k]);
        assert_int_equal(go_on(spec, false), 15);
        psb_buffer_free(&buffer);
    }
    psb_spec_free(spec);
}

/* Cut or damaged anywhere: named once, the other rows stay, the file is whole afterwards. */
static void damage_costs_what_it_hits(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS");
    unlink(test_path("work/SHELLS.rows"));
    go_on(spec, false);
    size_t size, mended;
    char *data = test_read(test_path("work/SHELLS.rows"), &size);
    for (size_t at = 0; at < size; at += 13) {
        test_write("work/SHELLS.rows", data, at);
        assert_true(go_on(spec, false) != 15);
        assert_true(strstr(told.data, "damaged") != NULL || at == 0 || told.length == 0);
        assert_int_equal(go_on(spec, false), 15);
        assert_string_equal(told.data, "");
        data[at] = (char)~data[at];
        test_write("work/SHELLS.rows", data, size);
        data[at] = (char)~data[at];
        unsigned there = go_on(spec, false);
        assert_true(there == 0 || there == 14 || there == 13 || there == 11 || there == 7);
        assert_non_null(strstr(told.data, "damaged"));
        assert_int_equal(go_on(spec, false), 15);
        assert_string_equal(told.data, "");
        char *again = test_read(test_path("work/SHELLS.rows"), &mended);
        assert_int_equal(mended, size);
        free(again);
    }
    free(data);
    psb_spec_free(spec);
}

/* A row that goes bad after it was found is an error, not a result. */
static void rows_are_checked_when_they_are_used(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS");
    psb_store store;
    psb_error error;
    float row[64];
    assert_true(psb_spec_row_bytes(spec) <= sizeof row);
    go_on(spec, false);
    assert_int_equal(
        psb_store_open(test_path("work"), &dataset, &spec, 1, false, &observer, &store, &error),
        PSB_OK);
    size_t size, model = 2;
    char *data = test_read(test_path("work/SHELLS.rows"), &size);
    data[psb_store_at(&store, 0, model)->offset + 80] ^= 1;
    test_write("work/SHELLS.rows", data, size);
    assert_int_equal(psb_store_load(&store, 0, &model, &ids[model], 1, row, &error), PSB_ERROR_IO);
    assert_non_null(strstr(error.message, "SHELLS.rows: the row of c, at byte "));
    /* Nor is the row of another model. */
    assert_int_equal(psb_store_load(&store, 0, &(size_t){0}, &ids[1], 1, row, &error),
                     PSB_ERROR_IO);
    psb_store_close(&store);
    free(data);
    psb_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_kept),
        cmocka_unit_test(changed_models_are_noticed),
        cmocka_unit_test(other_makers_are_noticed),
        cmocka_unit_test(damage_costs_what_it_hits),
        cmocka_unit_test(rows_are_checked_when_they_are_used),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
