/* psbench combine adds sums of a run's distances to the run, as further methods. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    psb_combine_options o;
    int threads;
} request;

static int run(const cli_values *values, void *options) {
    request *r = options;
    cli_stages stages = {0};
    psb_context *psb;
    psb_table *table;
    psb_error error;
    r->o.run = cli_argument(values, 0);
    r->o.recipes = cli_arguments(values) + 1;
    r->o.nrecipes = (size_t)cli_argument_count(values) - 1;
    r->o.command_line = cli_command_line(values);
    int code = cli_context(r->threads, &stages, &psb);
    if (code == CLI_DONE) {
        psb_status status = psb_combine(psb, &r->o, &table, &error);
        code = cli_print_table(values, status, table, NULL, &error);
        psb_context_free(psb);
    }
    return code;
}

static const cli_word scales[] = {
    {"mean", PSB_SUM_MEANS, "divide each method of --sum by its mean distance"}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_TEXT(0, "sum", o.sum, NULL, "LIST",
             "A=1,B=2: methods, of the run or any others, and their weights"),
    CLI_WORD(0, "scale", o.scale, scales, NULL, "HOW", "of the methods"),
    CLI_PATH(0, "tune", o.tune, NULL, "RUN",
             "a run over other models, which gives weights and scales"),
    CLI_TEXT(0, "name", o.name, "SUM", "NAME", "what the method of --sum is called"),
    CLI_TEXT(0, "reference", o.reference, NULL, "RUN2",
             "a finished run whose models are the cohort of methods like P5+co"),
    CLI_FLAG(0, "features", o.features,
             "RUN/features/T3.npy, rows for the metric sum, instead of a matrix"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_combine = {
    .name = "combine",
    .summary = "Add sums of a run's distances to it, as further methods.",
    .usage = "RUN [--features] RECIPE... | RUN --reference RUN2 NAME+co... | RUN --sum A=1,B=2 "
             "[--scale mean] [--tune TRAIN] [--name "
             "NAME]",
    .details =
        "A recipe is a sum whose members and scales were chosen on the benchmark's training set "
        "and are frozen: t3 (silhouettes, volume, normals), t4 (and depth buffers), t4n (the same, "
        "every aligned member as the least over two frames); p2 (VIEWS and SPIN), p4 (VIEWS and "
        "T4n), p5 (VIEWS with both codes, T4n, SPIN); l6 (VIEWS, F256L, T4n, SPIN), which is "
        "learned: "
        "'psbench signature' makes F256L, and not of the models whose labels it knows. The run has "
        "to have the members among "
        "its methods; where one lacks, the message names it. 'psbench run -d T3' makes members and "
        "sum at once.\n\n"
        "The new method is one like any other in 'psbench eval', 'compare' and 'report', and in "
        "the "
        "run's table, which says which methods use nothing but a pair of models and which use the "
        "context, the other models of the set. With --scale mean alone the scales are this set's "
        "own means: context. With --tune they, and the weights, are those with the best DCG of "
        "another run, none of whose models may be among these.\n\n"
        "NAME+co, of a recipe, a descriptor or a signature of the run, is NAME normalised by the "
        "models of --reference, as in 'psbench help run'; the run has to have NAME.\n\n"
        "A method in --sum that is not the run's, [LABEL=]WHAT[:METRIC] as 'psbench help eval' has "
        "it, becomes one: its distances are written into the run's folder, beside their sum.\n\n"
        "With --features no matrix is read or made, however many models there are: the members' "
        "features are put side by side into RUN/features/T3.npy, whose rows the metric sum "
        "compares "
        "in 'psbench eval', 'search' and 'distance', with the bits that the matrix would have.\n\n"
        "Examples:\n"
        "  psbench combine beyond/test t3 t4\n"
        "  psbench combine beyond/test t3 --features\n"
        "  psbench eval beyond/test/models.cla beyond/test/features/T3.npy --metric sum\n"
        "  psbench combine beyond/test E256+co --reference beyond/train\n"
        "  psbench combine run-psb --sum LFD=1,GEDT=1 --scale mean --name LG\n"
        "  psbench combine run-psb --sum LFD=1,mine.npy:cosine=1 --scale mean --name mixed\n"
        "  psbench combine run-psb --sum LFD=1,GEDT=1 --scale mean --tune train-run \\\n"
        "      --name tuned",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .of_run = true,
    .arguments = "the folder of a run, and recipes or --sum",
    .run = run,
};
