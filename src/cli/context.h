/* What commands share that use the library: an observer of its work, tables, options. */
#pragma once

#include "cli/command.h"

/* Shows one bar after the other: a new one begins when the stage's text changes. Starts zeroed. */
typedef struct cli_stages {
    cli_progress progress;
    char stage[300];
    double share; /* share of this stage that is done, if it was told; else 0 */
} cli_stages;

/* psb_observer.progress, with a cli_stages as context. */
int cli_show_stage(void *context, const char *stage, size_t done, size_t total, size_t failures);

/* Shows stages by cli_show_stage, failures as errors, lines by cli_say and cli_warn. */
psb_observer cli_observer(cli_stages *stages);

/* Prints a table as cli_print_table does; returns the exit code. */
int cli_show_table(const psb_table *table, const char *format);
/*
 * Prints the table in the format of cli_shown_format and frees it, or prints the error; nothing if
 * there is no table. Returns the exit code, CLI_PARTIAL if something was left out of the table.
 */
int cli_print_table(const cli_values *values, psb_status status, psb_table *table,
                    const char *format, const psb_error *error);

/* The option --memory of commands that stream over features. */
#define CLI_MEMORY_OPTION(at)                                                                      \
    CLI_BYTES("memory", at, "2G", "memory limit of the program, e.g. 512M")

/* Prints the error, wrong usage with a pointer to the command's help; returns the exit code. */
int cli_fail(const cli_values *values, const psb_error *error);

/* Options of commands that read classes; `in` has these fields of psb_collection_options. */
#define CLI_COLUMNS_OPTIONS(in)                                                                    \
    CLI_TEXT(0, "id-column", in.id_column, NULL, "NAME", "columns of ids and classes"),            \
        CLI_TEXT(0, "class-column", in.class_column, NULL, "NAME", "columns of ids and classes")

/* Words that options of several commands take. */
extern const cli_word cli_groupings[], cli_units[];

#define CLI_GROUPING_OPTION(at, value, help)                                                       \
    CLI_WORD(0, "per", at, cli_groupings, value, "WHAT", help)
