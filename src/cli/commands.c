/* The table of commands. */
#include "cli/commands.h"

#include "cli/frame.h"

#include <string.h>

#define POINTER(name) &name,
const cli_command *const cli_commands[] = {CLI_COMMANDS(POINTER) NULL};

static const char *name_at(const void *unused, int index) {
    (void)unused;
    return cli_commands[index] != NULL ? cli_commands[index]->name : NULL;
}

const cli_command *cli_find_command(const char *name) {
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0) {
            return cli_commands[i];
        }
    }
    return NULL;
}

int cli_unknown_command(const char *name) {
    const char *kind = name[0] == '-' ? "option" : "command";
    const char *nearest = cli_nearest(name + strspn(name, "-"), name_at, NULL);
    if (nearest != NULL) {
        return cli_usage(NULL, "unknown %s '%s'; did you mean 'psbench %s'?", kind, name, nearest);
    }
    return cli_usage(NULL, "unknown %s '%s'", kind, name);
}
