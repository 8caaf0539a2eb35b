/* Compares streamed distances, and ranks counted from them, with whole matrices. */
#include "core/random.h"
#include "distance/stream.h"
#include "eval/count_below.h"
#include "eval/nearest.h"
#include "eval/rank_count.h"
#include "stream/feature_ranks.h"
#include "support/evaluations.h"
#include "support/files.h"
#include "support/test.h"

#include <float.h>

enum { N = 400, LENGTH = 5, MISCELLANEOUS = 2 };

/* Few different numbers, so that many distances are equal. */
static float rows[N * LENGTH];

/* Classes of every kind: one model, two, more than are compared one by one, the miscellaneous. */
static const size_t counts[] = {1, 2, 20, 3, 171, 129, 40, 34};
enum { CLASSES = sizeof counts / sizeof counts[0] };
static psb_class classes[CLASSES];
static size_t class_of[N];
static psb_classification cla = {.nclasses = CLASSES, .classes = classes, .class_of = class_of};

static int fill(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(3, "rows", "test");
    for (size_t i = 0; i < N * LENGTH; i++) {
        rows[i] = (float)psb_random_below(&random, 4);
    }
    for (size_t c = 0; c < CLASSES; c++) {
        classes[c] = (psb_class){.parent = PSB_NO_CLASS,
                                 .first = cla.nmodels,
                                 .count = counts[c],
                                 .miscellaneous = c == MISCELLANEOUS};
        for (size_t i = 0; i < counts[c]; i++) {
            class_of[cla.nmodels++] = c;
        }
    }
    return cla.nmodels == N ? 0 : -1;
}

static psb_row_view table_of(size_t first, size_t n) {
    return (psb_row_view){rows + first * LENGTH, n, LENGTH, PSB_FLOAT32};
}

static float *matrix_of(const psb_metric *metric) {
    float *out = malloc(sizeof(float) * N * N);
    assert_non_null(out);
    psb_row_view table = table_of(0, N);
    psb_error error;
    assert_int_equal(psb_distance_matrix(metric, &table, 1, out, NULL, NULL, &error), PSB_OK);
    return out;
}

/* ---- counting --------------------------------------------------------------------------- */

static void counts_are_of_what_is_below(void **state) {
    (void)state;
    float values[100], threshold[9];
    for (size_t i = 0; i < 100; i++) {
        values[i] = rows[i];
    }
    for (size_t k = 0; k < 9; k++) {
        threshold[k] = (float)k / 2 - 0.5F;
    }
    for (size_t n = 0; n <= 100; n += 7) {
        for (int equal = 0; equal < 2; equal++) {
            uint32_t got[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
            psb_count_below(values, n, threshold, 9, equal, got);
            for (uint32_t k = 0; k < 9; k++) {
                uint32_t expected = k + 1;
                for (size_t i = 0; i < n; i++) {
                    expected += values[i] < threshold[k] || (equal && values[i] == threshold[k]);
                }
                assert_int_equal(got[k], expected);
            }
        }
    }
}

/* Gives a query's row in pieces of all sizes, from the end. */
static void give(psb_rank_count *ranks, size_t query, const float *row,
                 void (*take)(psb_rank_count *, size_t, size_t, size_t, const float *)) {
    size_t end = N;
    for (size_t piece = 1 + query % 150; end > 0; piece = 1 + piece * 7 % 150) {
        size_t first = end > piece ? end - piece : 0;
        take(ranks, query, first, end - first, row + first);
        end = first;
    }
}

static void expect_ranks(const float *distances) {
    psb_relevance relevance;
    psb_rank_count *ranks;
    psb_error error;
    assert_int_equal(psb_relevance_by_class(&cla, &cla, false, &relevance, &error), PSB_OK);
    void *scratch = aligned_alloc(64, psb_ranks_scratch(&relevance));
    assert_int_equal(psb_rank_count_new(&cla, 1, N - 1, &ranks, &error), PSB_OK);
    for (size_t q = 0; q < N; q++) { /* the first and last are not asked for */
        give(ranks, q, distances + q * N, psb_rank_count_keep);
        psb_rank_count_sort(ranks, q);
        /* How far what is beyond the limit is does not matter. */
        float beyond[N], limit = psb_rank_count_limit(ranks, q);
        for (size_t i = 0; i < N; i++) {
            float d = distances[q * N + i];
            beyond[i] = d > limit ? (q % 2 == 0 ? FLT_MAX : nextafterf(limit, FLT_MAX)) : d;
        }
        give(ranks, q, beyond, psb_rank_count_add);
    }
    for (size_t q = 1; q < N - 1; q++) {
        psb_ranks expected = psb_rank_relevant(&relevance, distances + q * N, q, scratch);
        psb_ranks got = psb_rank_count_finish(ranks, q);
        assert_int_equal(got.listed, expected.listed);
        if (classes[class_of[q]].miscellaneous) {
            assert_int_equal(got.relevant, 0);
            continue;
        }
        assert_int_equal(got.relevant, expected.relevant);
        for (size_t k = 0; k < got.relevant; k++) {
            assert_int_equal(got.rank[k], expected.rank[k]);
        }
    }
    psb_rank_count_free(ranks);
    psb_relevance_free(&relevance);
    free(scratch);
}

static void counted_ranks_are_those_of_the_matrix(void **state) {
    (void)state;
    float *matrix = matrix_of(&psb_l1);
    expect_ranks(matrix);
    /* One far outlier in each row, then distances of which floats cannot tell a width. */
    for (size_t i = 0; i < N; i++) {
        matrix[i * N + (i + 1) % N] = 3e38F;
    }
    expect_ranks(matrix);
    for (size_t i = 0; i < N * N; i++) {
        matrix[i] = matrix[i] > 6 ? 1e-45F : 0.0F;
    }
    expect_ranks(matrix);
    free(matrix);
}

/* ---- streams ---------------------------------------------------------------------------- */

typedef struct collector {
    size_t nrows;
    float *distances; /* queries x rows; NaN where nothing came, -1 where more than one */
} collector;

static void collect(void *visitor, const psb_strip *strip) {
    collector *c = visitor;
    for (size_t i = 0; i < strip->nqueries * strip->nrows; i++) {
        float *at = c->distances + (strip->first_query + i / strip->nrows) * c->nrows +
                    strip->first_row + i % strip->nrows;
        *at = isnan(*at) ? strip->distances[i] : -1.0F;
    }
}

static void expect_stream(psb_stream *s, const float *matrix, size_t first_row) {
    collector c = {s->rows.n, malloc(sizeof(float) * N * N)};
    assert_non_null(c.distances);
    for (size_t i = 0; i < N * N; i++) {
        c.distances[i] = NAN;
    }
    s->visit = collect;
    s->visitor = &c;
    psb_error error;
    if (psb_stream_run(s, &error) != PSB_OK) {
        fail_msg("%s", error.message);
    }
    for (size_t q = 0; q < s->queries.n; q++) {
        for (size_t r = 0; r < s->rows.n; r++) {
            float got = c.distances[q * s->rows.n + r];
            if (q >= s->first && q < s->end) {
                assert_true(got == matrix[q * N + first_row + r]);
            } else if (q < s->first) {
                assert_true(isnan(got));
            }
        }
    }
    free(c.distances);
}

static void a_stream_visits_every_pair_once(void **state) {
    (void)state;
    for (size_t m = 0; m < psb_metric_count(); m++) {
        const psb_metric *metric = psb_metric_at(m);
        if (metric->element != PSB_FLOAT32 || metric->accepts != NULL) {
            continue;
        }
        float *matrix = matrix_of(metric);
        psb_stream s = {.metric = metric, .queries = table_of(0, N), .rows = table_of(0, N)};
        const size_t blocks[] = {128, 256, 512};
        for (size_t b = 0; b < 3; b++) {
            s.block = blocks[b];
            for (s.threads = 1; s.threads <= 3; s.threads++) {
                s.same = true;
                s.first = 0;
                s.end = N;
                expect_stream(&s, matrix, 0);
                s.first = s.block < N ? s.block : 0;
                s.end = s.block + 100 < N ? s.block + 100 : N; /* only some queries */
                s.keep = s.threads > 1;
                expect_stream(&s, matrix, 0);
                s.same = false;
                s.rows = table_of(50, 300);
                expect_stream(&s, matrix, 50);
                s.rows = table_of(0, N);
            }
        }
        free(matrix);
    }
}

static int stop(size_t done, size_t total, void *context) {
    (void)done;
    (void)total;
    (void)context;
    return 1;
}

static void nothing(void *visitor, const psb_strip *strip) {
    (void)visitor;
    (void)strip;
}

static void streams_say_what_is_wrong(void **state) {
    (void)state;
    float large[300 * LENGTH] = {0};
    large[70 * LENGTH] = 3e38F;
    large[280 * LENGTH] = -3e38F;
    psb_row_view table = {large, 300, LENGTH, PSB_FLOAT32};
    psb_stream s = {.metric = &psb_l1,
                    .queries = table,
                    .rows = table,
                    .same = true,
                    .end = 300,
                    .block = 128,
                    .visit = nothing};
    psb_error error;
    for (s.threads = 1; s.threads <= 3; s.threads++) {
        assert_int_equal(psb_stream_run(&s, &error), PSB_ERROR_INPUT);
        assert_string_equal(error.message,
                            "row 70, column 280 is inf: a distance is finite and not "
                            "negative");
    }
    s.progress = stop;
    assert_int_equal(psb_stream_run(&s, &error), PSB_ERROR_INTERRUPTED);
    s.rows.length = LENGTH - 1;
    assert_int_equal(psb_stream_run(&s, &error), PSB_ERROR_INPUT);
    assert_string_equal(error.message,
                        "queries of 5 float32 numbers, but rows of 4 float32 numbers: name two "
                        "files of one descriptor");
}

/* ---- measures --------------------------------------------------------------------------- */

static void measures_from_features_are_those_of_the_matrix(void **state) {
    (void)state;
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    assert_int_equal(psb_measures_parse("all", measures, &count, &error), PSB_OK);
    static double expected[N * PSB_MAX_CHOSEN], got[N * PSB_MAX_CHOSEN];
    test_folder();
    for (size_t m = 0; m < psb_metric_count(); m++) {
        const psb_metric *metric = psb_metric_at(m);
        if (metric->element != PSB_FLOAT32 || metric->accepts != NULL) {
            continue;
        }
        float *distances = matrix_of(metric);
        psb_matrix matrix = {.n = N, .data = distances};
        test_measure(&cla, &matrix, measures, count, expected);
        const char *path = test_path("rows.npy");
        assert_int_equal(psb_npy_write(path, rows, N, LENGTH, PSB_FLOAT32, &error), PSB_OK);
        psb_feature_set set;
        assert_int_equal(psb_feature_set_open(path, N, metric, &set, &error), PSB_OK);
        psb_memory_plan plan;
        size_t passes = 0;
        enum { HELD = 40 << 20 };
        for (int threads = 1; threads <= 3; threads += 2) {
            /* From plenty down to what is refused. */
            for (size_t memory = (size_t)1 << 30; memory > 0; memory -= 1 << 17) {
                memset(got, 0xff, sizeof got);
                const psb_measuring of = {&cla,   &set, measures, count, threads,
                                          memory, NULL, NULL,     HELD};
                psb_status status = psb_measure_range(&of, 0, N, got, &plan, &error);
                if (status != PSB_OK) {
                    assert_int_equal(status, PSB_ERROR_USAGE);
                    assert_non_null(strstr(error.message, "are not enough"));
                    break;
                }
                assert_true(plan.bytes <= memory && plan.bytes > HELD);
                passes = plan.passes > passes ? plan.passes : passes;
                assert_memory_equal(got, expected, N * count * sizeof *got);
                memory = plan.bytes;
            }
        }
        assert_true(passes > 1);
        psb_feature_set_close(&set);
        assert_int_equal(psb_feature_set_open(path, N + 1, metric, &set, &error), PSB_ERROR_INPUT);
        assert_non_null(strstr(error.message, "rows of 400 models"));
        free(distances);
    }
    test_folder_remove();
}

/* ---- looking on ------------------------------------------------------------------------ */

/* Compares what it is shown with the matrix. */
typedef struct onlooker {
    const float *matrix;
    psb_relevance relevance;
    psb_nearest *nearest;
    size_t passes, next;
    size_t met[N]; /* models, by query */
} onlooker;

static size_t wanted(const void *context, size_t query) {
    (void)context;
    return 1 + query % 7;
}

static size_t wanted_bytes(const void *context, size_t query) {
    return psb_nearest_bytes(wanted(context, query));
}

static psb_status begin_pass(void *context, size_t first, size_t end, psb_error *error) {
    onlooker *o = context;
    assert_int_equal(first, o->next);
    o->passes++;
    return psb_nearest_new_each(first, end, wanted, o, &o->nearest, error);
}

static void see(void *context, size_t query, size_t first, size_t n, const float *distances) {
    onlooker *o = context;
    assert_memory_equal(distances, o->matrix + query * N + first, n * sizeof *distances);
    o->met[query] += n;
    psb_nearest_add(o->nearest, query, first, n, distances, query);
}

static psb_status see_ranks(void *context, size_t query, const psb_ranks *ranks, psb_error *error) {
    (void)error;
    onlooker *o = context;
    const float *row = o->matrix + query * N;
    const uint64_t *keys;
    uint64_t scratch[N * PSB_RANK_ALL_BYTES / sizeof(uint64_t)];
    assert_int_equal(query, o->next++);
    assert_int_equal(o->met[query], N);
    if (o->relevance.set_of[query] != PSB_NO_CLASS) {
        _Alignas(64) char room[N * 32];
        psb_ranks expected = psb_rank_relevant(&o->relevance, row, query, room);
        assert_int_equal(ranks->relevant, expected.relevant);
        assert_memory_equal(ranks->rank, expected.rank, expected.relevant * sizeof *ranks->rank);
    }
    const uint32_t *list = psb_rank_all(row, N, query, scratch);
    size_t count = psb_nearest_finish(o->nearest, query, &keys);
    assert_int_equal(count, wanted(o, query));
    for (size_t r = 0; r < count; r++) {
        assert_int_equal(psb_nearest_row(keys[r]), list[r]);
        assert_true(psb_nearest_distance(keys[r]) == row[list[r]]);
    }
    return PSB_OK;
}

static void end_pass(void *context) {
    onlooker *o = context;
    psb_nearest_free(o->nearest);
}

static void a_watcher_sees_all_and_lists_are_fronts_of_the_whole(void **state) {
    (void)state;
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    static double values[N * PSB_MAX_CHOSEN];
    test_folder();
    const char *path = test_path("rows.npy");
    assert_int_equal(psb_measures_parse("dcg", measures, &count, &error), PSB_OK);
    assert_int_equal(psb_npy_write(path, rows, N, LENGTH, PSB_FLOAT32, &error), PSB_OK);
    psb_feature_set set;
    assert_int_equal(psb_feature_set_open(path, N, &psb_l2, &set, &error), PSB_OK);
    float *distances = matrix_of(&psb_l2);
    size_t passes = 0;
    for (size_t memory = (size_t)1 << 30; memory > 0;) {
        static onlooker o;
        psb_memory_plan plan;
        o = (onlooker){.matrix = distances};
        assert_int_equal(psb_relevance_by_class(&cla, &cla, false, &o.relevance, &error), PSB_OK);
        const psb_watcher watcher = {wanted_bytes, begin_pass, see, see_ranks, end_pass, &o};
        const psb_measuring of = {&cla, &set, measures, count, 2, memory, NULL, &watcher, 0};
        psb_status status = psb_measure_range(&of, 0, N, values, &plan, &error);
        assert_true(status == PSB_OK || status == PSB_ERROR_USAGE);
        assert_int_equal(o.next, status == PSB_OK ? N : 0);
        passes = o.passes > passes ? o.passes : passes;
        psb_relevance_free(&o.relevance);
        memory = status == PSB_OK ? plan.bytes - (1 << 15) : 0;
    }
    assert_true(passes > 1);
    psb_feature_set_close(&set);
    free(distances);
    test_folder_remove();
}

/* In ascending, descending, and mixed order, with many equal distances, in pieces of all lengths;
 * limits are asked for in between. */
static void lists_are_the_least_keys_in_any_order(void **state) {
    (void)state;
    enum { ROWS = 5000, PIECE_MOST = 300 };
    static float distances[ROWS];
    static uint64_t sorted[ROWS];
    static const size_t lengths[] = {1, 2, 7, 100, 1000, ROWS};
    psb_error error;
    for (int order = 0; order < 3; order++) {
        uint32_t mixed = 12345;
        for (size_t i = 0; i < ROWS; i++) {
            mixed = mixed * 1664525U + 1013904223U;
            size_t at = order == 0 ? i : order == 1 ? ROWS - i : mixed >> 16;
            distances[i] = (float)(at % (ROWS + 1) / 3) / 7.0F;
            sorted[i] = psb_rank_key(&distances[i], 0) + i;
        }
        const size_t skip = 4321;
        sorted[skip] = UINT64_MAX;
        qsort(sorted, ROWS, sizeof *sorted, psb_compare_keys);
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            psb_nearest *nearest;
            size_t k = lengths[l];
            assert_int_equal(psb_nearest_new(3, 4, k, &nearest, &error), PSB_OK);
            for (size_t i = 0, piece = 1; i < ROWS; i += piece) {
                piece = piece * 7 % PIECE_MOST + 1;
                size_t n = ROWS - i < piece ? ROWS - i : piece;
                psb_nearest_add(nearest, 3, i, n, distances + i, skip);
                psb_nearest_add(nearest, 4, i, n, distances + i, skip); /* not asked for */
                if (i % 2 == 0) {
                    assert_true(k == ROWS || psb_nearest_limit(nearest, 3) >=
                                                 psb_nearest_distance(sorted[k - 1]));
                }
            }
            const uint64_t *keys;
            size_t count = psb_nearest_finish(nearest, 3, &keys);
            assert_int_equal(count, k < ROWS ? k : ROWS - 1);
            assert_memory_equal(keys, sorted, count * sizeof *keys);
            psb_nearest_free(nearest);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_of_what_is_below),
        cmocka_unit_test(lists_are_the_least_keys_in_any_order),
        cmocka_unit_test(counted_ranks_are_those_of_the_matrix),
        cmocka_unit_test(a_stream_visits_every_pair_once),
        cmocka_unit_test(streams_say_what_is_wrong),
        cmocka_unit_test(measures_from_features_are_those_of_the_matrix),
        cmocka_unit_test(a_watcher_sees_all_and_lists_are_fronts_of_the_whole),
    };
    return cmocka_run_group_tests_name("stream", tests, fill, NULL);
}
