/* psbench list [NAMES] prints the descriptors and all their parameters. */
#include "cli/commands.h"
#include "cli/matrices.h"

#include <stdio.h>

static int print_all(void) {
    psb_table *table;
    psb_error error;
    if (psb_descriptors_table(&table, &error) != PSB_OK) {
        return cli_report(&error);
    }
    printf("%-8s %7s  %-8s %-8s  %-8s %s\n", "name", "numbers", "type", "distance", "pose",
           "title");
    for (size_t i = 0; i < psb_table_rows(table); i++) {
        printf("%-8s %7.0f  %-8s %-8s  %-8s %s%s\n", psb_table_text(table, i, 0),
               psb_table_number(table, i, 1), psb_table_text(table, i, 2),
               psb_table_text(table, i, 3), psb_table_text(table, i, 4),
               psb_table_text(table, i, 5), psb_table_text(table, i, 6) != NULL ? " (ours)" : "");
    }
    psb_table_free(table);
    return CLI_DONE;
}

static int run(const cli_values *values, void *options) {
    (void)options;
    psb_error error;
    char *text = NULL;
    if (cli_argument_count(values) == 0) {
        return print_all();
    }
    psb_status status = psb_descriptors_text(NULL, cli_argument(values, 0), &text, &error);
    return cli_print_text(status, text, &error);
}

const cli_command cmd_list = {
    .name = "list",
    .summary = "List descriptors, or show the parameters of some.",
    .usage = "[NAME[:PARAMETER=VALUE,...],...]",
    .details = "Prints one line per descriptor: the paper's twelve (in other commands: 'all') and "
               "others. With names, prints the source, formula and parameters of each.\n\n"
               "Examples:\n"
               "  psbench list\n"
               "  psbench list GEDT\n"
               "  psbench list GEDT:width=2,SHD   # two, one with a parameter",
    CLI_ARGUMENTS(0, 1, "one list of names, with commas between them"),
    .alone = true,
    .run = run,
};
