/* psbench combine adds sums of a run's distances to the run, as further methods. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    psb_combine_options o;
    int threads;
} request;

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_table *table;
    psb_error error;
    r->o.run = cli_argument(values, 0);
    r->o.recipes = cli_arguments(values) + 1;
    r->o.nrecipes = (size_t)cli_argument_count(values) - 1;
    r->o.command_line = cli_command_line(values);
    psb_status status = psb_combine(cli_psb(values), &r->o, &table, &error);
    return cli_print_table(values, status, table, NULL, &error);
}

static const cli_word scales[] = {{"mean", PSB_SUM_MEANS, "divide it by its mean distance"},
                                  {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_TEXT(0, "sum", o.sum, NULL, "LIST", "methods and weights: A=1,B=2"),
    CLI_WORD(0, "scale", o.scale, scales, NULL, "HOW", "scale of each method"),
    CLI_PATH(0, "tune", o.tune, NULL, "RUN", "run of other models that sets weights and scales"),
    CLI_TEXT(0, "name", o.name, "SUM", "NAME", "name of the new method of --sum"),
    CLI_TEXT(0, "reference", o.reference, NULL, "RUN2",
             "finished run whose models are the cohort of P5+co"),
    CLI_FLAG(0, "features", o.features, "write RUN/features/T3.npy instead of a matrix"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_combine = {
    .name = "combine",
    .summary = "Add weighted sums of methods to a run.",
    .usage = "RUN [--features] RECIPE... | RUN --reference RUN2 NAME+co... | RUN --sum A=1,B=2 "
             "[--scale mean] [--tune TRAIN] [--name NAME]",
    .details =
        "Recipes are sums whose members and scales were chosen on the benchmark's training set: t3 "
        "(silhouettes, volume, normals), t4 (and depth buffers), t4n (t4, aligned members as the "
        "lesser of two frames), p2 (VIEWS, SPIN), p4 (VIEWS, T4n), p5 (VIEWS with both codes, T4n, "
        "SPIN), l6 (VIEWS, F256L, T4n, SPIN; learned, F256L by 'psbench signature'). RUN must "
        "contain the members; if one is missing, the error names it. 'psbench run -d T3' makes "
        "members and sum.\n\n--sum adds any methods, [LABEL=]WHAT[:METRIC] as in 'psbench help "
        "eval'. --scale mean divides each by its mean distance over this set (the table then says: "
        "context); with --tune scales and weights come from another run that shares no model with "
        "this one.\n\nNAME+co is NAME normalized by the models of --reference ('psbench help "
        "run'). --features writes the members' features side by side to RUN/features/T3.npy for "
        "the metric sum instead of making a matrix; distances are the same.\n\n"
        "Examples:\n"
        "  psbench combine beyond/test t3 t4\n"
        "  psbench combine beyond/test t3 --features\n"
        "  psbench eval beyond/test/models.cla beyond/test/features/T3.npy --metric sum\n"
        "  psbench combine beyond/test E256+co --reference beyond/train\n"
        "  psbench combine run-psb --sum LFD=1,GEDT=1 --scale mean --name LG\n"
        "  psbench combine run-psb --sum LFD=1,features.npy:cosine=1 --name mixed\n"
        "  psbench combine run-psb --sum LFD=1,GEDT=1 --scale mean --tune train-run \\\n"
        "      --name tuned",
    CLI_ARGUMENTS(1, CLI_ANY_NUMBER, "the folder of a run, and recipes or --sum"),
    .of_run = true,
    CLI_REQUEST,
};
