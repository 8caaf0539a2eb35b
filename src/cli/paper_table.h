/* What table5 and table6 share: a finished run, the benchmark's folder, the output. */
#pragma once

#include "cli/matrices.h"

/* The request of both. */
typedef struct cli_paper_request {
    psb_paper_options table;
    psb_methods_options methods;
    const char *format;
    int threads;
} cli_paper_request;

#define CLI_PAPER_TABLE_OPTIONS                                                                    \
    CLI_PATH(0, "psb", common.table.benchmark, NULL, "DIR",                                        \
             "the benchmark's folder, with db/ and classification/"),                              \
        CLI_NAME('f', "format", common.format, NULL, cli_format_name, "txt", "NAME",               \
                 "table format"),                                                                  \
        CLI_WHOLE_OPTION(common.methods.verify), CLI_THREADS(common.threads)

/* Makes the table of that number and prints it; returns the exit code. */
int cli_paper_table_run(const cli_values *values, cli_paper_request *request, int number);
