/* psbench status says how far a run is, for people and for scripts of jobs. */
#include "cli/commands.h"
#include "cli/context.h"

#include <math.h>
#include <stdio.h>

typedef struct request {
    bool all;
} request;

static void print_cell(const psb_table *table, size_t row, size_t column) {
    double number = psb_table_number(table, row, column);
    const char *text = psb_table_text(table, row, column);
    if (isnan(number)) {
        cli_print_plain(text != NULL ? text : "-");
    } else {
        printf("%.0f", number);
    }
    putchar(column + 1 < psb_table_columns(table) ? '\t' : '\n');
}

static int run(const cli_values *values, void *options) {
    psb_table *table;
    psb_error error;
    bool all = ((const request *)options)->all;
    if (psb_run_state(cli_psb(values), cli_argument(values, 0), all, &table, &error) != PSB_OK) {
        return cli_report(&error);
    }
    printf("descriptor\tpart\tthere\tfailed\tmissing\tstate\n");
    for (size_t cell = 0; cell < psb_table_rows(table) * psb_table_columns(table); cell++) {
        print_cell(table, cell / psb_table_columns(table), cell % psb_table_columns(table));
    }
    bool whole = psb_table_whole(table);
    psb_table_free(table);
    return whole ? CLI_DONE : CLI_PARTIAL;
}

static const cli_option options_table[] = {
    CLI_FLAG('a', "all", all, "include finished parts"),
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
    .options = options_table,
    .size = sizeof(struct request),
    .least = 1,
    .most = 1,
    .of_run = true,
    .arguments = "one RUN",
    .run = run,
};
