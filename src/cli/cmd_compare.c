/* psbench compare: is one matrix better than another, or was it luck? */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_command.h"
#include "core/memory.h"
#include "report/comparison.h"

#include <stdlib.h>
#include <string.h>

/* What the options say. */
typedef struct request {
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    psb_grouping grouping;
    const psb_table_format *format;
    psb_comparison_options options;
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
        !cli_integer(values, "classes", 0, 1000, &classes)) {
        return CLI_USAGE;
    }
    r->options.rounds = (size_t)rounds;
    r->options.seed = (uint64_t)seed;
    r->options.classes = (size_t)classes;
    const char *per = cli_value(values, "per"), *format = cli_value(values, "format");
    if (strcmp(per, "model") != 0 && strcmp(per, "class") != 0) {
        return cli_usage("compare", "--per is model or class, not '%s'", per);
    }
    r->grouping = strcmp(per, "class") == 0 ? PSB_MACRO : PSB_MICRO;
    r->format = psb_table_format_find(format);
    return r->format != NULL ? CLI_DONE : cli_usage("compare", "there is no format '%s'", format);
}

static psb_status compare(const cli_matrices *all, const request *r, psb_text *text,
                          psb_error *error) {
    void *memory;
    psb_status status = psb_alloc_zero(&memory, all->count, sizeof(psb_method), "methods", error);
    psb_method *methods = memory;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        double *values;
        status = cli_matrices_measure(all, r->measures, 1, k, &values, error);
        methods[k] = (psb_method){all->labels[k], values};
    }
    if (status == PSB_OK) {
        psb_evaluation evaluation = {&all->cla, all->selected, r->grouping, r->measures,
                                     1,         methods,       all->count,  false};
        status = psb_comparison_render(&evaluation, &r->options, r->format, text, error);
    }
    for (size_t k = 0; methods != NULL && k < all->count; k++) {
        free((void *)(uintptr_t)methods[k].values);
    }
    free(methods);
    return status;
}

static int run(const cli_values *values) {
    request r;
    int code = read_request(values, &r);
    if (code != CLI_DONE) {
        return code;
    }
    cli_matrices all;
    psb_error error;
    psb_text text = {.data = NULL};
    code = cli_matrices_open_streamed(values, "compare", &all);
    if (code == CLI_DONE && all.count < 2) {
        code = cli_usage("compare", "needs two matrices or more");
    }
    if (code == CLI_DONE) {
        r.options.threads = all.threads;
        psb_status status = cli_matrices_need_queries(values, &all, &error);
        if (status == PSB_OK) {
            status = compare(&all, &r, &text, &error);
        }
        code = cli_print(status, &text, &error);
    }
    cli_matrices_close(&all);
    return code;
}

static const cli_option options[] = {
    {'m', "measure", "NAME", "what is compared, see 'psbench eval --measures help'", "dcg"},
    {0, "per", "WHAT", "pairs of model or class scores", "model"},
    {0, "rounds", "N", "of the test and of the bootstrap", "10000"},
    {0, "seed", "N", "of their random numbers", "1"},
    {0, "classes", "N", "classes that gain and lose most against the first matrix", "5"},
    {'f', "format", "NAME", "txt, tsv, json, md or tex", "txt"},
    CLI_MATRICES_OPTIONS,
    CLI_MEMORY_OPTION,
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_compare = {
    .name = "compare",
    .summary = "Tell whether differences between matrices are more than luck.",
    .usage = CLI_MATRICES_USAGE,
    .details = CLI_MATRICES_HELP
    "\n\n"
    "Every pair of matrices is compared on the same queries: the mean difference with a "
    "bootstrap interval, and a paired randomisation test whose p is corrected for the number "
    "of pairs after Holm. Models of one class are alike, so that their scores are not quite "
    "independent: --per class pairs class means instead, which is the stricter test.",
    .options = options,
    .run = run,
};
