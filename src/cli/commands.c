/* The table of commands, in the order of the help: what a user needs first stands first. */
#include "cli/commands.h"

#include "cli/frame.h"

#include <string.h>

/* clang-format off */
const cli_command *const cli_commands[] = {
    &cmd_table4,
    &cmd_table5,
    &cmd_table6,
    &cmd_run,
    &cmd_report,
    &cmd_describe,
    &cmd_distance,
    &cmd_search,
    &cmd_eval,
    &cmd_compare,
    &cmd_plot,
    &cmd_export,
    &cmd_render,
    &cmd_info,
    &cmd_synth,
    &cmd_list,
    &cmd_help,
    &cmd_version,
    NULL,
};
/* clang-format on */

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
