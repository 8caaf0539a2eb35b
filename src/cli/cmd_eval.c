/*
 * psbench eval: retrieval statistics of distance matrices, in the words of psbTable or, where an
 * option asks for more than psbTable has, as a table of any measures.
 */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/scale.h"

#include <stdio.h>
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

/* The views of psbTable. */
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

/* What the options say. */
typedef struct request {
    psb_evaluate_options evaluate;
    bool table, errors;
    psb_grouping grouping;
    const char *format;
    psb_methods_options methods; /* exact lists and parts */
} request;

static bool wants_table(const cli_values *values) {
    return cli_value(values, "measures") != NULL || cli_value(values, "per") != NULL ||
           cli_value(values, "format") != NULL || cli_flag(values, "errors") ||
           cli_value(values, "query-list") != NULL || cli_value(values, "exact") != NULL;
}

static int read_table_request(const cli_values *values, request *r) {
    psb_error error;
    if (views[chosen_view(values)].option != NULL) {
        return cli_usage("eval", "--%s is psbTable's output; for tables there is --per",
                         views[chosen_view(values)].option);
    }
    if (!cli_grouping(values, &r->grouping)) {
        return CLI_USAGE;
    }
    return psb_check_format(r->format, &error) == PSB_OK ? CLI_DONE : cli_fail(values, &error);
}

static int read_part(const cli_values *values, psb_methods_options *o) {
    int code = cli_part_option(values, "eval", &o->part, &o->parts);
    if (code == CLI_DONE && o->folder == NULL && (o->parts > 0 || o->complete)) {
        code = cli_usage("eval", "--part and --complete need -o DIR, where parts leave values");
    } else if (code == CLI_DONE && o->parts > 0 && o->complete) {
        code = cli_usage("eval", "--part and --complete exclude each other");
    }
    return code;
}

static int read_request(const cli_values *values, request *r) {
    psb_error error;
    const char *measures = cli_value(values, "measures");
    size_t view = chosen_view(values);
    *r = (request){.table = wants_table(values),
                   .errors = cli_flag(values, "errors"),
                   .format = cli_value(values, "format"),
                   .methods = {.exact = cli_value(values, "exact"),
                               .folder = cli_value(values, "output"),
                               .complete = cli_flag(values, "complete")}};
    if (view == VIEWS || !cli_units(values, &r->evaluate.units)) {
        return CLI_USAGE;
    }
    r->evaluate.measures = measures == NULL && r->methods.exact != NULL ? "all" : measures;
    r->evaluate.unknown = r->methods.exact != NULL;
    r->evaluate.marked = !r->table;
    if (measures != NULL && psb_check_measures(measures, &error) != PSB_OK) {
        return cli_fail(values, &error);
    }
    if (r->evaluate.units == PSB_UNITS_QUERY && !r->errors) {
        return cli_usage("eval", "--units is about standard errors, which --errors asks for");
    }
    r->grouping = views[view].grouping;
    int code = read_part(values, &r->methods);
    if (code != CLI_DONE) {
        return code;
    }
    return r->table ? read_table_request(values, r) : CLI_DONE;
}

static int evaluate(const cli_opened *opened, const request *r) {
    psb_error error;
    psb_evaluation *e;
    char *text = NULL;
    psb_status status = psb_evaluate(opened->psb, opened->methods, &r->evaluate, &e, &error);
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    if (e == NULL) {
        return CLI_DONE; /* a part */
    }
    status = r->methods.exact != NULL
                 ? psb_loss_table(e, r->grouping, r->errors, r->format, &text, &error)
             : r->table ? psb_evaluation_table(e, r->grouping, r->errors, r->format, &text, &error)
                        : psb_evaluation_text(e, r->grouping, &text, &error);
    int code = cli_print_text(status, text, &error);
    code = code == CLI_DONE && !psb_evaluation_whole(e) ? CLI_PARTIAL : code;
    psb_evaluation_free(e);
    return code;
}

static void print_line(void *context, const char *text) {
    (void)context;
    cli_print_plain(text);
    putchar('\n');
}

static int check_lists(const cli_opened *opened) {
    psb_error error;
    size_t faults;
    psb_status status = psb_check_lists(opened->methods, print_line, NULL, &faults, &error);
    return status != PSB_OK ? cli_report(&error) : faults > 0 ? CLI_PARTIAL : CLI_DONE;
}

static int run(const cli_values *values) {
    const char *measures = cli_value(values, "measures");
    if (measures != NULL && strcmp(measures, "help") == 0) {
        psb_error error;
        char *text;
        psb_status status = psb_measures_text(&text, &error);
        return cli_print_text(status, text, &error);
    }
    request r;
    int code = read_request(values, &r);
    if (code != CLI_DONE) {
        return code;
    }
    cli_opened opened;
    code = cli_open(values, CLI_ALL_SOURCES, &r.methods, &opened);
    if (code == CLI_DONE) {
        code = cli_flag(values, "check") ? check_lists(&opened) : evaluate(&opened, &r);
    }
    return cli_close(&opened, code);
}

const cli_command cmd_eval = {
    .name = "eval",
    .summary = "Print the retrieval statistics of distance matrices, as psbTable does or more.",
    .usage = CLI_MATRICES_USAGE " | " CLI_SETS_USAGE,
    .details = CLI_MATRICES_HELP
    "\n\n"
    "With --queries and --targets all arguments are files: matrices with a row for each query and "
    "a column for each target (.npy or text), lists, or with --metric features as A.npy,B.npy. "
    "Relevant are the targets of the class of the same full name, or what --qrels says. With "
    "--level N, for one set or two, classes below level N of the hierarchy are parts of the class "
    "there: relevant is what agrees in the first N levels, and averages are over these classes.\n\n"
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
    "trec_ndcg and trec_ndcg_cut@K by log2(i + 1) as trec_eval's ndcg and ndcg_cut.\n\n"
    "Examples:\n"
    "  psbench eval psb-run                         # psbTable's five figures\n"
    "  psbench eval psb-run SHD GEDT -m dcg,precision@10 --errors\n"
    "  psbench eval test.cla shd.matrix --per class -f tsv\n"
    "  psbench eval test.cla features.npy --metric l1",
    .options = options,
    .single_dash = true,
    .run = run,
};
