/*
 * psbench eval prints retrieval statistics of distance matrices, in the words of psbTable or, if an
 * option asks for more than psbTable has, as a table of any measures.
 */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/scale.h"

#include <stdio.h>
#include <string.h>

/* What the options say. */
typedef struct request {
    psb_methods_options methods;
    int threads;
    psb_evaluate_options evaluate;
    bool macro, class, model; /* the views of psbTable */
    bool table, errors, check;
    psb_grouping grouping;
    const char *format, *part;
} request;

static const cli_word absences[] = {
    {"out", PSB_ABSENT_OUT, NULL}, {"zero", PSB_ABSENT_ZERO, NULL}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_LIST('m', "measures", evaluate.measures, NULL, cli_measure_list_name, NULL, "LIST",
             "measures, e.g. dcg,precision@10 ('help': all names)"),
    CLI_GROUPING_OPTION(grouping, NULL, "averages or rows"),
    CLI_FLAG(0, "macro", macro, "as --per, in psbTable's format"),
    CLI_FLAG(0, "class", class, "as --per, in psbTable's format"),
    CLI_FLAG(0, "model", model, "as --per, in psbTable's format"),
    CLI_FORMAT_OPTION(NULL, "table format"),
    CLI_FLAG(0, "errors", errors, "add standard errors to the table"),
    CLI_UNITS_OPTION(evaluate.units),
    CLI_MATRICES_OPTIONS,
    CLI_SETS_OPTIONS,
    CLI_TEXT(0, "reference", methods.reference, NULL, "RUN2",
             "normalize as NAME+co does ('psbench help run')"),
    CLI_WORD(0, "absent", evaluate.absent, absences, "out", "WHAT", "queries without a list"),
    CLI_PATH(0, "exact", methods.exact, NULL, "FILE",
             "exact lists: print recall and the loss of each measure"),
    CLI_FLAG(0, "check", check, "list all errors in ranked lists; exit code 1 if any"),
    CLI_PATH('o', "output", methods.folder, NULL, "DIR", "folder for the results of --part"),
    CLI_PART_OPTION(part, "with -o: as in 'psbench help run'"),
    CLI_FLAG(0, "complete", methods.complete, "with -o: as in 'psbench help run'"),
    CLI_END,
};

/* Chooses between a table and psbTable's own output, whose options a table does not have. */
static int read_view(const cli_values *values, request *r) {
    const char *view = r->macro ? "macro" : r->class ? "class" : r->model ? "model" : NULL;
    r->table = r->evaluate.measures != NULL || cli_given(values, "per") || r->format != NULL ||
               r->errors || r->methods.query_list != NULL || r->methods.exact != NULL;
    r->evaluate.marked = !r->table;
    if (r->table && view != NULL) {
        return cli_usage("eval", "--%s is psbTable's output: for a table give --per", view);
    }
    /* People at a terminal see headings and percent, pipes what psbTable writes. */
    r->table = r->table || (view == NULL && cli_terminal_columns() > 0);
    if (!cli_given(values, "per")) {
        r->grouping = r->macro   ? PSB_MACRO
                      : r->class ? PSB_PER_CLASS
                      : r->model ? PSB_PER_MODEL
                                 : PSB_MICRO;
    }
    return CLI_DONE;
}

static int read_request(const cli_values *values, request *r) {
    psb_error error;
    psb_evaluate_options *o = &r->evaluate;
    if (o->measures != NULL && psb_check_measures(o->measures, &error) != PSB_OK) {
        return cli_fail(values, &error);
    }
    int code = read_view(values, r);
    if (code == CLI_DONE && cli_given(values, "units") && !r->errors) {
        code = cli_usage("eval", "--units is about standard errors: add --errors");
    }
    if (code == CLI_DONE && r->methods.folder == NULL && (r->part != NULL || r->methods.complete)) {
        code = cli_usage("eval", "--part and --complete need -o DIR, where parts leave values");
    }
    if (code == CLI_DONE && r->methods.folder != NULL && r->part == NULL &&
        !cli_is_there(r->methods.folder)) {
        code = cli_usage("eval", "-o %s: no folder of parts' results; for a table: eval ... > FILE",
                         r->methods.folder);
    }
    o->measures = o->measures == NULL && r->methods.exact != NULL ? "all" : o->measures;
    o->unknown = r->methods.exact != NULL;
    return code == CLI_DONE ? cli_part("eval", r->part, &r->methods.part, &r->methods.parts) : code;
}

static int evaluate(const cli_opened *opened, const request *r) {
    psb_error error;
    psb_evaluation *e;
    char *text = NULL, shown[CLI_SHOWN_FORMAT];
    const char *format = cli_shown_format(r->format, shown);
    psb_status status = psb_evaluate(opened->psb, opened->methods, &r->evaluate, &e, &error);
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    if (e == NULL) {
        return CLI_DONE; /* only a part was counted */
    }
    status = r->methods.exact != NULL
                 ? psb_loss_table(e, r->grouping, r->errors, format, &text, &error)
             : r->table ? psb_evaluation_table(e, r->grouping, r->errors, format, &text, &error)
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

static int run(const cli_values *values, void *given) {
    request *r = given;
    if (r->evaluate.measures != NULL && strcmp(r->evaluate.measures, "help") == 0) {
        psb_error error;
        char *text;
        psb_status status = psb_measures_text(&text, &error);
        return cli_print_text(status, text, &error);
    }
    int code = read_request(values, r);
    if (code != CLI_DONE) {
        return code;
    }
    cli_opened opened;
    code = cli_open(values, PSB_ALL_SOURCES, &r->methods, &opened);
    if (code == CLI_DONE) {
        code = r->check ? check_lists(&opened) : evaluate(&opened, r);
    }
    return cli_close(&opened, code);
}

const cli_command cmd_eval = {
    .name = "eval",
    .summary = "Print retrieval statistics, as psbTable or as tables.",
    .usage = CLI_MATRICES_USAGE " | " CLI_SETS_USAGE,
    .details = CLI_MATRICES_HELP
    "\n\nBy default prints nearest neighbor, tiers, E-measure and DCG, averaged over models as in "
    "psbTable; classes of 2 or fewer models and the class -1 are not queries (docs/evaluation.md). "
    "Prints a table on a terminal and with -m, --per, --query-list, --errors, --exact or -f. '-' "
    "marks measures that need longer ranked lists; queries without a list are named and left out, "
    "with exit code 1.\n\n"
    "Examples:\n"
    "  psbench eval run-psb                         # psbTable's five figures\n"
    "  psbench eval run-psb SHD GEDT -m dcg,precision@10 --errors\n"
    "  psbench eval test.cla features.npy --metric l1 --reference training.npy",
    .single_dash = true,
    .most = CLI_ANY_NUMBER,
    .together = CLI_SETS_TOGETHER,
    .apart = "macro class model, part complete",
    CLI_REQUEST,
};
