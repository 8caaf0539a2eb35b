/* psbench compare: is one matrix better than another, or was it luck? */
#include "cli/commands.h"
#include "cli/matrices.h"

#include <string.h>

/* What the options say. */
typedef struct request {
    psb_evaluate_options evaluate;
    psb_compare_options compare;
    const char *format;
} request;

static int read_request(const cli_values *values, request *r) {
    psb_error error;
    long rounds = 0, seed, classes;
    static const char *const pers[] = {"model", "class", NULL};
    int per = 0;
    *r = (request){.evaluate.measures = cli_value(values, "measure"),
                   .format = cli_value(values, "format")};
    if (psb_check_measures(r->evaluate.measures, &error) != PSB_OK) {
        return cli_fail(values, &error);
    }
    if (!psb_is_paired(r->evaluate.measures)) {
        return cli_usage("compare", "--measure is one measure with a value for each query");
    }
    if ((cli_value(values, "rounds") != NULL &&
         !cli_integer(values, "rounds", 100, 10000000, &rounds)) ||
        !cli_integer(values, "seed", 0, 1000000000, &seed) ||
        !cli_integer(values, "classes", 0, 1000, &classes) ||
        !cli_units(values, &r->evaluate.units) || !cli_choice(values, "per", pers, &per)) {
        return CLI_USAGE;
    }
    r->compare.rounds = (size_t)rounds;
    r->compare.seed = (uint64_t)seed;
    r->compare.classes = (size_t)classes;
    r->compare.per_class = per == 1;
    return psb_check_format(r->format, &error) == PSB_OK ? CLI_DONE : cli_fail(values, &error);
}

static int compare(const cli_opened *opened, const request *r) {
    psb_error error;
    psb_evaluation *e;
    char *text = NULL;
    psb_status status = psb_evaluate(opened->psb, opened->methods, &r->evaluate, &e, &error);
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    status = psb_comparison_text(opened->psb, e, &r->compare, r->format, &text, &error);
    int code = cli_print_text(status, text, &error);
    code = code == CLI_DONE && !psb_evaluation_whole(e) ? CLI_PARTIAL : code;
    psb_evaluation_free(e);
    return code;
}

static int run(const cli_values *values) {
    request r;
    int code = read_request(values, &r);
    if (code != CLI_DONE) {
        return code;
    }
    cli_opened opened;
    code = cli_open(values, CLI_ALL_SOURCES, NULL, &opened);
    if (code == CLI_DONE && psb_methods_count(opened.methods) < 2) {
        if (psb_methods_left_out(opened.methods) > 0) {
            cli_error("a comparison needs two matrices or more, and one is left");
            code = CLI_IO;
        } else {
            code = cli_usage("compare", "needs two matrices or more");
        }
    }
    if (code == CLI_DONE) {
        code = compare(&opened, &r);
    }
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    {'m', "measure", "NAME", "what is compared, see 'psbench eval --measures help'", "dcg"},
    {0, "per", "WHAT", "pairs of model or class scores", "model"},
    CLI_UNITS_OPTION,
    {0, "rounds", "N", "of the test (else: 10000, or 2000 for each pair)", NULL},
    {0, "seed", "N", "of its random numbers", "1"},
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
    "Every pair of methods is compared on the same queries: the mean difference with a 95 % "
    "interval, and a paired randomisation test whose p is corrected for the number "
    "of pairs after Holm. Models of one class are alike, so that their scores are not "
    "independent: the test flips the signs of whole classes, and the interval takes whole "
    "classes for its units. --units query takes every query for itself, whose p is too small; "
    "--per class "
    "compares class means.\n\n"
    "Examples:\n"
    "  psbench compare psb-run SHD GEDT\n"
    "  psbench compare psb-run -m nearest_neighbor -f md\n"
    "  psbench compare test.cla shd.matrix mine.npy",
    .options = options,
    .run = run,
};
