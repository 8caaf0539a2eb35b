/* psbench rerank: distances that also look at the other models of the set. */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_command.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/number.h"
#include "eval/rerank.h"
#include "pipeline/derived.h"

#include <stdlib.h>

static bool read_options(const cli_values *values, psb_rerank_options *o) {
    long k1, k2;
    const char *lambda = cli_value(values, "lambda");
    if (!cli_integer(values, "k1", 1, 1000, &k1) || !cli_integer(values, "k2", 1, 1000, &k2) ||
        !cli_threads(values, &o->threads)) {
        return false;
    }
    if (!psb_parse_double(lambda, &o->lambda) || o->lambda < 0 || o->lambda > 1) {
        cli_usage("rerank", "--lambda %s: want a number from 0 to 1", lambda);
        return false;
    }
    o->k1 = (size_t)k1;
    o->k2 = (size_t)k2;
    return true;
}

static psb_status describe(const psb_rerank_options *o, const char *name, psb_text *label,
                           psb_text *formula, psb_error *error) {
    const psb_rerank_options preset = PSB_RERANK_PRESET;
    psb_text_printf(label, "%s+kr", name);
    if (o->k1 != preset.k1 || o->k2 != preset.k2 || o->lambda != preset.lambda) {
        psb_text_printf(label, "-%zu-%zu-%g", o->k1, o->k2, o->lambda);
    }
    psb_text_printf(formula, "k-reciprocal re-ranking of %s: k1 = %zu, k2 = %zu, lambda = %g", name,
                    o->k1, o->k2, o->lambda);
    psb_status status = psb_text_status(label, error);
    return status == PSB_OK ? psb_text_status(formula, error) : status;
}

static psb_status rerank_row(psb_derived *d, const char *name, const psb_rerank_options *o,
                             psb_text *table, psb_error *error) {
    psb_matrix matrix = {0};
    psb_text label = {0}, formula = {0};
    psb_status status = psb_derived_matrix(&d->results, &d->cla, name, &matrix, error);
    size_t n = d->cla.nmodels;
    double start = psb_clock_process(), pairs = 0.5 * (double)n * ((double)n - 1);
    float *out = psb_new(&status, n, n * sizeof *out, "a distance matrix", error);
    PSB_THEN(status, psb_rerank_matrix(&matrix, o, out, error));
    PSB_THEN(status, describe(o, name, &label, &formula, error));
    psb_derived_row row = {.label = label.data,
                           .title = "Re-ranked distances",
                           .formula = formula.data,
                           .source = "Zhong, Zheng, Cao, Li 2017",
                           .metric = "k-reciprocal",
                           .uses = "context",
                           .parts = &name,
                           .nparts = 1,
                           .seconds = pairs > 0 ? (psb_clock_process() - start) / pairs : 0};
    PSB_THEN(status, psb_derived_add(d, &row, out, table, error));
    psb_matrix_close(&matrix);
    psb_text_free(&label);
    psb_text_free(&formula);
    free(out);
    return status;
}

static int run(const cli_values *values) {
    psb_rerank_options o;
    if (!read_options(values, &o)) {
        return CLI_USAGE;
    }
    if (cli_argument_count(values) < 2) {
        return cli_usage("rerank", "needs the folder of a run and names of its rows");
    }
    psb_derived d;
    psb_text table = {0};
    psb_error error;
    psb_status status =
        psb_derived_open(&d, cli_argument(values, 0), cli_command_line(values), o.threads, &error);
    for (int i = 1; i < cli_argument_count(values) && status == PSB_OK; i++) {
        psb_text_free(&table);
        status = rerank_row(&d, cli_argument(values, i), &o, &table, &error);
    }
    int code = cli_print(status, &table, &error);
    psb_derived_close(&d);
    return code;
}

static const cli_option options[] = {
    {0, "k1", "N", "neighbors whose being near each other counts", "10"},
    {0, "k2", "N", "a model and so many less one near it speak together", "3"},
    {0, "lambda", "X", "weight of the neighbors in common, the rest is the distance's", "0.5"},
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_rerank = {
    .name = "rerank",
    .summary = "Add k-reciprocal re-ranked distances to a run, as further rows.",
    .usage = "RUN NAME...",
    .details =
        "Two models are nearer when they are among each other's nearest, and when those agree. The "
        "new row NAME+kr depends on the whole set without its labels, which is called context; so "
        "it stands in the table. Classes much larger than k1 gain less and may lose some nearest "
        "neighbors.\n\n"
        "Examples:\n"
        "  psbench rerank RUN T3\n"
        "  psbench rerank RUN LFD --k1 20 --k2 2",
    .options = options,
    .run = run,
};
