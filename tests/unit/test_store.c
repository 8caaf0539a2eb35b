/*
 * Tests that finished rows, in tables and in chunk files, are kept, told apart and mended over
 * several openings, never wrong.
 */
#include "core/file.h"
#include "proof/store.h"
#include "run/status.h"
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
static bool is_part; /* rows go into chunk files alone */

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
    assert_int_equal(psb_spec_parse(NULL, text, &spec, NULL), PSB_OK);
    return spec;
}

/* A row that nothing but the model's contents decides. */
static void make_row(size_t model, float *row, size_t length, psb_stamp *stamp) {
    assert_int_equal(psb_stamp_read(NULL, paths[model], stamp, NULL), PSB_OK);
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
    const psb_cost cost = {.own = 2, .fields[0] = {1, 0.25F}};
    unsigned there = 0;
    psb_text_free(&told);
    psb_text_add(&told, "");
    if (psb_store_open(test_path("work"), &dataset, &spec, 1, verify, is_part, &observer, &store,
                       &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    for (size_t i = 0; i < MODELS; i++) {
        psb_stamp stamp;
        make_row(i, row, length, &stamp);
        if (psb_store_at(&store, 0, i)->offset != 0) {
            there |= 1U << i;
        } else {
            store.models[i] = (psb_stored_model){stamp.hash, 1, 0.5};
            assert_int_equal(psb_store_append(&store, 0, i, &stamp, &cost, row, NULL), PSB_OK);
        }
        assert_true(store.models[i].hash == stamp.hash);
        ASSERT_NEAR(psb_store_seconds(&store, i), 0.5 + 2.25, 0);
        assert_int_equal(psb_store_load(&store, 0, &i, &ids[i], 1, 1, loaded, &error), PSB_OK);
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

/* A field that several rows needed counts once, and each that was made with other parameters. */
static void shared_fields_count_once(void **state) {
    (void)state;
    enum { SPECS = 3 };
    psb_spec *specs[SPECS] = {spec_of("SHELLS"), spec_of("D2"), spec_of("D2:seed=2")};
    static const psb_cost costs[SPECS] = {
        {.own = 1, .fields = {{5, 0.25F}, {6, 0.5F}}},
        {.own = 8, .fields = {{6, 0.5F}}},
        {.own = 16, .fields = {{5, 0.25F}, {7, 0.125F}}},
    };
    const float row[64] = {1};
    psb_store store;
    psb_stamp stamp;
    assert_int_equal(psb_stamp_read(NULL, paths[0], &stamp, NULL), PSB_OK);
    for (int s = 0; s < SPECS; s++) { /* in runs of their own */
        assert_int_equal(psb_store_open(test_path("costs"), &dataset, &specs[s], 1, false, is_part,
                                        &observer, &store, NULL),
                         PSB_OK);
        store.models[0] = (psb_stored_model){stamp.hash, 1, 32};
        assert_int_equal(psb_store_append(&store, 0, 0, &stamp, &costs[s], row, NULL), PSB_OK);
        psb_store_close(&store);
    }
    assert_int_equal(psb_store_open(test_path("costs"), &dataset, specs, SPECS, false, is_part,
                                    &observer, &store, NULL),
                     PSB_OK);
    ASSERT_NEAR(psb_store_seconds(&store, 0), 32 + 1 + 8 + 16 + 0.25 + 0.5 + 0.125, 0);
    ASSERT_NEAR(psb_cost_alone(&psb_store_at(&store, 1, 0)->cost), 8.5, 0);
    psb_store_close(&store);
    for (int s = 0; s < SPECS; s++) {
        psb_spec_free(specs[s]);
    }
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
    assert_int_equal(psb_stamp_read(NULL, paths[3], &stamp, NULL), PSB_OK);
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
    const char *const others[] = {"SHELLS revision 0\n", "SHELLS revision 2\nother=1\n", ""};
    const char *const reasons[] = {
        "SHELLS: made as SHELLS revision 0, this is SHELLS revision 2: computed again\n",
        "SHELLS: its parameters changed: computed again\n",
        "SHELLS: made as , this is SHELLS revision 2: computed again\n",
    };
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

/* Files of several machines, one behind the other: every row counts and nothing is damaged. */
static void joined_files_are_whole(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS");
    unlink(test_path("work/SHELLS.rows"));
    go_on(spec, false);
    size_t size, start = 0, second;
    psb_chunk head, row;
    psb_buffer foreign = {0};
    char *data = test_read(test_path("work/SHELLS.rows"), &size);
    assert_true(psb_chunk_read(data, size, &start, &head));
    second = start;
    assert_true(psb_chunk_read(data, size, &second, &row));
    char *joined = malloc(3 * size);
    memcpy(joined, data, second); /* with the row of one model only, */
    memcpy(joined + second, data, size);
    test_write("work/SHELLS.rows", joined, second + size);
    assert_int_equal(go_on(spec, false), 15);
    assert_string_equal(told.data, "");
    /* But what another program made does not count, wherever it stands. */
    head.payload = "psbench 0.0.9 (1234)\nSHELLS\n";
    head.payload_length = strlen(head.payload);
    size_t length;
    assert_int_equal(psb_chunk_build(&head, &foreign, &length, NULL), PSB_OK);
    memcpy(joined + second, foreign.data, length);
    memcpy(joined + second + length, data + start, size - start);
    size_t end = second + length + size - start;
    test_write("work/SHELLS.rows", joined, end);
    assert_int_equal(go_on(spec, false), 1);
    assert_non_null(strstr(told.data, "were made by another program"));
    memcpy(joined + end, data, second);
    test_write("work/SHELLS.rows", joined, end + second);
    assert_int_equal(go_on(spec, false), 1);
    assert_int_equal(go_on(spec, false), 15);
    assert_string_equal(told.data, "");
    free(joined);
    free(data);
    psb_buffer_free(&foreign);
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
    assert_int_equal(psb_store_open(test_path("work"), &dataset, &spec, 1, false, is_part,
                                    &observer, &store, &error),
                     PSB_OK);
    size_t size, model = 2;
    char *data = test_read(test_path("work/SHELLS.rows"), &size);
    data[psb_store_at(&store, 0, model)->offset + 80] ^= 1;
    test_write("work/SHELLS.rows", data, size);
    assert_int_equal(psb_store_load(&store, 0, &model, &ids[model], 1, 1, row, &error),
                     PSB_ERROR_IO);
    assert_non_null(strstr(error.message, "SHELLS.rows: the row of c, at byte "));
    /* Nor is the row of another model. */
    assert_int_equal(psb_store_load(&store, 0, &(size_t){0}, &ids[1], 1, 1, row, &error),
                     PSB_ERROR_IO);
    psb_store_close(&store);
    free(data);
    psb_spec_free(spec);
}

/* A row of zeros, as earlier versions left for a model of which nothing is seen, does not count. */
static void rows_of_zeros_do_not_count(void **state) {
    (void)state;
    psb_spec *spec = spec_of("EGI");
    const psb_cost cost = {.own = 1};
    float *row = calloc(psb_spec_length(spec), sizeof *row);
    psb_store store;
    psb_stamp stamp;
    assert_int_equal(psb_stamp_read(NULL, paths[0], &stamp, NULL), PSB_OK);
    for (int number = 0; number < 2; number++) { /* then one that is not */
        assert_int_equal(psb_store_open(test_path("zeros"), &dataset, &spec, 1, false, is_part,
                                        &observer, &store, NULL),
                         PSB_OK);
        assert_true(psb_store_at(&store, 0, 0)->offset == 0);
        row[1] = (float)number;
        store.models[0] = (psb_stored_model){stamp.hash, 1, 1};
        assert_int_equal(psb_store_append(&store, 0, 0, &stamp, &cost, row, NULL), PSB_OK);
        psb_store_close(&store);
    }
    assert_int_equal(psb_store_open(test_path("zeros"), &dataset, &spec, 1, false, is_part,
                                    &observer, &store, NULL),
                     PSB_OK);
    assert_true(psb_store_at(&store, 0, 0)->offset != 0);
    psb_store_close(&store);
    psb_spec_free(spec);
    free(row);
}

/* Opens a store in `folder`, joins `others` to it; which rows count then, as bits. */
static unsigned join(const char *folder, char *const *others, size_t count, bool copy) {
    psb_spec *spec = spec_of("SHELLS");
    char *list[4];
    psb_store store;
    unsigned there = 0;
    psb_text_free(&told);
    psb_text_add(&told, "");
    for (size_t f = 0; f < count; f++) {
        list[f] = others[f];
    }
    assert_int_equal(
        psb_store_open(folder, &dataset, &spec, 1, false, is_part, &observer, &store, NULL),
        PSB_OK);
    assert_int_equal(
        psb_store_join(&store, &(psb_store_others){list, count, copy}, false, &observer, NULL),
        PSB_OK);
    for (size_t i = 0; i < MODELS; i++) {
        uint64_t offset = psb_store_at(&store, 0, i)->offset;
        there |= offset != 0 ? 1U << i : 0;
        assert_true(offset == 0 || copy == (offset != PSB_STORED_ELSEWHERE));
        if (offset != 0 && copy) {
            float loaded[1024], row[1024];
            psb_stamp stamp;
            make_row(i, row, psb_spec_length(spec), &stamp);
            assert_int_equal(psb_store_load(&store, 0, &i, &ids[i], 1, 1, loaded, NULL), PSB_OK);
            assert_memory_equal(loaded, row, psb_spec_row_bytes(spec));
        }
    }
    psb_store_close(&store);
    psb_spec_free(spec);
    return there;
}

/* Rows of the models `bits` in a chunk file of `folder`, whose first record says `made_by`. */
static void write_part(const char *folder, const char *made_by, unsigned bits) {
    psb_buffer buffer = {0};
    psb_text file = {0}, path = {0};
    size_t size;
    psb_chunk head = {.name = "", .payload = made_by, .payload_length = strlen(made_by)};
    assert_int_equal(psb_chunk_build(&head, &buffer, &size, NULL), PSB_OK);
    psb_text_add_bytes(&file, buffer.data, size);
    psb_spec *spec = spec_of("SHELLS");
    for (size_t i = 0; i < MODELS; i++) {
        float row[1024];
        psb_chunk chunk = {.faces = 1, .name = ids[i], .name_length = 1, .payload = row};
        make_row(i, row, psb_spec_length(spec), &chunk.stamp);
        chunk.payload_length = psb_spec_row_bytes(spec);
        assert_int_equal(psb_chunk_build(&chunk, &buffer, &size, NULL), PSB_OK);
        psb_text_add_bytes(&file, buffer.data, bits >> i & 1 ? size : 0);
    }
    psb_text_printf(&path, "%s/SHELLS.rows", folder);
    assert_int_equal(psb_make_folder(folder, NULL), PSB_OK);
    assert_int_equal(psb_write_file(path.data, file.data, file.length, NULL), PSB_OK);
    psb_spec_free(spec);
    psb_text_free(&path);
    psb_text_free(&file);
    psb_buffer_free(&buffer);
}

/* Rows of another revision are missing, and the status says that they are there all the same. */
static void status_knows_rows_of_another_revision(void **state) {
    (void)state;
    psb_run_status status;
    psb_text made_by = {0};
    psb_spec *spec = spec_of("SHELLS");
    char *run = strdup(test_path("run")), *work = strdup(test_path("run/work"));
    psb_store_describe(spec, NULL, &made_by);
    assert_int_equal(psb_make_folder(run, NULL), PSB_OK);
    write_part(work, made_by.data, 3);
    assert_int_equal(psb_run_status_read(NULL, run, &status, NULL), PSB_OK);
    assert_int_equal(status.nlines, 1);
    assert_int_equal(status.lines[0].there, 2);
    assert_int_equal(status.lines[0].older, 0);
    psb_run_status_free(&status);
    write_part(work, "SHELLS revision 0\n", 7);
    assert_int_equal(psb_run_status_read(NULL, run, &status, NULL), PSB_OK);
    assert_int_equal(status.lines[0].there, 0);
    assert_int_equal(status.lines[0].older, 3);
    psb_run_status_free(&status);
    psb_text_free(&made_by);
    psb_spec_free(spec);
    free(work);
    free(run);
}

/* Of other folders everything counts that would count here, once, and nothing else. */
static void rows_of_other_folders_count(void **state) {
    (void)state;
    psb_text made_by = {0};
    psb_spec *spec = spec_of("SHELLS");
    psb_store_describe(spec, NULL, &made_by);
    char *folders[3] = {strdup(test_path("p0")), strdup(test_path("p1")), strdup(test_path("p2"))};
    write_part(folders[0], made_by.data, 3);
    write_part(folders[1], made_by.data, 6);
    write_part(folders[2], "SHELLS revision 0\n", 15);
    char *absent = strdup(test_path("no such folder"));
    assert_int_equal(join(test_path("into"), &absent, 1, true), 0);
    assert_int_equal(join(test_path("into"), folders, 2, false), 7);
    assert_int_equal(join(test_path("into"), NULL, 0, true), 0); /* nothing was copied */
    assert_string_equal(told.data, "");
    assert_int_equal(join(test_path("into"), folders, 3, true), 7);
    assert_string_equal(told.data, "SHELLS: made as SHELLS revision 0, this is SHELLS revision 2: "
                                   "computed again\n");
    size_t once, again;
    free(test_read(test_path("into/SHELLS.rows"), &once));
    assert_int_equal(join(test_path("into"), folders, 2, true), 7);
    free(test_read(test_path("into/SHELLS.rows"), &again));
    assert_int_equal(once, again); /* each model's row is there once */
    write_model(3, "changed");
    write_part(folders[1], made_by.data, 8);
    write_model(3, "changed again");
    assert_int_equal(join(test_path("into"), folders, 2, true), 7);
    assert_string_equal(told.data, "1 model changed since: computed again (d)\n");
    for (size_t f = 0; f < 3; f++) {
        free(folders[f]);
    }
    free(absent);
    psb_text_free(&made_by);
    psb_spec_free(spec);
}

/* Choices that came later do not make rows from before them others, while they are not used. */
static void later_choices_keep_rows(void **state) {
    (void)state;
    static const char *const made[][2] = {
        {"GEDT", "GEDT revision 4\nwidth=4\nform=full\n"},
        {"GEDT:width=3", "GEDT revision 4\nwidth=3\nform=full\n"},
        {"GEDT:shells=8,metric=pose48",
         "GEDT revision 4\nwidth=4\nform=full\nshells=8\nmetric=pose48\n"},
        {"LFD", "LFD revision 1\nmoments=art\n"},
        {"CEGI:frame=normals", "CEGI revision 5\nsmooth=fejer\nphase=3.141592654\nnormals=both\n"
                               "form=full\nframe=normals\n"},
        {"EXT", "EXT revision 5\npoints=4500\npole=largest\nform=sum\n"},
    };
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        psb_spec *spec = spec_of(made[i][0]);
        psb_text text = {0};
        psb_store_describe(spec, NULL, &text);
        assert_string_equal(text.data, made[i][1]);
        psb_text_free(&text);
        psb_spec_free(spec);
    }
}

/* Makes features/SHELLS.npy the second name of the table; whether that could be done. */
static bool link_table(psb_spec *spec) {
    psb_store store;
    bool linked;
    const size_t order[MODELS] = {0, 1, 2, 3};
    const char *path = test_path("SHELLS.npy");
    assert_int_equal(psb_store_open(test_path("work"), &dataset, &spec, 1, false, false, &observer,
                                    &store, NULL),
                     PSB_OK);
    assert_int_equal(psb_store_link(&store, 0, order, MODELS - 1, path, &linked, NULL), PSB_OK);
    assert_false(linked);
    assert_int_equal(psb_store_link(&store, 0, order, MODELS, path, &linked, NULL), PSB_OK);
    psb_store_close(&store);
    return linked;
}

static nlink_t names_of(const char *name) {
    struct stat info;
    assert_int_equal(stat(test_path(name), &info), 0);
    return info.st_nlink;
}

/* A table that was given away as features never changes; what is new stands beside it. */
static void given_tables_stay(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS");
    size_t row_bytes = psb_spec_row_bytes(spec), size, now;
    unlink(test_path("work/SHELLS.rows"));
    go_on(spec, false);
    assert_true(link_table(spec));
    assert_true(link_table(spec)); /* again: nothing is to be done */
    assert_int_equal(names_of("work/SHELLS.npy"), 2);
    char *data = test_read(test_path("SHELLS.npy"), &size);
    assert_int_equal(size, 128 + MODELS * row_bytes);
    for (size_t i = 0; i < MODELS; i++) {
        float row[64];
        psb_stamp stamp;
        make_row(i, row, psb_spec_length(spec), &stamp);
        assert_memory_equal(data + 128 + i * row_bytes, row, row_bytes);
    }
    write_model(1, "other bytes");
    assert_int_equal(go_on(spec, false), 15 - 2);
    assert_int_equal(go_on(spec, false), 15);
    assert_false(link_table(spec)); /* its row b is the old one */
    char *after = test_read(test_path("SHELLS.npy"), &now);
    assert_int_equal(now, size);
    assert_memory_equal(data, after, size);
    free(after);
    /* Nor is a row written over that is the only one of its file, but has a record. */
    unlink(test_path("SHELLS.npy"));
    write_model(1, "other bytes again");
    assert_int_equal(go_on(spec, false), 15 - 2);
    write_model(1, "b");
    assert_int_equal(go_on(spec, false), 15);
    assert_true(link_table(spec));
    /* Without a record, a file with two names is replaced, and not written to. */
    unlink(test_path("work/SHELLS.rows"));
    assert_int_equal(go_on(spec, false), 0);
    assert_int_equal(names_of("SHELLS.npy"), 1);
    assert_true(link_table(spec)); /* in the place of the other */
    assert_int_equal(names_of("SHELLS.npy"), 2);
    assert_int_equal(test_count_files(test_path("work")), 2);
    unlink(test_path("SHELLS.npy"));
    free(data);
    psb_spec_free(spec);
}

/* Damaged anywhere, or cut: the rows that were hit are computed again, and nothing else. */
static void damaged_tables_cost_what_was_hit(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS");
    size_t row_bytes = psb_spec_row_bytes(spec), size, mended;
    unlink(test_path("work/SHELLS.rows"));
    unlink(test_path("work/SHELLS.npy"));
    go_on(spec, false);
    char *data = test_read(test_path("work/SHELLS.npy"), &size);
    for (size_t at = 0; at < size; at += 37) {
        unsigned hit = at < 128 ? 0 : 1U << (at - 128) / row_bytes;
        data[at] = (char)~data[at];
        test_write("work/SHELLS.npy", data, size);
        data[at] = (char)~data[at];
        assert_int_equal(go_on(spec, false), 15 - hit);
        assert_true(hit == 0 || strstr(told.data, "not in the table beside it") != NULL);
        assert_int_equal(go_on(spec, false), 15);
        assert_string_equal(told.data, "");
        assert_true(link_table(spec) == (at >= 128));
        unlink(test_path("SHELLS.npy"));
        char *again = test_read(test_path("work/SHELLS.npy"), &mended);
        assert_int_equal(mended, size);
        assert_true(at < 128 || memcmp(again, data, size) == 0);
        free(again);
        test_write("work/SHELLS.npy", data, size);
        test_write("work/SHELLS.npy", data, at);
        assert_int_equal(go_on(spec, false), at < 128 ? 0 : hit - 1);
        assert_int_equal(go_on(spec, false), 15);
        assert_string_equal(told.data, "");
        unlink(test_path("work/SHELLS.rows"));
        unlink(test_path("work/SHELLS.npy"));
        go_on(spec, false);
    }
    free(data);
    psb_spec_free(spec);
}

/* Of another number of models, or another order: its rows count, and new ones stand elsewhere. */
static void tables_of_other_sets_are_read(void **state) {
    (void)state;
    psb_spec *spec = spec_of("SHELLS");
    char *less[] = {(char[]){"c"}, (char[]){"a"}};
    char *of[] = {paths[2], paths[0]};
    const psb_dataset two = {.cla = {.nmodels = 2, .models = less}, .paths = of};
    psb_store store;
    size_t size, now;
    unlink(test_path("work/SHELLS.rows"));
    unlink(test_path("work/SHELLS.npy"));
    go_on(spec, false);
    write_model(2, "C");
    char *data = test_read(test_path("work/SHELLS.npy"), &size);
    assert_int_equal(
        psb_store_open(test_path("work"), &two, &spec, 1, false, false, &observer, &store, NULL),
        PSB_OK);
    assert_true(psb_store_at(&store, 0, 0)->offset == 0);
    assert_true(psb_store_at(&store, 0, 1)->offset != 0);
    float row[64], loaded[128];
    psb_stamp stamp;
    const psb_cost cost = {.own = 2, .fields[0] = {1, 0.25F}};
    make_row(2, row, psb_spec_length(spec), &stamp);
    store.models[0] = (psb_stored_model){stamp.hash, 1, 0.5};
    assert_int_equal(psb_store_append(&store, 0, 0, &stamp, &cost, row, NULL), PSB_OK);
    const size_t order[2] = {0, 1};
    bool linked;
    assert_int_equal(psb_store_link(&store, 0, order, 2, test_path("SHELLS.npy"), &linked, NULL),
                     PSB_OK);
    assert_false(linked);
    assert_int_equal(psb_store_load(&store, 0, order, less, 2, 2, loaded, NULL), PSB_OK);
    assert_memory_equal(loaded, row, psb_spec_row_bytes(spec));
    make_row(0, row, psb_spec_length(spec), &stamp);
    assert_memory_equal((char *)loaded + psb_spec_row_bytes(spec), row, psb_spec_row_bytes(spec));
    psb_store_close(&store);
    char *after = test_read(test_path("work/SHELLS.npy"), &now);
    assert_true(now == size && memcmp(data, after, size) == 0);
    assert_int_equal(go_on(spec, false), 15);
    free(data);
    free(after);
    psb_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_kept),
        cmocka_unit_test(shared_fields_count_once),
        cmocka_unit_test(changed_models_are_noticed),
        cmocka_unit_test(other_makers_are_noticed),
        cmocka_unit_test(damage_costs_what_it_hits),
        cmocka_unit_test(joined_files_are_whole),
        cmocka_unit_test(rows_are_checked_when_they_are_used),
        cmocka_unit_test(rows_of_zeros_do_not_count),
        cmocka_unit_test(rows_of_other_folders_count),
        cmocka_unit_test(status_knows_rows_of_another_revision),
        cmocka_unit_test(later_choices_keep_rows),
    };
    const struct CMUnitTest of_tables[] = {
        cmocka_unit_test(given_tables_stay),
        cmocka_unit_test(damaged_tables_cost_what_was_hit),
        cmocka_unit_test(tables_of_other_sets_are_read),
    };
    int failed = cmocka_run_group_tests_name("tables", tests, set_up, clean_up);
    failed += cmocka_run_group_tests_name("tables alone", of_tables, set_up, clean_up);
    is_part = true;
    return failed + cmocka_run_group_tests_name("parts", tests, set_up, clean_up);
}
