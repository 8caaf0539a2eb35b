/* The program: finds the command and runs it. */
#include "cli/frame.h"

#include <string.h>

static const char *command_name(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return "help";
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        return "version";
    }
    return word;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        cli_print_overview(stderr);
        return CLI_USAGE;
    }
    const char *name = command_name(argv[1]);
    const cli_command *command = cli_find_command(name);
    if (command == NULL) {
        return cli_unknown_command(name);
    }
    return cli_run_command(command, argc - 1, argv + 1);
}

int main(int argc, char **argv) {
    cli_catch_signals();
    cli_heed_limits();
    return cli_finish(dispatch(argc, argv));
}
