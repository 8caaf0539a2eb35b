/* Reads the TREC export back and scores it by plain code that is independent of the library. */
#include "core/random.h"
#include "eval/evaluation.h"
#include "report/export.h"
#include "support/files.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 30, CLASSES = 5, LINE = 200 };

static char ids[MODELS][8];

/* ---- trec_eval, plainly: sort by score, look up relevance, average ---------------------- */

typedef struct entry {
    char query[8], model[8];
    double score;
} entry;

static entry run[MODELS * MODELS], relevant[MODELS * MODELS];
static size_t nrun, nrelevant;

static char *next_word(char **at) {
    *at += strspn(*at, " \n");
    char *word = *at;
    *at += strcspn(*at, " \n");
    if (**at != '\0') {
        *(*at)++ = '\0';
    }
    return word;
}

/* Columns of query, model and score; a qrels has its relevance as score. */
static size_t read_entries(const char *path, int score_column, entry *entries) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[LINE];
    size_t n = 0;
    while (fgets(line, LINE, file) != NULL) {
        char *at = line;
        entry *e = &entries[n++];
        memset(e, 0, sizeof *e);
        for (int column = 0; column <= score_column; column++) {
            char *word = next_word(&at);
            if (column == 0) {
                snprintf(e->query, sizeof e->query, "%s", word);
            } else if (column == 2) {
                snprintf(e->model, sizeof e->model, "%s", word);
            }
            if (column == score_column) {
                for (; *word != '\0'; word++) {
                    e->score = 10 * e->score + (*word - '0');
                }
            }
        }
    }
    fclose(file);
    return n;
}

static bool is_relevant(const char *query, const char *model) {
    for (size_t i = 0; i < nrelevant; i++) {
        if (strcmp(relevant[i].query, query) == 0 && strcmp(relevant[i].model, model) == 0) {
            return relevant[i].score > 0;
        }
    }
    return false;
}

/* Higher scores first; trec_eval breaks ties by name, the later one first. */
static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int by_query = strcmp(x->query, y->query);
    if (by_query != 0) {
        return by_query;
    }
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : strcmp(y->model, x->model);
}

typedef struct trec_scores {
    double map, r_precision, precision_5, queries;
} trec_scores;

static void score_query(const entry *list, size_t length, trec_scores *sum) {
    size_t wanted = 0, hits = 0, early = 0, first = 0;
    for (size_t i = 0; i < nrelevant; i++) {
        wanted += strcmp(relevant[i].query, list->query) == 0;
    }
    double precisions = 0;
    for (size_t r = 1; r <= length; r++) {
        if (is_relevant(list->query, list[r - 1].model)) {
            hits++;
            precisions += (double)hits / (double)r;
            early += r <= 5;
            first += r <= wanted;
        }
    }
    sum->map += precisions / (double)wanted;
    sum->r_precision += (double)first / (double)wanted;
    sum->precision_5 += (double)early / 5;
    sum->queries++;
}

static trec_scores plain_trec_eval(const char *qrels_path, const char *run_path) {
    nrelevant = read_entries(qrels_path, 3, relevant);
    nrun = read_entries(run_path, 4, run);
    qsort(run, nrun, sizeof *run, compare_entries);
    trec_scores sum = {0, 0, 0, 0};
    for (size_t start = 0, end; start < nrun; start = end) {
        for (end = start; end < nrun && strcmp(run[end].query, run[start].query) == 0;) {
            end++;
        }
        score_query(run + start, end - start, &sum);
    }
    sum.map /= sum.queries;
    sum.r_precision /= sum.queries;
    sum.precision_5 /= sum.queries;
    return sum;
}

/* ---- what is exported ------------------------------------------------------------------- */

typedef struct fixture {
    psb_class classes[CLASSES];
    size_t class_of[MODELS];
    char *models[MODELS];
    psb_classification cla;
    float distances[MODELS * MODELS];
    psb_matrix matrix;
    bool selected[MODELS];
} fixture;

/* Classes of 8, 2, 10 (miscellaneous), 1 and 9, many ties, not symmetric. */
static void fixture_make(fixture *f, uint64_t seed) {
    static const size_t counts[CLASSES] = {8, 2, 10, 1, 9};
    psb_random random = psb_random_seeded(seed, "test_export", "matrix");
    memset(f, 0, sizeof *f);
    size_t n = 0;
    for (size_t c = 0; c < CLASSES; c++) {
        f->classes[c] = (psb_class){.first = n, .count = counts[c], .miscellaneous = c == 2};
        for (size_t i = 0; i < counts[c]; i++, n++) {
            f->class_of[n] = c;
            snprintf(ids[n], sizeof ids[n], "m%zu", (n * 7) % MODELS);
            f->models[n] = ids[n];
        }
    }
    f->cla = (psb_classification){.nclasses = CLASSES,
                                  .classes = f->classes,
                                  .nmodels = MODELS,
                                  .models = f->models,
                                  .class_of = f->class_of};
    f->matrix = (psb_matrix){.n = MODELS, .data = f->distances};
    for (size_t i = 0; i < (size_t)MODELS * MODELS; i++) {
        f->distances[i] = (float)psb_random_below(&random, 6);
    }
    psb_select_queries(&f->cla, NULL, f->selected);
}

static double mean_of(const fixture *f, const char *name) {
    psb_chosen_measure chosen[PSB_MAX_CHOSEN];
    size_t count;
    assert_int_equal(psb_measures_parse(name, chosen, &count, NULL), PSB_OK);
    psb_evaluation e = {.cla = &f->cla, .measures = chosen, .nmeasures = 1, .nmethods = 1};
    assert_int_equal(psb_evaluation_open(&e, NULL), PSB_OK);
    assert_int_equal(psb_evaluation_rank(&e, 0, &f->matrix, 1, NULL), PSB_OK);
    double mean = psb_evaluation_mean(&e, 0, 0, (psb_group){PSB_MICRO, 0}).value;
    psb_evaluation_close(&e);
    return mean;
}

static void trec_scores_are_ours(void **state) {
    (void)state;
    const char *qrels = test_path("qrels"), *path = test_path("run");
    static fixture f;
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture_make(&f, seed);
        assert_int_equal(psb_export_qrels(qrels, &f.cla, f.selected, NULL), PSB_OK);
        assert_int_equal(psb_export_trec(path, &f.cla, &f.matrix, f.selected, "my tag", NULL),
                         PSB_OK);
        trec_scores theirs = plain_trec_eval(qrels, path);
        ASSERT_NEAR(theirs.queries, 17, 0);
        assert_int_equal(nrun, 17 * (MODELS - 1));
        ASSERT_NEAR(theirs.map, mean_of(&f, "average_precision"), 1e-14);
        ASSERT_NEAR(theirs.r_precision, mean_of(&f, "r_precision"), 1e-14);
        ASSERT_NEAR(theirs.precision_5, mean_of(&f, "precision@5"), 1e-14);
    }
    test_folder_remove();
}

static void shrec_lists_are_in_order(void **state) {
    (void)state;
    const char *folder = test_folder();
    char line[LINE];
    static fixture f;
    fixture_make(&f, 1);
    memset(f.selected, 0, sizeof f.selected);
    f.selected[3] = true;
    assert_int_equal(psb_export_shrec(folder, &f.cla, &f.matrix, f.selected, NULL), PSB_OK);
    FILE *file = fopen(test_path(ids[3]), "r");
    assert_non_null(file);
    size_t lines = 0;
    char last = '0';
    while (fgets(line, LINE, file) != NULL) {
        const char *blank = strchr(line, ' ');
        assert_non_null(blank);
        assert_true(strncmp(line, ids[3], (size_t)(blank - line)) != 0 ||
                    ids[3][blank - line] != '\0');
        assert_true(blank[1] >= last);
        last = blank[1];
        lines++;
    }
    fclose(file);
    assert_int_equal(lines, MODELS - 1);
    f.models[3] = "../outside";
    psb_error error;
    assert_int_equal(psb_export_shrec(folder, &f.cla, &f.matrix, f.selected, &error),
                     PSB_ERROR_INPUT);
    test_folder_remove();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trec_scores_are_ours),
        cmocka_unit_test(shrec_lists_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
