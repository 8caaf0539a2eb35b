/* The commands, one file each (cmd_NAME.c). */
#ifndef PSB_CLI_COMMANDS_H
#define PSB_CLI_COMMANDS_H

#include "cli/command.h"

extern const cli_command cmd_eval;
extern const cli_command cmd_help;
extern const cli_command cmd_info;
extern const cli_command cmd_render;
extern const cli_command cmd_list;
extern const cli_command cmd_compare;
extern const cli_command cmd_export;
extern const cli_command cmd_plot;
extern const cli_command cmd_report;
extern const cli_command cmd_run;
extern const cli_command cmd_describe;
extern const cli_command cmd_distance;
extern const cli_command cmd_search;
extern const cli_command cmd_table4;
extern const cli_command cmd_table5;
extern const cli_command cmd_table6;
extern const cli_command cmd_synth;
extern const cli_command cmd_version;

#endif
