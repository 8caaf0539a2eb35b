/* What table5 and table6 share: a finished run, the benchmark's folder, the output. */
#ifndef PSB_CLI_PAPER_TABLE_H
#define PSB_CLI_PAPER_TABLE_H

#include "cli/matrices.h"
#include "report/dcg_table.h"

#define CLI_PAPER_TABLE_OPTIONS                                                                    \
    {0, "psb", "DIR", "the benchmark's folder, with db/ and classification/", NULL},               \
        {'f', "format", "NAME", "what is printed: txt, tsv, json, md or tex", "txt"},              \
        CLI_WHOLE_OPTION, {                                                                        \
        't', "threads", "N", "threads (0: one per processor)", "0"                                 \
    }

/* The common options; CLI_DONE, or the exit code after an error was printed. */
int cli_paper_table_options(const cli_values *values, const char *command, const char **psb,
                            const psb_table_format **format);

/* Writes RUN/NAME.txt and so on, and prints the chosen format; the exit code. */
int cli_paper_table_write(const psb_dcg_table *table, const char *run, const char *name,
                          const psb_table_format *format);

/* Enters what a table command wrote into RUN: NAME.txt and so on, and `more` files; the exit code.
 */
int cli_paper_table_enter(const cli_values *values, const char *name, const char *const *more,
                          size_t count);

#endif
