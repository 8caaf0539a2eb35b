/* Compares the nearest neighbors with a sort of everything; tests lists as text, and measures of
 * lists. */
#include "core/random.h"
#include "core/text.h"
#include "eval/neighbor_measures.h"
#include "io/lists.h"
#include "io/matrix.h"
#include "io/npy.h"
#include "lightfield/metric_kernel.h"
#include "stream/search.h"
#include "support/evaluations.h"
#include "support/files.h"
#include "support/test.h"

enum { QUERIES = 150, ROWS = 333, LENGTH = 20, LFD_ROWS = 12 };

static float floats[ROWS * LENGTH]; /* few different numbers: many equal distances */
static uint8_t bytes[LFD_ROWS * PSB_LFD_LENGTH];

/* The rows of a file, open until the end: the program has few. */
static psb_npy opened[16];
static size_t nopened;

static psb_search_side side(const char *name) {
    psb_npy *npy = &opened[nopened++];
    assert_int_equal(psb_npy_read(test_path(name), npy, NULL), PSB_OK);
    return (psb_search_side){name, npy, NULL};
}

static void write_rows(const char *name, const void *data, size_t n, size_t length,
                       psb_element element) {
    psb_error error;
    assert_int_equal(psb_npy_write(test_path(name), data, n, length, element, &error), PSB_OK);
}

static int fill(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(5, "rows", "test");
    for (size_t i = 0; i < ROWS * LENGTH; i++) {
        floats[i] = (float)psb_random_below(&random, 3);
    }
    for (size_t i = 0; i < LFD_ROWS * PSB_LFD_LENGTH; i++) {
        bytes[i] = (uint8_t)psb_random_below(&random, 30);
    }
    memcpy(bytes + 7 * PSB_LFD_LENGTH, bytes + 3 * PSB_LFD_LENGTH, PSB_LFD_LENGTH);
    test_folder();
    write_rows("queries.npy", floats + 100 * LENGTH, QUERIES, LENGTH, PSB_FLOAT32);
    write_rows("rows.npy", floats, ROWS, LENGTH, PSB_FLOAT32);
    write_rows("lfd.npy", bytes, LFD_ROWS, PSB_LFD_LENGTH, PSB_UINT8);
    return 0;
}

static int clean(void **state) {
    (void)state;
    while (nopened > 0) {
        psb_npy_close(&opened[--nopened]);
    }
    test_folder_remove();
    return 0;
}

static char ids[9][4] = {"a", "b", "c", "12", "13", "14", "0", "x", "y"};

/* ---- search ----------------------------------------------------------------------------- */

typedef struct pair {
    float distance;
    size_t row;
} pair;

static int compare_pairs(const void *a, const void *b) {
    const pair *x = a, *y = b;
    return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance)
                                      : (x->row > y->row) - (x->row < y->row);
}

/* What the file should hold, from single pairs, sorted whole. */
static char *expected_lists(const psb_metric *metric, const void *queries, size_t nqueries,
                            const void *rows, size_t nrows, size_t length, size_t row_bytes,
                            size_t k, bool self) {
    psb_text text = {.data = NULL};
    pair *all = malloc(nrows * sizeof *all);
    assert_non_null(all);
    psb_text_printf(&text,
                    "# psbench search: k=%zu metric=%s queries=%zu database=%zu\n"
                    "query_row\trank\tneighbor_row\tdistance\n",
                    k, metric->name, nqueries, nrows);
    for (size_t q = 0; q < nqueries; q++) {
        size_t n = 0;
        for (size_t r = 0; r < nrows; r++) {
            if (!self || r != q) {
                double d = metric->pair((const char *)queries + q * row_bytes,
                                        (const char *)rows + r * row_bytes, length);
                all[n++] = (pair){(float)d, r};
            }
        }
        qsort(all, n, sizeof *all, compare_pairs);
        for (size_t i = 0; i < n && i < k; i++) {
            psb_text_printf(&text, "%zu\t%zu\t%zu\t%.9g\n", q, i + 1, all[i].row,
                            (double)all[i].distance);
        }
    }
    free(all);
    return text.data;
}

static psb_status search(psb_search_job *o, psb_memory_plan *plan, psb_error *error) {
    return psb_search_lists(o, test_path("lists.tsv"), plan, error);
}

/* All sizes of memory from plenty down to what is refused, and several threads. Returns the most
   passes that were made. */
static size_t expect_lists(psb_search_job o, const char *expected) {
    size_t passes = 0;
    for (o.threads = 1; o.threads <= 3; o.threads += 2) {
        size_t step = 0;
        for (o.memory = (size_t)1 << 30; o.memory > step; o.memory -= step) {
            psb_memory_plan plan;
            psb_error error;
            psb_status status = search(&o, &plan, &error);
            if (status != PSB_OK) {
                assert_int_equal(status, PSB_ERROR_USAGE);
                assert_non_null(strstr(error.message, "are not enough"));
                break;
            }
            size_t size;
            char *got = test_read(test_path("lists.tsv"), &size);
            assert_string_equal(got, expected);
            free(got);
            assert_true(plan.bytes <= o.memory);
            passes = plan.passes > passes ? plan.passes : passes;
            o.memory = plan.bytes;
            step = 1 << 17;
        }
    }
    return passes;
}

static void lists_are_those_of_sorting_everything(void **state) {
    (void)state;
    const psb_metric *const metrics[] = {&psb_l1, &psb_l2};
    const size_t ks[] = {1, 7, 100, 1000};
    const psb_search_side queries = side("queries.npy"), rows = side("rows.npy");
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
            psb_search_job o = {
                .queries = queries, .database = rows, .metric = metrics[m], .k = ks[i]};
            char *expected = expected_lists(o.metric, floats + 100 * LENGTH, QUERIES, floats, ROWS,
                                            LENGTH, LENGTH * sizeof(float), o.k, false);
            expect_lists(o, expected);
            free(expected);
            o.queries = o.database;
            o.same = true;
            expected = expected_lists(o.metric, floats, ROWS, floats, ROWS, LENGTH,
                                      LENGTH * sizeof(float), o.k, true);
            assert_true(expect_lists(o, expected) > (o.k > 100));
            free(expected);
        }
    }
    const psb_search_side lfd = side("lfd.npy");
    psb_search_job o = {
        .queries = lfd, .database = lfd, .same = true, .metric = &psb_lfd_metric, .k = 4};
    char *expected = expected_lists(o.metric, bytes, LFD_ROWS, bytes, LFD_ROWS, PSB_LFD_LENGTH,
                                    PSB_LFD_LENGTH, o.k, true);
    expect_lists(o, expected);
    free(expected);
}

/* The rows nearest by the cosine of signatures, all sorted, and of these the nearest by l1. */
static void candidates_are_put_in_order_by_the_metric(void **state) {
    (void)state;
    enum { SHORT = 3, CANDIDATES = 20, K = 8 };
    static float rows[ROWS * SHORT];
    psb_random random = psb_random_seeded(6, "signatures", "test");
    for (size_t i = 0; i < ROWS * SHORT; i++) {
        rows[i] = (float)psb_random_below(&random, 5) - 2;
    }
    write_rows("signatures.npy", rows, ROWS, SHORT, PSB_FLOAT32);
    const psb_search_side all = side("rows.npy"), signatures = side("signatures.npy");
    psb_search_job o = {.queries = all,
                        .database = all,
                        .before = {{signatures, signatures, &psb_cosine, CANDIDATES}},
                        .nbefore = 1,
                        .same = true,
                        .metric = &psb_l1,
                        .k = K};
    psb_text text = {.data = NULL};
    psb_text_printf(&text,
                    "# psbench search: k=%d metric=l1 queries=%d database=%d\n"
                    "query_row\trank\tneighbor_row\tdistance\n",
                    K, ROWS, ROWS);
    for (size_t q = 0; q < ROWS; q++) {
        pair near[ROWS];
        size_t n = 0;
        for (size_t r = 0; r < ROWS; r++) {
            double d = psb_cosine.pair(rows + q * SHORT, rows + r * SHORT, SHORT);
            near[n] = (pair){(float)d, r};
            n += r != q;
        }
        qsort(near, n, sizeof *near, compare_pairs);
        for (size_t c = 0; c < CANDIDATES; c++) {
            size_t r = near[c].row;
            near[c].distance = (float)psb_l1.pair(floats + q * LENGTH, floats + r * LENGTH, LENGTH);
        }
        qsort(near, CANDIDATES, sizeof *near, compare_pairs);
        for (size_t i = 0; i < K; i++) {
            psb_text_printf(&text, "%zu\t%zu\t%zu\t%.9g\n", q, i + 1, near[i].row,
                            (double)near[i].distance);
        }
    }
    expect_lists(o, text.data);
    psb_text_free(&text);
    /* With as many candidates as rows: what the metric finds alone. */
    o.before[0].candidates = 1000;
    char *expected = expected_lists(&psb_l1, floats, ROWS, floats, ROWS, LENGTH,
                                    LENGTH * sizeof(float), o.k, true);
    expect_lists(o, expected);
    free(expected);
}

/* The first `k` < 10 lines of each query of a file of lists, behind the line with its
 * parameters.
 */
static char *first_lines(char *lists, int k) {
    psb_text text = {.data = NULL};
    for (char *line = strchr(lists, '\n') + 1, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        const char *rank = strchr(line, '\t') + 1; /* or the heading's word */
        if (rank[1] == '\t' && rank[0] - '0' <= k) {
            psb_text_add(&text, line);
            psb_text_add(&text, "\n");
        }
    }
    free(lists);
    return text.data;
}

/*
 * A short list stops looking at rows that are too far for it, here in tiles of two blocks; that
 * of all rows looks at each.
 */
static void few_neighbors_are_the_first_of_all(void **state) {
    (void)state;
    enum { MANY = PSB_TILE + 30, K = 3 };
    uint8_t *many = malloc(MANY * PSB_LFD_LENGTH);
    assert_non_null(many);
    psb_random random = psb_random_seeded(6, "rows", "test");
    for (size_t i = 0; i < MANY * PSB_LFD_LENGTH; i++) { /* of ten kinds */
        many[i] = (uint8_t)(psb_random_below(&random, 30) + i / PSB_LFD_LENGTH % 10 * 25);
    }
    write_rows("many.npy", many, MANY, PSB_LFD_LENGTH, PSB_UINT8);
    free(many);
    psb_search_job o = {.queries = side("many.npy"),
                        .metric = &psb_lfd_metric,
                        .threads = 2,
                        .memory = (size_t)1 << 30};
    o.database = o.queries;
    for (int same = 0; same < 2; same++) {
        char *lists[2];
        o.same = same != 0;
        for (int few = 0; few < 2; few++) {
            psb_memory_plan plan;
            psb_error error;
            size_t size;
            o.k = few != 0 ? K : MANY;
            assert_int_equal(search(&o, &plan, &error), PSB_OK);
            lists[few] = first_lines(test_read(test_path("lists.tsv"), &size), K);
        }
        assert_string_equal(lists[1], lists[0]);
        free(lists[0]);
        free(lists[1]);
    }
}

static void searches_that_cannot_be(void **state) {
    (void)state;
    write_rows("narrow.npy", floats, 3, LENGTH - 1, PSB_FLOAT32);
    psb_search_job good = {.queries = side("queries.npy"),
                           .database = side("rows.npy"),
                           .metric = &psb_l2,
                           .k = 1,
                           .threads = 1,
                           .memory = (size_t)1 << 30};
    psb_search_job bad[] = {good, good, good, good, good};
    bad[0].self = true;
    bad[1].queries = side("narrow.npy");
    bad[2].metric = &psb_lfd_metric;
    for (size_t i = 3; i < 5; i++) {
        bad[i].nbefore = 1;
        bad[i].before[0] =
            (psb_search_step){i == 3 ? good.database : good.queries, good.database, &psb_cosine, 9};
    }
    char *some[ROWS], *others[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        some[i] = others[i] = ids[0];
    }
    others[2] = ids[1];
    bad[4].database.names = some;
    bad[4].before[0].database.names = others;
    static const char *const words[] = {
        "150 rows, but", "rows of 19 numbers, but those of", "metric lfd takes uint8 rows",
        "333 signatures, but queries.npy has 150 rows", "row 2 is b, but that of rows.npy is a"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        psb_memory_plan plan;
        psb_error error;
        assert_int_not_equal(psb_search_lists(&bad[i], test_path("none.tsv"), &plan, &error),
                             PSB_OK);
        if (strstr(error.message, words[i]) == NULL) {
            fail_msg("no '%s' in '%s'", words[i], error.message);
        }
        assert_false(psb_is_file(test_path("none.tsv")));
    }
}

/* ---- lists ------------------------------------------------------------------------------ */

static psb_class classes[] = {
    {.parent = PSB_NO_CLASS, .first = 0, .count = 3},
    {.parent = PSB_NO_CLASS, .first = 3, .count = 4},
    {.parent = PSB_NO_CLASS, .first = 7, .count = 2, .miscellaneous = true}};
static char *models[9];
static size_t class_of[] = {0, 0, 0, 1, 1, 1, 1, 2, 2};
static psb_classification cla = {3, classes, 9, models, class_of, NULL, NULL, false};

static void count_line(void *context, size_t query, size_t rank, size_t neighbor, double distance) {
    (void)distance;
    size_t *sums = context;
    sums[0]++;
    sums[1] += query;
    sums[2] += rank;
    sums[3] += neighbor;
}

#define HEAD   "# psbench search: k=3 metric=l2 queries=9 database=9\n"
#define BY_ID  HEAD "query\trank\tneighbor\tdistance\n"
#define BY_ROW HEAD "query_row\trank\tneighbor_row\tdistance\n"

static void lists_are_read_strictly(void **state) {
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        models[i] = ids[i];
    }
    static const struct {
        const char *text, *message; /* NULL: fine */
    } cases[] = {
        {BY_ID "12\t1\t0\t0.5\n12\t2\ta\t0.5\n# more\nx\t1\ty\t1e3\n", NULL},
        {BY_ROW "3\t1\t6\t0.5\n3\t2\t0\t0.5\n7\t1\t8\t1000\n", NULL},
        {BY_ID, NULL},
        {"", "l: the file ends in front of its lists"},
        {HEAD, "l:1: the file ends in front of its lists"},
        {"query\trank\tneighbor\tdistance\n", "l:1: want '# psbench search:'"},
        {"# psbench search: database=8\n", "l:1: lists from a database of 8, but the"},
        {"# psbench search: database=9x\n", "l:1: want '# psbench search:'"},
        {HEAD "a\t1\tb\t1\n", "l:2: want the names of the columns"},
        {BY_ID "a\t1\tb\n", "l:3: want four fields"},
        {BY_ID "a\t1\tb\t1\t\n", "l:3: want four fields"},
        {BY_ID "a\t1\td\t1\n", "l:3: not in the classification: model 'd'"},
        {BY_ID "d\t1\ta\t1\n", "l:3: not in the classification: model 'd'"},
        {BY_ROW "9\t1\t1\t1\n", "l:3: not in the classification: row '9'"},
        {BY_ROW "1\t1\t-1\t1\n", "l:3: not in the classification: row '-1'"},
        {BY_ID "a\t2\tb\t1\n", "l:3: rank 2, but this is number 1 of the list"},
        {BY_ID "a\t1\tb\t1\na\t1\tc\t1\n", "l:4: rank 1, but this is number 2 of the list"},
        {BY_ID "a\t1x\tb\t1\n", "l:3: want a rank"},
        {BY_ID "a\t1\tb\t-1\n", "l:3: want a rank"},
        {BY_ID "a\t1\tb\tnan\n", "l:3: want a rank"},
        {BY_ID "a\t1\tb\t1e999\n", "l:3: want a rank"},
        {BY_ID "a\t1\ta\t1\n", "l:3: in its own list: model 'a'"},
        {BY_ID "a\t1\tb\t1\na\t2\tb\t1\n", "l:4: twice in this list: model 'b'"},
        {BY_ID "a\t1\tb\t1\na\t2\tc\t0.5\n", "l:4: distance 0.5 behind 1: a list is in asc"},
        {BY_ID "a\t1\tb\t1\nb\t1\ta\t1\na\t1\tc\t1\n",
         "l:5: the lines of this query are not consecutive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t sums[4] = {0};
        psb_error error = {.message = ""};
        const psb_lists lists = {.form = PSB_LISTS_SEARCH,
                                 .queries = &cla,
                                 .targets = &cla,
                                 .take = count_line,
                                 .context = sums};
        psb_status status =
            psb_lists_parse(&lists, "l", cases[i].text, strlen(cases[i].text), &error);
        if (cases[i].message != NULL) {
            assert_int_equal(status, PSB_ERROR_INPUT);
            if (strncmp(error.message, cases[i].message, strlen(cases[i].message)) != 0) {
                fail_msg("'%s', not '%s'", error.message, cases[i].message);
            }
            continue;
        }
        assert_int_equal(status, PSB_OK);
        if (i < 2) {
            assert_int_equal(sums[0], 3);
            assert_int_equal(sums[1], 3 + 3 + 7);
            assert_int_equal(sums[2], 1 + 2 + 1);
            assert_int_equal(sums[3], 6 + 0 + 8);
        }
    }
}

/* Every length of list, against the measures of the whole matrix. */
static void lists_permit_what_they_reach(void **state) {
    (void)state;
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    assert_int_equal(psb_measures_parse("all,precision@3,recall@4", measures, &count, &error),
                     PSB_OK);
    static float distances[81];
    write_rows("nine.npy", floats, 9, LENGTH, PSB_FLOAT32);
    psb_row_view table = {floats, 9, LENGTH, PSB_FLOAT32};
    assert_int_equal(psb_distance_matrix(&psb_l1, &table, 1, distances, NULL, NULL, &error),
                     PSB_OK);
    psb_matrix matrix = {.n = 9, .data = distances};
    double expected[9 * PSB_MAX_CHOSEN];
    test_measure(&cla, &matrix, measures, count, expected);
    psb_evaluation e = {.cla = &cla, .measures = measures, .nmeasures = count, .nmethods = 1};
    assert_int_equal(psb_evaluation_open(&e, &error), PSB_OK);
    assert_int_equal(psb_group_count(&e, PSB_PER_MODEL), 7);
    double *got = psb_evaluation_values(&e, 0);
    const psb_search_side nine = side("nine.npy");
    for (size_t k = 1; k <= 9; k++) {
        psb_search_job o = {.queries = nine,
                            .database = nine,
                            .same = true,
                            .metric = &psb_l1,
                            .k = k,
                            .threads = 1,
                            .memory = (size_t)1 << 30};
        psb_memory_plan plan;
        assert_int_equal(search(&o, &plan, &error), PSB_OK);
        const char *path = test_path("lists.tsv");
        bool covered[9] = {true, true, true, true, true, true, true, true, false}, all = true;
        psb_coverage coverage = {.covered = covered};
        assert_int_equal(psb_evaluation_lists(&e, 0, path, PSB_LISTS_SEARCH, &coverage, &error),
                         PSB_OK);
        assert_true(covered[7] && !covered[8]);
        for (size_t m = 0; m < count; m++) {
            const char *name = measures[m].name;
            if (strncmp(name, "shrec17", 7) == 0) {
                continue; /* of a list as it is, however long */
            }
            for (size_t i = 0; i < 9; i++) {
                size_t at = i * count + m, relevant = i < 3 ? 2 : i < 7 ? 3 : 0;
                assert_true(isnan(got[at]) || got[at] == expected[at]);
                all = all && !isnan(got[at]);
                if (strcmp(name, "nearest_neighbor") == 0 || relevant == 0 || k >= 8 ||
                    (strcmp(name, "first_tier") == 0 && k >= relevant) ||
                    (strcmp(name, "precision@3") == 0 && k >= 3)) {
                    assert_true(!isnan(got[at]));
                }
            }
        }
        /* A list of one cannot say where the others are. */
        assert_true(k > 1 || isnan(got[(size_t)PSB_DCG]));
        psb_status status = psb_evaluation_need(&e, 0, path, &error);
        assert_int_equal(status, all ? PSB_OK : PSB_ERROR_INPUT);
        assert_true(all || strstr(error.message, "nearest_neighbor") != NULL);
        assert_true(all || k < 8);
    }
    psb_evaluation_close(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_those_of_sorting_everything),
        cmocka_unit_test(candidates_are_put_in_order_by_the_metric),
        cmocka_unit_test(few_neighbors_are_the_first_of_all),
        cmocka_unit_test(searches_that_cannot_be),
        cmocka_unit_test(lists_are_read_strictly),
        cmocka_unit_test(lists_permit_what_they_reach),
    };
    return cmocka_run_group_tests_name("search", tests, fill, clean);
}
