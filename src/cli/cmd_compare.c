/* psbench compare says whether one method is better than another, or whether that was luck. */
#include "cli/commands.h"
#include "cli/matrices.h"

/* What the options say. */
typedef struct request {
    psb_methods_options methods;
    int threads;
    psb_evaluate_options evaluate;
    psb_compare_options compare;
    int per_class;
    const char *format;
} request;

static int check_measure(const cli_values *values, const char *measure) {
    psb_error error;
    if (psb_check_measures(measure, &error) != PSB_OK) {
        return cli_fail(values, &error);
    }
    return psb_is_paired(measure)
               ? CLI_DONE
               : cli_usage("compare", "--measure %s: want one with a value for each query, as dcg",
                           measure);
}

static int compare(const cli_opened *opened, const request *r) {
    psb_error error;
    psb_evaluation *e;
    char *text = NULL, shown[CLI_SHOWN_FORMAT];
    psb_status status = psb_evaluate(opened->psb, opened->methods, &r->evaluate, &e, &error);
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    status = psb_comparison_text(opened->psb, e, &r->compare, cli_shown_format(r->format, shown),
                                 &text, &error);
    int code = cli_print_text(status, text, &error);
    code = code == CLI_DONE && !psb_evaluation_whole(e) ? CLI_PARTIAL : code;
    psb_evaluation_free(e);
    return code;
}

static int run(const cli_values *values, void *options) {
    request *r = options;
    r->compare.per_class = r->per_class;
    int code = check_measure(values, r->evaluate.measures);
    if (code != CLI_DONE) {
        return code;
    }
    cli_opened opened;
    code = cli_open(values, PSB_ALL_SOURCES, &r->methods, &opened);
    if (code == CLI_DONE && psb_methods_count(opened.methods) < 2) {
        if (psb_methods_left_out(opened.methods) > 0) {
            cli_error("a comparison needs two matrices or more, and one is left: repeat the run's "
                      "command");
            code = CLI_IO;
        } else {
            code = cli_usage("compare",
                             "needs two methods or more; RUN alone compares all of its methods");
        }
    }
    if (code == CLI_DONE) {
        code = compare(&opened, r);
    }
    return cli_close(&opened, code);
}

static const cli_word pers[] = {{"model", false, NULL}, {"class", true, NULL}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_LIST('m', "measure", evaluate.measures, NULL, cli_measure_name, "dcg", "NAME",
             "measure to compare; see 'psbench eval -m help'"),
    CLI_WORD(0, "per", per_class, pers, "model", "WHAT", "unit of comparison"),
    CLI_UNITS_OPTION(evaluate.units),
    CLI_WHOLE(0, "rounds", compare.rounds, 100, 10000000, NULL, "N",
              "rounds of the test (else: the larger of 10000 and 2000 per pair)"),
    CLI_WHOLE(0, "seed", compare.seed, 0, 1000000000, "1", "N", "random seed of the test"),
    CLI_WHOLE(0, "classes", compare.classes, 0, 1000, "5", "N",
              "number of classes with the largest differences to show"),
    CLI_FORMAT_OPTION("txt", "table format"),
    CLI_MATRICES_OPTIONS,
    CLI_SETS_OPTIONS,
    CLI_END,
};

const cli_command cmd_compare = {
    .name = "compare",
    .summary = "Test whether differences between methods are significant.",
    .usage = CLI_MATRICES_USAGE " | " CLI_SETS_USAGE,
    .details = CLI_MATRICES_SHORT
    "\n\nEvery pair of methods is compared on the same queries: mean difference, 95 % interval, "
    "and p of a paired randomization test, Holm-corrected for the number of pairs. Scores within a "
    "class are correlated, so the test and the interval are clustered by class; --units query "
    "ignores that, and its p is too small. --per class compares class means.\n\n"
    "Examples:\n"
    "  psbench compare run-psb SHD GEDT\n"
    "  psbench compare run-psb -m nearest_neighbor -f md\n"
    "  psbench compare test.cla shd.matrix mine.npy",
    .most = CLI_ANY_NUMBER,
    .together = CLI_SETS_TOGETHER,
    CLI_REQUEST,
};
