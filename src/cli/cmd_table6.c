/* psbench table6 makes the paper's Table 6: the same matrices under four classifications. */
#include "cli/commands.h"
#include "cli/paper_table.h"

typedef struct request {
    cli_paper_request common;
} request;

/* Ways to treat models of no type, as psb_make_paper_table knows them. */
static const cli_word handlings[] = {{"listed", 0, NULL},
                                     {"left-out", 0, NULL},
                                     {"class", 0, NULL},
                                     {"swapped", 0, NULL},
                                     {NULL, 0, NULL}};

static int run(const cli_values *values, void *given) {
    return cli_paper_table_run(values, &((request *)given)->common, 6);
}

static const cli_option options[] = {
    CLI_PAPER_TABLE_OPTIONS,
    CLI_NAME(0, "miscellaneous", common.table.miscellaneous, handlings, NULL, "swapped", "HOW",
             "models of the class -1"),
    CLI_END,
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
        "  psbench table6 run-psb --psb psb_v1\n"
        "  psbench table6 run-psb --psb psb_v1 -f md",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .of_run = true,
    .arguments = "the folder of a finished run",
    .needs = "psb",
    .run = run,
};
