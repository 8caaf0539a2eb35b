/* psbench table6: the paper's Table 6, the same matrices under four classifications. */
#include "cli/commands.h"
#include "cli/paper_table.h"
#include "core/memory.h"
#include "library/methods.h"
#include "pipeline/paper_tables.h"
#include "report/published.h"

#include <string.h>

/* How the 121 models of the coarser classification that are of no type take part. */
static const struct {
    const char *name;
    psb_miscellaneous handling;
    const char *note;
} handlings[] = {
    {"listed", PSB_MISC_LISTED,
     "Miscellaneous models are never queries but stay in the lists, as in psbTable."},
    {"left-out", PSB_MISC_LEFT_OUT, "Miscellaneous models are neither queries nor in the lists."},
    {"class", PSB_MISC_CLASS, "Miscellaneous models are a class like any other."},
    {"swapped", PSB_MISC_SWAPPED,
     "Coarser: the miscellaneous models are a class like any other and the plants, which stand in "
     "front of them in the file, are never queries. Nothing says that the paper did this; it is "
     "the handling that comes closest to its figures (see --miscellaneous)."},
};
enum { HANDLINGS = sizeof handlings / sizeof handlings[0] };

static psb_status measure(const psb_matrices *in, const char *folder, const char *psb, int variant,
                          double *dcg, size_t *queries, psb_error *error) {
    (void)folder;
    return psb_table6_measure(in, psb, handlings[variant].handling, dcg, queries, error);
}

static int run(const cli_values *values) {
    static const char *const headings[PSB_TABLE6_COLUMNS] = {"base", "coarse", "coarser",
                                                             "coarsest"};
    const char *name = cli_value(values, "miscellaneous");
    int h = 0;
    while (h < HANDLINGS && strcmp(handlings[h].name, name) != 0) {
        h++;
    }
    if (h == HANDLINGS) {
        return cli_usage("table6",
                         "--miscellaneous is listed, left-out, class or swapped, not '%s'", name);
    }
    return cli_paper_table_run(
        values, &(cli_paper_table){.name = "table6",
                                   .title = "Table 6: classifications of different granularity",
                                   .note = handlings[h].note,
                                   .published = &psb_published_table6,
                                   .ncolumns = PSB_TABLE6_COLUMNS,
                                   .columns = psb_table6_names,
                                   .headings = headings,
                                   .measure = measure,
                                   .variant = h});
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
        "benchmark's folder, measured beside published, and leaves RUN/table6.*.\n\n"
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
