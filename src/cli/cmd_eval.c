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
    CLI_FLAG(0, "macro", macro, "as psbTable: average over classes instead of models"),
    CLI_FLAG(0, "class", class, "as psbTable: a line for each class"),
    CLI_FLAG(0, "model", model, "as psbTable: a line for each model"),
    CLI_LIST('m', "measures", evaluate.measures, NULL, cli_measure_list_name, NULL, "LIST",
             "a table of these measures, e.g. dcg,precision@10; 'help' shows all"),
    CLI_GROUPING_OPTION(grouping, NULL, "a table with a row per model or class, or an average"),
    CLI_FORMAT_OPTION(NULL, "a table as"),
    CLI_FLAG(0, "errors", errors, "a table with the standard error beside each average"),
    CLI_UNITS_OPTION(evaluate.units),
    CLI_MATRICES_OPTIONS,
    CLI_SETS_OPTIONS,
    CLI_TEXT(0, "reference", methods.reference, NULL, "RUN2",
             "divide the distances of features by how far both models lie from the features of "
             "that name in that run; or a file of features, or RUN2/NAME"),
    CLI_WORD(0, "absent", evaluate.absent, absences, "out", "WHAT",
             "queries without a list are left out of averages, or count 0 as with trec_eval -c"),
    CLI_PATH(0, "exact", methods.exact, NULL, "FILE",
             "exact lists: recall of theirs, and what every measure loses"),
    CLI_FLAG(0, "check", check,
             "say everything that is wrong with ranked lists; exit code 1 if anything is"),
    CLI_PATH('o', "output", methods.folder, NULL, "DIR",
             "folder where --part leaves what it has counted, and the same command without it "
             "takes that from"),
    CLI_PART_OPTION(part,
                    "I/N: only count part I (from 0) of N of the queries of features, into the "
                    "folder of -o; auto: as in 'psbench help run'"),
    CLI_FLAG(0, "complete", methods.complete,
             "with -o: what no part has counted is an error instead of work"),
    CLI_END,
};

/* Chooses between a table and psbTable's own output, whose options a table does not have. */
static int read_view(const cli_values *values, request *r) {
    const char *view = r->macro ? "macro" : r->class ? "class" : r->model ? "model" : NULL;
    r->table = r->evaluate.measures != NULL || cli_given(values, "per") || r->format != NULL ||
               r->errors || r->methods.query_list != NULL || r->methods.exact != NULL;
    r->evaluate.marked = !r->table;
    if (r->table && view != NULL) {
        return cli_usage("eval", "--%s is psbTable's output; for tables there is --per", view);
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
    if (code == CLI_DONE && o->units == PSB_UNITS_QUERY && !r->errors) {
        code = cli_usage("eval", "--units is about standard errors, which --errors asks for");
    }
    if (code == CLI_DONE && r->methods.folder == NULL && (r->part != NULL || r->methods.complete)) {
        code = cli_usage("eval", "--part and --complete need -o DIR, where parts leave values");
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
    code = cli_open(values, PSB_ALL_SOURCES, &r->methods, r->threads, &opened);
    if (code == CLI_DONE) {
        code = r->check ? check_lists(&opened) : evaluate(&opened, r);
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
    "Queries without a list are named and left out of all averages, or with --absent zero count 0. "
    "Where there are such marks or "
    "queries the exit code is 1.\n\n"
    "The five figures are nearest neighbor, first tier, second tier, E-measure and DCG, "
    "averaged over models unless an option says otherwise. Classes of 2 or fewer models take "
    "no part in averages; models of the class -1 are never queries. With several matrices each "
    "line begins with the file's name.\n\n"
    "From features (--metric) all figures are counted while distances stream by; no matrix is "
    "made, and the result is the matrix's to the bit. Several processes share the queries: each "
    "with -o DIR --part I/N, then the same command without --part, which gives the bits of one "
    "process for any N.\n\n"
    "With --reference these are the figures of methods like P5+co, see 'psbench help run', for any "
    "features: distances are D(a, b) / sqrt(m(a) m(b)), m the mean of a model's 11 % smallest "
    "distances to the models of the reference but itself.\n\n"
    "Any of --measures, --per, --query-list, --errors and --format prints a table instead of "
    "psbTable's lines, and so does a terminal, with percent, where none of psbTable's options is "
    "given. On a terminal tables keep to its width, or that of COLUMNS, and the best of each "
    "column "
    "is bold (not with NO_COLOR). Files and pipes get psbTable's lines, and tables of any "
    "width.\n\n"
    "Models of a class are alike, so that standard errors take whole classes for their units; "
    "--units query takes every query for itself, which gives errors that are too small.\n\n"
    "Measures also go by trec_eval's and ranx's names: map, P_10, recip_rank, hit_rate@1. Two "
    "kinds "
    "of NDCG: dcg and psb_ndcg@K discount by log2(i) as the Princeton benchmark does, "
    "trec_ndcg and trec_ndcg_cut@K by log2(i + 1) as trec_eval's ndcg and ndcg_cut.\n\n"
    "Examples:\n"
    "  psbench eval run-psb                         # psbTable's five figures\n"
    "  psbench eval run-psb SHD GEDT -m dcg,precision@10 --errors\n"
    "  psbench eval test.cla shd.matrix --per class -f tsv\n"
    "  psbench eval test.cla features.npy --metric l1\n"
    "  psbench eval test.cla features.npy --metric l1 --reference training.npy",
    .options = options,
    .single_dash = true,
    .size = sizeof(struct request),
    .most = CLI_ANY_NUMBER,
    .together = CLI_SETS_TOGETHER,
    .apart = "macro class model, part complete",
    .run = run,
};
