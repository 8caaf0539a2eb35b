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
        return cli_usage("classify", "--qrels has no classes: name CLASSES instead");
    }
    int code = cli_open(values, PSB_MATRICES_AND_LISTS, &r->methods, &opened);
    if (code == CLI_DONE && r->classify.confusion && psb_methods_count(opened.methods) != 1) {
        code = cli_usage("classify", "--confusion shows one method, not %zu: name one, as RUN SHD",
                         psb_methods_count(opened.methods));
    }
    if (code == CLI_DONE) {
        psb_status status = psb_classify(opened.psb, opened.methods, &r->classify, &table, &error);
        code = cli_print_table(values, status, table, r->format, &error);
    }
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    CLI_WHOLE('k', "neighbors", classify.k, 1, 10000, "1", "K",
              "number of nearest targets that vote"),
    CLI_FLAG(0, "confusion", classify.confusion,
             "most frequent confusions; with -f tsv or json the matrix: rows are true classes, "
             "columns assigned classes"),
    CLI_GROUPING_OPTION(classify.grouping, "micro", "averages, or one row per class or model"),
    CLI_FORMAT_OPTION("txt", "table format"),
    CLI_FLAG(0, "errors", classify.errors, "add standard errors"),
    CLI_UNITS_OPTION(classify.units),
    CLI_MATRICES_OPTIONS,
    CLI_SETS_OPTIONS,
    CLI_END,
};

const cli_command cmd_classify = {
    .name = "classify",
    .summary = "Classify queries by nearest neighbors: accuracy, confusions.",
    .usage = CLI_MATRICES_USAGE " | " CLI_SETS_USAGE,
    .details = "Each query is assigned the majority class of its K nearest targets (ties: the "
               "nearest). Accuracy is the share of correct queries, at each level of the "
               "hierarchy. 'psbench help eval' describes the arguments and which models are "
               "queries. A query classified as -1, or with an empty list, counts as an error.\n\n"
               "Examples:\n"
               "  psbench classify run-psb SHD -k 5\n"
               "  psbench classify --queries test.cla --targets train.cla between.npy \\\n"
               "      --confusion -f tsv",
    .most = CLI_ANY_NUMBER,
    .together = CLI_SETS_TOGETHER,
    CLI_REQUEST,
};
