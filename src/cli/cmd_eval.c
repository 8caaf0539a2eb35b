/*
 * psbench eval: retrieval statistics of distance matrices, in the words of psbTable or, where an
 * option asks for more than psbTable has, as a table of any measures.
 */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/evaluate.h"
#include "cli/scale.h"
#include "core/error.h"
#include "core/memory.h"
#include "eval/index_loss.h"
#include "report/measure_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {0, "macro", NULL, "as psbTable: average over classes instead of models", NULL},
    {0, "class", NULL, "as psbTable: a line for each class", NULL},
    {0, "model", NULL, "as psbTable: a line for each model", NULL},
    {'m', "measures", "LIST", "a table of these measures, e.g. dcg,precision@10; 'help' shows all",
     NULL},
    {0, "per", "WHAT", "a table with a row per model or class, or a micro or macro average", NULL},
    {'f', "format", "NAME", "a table as txt, tsv, json, md or tex", NULL},
    {0, "errors", NULL, "a table with the standard error beside each average", NULL},
    CLI_UNITS_OPTION,
    CLI_MATRICES_OPTIONS,
    CLI_SETS_OPTIONS,
    {0, "exact", "FILE", "exact lists: recall of theirs, and what every measure loses", NULL},
    {0, "check", NULL, "say everything that is wrong with ranked lists; exit code 1 if anything is",
     NULL},
    CLI_MEMORY_OPTION,
    {'o', "output", "DIR",
     "folder where --part leaves what it has counted, and the same command without it takes that "
     "from",
     NULL},
    {0, "part", "WHAT",
     "I/N: only count part I (from 0) of N of the queries of features, into the folder of -o; "
     "auto: as in 'psbench help run'",
     NULL},
    {0, "complete", NULL, "with -o: what no part has counted is an error instead of work", NULL},
    {0, NULL, NULL, NULL, NULL},
};

/* ---- psbTable's own output -------------------------------------------------------------- */

static const struct {
    const char *option; /* NULL for the view without option */
    psb_grouping grouping;
} views[] = {
    {"macro", PSB_MACRO},
    {"class", PSB_PER_CLASS},
    {"model", PSB_PER_MODEL},
    {NULL, PSB_MICRO},
};
enum { VIEWS = sizeof views / sizeof views[0] };

/* The view's index, VIEWS after the usage error was printed. */
static size_t chosen_view(const cli_values *values) {
    size_t chosen = VIEWS - 1;
    for (size_t v = 0; v + 1 < VIEWS; v++) {
        if (!cli_flag(values, views[v].option)) {
            continue;
        }
        if (views[chosen].option != NULL) {
            cli_usage("eval", "--%s and --%s exclude each other", views[chosen].option,
                      views[v].option);
            return VIEWS;
        }
        chosen = v;
    }
    return chosen;
}

/* Several matrices are told apart by a name in front, in the manner of psbTable's README. */
static void print_name(const char *name) {
    if (name != NULL) {
        psb_text plain = {.data = NULL};
        psb_text_add_plain(&plain, name);
        printf("%-30s ", plain.failed ? "?" : plain.data);
        psb_text_free(&plain);
    }
}

/* The columns of psbTable, to the character; "-" where lists are too short for a figure. */
static void print_figure(size_t f, double figure) {
    char end = f + 1 < PSB_FIGURES ? ' ' : '\n';
    if (isnan(figure)) {
        printf("%12s%c", "-", end);
    } else {
        printf("%12.3f%c", figure, end);
    }
}

static void print_groups(const psb_evaluation *e, size_t k, psb_grouping grouping,
                         const char *name) {
    for (psb_group group = psb_groups(grouping); psb_group_next(e, &group);) {
        print_name(name);
        if (grouping == PSB_PER_CLASS) {
            printf("%-50s ", e->cla->classes[group.which].full_name);
        }
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            print_figure(f, psb_evaluation_mean(e, k, f, group).value);
        }
    }
}

/* Every query, also of classes that are too small for averages. */
static size_t print_models(const psb_evaluation *e, size_t k, const char *name) {
    const double *values = psb_evaluation_values(e, k);
    size_t lines = 0;
    for (size_t i = 0; i < e->cla->nmodels; i++) {
        const psb_class *class = &e->cla->classes[e->cla->class_of[i]];
        if (!class->miscellaneous) {
            print_name(name);
            printf("%-50s %s ", class->full_name, e->cla->models[i]);
            for (size_t f = 0; f < PSB_FIGURES; f++) {
                print_figure(f, values[i * e->nmeasures + f]);
            }
            lines++;
        }
    }
    return lines;
}

/* Names the figures that are marked; whether there are any. */
static bool warn_of_marked(const psb_evaluation *e, size_t k, const char *path) {
    psb_text names = {.data = NULL};
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_mean mean = psb_evaluation_mean(e, k, f, (psb_group){PSB_MICRO, 0});
        if (mean.queries > 0 && isnan(mean.value)) {
            psb_text_printf(&names, "%s%s", names.length > 0 ? ", " : "", e->measures[f].name);
        }
    }
    bool any = names.length > 0;
    if (any) {
        cli_warn("%s: the lists end too early for %s, marked '-'", path, names.data);
    }
    psb_text_free(&names);
    return any;
}

static int print_as_psbtable(const cli_matrices *all, const psb_evaluation *e,
                             psb_grouping grouping) {
    size_t lines = grouping != PSB_PER_MODEL ? all->queries : 0;
    int code = CLI_DONE;
    for (size_t k = 0; k < all->count; k++) {
        const char *name = all->count > 1 ? all->paths[k] : NULL;
        code = warn_of_marked(e, k, all->paths[k]) ? CLI_PARTIAL : code;
        if (grouping == PSB_PER_MODEL) {
            lines += print_models(e, k, name);
        } else {
            print_groups(e, k, grouping, name);
        }
    }
    psb_error error;
    if (lines > 0) {
        return code;
    }
    cli_matrices_need_queries(all, &error);
    return cli_report(&error);
}

/* ---- tables ----------------------------------------------------------------------------- */

/* What the options say. */
typedef struct request {
    bool table;
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t nmeasures;
    psb_grouping grouping;
    psb_units units;
    const psb_table_format *format;
    bool errors;
    const char *exact;
} request;

static bool wants_table(const cli_values *values) {
    return cli_value(values, "measures") != NULL || cli_value(values, "per") != NULL ||
           cli_value(values, "format") != NULL || cli_flag(values, "errors") ||
           cli_value(values, "query-list") != NULL || cli_value(values, "exact") != NULL;
}

static int read_table_request(const cli_values *values, request *r) {
    const char *per = cli_value(values, "per"), *format = cli_value(values, "format");
    if (views[chosen_view(values)].option != NULL) {
        return cli_usage("eval", "--%s is psbTable's output; for tables there is --per",
                         views[chosen_view(values)].option);
    }
    if (per != NULL && !cli_grouping(per, &r->grouping)) {
        return cli_usage("eval", "--per is micro, macro, class or model, not '%s'", per);
    }
    r->format = cli_format("eval", format != NULL ? format : "txt");
    r->errors = cli_flag(values, "errors");
    return r->format != NULL ? CLI_DONE : CLI_USAGE;
}

static int read_request(const cli_values *values, request *r) {
    psb_error error;
    const char *measures = cli_value(values, "measures");
    r->exact = cli_value(values, "exact");
    size_t view = chosen_view(values);
    if (view == VIEWS || !cli_units(values, "eval", &r->units)) {
        return CLI_USAGE;
    }
    if (psb_measures_parse(measures != NULL   ? measures
                           : r->exact != NULL ? "all"
                                              : "table4",
                           r->measures, &r->nmeasures, &error) != PSB_OK) {
        return cli_usage("eval", "%s", error.message);
    }
    if (r->units == PSB_UNITS_QUERY && !cli_flag(values, "errors")) {
        return cli_usage("eval", "--units is about standard errors, which --errors asks for");
    }
    r->grouping = views[view].grouping;
    r->table = wants_table(values);
    return r->table ? read_table_request(values, r) : CLI_DONE;
}

static int print_table(const psb_evaluation *e, const request *r) {
    psb_error error;
    psb_text text = {.data = NULL};
    psb_measure_table table = {e, r->grouping, r->errors};
    psb_status status = psb_measure_table_render(&table, r->format, &text, &error);
    return cli_print(status, &text, &error);
}

/* Lists against the exact ones, which are the first. */
static psb_status render_loss(const cli_matrices *all, const psb_evaluation *e, const request *r,
                              psb_text *text, psb_error *error) {
    psb_index_loss loss = {.evaluation = {.nmethods = 0}};
    psb_status status = PSB_OK;
    psb_voting *lists = psb_new_zero(&status, all->count, sizeof *lists, "lists", error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        lists[k] = (psb_voting){.relevance = e->relevance, .k = PSB_INDEX_LONGEST};
        status = all->lists[k] != PSB_LISTS_NONE
                     ? psb_voting_lists(&lists[k], all->paths[k], all->lists[k], error)
                     : psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                                   "--exact compares ranked lists, which this is not");
    }
    PSB_THEN(status, psb_index_loss_open(e, lists, &loss, error));
    psb_measure_table table = {&loss.evaluation, r->grouping, r->errors};
    PSB_THEN(status, psb_measure_table_render(&table, r->format, text, error));
    psb_index_loss_close(&loss);
    for (size_t k = 0; k < all->count && lists != NULL; k++) {
        psb_voting_free(&lists[k]);
    }
    free(lists);
    return status;
}

static int print_loss(const cli_matrices *all, const psb_evaluation *e, const request *r) {
    psb_text text = {.data = NULL};
    psb_error error;
    psb_status status = render_loss(all, e, r, &text, &error);
    return cli_print(status, &text, &error);
}

static int show_measures(void) {
    for (size_t i = 0; i < psb_measure_count(); i++) {
        const psb_measure *m = psb_measure_at(i);
        printf("%s%s\n    %s: %s\n    %s\n", m->name, m->at_length ? "@K" : "", m->title, m->help,
               m->source);
    }
    return CLI_DONE;
}

static int read_parts(const cli_values *values, cli_matrices *all) {
    psb_query_parts *parts = &all->parts;
    parts->folder = cli_value(values, "output");
    parts->complete = cli_flag(values, "complete");
    int code = cli_part_option(values, "eval", &parts->part.index, &parts->part.count);
    bool part = parts->part.count > 0;
    if (code == CLI_DONE && parts->folder == NULL && (part || parts->complete)) {
        code = cli_usage("eval", "--part and --complete need -o DIR, where parts leave values");
    } else if (code == CLI_DONE && part && parts->complete) {
        code = cli_usage("eval", "--part and --complete exclude each other");
    }
    for (size_t k = 0; k < all->count && code == CLI_DONE && parts->folder != NULL; k++) {
        if (all->features[k].npy.rows == 0) {
            code = cli_usage("eval", "-o DIR is for features (--metric), and %s is none",
                             all->paths[k]);
        }
    }
    return code;
}

static int run(const cli_values *values) {
    const char *measures = cli_value(values, "measures");
    if (measures != NULL && strcmp(measures, "help") == 0) {
        return show_measures();
    }
    request r;
    int code = read_request(values, &r);
    if (code != CLI_DONE) {
        return code;
    }
    cli_matrices all;
    psb_evaluation e = {.measures = r.measures, .nmeasures = r.nmeasures, .units = r.units};
    code = r.exact != NULL ? cli_matrices_open_exact(values, "eval", r.exact, &all)
                           : cli_matrices_open_streamed(values, "eval", &all);
    code = code == CLI_DONE ? read_parts(values, &all) : code;
    if (code == CLI_DONE && cli_flag(values, "check")) {
        return cli_matrices_close(&all, cli_check_lists(&all));
    }
    if (code == CLI_DONE) {
        code = cli_evaluate(&all, !r.table || r.exact != NULL, &e);
    }
    if ((code == CLI_DONE || code == CLI_PARTIAL) && all.parts.part.count == 0) {
        int printed = r.exact != NULL ? print_loss(&all, &e, &r)
                      : r.table       ? print_table(&e, &r)
                                      : print_as_psbtable(&all, &e, r.grouping);
        code = printed != CLI_DONE ? printed : code;
    }
    psb_evaluation_close(&e);
    return cli_matrices_close(&all, code);
}

const cli_command cmd_eval = {
    .name = "eval",
    .summary = "Print the retrieval statistics of distance matrices, as psbTable does or more.",
    .usage = CLI_MATRICES_USAGE " | " CLI_SETS_USAGE,
    .details = CLI_MATRICES_HELP
    "\n\n"
    "With --queries and --targets all arguments are files: matrices with a row for each query and "
    "a column for each target (.npy or text), lists, or with --metric features as A.npy,B.npy. "
    "Relevant are the targets of the class of the same full name, or what --qrels says.\n\n"
    "A MATRIX may also be ranked lists: those of 'psbench search', a TREC run, a folder with a "
    "file "
    "for each query; what is not in lists of others was not found. Of lists that 'psbench search' "
    "wrote a measure that "
    "looks further down than they go is an error; among the five figures it is marked with '-'. "
    "Queries without a list are named and left out of all averages. Where there are such marks or "
    "queries the exit code is 1.\n\n"
    "The five figures are nearest neighbor, first tier, second tier, E-measure and DCG, "
    "averaged over models unless an option says otherwise. Classes of 2 or fewer models take "
    "no part in averages; models of the class -1 are never queries. With several matrices each "
    "line begins with the file's name.\n\n"
    "From features (--metric) all figures are counted while distances stream by; no matrix is "
    "made, and the result is the matrix's to the bit. Several processes share the queries: each "
    "with -o DIR --part I/N, then the same command without --part, which gives the bits of one "
    "process for any N.\n\n"
    "Any of --measures, --per, --query-list, --errors and --format prints a table instead of "
    "psbTable's lines.\n\n"
    "Models of a class are alike, so that standard errors take whole classes for their units; "
    "--units query takes every query for itself, which gives errors that are too small.\n\n"
    "Two kinds of NDCG: dcg and ndcg@K discount by log2(i) as the Princeton benchmark does, "
    "trec_ndcg and trec_ndcg_cut@K by log2(i + 1) as trec_eval's ndcg and ndcg_cut.",
    .options = options,
    .single_dash = true,
    .run = run,
};
