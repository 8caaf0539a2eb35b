/* Gives each query the class of its nearest targets, for clients. */
#include "core/memory.h"
#include "eval/voting.h"
#include "library/call.h"
#include "library/methods.h"
#include "report/measure_table.h"

/* ---- confusions ------------------------------------------------------------------------- */

/* taken[a * labels + b]: how many queries of label a were given label b. */
typedef struct confusion {
    const psb_evaluation *evaluation;
    const psb_labels *labels;
    size_t *taken;      /* labels x labels */
    bool *row, *column; /* true for labels that occur */
} confusion;

static psb_status count_confusions(const psb_voting *v, confusion *c, psb_error *error) {
    const psb_evaluation *e = c->evaluation;
    size_t n = c->labels->count;
    psb_status status = PSB_OK;
    c->taken = psb_new_zero(&status, n, n * sizeof *c->taken, "confusions", error);
    c->row = psb_new_zero(&status, n, 2 * sizeof *c->row, "confusions", error);
    PSB_FREED size_t *votes = psb_new(&status, n, sizeof *votes, "votes", error);
    c->column = status == PSB_OK ? c->row + n : NULL;
    for (size_t q = 0; q < e->cla->nmodels && status == PSB_OK; q++) {
        size_t own = c->labels->of_query_class[e->cla->class_of[q]];
        size_t got = e->selected[q] ? psb_vote(v, c->labels, q, votes) : PSB_NO_CLASS;
        if (got != PSB_NO_CLASS) {
            c->taken[own * n + got]++;
            c->row[own] = c->column[got] = true;
        }
    }
    return status;
}

static void set_confusions(const confusion *c, psb_table *table) {
    size_t n = c->labels->count, at = 0;
    for (size_t r = 0; r < n; r++) {
        if (!c->row[r]) {
            continue;
        }
        psb_table_set_name(table, at, 0, c->labels->names[r]);
        for (size_t l = 0, column = 1; l < n; l++) {
            if (c->column[l]) {
                psb_table_set_number(table, at, column++, (double)c->taken[r * n + l]);
            }
        }
        at++;
    }
}

static psb_status make_confusions(const confusion *c, psb_table **out, psb_error *error) {
    size_t n = c->labels->count, rows = 0, ncolumns = 1;
    psb_status status = PSB_OK;
    PSB_FREED psb_column *columns = psb_new_zero(&status, n + 1, sizeof *columns, "a table", error);
    psb_table table = {0};
    if (status == PSB_OK) {
        columns[0] = (psb_column){.name = "class", .heading = "class"};
    }
    for (size_t l = 0; l < n && status == PSB_OK; l++) {
        rows += c->row[l];
        if (c->column[l]) {
            columns[ncolumns++] = (psb_column){
                .name = c->labels->names[l], .heading = c->labels->names[l], .align = PSB_RIGHT};
        }
    }
    PSB_THEN(status, psb_table_new(&table, columns, ncolumns, rows, error));
    if (status == PSB_OK) {
        set_confusions(c, &table);
    }
    status = psb_table_keep(status, &table, &(psb_text){0}, out, error);
    return status;
}

/* Wrong labels that one label's queries were given. */
typedef struct mistake {
    size_t own, got, count;
} mistake;

/* The most frequent first; equals in the order of the labels. */
static int compare_mistakes(const void *a, const void *b) {
    const mistake *one = a, *other = b;
    return one->count != other->count ? (one->count < other->count ? 1 : -1)
           : one->own != other->own   ? (one->own > other->own ? 1 : -1)
                                      : (one->got > other->got) - (one->got < other->got);
}

static const char *leaf_of(const char *name) {
    for (const char *at; (at = strstr(name, "___")) != NULL; name = at + 3) {
    }
    return name;
}

/* The last part of a label's name, or all of it where another label ends alike. */
static const char *short_name(const psb_labels *labels, size_t label) {
    const char *name = labels->names[label], *leaf = leaf_of(name);
    for (size_t l = 0; l < labels->count; l++) {
        if (l != label && strcmp(leaf_of(labels->names[l]), leaf) == 0) {
            return name;
        }
    }
    return leaf;
}

/* For people: the most frequent mistakes as rows. */
static psb_status list_mistakes(const confusion *c, psb_table **out, psb_error *error) {
    enum { SHOWN = 20 };
    static const psb_column columns[] = {
        {.name = "class", .heading = "class"},
        {.name = "assigned", .heading = "classified as"},
        {.name = "queries", .heading = "queries", .align = PSB_RIGHT},
        {.name = "share", .heading = "% of class", .align = PSB_RIGHT, .decimals = 1}};
    size_t n = c->labels->count, count = 0, wrong = 0, all = 0;
    psb_status status = PSB_OK;
    psb_table table = {0};
    psb_text caption = {0};
    PSB_FREED size_t *queries = psb_new_zero(&status, n, sizeof *queries, "confusions", error);
    for (size_t i = 0; i < n * n && status == PSB_OK; i++) {
        bool mistaken = c->taken[i] > 0 && i / n != i % n;
        queries[i / n] += c->taken[i];
        all += c->taken[i];
        wrong += mistaken ? c->taken[i] : 0;
        count += mistaken;
    }
    PSB_FREED mistake *mistakes = psb_new(&status, count, sizeof *mistakes, "confusions", error);
    for (size_t i = 0, at = 0; at < count && status == PSB_OK; i++) {
        if (c->taken[i] > 0 && i / n != i % n) {
            mistakes[at++] = (mistake){i / n, i % n, c->taken[i]};
        }
    }
    size_t shown = count < SHOWN ? count : SHOWN;
    if (status == PSB_OK) {
        qsort(mistakes, count, sizeof *mistakes, compare_mistakes);
    }
    PSB_THEN(status, psb_table_new(&table, columns, 4, shown, error));
    for (size_t r = 0; r < shown && status == PSB_OK; r++) {
        const mistake *m = &mistakes[r];
        psb_table_set_name(&table, r, 0, short_name(c->labels, m->own));
        psb_table_set_name(&table, r, 1, short_name(c->labels, m->got));
        psb_table_set_number(&table, r, 2, (double)m->count);
        psb_table_set_number(&table, r, 3, 100 * (double)m->count / (double)queries[m->own]);
    }
    psb_text_printf(&caption, "%zu of %zu queries were classified wrongly", wrong, all);
    if (shown < count) {
        psb_text_printf(&caption, "; the %zu most frequent of %zu confusions", shown, count);
    }
    psb_text_add(&caption, ". -f tsv and -f json have the whole matrix.");
    status = psb_table_keep(status, &table, &caption, out, error);
    return status;
}

static psb_status confuse(const psb_voting *v, const psb_evaluation *e, psb_table **out,
                          psb_error *error) {
    PSB_AT_END(psb_labels_free) psb_labels labels = {0};
    confusion c = {.evaluation = e, .labels = &labels};
    psb_status status =
        psb_labels_make(e->cla, v->relevance->targets, e->nmeasures, &labels, error);
    PSB_THEN(status, count_confusions(v, &c, error));
    PSB_THEN(status, list_mistakes(&c, out, error));
    PSB_THEN(status, make_confusions(&c, out, error));
    free(c.taken);
    free(c.row);
    return status;
}

/* ---- accuracy --------------------------------------------------------------------------- */

/* Classifies with one method, at all levels. */
static psb_status classify(const psb_methods *all, size_t k, const psb_classify_options *o,
                           psb_evaluation *e, psb_table **out, psb_error *error) {
    PSB_AT_END(psb_voting_free)
    psb_voting v = {.relevance = e->relevance, .k = o->k > 0 ? o->k : 1};
    bool listed = all->lists[k] != PSB_LISTS_NONE;
    const size_t most = e->relevance->targets->nmodels - (e->relevance->targets == e->cla);
    if (v.k > most) {
        return psb_fail(error, PSB_ERROR_USAGE, "%zu neighbors are to vote, but a query has %zu",
                        v.k, most);
    }
    psb_status status = listed ? psb_voting_lists(&v, all->paths[k], all->lists[k], error)
                               : psb_voting_matrix(&v, &all->matrices[k], all->threads, error);
    for (size_t m = 0; m < e->nmeasures && status == PSB_OK; m++) {
        PSB_AT_END(psb_labels_free) psb_labels labels = {0};
        status = psb_labels_make(e->cla, e->relevance->targets, m + 1, &labels, error);
        PSB_THEN(status, psb_voting_accuracy(&v, &labels, e, k, m, error));
    }
    return PSB_THEN_IF(status, o->confusion, confuse(&v, e, out, error));
}

static psb_status check(const psb_methods *all, const psb_classify_options *o, psb_error *error) {
    for (size_t k = 0; k < all->count; k++) {
        if (all->lists[k] == PSB_LISTS_NONE && all->matrices[k].data == NULL) {
            return psb_misuse(error, "nearest targets are of matrices and lists, not of features");
        }
    }
    return all->count == 0 || (o->confusion && all->count > 1) || (size_t)o->grouping > PSB_MACRO
               ? psb_misuse(error, "classes are of one method or more, confusions of one")
               : psb_methods_need_queries(all, error);
}

psb_status psb_classify(psb_context *psb, const psb_methods *all,
                        const psb_classify_options *options, psb_table **out, psb_error *error) {
    static const psb_classify_options defaults = {.grouping = PSB_MICRO};
    const psb_classify_options *o = options != NULL ? options : &defaults;
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t levels = psb_levels(&all->cla);
    levels = levels < PSB_MAX_CHOSEN ? levels : PSB_MAX_CHOSEN;
    for (size_t m = 0; m < levels; m++) {
        measures[m] = psb_accuracy(m + 1);
    }
    PSB_AT_END(psb_evaluation_close)
    psb_evaluation e = {.cla = &all->cla,
                        .relevance = all->judged ? &all->relevance : NULL,
                        .measures = measures,
                        .nmeasures = levels,
                        .labels = all->labels,
                        .nmethods = all->count,
                        .listed = all->listed,
                        .units = o->units};
    *out = NULL;
    psb_status status = check(all, o, error);
    PSB_THEN(status, psb_evaluation_open(&e, error));
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = classify(all, k, o, &e, out, error);
    }
    const psb_measure_table table = {&e, o->grouping, o->errors};
    return PSB_THEN_IF(status, !o->confusion, psb_measure_table_make(&table, out, error));
}
