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
             "treatment of the class -1"),
    CLI_END,
};

const cli_command cmd_table6 = {
    .name = "table6",
    .summary = "Regenerate Table 6: results under four classifications.",
    .usage = "RUN [NAME...] --psb DIR",
    .details =
        "RUN is the folder of a finished 'psbench table4 --psb DIR -o RUN'. Prints normalized DCG "
        "under the base, coarse, coarser and coarsest classification. Writes RUN/table6.*; the "
        "report of RUN then shows the table, too.\n\nIn the coarser classification, 121 "
        "miscellaneous models are in the class -1. listed: not queries, but in all ranked lists, "
        "as in psbTable; left-out: not in the lists either; class: an ordinary class; swapped: an "
        "ordinary class, but the plants, the class before it, are not queries, as by an off-by-one "
        "error. swapped is closest to the published column.\n\n"
        "Examples:\n"
        "  psbench table6 run-psb --psb psb_v1\n"
        "  psbench table6 run-psb --psb psb_v1 -f md",
    CLI_ARGUMENTS(1, CLI_ANY_NUMBER, "the folder of a finished run"),
    .of_run = true,
    .needs = "psb",
    CLI_REQUEST,
};
