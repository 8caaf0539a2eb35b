/* psbench rerank: distances that also look at the other models of the set. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_job.h"
#include "core/error.h"
#include "stream/rerank_file.h"

#include <float.h>

typedef struct request {
    psb_rerank_options o;
    const char *lists, *output;
    double mean;
} request;

/* CLA --lists LISTS -o LISTS */
static int run_lists(const cli_values *values, const request *r) {
    if (cli_argument_count(values) != 1 || r->output == NULL) {
        return cli_usage("rerank", "--lists needs the classification of its models, and -o LISTS");
    }
    psb_classification cla = {0};
    psb_error error;
    psb_status status = psb_results_read_cla(cli_argument(values, 0), &cla, &error);
    PSB_THEN(status, psb_rerank_file(r->lists, &cla, r->mean, &r->o, r->output, &error));
    psb_cla_free(&cla);
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

/* RUN NAME... */
static int run_methods(const cli_values *values, const psb_rerank_options *o) {
    cli_parts parts = {.nmethods = 0};
    psb_text table = {0};
    psb_error error;
    psb_status status = cli_parts_open(values, o->threads, cli_arguments(values) + 1,
                                       (size_t)cli_argument_count(values) - 1, &parts, &error);
    for (size_t k = 0; status == PSB_OK && k < parts.all->count; k++) {
        status = psb_run_method_reranked(parts.names[k], o, &parts.methods[parts.nmethods], &error);
        parts.nmethods += parts.methods[parts.nmethods] != NULL;
    }
    PSB_THEN(status,
             cli_derive(values, o->threads, NULL, parts.methods, parts.nmethods, &table, &error));
    cli_parts_close(&parts);
    return cli_print(status, &table, &error);
}

static int run(const cli_values *values, void *options) {
    const request *r = options;
    if (r->lists != NULL) {
        return run_lists(values, r);
    }
    if (r->output != NULL || cli_given(values, "mean")) {
        return cli_usage("rerank", "-o and --mean are for --lists: rows are added to RUN");
    }
    return cli_argument_count(values) < 2
               ? cli_usage("rerank", "needs the folder of a run and names of its rows")
               : run_methods(values, &r->o);
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
    CLI_PATH(0, "lists", lists, NULL, "LISTS",
             "re-rank these lists of 'psbench search', and make no matrix"),
    CLI_PATH('o', "output", output, NULL, "LISTS", "where re-ranked lists go"),
    CLI_REAL(0, "mean", mean, DBL_MIN, DBL_MAX, NULL, "N",
             "mean distance of two models; else that of the distances in the lists"),
    CLI_THREADS(o.threads),
    CLI_END,
};

const cli_command cmd_rerank = {
    .name = "rerank",
    .summary = "Add re-ranked distances to a run, as further rows.",
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
        "The new row, NAME+kr, NAME+mr or NAME+kr+mr, depends on the whole set without its labels, "
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
    .arguments = "the folder of a run and names of its rows",
    .run = run,
};
