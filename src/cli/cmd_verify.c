/* psbench verify says whether the files of a run are what the run wrote and belong together. */
#include "cli/commands.h"
#include "cli/context.h"

#include <stdio.h>
#include <string.h>

/* True if the row's file is not as it was, and no such row before has the same command. */
static bool is_to_mend(const psb_table *table, size_t row) {
    const char *command = psb_table_text(table, row, 2), *before;
    bool mends = command != NULL && strcmp(psb_table_text(table, row, 0), "ok") != 0;
    for (size_t i = 0; i < row && mends; i++) {
        before = psb_table_text(table, i, 2);
        mends = before == NULL || strcmp(before, command) != 0 ||
                strcmp(psb_table_text(table, i, 0), "ok") == 0;
    }
    return mends;
}

static int run(const cli_values *values, void *options) {
    (void)options;
    psb_table *table;
    psb_error error;
    if (psb_verify(cli_psb(values), cli_argument(values, 0), &table, &error) != PSB_OK) {
        return cli_report(&error);
    }
    for (size_t i = 0; i < psb_table_rows(table); i++) {
        printf("%s\t%s\n", psb_table_text(table, i, 0), psb_table_text(table, i, 1));
    }
    for (size_t i = 0; i < psb_table_rows(table); i++) {
        if (is_to_mend(table, i)) {
            cli_say("to repair: %s", psb_table_text(table, i, 2));
        }
    }
    bool whole = psb_table_whole(table);
    psb_table_free(table);
    return whole ? CLI_DONE : CLI_PARTIAL;
}

const cli_command cmd_verify = {
    .name = "verify",
    .summary = "Check every file of a run against its recorded checksum.",
    .usage = "RUN",
    .details = "RUN is a folder of 'psbench run', 'table4', 'describe --models' or 'generative'. "
               "Prints the state and name of each file. ok: as written; stale: made from other "
               "models, classes or files than the last run; damaged: changed since it was written; "
               "missing: deleted; unknown: not recorded by any run. Commands to regenerate bad "
               "files are printed to stderr. Exit code 0 if all is ok, else 1. Changes nothing.\n\n"
               "Examples:\n"
               "  psbench verify run-psb\n"
               "  psbench verify run-psb && echo fine",
    CLI_ARGUMENTS(1, 1, "the folder of one run"),
    .of_run = true,
    .run = run,
};
