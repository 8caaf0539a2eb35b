/* What table5 and table6 share: a finished run, the benchmark's folder, the output. */
#ifndef PSB_CLI_PAPER_TABLE_H
#define PSB_CLI_PAPER_TABLE_H

#include "cli/matrices.h"
#include "pipeline/paper_tables.h"
#include "report/dcg_table.h"

#define CLI_PAPER_TABLE_OPTIONS                                                                    \
    {0, "psb", "DIR", "the benchmark's folder, with db/ and classification/", NULL},               \
        {'f', "format", "NAME", "what is printed: txt, tsv, json, md or tex", "txt"},              \
        CLI_WHOLE_OPTION, {                                                                        \
        't', "threads", "N", "threads (0: one per processor)", "0"                                 \
    }

/* A table of normalized DCG, see psb_dcg_table, and where its numbers come from. */
typedef struct cli_paper_table {
    const char *name; /* of the command, and of the files: "table5" */
    const char *title, *note;
    const psb_published *published;
    size_t ncolumns;
    const char *const *columns, *const *headings; /* as published; for people */
    /*
     * Mean DCG of each matrix and column, and the queries of each column, as psb_table5_measure;
     * `folder` is the run's.
     */
    psb_status (*measure)(const psb_matrices *in, const char *folder, const char *psb, int variant,
                          double *dcg, size_t *queries, psb_error *error);
    int variant;
    const char *const *lists; /* RUN/lists/NAME.txt that it leaves */
    size_t nlists;
} cli_paper_table;

/*
 * Measures, writes RUN/NAME.txt and so on, prints the format that was asked for, and enters the
 * files; the exit code.
 */
int cli_paper_table_run(const cli_values *values, const cli_paper_table *table);

#endif
