/* psbench table6: the paper's Table 6, the same matrices under four classifications. */
#include "cli/commands.h"
#include "cli/paper_table.h"

#include <string.h>

static psb_status measure(const psb_matrices *in, const char *folder, const char *psb, int variant,
                          psb_paper_table *out, psb_error *error) {
    (void)folder;
    return psb_table6_measure(in, psb, &psb_table6_handlings[variant], out, error);
}

typedef struct request {
    cli_paper_options common;
    const char *miscellaneous;
} request;

static const char *handling(size_t index) {
    return index < PSB_TABLE6_HANDLINGS ? psb_table6_handlings[index].name : NULL;
}

static int run(const cli_values *values, void *given) {
    const request *r = given;
    int h = 0;
    while (strcmp(psb_table6_handlings[h].name, r->miscellaneous) != 0) {
        h++;
    }
    return cli_paper_table_run(
        values, &r->common, &(cli_paper_table){.name = "table6", .measure = measure, .variant = h});
}

static const cli_option options[] = {
    CLI_PAPER_TABLE_OPTIONS,
    CLI_NAME(0, "miscellaneous", miscellaneous, NULL, handling, "swapped", "HOW",
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
        "  psbench table6 psb-run --psb psb_v1\n"
        "  psbench table6 psb-run --psb psb_v1 -f md",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .of_run = true,
    .arguments = "the folder of a finished run",
    .needs = "psb",
    .run = run,
};
