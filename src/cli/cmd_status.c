/* psbench status says how far a run is, for people and for scripts of jobs. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    bool all;
    const char *format;
} request;

static int run(const cli_values *values, void *given) {
    const request *r = given;
    psb_table *table = NULL;
    psb_error error;
    psb_status status =
        psb_run_state(cli_psb(values), cli_argument(values, 0), r->all, &table, &error);
    bool piped = cli_terminal_columns() == 0;
    return cli_print_table(values, status, table, r->format == NULL && piped ? "tsv" : r->format,
                           &error);
}

static const cli_option options[] = {
    CLI_FLAG('a', "all", all, "include finished parts"),
    CLI_FORMAT_OPTION(NULL, "table format (else: txt on a terminal, tsv elsewhere)"),
    CLI_END,
};

const cli_command cmd_status = {
    .name = "status",
    .summary = "Show which rows of a run are finished, failed or missing.",
    .usage = "RUN",
    .details = "Prints one line per descriptor, and one per unfinished part (--part of 'psbench "
               "run'; --all: every part): rows that are finished, failed and missing. Rows from "
               "another revision of the descriptor count as missing; rows already in RUN count for "
               "every part. Standard error names the models that failed or have no file. Exit code "
               "0: nothing is missing; 1: something is. May be used while parts are running.\n\n"
               "Examples:\n"
               "  psbench status run-psb\n"
               "  psbench status -v run-psb | grep SHD",
    CLI_ARGUMENTS(1, 1, "one RUN"),
    .of_run = true,
    CLI_REQUEST,
};
