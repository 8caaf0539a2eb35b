/* What table5 and table6 share: a finished run, the benchmark's folder, the output. */
#ifndef PSB_CLI_PAPER_TABLE_H
#define PSB_CLI_PAPER_TABLE_H

#include "cli/matrices.h"
#include "studies/paper_tables.h"

#define CLI_PAPER_TABLE_OPTIONS                                                                    \
    {0, "psb", "DIR", "the benchmark's folder, with db/ and classification/", NULL},               \
        {'f', "format", "NAME", "what is printed: txt, tsv, json, md or tex", "txt"},              \
        CLI_WHOLE_OPTION, {                                                                        \
        't', "threads", "N", "threads (0: one per processor)", "0"                                 \
    }

/* A table of normalized DCG, see psb_dcg_table, and where its numbers come from. */
typedef struct cli_paper_table {
    const char *name; /* of the command, and of the files: "table5" */
    /* `folder` is the run's. */
    psb_status (*measure)(const psb_matrices *in, const char *folder, const char *psb, int variant,
                          psb_paper_table *out, psb_error *error);
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
