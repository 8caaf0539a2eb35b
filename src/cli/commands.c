/* Holds the table of commands. */
#include "cli/commands.h"

#include "cli/frame.h"
#include "core/text.h"

#define POINTER(name) &name,
const cli_command *const cli_commands[] = {CLI_COMMANDS(POINTER) NULL};

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
    PSB_AT_END(psb_text_free) psb_text known = {0};
    char nearest[PSB_NAME_NEAREST];
    for (int i = 0; cli_commands[i] != NULL; i++) {
        psb_text_list(&known, cli_commands[i]->name);
    }
    bool found = !known.failed && psb_nearest_name(name + strspn(name, "-"), known.data, nearest);
    return found
               ? cli_usage(NULL, "unknown %s '%s'; did you mean 'psbench %s'?", kind, name, nearest)
               : cli_usage(NULL, "unknown %s '%s'", kind, name);
}
