/* Reads relevance judgments, word by word. */
#include "io/qrels.h"

#include "core/file.h"
#include "core/scan.h"
#include "core/text.h"
#include "io/ids.h"

#include <math.h>

enum { LEAST = 5 }; /* bytes of the shortest line, BEIR's without its end */

typedef struct reader {
    psb_scan scan;
    bool beir; /* lines have no second field */
    psb_names queries, targets;
    psb_judgement *entries;
    size_t count;
} reader;

/* Reads the next word as a model's name, and moves past it. */
static psb_status read_model(psb_scan *s, const psb_names *names, const char *which,
                             uint32_t *model) {
    if (!psb_scan_next_on_line(s)) {
        return PSB_SCAN_FAIL(s, "want four fields: QUERY 0 MODEL GRADE");
    }
    const char *begin = s->at;
    psb_scan behind = *s;
    psb_scan_skip_token(&behind);
    size_t found = psb_ids_find(names, begin, (size_t)(behind.at - begin));
    if (found == PSB_NO_NAME) {
        return PSB_SCAN_FAIL(s, "model '%s' is not among the %s", psb_scan_quote(s).text, which);
    }
    s->at = behind.at;
    *model = (uint32_t)found;
    return PSB_OK;
}

/* Moves past BEIR's header, if the text begins with it. */
static bool skip_header(psb_scan *s) {
    static const char *const names[] = {"query-id", "corpus-id", "score"};
    psb_scan ahead = *s;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool there = i == 0 ? psb_scan_next(&ahead) : psb_scan_next_on_line(&ahead);
        const char *begin = ahead.at;
        psb_scan_skip_token(&ahead);
        if (!there || (size_t)(ahead.at - begin) != strlen(names[i]) ||
            memcmp(begin, names[i], strlen(names[i])) != 0) {
            return false;
        }
    }
    *s = ahead;
    return true;
}

/* Reads a whole number, which float columns write as 1.0. */
static bool read_grade(psb_scan *s, int64_t *grade) {
    double value;
    if (!psb_scan_number(s, &value) || value != floor(value) || fabs(value) > 1e15) {
        return false;
    }
    *grade = (int64_t)value;
    return true;
}

static psb_status read_line(reader *r) {
    psb_scan *s = &r->scan;
    psb_judgement *entry = &r->entries[r->count];
    int64_t grade;
    psb_status status = read_model(s, &r->queries, "queries", &entry->query);
    if (status == PSB_OK && !r->beir && psb_scan_next_on_line(s)) {
        psb_scan_skip_token(s); /* the field that TREC calls iteration */
    }
    PSB_THEN(status, read_model(s, &r->targets, "targets", &entry->target));
    if (status != PSB_OK) {
        return status;
    }
    if (!psb_scan_next_on_line(s) || !read_grade(s, &grade) || psb_scan_next_on_line(s)) {
        return PSB_SCAN_FAIL(s, "want a grade, a whole number, at the end of the line");
    }
    if (grade > PSB_MAX_GRADE) {
        return PSB_SCAN_FAIL(s, "grade %lld, but at most %d are told apart", (long long)grade,
                             PSB_MAX_GRADE);
    }
    entry->grade = grade > 0 ? (uint8_t)grade : 0;
    r->count += grade > 0;
    return PSB_OK;
}

static int compare(const void *a, const void *b) {
    const psb_judgement *x = a, *y = b;
    return x->query != y->query ? (x->query > y->query) - (x->query < y->query)
                                : (x->target > y->target) - (x->target < y->target);
}

static psb_status sort(reader *r, const psb_classification *queries,
                       const psb_classification *targets) {
    psb_sort(r->entries, r->count, sizeof *r->entries, compare);
    for (size_t i = 1; i < r->count; i++) {
        if (compare(&r->entries[i - 1], &r->entries[i]) == 0) {
            return psb_fail_at(r->scan.error, PSB_ERROR_INPUT, r->scan.path, 0,
                               "model %.40s is judged twice for query %.40s",
                               targets->models[r->entries[i].target],
                               queries->models[r->entries[i].query]);
        }
    }
    return PSB_OK;
}

psb_status psb_qrels_parse(const char *path, const char *data, size_t size,
                           const psb_classification *queries, const psb_classification *targets,
                           psb_judgement **judgements, size_t *count, psb_error *error) {
    reader r = {.scan = {.path = path,
                         .begin = data,
                         .at = data + psb_text_mark(data, size),
                         .end = data + size,
                         .error = error}};
    psb_status status = psb_names_fill(&r.queries, queries->models, queries->nmodels, error);
    PSB_THEN(status, psb_names_fill(&r.targets, targets->models, targets->nmodels, error));
    r.entries = psb_new(&status, size / LEAST + 1, sizeof *r.entries, "judgments", error);
    r.beir = skip_header(&r.scan);
    while (status == PSB_OK && psb_scan_next(&r.scan)) {
        status = read_line(&r);
    }
    PSB_THEN(status, sort(&r, queries, targets));
    psb_names_free(&r.queries);
    psb_names_free(&r.targets);
    if (status != PSB_OK) {
        free(r.entries);
        r = (reader){.count = 0};
    }
    *judgements = r.entries;
    *count = r.count;
    return status;
}

psb_status psb_qrels_read(const char *path, const psb_classification *queries,
                          const psb_classification *targets, psb_judgement **judgements,
                          size_t *count, psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &input, error);
    return PSB_THEN(status, psb_qrels_parse(path, input.data, input.size, queries, targets,
                                            judgements, count, error));
}
