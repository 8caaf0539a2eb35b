/* psbench version, also --version, prints what a bug report should say about the build. */
#include "cli/commands.h"

#include <stdio.h>

static int run(const cli_values *values, void *options) {
    (void)values;
    (void)options;
    psb_table *table;
    psb_error error;
    if (psb_versions(&table, &error) != PSB_OK) {
        return cli_report(&error);
    }
    for (size_t i = 0; i < psb_table_rows(table); i++) {
        printf("%-9s %s\n", psb_table_text(table, i, 0), psb_table_text(table, i, 1));
    }
    psb_table_free(table);
    return CLI_DONE;
}

const cli_command cmd_version = {
    .name = "version",
    .summary = "Show the versions of psbench, its compiler and its libraries.",
    .usage = "",
    .details = "Examples:\n"
               "  psbench version\n"
               "  psbench --version",
    .alone = true,
    .run = run,
};
