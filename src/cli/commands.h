/* The commands, one file each (cmd_NAME.c), in the order of the help: what a user needs first. */
#pragma once

#include "cli/command.h"

/* The list of commands; a new one needs a line here and its file. */
#define CLI_COMMANDS(ENTRY)                                                                        \
    ENTRY(cmd_table4)                                                                              \
    ENTRY(cmd_beyond)                                                                              \
    ENTRY(cmd_table5)                                                                              \
    ENTRY(cmd_table6)                                                                              \
    ENTRY(cmd_run)                                                                                 \
    ENTRY(cmd_cla)                                                                                 \
    ENTRY(cmd_status)                                                                              \
    ENTRY(cmd_verify)                                                                              \
    ENTRY(cmd_report)                                                                              \
    ENTRY(cmd_query)                                                                               \
    ENTRY(cmd_describe)                                                                            \
    ENTRY(cmd_distance)                                                                            \
    ENTRY(cmd_search)                                                                              \
    ENTRY(cmd_eval)                                                                                \
    ENTRY(cmd_classify)                                                                            \
    ENTRY(cmd_cluster)                                                                             \
    ENTRY(cmd_compare)                                                                             \
    ENTRY(cmd_compare_shapes)                                                                      \
    ENTRY(cmd_generative)                                                                          \
    ENTRY(cmd_duplicates)                                                                          \
    ENTRY(cmd_sweep)                                                                               \
    ENTRY(cmd_combine)                                                                             \
    ENTRY(cmd_rerank)                                                                              \
    ENTRY(cmd_signature)                                                                           \
    ENTRY(cmd_plot)                                                                                \
    ENTRY(cmd_export)                                                                              \
    ENTRY(cmd_render)                                                                              \
    ENTRY(cmd_convert)                                                                             \
    ENTRY(cmd_align)                                                                               \
    ENTRY(cmd_info)                                                                                \
    ENTRY(cmd_synth)                                                                               \
    ENTRY(cmd_list)                                                                                \
    ENTRY(cmd_cite)                                                                                \
    ENTRY(cmd_help)                                                                                \
    ENTRY(cmd_version)

#define CLI_COMMAND_DECLARED(name) extern const cli_command name;
CLI_COMMANDS(CLI_COMMAND_DECLARED)
