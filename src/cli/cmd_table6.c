/* psbench table6: the paper's Table 6, the same matrices under four classifications. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/paper_table.h"
#include "core/error.h"
#include "core/memory.h"
#include "library/methods.h"
#include "pipeline/paper_tables.h"
#include "report/published.h"

#include <stdlib.h>
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

static size_t find_handling(const char *name) {
    size_t h = 0;
    while (h < HANDLINGS && strcmp(handlings[h].name, name) != 0) {
        h++;
    }
    return h;
}

static int make(const psb_methods *all, const char *run_folder, const char *psb, size_t handling,
                const psb_table_format *format) {
    static const char *const headings[PSB_TABLE6_COLUMNS] = {"base", "coarse", "coarser",
                                                             "coarsest"};
    size_t queries[PSB_TABLE6_COLUMNS];
    psb_dcg_column columns[PSB_TABLE6_COLUMNS];
    psb_error error;
    void *dcg;
    psb_status status =
        psb_alloc(&dcg, all->count, sizeof(double[PSB_TABLE6_COLUMNS]), "Table 6", &error);
    if (status == PSB_OK) {
        psb_matrices in = {&all->cla, all->matrices, all->count, all->threads};
        status = psb_table6_measure(&in, psb, handlings[handling].handling, dcg, queries, &error);
    }
    int code = status == PSB_OK ? CLI_DONE : cli_report(&error);
    if (code == CLI_DONE) {
        for (size_t j = 0; j < PSB_TABLE6_COLUMNS; j++) {
            columns[j] = (psb_dcg_column){psb_table6_names[j], headings[j], queries[j]};
        }
        psb_dcg_table table = {.title = "Table 6: classifications of different granularity",
                               .note = handlings[handling].note,
                               .published = &psb_published_table6,
                               .columns = columns,
                               .ncolumns = PSB_TABLE6_COLUMNS,
                               .labels = all->labels,
                               .nrows = all->count,
                               .dcg = dcg};
        code = cli_paper_table_write(&table, run_folder, "table6", format);
    }
    free(dcg);
    return code;
}

static int run(const cli_values *values) {
    const char *psb;
    const psb_table_format *format;
    int code = cli_paper_table_options(values, "table6", &psb, &format);
    if (code != CLI_DONE) {
        return code;
    }
    size_t handling = find_handling(cli_value(values, "miscellaneous"));
    if (handling == HANDLINGS) {
        return cli_usage("table6",
                         "--miscellaneous is listed, left-out, class or swapped, not '%s'",
                         cli_value(values, "miscellaneous"));
    }
    cli_opened opened;
    code = cli_open_run(values, &opened);
    if (code == CLI_DONE) {
        code = make(opened.methods, cli_argument(values, 0), psb, handling, format);
    }
    if (code == CLI_DONE) {
        code = cli_paper_table_enter(values, "table6", NULL, 0);
    }
    return cli_close(&opened, code);
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
        "the miscellaneous class (swapped), as a program would that is off by one.",
    .options = options,
    .run = run,
};
