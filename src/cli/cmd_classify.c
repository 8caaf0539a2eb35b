/* psbench classify: what the nearest targets make of each query, and how often they are right. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/matrices.h"
#include "core/error.h"
#include "core/memory.h"
#include "eval/voting.h"
#include "library/methods.h"
#include "report/measure_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the options say. */
typedef struct request {
    psb_methods_options methods;
    int threads;
    size_t k;
    bool confusion, errors;
    psb_grouping grouping;
    psb_units units;
    const char *format;
} request;

/* ---- confusions ------------------------------------------------------------------------- */

/* Rows are the classes of queries, columns what these were taken for, as many times. */
typedef struct confusion {
    const psb_evaluation *evaluation;
    const psb_labels *labels;
    size_t *taken;      /* labels x labels */
    bool *row, *column; /* labels that occur */
} confusion;

static psb_status count_confusions(const psb_voting *v, confusion *c, psb_error *error) {
    const psb_evaluation *e = c->evaluation;
    size_t n = c->labels->count;
    psb_status status = PSB_OK;
    c->taken = psb_new_zero(&status, n, n * sizeof *c->taken, "confusions", error);
    c->row = psb_new_zero(&status, n, 2 * sizeof *c->row, "confusions", error);
    size_t *votes = psb_new(&status, n, sizeof *votes, "votes", error);
    c->column = status == PSB_OK ? c->row + n : NULL;
    for (size_t q = 0; q < e->cla->nmodels && status == PSB_OK; q++) {
        size_t own = c->labels->of_query_class[e->cla->class_of[q]];
        size_t got = e->selected[q] ? psb_vote(v, c->labels, q, votes) : PSB_NO_CLASS;
        if (got != PSB_NO_CLASS) {
            c->taken[own * n + got]++;
            c->row[own] = c->column[got] = true;
        }
    }
    free(votes);
    return status;
}

static void set_confusions(const confusion *c, psb_table *table) {
    size_t n = c->labels->count, at = 0;
    for (size_t r = 0; r < n; r++) {
        if (!c->row[r]) {
            continue;
        }
        psb_table_set_text(table, at, 0, c->labels->names[r]);
        for (size_t l = 0, column = 1; l < n; l++) {
            if (c->column[l]) {
                psb_table_set_number(table, at, column++, (double)c->taken[r * n + l]);
            }
        }
        at++;
    }
}

static psb_status render_confusions(const confusion *c, const psb_table_format *format,
                                    psb_text *out, psb_error *error) {
    size_t n = c->labels->count, rows = 0, ncolumns = 1;
    psb_status status = PSB_OK;
    psb_column *columns = psb_new_zero(&status, n + 1, sizeof *columns, "a table", error);
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
        table.width = format->width;
        format->render(&table, out);
        status = psb_text_status(out, error);
    }
    psb_table_free(&table);
    free(columns);
    return status;
}

static psb_status confuse(const psb_voting *v, const psb_evaluation *e,
                          const psb_table_format *format, psb_text *out, psb_error *error) {
    psb_labels labels;
    confusion c = {.evaluation = e, .labels = &labels};
    psb_status status =
        psb_labels_make(e->cla, v->relevance->targets, e->nmeasures, &labels, error);
    PSB_THEN(status, count_confusions(v, &c, error));
    PSB_THEN(status, render_confusions(&c, format, out, error));
    free(c.taken);
    free(c.row);
    psb_labels_free(&labels);
    return status;
}

/* ---- accuracy --------------------------------------------------------------------------- */

/* All levels of one method. */
static psb_status classify(const psb_methods *all, size_t k, const request *r, psb_evaluation *e,
                           psb_text *out, psb_error *error) {
    const psb_table_format format = cli_format(r->format);
    psb_voting v = {.relevance = e->relevance, .k = r->k};
    bool listed = all->lists[k] != PSB_LISTS_NONE;
    psb_status status = listed ? psb_voting_lists(&v, all->paths[k], all->lists[k], error)
                               : psb_voting_matrix(&v, &all->matrices[k], all->threads, error);
    for (size_t m = 0; m < e->nmeasures && status == PSB_OK; m++) {
        psb_labels labels;
        status = psb_labels_make(e->cla, e->relevance->targets, m + 1, &labels, error);
        PSB_THEN(status, psb_voting_accuracy(&v, &labels, e, k, m, error));
        psb_labels_free(&labels);
    }
    if (r->confusion) {
        PSB_THEN(status, confuse(&v, e, &format, out, error));
    }
    psb_voting_free(&v);
    return status;
}

static psb_status classify_all(const psb_methods *all, const request *r, psb_text *out,
                               psb_error *error) {
    const psb_table_format format = cli_format(r->format);
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t levels = psb_levels(&all->cla);
    levels = levels < PSB_MAX_CHOSEN ? levels : PSB_MAX_CHOSEN;
    for (size_t m = 0; m < levels; m++) {
        measures[m] = psb_accuracy(m + 1);
    }
    psb_evaluation e = {.cla = &all->cla,
                        .relevance = all->judged ? &all->relevance : NULL,
                        .measures = measures,
                        .nmeasures = levels,
                        .labels = all->labels,
                        .nmethods = all->count,
                        .listed = all->listed,
                        .units = r->units};
    psb_status status = psb_evaluation_open(&e, error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = classify(all, k, r, &e, out, error);
    }
    const psb_measure_table table = {
        .evaluation = &e, .grouping = r->grouping, .errors = r->errors};
    if (!r->confusion) {
        PSB_THEN(status, psb_measure_table_render(&table, &format, out, error));
    }
    psb_evaluation_close(&e);
    return status;
}

static int run(const cli_values *values, void *options) {
    const request *r = options;
    cli_opened opened;
    psb_error error;
    psb_text text = {.data = NULL};
    if (r->methods.qrels != NULL) {
        return cli_usage("classify", "--qrels has no classes");
    }
    int code = cli_open(values, CLI_MATRICES_AND_LISTS, &r->methods, r->threads, &opened);
    if (code == CLI_DONE && r->confusion && opened.methods->count != 1) {
        code = cli_usage("classify", "--confusion is about one file");
    }
    if (code == CLI_DONE && psb_methods_need_queries(opened.methods, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    if (code == CLI_DONE) {
        psb_status status = classify_all(opened.methods, r, &text, &error);
        code = cli_print(status, &text, &error);
    }
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    CLI_WHOLE('k', "neighbors", k, 1, 10000, "1", "K", "how many of the nearest vote"),
    CLI_FLAG(0, "confusion", confusion,
             "the table of classes and what their queries were taken for"),
    CLI_GROUPING_OPTION("micro", "averages, or a row per class or model"),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_FLAG(0, "errors", errors, "the standard error beside each average"),
    CLI_UNITS_OPTION(units),
    CLI_MATRICES_OPTIONS,
    CLI_SETS_OPTIONS,
    CLI_END,
};

const cli_command cmd_classify = {
    .name = "classify",
    .summary = "Classify queries by their nearest targets: accuracy at each level, confusions.",
    .usage = CLI_MATRICES_USAGE " | " CLI_SETS_USAGE,
    .details =
        "Each query gets the class that most of its K nearest targets are of; of classes with as "
        "many, that of the nearest. The accuracy is the share of queries that get their own class, "
        "at every level of the hierarchy: at level 1 all classes below one at the top are one. "
        "With --level N classes below level N are parts of it, also for who takes part. "
        "Queries are those that take part in averages, see 'psbench help eval', as are files, and "
        "the class -1 is a class that queries are wrongly taken for. Where a list is empty there "
        "is no class, which is wrong.\n\n"
        "Examples:\n"
        "  psbench classify psb-run SHD -k 5\n"
        "  psbench classify --queries test.cla --targets train.cla between.npy \\\n"
        "      --confusion -f tsv",
    .options = options,
    .size = sizeof(struct request),
    .most = CLI_ANY_NUMBER,
    .together = CLI_SETS_TOGETHER,
    .run = run,
};
