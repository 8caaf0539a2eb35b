/* psbench rerank adds distances to a run that also depend on the other models of the set. */
#include "cli/commands.h"
#include "cli/context.h"

#include <float.h>

typedef struct request {
    psb_rerank_options o;
    int threads;
} request;

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_table *table;
    psb_error error;
    bool lists = r->o.lists != NULL;
    if (!lists && (r->o.output != NULL || cli_given(values, "mean"))) {
        return cli_usage("rerank", "leave out -o and --mean, which are for --lists");
    }
    r->o.run = cli_argument(values, 0);
    r->o.classes = lists && cli_argument_count(values) == 1 ? r->o.run : NULL;
    r->o.methods = cli_arguments(values) + 1;
    r->o.nmethods = (size_t)cli_argument_count(values) - 1;
    r->o.command_line = cli_command_line(values);
    psb_status status = psb_rerank(cli_psb(values), &r->o, &table, &error);
    return cli_print_table(values, status, table, NULL, &error);
}

static const cli_word methods[] = {
    {"kr", PSB_KR, "k-reciprocal"},
    {"mr", PSB_MR, "manifold ranking (ignores --k1, --k2, --lambda)"},
    {"both", PSB_KR_MR, "their sum"},
    {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_WORD(0, "method", o.method, methods, "kr", "HOW", "re-ranking method"),
    CLI_WHOLE(0, "k1", o.k1, 1, PSB_RERANK_K_MOST, "10", "N",
              "size of the k-reciprocal neighborhood"),
    CLI_WHOLE(0, "k2", o.k2, 1, PSB_RERANK_K_MOST, "3", "N",
              "local query expansion: average over the k2 nearest, the model included"),
    CLI_REAL(0, "lambda", o.lambda, 0, 1, "0.5", "N", "weight of the original distance"),
    CLI_PATH(0, "lists", o.lists, NULL, "LISTS",
             "re-rank lists of 'psbench search', without a matrix"),
    CLI_PATH('o', "output", o.output, NULL, "LISTS", "file for the re-ranked lists"),
    CLI_REAL(0, "mean", o.mean, DBL_MIN, DBL_MAX, NULL, "N",
             "mean distance between models (else: within the lists)"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_rerank = {
    .name = "rerank",
    .summary = "Add re-ranked methods to a run.",
    .usage = "RUN METHOD... | CLA --lists LISTS -o LISTS [--mean N]",
    .details =
        "kr: k-reciprocal re-ranking (Zhong, Zheng, Cao, Li 2017): models are close if they are "
        "among each other's nearest neighbors. mr: manifold ranking (Zhou et al. 2004): models are "
        "close if short steps between neighbors connect them. both: the sum of the two, each "
        "divided by its mean.\n\nThe new method, NAME+kr, NAME+mr or NAME+kr+mr, depends on the "
        "other models of the set but not on their classes (tables mark it: context). 'psbench run "
        "-d NAME+kr' computes it within a run. Classes much larger than k1 gain less.\n\nFor a set "
        "too large for a matrix, search its features against themselves ('psbench search') and "
        "re-rank these lists: one per model of CLA, all of one length.\n\n"
        "Examples:\n"
        "  psbench rerank run-psb SHD\n"
        "  psbench rerank test.cla --lists near.tsv -o better.tsv\n"
        "  psbench rerank run-psb LFD --k1 20 --k2 2\n"
        "  psbench rerank run-psb LFD --method both",
    CLI_ARGUMENTS(1, CLI_ANY_NUMBER, "the folder of a run and names of its methods"),
    CLI_REQUEST,
};
