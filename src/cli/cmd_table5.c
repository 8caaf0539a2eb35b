/* psbench table5 makes the paper's Table 5: averages over lists of queries. */
#include "cli/commands.h"
#include "cli/paper_table.h"

typedef struct request {
    cli_paper_request common;
} request;

static int run(const cli_values *values, void *given) {
    return cli_paper_table_run(values, &((request *)given)->common, 5);
}

static const cli_option options[] = {
    CLI_PAPER_TABLE_OPTIONS,
    CLI_END,
};

const cli_command cmd_table5 = {
    .name = "table5",
    .summary = "Regenerate Table 5: results for subsets of the queries.",
    .usage = "RUN [NAME...] --psb DIR",
    .details =
        "RUN is the folder of a finished 'psbench table4 --psb DIR -o RUN'. Prints normalized DCG "
        "over all models, the six object types of the coarser classification, the 200 most "
        "stick-like and the 200 most complex models. Writes RUN/table5.* and RUN/lists/*.txt (for "
        "'psbench eval --query-list'); the report of RUN then shows the table, too.\n\n"
        "Examples:\n"
        "  psbench table5 run-psb --psb psb_v1\n"
        "  psbench table5 run-psb --psb psb_v1 -f tex",
    CLI_ARGUMENTS(1, CLI_ANY_NUMBER, "the folder of a finished run"),
    .of_run = true,
    .needs = "psb",
    CLI_REQUEST,
};
