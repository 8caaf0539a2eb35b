/* psbench classify gives each query the class of its nearest targets: how often is that right? */
#include "cli/commands.h"
#include "cli/matrices.h"

/* What the options say. */
typedef struct request {
    psb_methods_options methods;
    int threads;
    psb_classify_options classify;
    const char *format;
} request;

static int run(const cli_values *values, void *options) {
    const request *r = options;
    cli_opened opened;
    psb_error error;
    psb_table *table = NULL;
    if (r->methods.qrels != NULL) {
        return cli_usage("classify", "--qrels has no classes");
    }
    int code = cli_open(values, PSB_MATRICES_AND_LISTS, &r->methods, r->threads, &opened);
    if (code == CLI_DONE && r->classify.confusion && psb_methods_count(opened.methods) != 1) {
        code = cli_usage("classify", "--confusion is about one file");
    }
    if (code == CLI_DONE) {
        psb_status status = psb_classify(opened.psb, opened.methods, &r->classify, &table, &error);
        code = cli_print_table(values, status, table, r->format, &error);
    }
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    CLI_WHOLE('k', "neighbors", classify.k, 1, 10000, "1", "K", "how many of the nearest vote"),
    CLI_FLAG(0, "confusion", classify.confusion,
             "the table of classes and what their queries were taken for"),
    CLI_GROUPING_OPTION(classify.grouping, "micro", "averages, or a row per class or model"),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_FLAG(0, "errors", classify.errors, "the standard error beside each average"),
    CLI_UNITS_OPTION(classify.units),
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
        "  psbench classify run-psb SHD -k 5\n"
        "  psbench classify --queries test.cla --targets train.cla between.npy \\\n"
        "      --confusion -f tsv",
    .options = options,
    .size = sizeof(struct request),
    .most = CLI_ANY_NUMBER,
    .together = CLI_SETS_TOGETHER,
    .run = run,
};
