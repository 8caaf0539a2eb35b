/* psbench compare: is one matrix better than another, or was it luck? */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/evaluate.h"
#include "report/comparison.h"

#include <string.h>

/* What the options say. */
typedef struct request {
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    psb_grouping grouping;
    psb_units units;
    const psb_table_format *format;
    psb_test test;
    size_t classes;
} request;

static int read_request(const cli_values *values, request *r) {
    psb_error error;
    size_t count;
    if (psb_measures_parse(cli_value(values, "measure"), r->measures, &count, &error) != PSB_OK) {
        return cli_usage("compare", "%s", error.message);
    }
    if (count != 1 || r->measures[0].measure.over_set) {
        return cli_usage("compare", "--measure is one measure with a value for each query");
    }
    long rounds, seed, classes;
    if (!cli_integer(values, "rounds", 100, 10000000, &rounds) ||
        !cli_integer(values, "seed", 0, 1000000000, &seed) ||
        !cli_integer(values, "classes", 0, 1000, &classes) ||
        !cli_units(values, "compare", &r->units)) {
        return CLI_USAGE;
    }
    r->test = (psb_test){.rounds = (size_t)rounds, .seed = (uint64_t)seed};
    r->classes = (size_t)classes;
    const char *per = cli_value(values, "per"), *format = cli_value(values, "format");
    if (strcmp(per, "model") != 0 && strcmp(per, "class") != 0) {
        return cli_usage("compare", "--per is model or class, not '%s'", per);
    }
    r->grouping = strcmp(per, "class") == 0 ? PSB_MACRO : PSB_MICRO;
    r->format = cli_format("compare", format);
    return r->format != NULL ? CLI_DONE : CLI_USAGE;
}

static int show_rounds(size_t done, size_t total, void *context) {
    cli_progress_update(context, done, total, 0);
    return cli_interrupted();
}

static int compare(const psb_evaluation *e, request *r, int threads) {
    psb_error error;
    psb_text text = {.data = NULL};
    cli_progress progress;
    cli_progress_start(&progress, "comparison", 0);
    r->test.threads = threads;
    r->test.progress = show_rounds;
    r->test.context = &progress;
    psb_comparison_table table = {e, r->grouping, &r->test, r->classes};
    psb_status status = psb_comparison_render(&table, r->format, &text, &error);
    return cli_print(status, &text, &error);
}

static int run(const cli_values *values) {
    request r;
    int code = read_request(values, &r);
    if (code != CLI_DONE) {
        return code;
    }
    cli_matrices all;
    psb_error error;
    psb_evaluation e = {.measures = r.measures, .nmeasures = 1, .units = r.units};
    code = cli_matrices_open_streamed(values, "compare", &all);
    if (code == CLI_DONE && all.count < 2 && all.left_out > 0) {
        cli_error("a comparison needs two matrices or more, and one is left");
        code = CLI_IO;
    } else if (code == CLI_DONE && all.count < 2) {
        code = cli_usage("compare", "needs two matrices or more");
    }
    if (code == CLI_DONE && cli_matrices_need_queries(&all, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    if (code == CLI_DONE) {
        code = cli_evaluate(&all, false, &e);
    }
    if (code == CLI_DONE || code == CLI_PARTIAL) {
        int printed = compare(&e, &r, all.threads);
        code = printed != CLI_DONE ? printed : code;
    }
    psb_evaluation_close(&e);
    return cli_matrices_close(&all, code);
}

static const cli_option options[] = {
    {'m', "measure", "NAME", "what is compared, see 'psbench eval --measures help'", "dcg"},
    {0, "per", "WHAT", "pairs of model or class scores", "model"},
    CLI_UNITS_OPTION,
    {0, "rounds", "N", "of the test and of the bootstrap", "10000"},
    {0, "seed", "N", "of their random numbers", "1"},
    {0, "classes", "N", "classes that gain and lose most against the first matrix", "5"},
    {'f', "format", "NAME", "txt, tsv, json, md or tex", "txt"},
    CLI_MATRICES_OPTIONS,
    CLI_SETS_OPTIONS,
    CLI_MEMORY_OPTION,
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_compare = {
    .name = "compare",
    .summary = "Tell whether differences between matrices are more than luck.",
    .usage = CLI_MATRICES_USAGE " | " CLI_SETS_USAGE,
    .details = CLI_MATRICES_HELP
    "\n\n"
    "Every pair of matrices is compared on the same queries: the mean difference with a "
    "bootstrap interval, and a paired randomisation test whose p is corrected for the number "
    "of pairs after Holm. Models of one class are alike, so that their scores are not "
    "independent: the test flips the signs of whole classes and the bootstrap draws whole "
    "classes. --units query takes every query for itself, whose p is too small; --per class "
    "compares class means.",
    .options = options,
    .run = run,
};
