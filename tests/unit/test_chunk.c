/* Tests that chunk files give back the rows that were written, and no others, however damaged. */
#include "core/random.h"
#include "proof/chunk.h"
#include "support/test.h"

enum { ROWS = 5 };

/* A file of five rows behind a first record; ends[i] is where record i ends. */
typedef struct sample {
    char data[4096];
    size_t size, ends[ROWS + 1];
    char names[ROWS + 1][8];
    char rows[ROWS + 1][40];
} sample;

static void fill(sample *s) {
    psb_buffer buffer = {0};
    *s = (sample){.size = 0};
    for (size_t i = 0; i <= ROWS; i++) {
        if (i > 0) { /* the first record has no name */
            snprintf(s->names[i], sizeof s->names[i], "m%zu", i);
        }
        snprintf(s->rows[i], sizeof s->rows[i], "row %zu of these", i);
        psb_chunk chunk = {.stamp = {100 + i, -7 * (int64_t)i, 1000 * i},
                           .faces = 3 * i,
                           .read_seconds = 0.5 * (double)i,
                           .cost = {.own = 2, .fields[1] = {7, 0.25F}},
                           .name = s->names[i],
                           .name_length = strlen(s->names[i]),
                           .payload = s->rows[i],
                           .payload_length = strlen(s->rows[i]) + i};
        size_t size;
        assert_int_equal(psb_chunk_build(&chunk, &buffer, &size, NULL), PSB_OK);
        memcpy(s->data + s->size, buffer.data, size);
        s->size += size;
        s->ends[i] = s->size;
    }
    psb_buffer_free(&buffer);
}

/* The number of the record that this is, all of it as it was written. */
static size_t assert_written(const sample *s, const psb_chunk *chunk) {
    assert_in_range(chunk->stamp.size, 100, 100 + ROWS);
    size_t i = (size_t)chunk->stamp.size - 100;
    assert_int_equal(chunk->stamp.time, -7 * (int64_t)i);
    assert_int_equal(chunk->stamp.hash, 1000 * i);
    assert_int_equal(chunk->faces, 3 * i);
    assert_true(chunk->read_seconds == 0.5 * (double)i);
    ASSERT_NEAR(psb_cost_alone(&chunk->cost), 2.25, 0);
    assert_int_equal(chunk->cost.fields[1].key, 7);
    assert_int_equal(chunk->name_length, strlen(s->names[i]));
    assert_memory_equal(chunk->name, s->names[i], chunk->name_length);
    assert_int_equal(chunk->payload_length, strlen(s->rows[i]) + i);
    assert_memory_equal(chunk->payload, s->rows[i], chunk->payload_length);
    return i;
}

/*
 * Reads `size` bytes from an exact copy, so that a sanitizer sees what is read behind them. Every
 * record found must be one that was written; returns which were, as bits.
 */
static unsigned read_all(const sample *s, const char *data, size_t size, size_t *damage) {
    char *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, data, size);
    unsigned found = 0;
    size_t offset = 0, start;
    psb_chunk chunk;
    *damage = SIZE_MAX;
    while (psb_chunk_next(copy, size, &offset, &start, damage, &chunk)) {
        assert_true(start < offset && offset <= size);
        found |= 1U << assert_written(s, &chunk);
    }
    assert_int_equal(offset, size);
    free(copy);
    return found;
}

static const unsigned all = (1U << (ROWS + 1)) - 1;

static void records_come_back(void **state) {
    (void)state;
    sample s;
    size_t damage;
    fill(&s);
    assert_int_equal(read_all(&s, s.data, s.size, &damage), all);
    assert_int_equal(damage, SIZE_MAX);
}

/* Cut at every byte: the records before the cut, and the place of the damage. */
static void cut_files_keep_what_is_whole(void **state) {
    (void)state;
    sample s;
    fill(&s);
    for (size_t size = 0; size < s.size; size++) {
        size_t damage, whole = 0, expected = 0;
        for (; whole <= ROWS && s.ends[whole] <= size; whole++) {
            expected = s.ends[whole];
        }
        assert_int_equal(read_all(&s, s.data, size, &damage), (1U << whole) - 1);
        assert_int_equal(damage, expected == size ? SIZE_MAX : expected);
    }
}

/* Any bit of any byte changed: all records but that one, which is named. */
static void flipped_bits_cost_one_record(void **state) {
    (void)state;
    sample s;
    fill(&s);
    for (size_t at = 0; at < s.size; at++) {
        size_t hit = 0, damage;
        while (s.ends[hit] <= at) {
            hit++;
        }
        for (int bit = 0; bit < 8; bit++) {
            s.data[at] = (char)(s.data[at] ^ 1 << bit);
            assert_int_equal(read_all(&s, s.data, s.size, &damage), all & ~(1U << hit));
            assert_int_equal(damage, hit == 0 ? 0 : s.ends[hit - 1]);
            s.data[at] = (char)(s.data[at] ^ 1 << bit);
        }
    }
}

/* Bytes lost or added anywhere, pieces swapped, noise: never anything that was not written. */
static void mixed_up_files_give_only_what_was_written(void **state) {
    (void)state;
    sample s;
    size_t damage;
    fill(&s);
    psb_random random = psb_random_seeded(1, "chunk", "test");
    for (int round = 0; round < 3000; round++) {
        char mixed[3 * sizeof s.data];
        size_t size = 0;
        while (size < s.size) {
            size_t from = (size_t)psb_random_below(&random, s.size);
            size_t count = (size_t)psb_random_below(&random, s.size - from) + 1;
            for (size_t i = 0; i < count && size < sizeof mixed; i++) {
                bool noise = psb_random_below(&random, 200) == 0;
                mixed[size++] = noise ? (char)psb_random_below(&random, 256) : s.data[from + i];
            }
        }
        read_all(&s, mixed, size, &damage);
    }
}

static void what_is_too_long_is_refused(void **state) {
    (void)state;
    psb_buffer buffer = {0};
    size_t size;
    static char payload[PSB_CHUNK_MOST + 1];
    char name[256] = "";
    psb_chunk chunk = {.name = name, .payload = payload, .payload_length = PSB_CHUNK_MOST};
    assert_int_equal(psb_chunk_build(&chunk, &buffer, &size, NULL), PSB_OK);
    size_t offset = 0;
    assert_true(psb_chunk_read(buffer.data, size, &offset, &chunk));
    chunk.payload = payload;
    chunk.payload_length++;
    assert_int_equal(psb_chunk_build(&chunk, &buffer, &size, NULL), PSB_ERROR_INTERNAL);
    chunk.payload_length = 0;
    chunk.name = name;
    chunk.name_length = sizeof name;
    assert_int_equal(psb_chunk_build(&chunk, &buffer, &size, NULL), PSB_ERROR_INTERNAL);
    psb_buffer_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(cut_files_keep_what_is_whole),
        cmocka_unit_test(flipped_bits_cost_one_record),
        cmocka_unit_test(mixed_up_files_give_only_what_was_written),
        cmocka_unit_test(what_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
