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
    cli_stages stages = {0};
    psb_context *psb;
    psb_table *table;
    psb_error error;
    bool lists = r->o.lists != NULL;
    if (!lists && (r->o.output != NULL || cli_given(values, "mean"))) {
        return cli_usage("rerank", "-o and --mean are for --lists: methods are added to RUN");
    }
    r->o.run = cli_argument(values, 0);
    r->o.classes = lists && cli_argument_count(values) == 1 ? r->o.run : NULL;
    r->o.methods = cli_arguments(values) + 1;
    r->o.nmethods = (size_t)cli_argument_count(values) - 1;
    r->o.command_line = cli_command_line(values);
    int code = cli_context(r->threads, &stages, &psb);
    if (code == CLI_DONE) {
        psb_status status = psb_rerank(psb, &r->o, &table, &error);
        code = cli_print_table(values, status, table, NULL, &error);
        psb_context_free(psb);
    }
    return code;
}

static const cli_word methods[] = {
    {"kr", PSB_KR, "k-reciprocal"},
    {"mr", PSB_MR, "manifold ranking, which --k1, --k2 and --lambda are not for"},
    {"both", PSB_KR_MR, "their sum"},
    {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_WORD(0, "method", o.method, methods, "kr", "HOW", "how distances are changed"),
    CLI_WHOLE(0, "k1", o.k1, 1, PSB_RERANK_K_MOST, "10", "N",
              "neighbors whose being near each other counts"),
    CLI_WHOLE(0, "k2", o.k2, 1, PSB_RERANK_K_MOST, "3", "N",
              "a model and so many less one near it speak together"),
    CLI_REAL(0, "lambda", o.lambda, 0, 1, "0.5", "N",
             "weight of the distance, the rest is that of the neighbors in common"),
    CLI_PATH(0, "lists", o.lists, NULL, "LISTS",
             "re-rank these lists of 'psbench search', and make no matrix"),
    CLI_PATH('o', "output", o.output, NULL, "LISTS", "where re-ranked lists go"),
    CLI_REAL(0, "mean", o.mean, DBL_MIN, DBL_MAX, NULL, "N",
             "mean distance of two models; else that of the distances in the lists"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_rerank = {
    .name = "rerank",
    .summary = "Add re-ranked distances to a run, as further methods.",
    .usage = "RUN METHOD... | CLA --lists LISTS -o LISTS [--mean N]",
    .details =
        "k-reciprocal (Zhong, Zheng, Cao, Li 2017): two models are nearer when they are among each "
        "other's nearest, and when those agree; as in the paper the result is 1 - lambda of that "
        "and "
        "lambda of the distance. Manifold ranking (Zhou and others 2004): two models are nearer "
        "when "
        "many short steps from neighbor to neighbor lead from one to the other. Both: the sum, "
        "each "
        "over its mean.\n\n"
        "The new method, NAME+kr, NAME+mr or NAME+kr+mr, depends on the whole set without its "
        "labels, "
        "which is called context; so it stands in the table. 'psbench run -d NAME+kr' makes it "
        "with "
        "the run. Classes much larger than k1 gain less and may lose some nearest neighbors.\n\n"
        "A METHOD that is not the run's, [LABEL=]WHAT[:METRIC] as 'psbench help eval' has it, "
        "becomes "
        "one: its distances are written into the run's folder, beside those that are made of "
        "it.\n\n"
        "Of a set that is too large for a matrix, lists of the nearest are re-ranked, as 'psbench "
        "search' makes them of one file: a list for each model of CLA, all of one length. From "
        "whole lists come the matrix's figures; in shorter ones a pair takes no part whose "
        "distance "
        "is in neither list, and without --mean their distances are taken for all.\n\n"
        "Examples:\n"
        "  psbench rerank run-psb SHD\n"
        "  psbench rerank test.cla --lists near.tsv -o better.tsv\n"
        "  psbench rerank run-psb LFD --k1 20 --k2 2\n"
        "  psbench rerank run-psb LFD --method both",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .arguments = "the folder of a run and names of its methods",
    .run = run,
};
