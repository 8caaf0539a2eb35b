/* What table5 and table6 share: a finished run, the benchmark's folder, the output. */
#ifndef PSB_CLI_PAPER_TABLE_H
#define PSB_CLI_PAPER_TABLE_H

#include "cli/matrices.h"
#include "studies/paper_tables.h"

/* Of a request with a field `common` of this type. */
typedef struct cli_paper_options {
    const char *psb, *format;
    bool verify;
    int threads;
} cli_paper_options;

#define CLI_PAPER_TABLE_OPTIONS                                                                    \
    CLI_PATH(0, "psb", common.psb, NULL, "DIR",                                                    \
             "the benchmark's folder, with db/ and classification/"),                              \
        CLI_NAME('f', "format", common.format, NULL, cli_format_name, "txt", "NAME",               \
                 "what is printed"),                                                               \
        CLI_WHOLE_OPTION(common.verify), CLI_THREADS(common.threads)

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
int cli_paper_table_run(const cli_values *values, const cli_paper_options *options,
                        const cli_paper_table *table);

#endif
