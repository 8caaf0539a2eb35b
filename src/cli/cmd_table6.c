/* psbench table6: the paper's Table 6, the same matrices under four classifications. */
#include "cli/commands.h"
#include "cli/paper_table.h"

static psb_status measure(const psb_matrices *in, const char *folder, const char *psb, int variant,
                          psb_paper_table *out, psb_error *error) {
    (void)folder;
    return psb_table6_measure(in, psb, &psb_table6_handlings[variant], out, error);
}

static int run(const cli_values *values) {
    const char *names[PSB_TABLE6_HANDLINGS + 1] = {NULL};
    int h = PSB_TABLE6_PRESET;
    for (size_t i = 0; i < PSB_TABLE6_HANDLINGS; i++) {
        names[i] = psb_table6_handlings[i].name;
    }
    return cli_choice(values, "miscellaneous", names, &h)
               ? cli_paper_table_run(
                     values, &(cli_paper_table){.name = "table6", .measure = measure, .variant = h})
               : CLI_USAGE;
}

static const cli_option options[] = {
    CLI_PAPER_TABLE_OPTIONS,
    {0, "miscellaneous", "HOW", "models of the class -1: listed, left-out, class or swapped",
     "swapped"},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_table6 = {
    .name = "table6",
    .summary = "Table 6 of the paper: the matrices of a run under four classifications.",
    .usage = "RUN [NAME...] --psb DIR",
    .details =
        "RUN is the folder of a finished 'psbench table4 --psb DIR -o RUN'. Prints "
        "normalized DCG for the base, coarse, coarser and coarsest classification of the "
        "benchmark's folder, measured beside published, and leaves RUN/table6.*. The report of RUN "
        "then has the table, too.\n\n"
        "The coarser classification has 121 models of no type, in the class -1. psbTable "
        "never takes them as queries but leaves them in everybody's list (listed); they may "
        "also be kept out of the lists (left-out), or be a class like any other (class). The "
        "published column fits none of these, but fits if the plants are taken for "
        "the miscellaneous class (swapped), as a program would that is off by one.\n\n"
        "Examples:\n"
        "  psbench table6 psb-run --psb psb_v1\n"
        "  psbench table6 psb-run --psb psb_v1 -f md",
    .options = options,
    .run = run,
};
