/* psbench help [COMMAND] prints the help of the program, or of one command. */
#include "cli/commands.h"
#include "cli/frame.h"

static int run(const cli_values *values, void *options) {
    (void)options;
    if (cli_argument_count(values) == 0) {
        cli_print_overview(stdout);
        return CLI_DONE;
    }
    const cli_command *command = cli_find_command(cli_argument(values, 0));
    if (command == NULL) {
        return cli_unknown_command(cli_argument(values, 0));
    }
    cli_print_help(command);
    return CLI_DONE;
}

const cli_command cmd_help = {
    .name = "help",
    .summary = "Show the commands, or the options of one.",
    .usage = "[COMMAND]",
    .details = "Examples:\n"
               "  psbench help\n"
               "  psbench help eval",
    CLI_ARGUMENTS(0, 1, "one command"),
    .alone = true,
    .run = run,
};
